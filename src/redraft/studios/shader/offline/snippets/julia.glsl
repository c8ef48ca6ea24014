// julia: a Julia set whose constant goes round
//: words julia, julia set, fractal, fractals, dragon fractal
//: slot backdrop
//: mood space
//: needs lib_motion lib_ramp
//: number JULIA_SPEED 1.0 speed
//: number JULIA_SIZE 1.0 size

vec3 julia(vec2 p, vec3 below) {
    float a = beat(0.05 * JULIA_SPEED);
    vec2 k = vec2(-0.745, 0.186) + 0.03 * vec2(cos(a), sin(a));
    vec2 z = p * 1.15 / JULIA_SIZE;
    float steps = 0.0;
    float near = 9.0;  // how near it came to the middle
    for (int i = 0; i < 64; i++) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + k;
        near = min(near, dot(z, z));
        if (dot(z, z) > 64.0) {
            break;
        }
        steps += 1.0;
    }
    float smooth_steps = steps - log2(max(log2(max(dot(z, z), 1.001)), 0.001)) + 2.6;
    float t = clamp(smooth_steps / 40.0, 0.0, 1.0);
    if (steps > 63.5) {
        return ramp(0.2 + 0.8 * sqrt(near));
    }
    return ramp(0.04 + 0.96 * pow(t, 0.55));
}
