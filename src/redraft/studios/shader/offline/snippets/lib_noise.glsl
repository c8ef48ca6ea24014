// noise: smooth, 0 to 1; fbm: four octaves of it
//: needs lib_random

float noise(vec2 p) {
    vec2 cell = floor(p);
    vec2 w = p - cell;
    w = w * w * w * (w * (w * 6.0 - 15.0) + 10.0);
    float low = mix(random(cell), random(cell + vec2(1.0, 0.0)), w.x);
    float high = mix(random(cell + vec2(0.0, 1.0)), random(cell + vec2(1.0, 1.0)), w.x);
    return mix(low, high, w.y);
}

float fbm(vec2 p) {
    float sum = 0.0;
    float part = 0.5;
    for (int i = 0; i < 4; i++) {
        sum += part * noise(p);
        p = mat2(1.6, 1.2, -1.2, 1.6) * p + 7.3;
        part *= 0.5;
    }
    return sum / 0.9375;
}
