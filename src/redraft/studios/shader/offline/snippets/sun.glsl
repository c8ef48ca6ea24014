// sun: a bright disc and the light about it
//: words sun, suns, sunlight, sunny, sunshine, daylight
//: slot heaven 4
//: mood day
//: needs lib_motion lib_light lib_edge
//: color SUN_COLOR #fff1c4 pale
//: color SUN_GLOW #ff9a3c accent
//: place SUN_PLACE 0.25 0.35
//: number SUN_SIZE 0.2 size
//: number SUN_LIGHT 1.0 shade
//: number SUN_SPEED 1.0 speed

vec3 sun(vec2 p, vec3 below) {
    float d = length(p - SUN_PLACE) / SUN_SIZE;
    float breath = 1.0 + 0.06 * sin(beat(0.15 * SUN_SPEED));
    float near = exp(-1.6 * max(d - 1.0, 0.0));
    float far = exp(-0.32 * d) * breath;
    vec3 c = lit(below, SUN_GLOW * SUN_LIGHT * (0.75 * near + 0.55 * far));
    return mix(c, SUN_COLOR, inside((d - 1.0) * SUN_SIZE));
}
