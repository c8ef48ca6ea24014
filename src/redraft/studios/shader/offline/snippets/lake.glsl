// lake: still water that mirrors what is above it, the more shaken the nearer it is
//: words lake, lakes, pond, ponds, water, waters, reflection, reflections, reflecting, river, fjord, lagoon, mirror, loch
//: slot water
//: mood dusk
//: brings shore
//: needs lib_noise lib_motion
//: color LAKE_DEEP #03101f deep
//: number LAKE_SPEED 1.0 speed
//: number LAKE_LIGHT 0.95 shade
//: number LAKE_RIPPLES 1.0 size

vec3 lake(vec2 p, vec3 below) {
    float depth = HORIZON - p.y;
    float far = 1.0 / (depth + 0.09);
    vec2 place = vec2(p.x * far * 0.55, far * 2.2);
    vec2 sway = orbit(0.35 * LAKE_SPEED);
    float long_wave = noise(place + sway) - 0.5;
    float short_wave = noise(place * vec2(2.6, 3.1) - 1.7 * sway) - 0.5;
    float shake = (long_wave + 0.6 * short_wave) * LAKE_RIPPLES * smoothstep(0.0, 0.12, depth);
    vec2 mirrored = vec2(p.x + 0.04 * shake * depth, HORIZON + depth * 1.06 + 0.3 * shake * depth);
    vec3 c = above(vec2(mirrored.x, max(mirrored.y, HORIZON + 0.001))) * LAKE_LIGHT;
    c = mix(c, LAKE_DEEP, smoothstep(0.0, 1.6, depth) * 0.6);  // looking down into it, not along it
    c *= 1.0 + 0.45 * shake;
    return mix(c, 0.5 * c + 0.2 * below, exp(-110.0 * depth));  // the far shore
}
