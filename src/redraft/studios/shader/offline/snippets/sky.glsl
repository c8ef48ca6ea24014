// sky: four colors from the zenith to the horizon
//: words sky, skies, heaven, heavens, air, atmosphere
//: slot sky
//: color SKY_TOP - deep
//: color SKY_HIGH - dark
//: color SKY_LOW - mid
//: color SKY_EDGE - light

vec3 sky(vec2 p, vec3 below) {
    float t = clamp((p.y - HORIZON) / (1.15 - HORIZON), 0.0, 1.0);
    vec3 c = mix(SKY_EDGE, SKY_LOW, smoothstep(0.0, 0.3, t));
    c = mix(c, SKY_HIGH, smoothstep(0.15, 0.65, t));
    return mix(c, SKY_TOP, smoothstep(0.45, 1.0, t));
}
