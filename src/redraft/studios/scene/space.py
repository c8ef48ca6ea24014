"""A scene measured once, as the rules see it: things, what touches what, what rests on what.

A body is a top-level object with its parts; what covers the floor or a wall is scenery. Directions are the camera's:
*left* is its left, *near* is towards it. Without a camera the scene is seen along +y.
"""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from redraft.studios.scene.spec import Box, Contact, Rest, SceneFacts, Thing

_COPY = re.compile(r"\.\d{3,}$")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_WORD = re.compile(r"[^\W_]+")
_SIDES = {"left": "left", "l": "left", "right": "right", "r": "right"}
"""Blender's own suffixes of the two of a pair: `Arm.L`, `Arm_Right`."""


@lru_cache(maxsize=65536)
def words_of(name: str) -> tuple[str, ...]:
    """All words of a name in order, lower case, numbers too; the number that Blender gives a copy is left out."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return tuple(w.lower() for w in _WORD.findall(_HUMPS.sub(" ", _COPY.sub("", plain))))


def label_of(name: str) -> str:
    """A name without its numbers: `Apple 2` and `Apple.003` are both an `apple`."""
    return " ".join(w for w in words_of(name) if not w.isdigit()) or " ".join(words_of(name)) or name


def side_of(name: str) -> tuple[str, str]:
    """`left` or `right`, where the name says so, and the name without it: alike for the two of a pair."""
    words = words_of(name)
    side = next((_SIDES[w] for w in words if w in _SIDES), "")
    return side, " ".join("*" if w in _SIDES else w for w in words)


def common_start(names: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The words that several names begin with alike."""
    shared: list[str] = []
    for words in zip(*names, strict=False):
        if len(set(words)) > 1:
            break
        shared.append(words[0])
    return tuple(shared)


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
        """Bodies that are not scenery."""
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
        """The longest side of that, in meters: what tolerances and words of scale go by."""
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
        """How far a thing may be off, in meters, before anybody sees it: by its own size, a little by the scene's."""
        own = min(side for side in (extent(body.box), body.height) if side > 0) if body.height > 0 else extent(body.box)
        return max(0.02 * own, min(0.002 * self.size, 0.1 * own))

    def touches(self, one: str, other: str) -> bool:
        """Whether two bodies meet, within an invisible distance."""
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
