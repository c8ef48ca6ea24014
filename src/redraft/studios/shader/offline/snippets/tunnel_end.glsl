// tunnel_end: the dark at the end of the tunnel
//: words tunnel end
//: slot air 9
//: color TUNNEL_DARK - deep

vec3 tunnel_end(vec2 p, vec3 below) {
    return mix(below, TUNNEL_DARK * 0.5, exp(-3.2 * dot(p, p) - 0.9 * length(p)));
}
