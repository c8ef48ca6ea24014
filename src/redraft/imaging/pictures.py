"""What a server or a program sent as a picture: found whole, of a sane size, and made a PNG if it is not one."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from dataclasses import dataclass

import anyio
from PIL import Image, ImageOps, UnidentifiedImageError

from redraft.errors import ImageBackendError
from redraft.imaging.words import clipped, readable
from redraft.metrics.target import KINDS, MAX_PIXELS, looks_like

__all__ = ["Whole", "whole", "whole_in_thread"]

_QUOTED = 200
"""Characters of a text that came where a picture was wanted."""


@dataclass(frozen=True)
class Whole:
    """A picture that can be opened to its last pixel."""

    png: bytes
    width: int
    height: int
    """Pixels."""
    came_as: str
    """The format it was sent in: `PNG`, `JPEG` …"""


async def whole_in_thread(raw: bytes, sender: str) -> Whole:
    """`whole`, in a thread of its own: a large picture takes a second, in which everything else goes on."""
    return await anyio.to_thread.run_sync(whole, raw, sender)


def whole(raw: bytes, sender: str) -> Whole:
    """The picture in these bytes; a PNG keeps every byte, and with them what its maker wrote into it.

    Of other formats the first frame is taken, turned upright as its camera noted, with its colour profile.

    Raises:
        ImageBackendError: they are no picture, a damaged one, or one too large. It begins with `sender`.
    """
    if not raw:
        raise ImageBackendError(f"{sender} sent an empty file where a picture was wanted.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of large pictures: what is too large is refused here, in our own words
        try:
            return _whole(raw, sender)
        except ImageBackendError:
            raise
        except UnidentifiedImageError as error:
            raise ImageBackendError(f"{sender} sent {_instead(raw)}.") from error
        except Image.DecompressionBombError as error:
            raise ImageBackendError(f"{sender} sent a picture that claims far too many pixels ({error}).") from error
        except Exception as error:  # damaged files raise whatever their decoder stumbles over
            said = clipped(str(error)) or type(error).__name__
            raise ImageBackendError(f"{sender} sent a picture that is damaged or cut short ({said}).") from error


def _whole(raw: bytes, sender: str) -> Whole:
    with Image.open(io.BytesIO(raw), formats=KINDS) as image:
        width, height = image.size
        if width * height > MAX_PIXELS:
            raise ImageBackendError(
                f"{sender} sent a picture of {width:,} × {height:,} pixels; at most {MAX_PIXELS / 1e6:,.0f} million "
                "are taken."
            )
        came_as = image.format or "?"
        image.load()
        if came_as == "PNG":
            _read_to_the_end(raw)
            return Whole(raw, width, height, came_as)
        picture = _as_png(ImageOps.exif_transpose(image))
    return Whole(picture, *_size(picture), came_as)


def _read_to_the_end(raw: bytes) -> None:
    """Every chunk with its checksum, to the last one: a decoder is content when it has the pixels."""
    at, name = 8, b""
    while name != b"IEND":
        if at + 12 > len(raw):
            raise ValueError("it ends before its end mark")
        (length,) = struct.unpack_from(">I", raw, at)
        name = raw[at + 4 : at + 8]
        checksum = raw[at + 8 + length : at + 12 + length]
        if struct.pack(">I", zlib.crc32(raw[at + 4 : at + 8 + length])) != checksum:
            raise ValueError(f"the checksum of its part {name.decode('ascii', 'replace')} is wrong")
        at += 12 + length


def _as_png(image: Image.Image) -> bytes:
    """PNG has no CMYK, and no colour profile for it: those pixels are made plain RGB."""
    profile = image.info.get("icc_profile")
    if image.mode not in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"):
        image, profile = image.convert("RGB"), None
    buffer = io.BytesIO()
    image.save(buffer, format="PNG", icc_profile=profile)
    return buffer.getvalue()


def _size(png: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def _instead(raw: bytes) -> str:
    """What came, in words; of a text its beginning too, as it may say why."""
    found, _ = looks_like(raw)
    if found not in ("a text file", "a web page, not a picture"):
        return found
    what = found.removesuffix(", not a picture")
    return f"{what} where a picture was wanted: {readable(raw)[:_QUOTED]!r}"
