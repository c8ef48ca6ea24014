"""A scene measured once, as the rules and the solver see it: things, what touches what, what rests on what.

Directions are the camera's: *left* is its left, *near* is towards it. Without a camera it is looked at along +y.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from redraft.studios.scene.bodies import Body, around, bodies_of, extent
from redraft.studios.scene.spec import Box, Contact, Rest, SceneFacts

__all__ = ["Space", "gap_between"]

Flat = tuple[float, float]


@dataclass(frozen=True)
class Space:
    """Facts, and what follows from them."""

    facts: SceneFacts

    @cached_property
    def bodies(self) -> dict[str, Body]:
        return {body.name: body for body in bodies_of(self.facts)}

    @cached_property
    def body_of(self) -> dict[str, str]:
        """Object → the body it belongs to. Hidden parts and those without geometry belong to none."""
        found = {part.name: body.name for body in self.bodies.values() for part in body.parts}
        return found | {name: name for name in self.bodies}

    @cached_property
    def actors(self) -> tuple[Body, ...]:
        """Bodies that are no scenery."""
        return tuple(body for body in self.bodies.values() if not body.scenery)

    @cached_property
    def grounds(self) -> tuple[Body, ...]:
        """Scenery to stand on: wider than high, with something above it; walls and skies are not."""
        others = [body.box[5] for body in self.actors]
        return tuple(
            b
            for b in self.bodies.values()
            if b.scenery
            and b.height < 0.2 * max(b.box[3] - b.box[0], b.box[4] - b.box[1])
            and max(others, default=b.box[5]) >= b.box[5]
        )

    @cached_property
    def stage(self) -> Box:
        """The box around all actors; around everything when there are none."""
        return around(body.box for body in self.actors or tuple(self.bodies.values()))

    @cached_property
    def size(self) -> float:
        """The longest side of that, in metres: what tolerances and words of scale go by."""
        return max(extent(self.stage), 1e-6)

    @cached_property
    def right(self) -> Flat:
        """The camera's right, level, a unit vector."""
        x, y, _ = self.facts.camera.right if self.facts.camera else (1.0, 0.0, 0.0)
        length = math.hypot(x, y)
        return (x / length, y / length) if length > 1e-3 else (1.0, 0.0)

    @cached_property
    def forward(self) -> Flat:
        """Away from the camera, level, a unit vector."""
        return (-self.right[1], self.right[0])

    @cached_property
    def meetings(self) -> dict[frozenset[str], Contact]:
        """Pairs of different bodies that are near each other."""
        return {frozenset((c.a, c.b)): c for c in self.facts.contacts if c.a in self.bodies and c.b in self.bodies}

    def meeting(self, one: str, other: str) -> Contact | None:
        return self.meetings.get(frozenset((one, other)))

    @cached_property
    def rests(self) -> dict[str, Rest]:
        """Body → what is under it; nothing for those that were not measured."""
        return {rest.name: rest for rest in self.facts.rests if rest.name in self.bodies}

    @cached_property
    def _labels(self) -> dict[str, set[str]]:
        """First word of names → the labels that begin with it."""
        found: dict[str, set[str]] = {}
        for body in self.actors:
            found.setdefault(body.label.partition(" ")[0], set()).add(body.label)
        return found

    def akin(self, one: str, other: str) -> bool:
        """Whether two may be parts of one thing by their names: `Table_Top` and `Table_Leg_1`, but not two apples."""
        a, b = (self.bodies[name].label.partition(" ")[0] if name in self.bodies else name for name in (one, other))
        return a == b and len(self._labels.get(a, ())) > 1

    def slack(self, body: Body) -> float:
        """How far a thing may be off, in metres, before anybody sees it: by its own size, a little by the scene's."""
        own = min(side for side in (extent(body.box), body.height) if side > 0) if body.height > 0 else extent(body.box)
        return max(0.02 * own, min(0.002 * self.size, 0.1 * own))

    def touches(self, one: str, other: str) -> bool:
        """Whether two bodies meet, within what nobody sees."""
        met = self.meeting(one, other)
        return met is not None and met.gap <= min(self.slack(self.bodies[one]), self.slack(self.bodies[other]))

    def along(self, body: Body | Box, axis: Flat) -> tuple[float, float]:
        """From where to where a body reaches along a level direction."""
        points = (
            _corners(body)
            if isinstance(body, tuple)
            else [p for part in body.parts for p in outline(part.footprint, part.box)]
        )
        places = [x * axis[0] + y * axis[1] for x, y in points]
        return min(places), max(places)


def outline(rings: Iterable[Iterable[Flat]], box: Box | None) -> list[Flat]:
    """The corners of a footprint, or of the box where there is none."""
    points = [point for ring in rings for point in ring]
    return points or (_corners(box) if box is not None else [])


def _corners(box: Box) -> list[Flat]:
    return [(x, y) for x in (box[0], box[3]) for y in (box[1], box[4])]


def gap_between(a: Box, b: Box) -> float:
    """Clear distance of two boxes, 0 where they meet."""
    steps = [max(a[i] - b[i + 3], b[i] - a[i + 3], 0.0) for i in range(3)]
    return math.hypot(*steps)
