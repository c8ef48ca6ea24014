// galaxy: spiral arms about a bright core, tilted
//: words galaxy, galaxies, spiral galaxy, andromeda, black hole
//: slot backdrop
//: mood space
//: brings stars
//: needs lib_noise lib_motion lib_ramp lib_light lib_turned
//: number GALAXY_SPEED 1.0 speed
//: number GALAXY_SIZE 1.0 size
//: place GALAXY_PLACE 0.0 0.0

vec3 galaxy(vec2 p, vec3 below) {
    vec2 q = turned(p - GALAXY_PLACE, 0.5) * vec2(1.0, 1.75) / GALAXY_SIZE;
    float r = length(q) + 0.001;
    vec2 wound = turned(q, 3.2 * log(r + 0.08) + beat(0.02 * GALAXY_SPEED));  // the arms
    float angle = atan(wound.y, wound.x);
    float arm = 0.5 + 0.5 * cos(2.0 * angle);
    float dust = fbm(wound * 5.0 + 3.0);
    float light = 1.7 * exp(-2.0 * r) * (0.3 + 1.5 * arm * arm * (0.35 + 1.1 * dust));
    vec3 c = DEEP * 0.7 + 0.35 * DARK * exp(-1.4 * r);
    c = lit(c, mix(LIGHT, MID, smoothstep(0.1, 0.9, r)) * 2.0 * light);
    c *= 1.0 - 0.55 * smoothstep(0.45, 0.75, fbm(wound * 3.0 + 9.0)) * smoothstep(0.05, 0.3, r) * exp(-1.2 * r);
    return lit(c, PALE * (1.6 * exp(-11.0 * r) + 0.5 * exp(-4.5 * r)));
}
