// spiral: arms that wind about the middle
//: words spiral, spirals, whirl, whirlpool, swirl spiral, pinwheel, helix, hypnosis, twister
//: slot pattern
//: needs lib_motion
//: color SPIRAL_COLOR - pale
//: number SPIRAL_ARMS 3.0 count
//: number SPIRAL_SPEED 1.0 speed
//: place SPIRAL_PLACE 0.0 0.0

vec3 spiral(vec2 p, vec3 below) {
    vec2 q = p - SPIRAL_PLACE;
    float r = length(q) + 0.001;
    float wave = sin(SPIRAL_ARMS * atan(q.y, q.x) + 7.0 * log(r + 0.03) - beat(0.35 * SPIRAL_SPEED));
    float w = 0.03 + 0.012 / r;
    return mix(below, SPIRAL_COLOR, 0.92 * smoothstep(-w, w, wave) * smoothstep(0.0, 0.06, r));
}
