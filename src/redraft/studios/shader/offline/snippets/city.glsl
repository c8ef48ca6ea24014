// city: a skyline with lit windows
//: words city, cities, skyline, town, buildings, skyscrapers, towers, cityscape, metropolis
//: slot land 2
//: mood night
//: needs lib_random lib_motion lib_edge
//: color CITY_NEAR #070a14 deep
//: color CITY_FAR #26365c mid
//: color CITY_WINDOWS #ffd58a accent
//: number CITY_HEIGHT 0.8 size
//: number CITY_SPEED 1.0 speed

vec3 city(vec2 p, vec3 below) {
    vec3 c = below;
    for (int i = 0; i < 3; i++) {
        float near = float(i) / 2.0;
        float x = p.x * mix(9.0, 4.5, near) + 40.0 * near;
        float house = floor(x);
        vec2 dice = random2(vec2(house, float(i)));
        float top = HORIZON + CITY_HEIGHT * mix(0.95, 0.5, near) * (0.25 + 0.75 * dice.x * dice.x);
        float wall = max(abs(fract(x) - 0.5) - 0.5 + 0.06 * dice.y, 0.0);
        float there = inside(max(p.y - top, wall / 6.0 - 0.001));
        vec2 window = vec2(fract(x) * 5.0, (p.y + 2.0) * mix(44.0, 26.0, near));
        vec2 lamp = random2(floor(window) + vec2(house * 13.0, float(i) * 51.0));
        vec2 pane = abs(fract(window) - 0.5);
        float on = step(mix(0.6, 0.8, near), lamp.x) * (0.75 + 0.25 * sin(beat(0.2 * CITY_SPEED) + TAU * lamp.y));
        float shine = on * step(max(pane.x, pane.y), 0.28) * step(p.y, top - 0.03) * step(0.1, fract(x));
        vec3 stone = mix(CITY_FAR, CITY_NEAR, near);
        c = mix(c, mix(stone, CITY_WINDOWS, shine * mix(0.45, 0.95, near)), there);
    }
    return c;
}
