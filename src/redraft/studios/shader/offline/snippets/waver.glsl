// waver: the picture as through moving water
//: words wavy, wobbly, wobbling, distorted, warped, rippled, melting, heat haze
//: slot lens
//: needs lib_motion
//: number WAVER_SPEED 1.0 speed
//: number WAVER_SIZE 1.0 size

vec2 waver(vec2 p) {
    float a = beat(0.3 * WAVER_SPEED);
    return p + 0.03 * WAVER_SIZE * vec2(sin(7.0 * p.y + a) + sin(11.0 * p.y - a), sin(8.0 * p.x - a));
}
