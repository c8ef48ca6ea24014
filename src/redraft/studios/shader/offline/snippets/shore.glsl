// shore: the far side of the water, low hills with trees on them
//: words shore, shores, coast, coastline, bank, banks
//: slot land
//: mood dusk
//: needs lib_noise lib_edge
//: color SHORE_COLOR #050d18 deep

vec3 shore(vec2 p, vec3 below) {
    float hill = 0.16 * noise(vec2(p.x * 1.7 + 11.0, 2.0)) + 0.05 * noise(vec2(p.x * 6.0, 5.0));
    float trees = 0.022 * noise(vec2(p.x * 55.0, 8.0)) + 0.014 * noise(vec2(p.x * 130.0, 3.0));
    float top = HORIZON - 0.02 + hill * smoothstep(-0.2, 0.5, abs(p.x + 0.25)) + trees;
    vec3 c = mix(below, SHORE_COLOR, 0.95);
    return mix(below, c, inside(p.y - top));
}
