// lit: light added to what is there, never beyond white

vec3 lit(vec3 below, vec3 light) {
    return 1.0 - (1.0 - below) * exp(-light);
}
