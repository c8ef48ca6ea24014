// ring: a ring
//: words ring, hoop, halo, circle outline, torus, donut, doughnut, eclipse
//: slot thing
//: needs lib_edge lib_light
//: color RING_COLOR - accent
//: number RING_SIZE 0.5 size
//: number RING_GLOW 0.5 shade
//: place RING_PLACE 0.0 0.0

float ring_outline(vec2 q) {
    return abs(length(q) - 0.86) - 0.14;
}

vec3 ring(vec2 p, vec3 below) {
    vec2 q = (p - RING_PLACE) / RING_SIZE;
    float d = ring_outline(q) * RING_SIZE;
    vec3 c = lit(below, RING_COLOR * RING_GLOW * exp(-7.0 * max(d, 0.0)));
    vec3 body = RING_COLOR * (0.86 + 0.14 * clamp(q.y, -1.0, 1.0));
    body = lit(body, vec3(0.1) * smoothstep(-0.25, 0.0, d));  // a light rim
    return mix(c, body, inside(d));
}
