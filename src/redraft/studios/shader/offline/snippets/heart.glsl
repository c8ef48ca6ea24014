// heart: a heart with a soft glow
//: words heart, hearts, love heart
//: slot thing
//: needs lib_edge lib_light
//: color HEART_COLOR - accent
//: number HEART_SIZE 0.5 size
//: number HEART_GLOW 0.5 shade
//: place HEART_PLACE 0.0 0.0

float heart_outline(vec2 q) {  // distance, in units of its size
    q = vec2(abs(q.x), q.y * 0.95 + 0.62) * 0.86;
    if (q.x + q.y > 1.0) {
        return length(q - vec2(0.25, 0.75)) - 0.35355;
    }
    vec2 tip = q - vec2(0.0, 1.0);
    vec2 side = q - 0.5 * max(q.x + q.y, 0.0);
    return sqrt(min(dot(tip, tip), dot(side, side))) * sign(q.x - q.y);
}

vec3 heart(vec2 p, vec3 below) {
    vec2 q = (p - HEART_PLACE) / HEART_SIZE;
    float d = heart_outline(q) * HEART_SIZE;
    vec3 c = lit(below, HEART_COLOR * HEART_GLOW * exp(-7.0 * max(d, 0.0)));
    vec3 body = HEART_COLOR * (0.86 + 0.14 * clamp(q.y, -1.0, 1.0));
    body = lit(body, vec3(0.12) * smoothstep(-0.25, 0.0, d));  // a light rim
    return mix(c, body, inside(d));
}
