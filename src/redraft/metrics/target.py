"""Target pictures: any common file a person gives, decoded to plain sRGB pixels.

Every change on the way (turned, flattened, reduced …) is reported in a plain sentence, which the run shows. A file that
cannot be used is refused before anything is spent on it.
"""

from __future__ import annotations

import hashlib
import io
import stat
import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from redraft.errors import BriefError
from redraft.limits import PICTURE, read_file
from redraft.metrics.base import Pixels

SIDES = (16, 2048)
"""The least and the most pixels a side of a frame may have."""


@dataclass(frozen=True, eq=False)
class Target:
    """A target as the metrics and the models see it."""

    pixels: Pixels
    """sRGB, 8 bits, read-only; the longer side is as requested, or less for a smaller picture."""
    width: int
    height: int
    """Pixels of the original, upright."""
    digest: str
    """The first sixteen hexadecimal digits of the SHA-256 of the file's bytes."""
    notes: tuple[str, ...] = ()
    """Conversions that were made, a plain sentence each; empty for an sRGB picture that fits."""


def read_target(path: Path, longest: int = 512) -> Target:
    """Read a PNG, JPEG, WebP, GIF, BMP or TIFF file; reduced so that its longer side has at most `longest` pixels.

    Raises:
        BriefError: the file is missing, not a picture of these kinds, damaged, smaller than 8 pixels a side, longer
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
    """The whole file; never a device or a pipe, which would be read for ever."""
    try:
        found = path.stat()
        raw = read_file(path, PICTURE) if stat.S_ISREG(found.st_mode) and found.st_size <= PICTURE.size else b""
    except FileNotFoundError as error:
        raise refusal(path, "is missing", "Check the path; it is relative to the current folder.") from error
    except (OSError, ValueError) as error:  # a ValueError for a name with a NUL in it
        said = (error.strerror if isinstance(error, OSError) else None) or error
        raise refusal(path, f"cannot be read ({said})", "Check its name and permissions.") from error
    if stat.S_ISDIR(found.st_mode):
        raise refusal(path, "is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise refusal(path, "is not a regular file but a device, a pipe or a socket")
    if found.st_size > PICTURE.size:
        raise refusal(path, f"has {found.st_size:,} bytes; at most {PICTURE.size:,} are read", "Reduce it first.")
    if not raw:
        raise refusal(path, "is empty (0 bytes)")
    return raw


_ORIENTATION = 0x0112
_PLAIN = ("L", "RGB", "RGBA", "CMYK")
"""The modes that are left after `_simple`: all can be reduced without artifacts."""


@dataclass(frozen=True)
class Decoded:
    """Pixels, the original size, and a note for each change."""

    pixels: Pixels
    width: int
    height: int
    notes: tuple[str, ...]


def decoded(raw: bytes, path: Path, longest: int) -> Decoded:
    """Decode a file's bytes; `path` is for messages alone.

    Raises:
        BriefError: they are not a picture, or one that is damaged, too small, too long or too large.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of what is refused or noted here in our own words
        try:
            return _decoded(raw, path, longest)
        except BriefError:
            raise
        except UnidentifiedImageError as error:
            found, right = looks_like(raw)
            raise refusal(path, f"is {found}", right) from error
        except Image.DecompressionBombError as error:
            raise refusal(path, f"claims far too many pixels ({error})", "Reduce it first.") from error
        except Exception as error:  # damaged files raise whatever their decoder stumbles over
            said = str(error).strip() or type(error).__name__
            raise refusal(path, f"is damaged or cut short ({said[:200]})", "Save or download it again.") from error


def _decoded(raw: bytes, path: Path, longest: int) -> Decoded:
    notes: list[str] = []
    with Image.open(io.BytesIO(raw), formats=KINDS) as opened:
        refuse_size(path, *opened.size)
        image, width, height = cast("Image.Image", opened), 0, 0
        for step in (_first_frame, _upright, _simple, partial(_reduced, longest=longest), _srgb, _opaque):
            image, note = step(image)
            notes += [note] if note else []
            if step is _upright:
                width, height = image.size
        pixels = np.asarray(image.convert("RGB"))
    return Decoded(pixels, width, height, tuple(notes))


def _first_frame(image: Image.Image) -> tuple[Image.Image, str]:
    """Only the first frame or page is decoded. A second picture in a JPEG file is its preview, and not worth a word."""
    count = int(getattr(image, "n_frames", 1))
    if count < 2 or image.format in ("JPEG", "MPO"):
        return image, ""
    parts = "pages" if image.format == "TIFF" else "frames"
    return image, f"It has {count} {parts}; the first is the target."


def _upright(image: Image.Image) -> tuple[Image.Image, str]:
    """Turned or mirrored as the EXIF tag says, which is read first: decoding a TIFF already turns it."""
    turned = image.getexif().get(_ORIENTATION, 1) in range(2, 9)
    image.load()
    return ImageOps.exif_transpose(image), "It was turned upright, as its camera noted." if turned else ""


def _simple(image: Image.Image) -> tuple[Image.Image, str]:
    """One of the plain modes: palettes looked up, deep grays brought to 8 bits."""
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        return _shallow(image)
    if image.mode == "LAB":
        raise ValueError("its colors are CIELAB; save it as RGB")
    if image.has_transparency_data:
        return image.convert("RGBA"), ""
    if image.mode in ("1", "L"):
        return image.convert("L"), "It has no colors, only grays."
    return image if image.mode in _PLAIN else image.convert("RGB"), ""


def _shallow(image: Image.Image) -> tuple[Image.Image, str]:
    """Gray with more than 8 bits. Integers of 16 bits have a fixed range; of others it is seen from the values: 0 to 1
    and 0 to 255 (integers: 0 to 255 and 0 to 65,535) as they are, anything else stretched."""
    values = np.asarray(image)
    if image.mode.startswith("I;16"):
        rounded = (np.minimum(values, 65535 - 128) + 128) // 257  # value / 257, rounded, without leaving 16 bits
        return Image.fromarray(rounded.astype(np.uint8)), "It is gray with 16 bits; 8 are used."
    finite = np.isfinite(values)
    numbers = values if finite.all() else values[finite]
    low, high = (float(numbers.min()), float(numbers.max())) if numbers.size else (0.0, 1.0)
    known = (255.0, 65535.0) if image.mode == "I" else (1.0, 255.0)
    top = next((top for top in known if low >= 0 and high <= top), None)
    origin, span = (0.0, top) if top else (low, high - low or 1.0)
    reading = f"0 to {top:,.0f} was read as black to white" if top else f"{low:g} to {high:g} was stretched to 8 bits"
    kind = "whole" if image.mode == "I" else "floating-point"
    note = f"It is gray with {kind} numbers of 32 bits; {reading}."
    broken = "" if finite.all() else f" {np.mean(~finite):.1%} of its values are not numbers and were made black."
    return Image.fromarray(_levels(values, origin, span)), note + broken


def _levels(values: NDArray[Any], origin: float, span: float) -> NDArray[np.uint8]:
    """0 at `origin` to 255 at `origin + span`; what is not a number is 0. In strips, as doubles are large."""
    levels = np.empty(values.shape, dtype=np.uint8)
    for start in range(0, len(values), 64):
        strip = values[start : start + 64].astype(np.float64)
        share = np.where(np.isfinite(strip), (strip - origin) / span, 0.0)
        levels[start : start + 64] = np.round(np.clip(share, 0, 1) * 255)
    return levels


def _reduced(image: Image.Image, longest: int) -> tuple[Image.Image, str]:
    """By Lanczos; where alpha hides colors, they do not bleed (Pillow multiplies by alpha first)."""
    width, height = image.size
    if max(width, height) <= longest:
        return image, ""
    factor = longest / max(width, height)
    size = max(1, round(width * factor)), max(1, round(height * factor))
    note = f"It was reduced from {width:,} × {height:,} to {size[0]} × {size[1]} pixels."
    return image.resize(size, Image.Resampling.LANCZOS), note


def _srgb(image: Image.Image) -> tuple[Image.Image, str]:
    """Colors of the embedded profile to sRGB; without one they are taken as sRGB, as browsers do."""
    embedded = image.info.get("icc_profile")
    if not embedded:
        return (image.convert("RGB"), "Its CMYK colors were converted to RGB.") if image.mode == "CMYK" else (image, "")
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(embedded))
        name = " ".join(ImageCms.getProfileDescription(profile).split())[:60]
        if "srgb" in name.lower() and image.mode != "CMYK":
            return image, ""
        return _converted(image, profile), f"Its colors were converted from the profile {name!r} to sRGB."
    except (ImageCms.PyCMSError, OSError, TypeError, ValueError):
        return image, "Its color profile does not fit its pixels and was ignored."


def _converted(image: Image.Image, profile: ImageCms.ImageCmsProfile) -> Image.Image:
    alpha = image.getchannel("A") if image.mode == "RGBA" else None
    colors = image.convert("RGB") if alpha else image
    cms: Any = ImageCms  # its types are half unknown
    result = cms.profileToProfile(
        colors,
        profile,
        cms.createProfile("sRGB"),
        renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
        outputMode="RGB",
        flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )
    converted = cast("Image.Image", result)
    if alpha:
        converted.putalpha(alpha)
    return converted


def _opaque(image: Image.Image) -> tuple[Image.Image, str]:
    if image.mode != "RGBA":
        return image, ""
    lowest = cast("tuple[int, int]", image.getchannel("A").getextrema())[0]
    white = Image.new("RGBA", image.size, (255, 255, 255, 255))
    note = "Its transparent parts were laid on white." if lowest < 255 else ""
    return Image.alpha_composite(white, image), note


KINDS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
"""As Pillow calls them. No others are opened: some of its readers start programs (PostScript)."""
MIN_SIDE = 8
"""Pixels. Smaller pictures have no shape to work toward, and the windows of the metrics would be mostly border."""
MAX_RATIO = 32
"""Of the longer side to the shorter: a frame of 512 pixels is then 16 high."""
MAX_PIXELS = 100_000_000
"""Checked before decoding: a file of a few kilobytes may claim a picture of gigabytes."""

_RIGHT = "Give a picture as PNG, JPEG, WebP, GIF, BMP or TIFF, at least 8 pixels a side."
_CONVERT = "Save it as PNG or JPEG and give that."
_STARTS: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "a damaged PNG picture"),
    (b"\xff\xd8", "a damaged JPEG picture"),
    (b"GIF8", "a damaged GIF picture"),
    (b"RIFF", "a damaged WebP picture, or a sound or video file"),
    (b"II*\x00", "a damaged TIFF, a camera's raw file, or a TIFF of an unusual kind"),
    (b"MM\x00*", "a damaged TIFF, a camera's raw file, or a TIFF of an unusual kind"),
    (b"%PDF", "a PDF document"),
    (b"%!PS", "a PostScript document"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"8BPS", "a Photoshop document"),
    (b"gimp xcf", "a GIMP document"),
    (b"v/1\x01", "an OpenEXR picture"),
    (b"#?RADIANCE", "a Radiance HDR picture"),
    (b"\xff\x0a", "a JPEG XL picture"),
    (b"\x00\x00\x00\x0cJXL", "a JPEG XL picture"),
    (b"\x00\x00\x01\x00", "an icon file (ICO)"),
    (b"BM", "a damaged BMP picture"),
)


def refusal(path: Path, found: str, right: str = _RIGHT) -> BriefError:
    """The error for a target: `found` goes on from the file's name."""
    name = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(path))
    return BriefError(f"The target {name} {found}. {right}")


def refuse_size(path: Path, width: int, height: int) -> None:
    """Raise `BriefError` for a picture too small, too long or too large to be worked with."""
    size = f"is {width:,} × {height:,} pixels"
    if min(width, height) < MIN_SIDE:
        raise refusal(path, f"{size}: too small to work toward", f"Give one of at least {MIN_SIDE} pixels a side.")
    if width * height > MAX_PIXELS:
        raise refusal(
            path,
            f"{size}, {width * height / 1e6:,.0f} million in all; at most {MAX_PIXELS / 1e6:,.0f} million are decoded",
            "Reduce it first: 2,048 pixels a side are more than enough.",
        )
    if max(width, height) > MAX_RATIO * min(width, height):
        raise refusal(path, f"{size}: longer than {MAX_RATIO} to 1", "Crop it to the part that matters.")


def looks_like(raw: bytes) -> tuple[str, str]:
    """The likely kind of a file that no reader opens, from its first bytes, and what to do about it."""
    head = raw[:2048]
    text = head.decode("utf-8", "ignore").lstrip("\ufeff \t\r\n").lower()
    if text.startswith(("<svg", "<?xml", "<!doctype svg", "<!--")) and "<svg" in text:
        return "an SVG drawing, which has no pixels", "Convert it to PNG first; any browser or Inkscape exports it."
    if text.startswith(("<!doctype html", "<html")):
        return "a web page, not a picture", "Save the picture itself, not the page that shows it."
    if head[4:8] == b"ftyp":
        return _iso_media(head[8:12]), _CONVERT
    start = next((words for start, words in _STARTS if head.startswith(start)), None)
    if start is not None:
        return start, "Save it again as PNG or JPEG, or download it again." if "damaged" in start else _CONVERT
    if _is_text(head):
        return "a text file", _RIGHT
    return f"not a picture of a known kind (it begins with the bytes {head[:8].hex(' ')})", _RIGHT


def _iso_media(brand: bytes) -> str:
    if brand in (b"heic", b"heix", b"mif1", b"msf1", b"hevc"):
        return "a HEIC photograph"
    return "an AVIF picture" if brand in (b"avif", b"avis") else "a video"


def _is_text(head: bytes) -> bool:
    try:
        text = head[: len(head) - 3 if len(head) > 3 else None].decode("utf-8")
    except UnicodeDecodeError:
        return False
    return all(c.isprintable() or c.isspace() for c in text)
