// nebula: clouds of glowing gas among dust
//: words nebula, nebulas, nebulae, gas cloud, deep space, stardust
//: slot backdrop
//: mood space
//: brings stars
//: needs lib_noise lib_motion lib_ramp lib_light
//: number NEBULA_SPEED 1.0 speed
//: number NEBULA_SIZE 1.0 size

vec3 nebula(vec2 p, vec3 below) {
    vec2 q = p * 1.1 / NEBULA_SIZE;
    vec2 sway = orbit(0.05 * NEBULA_SPEED);
    vec2 bent = vec2(fbm(q + sway), fbm(q + 5.2 - sway));
    float gas = fbm(q * 1.3 + 2.4 * bent + sway);
    float dust = fbm(q * 2.6 - 1.6 * bent + 8.0);
    float glow = smoothstep(0.22, 0.7, gas) * (0.5 + 0.8 * smoothstep(0.65, 0.3, dust));
    vec3 c = ramp(0.1 + 0.8 * glow);
    c = lit(c, 0.9 * mix(MID, LIGHT, bent.x) * pow(glow, 3.0));
    return c * (0.75 + 0.5 * bent.y);
}
