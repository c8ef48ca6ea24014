// flow: noise that drifts; two of them, each fading out before it starts over
//: needs lib_noise lib_motion

float flow(vec2 p, vec2 velocity) {
    float turn = phase(1.0 / 6.0);
    float other = fract(turn + 0.5);
    float share = 1.0 - abs(2.0 * turn - 1.0);
    float span = SECONDS / lap(1.0 / 6.0);
    float sum = share * fbm(p - velocity * span * turn);
    sum += (1.0 - share) * fbm(p - velocity * span * other + 41.7);
    float fade = length(vec2(share, 1.0 - share));  // what averaging takes from the contrast
    return clamp(0.5 + (sum - 0.5) / fade, 0.0, 1.0);
}
