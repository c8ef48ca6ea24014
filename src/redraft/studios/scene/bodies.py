"""The things of a scene: each top-level object with its parts. What covers the floor or a wall is scenery."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from redraft.studios.scene.naming import label_of
from redraft.studios.scene.spec import Box, SceneFacts, Thing

__all__ = ["Body", "around", "bodies_of", "extent", "size_of", "volume"]

COVERS = 0.8
"""Of the plan, or of the width and height, of everything else: what covers so much, below or behind it, is scenery."""
FLAT = 0.02
"""Of its length, that a flat thing is thick."""
NAMES = frozenset({"ground", "floor", "wall", "backdrop"})
"""By which requests ask that scenery be named."""
BELOW = 0.1
"""Of the height of everything else, that ground lies below its top: a ceiling does not."""
THIN = 0.1
"""Of its longest side, that a wall is thick."""


@dataclass(frozen=True)
class Body:
    """One thing with all its parts, named after its top-level object."""

    name: str
    label: str
    parts: tuple[Thing, ...]
    """All that has geometry and is not hidden, the top-level object first where it has some."""
    scenery: bool = False

    @cached_property
    def box(self) -> Box:
        return around(part.box for part in self.parts if part.box is not None)

    @property
    def center(self) -> tuple[float, float, float]:
        a = self.box
        return ((a[0] + a[3]) / 2, (a[1] + a[4]) / 2, (a[2] + a[5]) / 2)

    @property
    def height(self) -> float:
        return self.box[5] - self.box[2]

    @property
    def pixels(self) -> float:
        """Share of the camera's picture, 0 to 1."""
        return sum(part.pixels for part in self.parts)

    @property
    def is_flat(self) -> bool:
        return self.height <= FLAT * max(self.box[3] - self.box[0], self.box[4] - self.box[1])


def around(boxes: Iterable[Box]) -> Box:
    """The box around boxes, of which there must be one."""
    lows_and_highs = list(zip(*boxes, strict=True))
    low = [min(values) for values in lows_and_highs[:3]]
    high = [max(values) for values in lows_and_highs[3:]]
    return (low[0], low[1], low[2], high[0], high[1], high[2])


def size_of(box: Box) -> tuple[float, float, float]:
    return (box[3] - box[0], box[4] - box[1], box[5] - box[2])


def extent(box: Box) -> float:
    """The longest side."""
    return max(size_of(box))


def volume(box: Box) -> float:
    """Of the box; flat ones count as a thousandth of their length thick."""
    thin = 1e-3 * extent(box)
    x, y, z = (max(side, thin) for side in size_of(box))
    return x * y * z


def bodies_of(facts: SceneFacts) -> tuple[Body, ...]:
    """All things with visible geometry, by name."""
    things = {thing.name: thing for thing in facts.things}
    measured = {rest.name for rest in facts.rests}
    families: dict[str, list[Thing]] = {}
    for thing in facts.things:
        if thing.box is not None and not thing.hidden:
            families.setdefault(_root(thing, things, measured), []).append(thing)
    found = (
        Body(name, label_of(name), tuple(sorted(parts, key=lambda part: part.name != name)))
        for name, parts in families.items()
    )
    return tuple(sorted(_with_scenery(tuple(found)), key=lambda body: body.name))


def _root(thing: Thing, things: Mapping[str, Thing], measured: Container[str]) -> str:
    """The top-level object that a thing belongs to; of what hangs under an empty that holds all, the one below that."""
    root, above = thing, things.get(thing.parent or "")
    seen = {thing.name}
    while root.name not in measured and above is not None and above.name not in seen:
        seen.add(above.name)
        root, above = above, things.get(above.parent or "")
    return root.name


def _with_scenery(bodies: Sequence[Body]) -> Iterator[Body]:
    beside, within = _around_others(bodies), _around_smaller(bodies)
    for body in bodies:
        covers = len(bodies) > 1 and (_is_ground(body, beside(body)) or _is_wall(body, beside(body)))
        yield replace(body, scenery=covers or _is_named(body) or _encloses(body, within(body)))


def _is_named(body: Body) -> bool:
    """As requests ask for it: `Ground`, `Floor`, `Backdrop`, and `Wall …` for what is thin; a wall clock is not one."""
    first, *rest = label_of(body.name).split()
    thin = sorted(size_of(body.box))[0] <= THIN * extent(body.box)
    return first in NAMES and (not rest or (first == "wall" and thin))


def _around_others(bodies: Sequence[Body]) -> Callable[[Body], Box]:
    """For each body the box around all others."""
    lows = [sorted(body.box[i] for body in bodies)[:2] for i in range(3)]
    highs = [sorted((body.box[i] for body in bodies), reverse=True)[:2] for i in range(3, 6)]
    ends = [*lows, *highs]

    def others(body: Body) -> Box:
        a = [pair[-1] if body.box[i] == pair[0] else pair[0] for i, pair in enumerate(ends)]
        return (a[0], a[1], a[2], a[3], a[4], a[5])

    return others


def _around_smaller(bodies: Sequence[Body]) -> Callable[[Body], Box | None]:
    """For each body the box around all that are smaller; None where none is."""
    order = sorted(bodies, key=lambda body: extent(body.box))
    sizes, boxes = [extent(body.box) for body in order], list[Box]()
    for body in order:
        boxes.append(around([*boxes[-1:], body.box]))

    def smaller(body: Body) -> Box | None:
        count = bisect_left(sizes, extent(body.box))
        return boxes[count - 1] if count else None

    return smaller


def _is_ground(body: Body, rest: Box) -> bool:
    """It lies below the tops, is flat, and as large as all others together."""
    shared = [min(body.box[i + 3], rest[i + 3]) - max(body.box[i], rest[i]) for i in (0, 1)]
    plan = max(rest[3] - rest[0], 1e-9) * max(rest[4] - rest[1], 1e-9)
    below = body.box[5] <= rest[5] - BELOW * (rest[5] - rest[2])
    over = max(shared[0], 0.0) * max(shared[1], 0.0) / plan >= COVERS
    return below and over and body.height < 0.2 * max(body.box[3] - body.box[0], body.box[4] - body.box[1])


def _is_wall(body: Body, rest: Box) -> bool:
    """It stands upright at the edge of all others, is flat, and as wide and high as they are."""
    for thin, wide in ((0, 1), (1, 0)):
        size = size_of(body.box)
        shared = [min(body.box[i + 3], rest[i + 3]) - max(body.box[i], rest[i]) for i in (wide, 2)]
        covers = all(s >= COVERS * (rest[i + 3] - rest[i]) for s, i in zip(shared, (wide, 2), strict=True))
        middle = (rest[thin] + rest[thin + 3]) / 2
        outside = body.box[thin] >= middle or body.box[thin + 3] <= middle
        if covers and outside and size[thin] <= FLAT * size[wide]:
            return True
    return False


def _encloses(body: Body, rest: Box | None) -> bool:
    """A dome or room: everything smaller is within its box, and small beside it."""
    if rest is None:
        return False
    box = body.box
    holds = all(box[i] <= rest[i] and box[i + 3] >= rest[i + 3] for i in range(3))
    return holds and body.height > 0.5 * extent(box) and extent(box) > 3 * extent(rest)
