// square: a square with soft corners
//: words square, box, rectangle, cube, block, tile
//: slot thing
//: needs lib_edge lib_light
//: color SQUARE_COLOR - accent
//: number SQUARE_SIZE 0.5 size
//: number SQUARE_GLOW 0.5 shade
//: place SQUARE_PLACE 0.0 0.0

float square_outline(vec2 q) {
    vec2 d = abs(q) - 0.68;
    return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0) - 0.1;
}

vec3 square(vec2 p, vec3 below) {
    vec2 q = (p - SQUARE_PLACE) / SQUARE_SIZE;
    float d = square_outline(q) * SQUARE_SIZE;
    vec3 c = lit(below, SQUARE_COLOR * SQUARE_GLOW * exp(-7.0 * max(d, 0.0)));
    vec3 body = SQUARE_COLOR * (0.86 + 0.14 * clamp(q.y, -1.0, 1.0));
    body = lit(body, vec3(0.1) * smoothstep(-0.25, 0.0, d));  // a light rim
    return mix(c, body, inside(d));
}
