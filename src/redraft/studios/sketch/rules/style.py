"""Style: like things drawn with unlike pens, and one stroke out of many that has another length. Warnings."""

from __future__ import annotations

from collections.abc import Iterator
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

PIECES = 6
"""So many separate pieces of one part are strokes of one kind."""

PIECE_PEN = 1.5
"""Strokes of one make have pens within this factor: the width of a thin piece is its area by its length."""

SAME = 0.2
"""Lengths within this share of the median are one length."""


def odd_pens(scene: Scene) -> Iterator[Issue]:
    """Find one of three or more like parts whose finest pen is far from that of the others, which agree."""
    kinds: dict[tuple[str, bool], list[tuple[str, float]]] = {}
    for item in scene.parts:  # a leg drawn as one stroke has no outline to compare
        kinds.setdefault((kind_of(item), item.is_line), []).append((item.name, min(item.style.widths, default=0.0)))
    for members in kinds.values():
        usual = median(pen for _, pen in members)
        odd = [(name, pen) for name, pen in members if not usual / PEN <= pen <= usual * PEN]
        if len(members) < 3 or len(odd) != 1 or usual <= 0:
            continue
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
    """Find of six or more separate slender pieces of one part (rays, spokes, ticks) one that is shorter or longer.

    Only pieces of one kind and make are compared: straight ones or bent ones, drawn with one pen, no rings.
    """
    for item in scene.parts:
        if not isinstance(item.shape, MultiPolygon) or len(item.shape.geoms) < PIECES:
            continue
        slender = _slender_pieces(np.array(item.shape.geoms, dtype=object))
        # The straight ones or the bent ones, whichever are more, as far as their pens are the usual one.
        most = max(([p for p in slender if p.straight is straight] for straight in (True, False)), key=len)
        usual_pen = median(p.pen for p in most) if most else 0.0
        alike = [p for p in most if usual_pen / PIECE_PEN <= p.pen <= usual_pen * PIECE_PEN]
        if len(alike) < PIECES:
            continue
        usual = median(piece.length for piece in alike)
        odd = [piece for piece in alike if abs(piece.length - usual) > SAME * usual]
        if len(odd) == 1:
            (piece,) = odd
            yield finding(
                "style.outlier",
                f"one stroke of {item.name} is {piece.length:.3f} long, the others {usual:.3f}",
                (item.name,),
                numbers={"found": piece.length, "expected": usual},
                hint=f"make that stroke of {item.name} {usual:.3f} long",
                marks=(box(piece.box, f"{piece.length:.3f}"),),
            )


def _slender_pieces(pieces: Shapes) -> list[_Piece]:
    """Return the pieces at least twice as long as wide, without rings; a thin piece is half as long as its edge."""
    long, wide = lengths(pieces) / 2, areas(pieces)
    keep = (wide < 0.23 * long**2) & (holes(pieces) == 0)
    slender: list[_Piece] = []
    for length, area, row in zip(long[keep], wide[keep], bounds(pieces[keep]), strict=True):
        x0, y0, x1, y1 = (float(v) for v in row)
        straight = length - area / length < 1.1 * hypot(x1 - x0, y1 - y0)
        slender.append(_Piece(float(length), float(area / length), bool(straight), (x0, y0, x1, y1)))
    return slender
