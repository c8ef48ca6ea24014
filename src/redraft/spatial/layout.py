"""Placed things in a frame: the one picture of space that rules, solver, planner and views share.

A `Layout` knows no studio and no file format. An item has the exact shape that it paints, a parent when it is part
of something, and a height interval where there is a third dimension; its `Frame` says what the numbers mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from shapely import unary_union
from shapely.affinity import affine_transform
from shapely.geometry.base import BaseGeometry

__all__ = ["SKETCH", "Bounds", "Frame", "Item", "Layout", "Matrix", "Move", "Point", "Style", "Thresholds"]

Point = tuple[float, float]
Bounds = tuple[float, float, float, float]
Matrix = tuple[float, float, float, float, float, float]
"""SVG order a, b, c, d, e, f: x' = a x + c y + e, y' = b x + d y + f."""


@dataclass(frozen=True)
class Thresholds:
    """What the rules measure against, in the frame's unit. The defaults are the sketch specification's."""

    min_spacing: float = 0.05
    max_overlap_ratio: float = 0.1
    """Intersection over union."""
    min_size: float = 0.005
    """Share of the frame's area."""
    max_size: float = 0.8
    max_ratio: float = 100.0
    """Of two areas."""
    pair_size: float = 2.0
    """Of the areas of a mirror pair."""
    beside: float = 0.1
    directional: float = 0.15
    much_further: float = 0.3


@dataclass(frozen=True)
class Frame:
    """What a layout's numbers mean."""

    unit: str = "canvas"
    quantum: float = 1e-6
    """The solver's integer step, in units."""
    bounds: Bounds = (0.0, 0.0, 1.0, 1.0)
    up: Point = (0.0, -1.0)
    """The direction of *above*: −y on paper."""
    grid: float = 0.1
    thresholds: Thresholds = field(default_factory=Thresholds)

    @property
    def area(self) -> float:
        x0, y0, x1, y1 = self.bounds
        return (x1 - x0) * (y1 - y0)


SKETCH = Frame()


@dataclass(frozen=True)
class Style:
    """How an item is painted, as far as consistency can be judged. Colours as `#rrggbb`, or None."""

    fills: tuple[str, ...] = ()
    strokes: tuple[str, ...] = ()
    widths: tuple[float, ...] = ()


@dataclass(frozen=True)
class Item:
    """One named thing.

    `shape` is what the item itself paints, its parts not included, in units; a bare line is painted as wide as its
    pen. It may be empty for a part that only groups others.
    """

    name: str
    label: str
    """The noun, singular, as asked for."""
    shape: BaseGeometry
    parent: str | None = None
    layer: int = 0
    """Painting order: higher is in front. On boards the side."""
    height: tuple[float, float] | None = None
    is_line: bool = False
    """Strokes without fill only: such a thing has a place and no area of its own."""
    style: Style = field(default_factory=Style)
    ports: Mapping[str, Point] = field(default_factory=dict[str, Point])
    locked: bool = False
    outline: BaseGeometry | None = None
    """The silhouette with holes filled in, where it differs from `shape` (a wheel drawn as a ring has both)."""


@dataclass(frozen=True)
class Move:
    """What the solver answers: a transform for an item and everything that is part of it."""

    item: str
    matrix: Matrix
    reason: str = ""

    @classmethod
    def shift(cls, item: str, dx: float, dy: float, reason: str = "") -> Move:
        return cls(item, (1.0, 0.0, 0.0, 1.0, dx, dy), reason)

    @classmethod
    def scale(cls, item: str, sx: float, sy: float, about: Point, reason: str = "") -> Move:
        x, y = about
        return cls(item, (sx, 0.0, 0.0, sy, x - sx * x, y - sy * y), reason)


AnchorName = Literal["center", "left", "right", "top", "bottom", "top_left", "top_right", "bottom_left", "bottom_right"]


def anchors_of(bounds: Bounds) -> dict[AnchorName, Point]:
    """The nine anchors of a box: centre, edges, corners."""
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
    def _children(self) -> dict[str | None, tuple[Item, ...]]:
        found: dict[str | None, list[Item]] = {}
        for item in self.items:
            found.setdefault(item.parent, []).append(item)
        return {parent: tuple(children) for parent, children in found.items()}

    @property
    def roots(self) -> tuple[Item, ...]:
        """Top-level things."""
        return self._children.get(None, ())

    def children(self, name: str) -> tuple[Item, ...]:
        return self._children.get(name, ())

    def family(self, name: str) -> tuple[Item, ...]:
        """The item and everything that is part of it, at any depth, the item first."""
        found = [self.by_name[name]]
        for item in found:  # grows while it is walked: breadth first
            found.extend(self.children(item.name))
        return tuple(found)

    def root_of(self, name: str) -> Item:
        """The top-level thing that an item belongs to."""
        item = self.by_name[name]
        while item.parent is not None:
            item = self.by_name[item.parent]
        return item

    @cached_property
    def _wholes(self) -> dict[str, BaseGeometry]:
        return {}

    def whole(self, name: str) -> BaseGeometry:
        """The shape of an item with all its parts."""
        found = self._wholes.get(name)
        if found is None:
            family = self.family(name)
            found = family[0].shape if len(family) == 1 else unary_union([i.shape for i in family])
            self._wholes[name] = found
        return found

    def bounds(self, name: str) -> Bounds:
        """The box of an item with all its parts: x0, y0, x1, y1."""
        x0, y0, x1, y1 = self.whole(name).bounds
        return (x0, y0, x1, y1)

    def moved(self, moves: tuple[Move, ...]) -> Layout:
        """This layout after the moves, in order, each taking an item's parts along."""
        matrices: dict[str, list[Matrix]] = {}
        for move in moves:
            for item in self.family(move.item):
                matrices.setdefault(item.name, []).append(move.matrix)
        items = tuple(_transformed(i, matrices[i.name]) if i.name in matrices else i for i in self.items)
        return Layout(items, self.frame)


def _transformed(item: Item, matrices: list[Matrix]) -> Item:
    from dataclasses import replace

    shape, outline, ports = item.shape, item.outline, dict(item.ports)
    for a, b, c, d, e, f in matrices:
        shape = affine_transform(shape, [a, c, b, d, e, f])
        outline = None if outline is None else affine_transform(outline, [a, c, b, d, e, f])
        ports = {k: (a * x + c * y + e, b * x + d * y + f) for k, (x, y) in ports.items()}
    return replace(item, shape=shape, outline=outline, ports=ports)
