// sea: waves that come in from the horizon, mirroring the sky on their slopes
//: words sea, seas, ocean, oceans, waves, wave, surf, swell, beach, tide
//: slot water
//: mood day
//: needs lib_noise lib_motion
//: color SEA_DEEP #04304a deep
//: color SEA_LIGHT #1c9aa0 mid
//: color SEA_FOAM #eefaf6 pale
//: number SEA_SPEED 1.0 speed
//: number SEA_LIGHT_SHARE 0.75 shade
//: number SEA_WAVES 1.0 size

float sea_height(vec2 place) {
    float sum = 0.0;
    float part = 0.5;
    vec2 way = vec2(0.35, 1.15);
    for (int i = 0; i < 5; i++) {
        float wave = sin(dot(place, way) + beat((0.25 + 0.1 * float(i)) * SEA_SPEED) + 1.7 * float(i));
        float crest = exp(1.3 * (wave - 1.0));  // steep above, flat below
        sum += part * crest;
        place += part * crest * vec2(way.y, -way.x) * 0.6;
        way = mat2(1.2, -1.0, 1.0, 1.2) * way;
        part *= 0.62;
    }
    return sum;
}

vec3 sea(vec2 p, vec3 below) {
    float depth = HORIZON - p.y;
    float far = 1.0 / (depth + 0.1);
    vec2 place = vec2(p.x * far * 1.2, far * 2.6) + 0.7 * noise(vec2(p.x, 1.0) * far);
    float h = sea_height(place);
    float calm = smoothstep(0.0, 0.3, depth);  // far off, waves are too small to see
    float slope = (h - sea_height(place - vec2(0.0, 0.18))) * SEA_WAVES * 3.0 * calm;
    float shake = noise(place * vec2(0.8, 2.6) + orbit(0.5 * SEA_SPEED)) - 0.5;
    float high = HORIZON + 0.02 + depth * (0.8 + 0.5 * shake) + 0.5 * max(slope, 0.0);
    vec2 mirrored = vec2(p.x + 0.45 * shake * depth, high);
    float level = clamp(0.95 - 0.75 * depth + 0.5 * slope, 0.08, 1.0);  // seen along it, the sea is all mirror
    vec3 water = mix(SEA_DEEP, SEA_LIGHT, smoothstep(0.15, 1.05, h) * 0.75 * calm + 0.2);
    vec3 c = mix(water, above(mirrored), level * SEA_LIGHT_SHARE);
    float foam = smoothstep(0.75, 1.15, h + 0.35 * noise(place * 5.0)) * noise(place * 11.0);
    c = mix(c, SEA_FOAM, 0.8 * foam * smoothstep(0.1, 0.5, depth) * SEA_WAVES);
    return mix(c, below, 0.6 * exp(-60.0 * depth));
}
