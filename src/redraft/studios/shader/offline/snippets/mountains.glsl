// mountains: four ridges, the far ones pale with air
//: words mountains, mountain, alps, peaks, peak, ridges, ridge, cliffs, volcano, fjords, range
//: slot land
//: mood dawn
//: needs lib_noise
//: color MOUNTAINS_NEAR #0d1626 deep
//: color MOUNTAINS_FAR #6a7fa6 mid
//: number MOUNTAINS_HEIGHT 0.62 size

float mountains_ridge(float x, float roughness) {
    float sum = 0.0;
    float part = 0.5;
    for (int i = 0; i < 6; i++) {
        float n = noise(vec2(x, 3.7 * float(i)));
        sum += part * (1.0 - abs(2.0 * n - 1.0));
        x = x * 2.03 + 5.1;
        part *= roughness;
    }
    return sum;
}

vec3 mountains(vec2 p, vec3 below) {
    vec3 c = below;
    float w = 2.0 / min(u_resolution.x, u_resolution.y);
    for (int i = 0; i < 4; i++) {
        float near = float(i) / 3.0;
        float top = mountains_ridge(p.x * mix(0.75, 1.3, near) + 17.0 * float(i), 0.45);
        top = HORIZON + MOUNTAINS_HEIGHT * (0.15 + 0.85 * top) * mix(1.0, 0.3, near) - 0.05 * near;
        vec3 rock = mix(MOUNTAINS_FAR, MOUNTAINS_NEAR, 0.12 + 0.88 * sqrt(near));
        float mist = exp(-3.5 * max(p.y - HORIZON, 0.0) / MOUNTAINS_HEIGHT) * (1.0 - near);
        rock = mix(rock, MOUNTAINS_FAR * 1.15, 0.45 * mist);
        c = mix(c, rock, 1.0 - smoothstep(-w, w, p.y - top));
    }
    return c;
}
