"""Items placed in a frame: the model of space that rules, solver and views share.

A `Layout` depends on no studio and no file format. An item has the exact shape that it paints, a parent if it is part
of something, and a height interval in 3D; its `Frame` defines what the numbers mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import STRtree, box, unary_union
from shapely.affinity import affine_transform
from shapely.geometry.base import BaseGeometry

Point = tuple[float, float]
Bounds = tuple[float, float, float, float]
Matrix = tuple[float, float, float, float, float, float]
"""SVG order a, b, c, d, e, f: x' = a x + c y + e, y' = b x + d y + f."""


@dataclass(frozen=True)
class Thresholds:
    """Thresholds of the rules, in the frame's unit. The defaults are the sketch specification's."""

    min_spacing: float = 0.05
    max_overlap_ratio: float = 0.1
    """Intersection over union."""
    min_size: float = 0.005
    """Share of the frame's area."""
    max_size: float = 0.8
    max_ratio: float = 100.0
    """Ratio of two areas."""
    pair_size: float = 2.0
    """Ratio of the areas of a mirror pair."""
    beside: float = 0.1
    directional: float = 0.15
    much_further: float = 0.3


@dataclass(frozen=True)
class Frame:
    """The meaning of a layout's numbers."""

    unit: str = "canvas"
    quantum: float = 1e-6
    """The solver's integer step, in units."""
    bounds: Bounds = (0.0, 0.0, 1.0, 1.0)
    up: Point = (0.0, -1.0)
    """The direction of *above*: −y on paper."""
    grid: float = 0.1
    thresholds: Thresholds = field(default_factory=Thresholds)
    solid: bool = False
    """Items on the same layer exclude each other, as parts on a board do; in a drawing one may be in front."""
    layers: Mapping[int, str] = field(default_factory=dict[int, str])
    """Names of the layers that items lie on, if they have names: `{1: "Top", 0: "Bottom"}`."""
    plan: bool = False
    """Seen from above by a viewer at its foot: items higher up on it are farther away."""

    @property
    def area(self) -> float:
        x0, y0, x1, y1 = self.bounds
        return (x1 - x0) * (y1 - y0)


SKETCH = Frame()


@dataclass(frozen=True)
class Style:
    """Paint of an item, as far as checks of consistency need it. Colors as `#rrggbb`, or None."""

    fills: tuple[str, ...] = ()
    strokes: tuple[str, ...] = ()
    widths: tuple[float, ...] = ()


@dataclass(frozen=True)
class Port:
    """A place on an item where others connect: a pad.

    Its shape is `core` grown by `radius` on all sides, so that round ends are exact: a circle is a point and a radius,
    an oval a line, a rounded rectangle a smaller rectangle. Names may repeat, and may be empty.
    """

    name: str
    at: Point
    core: BaseGeometry
    radius: float = 0.0
    net: str = ""
    through: bool = False
    """True if it goes through all layers."""
    layer: int | None = None
    """The layer it lies on, if that is not its item's (half the fingers of a card edge); None for its item's."""
    function: str = ""
    """The name of its pin in the file: `VDD`. Text from outside, to be shown only when cleaned."""
    kind: str = ""
    """The electrical type of its pin in the file: `power_in`, `passive`; empty if the file has none."""
    clearance: float | None = None
    """Its own distance from others, instead of that of its net, in units; None for that of its net."""
    least: float = 0.0
    """The least distance from others in any case: more from a hole with little copper around it than from copper."""

    @cached_property
    def shape(self) -> BaseGeometry:
        """The core grown by the radius, as a polygon: round ends within 0.03 % of the radius."""
        return self.core.buffer(self.radius, quad_segs=32) if self.radius else self.core

    def distance(self, other: Port) -> float:
        """Return the exact clear distance of two ports, in units; 0 if they meet."""
        return max(0.0, float(self.core.distance(other.core)) - self.radius - other.radius)


@dataclass(frozen=True)
class Item:
    """One named thing.

    `shape` is what the item itself paints, its parts not included, in units; a bare line is painted as wide as its
    pen. It may be empty for a part that only groups others.
    """

    name: str
    label: str
    """The noun, singular, as the brief has it."""
    shape: BaseGeometry
    parent: str | None = None
    layer: int = 0
    """Painting order: higher is in front. On boards the side."""
    height: tuple[float, float] | None = None
    is_line: bool = False
    """Strokes without fill only: such a thing has a place and no area of its own."""
    style: Style = field(default_factory=Style)
    ports: tuple[Port, ...] = ()
    keepouts: tuple[Keepout, ...] = ()
    """Room in which no other item may lie, and which moves with this one: around an antenna."""
    locked: bool = False
    outline: BaseGeometry | None = None
    """The silhouette with holes filled in, where it differs from `shape` (a wheel drawn as a ring has both)."""
    body: BaseGeometry | None = None
    """The thing itself, where `shape` is the room that it claims: a part within its courtyard."""
    opposite: BaseGeometry | None = None
    """The room it claims on the other layer as well: a connector that goes through the board."""
    origin: Point | None = None
    """The point that its file calls its position, about which it turns; by default the middle of its box."""
    rotation: float = 0.0
    """Degrees, counterclockwise as seen, in (−180, 180]."""
    claims: bool = True
    """False for a drawing on a board, such as a logo: it has a place, and takes no room from others."""
    value: str = ""
    """Its value in the file: `100nF`. Text from outside, to be shown only when cleaned."""
    texts: tuple[str, ...] = ()
    """The text that the item itself shows, its parts not included. Text from outside, to be shown only when cleaned."""
    bare: BaseGeometry | None = None
    """The box of its pens' centerlines and its fills, where the width of a pen makes `shape` larger."""
    letters: tuple[BaseGeometry, ...] = ()
    """The box of each of its texts that has ink."""
    lowest: int | None = None
    """The first layer of an item that is painted in several passes; `layer` is the last. None: one pass."""
    symbol: str = ""
    """Its identity within its sheet, the same in each repeat of that sheet; empty if the file has none."""

    @cached_property
    def port_layers(self) -> frozenset[int | None]:
        """The layers that its ports lie on; None among them for ports that go through all."""
        return frozenset(map(self.layer_of, self.ports))

    def layer_of(self, port: Port) -> int | None:
        """The layer that one of its ports lies on; None for one that goes through all."""
        return None if port.through else self.layer if port.layer is None else port.layer

    def ports_named(self, name: str) -> tuple[Port, ...]:
        """All ports of that name: four shield pads may all be `S1`."""
        return tuple(port for port in self.ports if port.name == name)


@dataclass(frozen=True)
class Keepout:
    """Room in which no item may lie, on the layers given (all by default)."""

    name: str
    shape: BaseGeometry
    layers: tuple[int, ...] | None = None
    item: str | None = None
    """The item that it belongs to; it is not an obstacle to that item."""
    ports_only: bool = False
    """Items may lie in it, but not their ports."""


@dataclass(frozen=True)
class Fixture:
    """Something that a window shows and no action moves: a track, a via, a zone."""

    kind: str
    shape: BaseGeometry
    layer: str = ""
    net: str = ""
    ends: tuple[Point, ...] = ()
    """Both end points of a track."""


@dataclass(frozen=True)
class Move:
    """A transform for an item and everything that is part of it."""

    item: str
    matrix: Matrix
    reason: str = ""
    flips: bool = False
    """To the other layer too; the matrix is then a mirror image. Only where the frame has layers."""

    @classmethod
    def shift(cls, item: str, dx: float, dy: float, reason: str = "") -> Move:
        return cls(item, (1.0, 0.0, 0.0, 1.0, dx, dy), reason)

    @classmethod
    def turn(cls, item: str, degrees: float, about: Point, reason: str = "") -> Move:
        """Counterclockwise as seen, y growing downward. Quarter turns are exact."""
        quarters, rest = divmod(degrees % 360.0, 90.0)
        cos, sin = math.cos(math.radians(rest)), math.sin(math.radians(rest))
        for _ in range(int(quarters)):
            cos, sin = -sin, cos
        x, y = about
        return cls(item, (cos, -sin, sin, cos, x - cos * x - sin * y, y + sin * x - cos * y), reason)

    @classmethod
    def scale(cls, item: str, sx: float, sy: float, about: Point, reason: str = "") -> Move:
        x, y = about
        return cls(item, (sx, 0.0, 0.0, sy, x - sx * x, y - sy * y), reason)


@dataclass(frozen=True)
class Solution:
    """Moves, in order, and how good they are.

    `moved` is the weighted sum of absolute shifts in the frame's unit, `bound` what no solution can be below;
    `proven` when they are equal. `unsolved` names what was left as it is, with the reason.
    """

    moves: tuple[Move, ...] = ()
    proven: bool = True
    bound: float = 0.0
    note: str = ""
    unsolved: tuple[str, ...] = ()
    moved: float = 0.0
    effort: float = 0.0
    """Deterministic seconds spent."""


def bounds_of(shape: BaseGeometry) -> Bounds:
    """Return the box of a shape: x0, y0, x1, y1."""
    x0, y0, x1, y1 = shape.bounds
    return (x0, y0, x1, y1)


AnchorName = Literal["center", "left", "right", "top", "bottom", "top_left", "top_right", "bottom_left", "bottom_right"]


def anchors_of(bounds: Bounds) -> dict[AnchorName, Point]:
    """Return the nine anchors of a box: center, edges, corners."""
    x0, y0, x1, y1 = bounds
    xm, ym = (x0 + x1) / 2, (y0 + y1) / 2
    return {
        "center": (xm, ym),
        "left": (x0, ym),
        "right": (x1, ym),
        "top": (xm, y0),
        "bottom": (xm, y1),
        "top_left": (x0, y0),
        "top_right": (x1, y0),
        "bottom_left": (x0, y1),
        "bottom_right": (x1, y1),
    }


@dataclass(frozen=True)
class Layout:
    """Items in painting order, in a frame. Names are unique; a parent is always an item of the same layout."""

    items: tuple[Item, ...]
    frame: Frame = SKETCH
    area: BaseGeometry | None = None
    """The area in which items may lie, without cut-outs: the board. None: anywhere in the frame."""
    keepouts: tuple[Keepout, ...] = ()
    """Keep-outs that belong to no item; `barred` has all."""
    fixtures: Callable[[Bounds], Sequence[Fixture]] | None = field(default=None, compare=False)
    """The background of a window, read on demand."""
    blocks: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Items that belong together in the file, by name: the sheets of its schematic (`/power/`) and its groups."""
    clearance: Callable[[str, str], float] | float = field(default=0.0, compare=False)
    """Clearance of ports of two nets, if neither has one of its own, in units."""
    edge_clearance: float = 0.0
    """Clearance of ports from the edge of the area, in units."""

    def clearance_between(self, port: Port, other: Port | Fixture) -> float:
        """Return the clearance of a port from another one, or from a track or via, in units.

        Clearances of the ports themselves replace those of their nets, as in KiCad: the larger one of two.
        """
        ports = [port, other] if isinstance(other, Port) else [port]
        clearances = [port.clearance for port in ports if port.clearance is not None]
        if not clearances:
            clearances = [self.clearance(port.net, other.net) if callable(self.clearance) else self.clearance]
        return max(*clearances, *(port.least for port in ports))

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __contains__(self, name: object) -> bool:
        return name in self.by_name

    def __getitem__(self, name: str) -> Item:
        return self.by_name[name]

    @cached_property
    def by_name(self) -> dict[str, Item]:
        return {item.name: item for item in self.items}

    @cached_property
    def barred(self) -> tuple[Keepout, ...]:
        """All keep-outs, those that belong to items where these lie now."""
        return (*self.keepouts, *(keepout for item in self.items for keepout in item.keepouts))

    @cached_property
    def _kin(self) -> dict[str | None, tuple[str, ...]]:
        """Names of the parts of each item; under None those of the top-level items."""
        kin: dict[str | None, list[str]] = {}
        for item in self.items:
            kin.setdefault(item.parent, []).append(item.name)
        return {parent: tuple(names) for parent, names in kin.items()}

    @cached_property
    def _places(self) -> dict[str, int]:
        """Index in `items`, by name."""
        return {item.name: place for place, item in enumerate(self.items)}

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Index of each top-level item in `roots`, `boxes` and `extents`, by name."""
        return {name: row for row, name in enumerate(self._kin.get(None, ()))}

    @cached_property
    def roots(self) -> tuple[Item, ...]:
        """The top-level items."""
        return self.children(None)

    def children(self, name: str | None) -> tuple[Item, ...]:
        return tuple(self.by_name[child] for child in self._kin.get(name, ()))

    def family(self, name: str) -> tuple[Item, ...]:
        """Return an item and all of its parts, at any depth, the item first."""
        items = [self.by_name[name]]
        for item in items:  # grows while it is walked: breadth first
            items.extend(self.children(item.name))
        return tuple(items)

    def root_of(self, name: str) -> Item:
        """Return the top-level item that an item belongs to."""
        item = self.by_name[name]
        while item.parent is not None:
            item = self.by_name[item.parent]
        return item

    @cached_property
    def matched(self) -> dict[str, tuple[str, ...]]:
        """Names by pattern: the look-ups of requirements so far."""
        return {}

    @cached_property
    def visible(self) -> frozenset[str]:
        """Names of the visible items; seen from above, of all that have a shape.

        A visible item, or a part of it, paints at least one pixel within the frame (at 1024 across) that nothing else
        covers: its own parts and its wholes do not count as covers.
        """
        if self.frame.plan or self.frame.solid:
            return frozenset(item.name for item in self.items if not self.whole(item.name).is_empty)
        names = {item.name for item in self.items if self._is_seen(item)}
        return frozenset(above for name in names for above in (name, *self.ancestors(name)))

    @cached_property
    def _covers(self) -> tuple[STRtree, tuple[Item, ...]]:
        """All items that can cover others, for look-up. The shape of a text is its box, which covers nothing."""
        covers = tuple(item for item in self.items if not item.shape.is_empty and not item.texts)
        return STRtree([item.shape for item in covers]), covers

    def _is_seen(self, item: Item) -> bool:
        """Return whether an item itself paints a pixel that nothing painted later covers."""
        x0, y0, x1, y1 = self.frame.bounds
        pixel = max(x1 - x0, y1 - y0) / 1024
        shape = item.shape
        ax, ay, bx, by = shape.bounds if not shape.is_empty else (x1, y1, x1, y1)
        if ax < x0 or ay < y0 or bx > x1 or by > y1:
            shape = shape.intersection(box(*self.frame.bounds))
        if shape.area < pixel**2:
            return False

        # Items that are painted later cover it, other than its own parts and its wholes.
        tree, covers = self._covers
        kin = {*self.ancestors(item.name), *(part.name for part in self.family(item.name))}
        near: list[int] = tree.query(item.shape, predicate="intersects").tolist()  # pyright: ignore[reportUnknownMemberType]
        later = [c for c in map(covers.__getitem__, near) if (c.layer if c.lowest is None else c.lowest) > item.layer]
        over = [cover.shape for cover in later if cover.name not in kin]
        return not over or shape.difference(unary_union(over)).area >= pixel**2

    @cached_property
    def _wholes(self) -> dict[str, BaseGeometry]:
        return {}

    def whole(self, name: str) -> BaseGeometry:
        """Return the shape of an item with all its parts."""
        whole = self._wholes.get(name)
        if whole is None:
            family = self.family(name)
            whole = family[0].shape if len(family) == 1 else unary_union([i.shape for i in family])
            self._wholes[name] = whole
        return whole

    def bounds(self, name: str) -> Bounds:
        """Return the box of an item with all its parts: x0, y0, x1, y1."""
        return bounds_of(self.whole(name))

    def extent(self, name: str) -> Bounds:
        """Return the box of all that a top-level item claims: its rooms on both layers, and its ports."""
        x0, y0, x1, y1 = self.extents[self.rows[name]].tolist()
        return (x0, y0, x1, y1)

    @cached_property
    def boxes(self) -> NDArray[np.float64]:
        """The boxes of all top-level items with their parts, (n, 4) in the order of `roots`; NaN without a shape."""
        return self._boxes_of(self._kin.get(None, ()))

    @cached_property
    def extents(self) -> NDArray[np.float64]:
        """As `boxes`, of all that items claim: their rooms on both layers, and their ports."""
        return self._extents_of(self._kin.get(None, ()))

    def _boxes_of(self, names: Sequence[str]) -> NDArray[np.float64]:
        wholes = np.array([self.whole(name) for name in names], dtype=object)
        boxes: NDArray[np.float64] = shapely.bounds(wholes)  # pyright: ignore[reportUnknownMemberType]
        return boxes.reshape(-1, 4)

    def _extents_of(self, names: Sequence[str]) -> NDArray[np.float64]:
        extents = self._boxes_of(names)
        for row, name in enumerate(names):
            boxes = [extents[row], *(box for item in self.family(name) for box in _claims(item))]
            if len(boxes) > 1:
                lows, highs = np.array(boxes)[:, :2], np.array(boxes)[:, 2:]
                extents[row] = (*np.fmin.reduce(lows), *np.fmax.reduce(highs))
        return extents

    def within(self, window: Bounds) -> tuple[Item, ...]:
        """Return the top-level items whose boxes meet a window, its edge included, in one array pass."""
        x0, y0, x1, y1 = window
        b = self.boxes
        met = (b[:, 0] <= x1) & (b[:, 2] >= x0) & (b[:, 1] <= y1) & (b[:, 3] >= y0)
        return tuple(self.roots[i] for i in np.flatnonzero(met))

    def moved(self, moves: Sequence[Move]) -> Layout:
        """Return this layout after moves, in order, each of which takes an item's parts along."""
        by_item: dict[str, list[Move]] = {}
        for move in moves:
            for item in self.family(move.item):
                by_item.setdefault(item.name, []).append(move)
        return self.with_items([transformed(self.by_name[name], each) for name, each in by_item.items()])

    def with_items(self, items: Iterable[Item]) -> Layout:
        """Return this layout with some items replaced by others of the same name and parent.

        Computed values of the other items are kept, so that a small change to a large layout costs little.
        """
        changed = {item.name: item for item in items}
        every = list(self.items)
        for name, item in changed.items():
            every[self._places[name]] = item
        after = replace(self, items=tuple(every))
        after.__dict__.update(by_name=self.by_name | changed, _kin=self._kin, _places=self._places, rows=self.rows)
        touched = {name for step in changed for name in (step, *self.ancestors(step))}
        wholes = self._wholes.copy()
        for name in touched:
            wholes.pop(name, None)
        after.__dict__["_wholes"] = wholes

        # Of top-level items, only the rows of those that were touched are computed anew.
        roots = [name for name in touched if self.by_name[name].parent is None]
        rows = [self.rows[name] for name in roots]
        if "roots" in self.__dict__:
            tops = list(self.roots)
            for row, name in zip(rows, roots, strict=True):
                tops[row] = after.by_name[name]
            after.__dict__["roots"] = tuple(tops)
        for name, compute in (("boxes", after._boxes_of), ("extents", after._extents_of)):
            if name in self.__dict__:
                known = self.__dict__[name].copy()
                known[rows] = compute(roots)
                after.__dict__[name] = known
        return after

    def ancestors(self, name: str) -> Iterator[str]:
        """Yield the items that an item is part of, its parent first."""
        at = self.by_name[name].parent
        while at is not None:
            yield at
            at = self.by_name[at].parent


def _claims(item: Item) -> Iterator[Bounds]:
    """Yield the boxes of all that an item claims beside its shape: its room on the other layer, and its ports."""
    if item.opposite is not None and not item.opposite.is_empty:
        x0, y0, x1, y1 = item.opposite.bounds
        yield (x0, y0, x1, y1)
    if item.ports:
        cores = shapely.bounds(np.array([port.core for port in item.ports], dtype=object))  # pyright: ignore[reportUnknownMemberType]
        radii = np.array([port.radius for port in item.ports])[:, None]
        low, high = (cores[:, :2] - radii).min(axis=0), (cores[:, 2:] + radii).max(axis=0)
        yield (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def transformed(item: Item, moves: Sequence[Move]) -> Item:
    """Return an item alone, without its parts, after moves."""
    for move in moves:
        a, b, c, d, e, f = move.matrix
        if (a, b, c, d) == (1.0, 0.0, 0.0, 1.0) and not move.flips:
            item = _shifted(item, e, f, _rotation(item.rotation, move))
        else:
            item = _mapped(item, move)
    return item


def _mapped(item: Item, move: Move) -> Item:
    """Return an item after a move by any matrix; a flip exchanges its rooms on the two layers."""
    a, b, c, d, e, f = move.matrix

    def point(at: Point) -> Point:
        x, y = at
        return (a * x + c * y + e, b * x + d * y + f)

    def shape(geometry: BaseGeometry | None) -> BaseGeometry | None:
        return None if geometry is None else affine_transform(geometry, [a, c, b, d, e, f])

    def layers(before: tuple[int, ...] | None) -> tuple[int, ...] | None:
        return tuple(1 - layer for layer in before) if move.flips and before is not None else before

    front, back = shape(item.shape), shape(item.opposite)
    assert front is not None
    if move.flips and back is not None:
        front, back = back, front
    return replace(
        item,
        shape=front,
        outline=shape(item.outline),
        body=shape(item.body),
        opposite=back,
        bare=shape(item.bare),
        letters=tuple(affine_transform(box, [a, c, b, d, e, f]) for box in item.letters),
        ports=_ports(item.ports, move),
        keepouts=tuple(
            replace(k, shape=affine_transform(k.shape, [a, c, b, d, e, f]), layers=layers(k.layers))
            for k in item.keepouts
        ),
        origin=None if item.origin is None else point(item.origin),
        rotation=_rotation(item.rotation, move),
        layer=1 - item.layer if move.flips else item.layer,
    )


def _shifted(item: Item, dx: float, dy: float, rotation: float) -> Item:
    """Return the item elsewhere, with all its shapes moved in one array operation: the most frequent move by far."""
    own = [item.shape, item.outline, item.body, item.opposite, item.bare]
    parts = [*item.letters, *(keepout.shape for keepout in item.keepouts), *(port.core for port in item.ports)]
    every = np.array([*own, *parts], dtype=object)
    shifted = iter(shapely.transform(every, lambda xy: xy + np.array((dx, dy))).tolist())
    shape, outline, body, opposite, bare = (next(shifted) for _ in own)
    return replace(
        item,
        shape=shape,
        outline=outline,
        body=body,
        opposite=opposite,
        bare=bare,
        letters=tuple(next(shifted) for _ in item.letters),
        keepouts=tuple(replace(keepout, shape=next(shifted)) for keepout in item.keepouts),
        ports=tuple(
            Port(
                p.name,
                (p.at[0] + dx, p.at[1] + dy),
                next(shifted),
                p.radius,
                p.net,
                p.through,
                p.layer,
                p.function,
                p.kind,
                p.clearance,
                p.least,
            )
            for p in item.ports
        ),
        origin=None if item.origin is None else (item.origin[0] + dx, item.origin[1] + dy),
        rotation=rotation,
    )


def _ports(ports: tuple[Port, ...], move: Move) -> tuple[Port, ...]:
    """Return ports after a move, in one array operation: a part may have a thousand."""
    if not ports:
        return ()
    a, b, c, d, e, f = move.matrix
    turn, shift = np.array([[a, b], [c, d]]), np.array([e, f])
    cores = shapely.transform(np.array([p.core for p in ports], dtype=object), lambda xy: xy @ turn + shift)
    places = np.array([p.at for p in ports]) @ turn + shift
    scale = math.sqrt(abs(a * d - b * c))
    return tuple(
        Port(
            p.name,
            (float(x), float(y)),
            core,
            p.radius * scale,
            p.net,
            p.through,
            1 - p.layer if move.flips and p.layer is not None else p.layer,
            p.function,
            p.kind,
            p.clearance,
            p.least,
        )
        for p, core, (x, y) in zip(ports, cores, places, strict=True)
    )


def _rotation(before: float, move: Move) -> float:
    """Return the degrees after a move. A flip about the horizontal (y changes sign) negates the angle."""
    a, b, *_ = move.matrix
    sign = -1.0 if move.flips else 1.0
    exact = round(sign * before + math.degrees(math.atan2(-b, a)), 9) % 360.0
    return exact - 360.0 if exact > 180.0 else exact
