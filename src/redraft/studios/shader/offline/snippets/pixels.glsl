// pixels: the picture in large squares
//: words pixelated, pixels, pixel, pixel art, 8-bit, 8 bit, blocky
//: slot lens
//: number PIXELS_COUNT 64.0 count

vec2 pixels(vec2 p) {
    return (floor(p * 0.5 * PIXELS_COUNT) + 0.5) / (0.5 * PIXELS_COUNT);
}
