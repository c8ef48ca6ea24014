// rainbow: a bow, red outside and violet within
//: words rainbow, rainbows
//: slot heaven 5
//: mood day
//: brings clouds
//: place RAINBOW_PLACE 0.0 -0.55
//: number RAINBOW_SIZE 1.05 size
//: number RAINBOW_LIGHT 1.0 shade

vec3 rainbow_bow(float t) {  // red outside (1), violet inside (0)
    vec3 c = 0.5 + 0.5 * cos(TAU * (0.83 * t + vec3(0.2, 0.52, 0.83)));
    return c * smoothstep(0.0, 0.25, t) * smoothstep(1.0, 0.75, t);
}

vec3 rainbow(vec2 p, vec3 below) {
    float r = length(p - RAINBOW_PLACE) / RAINBOW_SIZE;
    vec3 c = rainbow_bow((r - 0.84) / 0.16);
    float share = clamp(dot(c, vec3(0.5)), 0.0, 1.0) * 0.6 * RAINBOW_LIGHT;
    return mix(below, clamp(c * 1.3, 0.0, 1.0), share);
}
