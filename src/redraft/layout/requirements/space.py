"""Parts as requirements measure them: names and patterns, boxes, shapes and heights, and single comparisons."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely.affinity import rotate
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Bounds, Item, Layout
from redraft.layout.requirements.statement import CANVAS, Limit, Requirement

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Check:
    """One comparison within a requirement: of what, the number found, and the one expected."""

    names: tuple[str, ...]
    found: float
    expected: float
    tolerance: float
    """Beyond, it is broken."""
    words: str
    """The finding in words."""
    exact: float = 0.0
    """Up to this error it is exact; up to the tolerance it is met inexactly."""
    limit: Limit = "exactly"

    @property
    def error(self) -> float:
        more = self.found - self.expected
        return abs(more) if self.limit == "exactly" else max(0.0, -more if self.limit == "at_least" else more)

    @property
    def deviation(self) -> float:
        return min(self.error / self.tolerance if self.tolerance > 0 else math.inf if self.error else 0.0, 1e6)


Span = tuple[float, float]
Box = tuple[Span, Span, Span]
"""From where to where along x, y and z; on paper z is nothing."""
RESTS = 0.03
"""Largest gap under a standing part, as a share of the frame."""


@dataclass(frozen=True)
class Space:
    """A layout as requirements measure it: by whole families, or by what parts paint themselves."""

    layout: Layout
    own: bool = False
    bare: bool = False
    """Boxes without the width of the pens that the parts are drawn with."""
    scale: float = 1.0
    """Units of the frame in one real unit."""

    @property
    def plan(self) -> bool:
        return self.layout.frame.plan

    @cached_property
    def extent(self) -> float:
        """The longer side of the frame."""
        x0, y0, x1, y1 = self.layout.frame.bounds
        return max(x1 - x0, y1 - y0, 1e-9)

    @property
    def exact(self) -> float:
        """Lengths that differ by less are equal: two steps of the frame, in a scene the 0.1 mm it is measured to."""
        return max(2 * self.layout.frame.quantum, 2e-4 if self.plan else 0.0)

    @property
    def slack(self) -> float:
        """By so much a place or gap may be off."""
        return self.extent * (0.005 if self.plan else 0.01)

    def room(self, size: float) -> float:
        """By so much a size may be off: 3 % of it, or the slack where that is more, but a tenth of it at most."""
        return max(0.03 * size, min(self.slack, 0.1 * size), self.exact)

    def gap_room(self, gap: float, limit: Limit = "exactly") -> float:
        """By so much a gap may be off: 3 % of it, or the slack where that is more; of a bound a fifth of the slack."""
        return max(0.03 * gap, self.slack if limit == "exactly" else 0.2 * self.slack)

    def along(self, names: Sequence[str], axis: int) -> Space:
        """Return the space with parts turned so that the line through their centers runs along x (0) or y (1)."""
        x, y = (np.array([middle(self.box(name)[i]) for name in names]) for i in (0, 1))
        (xx, xy), (_, yy) = np.cov(x, y)
        angle = 90.0 * axis - math.degrees(0.5 * math.atan2(2 * xy, xx - yy))
        ours = {item.name for name in names for item in self.layout.family(name)}
        items = [
            replace(item, shape=rotate(item.shape, angle, origin=(0, 0))) if item.name in ours else item
            for item in self.layout
        ]
        return replace(self, layout=replace(self.layout, items=tuple(items)))

    def shape(self, name: str, without: str = "") -> BaseGeometry:
        """Return the paint of a part without another part and that one's parts."""
        if name == CANVAS and name not in self.layout:
            return box(*self.layout.frame.bounds)
        own = self.layout[name].shape
        if self.own and not own.is_empty:
            return own
        if without and without != name and name in self.layout.ancestors(without):
            excluded = {item.name for item in self.layout.family(without)}
            rest = shapely.union_all([i.shape for i in self.layout.family(name) if i.name not in excluded])
            return rest if not rest.is_empty else self.layout.whole(name)
        return self.layout.whole(name)

    def solid(self, name: str) -> BaseGeometry:
        """Return the silhouette of a part: its shape with the holes filled in."""
        polygons = [part for part in shapely.get_parts(self.shape(name)) if isinstance(part, shapely.Polygon)]
        return shapely.union_all([shapely.Polygon(p.exterior) for p in polygons]) if polygons else self.shape(name)

    def box(self, name: str, without: str = "") -> Box:
        if self.bare and name in self.layout and not (without and name in self.layout.ancestors(without)):
            x0, y0, x1, y1 = self._bare(name)
        else:
            shape = self.shape(name, without)
            x0, y0, x1, y1 = shape.bounds if not shape.is_empty else (0.0, 0.0, 0.0, 0.0)
        return (x0, x1), (y0, y1), self.rise(name)

    def _bare(self, name: str) -> Bounds:
        item = self.layout[name]
        items = (item,) if self.own and not item.shape.is_empty else self.layout.family(name)
        boxes = [without_pens(i) for i in items if not i.shape.is_empty]
        if not boxes:
            return (0.0, 0.0, 0.0, 0.0)
        lows, highs = zip(*(b[:2] for b in boxes), strict=True), zip(*(b[2:] for b in boxes), strict=True)
        (x0, y0), (x1, y1) = map(min, lows), map(max, highs)
        return (x0, y0, x1, y1)

    def rise(self, name: str) -> Span:
        """Return the lowest and the highest height."""
        if not self.plan:
            return 0.0, 0.0
        if name == CANVAS and name not in self.layout:
            items: Sequence[Item] = self.layout.items
        else:
            item = self.layout[name]
            items = (item,) if self.own and not item.shape.is_empty else self.layout.family(name)
        heights = [item.height for item in items if item.height is not None]
        return min((h[0] for h in heights), default=0.0), max((h[1] for h in heights), default=0.0)

    def front(self, name: str) -> Bounds:
        """The box as a viewer sees it, y down: of a scene, from its camera."""
        (x0, x1), (y0, y1), (z0, z1) = self.box(name)
        return (x0, -z1, x1, -z0) if self.plan else (x0, y0, x1, y1)

    @property
    def upright(self) -> int:
        """The axis of heights."""
        return 2 if self.plan else 1


def without_pens(item: Item) -> Bounds:
    """Return the box of an item's lines and fills; if they are not known, its box less half its widest pen."""
    x0, y0, x1, y1 = item.shape.bounds
    if item.bare is not None:
        x0, y0, x1, y1 = item.bare.bounds
    else:
        pen = max(item.style.widths, default=0.0)
        dx, dy = min(pen, x1 - x0) / 2, min(pen, y1 - y0) / 2
        x0, y0, x1, y1 = x0 + dx, y0 + dy, x1 - dx, y1 - dy
    return (x0, y0, x1, y1)


def around(boxes: Sequence[Box]) -> Box:
    spans = [(min(b[i][0] for b in boxes), max(b[i][1] for b in boxes)) for i in range(3)]
    return spans[0], spans[1], spans[2]


def middle(span: Span) -> float:
    return (span[0] + span[1]) / 2


def length_of(span: Span) -> float:
    return span[1] - span[0]


def sides_of(shape: BaseGeometry) -> Sequence[tuple[float, NDArray[np.float64]]]:
    """Return the two sides of the smallest rectangle around a shape, the shorter first, each with its length.

    A point or a line has none.
    """
    corners = shapely.get_coordinates(shape.minimum_rotated_rectangle)
    if len(corners) < 5:
        return ()
    sides = corners[1] - corners[0], corners[2] - corners[1]
    return sorted(((float(np.hypot(*side)), side) for side in sides), key=lambda side: side[0])


def are_near(a: Box, b: Box, gap: float) -> bool:
    """Return whether two boxes are at most a gap apart, seen from above in a scene."""
    return all(a[i][0] <= b[i][1] + gap and b[i][0] <= a[i][1] + gap for i in (0, 1))


AXES = {"x": 0, "y": 1, "z": 2}


def gap_between(space: Space, name: str, other: str, axis: str | None) -> float:
    """Return the gap from edge to edge: of exact shapes, or of boxes along an axis (negative if they overlap)."""
    if axis is not None:
        at = AXES[axis]
        mine, theirs = space.box(name)[at], space.box(other, without=name)[at]
        if other == CANVAS and other not in space.layout:
            return min(mine[0] - theirs[0], theirs[1] - mine[1])
        return max(theirs[0] - mine[1], mine[0] - theirs[1])
    shape, theirs = space.shape(name), space.shape(other, without=name)
    if other == CANVAS and other not in space.layout:
        return float(shape.distance(theirs.boundary))
    (z0, z1), (c0, c1) = space.rise(name), space.rise(other)
    return math.hypot(float(shape.distance(theirs)), max(c0 - z1, z0 - c1, 0.0))


def badness(checks: Sequence[Check]) -> tuple[float, float]:
    """Return the worst deviation of comparisons, and the sum of all, by which the better of two readings is chosen."""
    return max((c.deviation for c in checks), default=0.0), sum(c.deviation for c in checks)


def matching(pattern: str, layout: Layout) -> tuple[str, ...]:
    """Return the parts that a name or pattern matches, visible or not, without parts of these parts."""
    if "*" not in pattern:
        return (pattern,) if pattern in layout else ()
    if pattern in layout.matched:
        return layout.matched[pattern]
    first, *middle, last = pattern.split("*")
    names: list[str] = []
    for item in layout:
        name = item.name
        if len(name) < len(first) + len(last) or not (name.startswith(first) and name.endswith(last)):
            continue
        at, end = len(first), len(name) - len(last)
        for piece in middle:
            at = name.find(piece, at, end) + len(piece) if name.find(piece, at, end) >= 0 else end + 1
        if at <= end:
            names.append(name)
    layout.matched[pattern] = _individuals(names, layout)
    return layout.matched[pattern]


_PART_OF = re.compile(r"[ _]\D")
"""The continuation of a name in that of a part: `house_door`, `Wooden table leg 1`, but not `bar_1` after `bar`."""


def _individuals(names: Sequence[str], layout: Layout) -> tuple[str, ...]:
    """Return the names of individuals among those that one pattern matches: no parts of them, and no name of them all.

    Of `house_1` and its `house_1_door` that is the house; of `bar_1` to `bar_5` in a `bar_chart` the five; of numbered
    stations and `station_names`, which has another label, the stations.
    """
    every, labels = set(names), Counter(layout[name].label for name in names)
    usual, most = labels.most_common(1)[0] if labels else ("", 0)
    numbered = sum(name[-1].isdigit() and layout[name].label == usual for name in names)
    within: dict[str, Counter[str]] = {}
    for name in names:
        for above in layout.ancestors(name):
            if above in every and not name.startswith(above):
                within.setdefault(above, Counter())[layout[name].label] += 1
    kept = {
        name
        for name in names
        if not (
            (labels[label := layout[name].label] == 1 and within.get(name) and max(within[name].values()) > 1)
            or (
                (label != usual and not name[-1].isdigit() and 2 * most > len(names) and numbered == most > 1)
                and not any(name in layout.ancestors(part) and _PART_OF.match(part, len(name)) for part in names)
            )
        )
    }
    return tuple(
        name
        for name in names
        if name in kept
        and not any(
            a in kept and (layout[a].label != layout[name].label or name.startswith((f"{a}_", f"{a} ")))
            for a in layout.ancestors(name)
        )
    )


def named(patterns: Sequence[str], layout: Layout) -> tuple[str, ...]:
    """Return all names that patterns match, visible or not, in the order of the patterns."""
    return tuple(dict.fromkeys(name for pattern in patterns for name in matching(pattern, layout)))


def bound(patterns: Sequence[str], layout: Layout) -> tuple[str, ...]:
    """Return the names of the visible parts that patterns match: by pattern, and within one in reading order.

    A pattern never matches a part of a part that it matches: of `house_1` and its `house_1_door`, `house_*` is the
    house.
    """
    names: dict[str, None] = {}
    for pattern in patterns:
        visible = [name for name in matching(pattern, layout) if name in layout.visible]
        names |= dict.fromkeys(_in_reading_order(visible, layout))
    return tuple(names)


def others_of(read: Requirement, layout: Layout) -> tuple[str, ...]:
    """Return the visible parts that `of` names, else those with a place; the canvas too."""
    names = bound(read.of, layout) or tuple(n for n in named(read.of, layout) if not layout.whole(n).is_empty)
    return (*names, CANVAS) if CANVAS in read.of and CANVAS not in layout else names


def _in_reading_order(names: Sequence[str], layout: Layout) -> Sequence[str]:
    """Return names from left to right if no part stands above another, else by rows from the top."""
    if len(names) < 2:
        return names
    space = Space(layout, own=True)
    boxes = {name: space.front(name) for name in names}
    across = sorted(names, key=lambda n: boxes[n][0] + boxes[n][2])

    def overlap(a: Bounds, b: Bounds) -> bool:
        return min(a[2], b[2]) - b[0] > 0.5 * min(a[2] - a[0], b[2] - b[0])

    if not any(overlap(boxes[a], boxes[b]) for a, b in pairwise(across)):
        return across
    rows: list[list[str]] = []
    for name in sorted(across, key=lambda n: boxes[n][1] + boxes[n][3]):
        if rows and boxes[name][1] + boxes[name][3] < 2 * boxes[rows[-1][0]][3]:
            rows[-1].append(name)
        else:
            rows.append([name])
    return [name for row in rows for name in sorted(row, key=lambda n: boxes[n][0] + boxes[n][2])]
