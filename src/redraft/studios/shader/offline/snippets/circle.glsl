// circle: a disc
//: words circle, disc, disk, ball, sphere, planet, dot shape, globe, round
//: slot thing
//: needs lib_edge lib_light
//: color CIRCLE_COLOR - accent
//: number CIRCLE_SIZE 0.5 size
//: number CIRCLE_GLOW 0.5 shade
//: place CIRCLE_PLACE 0.0 0.0

float circle_outline(vec2 q) {
    return length(q) - 1.0;
}

vec3 circle(vec2 p, vec3 below) {
    vec2 q = (p - CIRCLE_PLACE) / CIRCLE_SIZE;
    float d = circle_outline(q) * CIRCLE_SIZE;
    vec3 c = lit(below, CIRCLE_COLOR * CIRCLE_GLOW * exp(-7.0 * max(d, 0.0)));
    vec3 body = CIRCLE_COLOR * (0.86 + 0.14 * clamp(q.y, -1.0, 1.0));
    body = lit(body, vec3(0.1) * smoothstep(-0.25, 0.0, d));  // a light rim
    return mix(c, body, inside(d));
}
