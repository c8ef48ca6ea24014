"""A scene as pictures that the rules of drawings can judge: from the front, the side and above, without perspective.

The front is the camera's: x runs to its right, y down, and what is nearer is painted later. Metres are scaled so that
everything but scenery fits a unit canvas; scenery is cut off at its edge, and ground reaches down to its foot. A
silhouette is as wide as its footprint, seen from there, and as high as its box: what is round is a little too large.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from shapely.geometry import GeometryCollection, box
from shapely.geometry.base import BaseGeometry

from redraft.spatial.layout import SKETCH, Layout
from redraft.studios.scene.layout import items_of
from redraft.studios.scene.space import Flat, Space, outline
from redraft.studios.scene.spec import Thing

__all__ = ["Elevation", "above", "front", "side", "world_front"]

FILLS = 0.9
"""Of the canvas, by the longest side of the scene."""
THIN = 0.002
"""What has no thickness is drawn so thick, as a share of the canvas."""
SLAB = 0.03
"""And flat ground reaches so far below its surface, or to the foot of the canvas where that is nearer."""

_CANVAS = box(0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True)
class Elevation:
    """One such picture. `across` is its x in the world, level."""

    space: Space
    across: Flat
    away: Flat
    """Level, from whoever looks."""
    from_above: bool = False

    @cached_property
    def metres(self) -> float:
        """The canvas' side in metres."""
        (u0, u1), (v0, v1) = self._reaches
        return max(u1 - u0, v1 - v0, 1e-6) / FILLS

    @cached_property
    def layout(self) -> Layout:
        """Items in painting order, in a unit canvas."""
        order = sorted(self.space.bodies.values(), key=lambda b: (-sum(self.space.along(b, self.away)), b.name))
        ranks = {body.name: rank for rank, body in enumerate(order)}
        items = sorted(items_of(self.space, self._shape, ranks), key=lambda item: item.layer)
        return Layout(tuple(replace(item, height=None) for item in items), SKETCH)

    def step(self, dx: float, dy: float) -> tuple[float, float, float]:
        """A step on the canvas as one in the world, in metres."""
        dx, dy = dx * self.metres, dy * self.metres
        if self.from_above:
            return (dx * self.across[0] - dy * self.away[0], dx * self.across[1] - dy * self.away[1], 0.0)
        return (dx * self.across[0], dx * self.across[1], -dy)

    @property
    def _heights(self) -> tuple[float, float]:
        return self.space.stage[2], self.space.stage[5]

    @cached_property
    def _reaches(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Of all actors, across the canvas and down it, in metres."""
        return self._reach(self.across), self._reach(self.away) if self.from_above else self._heights

    def _reach(self, axis: Flat) -> tuple[float, float]:
        reaches = [self.space.along(body, axis) for body in self.space.actors or self.space.bodies.values()]
        return min(low for low, _ in reaches), max(high for _, high in reaches)

    def _shape(self, thing: Thing) -> BaseGeometry:
        """What a thing covers of the canvas."""
        assert thing.box is not None
        scenery = self.space.bodies[self.space.body_of[thing.name]].scenery
        u = self._span(thing, self.across)
        v = self._span(thing, self.away) if self.from_above else (thing.box[2], thing.box[5])
        (left, right), (low, high) = self._reaches
        x0, x1 = (0.5 + (value - (left + right) / 2) / self.metres for value in u)
        y0, y1 = (0.5 - (value - (low + high) / 2) / self.metres for value in reversed(v))
        x0, x1 = _thick(x0, x1)
        y0, y1 = _thick(y0, y1)
        if scenery and not self.from_above and y1 - y0 < SLAB and thing.box[5] <= high:
            y1 = y0 + SLAB
        shape = box(x0, y0, x1, y1)
        if not scenery:
            return shape
        seen = shape.intersection(_CANVAS)
        return seen if seen.area > 0.0 else GeometryCollection()

    def _span(self, thing: Thing, axis: Flat) -> tuple[float, float]:
        places = [x * axis[0] + y * axis[1] for x, y in outline(thing.footprint, thing.box)]
        return min(places), max(places)


def _thick(low: float, high: float) -> tuple[float, float]:
    missing = max(THIN - (high - low), 0.0) / 2
    return low - missing, high + missing


def front(space: Space) -> Elevation:
    """As the camera faces the scene."""
    return Elevation(space, space.right, space.forward)


def side(space: Space) -> Elevation:
    """From the camera's right."""
    (rx, ry), away = space.right, space.forward
    return Elevation(space, away, (-rx, -ry))


def above(space: Space) -> Elevation:
    """From above, the camera's right to the right."""
    return Elevation(space, space.right, space.forward, from_above=True)


def world_front(space: Space) -> Elevation:
    """Along +y, whatever the camera does: what a script's own words may go by."""
    return Elevation(space, (1.0, 0.0), (0.0, 1.0))
