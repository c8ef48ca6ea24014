// mandelbrot: the Mandelbrot set, breathing in and out at a seahorse
//: words mandelbrot, mandelbrot set
//: slot backdrop
//: mood space
//: needs lib_motion lib_ramp
//: number MANDELBROT_SPEED 1.0 speed
//: number MANDELBROT_SIZE 1.0 size

vec3 mandelbrot(vec2 p, vec3 below) {
    float near = (0.5 - 0.5 * cos(beat(0.05 * MANDELBROT_SPEED))) * 4.0;
    vec2 k = mix(vec2(-0.6, 0.0), vec2(-0.7453, 0.1127), min(near, 1.0)) + p * 1.25 * exp(-near) / MANDELBROT_SIZE;
    vec2 z = vec2(0.0);
    float steps = 0.0;
    for (int i = 0; i < 96; i++) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + k;
        if (dot(z, z) > 64.0) {
            break;
        }
        steps += 1.0;
    }
    if (steps > 95.5) {
        return DEEP * 0.5;
    }
    float t = (steps - log2(log2(max(dot(z, z), 1.001))) + 2.6) / 96.0;
    return ramp(0.08 + 0.92 * pow(clamp(t, 0.0, 1.0), 0.45));
}
