"""The scene that all rules look at: a layout's objects, its backdrops, and which parts are near which others.

Everything is found once, with arrays and one spatial index, so that a layout of n parts costs about n log n. Where
parts lie on each other in heaps, pairs grow with n²: each rule has a number of comparisons (`Scene.comparisons`), and
ends when they are used up. Rules take y as pointing down and the frame's thresholds as they are; they are for pictures.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import cast

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import STRtree
from shapely.geometry.base import BaseGeometry

from redraft.layout.backdrops import is_backdrop, is_ground, spans
from redraft.layout.items import Bounds, Item, Layout, Point, Thresholds
from redraft.layout.requirements import Requirement
from redraft.layout.requirements.space import bound
from redraft.studios.sketch.rules.issues import place_words

# pyright: reportUnknownMemberType=false


Shapes = NDArray[np.object_]
Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


def areas(shapes: Shapes) -> Floats:
    return shapely.area(shapes)


def lengths(shapes: Shapes) -> Floats:
    return shapely.length(shapes)


def holes(shapes: Shapes) -> Indices:
    """Return the number of holes of each polygon."""
    return np.asarray(shapely.get_num_interior_rings(shapes), dtype=np.intp)


def bounds(shapes: Shapes) -> Floats:
    """One row of x0, y0, x1, y1 for each shape."""
    return shapely.bounds(shapes).reshape(-1, 4)


def boxes(rows: Floats, margin: float) -> Shapes:
    """Rectangles of these bounds, grown on all sides."""
    x0, y0, x1, y1 = rows.T
    return cast("Shapes", shapely.box(x0 - margin, y0 - margin, x1 + margin, y1 + margin))


def differences(first: Shapes, second: Shapes) -> Shapes:
    """Return the part of the first that is outside the second, pair by pair."""
    return np.asarray(shapely.difference(first, second), dtype=object)


def distances(first: Shapes, second: Shapes | BaseGeometry) -> Floats:
    """Return the gaps, pair by pair, or of all shapes to one."""
    return shapely.distance(first, second)


def gaps_of(first: Shapes, second: Shapes) -> Floats:
    """As `distances`, pair by pair; that shapes meet is quicker to know than a distance."""
    shapely.prepare(first)
    gaps = np.zeros(len(first))
    apart = ~shapely.intersects(first, second)
    gaps[apart] = shapely.distance(first[apart], second[apart])
    return gaps


def touching(first: Shapes, second: Shapes, gap: float) -> NDArray[np.bool_]:
    """Return whether shapes are at most a gap apart, pair by pair."""
    shapely.prepare(first)
    return shapely.dwithin(first, second, gap)


def covers_inside(first: Shapes, second: Shapes) -> NDArray[np.bool_]:
    """Return whether the first covers a point within the second, pair by pair."""
    points = shapely.point_on_surface(second)
    shapely.prepare(first)
    return shapely.intersects(first, points)


def tree_pairs(
    shapes: Shapes,
    margin: float,
    limit: int,
    keep: Callable[[Indices, Indices], NDArray[np.bool_]] = lambda first, second: first < second,
) -> tuple[Indices, Indices, bool]:
    """Index pairs, first < second, of shapes whose boxes are within a margin of each other.

    Of more than `limit` pairs that `keep` holds those of the first shapes are returned, and the last value is true.
    """
    tree, around = STRtree(list(shapes)), boxes(bounds(shapes), margin)
    pairs: list[NDArray[np.intp]] = [np.empty((2, 0), dtype=np.intp)]
    room = limit
    for start in range(0, len(around), CHUNK):
        near = np.asarray(tree.query(around[start : start + CHUNK]), dtype=np.intp)
        near[0] += start
        near = near[:, near[0] < near[1]]
        near = near[:, keep(near[0], near[1])]
        pairs.append(near[:, :room])
        room -= near.shape[1]
        if room < 0:
            break
    first, second = np.concatenate(pairs, axis=1)
    return first, second, room < 0


def pieces(shape: BaseGeometry) -> int:
    """Return the number of separate geometries in a shape."""
    return int(cast("int", shapely.get_num_geometries(shape)))


def closest(one: BaseGeometry, other: BaseGeometry) -> tuple[Point, Point]:
    """The ends of the shortest line between two shapes."""
    (x0, y0), (x1, y1) = shapely.shortest_line(one, other).coords
    return (float(x0), float(y0)), (float(x1), float(y1))


def distance(one: BaseGeometry, other: BaseGeometry) -> float:
    """Return the distance between two shapes."""
    return float(cast("float", shapely.distance(one, other)))


CHUNK = 256
"""Shapes that are looked up at once, so that a heap of thousands does not fill the memory with pairs."""

COMPARISONS, COMPARISONS_EACH = 3_000, 2
"""Comparisons of a rule, and more for each part: all pairs of 80 parts; of 2,000 circles, half a second of
intersections (`benchmarks/rules_speed.py`)."""

TOUCH = 0.004
"""Gaps up to here are drawn as touching: 2 pixels at 512."""

WITHIN = 0.9
"""Share of a thing within another's silhouette, from which it is in front of it, or behind it, on purpose."""

_MEETING = frozenset({"inside", "on", "between", "in_front_of", "behind", "touches"})
"""Relations between things that may meet or cover each other."""

_SIDES = {"left": ("*", 0), "right": ("*", 1), "l": ("*l", 0), "r": ("*l", 1), "1": ("*1", 0), "2": ("*1", 1)}

_WORDS = re.compile(r"[^\W\d_]+|\d+")


class CrowdedError(Exception):
    """A rule has used up its comparisons; what it reported so far stands."""


@dataclass(frozen=True)
class Contacts:
    """Pairs of parts of different objects: row k says that parts `first[k]` and `second[k]` are `gap[k]` apart."""

    first: Indices
    second: Indices
    gap: Floats
    cut: bool
    """There are more pairs than were compared."""


@dataclass(frozen=True)
class Pair:
    """A part called left and one called right; `parent` is the whole of both, None when they have different ones."""

    left: str
    right: str
    parent: str | None
    numbered: bool = False
    """Told apart by 1 and 2 alone: perhaps not by sides."""


@dataclass(frozen=True)
class Scene:
    """A layout, the limits that hold for it, and what its requirements say may meet."""

    layout: Layout
    thresholds: Thresholds
    requirements: tuple[Requirement, ...] = ()
    strict: bool = False
    """Hold it to the specification as written: the whole `min_spacing`, and numbered pairs like left and right ones."""

    @cached_property
    def comparisons(self) -> int:
        """The most comparisons of shapes that one rule makes."""
        return COMPARISONS + COMPARISONS_EACH * len(self.parts)

    @cached_property
    def _spent(self) -> list[int]:
        return [0]

    @property
    def spent(self) -> int:
        """The comparisons of the present rule so far."""
        return self._spent[0]

    def begin(self) -> None:
        """Begin a rule: it has all its comparisons again."""
        self._spent[0] = 0

    def spend(self, comparisons: int = 1) -> None:
        """Count comparisons of shapes before they are made.

        Raises:
            CrowdedError: the rule has used up its own.
        """
        self._spent[0] += comparisons
        if self._spent[0] > self.comparisons:
            raise CrowdedError

    @cached_property
    def objects(self) -> tuple[str, ...]:
        """The names of the top-level things; a mere group stands for its members."""
        names: list[str] = []
        waiting = list(self.layout.roots)
        for item in waiting:  # grows while it is walked
            # A group paints nothing itself, and its members are of one kind.
            children = self.layout.children(item.name)
            if item.shape.is_empty and len(children) > 1 and len({kind_of(c) for c in children}) == 1:
                waiting.extend(children)
            else:
                names.append(item.name)
        return tuple(names)

    @cached_property
    def object_of(self) -> dict[str, str]:
        """Part name → the object it belongs to; members of no object (a group's own paint) are left out."""
        return {part.name: name for name in self.objects for part in self.layout.family(name)}

    @cached_property
    def backdrops(self) -> frozenset[str]:
        """Objects that lie behind everything."""
        return frozenset(
            n for n in self.objects if n in self._extents and is_backdrop(self.layout, self.layout[n], self._extents[n])
        )

    @cached_property
    def grounds(self) -> tuple[str, ...]:
        """Backdrops that things may stand on: those that begin below the middle and reach the foot of the frame."""
        return tuple(n for n in self.objects if n in self.backdrops and is_ground(self.layout, self._extents[n]))

    def spans(self, name: str) -> bool:
        """Return whether an object reaches opposite edges of the frame."""
        return spans(self.layout, self.box(name))

    @cached_property
    def actors(self) -> tuple[str, ...]:
        """Objects that are not backdrops and paint something."""
        return tuple(n for n in self.objects if n not in self.backdrops and n in self._extents)

    @cached_property
    def parts(self) -> tuple[Item, ...]:
        """All items that paint something, in painting order."""
        return tuple(i for i in self.layout if not i.shape.is_empty and i.name in self.object_of)

    @cached_property
    def solids(self) -> Shapes:
        """The silhouette of each part."""
        return np.array([silhouette(i) for i in self.parts], dtype=object)

    @cached_property
    def owners(self) -> Indices:
        """The index in `objects` of each part's object."""
        rank = {name: index for index, name in enumerate(self.objects)}
        return np.array([rank[self.object_of[i.name]] for i in self.parts], dtype=np.intp)

    @cached_property
    def _extents(self) -> dict[str, Bounds]:
        """Bounds of every item with its parts, from the leaves up; what paints nothing at all is left out."""
        rows = bounds(np.array([silhouette(i) for i in self.layout], dtype=object))
        extents: dict[str, Bounds] = {}
        for item, row in zip(self.layout, rows, strict=True):
            x0, y0, x1, y1 = (float(v) for v in row)
            name: str | None = item.name if x0 <= x1 else None  # an empty shape has no bounds
            while name is not None:
                a = extents.get(name, (x0, y0, x1, y1))
                extents[name] = (min(a[0], x0), min(a[1], y0), max(a[2], x1), max(a[3], y1))
                name = self.layout[name].parent
        return extents

    def paints(self, name: str) -> bool:
        """Return whether an item or one of its parts paints anything."""
        return name in self._extents

    def box(self, name: str) -> Bounds:
        """The bounds of a part or an object with everything that is part of it.

        Raises:
            KeyError: it paints nothing.
        """
        return self._extents[name]

    def way(self, name: str, dx: float, dy: float) -> str:
        """A shift of a part or an object as the hint, one that stays on the canvas."""
        return place_words(name, dx, dy, self.box(name), self.layout.frame.bounds)

    @cached_property
    def actor_boxes(self) -> Floats:
        """Bounds of the actors, a row for each."""
        return np.array([self.box(name) for name in self.actors], dtype=np.float64).reshape(-1, 4)

    @cached_property
    def _joints(self) -> tuple[Indices, bool]:
        owners = self.owners
        first, second, cut = tree_pairs(
            self.solids, TOUCH, self.comparisons, lambda one, other: owners[one] == owners[other]
        )
        touch = touching(self.solids[first], self.solids[second], TOUCH)
        return np.column_stack([first[touch], second[touch]]), cut

    @property
    def joints(self) -> Indices:
        """Pairs of parts of one object that touch: an array of shape (n, 2); in a heap only some of them."""
        return self._joints[0]

    @property
    def all_joints(self) -> Indices:
        """All pairs of parts of one object that touch.

        Raises:
            CrowdedError: there are too many to compare.
        """
        joints, cut = self._joints
        if cut:
            raise CrowdedError
        return joints

    @cached_property
    def contacts(self) -> Contacts:
        """Parts of different actors that are closer than they may be, or touch; in a heap only some of them."""
        reach = max(TOUCH, self.least_gap)
        acting = np.array([name not in self.backdrops for name in self.objects], dtype=bool)
        owners, acts = self.owners, acting[self.owners]
        first, second, cut = tree_pairs(
            self.solids,
            reach,
            self.comparisons,
            lambda one, other: (owners[one] != owners[other]) & acts[one] & acts[other],
        )
        gap = gaps_of(self.solids[first], self.solids[second])
        near = gap <= reach
        return Contacts(first[near], second[near], gap[near], cut)

    @cached_property
    def overlaid(self) -> dict[int, list[int]]:
        """Index of a part of which some inner point is covered → the parts near it that are painted after all of it.

        In a heap only some of them.
        """
        low, high, _ = tree_pairs(self.solids, 0.0, self.comparisons)
        pairs = np.vstack([np.column_stack([low, high]), np.column_stack([high, low])])
        layers = np.array([item.layer for item in self.parts])
        starts = np.array([item.layer if item.lowest is None else item.lowest for item in self.parts])
        opaque = np.array([not item.texts for item in self.parts])
        pairs = pairs[(starts[pairs[:, 0]] > layers[pairs[:, 1]]) & opaque[pairs[:, 0]]]
        shapes = np.array([item.shape for item in self.parts], dtype=object)
        covered = sorted(set(pairs[covers_inside(shapes[pairs[:, 0]], shapes[pairs[:, 1]]), 1].tolist()))
        fronts: dict[int, list[int]] = {index: [] for index in covered}
        for front, back in pairs.tolist():
            if back in fronts:
                fronts[back].append(front)
        return fronts

    @property
    def near_miss(self) -> float:
        """Below this, and apart, two objects look as if they were meant to touch, or not to: a fifth of the spacing."""
        return self.thresholds.min_spacing / 5

    @property
    def least_gap(self) -> float:
        """Objects that do not touch are at least so far apart: the whole spacing if strict, else no near miss."""
        return self.thresholds.min_spacing if self.strict else self.near_miss

    @cached_property
    def sided(self) -> dict[tuple[str, ...], list[str | None]]:
        """Words of a name without its side → the parts on the first and on the second side."""
        sides: dict[tuple[str, ...], list[str | None]] = {}
        names = {words_of(i.name) for i in self.layout}
        for item in self.layout:
            words = words_of(item.name)
            index = next((i for i, word in enumerate(words) if word in _SIDES), None)
            if index is None or not self.paints(item.name):
                continue
            sign, side = _SIDES[words[index]]
            role = (*words[:index], sign, *words[index + 1 :])
            if sign != "*1" or (*words[:index], "3", *words[index + 1 :]) not in names:
                sides.setdefault(role, [None, None])[side] = item.name
        return sides

    @cached_property
    def pairs(self) -> list[Pair]:
        """All pairs by name. Numbered ones have one label and are parts of one whole, or, strict, two objects."""
        pairs: list[Pair] = []
        for role, (one, other) in self.sided.items():
            if one is None or other is None:
                continue
            left, right = self.layout[one], self.layout[other]
            parent = left.parent if left.parent == right.parent else None
            numbered = "*1" in role
            alike = left.parent == right.parent and left.label.casefold() == right.label.casefold()
            if not numbered or (alike and (parent is not None or self.strict)):
                pairs.append(Pair(left.name, right.name, parent, numbered))
        return pairs

    @cached_property
    def meetings(self) -> dict[tuple[str, str], float]:
        """Pairs of actors closer than they may be → their gap; 0 where they touch or overlap."""
        gaps: dict[tuple[str, str], float] = {}
        near = self.contacts
        for first, second, gap in zip(self.owners[near.first], self.owners[near.second], near.gap, strict=True):
            low, high = sorted((int(first), int(second)))
            key = (self.objects[low], self.objects[high])
            gaps[key] = min(float(gap), gaps.get(key, float(gap)))
        return gaps

    def whole(self, name: str) -> BaseGeometry:
        """The silhouette of an object or part with all that belongs to it."""
        if name not in self._silhouettes:
            solids = [silhouette(i) for i in self.layout.family(name)]
            self._silhouettes[name] = solids[0] if len(solids) == 1 else shapely.union_all(solids)
        return self._silhouettes[name]

    @cached_property
    def _silhouettes(self) -> dict[str, BaseGeometry]:
        return {}

    @cached_property
    def _joined(self) -> frozenset[frozenset[str]]:
        """Pairs of parts, and of their objects, that a requirement lets meet."""
        pairs: set[frozenset[str]] = set()
        for requirement in self.requirements:
            if requirement.relation in _MEETING:
                named = [bound(names, self.layout) for names in (requirement.parts, requirement.of)]
                for one, other in product(*named):
                    pairs |= {frozenset((one, other)), frozenset(self.object_of.get(n, n) for n in (one, other))}
        return frozenset(pairs)

    @cached_property
    def rank(self) -> dict[str, int]:
        """The index in `parts` of each part."""
        return {item.name: index for index, item in enumerate(self.parts)}

    @cached_property
    def object_areas(self) -> Floats:
        """The area of each object's silhouette, in the order of `objects`."""
        return areas(self._wholes)

    @cached_property
    def _wholes(self) -> Shapes:
        return np.array([self.whole(name) for name in self.objects], dtype=object)

    @cached_property
    def _object_tree(self) -> STRtree:
        return STRtree(list(self._wholes))

    def objects_at(self, shape: BaseGeometry) -> list[int]:
        """Return the indices of the objects that a shape meets, in order."""
        return sorted(self._object_tree.query(shape, "intersects").tolist())

    @cached_property
    def _part_tree(self) -> STRtree:
        return STRtree([item.shape for item in self.parts])

    def parts_at(self, shape: BaseGeometry) -> list[int]:
        """Return the indices of the parts that a shape meets, in order."""
        return sorted(self._part_tree.query(shape, "intersects").tolist())

    def joined(self, one: str, other: str) -> bool:
        """Return whether a requirement says that two things meet, or lie before or in each other."""
        return frozenset((one, other)) in self._joined


def silhouette(item: Item) -> BaseGeometry:
    """The outline with holes filled in, or the shape itself."""
    return item.shape if item.outline is None else item.outline


SIDES = frozenset({"left", "right", "l", "r"})
"""Words of a name that tell the parts of a pair apart, as numbers do."""


@lru_cache(maxsize=65536)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name: `ear_left2` is ear, left, 2."""
    return tuple(_WORDS.findall(name.casefold()))


def kind_of(item: Item) -> str:
    """Return the key by which items are alike: names without numbers and sides, else labels."""
    return _kind(item.name, item.label)


@lru_cache(maxsize=65536)
def _kind(name: str, label: str) -> str:
    words = words_of(name)
    plain = [w for w in words if not w.isdigit() and w not in SIDES]
    return " ".join(plain) if plain and len(plain) < len(words) else label.casefold()
