// clouds: drifting banks, lit from above
//: words clouds, cloud, cloudy, cumulus, overcast
//: slot clouds
//: mood day
//: needs lib_flow
//: color CLOUDS_LIGHT #ffffff pale
//: color CLOUDS_SHADE #8fa5bd mid
//: number CLOUDS_AMOUNT 0.5 density
//: drift CLOUDS_DRIFT 0.09 0.0

vec3 clouds(vec2 p, vec3 below) {
    float height = max(p.y - HORIZON, 0.0);
    float far = 1.0 / (0.55 + height);
    vec2 place = vec2(p.x * far * 1.7, far * 4.4);
    float thick = flow(place, CLOUDS_DRIFT * 2.4);
    float lit_side = flow(place + vec2(0.16, -0.22), CLOUDS_DRIFT * 2.4);
    float cover = smoothstep(0.78 - 0.5 * CLOUDS_AMOUNT, 1.04 - 0.5 * CLOUDS_AMOUNT, thick);
    float shade = clamp(0.62 + 2.6 * (thick - lit_side) - 0.35 * cover, 0.0, 1.0);
    vec3 c = mix(CLOUDS_SHADE, CLOUDS_LIGHT, shade);
    c = mix(c, below, 0.5 * exp(-4.0 * height));  // the far ones are taken by the air
    return mix(below, c, cover * smoothstep(0.0, 0.25, height));
}
