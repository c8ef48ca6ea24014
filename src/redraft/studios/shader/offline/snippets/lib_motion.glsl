// time, as the layers use it: an angle, a share of a turn, tiles gone by, a wandering place

float beat(float rate) {  // an angle; `rate` turns a second
    return TAU * rate * u_time;
}

float phase(float rate) {  // 0 to 1, `rate` times a second
    return fract(rate * u_time);
}

float slide(float rate) {  // tiles gone by, `rate` a second
    return rate * u_time;
}

float lap(float rate) {  // after how many tiles things repeat
    return 4096.0;
}

vec2 orbit(float rate) {  // a place that moves on at this speed
    return rate * u_time * vec2(0.8, 0.6);
}
