// fire: flames that rise, taper and lick
//: words fire, flame, flames, burning, blaze, bonfire, campfire, candle, torch, wildfire, fireplace
//: slot air 1
//: mood embers
//: needs lib_flow lib_light
//: color FIRE_EDGE #a81c04 mid
//: color FIRE_BODY #ff7a12 light
//: color FIRE_HEART #fff0b0 pale
//: number FIRE_SIZE 1.0 size
//: number FIRE_LIGHT 1.0 shade
//: drift FIRE_DRIFT 0.0 0.9

vec3 fire(vec2 p, vec3 below) {
    vec2 q = vec2(p.x, p.y + 1.0) / FIRE_SIZE;
    float lick = flow(q * vec2(2.4, 1.3), FIRE_DRIFT * 1.4);
    float tongue = flow(q * vec2(4.6, 2.2) + 9.0, FIRE_DRIFT * 2.6);
    float x = q.x + 0.5 * (lick - 0.5) * q.y;
    float heat = 1.1 - 0.62 * q.y - 0.55 * x * x * (0.6 + q.y) + 1.25 * (lick - 0.5) + 0.75 * (tongue - 0.5);
    heat *= smoothstep(-0.1, 0.2, q.y + 0.2);
    vec3 c = lit(below, FIRE_EDGE * 0.6 * exp(-0.8 * length(q - vec2(0.0, 0.4))));
    vec3 tint = mix(FIRE_EDGE, FIRE_BODY, smoothstep(0.36, 0.72, heat));
    tint = mix(tint, FIRE_HEART, smoothstep(0.75, 1.3, heat)) * FIRE_LIGHT;
    return mix(c, tint, smoothstep(0.25, 0.6, heat));
}
