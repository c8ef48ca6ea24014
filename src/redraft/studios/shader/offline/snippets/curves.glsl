// curves: many sine waves, drawn as thin lights
//: words sine, sines, sine waves, sine wave, sinus, curves, curve, oscilloscope, sound waves, sound wave, audio, frequency, threads, strings, wave lines
//: slot pattern
//: needs lib_motion lib_light
//: color CURVES_FIRST - mid
//: color CURVES_LAST - accent
//: number CURVES_COUNT 9.0 count
//: number CURVES_SPEED 1.0 speed

vec3 curves(vec2 p, vec3 below) {
    vec3 light = vec3(0.0);
    for (float i = 0.0; i < CURVES_COUNT; i++) {
        float t = i / max(CURVES_COUNT - 1.0, 1.0);
        float y = 0.34 * sin(2.1 * p.x + 1.4 * t + beat(0.15 * CURVES_SPEED));
        y += 0.2 * sin(3.7 * p.x - 3.0 * t - beat(0.25 * CURVES_SPEED)) * (0.4 + t);
        y = (y + 0.5 * (t - 0.5)) * exp(-0.12 * p.x * p.x);
        float d = abs(p.y - y);
        light += mix(CURVES_FIRST, CURVES_LAST, t) * (0.9 * exp(-d * d * 14000.0) + 0.012 / (0.04 + d));
    }
    return lit(below, light * 0.8);
}
