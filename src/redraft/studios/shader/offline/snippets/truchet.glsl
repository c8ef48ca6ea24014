// truchet: quarter circles on square tiles, joining into endless bands
//: words truchet, maze, labyrinth, arcs, knots, pipes, ribbons, doodle, circuit, weave, woven
//: slot pattern
//: needs lib_random lib_motion lib_edge
//: color TRUCHET_COLOR - light
//: color TRUCHET_EDGE - deep
//: number TRUCHET_COUNT 8.0 count
//: number TRUCHET_SPEED 1.0 speed

vec3 truchet(vec2 p, vec3 below) {
    vec2 q = p * 0.5 * TRUCHET_COUNT;
    vec2 tile = floor(q);
    vec2 t = fract(q);
    t.x = random(tile) < 0.5 ? t.x : 1.0 - t.x;
    float side = t.x + t.y < 1.0 ? 1.0 : -1.0;
    vec2 corner = side > 0.0 ? t : 1.0 - t;
    float d = abs(length(corner) - 0.5);
    float bead = 0.8 + 0.2 * sin(6.0 * (tile.x + tile.y) + 8.0 * atan(corner.y, corner.x) + beat(0.4 * TRUCHET_SPEED));
    float scale = 2.0 / TRUCHET_COUNT;
    vec3 c = mix(below, TRUCHET_EDGE, 0.8 * inside((d - 0.2) * scale));
    return mix(c, TRUCHET_COLOR * bead * (1.1 - 1.2 * d), inside((d - 0.14) * scale));
}
