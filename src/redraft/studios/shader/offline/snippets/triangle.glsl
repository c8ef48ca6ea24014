// triangle: a triangle
//: words triangle, triangles, pyramid, pyramids
//: slot thing
//: needs lib_edge lib_light
//: color TRIANGLE_COLOR - accent
//: number TRIANGLE_SIZE 0.5 size
//: number TRIANGLE_GLOW 0.5 shade
//: place TRIANGLE_PLACE 0.0 0.0

float triangle_outline(vec2 q) {
    return max(abs(q.x) * 0.8660254 + 0.5 * q.y, -q.y) - 0.5;
}

vec3 triangle(vec2 p, vec3 below) {
    vec2 q = (p - TRIANGLE_PLACE) / TRIANGLE_SIZE;
    float d = triangle_outline(q) * TRIANGLE_SIZE;
    vec3 c = lit(below, TRIANGLE_COLOR * TRIANGLE_GLOW * exp(-7.0 * max(d, 0.0)));
    vec3 body = TRIANGLE_COLOR * (0.86 + 0.14 * clamp(q.y, -1.0, 1.0));
    body = lit(body, vec3(0.1) * smoothstep(-0.25, 0.0, d));  // a light rim
    return mix(c, body, inside(d));
}
