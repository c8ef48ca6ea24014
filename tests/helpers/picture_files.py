"""Picture files as people have them, made for a test: of every kind, deep, turned, or lying about their size."""

from __future__ import annotations

import io
import struct
import zlib
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def photograph(height: int = 60, width: int = 90) -> NDArray[np.uint8]:
    """A piece of a photograph that scikit-image ships."""
    whole: NDArray[np.uint8] = import_module("skimage.data").coffee()
    return np.ascontiguousarray(whole[100 : 100 + height, 200 : 200 + width])


def corners(height: int = 16, width: int = 24) -> NDArray[np.uint8]:
    """Four flat quarters: red, green / blue, white, so that every turn and mirroring shows."""
    pixels = np.zeros((height, width, 3), dtype=np.uint8)
    top, left = slice(None, height // 2), slice(None, width // 2)
    bottom, right = slice(height // 2, None), slice(width // 2, None)
    pixels[top, left], pixels[top, right] = (255, 0, 0), (0, 255, 0)
    pixels[bottom, left], pixels[bottom, right] = (0, 0, 255), (255, 255, 255)
    return pixels


def encoded(image: Image.Image | NDArray[Any], kind: str, **options: Any) -> bytes:
    """The bytes of a file that Pillow writes."""
    buffer = io.BytesIO()
    (image if isinstance(image, Image.Image) else Image.fromarray(image)).save(buffer, kind, **options)
    return buffer.getvalue()


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_of(width: int, height: int, depth: int, colour: int, rows: bytes) -> bytes:
    """A PNG written by hand, for what Pillow does not write: colours of 16 bits, sizes that are not so."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def adobe_rgb() -> bytes:
    """The profile of a photograph that scikit-image ships."""
    folder = Path(str(import_module("skimage.data").__file__)).parent
    with Image.open(folder / "rocket.jpg") as image:
        return image.info["icc_profile"]
