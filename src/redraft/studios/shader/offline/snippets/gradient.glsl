// gradient: one color goes over into another, not quite evenly
//: words gradient, gradients, fade, backdrop, background, ombre, wash
//: slot backdrop
//: needs lib_noise lib_motion
//: color GRADIENT_LOW - dark
//: color GRADIENT_MIDDLE - mid
//: color GRADIENT_HIGH - light
//: number GRADIENT_SPEED 1.0 speed

vec3 gradient(vec2 p, vec3 below) {
    vec2 sway = orbit(0.12 * GRADIENT_SPEED);
    float t = 0.5 + 0.42 * p.y + 0.18 * p.x + 0.5 * (noise(p * 0.8 + sway) - 0.5);
    vec3 c = mix(GRADIENT_LOW, GRADIENT_MIDDLE, smoothstep(0.0, 0.5, t));
    return mix(c, GRADIENT_HIGH, smoothstep(0.45, 1.0, t));
}
