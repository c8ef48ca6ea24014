"""The bodies of a scene, as the rules see them: which things belong together, touch, and rest on each other.

A body is a top-level object with its parts; what covers the floor or a wall is scenery. Directions are the camera's:
*left* is its left, *near* is towards it. Without a camera the scene is seen along +y.
"""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
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
    """Return all words of a name in order, lower case, numbers too, without the number that Blender gives a copy."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return tuple(w.lower() for w in _WORD.findall(_HUMPS.sub(" ", _COPY.sub("", plain))))


def label_of(name: str) -> str:
    """Return a name without its numbers: `Apple 2` and `Apple.003` are both an `apple`."""
    return " ".join(w for w in words_of(name) if not w.isdigit()) or " ".join(words_of(name)) or name


def side_of(name: str) -> tuple[str, str]:
    """Return `left` or `right`, where the name says so, and the name without it: alike for the two of a pair."""
    words = words_of(name)
    side = next((_SIDES[w] for w in words if w in _SIDES), "")
    return side, " ".join("*" if w in _SIDES else w for w in words)


def common_start(names: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the words that several names begin with alike."""
    shared: list[str] = []
    for words in zip(*names, strict=False):
        if len(set(words)) > 1:
            break
        shared.append(words[0])
    return tuple(shared)


SCENERY_SHARE = 0.8
"""Share of everything else's plan, or width and height, from which a thing below or behind it is scenery."""
MAX_FLAT = 0.02
"""Share of its length up to which a thing is flat by its thickness."""
SCENERY_NAMES = frozenset({"ground", "floor", "wall", "backdrop"})
"""Names by which requests ask for scenery."""
MIN_BELOW = 0.1
"""Share of everything else's height that ground lies below its top: a ceiling does not."""
MAX_WALL = 0.1
"""Share of its longest side up to which a thing is thin enough for a wall."""


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
        return self.height <= MAX_FLAT * max(self.box[3] - self.box[0], self.box[4] - self.box[1])

    @property
    def is_wide(self) -> bool:
        """True for what is much wider than high, as grounds are."""
        return self.height < 0.2 * max(self.box[3] - self.box[0], self.box[4] - self.box[1])

    @property
    def is_named_scenery(self) -> bool:
        """True for a name as requests ask for it: `Ground`, `Backdrop`, and `Wall …` for what is thin, not a clock."""
        first, _, rest = self.label.partition(" ")
        thin = min(size_of(self.box)) <= MAX_WALL * extent(self.box)
        return first in SCENERY_NAMES and (not rest or (first == "wall" and thin))

    def is_ground_of(self, others: Box) -> bool:
        """Return whether it lies below the top of others, is flat, and as large as all of them together."""
        shared = [min(self.box[i + 3], others[i + 3]) - max(self.box[i], others[i]) for i in (0, 1)]
        plan = max(others[3] - others[0], 1e-9) * max(others[4] - others[1], 1e-9)
        below = self.box[5] <= others[5] - MIN_BELOW * (others[5] - others[2])
        return below and max(shared[0], 0.0) * max(shared[1], 0.0) / plan >= SCENERY_SHARE and self.is_wide

    def is_wall_of(self, others: Box) -> bool:
        """Return whether it stands upright at the edge of others, is flat, and as wide and high as they are."""
        size = size_of(self.box)
        for thin, wide in ((0, 1), (1, 0)):
            shared = [min(self.box[i + 3], others[i + 3]) - max(self.box[i], others[i]) for i in (wide, 2)]
            limits = [SCENERY_SHARE * (others[i + 3] - others[i]) for i in (wide, 2)]
            middle = (others[thin] + others[thin + 3]) / 2
            outside = self.box[thin] >= middle or self.box[thin + 3] <= middle
            if shared[0] >= limits[0] and shared[1] >= limits[1] and outside and size[thin] <= MAX_FLAT * size[wide]:
                return True
        return False

    def encloses(self, smaller: Box) -> bool:
        """Return whether it is a dome or room: all that is smaller lies within its box, and is small beside it."""
        holds = all(self.box[i] <= smaller[i] and self.box[i + 3] >= smaller[i + 3] for i in range(3))
        return holds and self.height > 0.5 * extent(self.box) and extent(self.box) > 3 * extent(smaller)


def around(boxes: Iterable[Box]) -> Box:
    """Return the box around boxes, of which there must be one."""
    lows_and_highs = list(zip(*boxes, strict=True))
    low = [min(values) for values in lows_and_highs[:3]]
    high = [max(values) for values in lows_and_highs[3:]]
    return (low[0], low[1], low[2], high[0], high[1], high[2])


def size_of(box: Box) -> tuple[float, float, float]:
    return (box[3] - box[0], box[4] - box[1], box[5] - box[2])


def extent(box: Box) -> float:
    """Return the longest side."""
    return max(size_of(box))


def volume(box: Box) -> float:
    """Return the volume of a box; flat ones count as a thousandth of their length thick."""
    thin = 1e-3 * extent(box)
    x, y, z = (max(side, thin) for side in size_of(box))
    return x * y * z


def bodies_of(facts: SceneFacts) -> tuple[Body, ...]:
    """Return all things with visible geometry, by name, with the scenery among them marked."""
    things = {thing.name: thing for thing in facts.things}
    measured = {rest.name for rest in facts.rests}
    families: dict[str, list[Thing]] = {}
    for thing in facts.things:
        if thing.box is None or thing.hidden:
            continue
        # Up to the top-level object; of what hangs under an empty that holds all, to the one below that.
        root, above, seen = thing, things.get(thing.parent or ""), {thing.name}
        while root.name not in measured and above is not None and above.name not in seen:
            seen.add(above.name)
            root, above = above, things.get(above.parent or "")
        families.setdefault(root.name, []).append(thing)

    bodies = [
        Body(name, label_of(name), tuple(sorted(parts, key=lambda part: part.name != name)))
        for name, parts in families.items()
    ]
    return tuple(sorted(_with_scenery(bodies), key=lambda body: body.name))


def _with_scenery(bodies: Sequence[Body]) -> Iterator[Body]:
    """Yield the bodies, marked where they are scenery by their names or by what is around, before or within them."""
    # The two outermost ends on each side give the box around all others of each body.
    lows = [sorted(body.box[i] for body in bodies)[:2] for i in range(3)]
    highs = [sorted((body.box[i] for body in bodies), reverse=True)[:2] for i in range(3, 6)]
    # The boxes around the smallest, the two smallest and so on.
    order = sorted(bodies, key=lambda body: extent(body.box))
    sizes, boxes = [extent(body.box) for body in order], list[Box]()
    for body in order:
        boxes.append(around([*boxes[-1:], body.box]))

    for body in bodies:
        ends = enumerate([*lows, *highs])
        x0, y0, z0, x1, y1, z1 = (pair[-1] if body.box[i] == pair[0] else pair[0] for i, pair in ends)
        others = (x0, y0, z0, x1, y1, z1)
        covers = len(bodies) > 1 and (body.is_ground_of(others) or body.is_wall_of(others))
        count = bisect_left(sizes, extent(body.box))
        encloses = count > 0 and body.encloses(boxes[count - 1])
        yield replace(body, scenery=covers or body.is_named_scenery or encloses)


Flat = tuple[float, float]


@dataclass(frozen=True)
class Space:
    """The measured facts of a scene, and what follows from them."""

    facts: SceneFacts

    @cached_property
    def bodies(self) -> dict[str, Body]:
        return {body.name: body for body in bodies_of(self.facts)}

    @cached_property
    def body_of(self) -> dict[str, str]:
        """The body of each object. Hidden parts and those without geometry belong to none."""
        parts = {part.name: body.name for body in self.bodies.values() for part in body.parts}
        return parts | {name: name for name in self.bodies}

    @cached_property
    def actors(self) -> tuple[Body, ...]:
        """Bodies that are not scenery."""
        return tuple(body for body in self.bodies.values() if not body.scenery)

    @cached_property
    def grounds(self) -> tuple[Body, ...]:
        """Scenery to stand on: wider than high, with something above it; walls and skies are not."""
        others = [body.box[5] for body in self.actors]
        scenery = (body for body in self.bodies.values() if body.scenery and body.is_wide)
        return tuple(body for body in scenery if max(others, default=body.box[5]) >= body.box[5])

    @cached_property
    def stage(self) -> Box:
        """The box around all actors; around everything when there are none."""
        return around(body.box for body in self.actors or tuple(self.bodies.values()))

    @cached_property
    def size(self) -> float:
        """The longest side of the stage in meters, by which tolerances and words of scale go."""
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
        """The support of each body; those that were not measured have none."""
        return {rest.name: rest for rest in self.facts.rests if rest.name in self.bodies}

    @cached_property
    def _labels(self) -> dict[str, set[str]]:
        """The labels that begin with each first word."""
        labels: dict[str, set[str]] = {}
        for body in self.actors:
            labels.setdefault(body.label.partition(" ")[0], set()).add(body.label)
        return labels

    def akin(self, one: str, other: str) -> bool:
        """Return whether two may be parts of one thing by name: `Table_Top` and `Table_Leg_1`, but not two apples."""
        a, b = (self.bodies[name].label.partition(" ")[0] if name in self.bodies else name for name in (one, other))
        return a == b and len(self._labels.get(a, ())) > 1

    def slack(self, body: Body) -> float:
        """Return the meters that a thing may be off unseen: by its own size, a little by the scene's."""
        own = min(side for side in (extent(body.box), body.height) if side > 0) if body.height > 0 else extent(body.box)
        return max(0.02 * own, min(0.002 * self.size, 0.1 * own))

    def touches(self, one: str, other: str) -> bool:
        """Return whether two bodies meet, within an invisible distance."""
        met = self.meeting(one, other)
        return met is not None and met.gap <= min(self.slack(self.bodies[one]), self.slack(self.bodies[other]))


def gap_between(a: Box, b: Box) -> float:
    """Return the clear distance of two boxes, 0 where they meet."""
    steps = [max(a[i] - b[i + 3], b[i] - a[i + 3], 0.0) for i in range(3)]
    return math.hypot(*steps)
