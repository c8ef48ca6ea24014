// marble: veins in polished stone
//: words marble, marbled, stone, agate, granite, quartz, veins
//: slot backdrop
//: mood calm
//: needs lib_noise lib_motion lib_ramp
//: number MARBLE_SPEED 1.0 speed
//: number MARBLE_SIZE 1.0 size

vec3 marble(vec2 p, vec3 below) {
    vec2 q = p * 1.3 / MARBLE_SIZE;
    vec2 sway = orbit(0.06 * MARBLE_SPEED);
    vec2 bent = vec2(fbm(q + sway), fbm(q + 4.1 - sway));
    float vein = abs(2.0 * fbm(q * 0.9 + 2.8 * bent) - 1.0);
    float fine = abs(2.0 * fbm(q * 2.3 + 3.0 * bent + 7.0) - 1.0);
    vec3 c = mix(LIGHT, PALE, smoothstep(0.0, 0.35, vein) * (0.6 + 0.4 * bent.x));
    c = mix(c, MID, 0.55 * exp(-16.0 * fine));
    return mix(c, mix(DEEP, DARK, bent.y), 0.85 * exp(-13.0 * vein));
}
