// tunnel: the place on the wall of a tunnel that is flown through
//: words tunnel, tunnels, wormhole, vortex, corridor, portal
//: slot warp
//: brings tunnel_end
//: needs lib_motion
//: number TUNNEL_SPEED 1.0 speed

vec2 tunnel(vec2 p) {
    float away = 1.1 / (length(p) + 0.03) + 4.0 * slide(0.25 * TUNNEL_SPEED);
    float around = abs(atan(p.y, p.x)) / TAU * 8.0 - 2.0;
    return vec2(around, abs(mod(away, 4.0) - 2.0) - 1.0);  // there and back, so that no seam is seen
}
