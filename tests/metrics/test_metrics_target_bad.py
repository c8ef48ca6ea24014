"""Targets that are no use: each is refused in words that name the file, what was found and what would be right."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from picture_files import chunk, corners, encoded, photograph, png_of
from PIL import Image

from redraft.errors import BriefError
from redraft.metrics.target import read_target

KINDS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
FILES = {kind: encoded(photograph(), kind) for kind in KINDS} | {
    "animated GIF": encoded(
        Image.fromarray(photograph()), "GIF", save_all=True, append_images=[Image.fromarray(corners(60, 90))]
    ),
    "CMYK": encoded(Image.fromarray(photograph()).convert("CMYK"), "JPEG"),
    "16 bits": encoded(photograph()[..., 0].astype(np.uint16) * 200, "PNG"),
    "float": encoded(photograph()[..., 0].astype(np.float32), "TIFF"),
}

Refused = Callable[[bytes], str]


@pytest.fixture
def refused(tmp_path: Path) -> Refused:
    """Why bytes are refused as a target; the file is always named."""

    def reason(raw: bytes) -> str:
        path = tmp_path / "target.png"
        path.write_bytes(raw)
        with pytest.raises(BriefError) as caught:
            read_target(path)
        assert str(caught.value).startswith(f"The target {path} ")
        return str(caught.value)

    return reason


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", r"is empty \(0 bytes\)\. Give a picture"),
        (b"hello, world\n", "is a text file. Give a picture as PNG"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "is an SVG drawing, which has no pixels. Convert it to PNG"),
        (b'<?xml version="1.0"?>\n<!-- x -->\n<svg/>', "is an SVG drawing"),
        (b"\xef\xbb\xbf  <SVG/>", "is an SVG drawing"),
        (b"<!DOCTYPE html><html>", "is a web page, not a picture. Save the picture itself"),
        (b"%PDF-1.7\n%\xe2\xe3", "is a PDF document. Save it as PNG or JPEG"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n", "is a PostScript document"),
        (b"\0\0\0\x18ftypheic\0\0", "is a HEIC photograph. Save it as PNG or JPEG"),
        (b"\0\0\0\x18ftypavif\0\0", "is an AVIF picture"),
        (b"\0\0\0\x18ftypisom\0\0", "is a video"),
        (b"PK\x03\x04\x14\0", "is a ZIP archive or an office document"),
        (b"\x7fELF\x02\x01\x01\0", "begins with the bytes 7f 45 4c 46 02 01 01 00"),
        (b"\x89PNG\r\n\x1a\n", "is a damaged PNG picture. Save it again"),
        (b"\xff\xd8\xff\xe0", "is a damaged JPEG picture"),
        (b"P6 8 8 255\n" + b"\0" * 192, "is "),  # Pillow would read it; nobody asked for it
    ],
)
def test_what_is_no_picture_is_named(refused: Refused, raw: bytes, said: str) -> None:
    assert re.search(said, refused(raw))


@pytest.mark.parametrize("size", [(1, 1), (7, 300), (300, 7)])
def test_tiny_pictures(refused: Refused, size: tuple[int, int]) -> None:
    said = refused(encoded(Image.new("RGB", size), "PNG"))
    assert f"is {size[0]} × {size[1]} pixels: too small to work toward. Give one of at least 8 pixels a side." in said


def test_pictures_that_are_far_too_long(refused: Refused) -> None:
    assert "is 10 × 330 pixels: longer than 32 to 1. Crop it" in refused(encoded(Image.new("L", (10, 330)), "PNG"))


@pytest.mark.parametrize(
    "size",
    [(10_001, 10_000), (60_000, 60_000), (2**31 - 1, 2**31 - 1)],
    ids=["just over", "bomb", "as large as can be"],
)
def test_pictures_that_claim_to_be_huge_are_not_decoded(refused: Refused, size: tuple[int, int]) -> None:
    said = refused(png_of(*size, 8, 2, b"\0" * 100))
    assert "million" in said or "far too many pixels" in said
    assert "Reduce it first" in said


def test_a_file_that_is_far_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.bmp"
    with path.open("wb") as file:
        file.truncate(300 * 1024 * 1024)  # takes no place on the disk
    with pytest.raises(BriefError, match=r"has 314,572,800 bytes; at most 268,435,456 are read"):
        read_target(path)


def test_a_text_chunk_that_unpacks_to_gigabytes_is_not_unpacked(refused: Refused) -> None:
    bomb = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"\0" * 20_000_000, 6))
    plain = encoded(photograph(), "PNG")
    assert "Save or download it again" in refused(plain[:33] + bomb + plain[33:])


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "BMP", "TIFF"])
@pytest.mark.parametrize("share", [0.3, 0.7])
def test_files_that_were_cut_off(refused: Refused, kind: str, share: float) -> None:
    raw = FILES[kind]
    assert re.search("damaged", refused(raw[: int(len(raw) * share)]))


def test_a_file_with_a_damaged_middle(refused: Refused) -> None:
    raw = bytearray(FILES["PNG"])
    raw[len(raw) // 2] ^= 0xFF
    assert "is damaged or cut short" in refused(bytes(raw))


def test_places_that_are_no_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    cases = {
        tmp_path: "is a folder",
        tmp_path / "none.png": "is missing. Check the path",
        tmp_path / "none" / "none.png": "is missing",
        pipe: "is not a regular file",
        Path("/dev/zero"): "is not a regular file",
        tmp_path / "a\0b": "embedded null ",
        tmp_path / ("x" * 300): "cannot be read (File name too long)",
    }
    for path, said in cases.items():
        with pytest.raises(BriefError) as caught:
            read_target(path)
        assert said in str(caught.value)
        assert "\0" not in str(caught.value)


@given(raw=st.binary(max_size=300), start=st.sampled_from([b"", *(raw[:40] for raw in FILES.values())]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_read_or_refused(tmp_path: Path, raw: bytes, start: bytes) -> None:
    read_or_refused(tmp_path / "any", start + raw)


@given(data=st.data(), kind=st.sampled_from(sorted(FILES)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_files_are_read_or_refused(tmp_path: Path, data: st.DataObject, kind: str) -> None:
    raw = bytearray(FILES[kind])
    for _ in range(data.draw(st.integers(0, 6))):
        raw[data.draw(st.integers(0, min(len(raw), data.draw(st.sampled_from([100, len(raw)]))) - 1))] = data.draw(
            st.integers(0, 255)
        )
    read_or_refused(tmp_path / "damaged", bytes(raw[: data.draw(st.integers(0, len(raw)))]))


def read_or_refused(path: Path, raw: bytes) -> None:
    """Nothing but the one exception may come of it."""
    path.write_bytes(raw)
    try:
        target = read_target(path)
    except BriefError as error:
        said = str(error)
    else:
        assert target.pixels.dtype == np.uint8
        assert target.pixels.shape[2] == 3
        assert max(target.pixels.shape) <= 512
        return
    assert said.startswith(f"The target {path} ")
