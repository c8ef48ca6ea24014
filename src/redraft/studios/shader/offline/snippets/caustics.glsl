// caustics: the net of light on the floor of a pool
//: words caustics, pool, swimming pool, water surface, shimmer, shimmering water, reef, underwater light
//: slot backdrop
//: mood deep
//: needs lib_motion lib_ramp lib_light
//: number CAUSTICS_SPEED 1.0 speed
//: number CAUSTICS_SIZE 1.0 size

vec3 caustics(vec2 p, vec3 below) {
    vec2 q = p * 3.2 / CAUSTICS_SIZE;
    vec2 bent = q;
    float net = 1.0;
    for (int i = 0; i < 4; i++) {
        float a = beat((0.12 + 0.04 * float(i)) * CAUSTICS_SPEED) + 2.1 * float(i);
        bent = q + vec2(cos(a - bent.x) + sin(bent.y + a), sin(a - bent.y) + cos(bent.x + a)) + 1.3 * float(i);
        net += 0.045 / (0.02 + abs(sin(bent.x + a) * cos(bent.y)) * 0.5);
    }
    float light = pow(clamp(net / 8.0, 0.0, 1.4), 1.6);
    vec3 c = mix(DARK, MID, 0.5 + 0.4 * p.y);
    return lit(c, 1.1 * LIGHT * light);
}
