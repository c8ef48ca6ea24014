// inside: 1 within a shape, 0 outside, over a width of about a pixel; `d` is the distance from its outline

float inside(float d) {
    float w = 1.5 / min(u_resolution.x, u_resolution.y);
    return 1.0 - smoothstep(-w, w, d);
}
