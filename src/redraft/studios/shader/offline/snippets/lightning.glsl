// lightning: bolts, and the flash that they throw on everything
//: words lightning, thunder, thunderbolt, thunderbolts, bolt, bolts, lightning bolts
//: slot heaven 5
//: mood storm
//: brings clouds
//: needs lib_noise lib_motion lib_light
//: color LIGHTNING_COLOR #cfe0ff accent
//: number LIGHTNING_SPEED 1.0 speed
//: number LIGHTNING_LIGHT 1.0 shade

vec3 lightning(vec2 p, vec3 below) {
    vec3 c = below;
    float rate = 0.5 * LIGHTNING_SPEED;
    for (int i = 0; i < 2; i++) {
        float time = slide(rate) + 0.5 * float(i);
        float strike = mod(floor(time), lap(rate)) + 37.0 * float(i);
        float age = fract(time);
        float flash = exp(-5.0 * age) * (0.7 + 0.3 * sin(70.0 * age)) + 0.12 * (1.0 - age);
        float x = 1.3 * (random(vec2(strike, 5.0)) - 0.5);
        float bend = 0.5 * (noise(vec2(p.y * 1.7, strike)) - 0.5) + 0.24 * (noise(vec2(p.y * 6.0, strike + 3.0)) - 0.5);
        bend += 0.09 * (noise(vec2(p.y * 21.0, strike + 7.0)) - 0.5);
        float d = abs(p.x - x - bend);
        float fork = abs(p.x - x - bend - 0.7 * (0.35 - p.y) * (noise(vec2(p.y * 5.0, strike + 11.0)) - 0.1));
        float branch = smoothstep(0.4, 0.3, p.y) * smoothstep(-0.35, 0.0, p.y);
        float bolt = 0.006 / (d + 0.002) + branch * 0.0025 / (fork + 0.002);
        c = lit(c, LIGHTNING_COLOR * LIGHTNING_LIGHT * flash * (bolt + 0.25 * exp(-2.0 * d) + 0.06));
    }
    return c;
}
