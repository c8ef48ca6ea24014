"""The shipped font: the size of text set in it, from a table of its glyphs, and SVG rendered with it alone.

Text is set without kerning or ligatures (the renderer says so too), so that a line is the sum of its advances. The
table is made by `scripts/glyph_metrics.py`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Literal

FAMILY = "Inter"

Anchor = Literal["start", "middle", "end"]
_SHARE: dict[str, float] = {"start": 0.0, "middle": 0.5, "end": 1.0}
_NOTDEF = -1


@dataclass(frozen=True)
class _Metrics:
    units_per_em: int
    glyphs: dict[int, tuple[int, ...]]

    def of(self, character: str) -> tuple[int, ...]:
        """Return the numbers of one glyph; what the font lacks is drawn as its box for unknown characters."""
        return self.glyphs.get(ord(character), self.glyphs[_NOTDEF])


@cache
def _metrics() -> _Metrics:
    data = json.loads((files(__package__ or "") / "glyphs.json").read_text(encoding="utf-8"))
    codes = accumulate(data["steps"])
    return _Metrics(data["units_per_em"], dict(zip(codes, zip(*data["columns"], strict=True), strict=True)))


def font_path() -> str:
    """Return the file of the one font that drawings use."""
    return str(files(__package__ or "") / "fonts" / "Inter-Regular.otf")


def advance(text: str, size: float) -> float:
    """Return the set width of a line; `size` is the em."""
    return sum(_metrics().of(c)[0] for c in text) * size / _metrics().units_per_em


def ink_box(text: str, x: float, y: float, size: float, anchor: Anchor) -> tuple[float, float, float, float]:
    """Return the box of the ink (y down) of a line whose baseline is at y; without ink, one of no area at x, y."""
    pen = 0
    boxes: list[tuple[int, int, int, int]] = []
    for character in text:
        width, x0, y0, x1, y1 = _metrics().of(character)
        if x1 > x0:
            boxes.append((pen + x0, y0, pen + x1, y1))
        pen += width
    if not boxes:
        return (x, y, x, y)
    unit = size / _metrics().units_per_em
    left = x - pen * unit * _SHARE[anchor]
    return (
        left + min(b[0] for b in boxes) * unit,
        y - max(b[3] for b in boxes) * unit,
        left + max(b[2] for b in boxes) * unit,
        y - min(b[1] for b in boxes) * unit,
    )


def svg_to_png(svg: str, size: int, background: str) -> bytes:
    """Return square PNG bytes of an SVG made here, `size` pixels a side, by resvg: the same on every machine.

    `background` is `#rrggbb`.
    """
    import resvg_py

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=size,
            height=size,
            background=background,
            skip_system_fonts=True,
            font_files=[font_path()],
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )
