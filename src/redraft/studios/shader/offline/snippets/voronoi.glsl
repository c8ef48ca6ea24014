// voronoi: cells about moving points, like cracked glass
//: words voronoi, cells, cell, cellular, cracks, cracked, mosaic, stained glass, worley, crystals, crystal, scales, facets, shattered, low poly
//: slot backdrop
//: needs lib_cells lib_ramp
//: number VORONOI_SPEED 1.0 speed
//: number VORONOI_SIZE 1.0 size
//: number VORONOI_EDGE 0.06

vec3 voronoi(vec2 p, vec3 below) {
    vec4 cell = cells(p * 2.6 / VORONOI_SIZE, 0.15 * VORONOI_SPEED);
    float rim = cell.y - cell.x;
    vec3 c = ramp(0.12 + 0.76 * cell.z);
    c *= 1.12 - 0.45 * cell.x;  // rounded like pebbles of glass
    c = mix(c, PALE, 0.25 * smoothstep(0.35, 0.0, cell.x) * cell.w);
    return mix(DEEP * 0.6, c, smoothstep(0.4 * VORONOI_EDGE, 1.6 * VORONOI_EDGE, rim));
}
