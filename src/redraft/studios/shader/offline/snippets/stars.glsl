// stars: three sizes, each star twinkling in its own time
//: words stars, starry, starlight, starfield, star field, constellation, constellations, milky way, twinkling stars
//: slot heaven 1
//: mood night
//: needs lib_random lib_motion lib_light
//: color STARS_COLOR #dfe9ff pale
//: number STARS_DENSITY 1.0 density
//: number STARS_SIZE 1.0 size
//: number STARS_SPEED 1.0 speed

vec3 stars_layer(vec2 p, float count, float size) {
    vec2 cell = floor(p * count);
    vec2 dice = random2(cell + count);
    vec2 place = 0.2 + 0.6 * random2(cell + count * 3.0);
    float d = distance(fract(p * count), place) / size;
    float there = step(1.0 - min(0.22 * STARS_DENSITY, 1.0), dice.x);
    float twinkle = 0.65 + 0.35 * sin(TAU * dice.y + beat((0.25 + 0.5 * dice.y) * STARS_SPEED));
    vec3 tint = mix(STARS_COLOR, STARS_COLOR * vec3(1.0, 0.86, 0.7), dice.y * dice.y);
    return tint * there * twinkle * (exp(-60.0 * d * d) + 0.08 * exp(-7.0 * d));
}

vec3 stars(vec2 p, vec3 below) {
    vec3 light = stars_layer(p, 26.0, 0.55 * STARS_SIZE) * 0.5;
    light += stars_layer(p + 3.1, 13.0, 0.5 * STARS_SIZE);
    light += stars_layer(p + 7.7, 5.0, 0.32 * STARS_SIZE) * 1.6;
    float haze = smoothstep(HORIZON, HORIZON + 0.5, p.y);  // fewer, low over the horizon
    return lit(below, light * haze);
}
