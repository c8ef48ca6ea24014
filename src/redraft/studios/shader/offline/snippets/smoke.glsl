// smoke: it rises, widens and tears
//: words smoke, smoky, fumes, steam, vapor, vapour, incense
//: slot backdrop
//: mood calm
//: needs lib_flow lib_ramp
//: number SMOKE_SIZE 1.0 size
//: drift SMOKE_DRIFT 0.0 0.4

vec3 smoke(vec2 p, vec3 below) {
    vec2 q = p / SMOKE_SIZE;
    float bend = flow(q * 1.2, SMOKE_DRIFT * 1.1) - 0.5;
    float veil = flow(q * vec2(2.0, 1.5) + 2.6 * bend, SMOKE_DRIFT * 1.9);
    float wisp = smoothstep(0.32, 0.85, veil + 0.5 * bend);
    vec3 c = mix(DEEP, DARK, 0.5 + 0.5 * p.y);
    c = mix(c, ramp(0.35 + 0.6 * veil), wisp);
    return mix(c, PALE, 0.3 * wisp * wisp * wisp);
}
