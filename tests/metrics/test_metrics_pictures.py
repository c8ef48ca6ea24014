"""Pictures for looking: they hold the pixels they show, keep their size, and are the same bytes every time."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from picture_files import photograph
from PIL import Image

from redraft.errors import RunFormatError
from redraft.metrics.base import Pixels
from redraft.metrics.pictures import animated, colour_grid, contact_sheet, pixels_of, png, side_by_side

pytestmark = pytest.mark.slow

BEST = (255, 196, 84)
WHOLE = png(photograph())


def flat(colour: tuple[int, int, int], width: int = 40, height: int = 30) -> Pixels:
    return np.full((height, width, 3), colour, dtype=np.uint8)


def frames(count: int, width: int = 40, height: int = 30) -> list[Pixels]:
    """Flat frames, each of another colour that is found nowhere else on a sheet."""
    return [flat((10 * i % 256, 200 - i, 90), width, height) for i in range(count)]


def shown(sheet: bytes, colour: NDArray[Any] | tuple[int, ...]) -> tuple[int, int, int, int] | None:
    """x0, y0, width, height of the pixels of one colour."""
    ys, xs = np.nonzero((pixels_of(sheet) == np.asarray(colour)).all(axis=2))
    if not len(xs):
        return None
    return int(xs.min()), int(ys.min()), int(xs.max() - xs.min()) + 1, int(ys.max() - ys.min()) + 1


def opened(picture: bytes) -> Any:
    return Image.open(io.BytesIO(picture))


@given(width=st.integers(1, 30), height=st.integers(1, 30), seed=st.integers(0, 2**32 - 1))
def test_png_and_back(width: int, height: int, seed: int) -> None:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    assert np.array_equal(pixels_of(png(pixels)), pixels)
    assert png(pixels) == png(np.asfortranarray(pixels))


@given(raw=st.binary(max_size=60), kept=st.integers(0, 400))
def test_what_is_no_png_is_said(raw: bytes, kept: int) -> None:
    with pytest.raises(RunFormatError, match="not a PNG, or a damaged one"):
        pixels_of(WHOLE[:kept] + raw)


def test_side_by_side_keeps_pixels_and_shapes() -> None:
    target, frame = flat((9, 200, 30), 300, 200), flat((200, 9, 30), 200, 200)
    sheet = side_by_side(target, frame, "frame 3 at 0.50 s")
    left, right = shown(sheet, (9, 200, 30)), shown(sheet, (200, 9, 30))
    assert left is not None
    assert right is not None
    assert (left[2:], right[2:]) == ((300, 200), (200, 200))
    assert left[1] == right[1]
    assert right[0] - (left[0] + left[2]) == 12


def test_side_by_side_makes_heights_equal() -> None:
    sheet = side_by_side(flat((9, 200, 30), 100, 50), flat((200, 9, 30), 256, 256))
    left, right = shown(sheet, (9, 200, 30)), shown(sheet, (200, 9, 30))
    assert left is not None
    assert right is not None
    assert (left[2:], right[2:]) == ((512, 256), (256, 256))


@pytest.mark.parametrize("size", [(8, 8), (16, 512), (2048, 64), (1024, 1024), (31, 1000)])
def test_side_by_side_fits_what_vision_models_take(size: tuple[int, int]) -> None:
    pair = opened(side_by_side(flat((1, 2, 3), *size), flat((3, 2, 1), *size), "frame 240 at 600.00 s"))
    assert pair.width <= 1568
    assert pair.height <= 600


def test_the_label_is_written_under_the_frame() -> None:
    """Where words differ the sheets differ, below the pictures and nowhere else."""
    one, two = (pixels_of(side_by_side(photograph(), photograph(), f"frame {n} at 0.50 s")) for n in (3, 8))
    ys, xs = np.nonzero((one != two).any(axis=2))
    assert ys.min() > 20 + 192
    assert xs.min() > one.shape[1] // 2


def test_a_contact_sheet_shows_every_frame_in_order() -> None:
    sheet = contact_sheet(frames(12), [i / 3 for i in range(12)], best=4)
    places = [shown(sheet, frame[0, 0]) for frame in frames(12)]
    assert all(place is not None and place[2:] == (40, 30) for place in places)
    assert sorted(places, key=lambda place: (place or ())[1::-1]) == places


def test_the_best_frame_alone_is_framed() -> None:
    sheet = contact_sheet(frames(6), [0.0] * 6, best=4)
    place, marked = shown(sheet, frames(6)[4][0, 0]), shown(sheet, BEST)
    assert place is not None
    assert marked is not None  # the frame, and the words below it
    assert marked[:2] == (place[0] - 3, place[1] - 3)
    above = pixels_of(sheet)[place[1] - 2]
    assert int((above == BEST).all(axis=1).sum()) == place[2] + 6
    assert shown(contact_sheet(frames(6), [0.0] * 6), BEST) is None


@pytest.mark.parametrize("best", [0, 50, 99])
def test_of_many_frames_24_are_shown_the_best_among_them(best: int) -> None:
    many = [flat((i, 255 - i, 77), 10, 10) for i in range(100)]
    sheet = contact_sheet(many, [i / 25 for i in range(100)], best=best)
    red, green, blue = pixels_of(sheet).astype(int).transpose(2, 0, 1)
    visible = [int(i) for i in np.unique(red[(green == 255 - red) & (blue == 77)])]
    assert len(visible) == 24
    assert best in visible
    assert max(np.diff(visible)) <= 8


@given(count=st.integers(1, 30), width=st.integers(16, 600), height=st.integers(16, 600))
@settings(max_examples=8)
def test_a_contact_sheet_is_never_wider_than_a_page(count: int, width: int, height: int) -> None:
    sheet = opened(contact_sheet([flat((9, 9, 9), width, height)] * count, [599.97] * count, best=count - 1))
    assert sheet.width <= 1024


@pytest.mark.parametrize(("shown_frames", "times"), [(0, 0), (3, 2)])
def test_a_contact_sheet_takes_a_time_for_each_frame(shown_frames: int, times: int) -> None:
    with pytest.raises(ValueError, match="one time each"):
        contact_sheet(frames(shown_frames), [0.0] * times)


@pytest.mark.parametrize(("count", "seconds"), [(2, 1.0), (24, 4.0), (7, 4.0), (240, 600.0), (3, 0.05), (2, 600.0)])
def test_an_animation_runs_as_long_as_was_asked(count: int, seconds: float) -> None:
    image = opened(animated(frames(count, 8, 8), seconds))
    assert (image.format, image.n_frames, image.info["loop"]) == ("WEBP", count, 0)
    total = 0.0
    for i, frame in enumerate(frames(count, 8, 8)):
        image.seek(i)
        image.load()
        total += image.info["duration"]
        assert np.abs(np.asarray(image.convert("RGB")).astype(int) - frame).mean() < 8, "nearly the frame itself"
    assert total / 1000 == pytest.approx(seconds, abs=1e-3)


def test_an_animation_too_short_for_its_frames_shows_each_for_a_millisecond() -> None:
    assert opened(animated(frames(5, 8, 8), 0.001)).n_frames == 5


def test_one_frame_is_a_still_picture() -> None:
    assert opened(animated([photograph()], 4.0)).n_frames == 1


def test_an_animation_of_many_sizes_or_of_nothing_is_refused() -> None:
    for pictures in ([], [flat((1, 1, 1), 8, 8), flat((1, 1, 1), 9, 8)]):
        with pytest.raises(ValueError, match="frames of one size"):
            animated(pictures, 1.0)


def test_the_same_pixels_make_the_same_bytes() -> None:
    def made() -> list[bytes]:
        pictures = [photograph(), photograph()[::-1]]
        return [side_by_side(pictures[0], pictures[1]), contact_sheet(pictures, [0, 1], 1), animated(pictures, 2.0)]

    assert made() == made()


def test_cells_are_mean_colours_top_row_first() -> None:
    pixels = np.zeros((20, 40, 3), dtype=np.uint8)
    pixels[:10, :20] = (255, 0, 16)
    pixels[10:, 20::2] = (0, 200, 0)
    assert colour_grid(pixels, cells=2) == [["800008", "003200"]]
    assert colour_grid(pixels, cells=8) == [
        ["ff0010", "ff0010", "000000", "000000"],
        ["000000", "000000", "006400", "006400"],
    ]


def test_a_cell_takes_its_share_of_the_pixel_where_it_ends() -> None:
    pixels = np.array([[[0, 0, 0], [90, 90, 90], [240, 240, 240]]], dtype=np.uint8).repeat(2, axis=0)
    (row,) = colour_grid(pixels, cells=2)
    means = [int(cell[:2], 16) for cell in row]
    assert means == [30, 190]  # (0 + 90/2) / 1.5, (90/2 + 240) / 1.5


@given(width=st.integers(1, 700), height=st.integers(1, 700), cells=st.integers(1, 700))
def test_a_grid_has_about_square_cells_and_never_too_many(width: int, height: int, cells: int) -> None:
    grid = colour_grid(flat((1, 35, 69), width, height), cells)
    rows, columns = len(grid), len(grid[0])
    assert rows * columns <= cells
    assert rows <= height
    assert columns <= width
    assert {cell for row in grid for cell in row} == {"012345"}
    if rows > 3 and columns > 3:
        assert 0.7 < (width / columns) / (height / rows) < 1.43


def test_a_grid_of_a_square_picture_uses_nearly_all_its_cells() -> None:
    grid = colour_grid(flat((0, 0, 0), 512, 512))
    assert (len(grid), len(grid[0])) == (24, 24)


def test_a_grid_of_no_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one cell"):
        colour_grid(photograph(), 0)
