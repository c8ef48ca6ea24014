// flower: a flower of six petals
//: words flower, flowers, blossom shape, petals, daisy, rose flower
//: slot thing
//: needs lib_edge lib_light
//: color FLOWER_COLOR - accent
//: number FLOWER_SIZE 0.5 size
//: number FLOWER_GLOW 0.5 shade
//: place FLOWER_PLACE 0.0 0.0

float flower_outline(vec2 q) {
    float petal = 0.68 + 0.27 * cos(6.0 * atan(q.y, q.x));
    return (length(q) - petal) * 0.6;
}

vec3 flower(vec2 p, vec3 below) {
    vec2 q = (p - FLOWER_PLACE) / FLOWER_SIZE;
    float d = flower_outline(q) * FLOWER_SIZE;
    vec3 c = lit(below, FLOWER_COLOR * FLOWER_GLOW * exp(-7.0 * max(d, 0.0)));
    vec3 body = FLOWER_COLOR * (0.86 + 0.14 * clamp(q.y, -1.0, 1.0));
    body = lit(body, vec3(0.14) * smoothstep(-0.25, 0.0, d));  // a light rim
    return mix(c, body, inside(d));
}
