"""Pictures made to be looked at: target and frame side by side, sheets of frames, an animation, a grid of colors.

The ground is a dark gray without a tint, so that no color beside it looks different for it. Nothing is drawn over a
picture: a critic sees what the shader made and nothing else.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from redraft.drawing import glyphs
from redraft.errors import RunFormatError
from redraft.metrics.base import Pixels, resized

MOST_FRAMES = 24
SHEET_WIDTH = 1024
WEBP_QUALITY = 85
"""Of animations. A tenth of the size without loss."""

_GROUND = (27, 27, 27)
_WORDS = (190, 190, 190)
_BEST = (255, 196, 84)
_EDGE = (58, 58, 58)
_MARGIN, _GAP, _LINE = 20, 12, 26
"""Pixels: around everything, between pictures, and of a line of words under them."""
_TALLEST, _WIDEST, _LOWEST = 512, 752, 192
"""Pixels of one picture side by side with another. Below the lowest, small pictures are enlarged."""


def side_by_side(target: Pixels, frame: Pixels, label: str = "frame") -> bytes:
    """PNG: the target left and a frame right, of equal height, each named under its picture.

    `label` is the frame's name, such as "frame 3 at 0.50 s". Pictures keep their shapes.
    """
    height = _common_height(target, frame)
    pictures = [_at_height(target, height), _at_height(frame, height)]
    names = ["target", label]
    widths = [max(p.shape[1], _text_width(name)) for p, name in zip(pictures, names, strict=True)]
    size = sum(widths) + _GAP + 2 * _MARGIN, height + _LINE + 2 * _MARGIN
    sheet = _Sheet(*size)
    sheet.place(pictures[0], _MARGIN, _MARGIN, names[0])
    sheet.place(pictures[1], _MARGIN + widths[0] + _GAP, _MARGIN, names[1])
    return sheet.png()


def contact_sheet(frames: Sequence[Pixels], times: Sequence[float], best: int | None = None) -> bytes:
    """PNG, at most 1,024 pixels wide: up to 24 frames in a grid, each with its time under it.

    Of more frames, 24 evenly spaced ones are shown, the best among them. The best one is framed and named.

    Raises:
        ValueError: no frame is given, or not one time for each.
    """
    if not frames or len(frames) != len(times):
        raise ValueError(f"A sheet takes frames with one time each; given: {len(frames)} and {len(times)}.")
    chosen = evenly(len(frames), MOST_FRAMES, best)
    words = [f"{time:.2f} s{' · best' * (i == best)}" for i, time in enumerate(times)]
    marked = None if best is None else chosen.index(best)
    return labelled_sheet([frames[i] for i in chosen], [words[i] for i in chosen], marked)


def labelled_sheet(
    pictures: Sequence[Pixels], words: Sequence[str], marked: int | None = None, width: int = SHEET_WIDTH
) -> bytes:
    """PNG, at most `width` pixels wide: pictures of one size in a grid, each with its words under it, one framed."""
    tall, wide = pictures[0].shape[:2]
    columns = _columns(len(pictures), wide / tall)
    rows = -(-len(pictures) // columns)
    cell_width = min(wide, (width - 2 * _MARGIN - (columns - 1) * _GAP) // columns)
    cell_height = max(1, round(cell_width * tall / wide))
    room = max(cell_width, *(_text_width(each) for each in words), _text_width("00.00 s · best"))
    across, down = room + _GAP, cell_height + _LINE + _GAP
    sheet = _Sheet(columns * across - _GAP + 2 * _MARGIN, rows * down - _GAP + 2 * _MARGIN)
    for place, picture in enumerate(pictures):
        x, y = _MARGIN + place % columns * across, _MARGIN + place // columns * down
        sheet.place(resized(picture, cell_width, cell_height), x, y, words[place], marked=place == marked)
    return sheet.png()


def evenly(count: int, most: int, kept: int | None = None) -> list[int]:
    """Return the indices of pictures to show: all, or evenly spaced ones with `kept` for its nearest neighbor."""
    if count <= most:
        return list(range(count))
    chosen = [round(i * (count - 1) / (most - 1)) for i in range(most)]
    if kept is not None and kept not in chosen:
        chosen[min(range(most), key=lambda i: abs(chosen[i] - kept))] = kept
    return chosen


def survey_sheet(first: Pixels, name: str, others: Mapping[str, Pixels]) -> bytes:
    """PNG: one picture large at the left, up to four others in two columns beside it, each with its name under it.

    Raises:
        ValueError: none or more than four others are given.
    """
    if not 1 <= len(others) <= 4:
        raise ValueError(f"A survey has one to four other pictures; given: {len(others)}.")
    small = max(_text_width("three-quarter") + _GAP, min(300, first.shape[1] // 2))
    rows = -(-len(others) // 2)
    height = max(first.shape[0], rows * (small + _LINE + _GAP) - _LINE - _GAP)
    large = _at_height(first, min(height, round(_WIDEST * first.shape[0] / first.shape[1])))
    left = large.shape[1] + 2 * _MARGIN
    sheet = _Sheet(left + 2 * small + _GAP + _MARGIN, height + _LINE + 2 * _MARGIN)
    sheet.place(large, _MARGIN, _MARGIN, name)
    for place, (words, picture) in enumerate(others.items()):
        x, y = left + place % 2 * (small + _GAP), _MARGIN + place // 2 * (small + _LINE + _GAP)
        sheet.place(resized(picture, small, small), x, y, words)
    return sheet.png()


def colour_grid(pixels: Pixels, cells: int = 600) -> list[list[str]]:
    """Rows of `rrggbb`, top first: the mean colors of about square cells, at most `cells` in all.

    The mean is that of the sRGB values, not of light: it is then the one color with the least squared error where
    shaders write and metrics compare. A cell that ends within a pixel takes its share of it.

    Raises:
        ValueError: `cells` is below 1.
    """
    if cells < 1:
        raise ValueError(f"A grid has at least one cell; given: {cells}.")
    columns, rows = _grid_size(pixels.shape[1], pixels.shape[0], cells)
    down, across = _shares(pixels.shape[0], rows), _shares(pixels.shape[1], columns)
    means = np.einsum(
        "ry,yxc,kx->rkc", down, pixels.astype(np.float64), across, optimize=["einsum_path", (0, 1), (0, 1)]
    )
    return [[bytes(cell).hex() for cell in row] for row in np.floor(means + 0.5).astype(np.uint8)]


def _grid_size(width: int, height: int, cells: int) -> tuple[int, int]:
    """Columns and rows: as many as the number allows, none finer than a pixel."""
    side = max(1.0, (width * height / cells) ** 0.5)
    columns, rows = max(1, round(width / side)), max(1, round(height / side))
    while columns * rows > cells:
        across = rows == 1 or (columns > 1 and columns / width >= rows / height)
        columns, rows = (columns - 1, rows) if across else (columns, rows - 1)
    return columns, rows


def _shares(pixels: int, cells: int) -> NDArray[np.float64]:
    """Cells × pixels along one side: which share of a cell each pixel is. Each row adds up to 1."""
    edges = np.linspace(0, pixels, cells + 1)[:, None]
    place = np.arange(pixels)[None]
    covered = np.minimum(edges[1:], place + 1) - np.maximum(edges[:-1], place)
    return np.maximum(covered, 0) * cells / pixels


class _Sheet:
    """A dark ground that pictures with a line of words are put on."""

    def __init__(self, width: int, height: int) -> None:
        self._image = Image.new("RGB", (width, height), _GROUND)
        self._draw = ImageDraw.Draw(self._image)

    def place(self, picture: Pixels, x: int, y: int, words: str, *, marked: bool = False) -> None:
        """A picture at its own size with a thin border around it (thick where marked), and its words below."""
        height, width = picture.shape[:2]
        border = 3 if marked else 1
        outline = (x - border, y - border, x + width + border - 1, y + height + border - 1)
        self._draw.rectangle(outline, outline=_BEST if marked else _EDGE, width=border)
        self._image.paste(Image.fromarray(picture), (x, y))
        self._draw.text((x, y + height + _LINE - 7), words, font=_font(), fill=_BEST if marked else _WORDS, anchor="ls")

    def png(self) -> bytes:
        return png(np.asarray(self._image))


@cache
def _font() -> ImageFont.FreeTypeFont:
    """The shipped font, set letter by letter: a system's layout engine would make other pictures elsewhere."""
    return ImageFont.truetype(glyphs.font_path(), 15, layout_engine=ImageFont.Layout.BASIC)


def _text_width(text: str) -> int:
    return round(_font().getlength(text)) + 1


def _common_height(target: Pixels, frame: Pixels) -> int:
    """As high as the higher one within the limits; lower where one would otherwise become too wide."""
    height = min(_TALLEST, max(_LOWEST, target.shape[0], frame.shape[0]))
    widest = max(picture.shape[1] / picture.shape[0] for picture in (target, frame))
    return max(1, min(height, int(_WIDEST / widest)))


def _at_height(picture: Pixels, height: int) -> Pixels:
    return resized(picture, max(1, round(picture.shape[1] * height / picture.shape[0])), height)


def _columns(count: int, shape: float) -> int:
    """Return the number of columns that makes the sheet nearest to 3 : 2, with the fewest empty places."""

    def cost(columns: int) -> float:
        rows = -(-count // columns)
        empty = (columns * rows - count) / count
        return abs(np.log(columns * shape / rows / 1.5)) + 2 * empty

    return min(range(1, min(count, 8) + 1), key=cost)


def png(pixels: Pixels) -> bytes:
    """PNG bytes, RGB with 8 bits and nothing else in them: the same pixels give the same bytes."""
    buffer = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(
        buffer, "PNG", compress_level=4
    )  # as small as 6, and a third faster
    return buffer.getvalue()


def pixels_of(png: bytes) -> Pixels:
    """The pixels of a PNG that `png` made.

    Raises:
        RunFormatError: the bytes are not a PNG, or a damaged one.
    """
    try:
        with Image.open(io.BytesIO(png), formats=("PNG",)) as image:
            return np.asarray(image.convert("RGB"))
    except Exception as error:  # damaged files raise whatever their decoder stumbles over
        raise RunFormatError(
            f"A picture of {len(png):,} bytes of the run is not a PNG, or a damaged one ({error}); the run's pictures "
            "were changed."
        ) from error


def animated(frames: Sequence[Pixels], seconds: float) -> bytes:
    """A WebP animation of frames of one size that runs for so many seconds, evenly, and then again without end.

    A single frame, or frames that are all alike, give a still picture.

    Raises:
        ValueError: no frame is given, or they differ in size.
    """
    if len({frame.shape for frame in frames}) != 1:
        raise ValueError(f"An animation is made of frames of one size; given: {[frame.shape for frame in frames]}.")
    ends = [round(1000 * seconds * number / len(frames)) for number in range(len(frames) + 1)]
    first, *others = map(Image.fromarray, frames)
    stream = io.BytesIO()
    durations = [max(1, after - before) for before, after in pairwise(ends)]  # milliseconds
    first.save(stream, "WEBP", save_all=True, append_images=others, duration=durations, loop=0, quality=WEBP_QUALITY)
    return stream.getvalue()


def gif(frames: Sequence[Pixels], seconds: float) -> bytes:
    """A GIF of the frames, for places that show nothing else that moves; it has 128 colors, and repeats without end."""
    pictures = [Image.fromarray(frame).quantize(128, dither=Image.Dither.NONE) for frame in frames]
    first, *others = pictures
    stream = io.BytesIO()
    first.save(stream, "GIF", save_all=True, append_images=others, duration=round(1000 * seconds / len(frames)), loop=0)
    return stream.getvalue()
