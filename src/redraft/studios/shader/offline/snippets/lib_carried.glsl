// carried: a place seen from something that crosses the picture, and comes in again on the other side
//: needs lib_motion

vec2 carried(vec2 p, vec2 way, float rate) {
    vec2 span = 2.0 * u_resolution / min(u_resolution.x, u_resolution.y) + 1.0;
    vec2 gone = p - way * span * phase(rate) + 0.5 * span;
    return mix(p, mod(gone, span) - 0.5 * span, step(0.01, abs(way)));
}
