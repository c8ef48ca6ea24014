"""Alignment and stated spacing: rows and columns that the brief asks for, and gaps that it wants equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from redraft.result import Issue
from redraft.spatial.layout import Bounds, Item
from redraft.spatial.reading import Align, EqualSpacing, Measure
from redraft.spatial.rules.distances import allowed
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import arrow, centre, found

__all__ = ["aligned", "spaced", "uneven"]

LEVEL = 0.012
"""Off by so much of the canvas is still in line."""
CROOKED = 0.03


def aligned(scene: Scene, align: Align) -> Iterator[Issue]:
    """Each thing against the line of the others. "In a row" without an edge: by the feet, the centres or the heads."""
    items = list({i.name: i for s in align.selectors for i in scene.binding.items(s)}.values())
    if len(items) < 2:
        return
    across = 1 if align.axis == "x" else 0
    edge = align.edge if align.edge in align.phrase.lower() else "center"  # "in a row" names no edge
    lines = [_line(scene, items, across, e) for e in _edges(edge, across)]
    values = min(lines, key=lambda line: max(line) - min(line))
    usual = sorted(values)[len(values) // 2]
    for item, value in zip(items, values, strict=True):
        off = value - usual
        if abs(off) > LEVEL:
            step = (0.0, -off) if across else (-off, 0.0)
            yield found(
                "alignment.row",
                "error" if abs(off) > CROOKED else "warning",
                f"{item.name} is {abs(off):.3f} off the {'row' if across else 'column'} of the others",
                (item.name,),
                numbers={"found": value, "expected": usual},
                mend=scene.way(item.name, *step),
                marks=(arrow(centre(scene.box(item.name)), _moved(centre(scene.box(item.name)), step)),),
                phrase=align.phrase,
            )


def _moved(at: tuple[float, float], step: tuple[float, float]) -> tuple[float, float]:
    return (at[0] + step[0], at[1] + step[1])


def _edges(edge: str, across: int) -> Sequence[str]:
    far = ("top", "bottom") if across else ("left", "right")
    return (edge,) if edge in far else (*far, "center", "own")


def _line(scene: Scene, items: Sequence[Item], across: int, edge: str) -> list[float]:
    """Where each stands across the row, by one edge of its box; "own" is the centre of what it paints itself."""
    boxes = [scene.own_box(i) if edge == "own" else scene.box(i.name) for i in items]
    if edge in {"top", "left"}:
        return [b[across] for b in boxes]
    return [b[across + 2] if edge in {"bottom", "right"} else centre(b)[across] for b in boxes]


def spaced(scene: Scene, spacing: EqualSpacing) -> Iterator[Issue]:
    """Gaps edge to edge, within 2 % of their mean or 0.003: of wholes or of chief parts, whichever are evener."""
    axis = 0 if spacing.axis == "x" else 1
    items = scene.binding.items(spacing.selector)
    if len(items) < 2 or (len(items) < 3 and spacing.gap is None):
        return
    choices = [[scene.box(i.name) for i in items], [scene.own_box(i) for i in items]]
    found_gaps = [_gaps(boxes, axis) for boxes in choices]
    gaps = min(found_gaps, key=lambda g: max(v for v, _, _ in g) - min(v for v, _, _ in g))
    yield from uneven(scene, "spacing.stated", items, axis, gaps, spacing.gap, spacing.phrase)


def _gaps(boxes: Sequence[Bounds], axis: int) -> list[tuple[float, int, int]]:
    """Gaps between neighbours along an axis, with the indices of both."""
    order = sorted(range(len(boxes)), key=lambda i: (boxes[i][axis], i))
    return [(boxes[b][axis] - boxes[a][axis + 2], a, b) for a, b in pairwise(order)]


def uneven(
    scene: Scene,
    code: str,
    items: Sequence[Item],
    axis: int,
    gaps: Sequence[tuple[float, int, int]],
    measure: Measure | None,
    phrase: str,
) -> Iterator[Issue]:
    """An error for each gap that is off the stated one, or the mean."""
    fixed = measure is not None and measure.unit == "canvas"
    want = measure.value if fixed and measure is not None else sum(g for g, _, _ in gaps) / len(gaps)
    room = allowed(want) if fixed else max(0.02 * abs(want), 0.003)
    for gap, first, second in gaps:
        if abs(gap - want) > room:
            one, other = items[first].name, items[second].name
            step = (want - gap, 0.0) if axis == 0 else (0.0, want - gap)
            yield found(
                code,
                "error",
                f"the gap between {one} and {other} is {gap:.3f}; it should be {want:.3f}",
                (one, other),
                numbers={"found": gap, "expected": want},
                mend=scene.way(other, *step),
                marks=(arrow(centre(scene.box(one)), centre(scene.box(other)), f"{gap:.3f}"),),
                phrase=phrase,
            )
