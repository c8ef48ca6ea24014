// plasma: sums of waves, as on the old screens
//: words plasma, demoscene, lava lamp plasma, waves of color, waves of colour
//: slot backdrop
//: needs lib_motion lib_ramp
//: number PLASMA_SPEED 1.0 speed
//: number PLASMA_SIZE 1.0 size

vec3 plasma(vec2 p, vec3 below) {
    vec2 q = p * 2.4 / PLASMA_SIZE;
    float a = beat(0.1 * PLASMA_SPEED);
    float sum = sin(q.x + a) + sin(q.y * 1.3 - a + 1.0);
    sum += sin(q.x * 0.8 + q.y * 1.1 + beat(0.15 * PLASMA_SPEED));
    sum += sin(length(q + 1.4 * vec2(sin(a), cos(a))) * 1.7 - a);
    float t = 0.5 + 0.5 * sin(sum * 1.5);
    return ramp(0.05 + 0.9 * t) * (0.9 + 0.1 * sin(sum * 3.0 + 1.0));
}
