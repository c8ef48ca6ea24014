// forest: rows of firs, the far ones pale with mist
//: words forest, forests, trees, tree, pines, pine, pine trees, firs, fir trees, woods, treeline, spruces
//: slot land 2
//: mood dawn
//: needs lib_noise lib_edge
//: color FOREST_NEAR #07130f deep
//: color FOREST_FAR #5f7f7c mid
//: number FOREST_HEIGHT 0.5 size

float forest_firs(float x, float y, float row) {  // how far above the trees a place is, below 0 within one
    float cell = floor(x);
    vec2 dice = random2(vec2(cell, row));
    float tall = 0.65 + 0.5 * dice.x;
    float left = abs(fract(x) - 0.5 - 0.2 * (dice.y - 0.5));
    float tiers = 0.75 + 0.4 * fract((tall - y) * 7.0);  // branches, in steps
    return max(y - tall, (left - 0.4 * tiers * (tall - y) / tall) * 1.6);
}

vec3 forest(vec2 p, vec3 below) {
    vec3 c = below;
    for (int i = 0; i < 4; i++) {
        float near = float(i) / 3.0;
        float size = FOREST_HEIGHT * mix(0.28, 0.8, near);
        float ground = HORIZON + 0.3 * FOREST_HEIGHT * (noise(vec2(p.x * 1.3 + 5.0 * near, 9.0 * near)) - 1.1 * near);
        vec2 q = vec2(p.x * 3.2 / size * 0.55 + 31.0 * near, (p.y - ground) / size);
        float d = min(forest_firs(q.x, q.y, near), forest_firs(q.x + 0.5, q.y + 0.15, near + 9.0));
        d = min(d, q.y - 0.12);
        vec3 wood = mix(FOREST_FAR, FOREST_NEAR, sqrt(near));
        float mist = (1.0 - near) * smoothstep(0.9, -0.3, q.y);
        c = mix(c, mix(wood, FOREST_FAR, 0.6 * mist), inside(d * size * 0.6));
    }
    return c;
}
