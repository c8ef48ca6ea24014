// Ember cells - Voronoi with glowing borders
#define T iTime
vec2 rnd2(vec2 p) {
    return fract(sin(vec2(dot(p, vec2(127.1, 311.7)), dot(p, vec2(269.5, 183.3)))) * 43758.5453);
}
// x: distance to the nearest border, yz: id of the cell
vec3 voronoi(vec2 x) {
    vec2 n = floor(x), f = fract(x), mg, mr;
    float md = 8.0;
    for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) {
        vec2 g = vec2(float(i), float(j));
        vec2 o = 0.5 + 0.4 * sin(T + 6.2831 * rnd2(n + g));
        vec2 r = g + o - f;
        float d = dot(r, r);
        if (d < md) { md = d; mr = r; mg = g; }
    }
    md = 8.0;
    for (int j = -2; j <= 2; j++) for (int i = -2; i <= 2; i++) {
        vec2 g = mg + vec2(float(i), float(j));
        vec2 o = 0.5 + 0.4 * sin(T + 6.2831 * rnd2(n + g));
        vec2 r = g + o - f;
        if (dot(mr - r, mr - r) > 0.00001) md = min(md, dot(0.5 * (mr + r), normalize(r - mr)));
    }
    return vec3(md, n + mg);
}
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    vec2 uv = fragCoord / iResolution.y;
    vec3 v = voronoi(6.0 * uv);
    vec3 col = mix(vec3(1.0, 0.45, 0.1), vec3(0.05, 0.02, 0.02), smoothstep(0.0, 0.12, v.x));
    col += texture(iChannel0, uv).rgb * 0.1;
    fragColor = vec4(pow(col, vec3(1.0 / 2.2)), 1.0);
}
