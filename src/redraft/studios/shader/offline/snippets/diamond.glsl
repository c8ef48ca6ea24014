// diamond: a rhomb
//: words diamond, rhombus, rhomb, gem, jewel, lozenge
//: slot thing
//: needs lib_edge lib_light
//: color DIAMOND_COLOR - accent
//: number DIAMOND_SIZE 0.5 size
//: number DIAMOND_GLOW 0.5 shade
//: place DIAMOND_PLACE 0.0 0.0

float diamond_outline(vec2 q) {
    return (abs(q.x) * 1.25 + abs(q.y) - 0.95) * 0.65;
}

vec3 diamond(vec2 p, vec3 below) {
    vec2 q = (p - DIAMOND_PLACE) / DIAMOND_SIZE;
    float d = diamond_outline(q) * DIAMOND_SIZE;
    vec3 c = lit(below, DIAMOND_COLOR * DIAMOND_GLOW * exp(-7.0 * max(d, 0.0)));
    vec3 body = DIAMOND_COLOR * (0.86 + 0.14 * clamp(q.y, -1.0, 1.0));
    body = lit(body, vec3(0.14) * smoothstep(-0.25, 0.0, d));  // a light rim
    return mix(c, body, inside(d));
}
