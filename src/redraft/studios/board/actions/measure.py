"""Actions measured anew on the board as it is; a number to the nanometer.

Only shapes and pads are measured, by no code that carries actions out, so that a bug there cannot hide itself."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from itertools import pairwise, product
from typing import Literal

from shapely import LineString, Polygon, STRtree, box, get_parts
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from redraft.layout.items import Bounds, Layout, Move, Point, Port
from redraft.studios.board.actions.fields import (
    EDGE,
    Align,
    ClusterAround,
    CopyBlock,
    Decouple,
    Distribute,
    Flip,
    Legalise,
    Lock,
    Measured,
    MoveBlock,
    MoveBy,
    MoveToEdge,
    PlaceAll,
    PlaceComponent,
    PlaceOverhang,
    PlaceRelative,
    Rotate,
    Side,
    Stack,
    Swap,
    refs_of,
)
from redraft.studios.board.actions.plans import number
from redraft.studios.board.place.blocks import box_of, corresponding, members, target_box, with_members
from redraft.studios.board.place.circuit import circuit_of
from redraft.studios.board.place.decoupling import served
from redraft.studios.board.place.netlist import beside
from redraft.studios.board.solve.arguments import block_of, shortlist
from redraft.studios.board.spec import Carried, Stated
from redraft.studios.board.wires import wire_lengths
from redraft.text import natural

_FAR = 1e6


def shape_of(layout: Layout, target: str, measure: Measured) -> BaseGeometry:
    """The shape that a distance is measured from: of a pad ("U1.4"), or of a part's room, body or pads."""
    owner, _, port = target.rpartition(".")
    if target not in layout:
        return unary_union([p.shape for p in layout[owner].ports_named(port)])
    item = layout[target]
    if measure == "pad" and item.ports:
        return unary_union([p.shape for p in item.ports])
    if measure == "body" and item.body is not None:
        return item.body
    return layout.whole(target)


def distance_of(layout: Layout, a: str, b: str, measure: Measured) -> float:
    """The clear distance of two parts or pads; of pads with their round ends exact."""
    first, second = _ports(layout, a, measure), _ports(layout, b, measure)
    if first and second:
        return min(p.distance(q) for p, q in product(first, second))
    return float(shape_of(layout, a, measure).distance(shape_of(layout, b, measure)))


def _ports(layout: Layout, target: str, measure: Measured) -> tuple[Port, ...]:
    if target in layout:
        return layout[target].ports if measure == "pad" else ()
    owner, _, port = target.rpartition(".")
    return layout[owner].ports_named(port)


def side_gaps(mine: Bounds, other: Bounds, side: Side) -> tuple[float, float]:
    """How far a box lies beyond another one on a side (negative: it reaches into it), and how far past it across."""
    x0, y0, x1, y1 = mine
    u0, v0, u1, v1 = other
    along = {"left": u0 - x1, "right": x0 - u1, "top": v0 - y1, "bottom": y0 - v1}[side]
    across = max(v0 - y1, y0 - v1) if side in {"left", "right"} else max(u0 - x1, x0 - u1)
    return along, across


def box_gap(a: Bounds, b: Bounds, axis: str) -> float:
    """From the end of the first to the beginning of the second, along an axis."""
    return b[0] - a[2] if axis == "x" else b[1] - a[3]


def middle_of(layout: Layout, ref: str) -> Point:
    """Of its box."""
    x0, y0, x1, y1 = layout.bounds(ref)
    return ((x0 + x1) / 2, (y0 + y1) / 2)


def edge_gap(layout: Layout, ref: str, side: Side) -> float:
    """From a part's box to the board's outline on a side, straight out; negative where it hangs over.

    Edges that run straight out are of other sides. Infinite where there is no outline on that side.
    """
    if layout.area is None:
        return math.inf
    x0, y0, x1, y1 = layout.bounds(ref)
    xm, ym = (x0 + x1) / 2, (y0 + y1) / 2
    strip = {
        "left": box(-_FAR, y0, xm, y1), "right": box(xm, y0, _FAR, y1),
        "top": box(x0, -_FAR, x1, ym), "bottom": box(x0, ym, x1, _FAR),
    }[side]  # fmt: skip
    met = unary_union(_facing(layout.area, 0 if side in {"left", "right"} else 1)).intersection(strip)
    if met.is_empty:
        return math.inf
    u0, v0, u1, v1 = met.bounds
    return {"left": x0 - u1, "right": u0 - x1, "top": y0 - v1, "bottom": v0 - y1}[side]


def _facing(area: BaseGeometry, axis: int) -> list[LineString]:
    """The outer edges but for those along an axis: parts are not placed at the edges of cut-outs."""
    rings = [part.exterior.coords for part in get_parts(area) if isinstance(part, Polygon)]
    return [LineString(edge) for ring in rings for edge in pairwise(ring) if edge[0][1 - axis] != edge[1][1 - axis]]


Limit = Literal["exactly", "at_least", "at_most"]

NM = 1.001e-6
"""A nanometer in millimeters: round and turned shapes come to rest on the next one."""
TURN = 1e-6
"""Degrees."""
FAR = 1e6
SHOWN = 3
"""Pairs of parts that a sentence names."""
_BESIDE: dict[Side, str] = {"left": "left of", "right": "right of", "top": "above", "bottom": "below"}
_WAYS: dict[str, Side] = {"left": "left", "right": "right", "up": "top", "down": "bottom"}


@dataclass(frozen=True)
class Figure:
    """A number of an action, and what was measured of it, once for each part or gap."""

    value: float
    found: tuple[float, ...]
    limit: Limit = "exactly"
    angle: bool = False
    unsigned: bool = False
    """The brief may say its direction in words."""
    free: bool = False
    """The action does not set it: it has to hold only where the brief has this number."""

    @property
    def off(self) -> float:
        """How far the worst is off, in tolerances."""
        return max((self._off(found) for found in self.found), default=0.0)

    @property
    def worst(self) -> float:
        return max(self.found, key=self._off, default=self.value)

    def _off(self, found: float) -> float:
        more = found - self.value
        if self.angle:
            return abs((more + 180.0) % 360.0 - 180.0) / TURN
        return max(0.0, {"exactly": abs(more), "at_least": -more, "at_most": more}[self.limit]) / NM

    def says(self, value: float, *, angle: bool | None) -> bool:
        """Whether this is the number of the brief; `angle` is None where that does not say which it is."""
        if angle not in (None, self.angle):
            return False
        pairs = [(value, self.value)] + ([(-value, self.value)] if self.unsigned else [])
        if self.angle:
            return any(abs((a - b + 180.0) % 360.0 - 180.0) <= TURN for a, b in pairs)
        return any(round(a / 1e-6) == round(b / 1e-6) for a, b in pairs)


@dataclass(frozen=True)
class Reading:
    """What measuring an action found."""

    found: str
    figures: tuple[Figure, ...] = ()
    violations: tuple[str, ...] = ()
    """What of it does not hold."""

    @property
    def holds(self) -> bool:
        return not self.violations and all(figure.off <= 1.0 for figure in self.figures if not figure.free)


def parts_of(stated: Stated, layout: Layout) -> tuple[str, ...]:
    """The parts that an action speaks of; a pad stands for its part. Of a whole board those that it has moved."""
    act, named = stated.action, refs_of(stated.action)
    if isinstance(act, PlaceAll):
        return _moved(stated, layout) if isinstance(stated, Carried) else ()
    if isinstance(act, Decouple) and not act.refs:  # those that served it when it was carried out
        was = stated.was if isinstance(stated, Carried) else {}
        named = (*(was or (one.capacitor for one in served(layout, act.target))), act.target)
    return with_members(layout, named)


def moved_by(stated: Stated, layout: Layout) -> set[str]:
    """The parts that an action puts somewhere, and not those that it puts them by."""
    act = stated.action
    by: str | tuple[str, ...] | None = act.source if isinstance(act, CopyBlock) else getattr(act, "target", None)
    named = () if by in (None, EDGE) else (by,) if isinstance(by, str) else by
    others = with_members(layout, named)
    return {part for part in parts_of(stated, layout) if part not in others}


def places_of(stated: Stated, layout: Layout) -> dict[str, tuple[float, float, float, int]]:
    """Where the parts lie that an action changes in comparison with before."""
    if isinstance(stated.action, ClusterAround | Decouple | MoveBlock):
        names = sorted(moved_by(stated, layout), key=natural)
    elif isinstance(stated.action, MoveBy | Rotate | Swap | Flip | Lock):
        names = parts_of(stated, layout)
    elif isinstance(stated.action, PlaceAll):
        names = tuple(item.name for item in layout.roots if item.claims and not item.shape.is_empty)
    else:
        return {}
    items = [layout[name] for name in names]
    return {item.name: (*middle_of(layout, item.name), item.rotation, item.layer) for item in items}


def holds(stated: Stated, layout: Layout) -> bool:
    """Whether what an action would do is so already."""
    own = {name: getattr(stated, name) for name in Stated.model_fields}
    return read(Carried(**own, words="", reply=0, was=places_of(stated, layout)), layout).holds


def read(stated: Carried, layout: Layout) -> Reading:
    """Measure an action on the layout as it is."""
    return _read(stated.action, stated, layout)


@singledispatch
def _read(act: object, stated: Carried, layout: Layout) -> Reading:
    raise TypeError(f"no action: {act!r}")


@_read.register
def _(act: Flip, stated: Carried, layout: Layout) -> Reading:
    wrong = [ref for ref, was in stated.was.items() if (layout[ref].layer == was[3]) is not stated.measure_only]
    side = "same" if stated.measure_only else "other"
    return Reading(
        f"on the {side} side", violations=tuple(f"{ref} is not on the {side} side as before" for ref in wrong)
    )


def _lengths(values: Sequence[float], unit: str = " mm") -> str:
    """`0.5 mm`, `0.5 to 0.7 mm`."""
    low, high = (number(value) for value in (min(values), max(values)))
    return f"{low}{unit}" if low == high else f"{low} to {high}{unit}"


def _limits(stated: Stated, value: float | None, found: tuple[float, ...], *, free: bool = False) -> tuple[Figure, ...]:
    """The stated number, or the limits in its place."""
    limits: tuple[tuple[float | None, Limit], ...] = ((stated.at_least, "at_least"), (stated.at_most, "at_most"))
    figures = tuple(Figure(bound, found, limit) for bound, limit in limits if bound is not None)
    return figures if figures or value is None else (Figure(value, found, free=free),)


def _alike(found: Sequence[float]) -> tuple[Figure, ...]:
    """What is the same throughout without being stated: a pitch from middle to middle, which the brief may ask for."""
    if max(found) - min(found) > NM:
        return ()
    return (Figure(round(found[0], 6), tuple(found), free=True),)


@_read.register
def _(act: PlaceRelative, stated: Carried, layout: Layout) -> Reading:
    measure = act.measure if act.target in layout else "pad"
    theirs, mine = shape_of(layout, act.target, measure), shape_of(layout, act.ref, measure)
    named = () if act.target in layout else _ports(layout, act.target, "pad")
    nearest = ""
    if measure == "pad" and layout[act.ref].ports:
        mine = min((port.shape for port in layout[act.ref].ports), key=theirs.distance)
        if len(named) > 1:  # of several pads of one name the nearest counts
            pad = min(named, key=lambda port: port.shape.distance(mine))
            theirs, nearest = pad.shape, f", the nearest at ({number(pad.at[0])}, {number(pad.at[1])})"
    along, across = side_gaps(_box(mine.bounds), _box(theirs.bounds), act.side)
    over = act.clearance < 0 and not stated.limited
    gap = along if over else distance_of(layout, act.ref, act.target, measure)
    beside = over or (along >= -NM and (stated.at_most is not None or across <= max(along, 0.0) + NM))
    violations = () if beside else (f"{act.ref} is not {_BESIDE[act.side]} {act.target}",)
    axis = 0 if act.side in {"left", "right"} else 1
    pitch = abs(_middle(mine.bounds, axis) - _middle(theirs.bounds, axis))
    turned = () if act.rotation is None else (Figure(act.rotation, (layout[act.ref].rotation,), angle=True),)
    return Reading(
        f"{number(gap)} mm, {measure} to {measure}{nearest}",
        (*_limits(stated, act.clearance, (gap,)), *turned, *_alike((pitch,))),
        violations,
    )


def _box(bounds: Sequence[float]) -> Bounds:
    x0, y0, x1, y1 = bounds
    return (x0, y0, x1, y1)


def _middle(bounds: Sequence[float], axis: int) -> float:
    return (bounds[axis] + bounds[axis + 2]) / 2


@_read.register
def _(act: PlaceComponent, stated: Carried, layout: Layout) -> Reading:
    (x, y), turned = middle_of(layout, act.ref), layout[act.ref].rotation
    figures = [Figure(act.x, (x,)), Figure(act.y, (y,))]
    if act.rotation is not None:
        figures.append(Figure(act.rotation, (turned,), angle=True))
    return Reading(f"at ({number(x)}, {number(y)})", tuple(figures))


@_read.register
def _(act: MoveBy, stated: Carried, layout: Layout) -> Reading:
    ways = [tuple(middle_of(layout, ref)[axis] - was[axis] for ref, was in stated.was.items()) for axis in (0, 1)]
    figures = tuple(Figure(step, way, unsigned=True) for step, way in zip((act.dx, act.dy), ways, strict=True))
    return Reading(f"by ({_lengths(ways[0], '')}, {_lengths(ways[1], '')}) mm", figures)


@_read.register
def _(act: Align, stated: Carried, layout: Layout) -> Reading:
    off = _spread(layout, act.refs, 1 if act.axis == "x" else 0, act.edge)
    return Reading(*_in_line(off))


def _spread(layout: Layout, refs: Sequence[str], axis: int, edge: str = "center") -> float:
    """How far the lines that should be one lie apart."""
    boxes = [layout.bounds(ref) for ref in refs]
    lines = [{"start": b[axis], "end": b[axis + 2], "center": _middle(b, axis)}[edge] for b in boxes]
    return max(lines) - min(lines)


def _in_line(off: float) -> tuple[str, tuple[Figure, ...], tuple[str, ...]]:
    return ("in line", (), ()) if off <= NM else ("", (), (f"out of line by {number(off)} mm",))


@_read.register
def _(act: Distribute, stated: Carried, layout: Layout) -> Reading:
    middles = [middle_of(layout, ref) for ref in act.refs]
    wide, high = (max(m[k] for m in middles) - min(m[k] for m in middles) for k in (0, 1))
    axis = {"x": 0, "y": 1, None: 1 if high > wide else 0}[act.axis]
    order = sorted(act.refs, key=lambda ref: middle_of(layout, ref)[axis])
    boxes = [layout.bounds(ref) for ref in order]
    gaps = tuple(b[axis] - a[axis + 2] for a, b in pairwise(boxes))
    pitches = [_middle(b, axis) - _middle(a, axis) for a, b in pairwise(boxes)]
    uneven = act.spacing is None and max(gaps) - min(gaps) > 2 * NM
    violations = ("the gaps are not equal",) if uneven and not stated.limited else ()
    return Reading(f"gaps of {_lengths(gaps)}", (*_limits(stated, act.spacing, gaps), *_alike(pitches)), violations)


@_read.register
def _(act: Stack, stated: Carried, layout: Layout) -> Reading:
    side = _WAYS[act.direction]
    axis = 0 if side in {"left", "right"} else 1
    boxes = [layout.bounds(ref) for ref in act.refs]
    gaps = tuple(side_gaps(b, a, side)[0] for a, b in pairwise(boxes))
    pitches = [abs(_middle(b, axis) - _middle(a, axis)) for a, b in pairwise(boxes)]
    off = _spread(layout, act.refs, 1 - axis)
    figures = (*_limits(stated, act.spacing, gaps), *_alike(pitches))
    return Reading(f"gaps of {_lengths(gaps)}", figures, _in_line(off)[2])


@_read.register
def _(act: Rotate, stated: Carried, layout: Layout) -> Reading:
    now = {ref: layout[ref].rotation for ref in stated.was}
    if act.by is None:
        figure = Figure(act.to or 0.0, tuple(now.values()), angle=True)
    else:
        by = tuple((angle - stated.was[ref][2]) % 360.0 for ref, angle in now.items())
        figure = Figure(act.by, by, angle=True, unsigned=True)
    return Reading(f"turned to {_lengths([angle % 360.0 for angle in now.values()], '°')}", (figure,))


@_read.register
def _(act: Swap, stated: Carried, layout: Layout) -> Reading:
    goals = {act.ref: stated.was[act.other], act.other: stated.was[act.ref]}
    off = [ref for ref, goal in goals.items() if _away(middle_of(layout, ref), goal) > NM]
    return Reading("have changed places", violations=tuple(f"{ref} is not where the other one was" for ref in off))


def _away(here: Sequence[float], there: Sequence[float]) -> float:
    return max(abs(here[0] - there[0]), abs(here[1] - there[1]))


@_read.register
def _(act: ClusterAround, stated: Carried, layout: Layout) -> Reading:
    targets = (act.target,) if isinstance(act.target, str) else act.target
    gaps = tuple(min(distance_of(layout, ref, target, "courtyard") for target in targets) for ref in act.refs)
    goal = box_of(layout, with_members(layout, targets))
    wrong = [ref for ref in act.refs if act.side and side_gaps(layout.bounds(ref), goal, act.side)[0] < -NM]
    said = shortlist(targets, 6)
    violations = [f"{ref} is not {_BESIDE[act.side]} {said}" for ref in wrong if act.side]
    for ref, gap in zip(act.refs, gaps, strict=True):
        x0, y0, x1, y1 = layout.bounds(ref)
        stayed = ref in stated.was and math.dist(stated.was[ref][:2], middle_of(layout, ref)) <= NM
        if stayed and gap > act.clearance + max(x1 - x0, y1 - y0):  # another one like it would fit between
            violations.append(f"{ref} was not moved, and is {number(gap)} mm from {said}")
    return Reading(f"{_lengths(gaps)} from {said}", _limits(stated, act.clearance, gaps, free=True), tuple(violations))


@dataclass(frozen=True)
class SupplyWay:
    """From a capacitor to a supply pin: pad to pad, in millimeters, before an action and now."""

    capacitor: str
    pin: str
    before: float
    after: float
    rotation: float
    moved: bool


def supply_ways(stated: Carried, layout: Layout) -> list[SupplyWay]:
    """How far the capacitors of a `decouple` lay from a pin of their supply, and lie now."""
    act = stated.action
    assert isinstance(act, Decouple)
    before, found = _as_it_was(layout, stated.was), list[SupplyWay]()
    owner, _, pad = ("", "", "") if act.target in layout else act.target.rpartition(".")
    owner = owner or act.target
    for one in served(layout, act.target, tuple(stated.was)):
        pins = [port for port in layout[owner].ports if port.net == one.net and pad in ("", port.name)]
        was, now = (
            min(
                (mine.distance(pin), pin.name)
                for mine in there[one.capacitor].ports
                for pin in pins
                if mine.net == one.net
            )
            for there in (before, layout)
        )
        item, (x, y, turned, layer) = layout[one.capacitor], stated.was[one.capacitor]
        moved = (item.rotation, item.layer) != (turned, layer) or _away(middle_of(layout, item.name), (x, y)) > NM
        found.append(SupplyWay(one.capacitor, f"{owner}.{now[1]}", was[0], now[0], item.rotation, moved))
    return found


def _as_it_was(layout: Layout, was: Mapping[str, tuple[float, float, float, int]]) -> Layout:
    """The layout with parts where they lay before, from the middles of their boxes, angles and layers."""
    for name, (x, y, turned, layer) in was.items():
        if layout[name].layer != layer:
            layout = layout.moved([Move(name, (1.0, 0.0, 0.0, -1.0, 0.0, 0.0), flips=True)])
        layout = layout.moved([Move.turn(name, turned - layout[name].rotation, middle_of(layout, name))])
        u, v = middle_of(layout, name)
        layout = layout.moved([Move.shift(name, x - u, y - v)])
    return layout


@_read.register
def _(act: Decouple, stated: Carried, layout: Layout) -> Reading:
    """No capacitor farther from a pin of its supply than before, and none over another part that was not."""
    ways = supply_ways(stated, layout)
    far = [
        f"{way.capacitor} is {number(way.after)} mm from {way.pin}, farther than before ({number(way.before)} mm)"
        for way in ways
        if way.after > way.before + NM
    ]
    moved = [way.capacitor for way in ways if way.moved]
    over = list[str]()
    if moved:
        was = {(a, b) for a, b, _ in _near(_as_it_was(layout, stated.was), moved, 0.0)}
        over = [f"{a} and {b} overlap" for a, b, _ in _near(layout, moved, 0.0) if (a, b) not in was]
    said = [f"{way.capacitor} at {way.pin} {number(way.before)} to {number(way.after)} mm" for way in ways]
    return Reading(shortlist(said, MANY), violations=(*far[:SHOWN], *over[:SHOWN]))


MANY = 12
"""Capacitors that a measurement names."""


@_read.register
def _(act: MoveBlock, stated: Carried, layout: Layout) -> Reading:
    names = list(stated.was)
    before = [(was[0], was[1], was[2], was[3]) for was in stated.was.values()]
    now = [(*middle_of(layout, name), layout[name].rotation, layout[name].layer) for name in names]
    same, turn, flipped = _rigid(before, now)
    violations = [f"{names[i]} does not lie as before within the block" for i in same[:SHOWN]]
    if flipped is not act.flip and not stated.measure_only:
        violations.append(f"the block is on the {'other' if flipped else 'same'} side")
    figures = () if stated.measure_only else (Figure(float(act.rotation), (turn,), angle=True, unsigned=True),)
    found = "inner placement as before"
    if act.target is not None:
        gaps = _block_gaps(act, layout, box_of(layout, names))
        figures = (*figures, *_limits(stated, act.clearance, gaps))
        found += f", {_lengths(gaps)} from {'the edge' if act.target == EDGE else act.target}"
    return Reading(found, figures, tuple(violations))


def _block_gaps(act: MoveBlock, layout: Layout, mine: Bounds) -> tuple[float, ...]:
    assert act.target is not None
    sides: list[Side] = [side for side in _BESIDE if side in (act.side or "").split()]
    if act.target != EDGE:
        theirs = target_box(layout, act.target)[0]
        return (max(side_gaps(mine, theirs, side)[0] for side in sides or _BESIDE),)
    x0, y0, x1, y1 = layout.frame.bounds if layout.area is None else layout.area.bounds
    gaps = {"left": mine[0] - x0, "right": x1 - mine[2], "top": mine[1] - y0, "bottom": y1 - mine[3]}
    return tuple(gaps[side] for side in sides) or (min(gaps.values(), key=lambda gap: abs(gap - act.clearance)),)


Place = tuple[float, float, float, int]


def _rigid(before: Sequence[Place], after: Sequence[Place]) -> tuple[list[int], float, bool]:
    """Which places are not those of one rigid motion; by how much that turns, and whether it changes the side."""
    (x, y, first, side), (u, v, last, other) = before[0], after[0]
    flipped = side != other
    mirror = -1.0 if flipped else 1.0
    turn = (last - mirror * first) % 360.0
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    odd: list[int] = []
    for i, (was, now) in enumerate(zip(before, after, strict=True)):
        dx, dy = was[0] - x, mirror * (was[1] - y)
        goal = (u + cos * dx + sin * dy, v - sin * dx + cos * dy)
        turned = (now[2] - mirror * was[2] - turn + 180.0) % 360.0 - 180.0
        if _away(now, goal) > 2 * NM or abs(turned) > TURN or (was[3] != now[3]) is not flipped:
            odd.append(i)
    return odd, turn, flipped


@_read.register
def _(act: CopyBlock, stated: Carried, layout: Layout) -> Reading:
    """Each copy lies within itself as the source, to the nanometer."""
    violations: list[str] = []
    for onto in act.onto:
        pairs = corresponding(layout, act.source, onto)
        places = [[_place_of(layout, name) for name in names] for names in (pairs.keys(), pairs.values())]
        odd = _rigid(*places)[0]
        violations += [
            f"{[*pairs.values()][i]} does not lie as {[*pairs][i]} does in {act.source}" for i in odd[:SHOWN]
        ]
    figures = ()
    if act.direction is not None:
        boxes = [box_of(layout, members(layout, name)) for name in (act.source, *act.onto)]
        gaps = tuple(side_gaps(b, a, _WAYS[act.direction])[0] for a, b in pairwise(boxes))
        figures = _limits(stated, act.spacing, gaps)
    return Reading(f"{shortlist(act.onto, 6)} as {act.source}", figures, tuple(violations))


def _place_of(layout: Layout, name: str) -> Place:
    item = layout[name]
    return (*(item.origin or middle_of(layout, name)), item.rotation, item.layer)


@_read.register
def _(act: MoveToEdge, stated: Carried, layout: Layout) -> Reading:
    gap = edge_gap(layout, act.ref, act.edge)
    figures, violations = _limits(stated, act.clearance, (gap,)), list[str]()
    if act.center and layout.area is not None:
        axis = 0 if act.edge in {"top", "bottom"} else 1
        off = abs(middle_of(layout, act.ref)[axis] - _middle(layout.area.bounds, axis))
        violations += [f"{act.ref} is {number(off)} mm off the middle of the {act.edge} edge"] if off > NM else []
    where = f"{number(gap)} mm from the {act.edge} edge" if gap < FAR else f"at no {act.edge} edge"
    return Reading(where, figures if gap < FAR else (), tuple(violations) if gap < FAR else (f"{act.ref} is {where}",))


@_read.register
def _(act: Lock, stated: Carried, layout: Layout) -> Reading:
    if not act.locked:
        return Reading("free to move")
    violations: list[str] = []
    for ref, was in stated.was.items():
        turned = (layout[ref].rotation - was[2] + 180.0) % 360.0 - 180.0
        if _away(middle_of(layout, ref), was) > NM or abs(turned) > TURN or layout[ref].layer != was[3]:
            violations.append(f"{ref} is not where it was")
    return Reading("where they were" if len(stated.was) > 1 else "where it was", violations=tuple(violations))


@_read.register
def _(act: Legalise, stated: Carried, layout: Layout) -> Reading:
    """No two on one side overlap: of those named with any, else of all. Beside the board nothing is legal."""
    out = [ref for ref in beside(layout) if not act.refs or ref in act.refs]
    if out and (act.refs or len(out) == len(layout.roots)):
        return Reading("beside the board", violations=(f"{shortlist(out, SHOWN)} beside the board",))
    least = max(act.clearance, stated.at_least or 0.0)
    near = list(_near(layout, act.refs, least))
    overlaps = [f"{a} and {b} overlap" for a, b, gap in near if gap < -NM]
    tight = min((max(gap, 0.0) for *_, gap in near), default=least)
    figures = (Figure(least, (tight,), "at_least"),) if least else ()
    more = [f"and {len(overlaps) - SHOWN} more pairs"] if len(overlaps) > SHOWN else []
    return Reading(f"{number(tight)} mm apart or more" if least else "no overlap", figures, (*overlaps[:SHOWN], *more))


def _near(layout: Layout, refs: Sequence[str], reach: float) -> Iterator[tuple[str, str, float]]:
    """Pairs on one side that are nearer than `reach`, and how near; below 0 where they overlap."""
    items = [item for item in layout.roots if not layout.whole(item.name).is_empty]
    shapes = [layout.whole(item.name) for item in items]
    found = STRtree(shapes).query(shapes, predicate="dwithin", distance=reach).T
    for i, j in sorted((int(i), int(j)) for i, j in found if i < j):
        if items[i].layer == items[j].layer and (not refs or {items[i].name, items[j].name} & set(refs)):
            gap = float(shapes[i].distance(shapes[j]))
            shared = shapes[i].intersection(shapes[j]) if not gap else None
            if shared is not None and not shared.is_empty:
                x0, y0, x1, y1 = shared.bounds
                gap = -min(x1 - x0, y1 - y0)
            if gap < reach - NM:
                yield items[i].name, items[j].name, gap


AT_EDGE = 2.0
"""Millimeters: what is so near to an edge lies at it, where no number is stated."""


def _moved(stated: Carried, layout: Layout) -> tuple[str, ...]:
    """The parts that do not lie where they were just before an action."""
    return tuple(ref for ref, was in stated.was.items() if ref in layout and _pose_of(layout, ref) != _rounded(was))


def _pose_of(layout: Layout, ref: str) -> tuple[float, ...]:
    return _rounded((*middle_of(layout, ref), layout[ref].rotation, layout[ref].layer))


def _rounded(pose: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(value, 5) for value in pose)


@_read.register
def _(act: PlaceAll, stated: Carried, layout: Layout) -> Reading:
    """All of it on the board, apart, and where each wish has it; wires that were to be shortened are no longer."""
    moved = _moved(stated, layout)
    violations = [*_homeless(act, stated, layout), *_overlaps(layout, moved), *_astray(act, layout, moved)]
    kept = [ref for ref in _members(layout, act.keep) if ref in moved]
    violations += [f"{shortlist(kept, SHOWN)} moved, and had to stay"] if kept else []
    figures, found = list[Figure](), [f"{len(moved)} placed"]
    wishes = (_anchored, _overhung, _turned, _sided, _grouped)
    for numbers, words, wrong in (*(wish(act, layout) for wish in wishes), _free_around(act, layout, moved)):
        figures += numbers
        found += words
        violations += wrong
    if stated.length is not None:
        now = math.fsum(wire_lengths(layout).values())
        found.append(f"wires {number(round(now, 3))} mm")
        if act.start == "here" and now > stated.length + NM:
            violations.append(f"the wires are {number(round(now - stated.length, 3))} mm longer than before")
    return Reading(", ".join(found), tuple(figures), tuple(violations))


Wished = tuple[list[Figure], list[str], list[str]]
"""Figures, what was found in words, and what does not hold."""


def _members(layout: Layout, names: Sequence[str]) -> list[str]:
    """Parts by name, and those of the sheets and groups that are named."""
    found = [part for name in names for part in ((name,) if name in layout else block_of(layout, name))]
    return [part for part in found if part in layout]


def _homeless(act: PlaceAll, stated: Carried, layout: Layout) -> Iterator[str]:
    asked = set(_members(layout, act.refs)) or stated.was.keys()
    asked -= set(_members(layout, act.keep))
    left = [ref for ref in beside(layout) if ref in asked and not layout[ref].locked]
    if left:
        area = sum(layout[ref].shape.area for ref in left)
        yield f"{len(left)} beside the board, for which no room was found ({shortlist(left, SHOWN)}; {area:.0f} mm²)"


def _overlaps(layout: Layout, moved: Sequence[str]) -> list[str]:
    """Pairs on one side of which at least one was moved; what is only drawn has no room."""
    off = set(beside(layout))
    placed = [ref for ref in moved if ref not in off]
    pairs = [(a, b) for a, b, gap in _near(layout, placed, 0.0) if gap < -NM] if placed else []
    pairs = [(a, b) for a, b in pairs if layout[a].claims and layout[b].claims and not {a, b} & off]
    more = [f"and {len(pairs) - SHOWN} more pairs overlap"] if len(pairs) > SHOWN else []
    return [*(f"{a} and {b} overlap" for a, b in pairs[:SHOWN]), *more]


def _astray(act: PlaceAll, layout: Layout, moved: Sequence[str]) -> list[str]:
    """What was moved and reaches over the edge, without being asked to."""
    if layout.area is None:
        return []
    asked, off = {wish.ref for wish in act.overhang}, set(beside(layout))
    room = layout.area.buffer(NM)
    out = [ref for ref in moved if ref not in asked | off and not room.covers(layout[ref].shape)]
    return [f"{shortlist(out, SHOWN)} not wholly on the board"] if out else []


def _anchored(act: PlaceAll, layout: Layout) -> Wished:
    figures, found, wrong = list[Figure](), list[str](), list[str]()
    for a in act.anchors:
        if a.near is not None:
            gap = _near_gap(layout, a.ref, a.near)
            figures += [] if a.distance is None else [Figure(a.distance, (gap,), "at_most")]
            found.append(f"{a.ref} {number(gap)} mm from {a.near}")
        elif a.apart is not None:
            gap = distance_of(layout, a.ref, a.apart, "courtyard")
            figures.append(Figure(a.distance or 0.0, (gap,), "at_least"))
            found.append(f"{a.ref} {number(gap)} mm from {a.apart}")
        elif a.center and a.edge is None:
            found.append(f"{a.ref} {number(round(_off_center(layout, a.ref), 3))} mm from the middle of the board")
            if not _in_the_middle(layout, a.ref, (0, 1)):
                wrong.append(f"{a.ref} is not in the middle of the board")
        else:
            edge = _nearest_edge(layout, a.ref) if a.edge == "any" else a.edge
            named = [edge] if edge else (a.corner or "").split()
            gaps: dict[Side, float] = {side: edge_gap(layout, a.ref, side) for side in _SIDES if side in named}
            found += [f"{a.ref} {number(gap)} mm from the {side} edge" for side, gap in gaps.items()]
            if a.distance is not None:
                figures += [Figure(a.distance, (gap,)) for gap in gaps.values()]
            elif a.corner and not _in_corner(layout, a.ref, [*gaps]):
                wrong.append(f"{a.ref} is not in the {a.corner} corner")
            elif edge and gaps[edge] > AT_EDGE:
                wrong.append(f"{a.ref} is not at {'an' if a.edge == 'any' else f'the {edge}'} edge")
            if edge and a.center and not _in_the_middle(layout, a.ref, (1 if edge in {"left", "right"} else 0,)):
                wrong.append(f"{a.ref} is not in the middle of the {edge} edge")
    return figures, found, wrong


_SIDES: Sequence[Side] = ("left", "right", "top", "bottom")


def _nearest_edge(layout: Layout, ref: str) -> Side:
    return min(_SIDES, key=lambda side: edge_gap(layout, ref, side))


def _off_center(layout: Layout, ref: str) -> float:
    x0, y0, x1, y1 = layout.area.bounds if layout.area is not None else layout.bounds(ref)
    return math.dist(middle_of(layout, ref), ((x0 + x1) / 2, (y0 + y1) / 2))


def _in_the_middle(layout: Layout, ref: str, axes: Sequence[int]) -> bool:
    """In the middle third of the board along each axis."""
    if layout.area is None:
        return False
    ends, at = layout.area.bounds, middle_of(layout, ref)
    return all(1 / 3 <= (at[k] - ends[k]) / (ends[k + 2] - ends[k]) <= 2 / 3 for k in axes)


def _near_gap(layout: Layout, ref: str, target: str) -> float:
    """From pad to pad on one net, where the target is a pad; else between what both claim."""
    if target in layout:
        return distance_of(layout, ref, target, "courtyard")
    pads = _ports(layout, target, "pad")
    nets = {pad.net for pad in pads} - {""}
    own = [port for port in layout[ref].ports if port.net in nets] or [*layout[ref].ports]
    return min((p.distance(q) for p, q in product(own, pads)), default=distance_of(layout, ref, target, "courtyard"))


def _in_corner(layout: Layout, ref: str, sides: Sequence[Side]) -> bool:
    """In the ninth of the board at that corner."""
    if layout.area is None:
        return False
    x0, y0, x1, y1 = layout.area.bounds
    x, y = middle_of(layout, ref)
    shares = {"left": (x - x0) / (x1 - x0), "right": (x1 - x) / (x1 - x0)}
    shares |= {"top": (y - y0) / (y1 - y0), "bottom": (y1 - y) / (y1 - y0)}
    return all(shares[side] <= 1 / 3 for side in sides)


def _overhung_edge(layout: Layout, wish: PlaceOverhang) -> Side:
    """The one over which a component sticks out by what is nearest to the wish."""
    return min(_SIDES, key=lambda side: abs(edge_gap(layout, wish.ref, side) + wish.distance))


def _overhung(act: PlaceAll, layout: Layout) -> Wished:
    edges: list[tuple[PlaceOverhang, Side]] = [
        (wish, _overhung_edge(layout, wish) if wish.edge == "any" else wish.edge) for wish in act.overhang
    ]
    gaps = [(wish, edge, -edge_gap(layout, wish.ref, edge)) for wish, edge in edges]
    words = [f"{wish.ref} {number(gap)} mm over the {edge} edge" for wish, edge, gap in gaps]
    return [Figure(wish.distance, (gap,)) for wish, _, gap in gaps], words, []


def _free_around(act: PlaceAll, layout: Layout, moved: Sequence[str]) -> Wished:
    """No other part on the same side within the room; in boxes and along edges none on any side that could move."""
    figures, found, wrong = list[Figure](), list[str](), list[str]()
    others = [item for item in layout.roots if item.claims and not layout.whole(item.name).is_empty]
    free = {*moved, *_members(layout, act.refs)}
    if act.keepouts and not act.refs and (act.replace or act.start == "here"):
        circuit = circuit_of(layout)
        stay = {*circuit.connectors, *circuit.mounting_holes, *circuit.fiducials}
        free |= {item.name for item in others if not item.locked and item.name not in stay}
    free -= {*_members(layout, act.keep)} - {*moved}

    def movable(there: Sequence[str], where: str) -> list[str]:
        lies = [name for name in there if name not in free]
        if lies:
            found.append(f"{shortlist(lies, SHOWN)} {where} {'stays' if len(lies) == 1 else 'stay'}")
        return [name for name in there if name in free]

    for wish in act.keepouts:
        if wish.around is not None:
            own = layout[wish.around]
            near = [i for i in others if i.layer == own.layer and i.name != own.name]
            gap = min((float(own.shape.distance(item.shape)) for item in near), default=wish.distance)
            figures.append(Figure(wish.distance, (min(gap, wish.distance),)))
            found.append(f"nothing within {number(round(min(gap, wish.distance), 6))} mm of {wish.around}")
        elif wish.box is not None:
            room = box(*wish.box)
            within = movable([i.name for i in others if i.shape.intersection(room).area > NM], "in the box")
            wrong += [f"{shortlist(within, SHOWN)} in the box that had to stay free"] if within else []
        elif wish.edge is not None:
            gaps = {item.name: edge_gap(layout, item.name, wish.edge) for item in others}
            lying = [name for name, gap in gaps.items() if gap < wish.distance - NM]
            within = movable(lying, f"along the {wish.edge} edge")
            gap = min((max(gaps[name], 0.0) for name in within), default=wish.distance)
            figures.append(Figure(wish.distance, (gap,)))
            found.append(f"nothing placed within {number(round(gap, 6))} mm of the {wish.edge} edge")
            wrong += [f"{shortlist(within, SHOWN)} nearer to the {wish.edge} edge"] if within else []
    return figures, found, wrong


def _turned(act: PlaceAll, layout: Layout) -> Wished:
    figures, wrong = list[Figure](), list[str]()
    for ref, turns in act.turns.items():
        now = layout[ref].rotation
        met = [turn for turn in turns if abs((now - turn + 180.0) % 360.0 - 180.0) <= TURN]
        figures += [Figure(turn, (now,), angle=True) for turn in met]
        wrong += [] if met else [f"{ref} is turned to {number(now)}°"]
    return figures, [], wrong


def _sided(act: PlaceAll, layout: Layout) -> Wished:
    off = [ref for ref, side in act.sides.items() if layout[ref].layer != (1 if side == "front" else 0)]
    return [], [], [f"{ref} is not on the {act.sides[ref]}" for ref in off]


def _grouped(act: PlaceAll, layout: Layout) -> Wished:
    """Together is what lies closer than the board's parts as a whole do, those that are locked left out."""
    found, wrong = list[str](), list[str]()
    off = set(beside(layout))
    everything = [item.name for item in layout.roots if item.claims and item.name not in off]
    for group in act.groups:
        members = [ref for ref in _members(layout, group.refs) if ref not in off and not layout[ref].locked]
        if len(members) > 1:
            spread = _scatter(layout, members)
            found.append(f"{group.name} {number(round(spread, 3))} mm around its middle")
            if len(members) < len(everything) / 2 and spread > _scatter(layout, everything):
                wrong.append(f"{group.name} is not together")
    return [], found, wrong


def _scatter(layout: Layout, refs: Sequence[str]) -> float:
    """The mean distance of parts from the middle of them all."""
    at = [middle_of(layout, ref) for ref in refs]
    x, y = (math.fsum(place[k] for place in at) / len(at) for k in (0, 1))
    return math.fsum(math.dist(place, (x, y)) for place in at) / len(at)
