// grid: thin glowing lines, crossing
//: words grid, grids, mesh, graph, graph paper, wireframe, lattice, net
//: slot pattern
//: needs lib_motion lib_light
//: color GRID_COLOR - light
//: number GRID_COUNT 10.0 count
//: drift GRID_DRIFT 0.0 0.3

vec3 grid(vec2 p, vec3 below) {
    vec2 q = p * 0.5 * GRID_COUNT - vec2(slide(GRID_DRIFT.x), slide(GRID_DRIFT.y));
    vec2 d = (0.5 - abs(fract(q) - 0.5)) * 2.0 / GRID_COUNT;
    float near = min(d.x, d.y);
    return lit(below, GRID_COLOR * (1.8 * exp(-near * near * 30000.0) + 0.35 * exp(-near * 40.0)));
}
