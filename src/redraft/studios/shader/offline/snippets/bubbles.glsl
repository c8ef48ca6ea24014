// bubbles: thin globes that rise, with a light on each
//: words bubbles, bubble, soap bubbles, foam, orbs, orb, balls, spheres, bokeh
//: slot air 3
//: mood deep
//: needs lib_random lib_motion lib_light
//: color BUBBLES_COLOR #dff6ff pale
//: number BUBBLES_DENSITY 1.0 density
//: number BUBBLES_SIZE 1.0 size
//: number BUBBLES_SPEED 1.0 speed

vec3 bubbles(vec2 p, vec3 below) {
    vec3 c = below;
    for (int i = 0; i < 4; i++) {
        float far = 3.6 - 0.75 * float(i);
        float rate = 0.28 * BUBBLES_SPEED;
        float column = floor(p.x * far + 0.31 * float(i));
        float tall = p.y * far - slide(rate) + 9.0 * random(vec2(column, 20.0 + float(i)));
        float row = mod(floor(tall), lap(rate));
        vec2 dice = random2(vec2(column, row + 500.0 * float(i)));
        float size = BUBBLES_SIZE * (0.1 + 0.2 * dice.x);
        float sway = (0.46 - min(size, 0.4)) * sin(TAU * dice.y + beat(0.25 * BUBBLES_SPEED));
        vec2 d = (vec2(fract(p.x * far + 0.31 * float(i)), fract(tall)) - 0.5 - vec2(sway, 0.0)) / size;
        float r = length(d);
        float there = step(fract(dice.x * 7.0 + dice.y * 3.0), 0.55 * BUBBLES_DENSITY);
        float w = 2.5 * far / (size * min(u_resolution.x, u_resolution.y));
        float within = smoothstep(1.0, 1.0 - w, r);
        float rim = pow(min(r, 1.0), 6.0);
        float shine = exp(-22.0 * dot(d - vec2(-0.38, 0.42), d - vec2(-0.38, 0.42)));
        vec3 film = BUBBLES_COLOR * (0.9 + 0.25 * cos(5.0 * r + 3.0 * d.y + vec3(0.0, 2.0, 4.0)));
        c = lit(c, there * within * (film * (0.06 + 0.55 * rim) + vec3(1.1) * shine));
    }
    return c;
}
