"""Style: like things drawn with unlike pens, and one stroke out of many that has another length. Warnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

import numpy as np
from shapely.geometry import MultiPolygon

from redraft.result import Issue
from redraft.spatial.labels import head
from redraft.spatial.layout import Bounds
from redraft.spatial.rules.arrays import Shapes, areas, bounds, lengths
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import box, found

__all__ = ["odd_pens", "odd_strokes"]

PEN = 2.5
"""Pens of like things within this factor are one style."""
MANY = 6
SAME = 0.2
"""Lengths within this share of the median are one length."""


def odd_pens(scene: Scene) -> Iterator[Issue]:
    """One of three or more like parts whose finest pen is far from that of the others, which agree."""
    kinds: dict[tuple[str, bool], list[tuple[str, float]]] = {}
    for item in scene.parts:  # a leg drawn as one stroke has no outline to compare
        kinds.setdefault((head(item.label), item.is_line), []).append((item.name, min(item.style.widths, default=0.0)))
    for members in kinds.values():
        if len(members) >= 3:
            yield from _odd_pen(scene, members)


def _odd_pen(scene: Scene, members: Sequence[tuple[str, float]]) -> Iterator[Issue]:
    usual = median(pen for _, pen in members)
    odd = [(name, pen) for name, pen in members if not usual / PEN <= pen <= usual * PEN]
    if len(odd) == 1 and usual > 0:
        name, pen = odd[0]
        yield found(
            "style.pen",
            "warning",
            f"{name} is drawn with a pen {pen:.4f} wide, the others of its kind with {usual:.4f}",
            (name,),
            numbers={"found": pen, "expected": usual},
            mend=f"draw {name} with a pen {usual:.4f} wide",
            marks=(box(scene.box(name), name),),
        )


def odd_strokes(scene: Scene) -> Iterator[Issue]:
    """Of six or more separate slender pieces of one part (rays, spokes, ticks), one that is shorter or longer."""
    for item in scene.parts:
        if isinstance(item.shape, MultiPolygon) and len(item.shape.geoms) >= MANY:
            slender = _slender(np.array(item.shape.geoms, dtype=object))
            worst = _outlier([length for length, _ in slender])
            if worst is not None:
                yield _odd_stroke(item.name, *slender[worst], median(length for length, _ in slender))


def _slender(pieces: Shapes) -> list[tuple[float, Bounds]]:
    """Length and box of the pieces at least twice as long as wide; the length of a thin piece is half its edge."""
    long = lengths(pieces) / 2
    keep = areas(pieces) < 0.23 * long**2
    boxes = bounds(pieces)
    return [
        (float(length), (float(b[0]), float(b[1]), float(b[2]), float(b[3])))
        for length, b in zip(long[keep], boxes[keep], strict=True)
    ]


def _outlier(long: Sequence[float]) -> int | None:
    if len(long) < MANY:
        return None
    usual = median(long)
    off = [i for i, length in enumerate(long) if abs(length - usual) > SAME * usual]
    return off[0] if len(off) == 1 else None


def _odd_stroke(name: str, length: float, where: Bounds, usual: float) -> Issue:
    return found(
        "style.outlier",
        "warning",
        f"one stroke of {name} is {length:.3f} long, the others {usual:.3f}",
        (name,),
        numbers={"found": length, "expected": usual},
        mend=f"make that stroke of {name} {usual:.3f} long",
        marks=(box(where, f"{length:.3f}"),),
    )
