// checkerboard: every other square
//: words checkerboard, checker, checkers, chessboard, checkered, chequered
//: slot pattern
//: needs lib_edge lib_motion
//: color CHECKERBOARD_COLOR - pale
//: number CHECKERBOARD_COUNT 8.0 count
//: drift CHECKERBOARD_DRIFT 0.25 0.25

vec3 checkerboard(vec2 p, vec3 below) {
    vec2 gone = vec2(slide(CHECKERBOARD_DRIFT.x), slide(CHECKERBOARD_DRIFT.y));
    vec2 q = p * 0.25 * CHECKERBOARD_COUNT - gone;
    vec2 d = (abs(fract(q) - 0.5) - 0.25) * 4.0 / CHECKERBOARD_COUNT;
    float one = inside(d.x);
    float other = inside(d.y);
    return mix(below, CHECKERBOARD_COLOR, one + other - 2.0 * one * other);
}
