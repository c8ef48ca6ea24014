// aurora: curtains of light, hung high and folded away into the distance
//: words aurora, auroras, aurorae, northern lights, northern light, polar lights, southern lights, borealis
//: slot heaven 3
//: mood night
//: brings stars
//: needs lib_noise lib_motion lib_light
//: color AURORA_FOOT #46ffa0 light
//: color AURORA_BODY #1fc7a8 mid
//: color AURORA_CREST #8d3fe8 accent
//: number AURORA_SPEED 1.0 speed
//: number AURORA_LIGHT 1.0 shade

vec3 aurora(vec2 p, vec3 below) {
    float height = p.y - HORIZON;
    if (height < 0.02) {
        return below;
    }
    vec2 sway = orbit(0.1 * AURORA_SPEED);
    float sharp = mix(45.0, 150.0, smoothstep(0.05, 0.7, height));  // the far ones melt into a glow
    vec3 light = vec3(0.0);
    float start = random(gl_FragCoord.xy);
    for (int i = 0; i < 16; i++) {
        float rise = (float(i) + start) / 16.0;  // 0 at the foot of the curtain, 1 at its crest
        vec2 ground = vec2(p.x, 1.3) * (1.0 + 1.1 * rise) / (height + 0.25);  // what lies under it, far below
        float bend = noise(ground * 0.8 + sway);
        float fold = ground.y + 0.35 * ground.x + 2.4 * bend + sway.x;
        float gap = abs(fract(fold * 0.42) - 0.5);  // from the nearest curtain
        float rays = noise(vec2(ground.x * 5.0 + 4.0 * bend - 3.0 * sway.y, 0.6 * fold + sway.x));
        float veil = exp(-sharp * gap * gap) * (0.3 + 1.1 * rays * rays);
        vec3 tint = mix(AURORA_FOOT, AURORA_BODY, smoothstep(0.0, 0.3, rise));
        tint = mix(tint, AURORA_CREST, smoothstep(0.2, 0.8, rise));
        light += tint * veil * exp(-3.0 * rise) * smoothstep(0.0, 0.1, rise);
    }
    float where = smoothstep(0.08, 0.62, noise(vec2(p.x * 1.1, height) + 0.7 * sway + 4.0));
    return lit(below, light * 1.35 * AURORA_LIGHT * where * smoothstep(0.02, 0.45, height));
}
