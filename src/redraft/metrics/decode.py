"""From the bytes of a picture file to plain sRGB pixels, with a sentence for everything that was done on the way."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from redraft.errors import BriefError
from redraft.metrics.base import Pixels
from redraft.metrics.refusals import KINDS, looks_like, refusal, refuse_size

__all__ = ["Decoded", "decoded"]

_ORIENTATION = 0x0112
_PLAIN = ("L", "RGB", "RGBA", "CMYK")
"""The modes that are left after `_simple`: all can be reduced without artefacts."""


@dataclass(frozen=True)
class Decoded:
    """Pixels, and the size and story of the picture they come from."""

    pixels: Pixels
    width: int
    height: int
    notes: tuple[str, ...]


@dataclass
class _Work:
    """One picture on its way, and what was done to it so far."""

    image: Image.Image
    notes: list[str] = field(default_factory=list[str])

    def then(self, step: Callable[[Image.Image], tuple[Image.Image, str]]) -> None:
        """Take a step; it says what it did, or nothing."""
        self.image, note = step(self.image)
        if note:
            self.notes.append(note)


def decoded(raw: bytes, path: Path, longest: int) -> Decoded:
    """Decode a file's bytes; `path` is for messages alone.

    Raises:
        BriefError: they are no picture, a damaged one, or one that is too small, too long or too large.
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
    with Image.open(io.BytesIO(raw), formats=KINDS) as image:
        refuse_size(path, *image.size)
        work = _Work(image)
        work.then(_first_frame)
        work.then(_upright)
        width, height = work.image.size
        work.then(_simple)
        work.then(lambda image: _reduced(image, longest))
        work.then(_srgb)
        work.then(_opaque)
        pixels = np.asarray(work.image.convert("RGB"))
    return Decoded(pixels, width, height, tuple(work.notes))


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
    """One of the plain modes: palettes looked up, deep greys brought to 8 bits."""
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        return _shallow(image)
    if image.mode == "LAB":
        raise ValueError("its colours are CIELAB; save it as RGB")
    if image.has_transparency_data:
        return image.convert("RGBA"), ""
    if image.mode in ("1", "L"):
        return image.convert("L"), "It has no colours, only greys."
    return image if image.mode in _PLAIN else image.convert("RGB"), ""


def _shallow(image: Image.Image) -> tuple[Image.Image, str]:
    """Grey with more than 8 bits. Integers of 16 bits have a fixed range; of others it is seen from the values: 0 to 1
    and 0 to 255 (integers: 0 to 255 and 0 to 65,535) as they are, anything else stretched."""
    values = np.asarray(image)
    if image.mode.startswith("I;16"):
        rounded = (np.minimum(values, 65535 - 128) + 128) // 257  # value / 257, rounded, without leaving 16 bits
        return Image.fromarray(rounded.astype(np.uint8)), "It is grey with 16 bits; 8 are used."
    finite = np.isfinite(values)
    numbers = values if finite.all() else values[finite]
    low, high = (float(numbers.min()), float(numbers.max())) if numbers.size else (0.0, 1.0)
    known = (255.0, 65535.0) if image.mode == "I" else (1.0, 255.0)
    top = next((top for top in known if low >= 0 and high <= top), None)
    origin, span = (0.0, top) if top else (low, high - low or 1.0)
    reading = f"0 to {top:,.0f} was read as black to white" if top else f"{low:g} to {high:g} was stretched to 8 bits"
    kind = "whole" if image.mode == "I" else "floating-point"
    note = f"It is grey with {kind} numbers of 32 bits; {reading}."
    broken = "" if finite.all() else f" {np.mean(~finite):.1%} of its values are no numbers and were made black."
    return Image.fromarray(_levels(values, origin, span)), note + broken


def _levels(values: NDArray[Any], origin: float, span: float) -> NDArray[np.uint8]:
    """0 at `origin` to 255 at `origin + span`; what is no number is 0. In strips: doubles are eight times as large."""
    levels = np.empty(values.shape, dtype=np.uint8)
    for start in range(0, len(values), 64):
        strip = values[start : start + 64].astype(np.float64)
        share = np.where(np.isfinite(strip), (strip - origin) / span, 0.0)
        levels[start : start + 64] = np.round(np.clip(share, 0, 1) * 255)
    return levels


def _reduced(image: Image.Image, longest: int) -> tuple[Image.Image, str]:
    """By Lanczos; of a picture with alpha, hidden colours do not bleed (Pillow multiplies by alpha first)."""
    width, height = image.size
    if max(width, height) <= longest:
        return image, ""
    factor = longest / max(width, height)
    size = max(1, round(width * factor)), max(1, round(height * factor))
    note = f"It was reduced from {width:,} × {height:,} to {size[0]} × {size[1]} pixels."
    return image.resize(size, Image.Resampling.LANCZOS), note


def _srgb(image: Image.Image) -> tuple[Image.Image, str]:
    """Colours of the embedded profile to sRGB; without one they are taken as sRGB, as browsers do."""
    embedded = image.info.get("icc_profile")
    if not embedded:
        return (
            (image.convert("RGB"), "Its CMYK colours were converted to RGB.") if image.mode == "CMYK" else (image, "")
        )
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(embedded))
        name = " ".join(ImageCms.getProfileDescription(profile).split())[:60]
        if "srgb" in name.lower() and image.mode != "CMYK":
            return image, ""
        return _converted(image, profile), f"Its colours were converted from the profile {name!r} to sRGB."
    except (ImageCms.PyCMSError, OSError, TypeError, ValueError):
        return image, "Its colour profile does not fit its pixels and was ignored."


def _converted(image: Image.Image, profile: ImageCms.ImageCmsProfile) -> Image.Image:
    alpha = image.getchannel("A") if image.mode == "RGBA" else None
    colours = image.convert("RGB") if alpha else image
    cms: Any = ImageCms  # its types are half unknown
    result = cms.profileToProfile(
        colours,
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
