"""Pixels as PNG files and back, and frames as one animated PNG. `pictures.py` hands these on."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from PIL import Image

from redraft.errors import RunFormatError
from redraft.metrics.base import Pixels

__all__ = ["animated", "pixels_of", "png"]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LONGEST_DELAY = 65_535
"""What sixteen bits hold: of a delay's numerator and denominator alike."""


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
        RunFormatError: the bytes are no PNG, or damaged.
    """
    try:
        with Image.open(io.BytesIO(png), formats=("PNG",)) as image:
            return np.asarray(image.convert("RGB"))
    except Exception as error:  # damaged files raise whatever their decoder stumbles over
        raise RunFormatError(
            f"A picture of {len(png):,} bytes of the run is no PNG, or a damaged one ({error}); the run's pictures "
            "were changed."
        ) from error


def animated(frames: Sequence[Pixels], seconds: float) -> bytes:
    """An animated PNG of frames of one size that runs for so many seconds, evenly, and then again without end.

    A single frame gives an ordinary PNG. Each frame is stored whole, also one that equals its neighbour, so that frame
    i of the animation is frame i of the shader. (PNG specification, third edition, section 11.3.6.)

    Raises:
        ValueError: there is no frame, or they differ in size.
    """
    if len({frame.shape for frame in frames}) != 1:
        raise ValueError(f"An animation is made of frames of one size; given: {[frame.shape for frame in frames]}.")
    if len(frames) == 1:
        return png(frames[0])
    height, width = frames[0].shape[:2]
    delay = _delay(seconds / len(frames))
    first, *others = ([data for kind, data in _chunks(png(frame)) if kind == b"IDAT"] for frame in frames)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [_SIGNATURE, _chunk(b"IHDR", header), _chunk(b"acTL", struct.pack(">II", len(frames), 0))]
    parts += [_control(0, width, height, delay), *(_chunk(b"IDAT", data) for data in first)]
    number = 1
    for datas in others:
        parts.append(_control(number, width, height, delay))
        parts += [_chunk(b"fdAT", struct.pack(">I", number + 1 + i) + data) for i, data in enumerate(datas)]
        number += 1 + len(datas)
    return b"".join([*parts, _chunk(b"IEND", b"")])


def _delay(seconds: float) -> Fraction:
    """How long one frame stays, as the nearest fraction of two numbers of sixteen bits."""
    exact = Fraction(seconds)
    finest = _LONGEST_DELAY if exact <= 1 else max(1, int(_LONGEST_DELAY / exact))
    return min(Fraction(_LONGEST_DELAY), exact.limit_denominator(finest))


def _control(number: int, width: int, height: int, delay: Fraction) -> bytes:
    """The chunk before each frame: whole, replacing what was there."""
    place = struct.pack(">IIIII", number, width, height, 0, 0)
    return _chunk(b"fcTL", place + struct.pack(">HHBB", delay.numerator, delay.denominator, 0, 0))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length
