// hexagons: a honeycomb, its cells lighting up in turn
//: words hexagons, hexagon, hexagonal, hex, honeycomb, hexes, beehive
//: slot backdrop
//: needs lib_random lib_motion lib_ramp
//: number HEXAGONS_COUNT 8.0 count
//: number HEXAGONS_SPEED 1.0 speed

vec3 hexagons(vec2 p, vec3 below) {
    vec2 q = p * 0.5 * HEXAGONS_COUNT;
    const vec2 STEP = vec2(1.0, 1.7320508);
    vec2 one = mod(q, STEP) - 0.5 * STEP;
    vec2 other = mod(q - 0.5 * STEP, STEP) - 0.5 * STEP;
    vec2 within = dot(one, one) < dot(other, other) ? one : other;
    vec2 dice = random2(floor((q - within) * 2.0 + 0.5) + 50.0);
    vec2 a = abs(within);
    float rim = 0.5 - max(a.x, dot(a, vec2(0.5, 0.8660254)));
    float light = 0.5 + 0.5 * sin(TAU * dice.x + beat((0.1 + 0.15 * dice.y) * HEXAGONS_SPEED));
    vec3 c = ramp(0.1 + 0.68 * light + 0.12 * dice.y) * (0.82 + 0.4 * rim);
    return mix(DEEP * 0.7, c, smoothstep(0.025, 0.055, rim));
}
