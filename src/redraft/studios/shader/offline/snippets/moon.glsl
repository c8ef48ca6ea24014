// moon: a disc with dark seas, and its light in the air
//: words moon, moonlight, moonlit, full moon, moonrise
//: slot heaven 4
//: mood night
//: needs lib_noise lib_light lib_edge
//: color MOON_COLOR #f3ecd8 pale
//: place MOON_PLACE 0.5 0.5
//: number MOON_SIZE 0.17 size
//: number MOON_LIGHT 1.0 shade

vec3 moon(vec2 p, vec3 below) {
    vec2 q = (p - MOON_PLACE) / MOON_SIZE;
    float d = length(q);
    vec3 c = lit(below, MOON_COLOR * MOON_LIGHT * (0.42 * exp(-1.3 * max(d - 1.0, 0.0)) + 0.16 * exp(-0.3 * d)));
    float seas = smoothstep(0.42, 0.68, fbm(q * 1.3 + 5.0));
    vec3 disc = MOON_COLOR * (1.0 - 0.2 * seas) * (1.0 - 0.16 * d * d);
    return mix(c, disc, inside((d - 1.0) * MOON_SIZE));
}
