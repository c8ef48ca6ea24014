// random numbers from places: the same place, the same number (pcg2d of Jarzynski and Olano, JCGT 9-3, 2020)

vec2 random2(vec2 cell) {
    uvec2 v = uvec2(ivec2(floor(cell))) + floatBitsToUint(u_seed) / 131u;
    v = v * 1664525u + 1013904223u;
    v.x += v.y * 1664525u;
    v.y += v.x * 1664525u;
    v ^= v >> 16u;
    v.x += v.y * 1664525u;
    v.y += v.x * 1664525u;
    v ^= v >> 16u;
    return vec2(v >> 8u) / 16777216.0;
}

float random(vec2 cell) {
    return random2(cell).x;
}
