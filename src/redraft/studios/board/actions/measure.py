"""Measuring what actions set, on the board as it is: shapes, gaps, angles and places; numbers to the nanometer.

Only shapes and pads are measured, by no code that carries actions out, so that a bug there cannot hide itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import TYPE_CHECKING, Literal

from shapely import LineString, Polygon, STRtree, box, get_parts
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from redraft.layout.items import Layout, Move, Point, Port
from redraft.studios.board.actions.fields import Measured, Side
from redraft.studios.board.actions.plans import written

if TYPE_CHECKING:
    from redraft.studios.board.spec import Carried

Place = tuple[float, float, float, int]
"""Where a part lies: x and y of the middle of its box, degrees, layer."""
Limit = Literal["exactly", "at_least", "at_most"]

NM = 1.001e-6
"""A nanometer in millimeters, and a little: round and turned shapes come to rest on the next one."""
ANGLE_TOLERANCE = 1e-6
"""Degrees."""
FAR = 1e6
"""Millimeters: farther than any board reaches."""
MAX_PAIRS_NAMED = 3
"""Pairs of parts that a sentence names."""


@dataclass(frozen=True)
class Figure:
    """A number of an action, and what was measured of it, once for each part or gap."""

    value: float
    measured: tuple[float, ...]
    limit: Limit = "exactly"
    angle: bool = False
    unsigned: bool = False
    """The brief may say its direction in words."""
    free: bool = False
    """The action does not set it: it has to hold only where the brief has this number."""

    @property
    def off(self) -> float:
        """The error of the worst measured number, in tolerances."""
        return max((self._off(measured) for measured in self.measured), default=0.0)

    @property
    def worst(self) -> float:
        """The measured number that is farthest off."""
        return max(self.measured, key=self._off, default=self.value)

    def _off(self, measured: float) -> float:
        more = measured - self.value
        if self.angle:
            return abs(turn_between(measured, self.value)) / ANGLE_TOLERANCE
        return max(0.0, {"exactly": abs(more), "at_least": -more, "at_most": more}[self.limit]) / NM

    def says(self, value: float, *, angle: bool | None) -> bool:
        """Return whether this is a number of the brief; `angle` is None where the brief does not say which it is."""
        if angle not in (None, self.angle):
            return False
        values = (value, -value) if self.unsigned else (value,)
        if self.angle:
            return any(abs(turn_between(one, self.value)) <= ANGLE_TOLERANCE for one in values)
        return any(round(one / 1e-6) == round(self.value / 1e-6) for one in values)


@dataclass(frozen=True)
class Reading:
    """An action, or a part of one, as it was measured."""

    words: str = ""
    """What was measured."""
    figures: tuple[Figure, ...] = ()
    violations: tuple[str, ...] = ()
    """Sentences about what does not hold."""

    @property
    def holds(self) -> bool:
        return not self.violations and all(figure.off <= 1.0 for figure in self.figures if not figure.free)


# Numbers ------------------------------------------------------------------------------------------------------------


def turn_between(angle: float, other: float) -> float:
    """Return the turn from one angle to another, from -180 up to 180 degrees."""
    return (angle - other + 180.0) % 360.0 - 180.0


def span(values: Sequence[float], unit: str = " mm") -> str:
    """Return `0.5 mm`, `0.5 to 0.7 mm`."""
    low, high = (written(value) for value in (min(values), max(values)))
    return f"{low}{unit}" if low == high else f"{low} to {high}{unit}"


def figures_of(
    carried: Carried, value: float | None, measured: tuple[float, ...], *, free: bool = False
) -> tuple[Figure, ...]:
    """Return the number that an action sets, or the limits that its words allow in place of it."""
    limits: tuple[tuple[float | None, Limit], ...] = ((carried.at_least, "at_least"), (carried.at_most, "at_most"))
    figures = tuple(Figure(bound, measured, limit) for bound, limit in limits if bound is not None)
    return figures if figures or value is None else (Figure(value, measured, free=free),)


def pitch_figure(pitches: Sequence[float]) -> tuple[Figure, ...]:
    """Return the distance from middle to middle, if it is the same throughout: the brief may ask for it."""
    if max(pitches) - min(pitches) > NM:
        return ()
    return (Figure(round(pitches[0], 6), tuple(pitches), free=True),)


# Shapes and gaps ----------------------------------------------------------------------------------------------------


def shape_of(layout: Layout, target: str, measure: Measured) -> BaseGeometry:
    """Return the shape that a distance is measured from: of a pad ("U1.4"), or of a part's room, body or pads."""
    owner, _, port = target.rpartition(".")
    if target not in layout:
        return unary_union([p.shape for p in layout[owner].ports_named(port)])
    item = layout[target]
    if measure == "pad" and item.ports:
        return unary_union([p.shape for p in item.ports])
    if measure == "body" and item.body is not None:
        return item.body
    return layout.whole(target)


def pads_of(layout: Layout, target: str, measure: Measured) -> tuple[Port, ...]:
    """Return the pads that a distance is measured between; none where it is measured from a part's room or body."""
    if target in layout:
        return layout[target].ports if measure == "pad" else ()
    owner, _, port = target.rpartition(".")
    return layout[owner].ports_named(port)


def distance_of(layout: Layout, a: str, b: str, measure: Measured) -> float:
    """Return the clear distance of two parts or pads; of pads with their round ends exact."""
    first, second = pads_of(layout, a, measure), pads_of(layout, b, measure)
    if first and second:
        return min(p.distance(q) for p, q in product(first, second))
    return float(shape_of(layout, a, measure).distance(shape_of(layout, b, measure)))


def side_gaps(mine: Sequence[float], other: Sequence[float], side: Side) -> tuple[float, float]:
    """Return how far a box lies beyond another one on a side (below 0: within it), and how far past it across."""
    x0, y0, x1, y1 = mine
    u0, v0, u1, v1 = other
    along = {"left": u0 - x1, "right": x0 - u1, "top": v0 - y1, "bottom": y0 - v1}[side]
    across = max(v0 - y1, y0 - v1) if side in {"left", "right"} else max(u0 - x1, x0 - u1)
    return along, across


def edge_gap(layout: Layout, ref: str, side: Side) -> float:
    """Return the gap from a part's box to the board's outline on a side, straight out; below 0 where it hangs over.

    Infinite where there is no outline on that side.
    """
    if layout.area is None:
        return math.inf
    x0, y0, x1, y1 = layout.bounds(ref)
    xm, ym = (x0 + x1) / 2, (y0 + y1) / 2
    strip = {
        "left": box(-FAR, y0, xm, y1), "right": box(xm, y0, FAR, y1),
        "top": box(x0, -FAR, x1, ym), "bottom": box(x0, ym, x1, FAR),
    }[side]  # fmt: skip

    # Edges that run straight out belong to other sides, and parts are not placed at the edges of cut-outs.
    across = 1 if side in {"left", "right"} else 0
    rings = [part.exterior.coords for part in get_parts(layout.area) if isinstance(part, Polygon)]
    facing = [LineString(edge) for ring in rings for edge in pairwise(ring) if edge[0][across] != edge[1][across]]
    outline = unary_union(facing).intersection(strip)
    if outline.is_empty:
        return math.inf
    u0, v0, u1, v1 = outline.bounds
    return {"left": x0 - u1, "right": u0 - x1, "top": y0 - v1, "bottom": v0 - y1}[side]


def pairs_nearer(layout: Layout, refs: Sequence[str], reach: float) -> Iterator[tuple[str, str, float]]:
    """Yield pairs of parts on one side of the board that are nearer than `reach`, with their gap; below 0: overlap.

    With `refs`, at least one of each pair is among them.
    """
    items = [item for item in layout.roots if not layout.whole(item.name).is_empty]
    shapes = [layout.whole(item.name) for item in items]
    near = STRtree(shapes).query(shapes, predicate="dwithin", distance=reach).T
    for i, j in sorted((int(i), int(j)) for i, j in near if i < j):
        if items[i].layer == items[j].layer and (not refs or {items[i].name, items[j].name} & set(refs)):
            gap = float(shapes[i].distance(shapes[j]))
            shared = shapes[i].intersection(shapes[j]) if not gap else None
            if shared is not None and not shared.is_empty:
                x0, y0, x1, y1 = shared.bounds
                gap = -min(x1 - x0, y1 - y0)
            if gap < reach - NM:
                yield items[i].name, items[j].name, gap


# Places -------------------------------------------------------------------------------------------------------------


def center(bounds: Sequence[float], axis: int) -> float:
    """Return the middle of a box along an axis."""
    return (bounds[axis] + bounds[axis + 2]) / 2


def middle_of(layout: Layout, ref: str) -> Point:
    """Return the middle of a part's box."""
    bounds = layout.bounds(ref)
    return (center(bounds, 0), center(bounds, 1))


def place_of(layout: Layout, ref: str) -> Place:
    """Return where a part lies."""
    return (*middle_of(layout, ref), layout[ref].rotation, layout[ref].layer)


def places_of(layout: Layout, refs: Iterable[str]) -> dict[str, Place]:
    """Return where parts lie, by name."""
    return {ref: place_of(layout, ref) for ref in refs}


def apart(here: Sequence[float], there: Sequence[float]) -> float:
    """Return how far two points lie apart along x or y, whichever is more."""
    return max(abs(here[0] - there[0]), abs(here[1] - there[1]))


def is_at(layout: Layout, ref: str, was: Place) -> bool:
    """Return whether a part lies where it lay, turned as it was, on the same side."""
    x, y, rotation, layer = place_of(layout, ref)
    return apart((x, y), was) <= NM and abs(turn_between(rotation, was[2])) <= ANGLE_TOLERANCE and layer == was[3]


def rigid_motion(before: Sequence[Place], after: Sequence[Place]) -> tuple[list[int], float, bool]:
    """Read the one rigid motion that moved the first of some parts.

    Returns:
        which parts it does not explain, by how many degrees it turns, and whether it changes the side.
    """
    (x, y, first, side), (u, v, last, other) = before[0], after[0]
    flipped = side != other
    mirror = -1.0 if flipped else 1.0
    turn = (last - mirror * first) % 360.0
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    odd: list[int] = []
    for i, (was, now) in enumerate(zip(before, after, strict=True)):
        dx, dy = was[0] - x, mirror * (was[1] - y)
        goal = (u + cos * dx + sin * dy, v - sin * dx + cos * dy)
        turned = turn_between(now[2] - mirror * was[2], turn)
        if apart(now, goal) > 2 * NM or abs(turned) > ANGLE_TOLERANCE or (was[3] != now[3]) is not flipped:
            odd.append(i)
    return odd, turn, flipped


def as_it_was(layout: Layout, was: Mapping[str, Place]) -> Layout:
    """Return the layout with parts where they lay before."""
    for name, (x, y, rotation, layer) in was.items():
        if layout[name].layer != layer:
            layout = layout.moved([Move(name, (1.0, 0.0, 0.0, -1.0, 0.0, 0.0), flips=True)])
        layout = layout.moved([Move.turn(name, rotation - layout[name].rotation, middle_of(layout, name))])
        u, v = middle_of(layout, name)
        layout = layout.moved([Move.shift(name, x - u, y - v)])
    return layout
