// flow: noise that drifts
//: needs lib_noise

float flow(vec2 p, vec2 velocity) {
    return fbm(p - velocity * u_time);
}
