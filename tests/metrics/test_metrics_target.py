"""Targets of every kind that people have come out as the same plain pixels, and what was done to them is said."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from picture_files import adobe_rgb, corners, encoded, photograph, png_of
from PIL import Image

from redraft.metrics.base import Pixels
from redraft.metrics.target import Target, fitting_size, read_target

pytestmark = pytest.mark.slow

Read = Callable[[bytes], Target]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads bytes as a target file."""

    def reading(raw: bytes, longest: int = 512) -> Target:
        path = tmp_path / "target"
        path.write_bytes(raw)
        return read_target(path, longest)

    return reading


@pytest.mark.parametrize(
    ("kind", "options"),
    [("PNG", {}), ("BMP", {}), ("TIFF", {}), ("TIFF", {"compression": "tiff_lzw"}), ("WEBP", {"lossless": True})],
)
def test_kinds_without_loss_come_out_as_they_went_in(read: Read, kind: str, options: dict[str, Any]) -> None:
    target = read(encoded(photograph(), kind, **options))
    assert np.array_equal(target.pixels, photograph())
    assert (target.width, target.height, target.notes) == (90, 60, ())


@pytest.mark.parametrize(("kind", "most"), [("JPEG", 6), ("WEBP", 9), ("GIF", 12)])
def test_kinds_with_loss_come_out_much_the_same(read: Read, kind: str, most: float) -> None:
    target = read(encoded(photograph(), kind))
    assert target.pixels.shape == (60, 90, 3)
    assert np.abs(target.pixels.astype(int) - photograph()).mean() < most
    assert target.notes == ()


def test_a_target_is_plain_pixels_that_nobody_changes(read: Read) -> None:
    raw = encoded(photograph(), "PNG")
    target = read(raw)
    assert target.pixels.dtype == np.uint8
    assert target.digest == hashlib.sha256(raw).hexdigest()[:16]
    with pytest.raises(ValueError, match="read-only"):
        target.pixels[0, 0] = 0


UPRIGHT: dict[int, Callable[[Pixels], Pixels]] = {
    1: lambda p: p,
    2: lambda p: p[:, ::-1],
    3: lambda p: p[::-1, ::-1],
    4: lambda p: p[::-1],
    5: lambda p: p.transpose(1, 0, 2),
    6: lambda p: np.rot90(p, -1),
    7: lambda p: p[::-1, ::-1].transpose(1, 0, 2),
    8: lambda p: np.rot90(p, 1),
}
"""What a viewer does for each value of the EXIF tag, as the standard's figure shows it."""


@pytest.mark.parametrize("orientation", UPRIGHT)
@pytest.mark.parametrize("kind", ["PNG", "TIFF", "WEBP"])
def test_pictures_are_turned_upright(read: Read, kind: str, orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    target = read(encoded(corners(), kind, exif=exif, **({"lossless": True} if kind == "WEBP" else {})))
    expected = UPRIGHT[orientation](corners())
    assert np.array_equal(target.pixels, expected)
    assert (target.height, target.width) == expected.shape[:2]
    assert ("turned upright" in " ".join(target.notes)) is (orientation != 1)


def test_transparent_parts_are_white(read: Read) -> None:
    pixels = np.zeros((16, 16, 4), dtype=np.uint8)
    pixels[:, 8:] = (200, 100, 0, 255)
    pixels[:, :4] = (0, 0, 0, 128)
    target = read(encoded(pixels, "PNG"))
    assert target.pixels[0, 12].tolist() == [200, 100, 0]
    assert target.pixels[0, 6].tolist() == [255, 255, 255]
    assert target.pixels[0, 1].tolist() == [127, 127, 127]
    assert target.notes == ("Its transparent parts were laid on white.",)


def test_an_alpha_channel_that_hides_nothing_is_not_worth_a_word(read: Read) -> None:
    pixels = np.dstack([photograph(), np.full((60, 90), 255, dtype=np.uint8)])
    target = read(encoded(pixels, "PNG"))
    assert np.array_equal(target.pixels, photograph())
    assert target.notes == ()


def test_colours_under_transparent_parts_do_not_bleed_when_reduced(tmp_path: Path) -> None:
    pixels = np.zeros((64, 64, 4), dtype=np.uint8)
    pixels[::2, :, :3] = (255, 0, 0)  # every other row is red and hidden
    path = tmp_path / "hidden.png"
    path.write_bytes(encoded(pixels, "PNG"))
    assert read_target(path, longest=16).pixels.min() == 255


@pytest.mark.parametrize("kind", ["PNG", "GIF"])
def test_a_palette_with_a_transparent_colour(read: Read, kind: str) -> None:
    image = Image.new("P", (16, 16), 1)
    image.putpalette([10, 20, 30, 200, 100, 50])
    image.paste(0, (0, 0, 8, 16))
    target = read(encoded(image, kind, transparency=0))
    assert target.pixels[3, 3].tolist() == [255, 255, 255]
    assert target.pixels[3, 12].tolist() == [200, 100, 50]
    assert target.notes == ("Its transparent parts were laid on white.",)


@pytest.mark.parametrize("mode", ["L", "1"])
def test_grey_pictures_get_three_equal_channels(read: Read, mode: str) -> None:
    image = Image.fromarray(photograph()).convert(mode)
    target = read(encoded(image, "PNG"))
    assert np.array_equal(target.pixels, np.dstack([np.asarray(image.convert("L"))] * 3))
    assert target.notes == ("It has no colors, only grays.",)


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_grey_of_16_bits(read: Read, kind: str) -> None:
    values = np.arange(65536, dtype=np.uint16).reshape(256, 256)
    target = read(encoded(values, kind))
    assert np.array_equal(target.pixels[..., 1], np.round(values / 257))
    assert target.notes == ("It is gray with 16 bits; 8 are used.",)


def test_colours_of_16_bits(read: Read) -> None:
    pixel = np.array([0x1234, 0xABCD, 0xFFFF], dtype=">u2").tobytes()
    target = read(png_of(8, 8, 16, 2, (b"\0" + pixel * 8) * 8))
    assert np.abs(target.pixels[4, 4] - np.array([0x12, 0xAB, 0xFF])).max() <= 1


@pytest.mark.parametrize(
    ("low", "high", "first", "last", "said"),
    [
        (0.0, 1.0, 0, 255, "0 to 1 was read"),
        (0.0, 0.5, 0, 128, "0 to 1 was read"),
        (0.0, 255.0, 0, 255, "0 to 255 was read"),
        (0.0, 8.0, 0, 8, "0 to 255 was read"),
        (-2.0, 4.0, 0, 255, "-2 to 4 was stretched"),
        (0.0, 3e38, 0, 255, "0 to 3e+38 was stretched"),
        (-7.0, -7.0, 0, 0, "-7 to -7 was stretched"),
    ],
)
def test_grey_of_floating_point_numbers(read: Read, low: float, high: float, first: int, last: int, said: str) -> None:
    values = np.tile(np.linspace(low, high, 32).astype(np.float32), (8, 1))
    target = read(encoded(values, "TIFF"))
    assert (target.pixels[0, 0, 0], target.pixels[0, -1, 0]) == (first, last)
    assert said in target.notes[0]


def test_floating_point_values_that_are_no_numbers_are_black_and_said(read: Read) -> None:
    values = np.full((8, 8), 0.5, dtype=np.float32)
    values[0] = (np.nan, np.inf, -np.inf, np.nan, 0.5, 0.5, 0.5, 0.5)
    target = read(encoded(values, "TIFF"))
    assert target.pixels[0, :5, 2].tolist() == [0, 0, 0, 0, 128]
    assert "6.2% of its values are not numbers and were made black" in target.notes[0]


@pytest.mark.parametrize(("top", "expected"), [(255, 255), (65535, 255), (1_000_000, 255), (200, 200)])
def test_grey_of_32_bits(read: Read, top: int, expected: int) -> None:
    values = np.tile(np.linspace(0, top, 16).astype(np.int32), (8, 1))
    target = read(encoded(values, "TIFF"))
    assert target.pixels[0, 0, 0] == 0
    assert target.pixels[0, -1, 0] == expected
    assert "whole numbers of 32 bits" in target.notes[0]


@pytest.mark.parametrize("kind", ["TIFF", "JPEG"])
def test_cmyk_becomes_rgb(read: Read, kind: str) -> None:
    image = Image.new("CMYK", (32, 32), (0, 255, 255, 0))
    target = read(encoded(image, kind))
    assert np.abs(target.pixels[9, 9].astype(int) - [255, 0, 0]).max() <= 3
    assert target.notes == ("Its CMYK colors were converted to RGB.",)


def srgb_of_adobe(colour: tuple[int, int, int]) -> NDArray[np.float64]:
    """By the matrices and curves of both standards."""
    to_xyz = [[0.57667, 0.18556, 0.18823], [0.29734, 0.62736, 0.07529], [0.02703, 0.07069, 0.99134]]
    from_xyz = [[3.24045, -1.53714, -0.49853], [-0.96927, 1.87601, 0.04156], [0.05564, -0.20403, 1.05723]]
    light = np.array(from_xyz) @ np.array(to_xyz) @ (np.array(colour) / 255) ** 2.19921875
    light = np.clip(light, 0, 1)
    return 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


@pytest.mark.parametrize("colour", [(128, 128, 128), (200, 120, 80), (90, 140, 160), (60, 160, 60), (255, 255, 255)])
@pytest.mark.parametrize("alpha", [False, True])
def test_colours_of_a_profile_are_converted(read: Read, colour: tuple[int, int, int], alpha: bool) -> None:
    image = Image.new("RGBA" if alpha else "RGB", (16, 16), colour)
    target = read(encoded(image, "PNG", icc_profile=adobe_rgb()))
    assert np.abs(target.pixels[5, 5] - srgb_of_adobe(colour)).max() <= 2.5
    assert target.notes == ("Its colors were converted from the profile 'Adobe RGB (1998)' to sRGB.",)


@pytest.mark.parametrize("profile", [b"no profile at all", b"\0" * 200])
def test_a_profile_that_is_no_use_is_ignored_and_said(read: Read, profile: bytes) -> None:
    target = read(encoded(photograph(), "PNG", icc_profile=profile))
    assert np.array_equal(target.pixels, photograph())
    assert target.notes == ("Its color profile does not fit its pixels and was ignored.",)


def test_a_profile_of_colours_on_a_grey_picture_is_ignored_and_said(read: Read) -> None:
    target = read(encoded(photograph()[..., 0], "PNG", icc_profile=adobe_rgb()))
    assert np.array_equal(target.pixels[..., 2], photograph()[..., 0])
    assert target.notes[-1] == "Its color profile does not fit its pixels and was ignored."


@pytest.mark.parametrize(
    ("kind", "parts"), [("GIF", "frames"), ("PNG", "frames"), ("WEBP", "frames"), ("TIFF", "pages")]
)
def test_of_an_animation_the_first_frame_is_the_target(read: Read, kind: str, parts: str) -> None:
    frames = [Image.new("RGB", (20, 10), colour) for colour in ("#ff0000", "#00ff00", "#0000ff")]
    options = {"lossless": True} if kind == "WEBP" else {}
    target = read(encoded(frames[0], kind, save_all=True, append_images=frames[1:], **options))
    assert np.unique(target.pixels.reshape(-1, 3), axis=0).tolist() == [[255, 0, 0]]
    assert target.notes == (f"It has 3 {parts}; the first is the target.",)


def test_a_large_picture_is_reduced(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    path.write_bytes(encoded(corners(600, 900), "PNG"))
    target = read_target(path, longest=300)
    assert target.pixels.shape == (200, 300, 3)
    assert (target.width, target.height) == (900, 600)
    assert np.abs(target.pixels.astype(int) - corners(200, 300)).mean() < 2
    assert target.notes == ("It was reduced from 900 × 600 to 300 × 200 pixels.",)


@pytest.mark.parametrize("side", [8, 9, 15])
def test_a_small_picture_stays_as_it_is(read: Read, side: int) -> None:
    target = read(encoded(corners(side, side), "PNG"))
    assert np.array_equal(target.pixels, corners(side, side))
    assert target.notes == ()


@pytest.mark.slow
def test_fifty_million_pixels_are_reduced(read: Read) -> None:
    target = read(encoded(corners(5774, 8660), "JPEG"))
    assert target.pixels.shape == (341, 512, 3)
    assert np.abs(target.pixels.astype(int) - corners(341, 512)).mean() < 3


@pytest.mark.parametrize(
    ("size", "longest", "fitting"),
    [
        ((512, 512), 512, (512, 512)),
        ((4000, 3000), 512, (512, 384)),
        ((30, 20), 512, (512, 342)),
        ((20, 30), 256, (170, 256)),
        ((3200, 100), 512, (512, 16)),
        ((3200, 100), 128, (512, 16)),
        ((100, 3200), 4096, (64, 2048)),
        ((5000, 2500), 4096, (2048, 1024)),
    ],
)
def test_the_size_of_frames_toward_a_target(size: tuple[int, int], longest: int, fitting: tuple[int, int]) -> None:
    assert fitting_size(Target(corners(), *size, "0" * 16), longest) == fitting


@given(width=st.integers(8, 9000), height=st.integers(8, 9000), longest=st.integers(16, 2048))
def test_frames_have_the_targets_shape(width: int, height: int, longest: int) -> None:
    if max(width, height) > 32 * min(width, height):
        width = height
    across, down = fitting_size(Target(corners(), width, height, "0" * 16), longest)
    assert 16 <= min(across, down) <= max(across, down) <= 2048
    assert across % 2 == down % 2 == 0
    assert abs(across * height - down * width) <= width + max(width, height)
