// metaballs: drops that melt into each other as they meet
//: words metaballs, metaball, blobs, blob, lava blobs, lava lamps, goo, slime, droplets, amoeba, mercury
//: slot pattern
//: needs lib_motion lib_light
//: color METABALLS_DEEP - mid
//: color METABALLS_LIGHT - light
//: number METABALLS_COUNT 7.0 count
//: number METABALLS_SPEED 1.0 speed
//: number METABALLS_SIZE 1.0 size

vec3 metaballs(vec2 p, vec3 below) {
    float field = 0.0;
    vec2 slope = vec2(0.0);
    float weight = 0.0;
    for (float i = 0.0; i < METABALLS_COUNT; i++) {
        float a = beat((0.07 + 0.025 * mod(i, 3.0)) * METABALLS_SPEED) + 2.4 * i;
        vec2 ball = vec2(0.75 * sin(a + i), 0.7 * cos(1.0 * a - 2.0 * i));
        float size = METABALLS_SIZE * (0.16 + 0.05 * mod(1.7 * i, 2.0));
        vec2 d = p - ball;
        float near = size * size / (dot(d, d) + 0.004);
        field += near;
        slope += near * near * d / size;
        weight += near * near;
    }
    float body = smoothstep(0.96, 1.04, field);
    vec2 tilt = slope / weight * 0.95;  // as on balls, one going over into the next
    vec3 facing = normalize(vec3(tilt, sqrt(max(1.0 - dot(tilt, tilt), 0.02))));
    float light = clamp(dot(facing, normalize(vec3(-0.5, 0.75, 0.6))), 0.0, 1.0);
    vec3 c = mix(METABALLS_DEEP * 0.75, METABALLS_LIGHT, smoothstep(0.1, 0.95, light));
    c = lit(c, vec3(1.3) * pow(light, 28.0));
    vec3 air = lit(below, METABALLS_DEEP * 0.35 * smoothstep(0.3, 1.0, field));
    return mix(air, c, body);
}
