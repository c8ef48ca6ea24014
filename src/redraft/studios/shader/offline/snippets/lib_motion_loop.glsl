// time, as the layers use it, in whole turns a loop: an angle, a share of a turn, tiles gone by, a wandering place

float part() {  // of the loop, 0 to 1
    return fract(u_time / SECONDS);
}

float turns(float rate) {  // whole turns a loop, at least one where anything moves
    return sign(rate) * max(1.0, floor(abs(rate) * SECONDS + 0.5));
}

float beat(float rate) {  // an angle; about `rate` turns a second
    return TAU * fract(turns(rate) * part());
}

float phase(float rate) {  // 0 to 1, about `rate` times a second
    return fract(turns(rate) * part());
}

float slide(float rate) {  // tiles gone by, about `rate` a second
    return turns(rate) * part();
}

float lap(float rate) {  // after how many tiles things repeat
    return max(1.0, abs(turns(rate)));
}

vec2 orbit(float rate) {  // a place that goes round at this speed
    float angle = TAU * part();
    return rate * SECONDS / TAU * vec2(cos(angle), sin(angle));
}
