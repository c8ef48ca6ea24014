// dots: round spots in staggered rows
//: words dots, dot, polka dots, polka dot, polka, dotted, spots, spotted, halftone
//: slot pattern
//: needs lib_motion lib_edge
//: color DOTS_COLOR - pale
//: number DOTS_COUNT 8.0 count
//: number DOTS_SPEED 1.0 speed

vec3 dots(vec2 p, vec3 below) {
    vec2 q = p * 0.5 * DOTS_COUNT;
    q.x += 0.5 * mod(floor(q.y), 2.0);
    vec2 cell = floor(q);
    float breath = 0.26 + 0.06 * sin(beat(0.25 * DOTS_SPEED) + 0.7 * (cell.x + cell.y));
    float d = (length(fract(q) - 0.5) - breath) * 2.0 / DOTS_COUNT;
    return mix(below, DOTS_COLOR, inside(d));
}
