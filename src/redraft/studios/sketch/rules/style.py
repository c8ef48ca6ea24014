"""Style: like things drawn with unlike pens, and one stroke out of many that has another length. Warnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from statistics import median

import numpy as np
from shapely.geometry import MultiPolygon

from redraft.layout.items import Bounds
from redraft.result import Issue
from redraft.studios.sketch.rules.geometry import Scene, Shapes, areas, bounds, holes, kind_of, lengths
from redraft.studios.sketch.rules.issues import box, finding

PEN = 2.5
"""Pens of like things within this factor are one style."""
MANY = 6
PEN_OF_ONE = 1.5
"""Strokes of one make have pens within this factor: the width of a thin piece is its area by its length."""
SAME = 0.2
"""Lengths within this share of the median are one length."""


def odd_pens(scene: Scene) -> Iterator[Issue]:
    """One of three or more like parts whose finest pen is far from that of the others, which agree."""
    kinds: dict[tuple[str, bool], list[tuple[str, float]]] = {}
    for item in scene.parts:  # a leg drawn as one stroke has no outline to compare
        kinds.setdefault((kind_of(item), item.is_line), []).append((item.name, min(item.style.widths, default=0.0)))
    for members in kinds.values():
        if len(members) >= 3:
            yield from _odd_pen(scene, members)


def _odd_pen(scene: Scene, members: Sequence[tuple[str, float]]) -> Iterator[Issue]:
    usual = median(pen for _, pen in members)
    odd = [(name, pen) for name, pen in members if not usual / PEN <= pen <= usual * PEN]
    if len(odd) == 1 and usual > 0:
        name, pen = odd[0]
        yield finding(
            "style.pen",
            f"{name} is drawn with a pen {pen:.4f} wide, the others of its kind with {usual:.4f}",
            (name,),
            numbers={"found": pen, "expected": usual},
            hint=f"draw {name} with a pen {usual:.4f} wide",
            marks=(box(scene.box(name), name),),
        )


@dataclass(frozen=True)
class _Piece:
    """One separate slender piece of a part: its length and the width of its pen, in units."""

    length: float
    pen: float
    straight: bool
    box: Bounds


def odd_strokes(scene: Scene) -> Iterator[Issue]:
    """Of six or more separate slender pieces of one part (rays, spokes, ticks), one that is shorter or longer.

    Only pieces of one kind and make are compared: straight ones or bent ones, drawn with one pen, no rings.
    """
    for item in scene.parts:
        if isinstance(item.shape, MultiPolygon) and len(item.shape.geoms) >= MANY:
            alike = _alike(_slender(np.array(item.shape.geoms, dtype=object)))
            worst = _outlier([piece.length for piece in alike])
            if worst is not None:
                yield _odd_stroke(item.name, alike[worst], median(piece.length for piece in alike))


def _slender(pieces: Shapes) -> list[_Piece]:
    """The pieces at least twice as long as wide, without rings; the length of a thin piece is half its edge."""
    long, wide = lengths(pieces) / 2, areas(pieces)
    keep = (wide < 0.23 * long**2) & (holes(pieces) == 0)
    found_at: list[_Piece] = []
    for length, area, row in zip(long[keep], wide[keep], bounds(pieces[keep]), strict=True):
        x0, y0, x1, y1 = (float(v) for v in row)
        straight = length - area / length < 1.1 * hypot(x1 - x0, y1 - y0)
        found_at.append(_Piece(float(length), float(area / length), bool(straight), (x0, y0, x1, y1)))
    return found_at


def _alike(pieces: Sequence[_Piece]) -> list[_Piece]:
    """The straight ones or the bent ones, whichever are more, as far as their pens are the usual one."""
    kinds = [[p for p in pieces if p.straight is straight] for straight in (True, False)]
    most = max(kinds, key=len)
    usual = median(p.pen for p in most) if most else 0.0
    return [p for p in most if usual / PEN_OF_ONE <= p.pen <= usual * PEN_OF_ONE]


def _outlier(long: Sequence[float]) -> int | None:
    if len(long) < MANY:
        return None
    usual = median(long)
    off = [i for i, length in enumerate(long) if abs(length - usual) > SAME * usual]
    return off[0] if len(off) == 1 else None


def _odd_stroke(name: str, piece: _Piece, usual: float) -> Issue:
    return finding(
        "style.outlier",
        f"one stroke of {name} is {piece.length:.3f} long, the others {usual:.3f}",
        (name,),
        numbers={"found": piece.length, "expected": usual},
        hint=f"make that stroke of {name} {usual:.3f} long",
        marks=(box(piece.box, f"{piece.length:.3f}"),),
    )
