// rain: three curtains of drops, slanting
//: words rain, raining, rainy, rainfall, raindrops, drops, shower, downpour
//: slot air
//: mood grey
//: brings clouds
//: needs lib_random lib_motion lib_light
//: color RAIN_COLOR #c6d6e4 pale
//: number RAIN_DENSITY 1.0 density
//: number RAIN_SPEED 1.0 speed
//: number RAIN_SLANT 0.12

vec3 rain(vec2 p, vec3 below) {
    float light = 0.0;
    for (int i = 0; i < 3; i++) {
        float near = 1.0 + float(i);
        vec2 q = vec2(p.x + RAIN_SLANT * p.y, p.y) * vec2(26.0, 1.6) * (2.2 / (near + 0.6));
        float column = floor(q.x);
        float rate = 1.6 * RAIN_SPEED;
        float tall = q.y + slide(rate) + 7.0 * random(vec2(column, near));
        vec2 dice = random2(vec2(column, mod(floor(tall), lap(rate)) + 100.0 * near));
        float there = step(1.0 - 0.55 * min(RAIN_DENSITY, 1.8), dice.x);
        float drop = fract(tall);
        float streak = smoothstep(0.1, 0.16, drop) * smoothstep(0.6, 0.16, drop);
        float thin = smoothstep(0.16, 0.0, abs(fract(q.x) - 0.3 - 0.4 * dice.y));
        light += there * streak * thin * (0.2 + 0.11 * near);
    }
    return lit(below, RAIN_COLOR * light * 0.8);
}
