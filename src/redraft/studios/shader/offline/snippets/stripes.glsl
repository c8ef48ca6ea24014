// stripes: straight bands, aslant
//: words stripes, stripe, striped, bars, bar, bands, lines, line, barcode
//: slot pattern
//: needs lib_motion lib_turned lib_edge
//: color STRIPES_COLOR - light
//: number STRIPES_COUNT 8.0 count
//: number STRIPES_SPEED 1.0 speed
//: number STRIPES_ANGLE 0.6

vec3 stripes(vec2 p, vec3 below) {
    float x = turned(p, STRIPES_ANGLE).x * 0.5 * STRIPES_COUNT + slide(0.4 * STRIPES_SPEED);
    float d = (abs(fract(x) - 0.5) - 0.25) * 2.0 / STRIPES_COUNT;
    return mix(below, STRIPES_COLOR, inside(d));
}
