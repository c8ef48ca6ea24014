"""Why a file is no use as a target, in words: what it looks like from its first bytes, and what would be right."""

from __future__ import annotations

from pathlib import Path

from redraft.errors import BriefError

__all__ = ["KINDS", "MAX_PIXELS", "MAX_RATIO", "MIN_SIDE", "looks_like", "refusal", "refuse_size"]

KINDS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
"""As Pillow calls them. No others are opened: some of its readers start programs (PostScript)."""
MIN_SIDE = 8
"""Pixels. Below it there is no shape to work toward, and the windows of the metrics would be mostly border."""
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
    """The error that says so: `found` goes on from the file's name."""
    name = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(path))
    return BriefError(f"The target {name} {found}. {right}")


def refuse_size(path: Path, width: int, height: int) -> None:
    """Raises `BriefError` for a picture too small, too long or too large to be worked with."""
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
    """What a file that no reader knows seems to be, from its first bytes, and what to do about it."""
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
    return f"no picture of a known kind (it begins with the bytes {head[:8].hex(' ')})", _RIGHT


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
