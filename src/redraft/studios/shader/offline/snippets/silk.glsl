// silk: noise bent by noise, in soft folds
//: words silk, silky, fluid, liquid, ink, swirls, swirl, swirling, abstract, flowing colors, flowing colours, satin, paint, oil, veil, curtain, curtains, lava lamp, flow, noise, perlin, simplex, fbm, turbulence
//: slot backdrop
//: needs lib_noise lib_motion lib_ramp
//: number SILK_SPEED 1.0 speed
//: number SILK_SIZE 1.0 size

vec3 silk(vec2 p, vec3 below) {
    vec2 q = p * 0.75 / SILK_SIZE;
    vec2 sway = orbit(0.12 * SILK_SPEED);
    vec2 bent = vec2(noise(q + sway), noise(q + vec2(5.2, 1.3) - sway));
    vec2 folded = vec2(noise(q + 3.0 * bent + 1.7), noise(q - 3.0 * bent + 8.3));
    float t = noise(q + 3.4 * folded + sway);
    float crease = 0.5 + 0.5 * sin(9.0 * t + 5.0 * folded.x);
    vec3 c = ramp(0.08 + 0.75 * t + 0.25 * (folded.y - 0.5));
    return mix(c * (0.82 + 0.18 * crease), PALE, 0.12 * crease * crease * folded.x);
}
