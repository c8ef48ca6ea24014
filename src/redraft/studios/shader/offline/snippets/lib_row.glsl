// row: the same thing so many times, side by side

vec2 row(vec2 p, float count) {
    float gap = min(1.0, 1.9 / count);
    float first = -0.5 * gap * (count - 1.0);
    float i = clamp(floor((p.x - first) / gap + 0.5), 0.0, count - 1.0);
    return vec2(p.x - first - gap * i, p.y) * max(1.0, 1.15 / gap);
}
