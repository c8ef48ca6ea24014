// rings: circles within circles, spreading from the middle
//: words rings, concentric circles, concentric rings, concentric, ripples, ripple, target rings, radar, sonar, shockwave, pulse rings, circles
//: slot pattern
//: needs lib_motion lib_light
//: color RINGS_COLOR - light
//: number RINGS_COUNT 7.0 count
//: number RINGS_SPEED 1.0 speed
//: place RINGS_PLACE 0.0 0.0

vec3 rings(vec2 p, vec3 below) {
    float r = length(p - RINGS_PLACE);
    float wave = 0.5 + 0.5 * cos(TAU * r * RINGS_COUNT * 0.7 - beat(0.5 * RINGS_SPEED));
    float fade = exp(-0.7 * r);
    vec3 c = mix(below, RINGS_COLOR, 0.85 * fade * smoothstep(0.35, 0.9, wave));
    return lit(c, RINGS_COLOR * 0.35 * fade * pow(wave, 8.0));
}
