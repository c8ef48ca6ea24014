// fog: banks of mist that drift low over the ground
//: words fog, foggy, mist, misty, haze, hazy
//: slot air
//: mood dawn
//: needs lib_flow
//: color FOG_COLOR #d5dde3 light
//: number FOG_DENSITY 1.0 density
//: drift FOG_DRIFT 0.1 0.0

vec3 fog(vec2 p, vec3 below) {
    float veil = flow(p * vec2(1.1, 2.6), FOG_DRIFT * 2.0);
    float low = smoothstep(0.9, -0.5, p.y);
    float thick = smoothstep(0.15, 0.85, veil) * (0.15 + 0.85 * low);
    return mix(below, FOG_COLOR, clamp(0.75 * FOG_DENSITY * thick, 0.0, 0.95));
}
