// floor_grid: a plane of glowing lines that runs toward the viewer
//: words floor grid, synthwave grid, neon grid, grid floor, retro grid, perspective grid
//: slot water
//: mood synthwave
//: needs lib_motion lib_light
//: color FLOOR_DARK #12062f deep
//: color FLOOR_LINES #ff4fd0 accent
//: number FLOOR_SPEED 1.0 speed

vec3 floor_grid(vec2 p, vec3 below) {
    float depth = HORIZON - p.y;
    float far = 0.5 / (depth + 0.015);
    vec2 q = vec2(p.x * far * 2.0, far + slide(0.8 * FLOOR_SPEED));
    vec2 d = 0.5 - abs(fract(q) - 0.5);
    vec2 thin = d / vec2(far * 2.0, far * far * 2.0);  // as wide on the picture, near or far
    vec2 line = exp(-thin * thin * 9000.0) + 0.3 * exp(-thin * 26.0);
    vec3 c = lit(FLOOR_DARK, FLOOR_LINES * (line.x + line.y) * smoothstep(0.0, 0.25, depth));
    return lit(c, FLOOR_LINES * 0.8 * exp(-26.0 * depth));
}
