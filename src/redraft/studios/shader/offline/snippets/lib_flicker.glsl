// flicker: light that is not steady
//: needs lib_motion

float flicker(float rate) {
    float a = sin(beat(1.3 * rate)) + sin(beat(2.9 * rate) + 1.0) + 0.7 * sin(beat(7.1 * rate) + 2.0);
    return clamp(0.72 + 0.16 * a, 0.2, 1.0);
}
