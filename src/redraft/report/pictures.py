"""Pictures of a run as data URIs, within one budget for the page.

A picture's name comes from a journal, so it is not trusted: only files inside the run folder are read, and only as
pictures (`<img>` neither runs nor fetches what an SVG asks for).
"""

from __future__ import annotations

import base64
import re
import struct
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

__all__ = ["PAGE_BUDGET", "Gallery", "Shown", "data_uri", "inside", "size_of"]

PAGE_BUDGET = 6_000_000
"""Bytes of data URIs in one page; pictures beyond it are linked. A usual run needs a tenth."""

_PNG = b"\x89PNG\r\n\x1a\n"
_SVG_TAG = re.compile(rb"<svg\b[^>]*>", re.DOTALL)
_VIEW_BOX = re.compile(rb"""viewBox\s*=\s*["']\s*[-\d.eE]+[\s,]+[-\d.eE]+[\s,]+([\d.eE]+)[\s,]+([\d.eE]+)\s*["']""")
_STANDARD = 512


@dataclass(frozen=True)
class Shown:
    """A picture as the page shows it: inlined (`src`), or by its name with the reason why not (`absent`)."""

    name: str
    src: str = ""
    width: int = _STANDARD
    height: int = _STANDARD
    """Pixels; only their ratio matters, it keeps the page from jumping."""
    absent: str = ""
    linked: bool = False


class Gallery:
    """Hands out the pictures of one run folder until the budget is spent."""

    def __init__(self, folder: Path, budget: int = PAGE_BUDGET) -> None:
        self._folder = folder
        self._left = budget
        self._shown: set[str] = set()

    def show(self, name: str, share: float = 1.0) -> Shown | None:
        """The picture of this name, or None when the run has no name for it. It may take a share of what is left."""
        if not name:
            return None
        path = inside(self._folder, name)
        if path is None:
            return Shown(name, absent="is not in the run folder")
        raw = path.read_bytes()
        src, size = data_uri(raw), size_of(raw)
        if src is None:
            return Shown(name, absent="is neither PNG nor SVG")
        if len(src) > share * self._left:
            why = "is shown above" if name in self._shown else "is left out to keep this page small"
            return Shown(name, absent=why, linked=True)
        self._left -= len(src)
        self._shown.add(name)
        return Shown(name, src, *size)

    def moves(self, name: str) -> bool:
        """Whether the picture of this name is an animation."""
        path = inside(self._folder, name) if name else None
        return path is not None and _frames(path.read_bytes()) > 1


def inside(folder: Path, name: str) -> Path | None:
    """The file of this name if it is one, and lies in the folder; links out of it do not count."""
    try:
        path = (folder / name).resolve()
        return path if path.is_relative_to(folder.resolve()) and path.is_file() else None
    except (OSError, ValueError):  # a name that no file system takes: a NUL, 10,000 letters
        return None


def data_uri(raw: bytes) -> str | None:
    """A PNG or SVG as an address that holds it whole; None for anything else."""
    if raw.startswith(_PNG):
        return f"data:image/png;base64,{base64.b64encode(raw).decode()}"
    if _SVG_TAG.search(raw[:4096]):
        return f"data:image/svg+xml,{quote(raw.decode('utf-8', 'replace'), safe=_SAFE)}"
    return None


_SAFE = " ()*,-./:;=@_!$'"
"""What may stay as it is in a data URI inside a quoted, escaped attribute; drawings are half as long for it."""


def _frames(raw: bytes) -> int:
    """How many pictures an animated PNG says it has, in the chunk that stands before the first; 1 of any other."""
    head = raw[: raw.find(b"IDAT")] if raw.startswith(_PNG) else b""
    at = head.find(b"acTL")
    return int.from_bytes(head[at + 4 : at + 8], "big") if at >= 0 else 1


def size_of(raw: bytes) -> tuple[int, int]:
    """Width and height of a PNG or SVG, from its head."""
    if raw.startswith(_PNG) and len(raw) >= 24:
        width, height = struct.unpack(">II", raw[16:24])
        return (width or _STANDARD, height or _STANDARD)
    tag = _SVG_TAG.search(raw[:4096])
    box = _VIEW_BOX.search(tag.group()) if tag else None
    if box is None:
        return (_STANDARD, _STANDARD)
    try:
        width, height = float(box.group(1)), float(box.group(2))
        return (_STANDARD, max(1, round(_STANDARD * height / width)))
    except (ValueError, ZeroDivisionError, OverflowError):
        return (_STANDARD, _STANDARD)
