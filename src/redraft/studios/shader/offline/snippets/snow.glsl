// snow: flakes at five distances, swaying as they fall
//: words snow, snowing, snowy, snowfall, snowflakes, snowflake, blizzard, flakes
//: slot air
//: mood winter
//: needs lib_random lib_motion lib_light
//: color SNOW_COLOR #ffffff pale
//: number SNOW_DENSITY 1.0 density
//: number SNOW_SIZE 1.0 size
//: number SNOW_SPEED 1.0 speed

vec3 snow(vec2 p, vec3 below) {
    float light = 0.0;
    for (int i = 0; i < 5; i++) {
        float far = 2.4 + 1.7 * float(i);
        float rate = 0.5 * SNOW_SPEED;
        float column = floor(p.x * far + 0.37 * float(i));
        float tall = p.y * far + slide(rate) + 9.0 * random(vec2(column, 70.0 + float(i)));
        float row = mod(floor(tall), lap(rate));
        vec2 dice = random2(vec2(column, row + 300.0 * float(i)));
        float sway = 0.13 * sin(TAU * dice.y + beat(0.25 * SNOW_SPEED));
        vec2 place = vec2(0.5 + 0.44 * (dice.x - 0.5) + sway, 0.5 + 0.5 * (dice.y - 0.5));
        float d = distance(vec2(fract(p.x * far + 0.37 * float(i)), fract(tall)), place);
        float size = SNOW_SIZE * (0.05 + 0.1 * dice.x);
        float there = step(fract(7.0 * dice.y + dice.x), 0.62 * SNOW_DENSITY);
        light += there * smoothstep(size, 0.25 * size, d) * (1.1 - 0.16 * float(i));
    }
    return lit(below, SNOW_COLOR * light);
}
