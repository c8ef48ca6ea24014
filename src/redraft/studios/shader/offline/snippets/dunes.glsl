// dunes: sand in long crests, one side of each in shadow
//: words dunes, dune, sand dunes, desert landscape
//: slot land 1
//: mood desert
//: needs lib_noise lib_edge
//: color DUNES_LIGHT #e9b872 light
//: color DUNES_SHADE #8a4a30 dark
//: number DUNES_HEIGHT 0.55 size

vec3 dunes(vec2 p, vec3 below) {
    vec3 c = below;
    for (int i = 0; i < 4; i++) {
        float near = float(i) / 3.0;
        float x = p.x * mix(1.2, 0.7, near) + 7.0 * float(i);
        float crest = 1.0 - abs(2.0 * noise(vec2(x, 3.0 * float(i))) - 1.0);
        float top = HORIZON + DUNES_HEIGHT * (0.7 * crest * crest - 0.55 * near + 0.1);
        float sag = p.x + 1.5 * (top - p.y);
        vec2 slope = vec2(sag * mix(1.2, 0.7, near) + 7.0 * float(i) + 0.35, 3.0 * float(i));
        float side = smoothstep(0.42, 0.58, noise(slope));
        vec3 sand = mix(DUNES_SHADE, DUNES_LIGHT, 0.25 + 0.75 * side);
        sand = mix(sand, DUNES_LIGHT, 0.35 * (1.0 - near));
        c = mix(c, sand, inside(p.y - top));
    }
    return c;
}
