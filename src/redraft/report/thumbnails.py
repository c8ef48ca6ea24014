"""Pictures of many runs on one page, small and large, within one budget of bytes.

Where Pillow is installed they are made smaller; without it they are embedded whole, as long as there is room.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from redraft.errors import BriefError
from redraft.folders import relative
from redraft.report.pictures import Shown, data_uri, inside, size_of

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["REVIEW_BUDGET", "Hung", "Wall"]

REVIEW_BUDGET = 12_000_000
"""Bytes of data URIs in one page of many runs; pictures beyond it are linked. Fifty runs need a third."""
SMALL = 320
"""Pixels of the longer side in the grid."""
LARGE = ((24, 800), (80, 560), (10_000_000, 400))
"""Of the picture beside its run, by how many runs there are at most."""
QUALITY = 84
"""Of JPEG; drawings are smaller as PNG and stay so."""

LEFT_OUT = "is left out to keep this page small"
PNG = b"\x89PNG\r\n\x1a\n"

_WHOLE_SHARE = 0.2
"""Of the room that is left, for one picture that cannot be made smaller."""


@dataclass(frozen=True)
class Hung:
    """One picture of a run in its two sizes."""

    small: Shown
    large: Shown


class Wall:
    """Hands out pictures of run folders for a page in the folder `beside`, until the budget is spent."""

    def __init__(self, beside: Path, runs: int, budget: int = REVIEW_BUDGET) -> None:
        self._beside = beside
        self._large = next(size for most, size in LARGE if runs <= most)
        self._left = budget

    def hang(self, folder: Path, names: Sequence[str]) -> Hung | None:
        """The first of these pictures that lies in the run folder; None when the run has no name for any."""
        named = [name for name in names if name]
        path = next((found for name in named if (found := inside(folder, name)) is not None), None)
        if path is None:
            gone = Shown(named[0], absent="is not in the run folder") if named else None
            return None if gone is None else Hung(gone, gone)
        name, raw = relative(path, self._beside), path.read_bytes()
        if not (shrinks() and raw.startswith(PNG)):
            return self._whole(name, raw)
        try:
            small, large = _shrunk(raw, path, (SMALL, self._large))
        except BriefError:  # the only error of the decoder; its words are about targets
            gone = Shown(name, absent="is damaged, or no picture that can be shown", linked=True)
            return Hung(gone, gone)
        return Hung(self._place(name, small), self._place(name, large))

    def _whole(self, name: str, raw: bytes) -> Hung:
        src = data_uri(raw)
        if src is None:
            gone = Shown(name, absent="is neither PNG nor SVG", linked=True)
            return Hung(gone, gone)
        shown = Shown(name, src, *size_of(raw))
        if 2 * len(src) > _WHOLE_SHARE * self._left:
            advice = "" if shrinks() else " (with Pillow it would be made smaller)"
            shown = Shown(name, absent=f"{LEFT_OUT}{advice}", linked=True)
        self._left -= 2 * len(shown.src)
        return Hung(shown, shown)

    def _place(self, name: str, picture: Shown) -> Shown:
        if len(picture.src) > self._left:
            return Shown(name, absent=LEFT_OUT, linked=True)
        self._left -= len(picture.src)
        return Shown(name, picture.src, picture.width, picture.height)


@cache
def shrinks() -> bool:
    """Whether pictures can be made smaller here."""
    return find_spec("PIL") is not None and find_spec("numpy") is not None


def _shrunk(raw: bytes, path: Path, sizes: tuple[int, int]) -> tuple[Shown, Shown]:
    """The picture with a longer side of so many pixels at most, opaque and in sRGB. Raises `BriefError`."""
    from PIL import Image

    from redraft.metrics.target import decoded

    small, large = sizes
    image = Image.fromarray(decoded(raw, path, large).pixels)
    shrunk = image.copy()
    shrunk.thumbnail((small, small), Image.Resampling.LANCZOS)
    return _encoded(shrunk), _encoded(image)


def _encoded(image: Image.Image) -> Shown:
    """Without loss where that is smaller, as it is for most drawings."""
    found: list[tuple[str, bytes]] = []
    for kind, options in (("png", {"compress_level": 6}), ("jpeg", {"quality": QUALITY, "optimize": True})):
        buffer = io.BytesIO()
        image.save(buffer, kind, **options)
        found.append((kind, buffer.getvalue()))
    kind, best = min(found, key=lambda pair: len(pair[1]))
    return Shown("", f"data:image/{kind};base64,{base64.b64encode(best).decode()}", *image.size)
