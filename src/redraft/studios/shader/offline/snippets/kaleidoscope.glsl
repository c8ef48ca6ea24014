// kaleidoscope: a wedge, mirrored all around
//: words kaleidoscope, kaleidoscopic, mandala, mandalas, symmetric, symmetrical, mirrored, rosette
//: slot warp
//: needs lib_motion lib_turned
//: number KALEIDOSCOPE_SIDES 8.0 count
//: number KALEIDOSCOPE_SPEED 1.0 speed

vec2 kaleidoscope(vec2 p) {
    float wedge = TAU / KALEIDOSCOPE_SIDES;
    float a = mod(atan(p.y, p.x) + 0.5 * wedge, wedge) - 0.5 * wedge;
    vec2 folded = length(p) * vec2(cos(a), abs(sin(a)));
    return turned(folded, 0.35 * sin(beat(0.1 * KALEIDOSCOPE_SPEED))) + 0.3 * cos(beat(0.1 * KALEIDOSCOPE_SPEED));
}
