"""Reading the picture that a person gives as a target: any common file, always the same plain pixels out of it.

What had to be done to a picture on the way (turned, flattened, reduced …) is said in plain sentences, which the run
shows. What cannot be used is refused before anything is spent on it. Decoding is in `decode.py`.
"""

from __future__ import annotations

import hashlib
import stat
from dataclasses import dataclass
from pathlib import Path

from redraft.metrics.base import Pixels
from redraft.metrics.decode import decoded
from redraft.metrics.refusals import refusal

__all__ = ["Target", "fitting_size", "read_target"]

MAX_BYTES = 256 * 1024 * 1024
SIDES = (16, 2048)
"""The least and the most pixels a side of a frame may have."""


@dataclass(frozen=True, eq=False)
class Target:
    """A target as the metrics and the models see it."""

    pixels: Pixels
    """sRGB, 8 bits, read-only; the longer side is what was asked for, or less when the picture is smaller."""
    width: int
    height: int
    """Pixels of the original, upright."""
    digest: str
    """The first sixteen hexadecimal digits of the SHA-256 of the file's bytes."""
    notes: tuple[str, ...] = ()
    """What was done to it, a plain sentence each; empty for an sRGB picture that fits."""


def read_target(path: Path, longest: int = 512) -> Target:
    """Read a PNG, JPEG, WebP, GIF, BMP or TIFF file; reduced so that its longer side has at most `longest` pixels.

    Raises:
        BriefError: the file is not there, not a picture of these kinds, damaged, smaller than 8 pixels a side, longer
            than 32 to 1, of more than 100 million pixels or 256 MB. The message names the file, what was found, and
            what would be right.
    """
    raw = _bytes_of(path)
    picture = decoded(raw, path, longest)
    pixels = picture.pixels.copy()
    pixels.setflags(write=False)
    digest = hashlib.sha256(raw).hexdigest()[:16]
    return Target(pixels, picture.width, picture.height, digest, picture.notes)


def fitting_size(target: Target, longest: int = 512) -> tuple[int, int]:
    """Width and height for frames toward a target: its shape, the longer side at `longest`, both even.

    Both are within 16 and 2,048 pixels: a very wide target is rendered larger than `longest` rather than flatter than
    16. Even sides are what video encoders take; the shape is off by less than one pixel for it.
    """
    least, most = SIDES
    factor = max(min(longest, most) / max(target.width, target.height), least / min(target.width, target.height))
    width, height = (min(most, max(least, 2 * round(side * factor / 2))) for side in (target.width, target.height))
    return width, height


def _bytes_of(path: Path) -> bytes:
    """The whole file, when it is one: never a device or a pipe, which would be read for ever."""
    try:
        found = path.stat()
        raw = path.read_bytes() if stat.S_ISREG(found.st_mode) and found.st_size <= MAX_BYTES else b""
    except FileNotFoundError as error:
        raise refusal(path, "is not there", "Check the path; it is relative to the folder you are in.") from error
    except (OSError, ValueError) as error:  # a ValueError for a name with a NUL in it
        said = (error.strerror if isinstance(error, OSError) else None) or error
        raise refusal(path, f"cannot be read ({said})", "Check its name, and that you may read it.") from error
    if stat.S_ISDIR(found.st_mode):
        raise refusal(path, "is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise refusal(path, "is no ordinary file (but a device, a pipe or a socket)")
    if found.st_size > MAX_BYTES:
        raise refusal(path, f"has {found.st_size:,} bytes; at most {MAX_BYTES:,} are read", "Reduce it first.")
    if not raw:
        raise refusal(path, "is empty (0 bytes)")
    return raw
