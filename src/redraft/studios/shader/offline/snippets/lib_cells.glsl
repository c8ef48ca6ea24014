// cells: distances from the nearest and from the next of scattered points, and the nearest one's own random numbers
//: needs lib_random lib_motion

vec4 cells(vec2 p, float rate) {
    vec2 cell = floor(p);
    vec4 found = vec4(9.0, 9.0, 0.0, 0.0);
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            vec2 place = cell + vec2(x, y);
            vec2 dice = random2(place);
            vec2 point = place + 0.5 + 0.36 * sin(TAU * dice + beat(rate * (0.6 + dice.x)));
            float d = distance(p, point);
            if (d < found.x) {
                found = vec4(d, found.x, dice);
            } else {
                found.y = min(found.y, d);
            }
        }
    }
    return found;
}
