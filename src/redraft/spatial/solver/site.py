"""What a planner of repairs looks at: the drawing as it stands, what is asked, and what is wrong.

A planner answers with steps. Each step has one aim and one or more ways to reach it, the preferred one first; whether
any of them is taken is decided by validating the result, never by the planner.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from redraft.result import Issue, Report
from redraft.spatial.binding import Binding, bind
from redraft.spatial.layout import Bounds, Layout, Matrix, Move, Point
from redraft.spatial.reading import Measure, Reading, Selector, Size
from redraft.spatial.rules.measures import METRES
from redraft.spatial.scenery import is_backdrop

__all__ = ["Site", "Step", "around", "centre", "displacement", "effective", "scaled_to", "snap"]

FINE = 2e-5
"""Lengths that others derive from by short decimal factors (1.2, 0.9) are multiples of this, in canvas units: then
the others, and their halves, are whole quanta too, and what is centred is so exactly."""


@dataclass(frozen=True)
class Step:
    """One aim, in words that stay the same while the drawing changes, and the ways to reach it."""

    words: str
    ways: tuple[tuple[Move, ...], ...]
    parting: bool = False
    """Meant to take parts of one object off each other."""


@dataclass(frozen=True)
class Site:
    """A drawing under repair."""

    layout: Layout
    reading: Reading
    report: Report
    seed: int = 0

    @cached_property
    def binding(self) -> Binding:
        return bind(self.reading, self.layout)

    def names(self, selector: Selector) -> tuple[str, ...]:
        """The selected items that paint something, in reading order; none where they are only guessed."""
        if not self.binding.certain(selector):
            return ()
        found = (item.name for item in self.binding.items(selector))
        return tuple(name for name in found if not self.layout.whole(name).is_empty)

    def own(self, name: str) -> Bounds:
        """The box of what an item itself paints; of all its parts when it paints nothing."""
        shape = self.layout[name].shape
        if shape.is_empty:
            return self.layout.bounds(name)
        x0, y0, x1, y1 = shape.bounds
        return (x0, y0, x1, y1)

    @cached_property
    def issues(self) -> tuple[Issue, ...]:
        """Errors, then warnings."""
        return (*self.report.errors, *self.report.warnings)

    def coded(self, *codes: str) -> list[Issue]:
        return [issue for issue in self.issues if issue.code in codes or issue.category in codes]

    @cached_property
    def backdrops(self) -> frozenset[str]:
        """Top-level things that lie behind everything: they never move."""
        return frozenset(i.name for i in self.layout.roots if is_backdrop(self.layout, i))

    def free(self, name: str) -> bool:
        """Whether an item may move: neither it nor a part of it is locked, and it is no backdrop."""
        return name not in self.backdrops and not any(i.locked for i in self.layout.family(name))

    def tops(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names less those that are part of another one of them."""
        among = tuple(dict.fromkeys(names))
        inner = {i.name for name in among for i in self.layout.family(name)[1:]}
        return tuple(name for name in among if name not in inner)

    @cached_property
    def scale(self) -> float | None:
        """Canvas units in a metre, by the largest thing whose real measure is stated."""
        drawn = [pair for c in self.reading.constraints if isinstance(c, Size) for pair in self._drawn(c)]
        if not drawn:
            return None
        largest = max(drawn, key=lambda pair: pair[0])
        return snap(largest[1], FINE)

    def _drawn(self, size: Size) -> list[tuple[float, float]]:
        """For each thing of a stated size its drawn extent and the scale that this gives."""
        found: list[tuple[float, float]] = []
        for name in self.names(size.selector):
            x0, y0, x1, y1 = self.own(name)
            lengths = [(x1 - x0, metres(size.width)), (y1 - y0, metres(size.height))]
            scales = [extent / value for extent, value in lengths if value]
            if scales and min(scales) > 0:
                found.append((max(x1 - x0, y1 - y0), math.prod(scales) ** (1 / len(scales))))
        return found

    def length(self, measure: Measure | None) -> float | None:
        """A stated length in canvas units; None where nothing is stated, or no scale is known."""
        if measure is None:
            return None
        if measure.unit == "canvas":
            return measure.value
        real = metres(measure)
        return None if real is None or self.scale is None else real * self.scale


def metres(measure: Measure | None) -> float | None:
    """A stated real length; None for a share of the canvas, or nothing."""
    return measure.value * METRES[measure.unit] if measure is not None and measure.unit in METRES else None


def snap(value: float, step: float) -> float:
    """The nearest multiple of a step."""
    return round(value / step) * step


def centre(box: Bounds) -> Point:
    return ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def around(boxes: Sequence[Bounds]) -> Bounds:
    """The box that holds all."""
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def scaled_to(name: str, box: Bounds, width: float | None, height: float | None, about: Point, reason: str) -> Move:
    """A scaling that gives a box this width and height (None: as it is), with a point that stays."""
    sx = 1.0 if width is None else width / max(box[2] - box[0], 1e-9)
    sy = 1.0 if height is None else height / max(box[3] - box[1], 1e-9)
    return Move.scale(name, sx, sy, about, reason)


def displacement(layout: Layout, moves: Iterable[Move]) -> float:
    """How far the moves take the corners of their items' boxes, summed, in units."""
    return sum(_farthest(layout.bounds(m.item), m.matrix) for m in moves if not layout.whole(m.item).is_empty)


def _farthest(box: Bounds, matrix: Matrix) -> float:
    a, b, c, d, e, f = matrix
    corners = [(x, y) for x in (box[0], box[2]) for y in (box[1], box[3])]
    return max(math.hypot(a * x + c * y + e - x, b * x + d * y + f - y) for x, y in corners)


def effective(site: Site, moves: Iterable[Move]) -> tuple[Move, ...]:
    """The moves that displace by more than a quarter of a quantum; none if one of these would move what is fixed."""
    least = site.layout.frame.quantum / 4
    real = tuple(m for m in moves if displacement(site.layout, (m,)) > least)
    return real if all(site.free(m.item) for m in real) else ()
