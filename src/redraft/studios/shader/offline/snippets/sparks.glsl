// sparks: small lights that rise and go out
//: words sparks, spark, embers, ember, fireflies, firefly, particles, dust, glitter, sparkles, sparkle, confetti, pollen, lanterns
//: slot air 2
//: mood embers
//: needs lib_random lib_motion lib_light
//: color SPARKS_COLOR #ffb347 accent
//: number SPARKS_DENSITY 1.0 density
//: number SPARKS_SIZE 1.0 size
//: number SPARKS_SPEED 1.0 speed

vec3 sparks(vec2 p, vec3 below) {
    vec3 light = vec3(0.0);
    for (int i = 0; i < 4; i++) {
        float far = 2.0 + 1.3 * float(i);
        float rate = 0.3 * SPARKS_SPEED;
        float column = floor(p.x * far + 0.29 * float(i));
        float tall = p.y * far - slide(rate) + 9.0 * random(vec2(column, 40.0 + float(i)));
        float row = mod(floor(tall), lap(rate));
        vec2 dice = random2(vec2(column, row + 200.0 * float(i)));
        vec2 place = 0.5 + vec2(0.25 * sin(TAU * dice.x + beat(0.3 * SPARKS_SPEED)), 0.4 * (dice.y - 0.5));
        float d = distance(vec2(fract(p.x * far + 0.29 * float(i)), fract(tall)), place) / SPARKS_SIZE;
        float there = step(dice.x, 0.5 * SPARKS_DENSITY);
        float blink = 0.55 + 0.45 * sin(TAU * dice.y * 3.0 + beat((0.4 + 0.5 * dice.x) * SPARKS_SPEED));
        float edge = smoothstep(0.5, 0.3, abs(fract(tall) - 0.5));
        light += SPARKS_COLOR * there * blink * edge * (1.6 * exp(-900.0 * d * d) + 0.35 * exp(-60.0 * d * d));
    }
    return lit(below, light);
}
