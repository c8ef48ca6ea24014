// ramp: the palette from its darkest color (0) to its palest (1)

vec3 ramp(float t) {
    t = clamp(t, 0.0, 1.0) * 4.0;
    vec3 c = mix(DEEP, DARK, smoothstep(0.0, 1.0, t));
    c = mix(c, MID, smoothstep(1.0, 2.0, t));
    c = mix(c, LIGHT, smoothstep(2.0, 3.0, t));
    return mix(c, PALE, smoothstep(3.0, 4.0, t));
}
