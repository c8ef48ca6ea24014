// hills: rolling land, the far ones pale with air
//: words hills, hill, hilly, rolling hills, meadow, meadows, fields, field, grassland, countryside, land, landscape, valley, ground, grass
//: slot land 1
//: mood day
//: needs lib_noise lib_edge
//: color HILLS_NEAR #2e5b2c dark
//: color HILLS_FAR #9cc08a mid
//: number HILLS_HEIGHT 0.5 size

vec3 hills(vec2 p, vec3 below) {
    vec3 c = below;
    for (int i = 0; i < 4; i++) {
        float near = float(i) / 3.0;
        float roll = noise(vec2(p.x * mix(1.6, 0.9, near) + 9.0 * float(i), 4.0 * float(i)));
        float top = HORIZON + HILLS_HEIGHT * (roll * 0.8 + 0.55 - 0.85 * near);
        vec3 land = mix(HILLS_FAR, HILLS_NEAR, near);
        land *= 1.0 - 0.3 * smoothstep(0.0, 0.7, top - p.y);  // the light lies on the crests
        c = mix(c, land, inside(p.y - top));
    }
    return c;
}
