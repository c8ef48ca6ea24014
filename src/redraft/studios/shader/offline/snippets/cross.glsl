// cross: a cross
//: words cross, plus, plus sign
//: slot thing
//: needs lib_edge lib_light
//: color CROSS_COLOR - accent
//: number CROSS_SIZE 0.5 size
//: number CROSS_GLOW 0.5 shade
//: place CROSS_PLACE 0.0 0.0

float cross_outline(vec2 q) {
    vec2 a = abs(q);
    return min(max(a.x - 0.9, a.y - 0.3), max(a.y - 0.9, a.x - 0.3));
}

vec3 cross(vec2 p, vec3 below) {
    vec2 q = (p - CROSS_PLACE) / CROSS_SIZE;
    float d = cross_outline(q) * CROSS_SIZE;
    vec3 c = lit(below, CROSS_COLOR * CROSS_GLOW * exp(-7.0 * max(d, 0.0)));
    vec3 body = CROSS_COLOR * (0.86 + 0.14 * clamp(q.y, -1.0, 1.0));
    body = lit(body, vec3(0.1) * smoothstep(-0.25, 0.0, d));  // a light rim
    return mix(c, body, inside(d));
}
