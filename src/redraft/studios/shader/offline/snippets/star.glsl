// star: a star of five points
//: words star, star shape, pentagram, five-pointed star, starfish
//: slot thing
//: needs lib_edge lib_light
//: color STAR_COLOR - accent
//: number STAR_SIZE 0.5 size
//: number STAR_GLOW 0.5 shade
//: place STAR_PLACE 0.0 0.0

float star_outline(vec2 q) {  // distance, in units of its size
    float wedge = TAU / 5.0;
    float a = mod(atan(q.x, q.y) + 0.5 * wedge, wedge) - 0.5 * wedge;
    vec2 folded = length(q) * vec2(cos(a), abs(sin(a)));
    vec2 tip = vec2(1.0, 0.0);
    vec2 notch = 0.42 * vec2(cos(0.5 * wedge), sin(0.5 * wedge));
    vec2 along = notch - tip;
    vec2 d = folded - tip;
    float t = clamp(dot(d, along) / dot(along, along), 0.0, 1.0);
    return length(d - along * t) * sign(along.x * d.y - along.y * d.x) * -1.0;
}

vec3 star(vec2 p, vec3 below) {
    vec2 q = (p - STAR_PLACE) / STAR_SIZE;
    float d = star_outline(q) * STAR_SIZE;
    vec3 c = lit(below, STAR_COLOR * STAR_GLOW * exp(-7.0 * max(d, 0.0)));
    vec3 body = STAR_COLOR * (0.86 + 0.14 * clamp(q.y, -1.0, 1.0));
    body = lit(body, vec3(0.15) * smoothstep(-0.25, 0.0, d));  // a light rim
    return mix(c, body, inside(d));
}
