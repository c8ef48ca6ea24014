// crescent: a crescent
//: words crescent, crescent moon, half moon, sickle
//: slot thing
//: needs lib_edge lib_light
//: color CRESCENT_COLOR - accent
//: number CRESCENT_SIZE 0.5 size
//: number CRESCENT_GLOW 0.5 shade
//: place CRESCENT_PLACE 0.0 0.0

float crescent_outline(vec2 q) {
    const vec2 HOLE = vec2(0.4, 0.15);
    float along = dot(q, HOLE) / dot(HOLE, HOLE);
    float across = abs(q.x * HOLE.y - q.y * HOLE.x) / length(HOLE);
    float to_tip = length(vec2((along - 1.06) * length(HOLE), across - 0.777));
    return along > 1.06 ? to_tip : max(length(q) - 0.9, 0.78 - length(q - HOLE));
}

vec3 crescent(vec2 p, vec3 below) {
    vec2 q = (p - CRESCENT_PLACE) / CRESCENT_SIZE;
    float d = crescent_outline(q) * CRESCENT_SIZE;
    vec3 c = lit(below, CRESCENT_COLOR * CRESCENT_GLOW * exp(-7.0 * max(d, 0.0)));
    vec3 body = CRESCENT_COLOR * (0.86 + 0.14 * clamp(q.y, -1.0, 1.0));
    body = lit(body, vec3(0.1) * smoothstep(-0.25, 0.0, d));  // a light rim
    return mix(c, body, inside(d));
}
