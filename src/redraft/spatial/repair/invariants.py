"""Invariants of a repair: contacts, footing, round shapes, visible parts, the margin of the canvas.

Facts of a drawing before and after a step, cheap to compare, and none of them an issue: a drawing may lack any of
them and be right, but a repair must not take them away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from redraft.layout import Item, Layout, Move
from redraft.spatial.backdrops import is_backdrop
from redraft.spatial.rules.geometry import TOUCH, distances, silhouette, touching, tree_pairs

__all__ = ["Facts", "distorted", "harm", "strained"]

SLACK = 0.002
"""Numbers are rounded when they are written back, and pens keep their width: contacts may change by so much."""

SOLE = 0.01
"""What is this near to the lower edge of a thing is what it stands on."""

HIDDEN = 0.25
"""Share of a part that another one of its object may newly cover."""

SAME = 0.06
"""By this share of it the place where two things meet may grow or shrink."""

UPRIGHT = 0.93
"""Share of its box that an upright box, bar or line covers, its corners perhaps rounded."""

MARGIN = 0.02
"""Nearer to the edge of the canvas than this only what was so before."""


MAX_TOUCHING = 100_000
"""Pairs that are compared; a solver is not asked about a drawing with so many findings that some are only counted."""


class Facts:
    """What a drawing is like, found when it is asked for."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._standing: dict[tuple[str, frozenset[str]], bool] = {}
        self._silhouettes: dict[str, BaseGeometry] = {}

    @cached_property
    def objects(self) -> tuple[str, ...]:
        """Top-level things that paint something; a mere group of like things stands for its members."""
        found: list[str] = []
        for item in self.layout.roots:
            members = self.layout.children(item.name)
            alike = len(members) > 1 and item.shape.is_empty and len({m.label for m in members}) == 1
            found += [m.name for m in members] if alike else [item.name]
        return tuple(name for name in found if not self.layout.whole(name).is_empty)

    @cached_property
    def object_of(self) -> dict[str, str]:
        return {part.name: name for name in self.objects for part in self.layout.family(name)}

    @cached_property
    def backdrops(self) -> frozenset[str]:
        return frozenset(n for n in self.objects if is_backdrop(self.layout, self.layout[n]))

    @cached_property
    def _near(self) -> tuple[tuple[Item, Item], ...]:
        """Pairs of parts that touch."""
        parts = [i for i in self.layout if not i.shape.is_empty and i.name in self.object_of]
        solids = np.array([silhouette(i) for i in parts], dtype=object)
        first, second, _ = tree_pairs(solids, TOUCH, MAX_TOUCHING)
        touch = touching(solids[first], solids[second], TOUCH)
        return tuple((parts[int(i)], parts[int(j)]) for i, j in zip(first[touch], second[touch], strict=True))

    @cached_property
    def joints(self) -> tuple[tuple[Item, Item], ...]:
        """Pairs of parts of one object that touch."""
        return tuple((a, b) for a, b in self._near if self.object_of[a.name] == self.object_of[b.name])

    @cached_property
    def meetings(self) -> frozenset[tuple[str, str]]:
        """Pairs of objects that touch, backdrops left out."""
        pairs = {(self.object_of[a.name], self.object_of[b.name]) for a, b in self._near}
        return frozenset((a, b) for a, b in pairs if a != b and not {a, b} & self.backdrops)

    def whole(self, name: str) -> BaseGeometry:
        """The silhouette of an object."""
        if name not in self._silhouettes:
            self._silhouettes[name] = shapely.union_all([silhouette(i) for i in self.layout.family(name)])
        return self._silhouettes[name]

    def gap(self, one: str, other: str) -> float:
        return silhouette(self.layout[one]).distance(silhouette(self.layout[other]))

    def stands(self, name: str, without: frozenset[str] = frozenset()) -> bool:
        """Whether the lowest of an object touches another one, ground, a ledge of the scenery, or the canvas' edge."""
        if (name, without) not in self._standing:
            self._standing[name, without] = self._stands(name, without)
        return self._standing[name, without]

    def _stands(self, name: str, without: frozenset[str]) -> bool:
        x0, _, x1, y1 = self.layout.bounds(name)
        if y1 >= self.layout.frame.bounds[3] - SOLE:
            return True
        sole = self.whole(name).intersection(shapely.box(x0, y1 - SOLE, x1, y1))
        return any(shapely.dwithin(shape, sole, 2 * TOUCH) for shape in self._floors(without | {name}))

    def _floors(self, without: frozenset[str]) -> Iterator[BaseGeometry]:
        """Other things; all of a ground that does not reach the top of the canvas; of others its parts' edges."""
        yield from (self.whole(n) for n in self.objects if n not in without and n not in self.backdrops)
        for backdrop in sorted(self.backdrops - without):
            if self.layout.bounds(backdrop)[1] > self.layout.frame.bounds[1] + MARGIN:
                yield self.whole(backdrop)
            yield from (p.shape.boundary for p in self.layout.family(backdrop)[1:] if not p.shape.is_empty)


def harm(
    before: Facts,
    after: Facts,
    moved: Iterable[str],
    *,
    parting: bool = False,
    placed: frozenset[str] = frozenset(),
) -> str:
    """Return what a step must not break but does, in words; empty for nothing.

    Args:
        moved: the items that were moved, with or without their parts.
        parting: the step is meant to take parts off each other, so only the hold of an object counts.
        placed: objects that a requirement arranges: that they met each other before was by accident.
    """
    names = {i.name for name in moved for i in before.layout.family(name)}
    objects = sorted({before.object_of[n] for n in names if n in before.object_of})
    found = (*_loosened(before, after, names, parting), *_sunk(before, after, objects, placed))
    return next((words for words in (*found, *_covered(before, after, names), *_over(before, after, objects))), "")


def distorted(layout: Layout, moves: Iterable[Move], shaped: frozenset[str]) -> str:
    """Return parts that moves would distort (all but upright boxes, bars and lines), in words; empty for none."""
    for move in moves:
        a, b, c, d, *_ = move.matrix
        if abs(a * c + b * d) < 1e-9 and abs(np.hypot(a, b) - np.hypot(c, d)) < 1e-9:
            continue
        for item in layout.family(move.item):
            x0, y0, x1, y1 = item.shape.bounds if not item.shape.is_empty else (0.0, 0.0, 0.0, 0.0)
            if silhouette(item).area < UPRIGHT * (x1 - x0) * (y1 - y0) and item.name not in shaped:
                return f"{item.name} would be distorted"
    return ""


def strained(before: Facts, after: Facts, moved: Iterable[str], about: frozenset[str]) -> str:
    """Return the contacts that a step changes between objects, in words; empty for none.

    What touched touches as much as before, what was clear of each other is clear, what lay in something lies in it.

    Args:
        moved: the items that were moved, with or without their parts.
        about: items whose places relative to each other the step is meant to change.
    """
    names = {i.name for name in moved for i in before.layout.family(name)}
    return next(_strains(before, after, names, about), "")


def _strains(before: Facts, after: Facts, names: set[str], about: frozenset[str]) -> Iterator[str]:
    parts = [i.name for i in before.layout if not i.shape.is_empty]
    old = np.array([before.layout[n].shape for n in parts], dtype=object)
    new = np.array([after.layout[n].shape for n in parts], dtype=object)
    owner = [before.object_of.get(n, n) for n in parts]
    for i in (i for i, name in enumerate(parts) if name in names):
        gaps, gaps_after = distances(old, np.full_like(old, old[i])), distances(new, np.full_like(new, new[i]))
        for j in np.flatnonzero((gaps <= TOUCH) | (gaps_after <= TOUCH)).tolist():
            one, other = parts[i], parts[j]
            if owner[i] == owner[j] or (other in names and j < i) or {one, other} <= about:
                continue
            if gaps[j] <= TOUCH and gaps_after[j] > TOUCH + SLACK:
                yield f"{one} would no longer touch {other}"
            if {owner[i], owner[j]} & before.backdrops:
                continue
            if gaps[j] > TOUCH and gaps_after[j] < SLACK / 4:
                yield f"{one} would touch {other}"
            elif gaps[j] <= TOUCH:
                then, now = _contact(old[i], old[j]), _contact(new[i], new[j])
                if now < (1 - SAME) * then:
                    yield f"{one} would not meet {other} as before"
                elif now > (1 + SAME) * then:
                    yield f"{one} would overlap {other} more"


def _contact(one: BaseGeometry, other: BaseGeometry) -> float:
    """How much two shapes share, edges that touch counted too."""
    return one.buffer(TOUCH).intersection(other.buffer(TOUCH)).area


def _loosened(before: Facts, after: Facts, names: set[str], parting: bool) -> Iterator[str]:
    """Parts that touched their whole, or where they did not touch it, their kin; and all that hung together."""
    lost = [
        (a, b)
        for a, b in before.joints
        if (a.name in names or b.name in names) and after.gap(a.name, b.name) > TOUCH + SLACK
    ]
    for a, b in lost:
        akin = a.name == b.parent or b.name == a.parent
        free = parting or a.label == b.label or any(_held(before, after, i) for i in (a, b) if i.name in names)
        if akin or not free:
            yield f"{a.name} would no longer touch {b.name}"
    yield from _scattered(before, after, names, lost)


def _held(before: Facts, after: Facts, item: Item) -> bool:
    """Return whether a part touches its whole, and did before."""
    parent = item.parent
    if parent is None or before.layout[parent].shape.is_empty:
        return False
    return max(before.gap(item.name, parent), after.gap(item.name, parent)) <= TOUCH + SLACK


def _scattered(before: Facts, after: Facts, names: set[str], lost: list[tuple[Item, Item]]) -> Iterator[str]:
    """What was connected through parts that touch, and is not any more."""
    if not lost:
        return
    gone = {(a.name, b.name) for a, b in lost}
    kept = [(a.name, b.name) for a, b in before.joints if (a.name, b.name) not in gone]
    new = [(a.name, b.name) for a, b in after.joints if a.name in names or b.name in names]
    groups = _groups([*kept, *new])
    for a, b in lost:
        if groups.get(a.name, a.name) != groups.get(b.name, b.name):
            yield f"{a.name} and {b.name} would no longer hang together"


def _groups(links: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Name → the name that stands for its connected group."""
    found: dict[str, str] = {}

    def root(name: str) -> str:
        while found.setdefault(name, name) != name:
            name = found[name]
        return name

    for one, other in links:
        found[root(one)] = root(other)
    return {name: root(name) for name in list(found)}


def _sunk(before: Facts, after: Facts, objects: list[str], placed: frozenset[str]) -> Iterator[str]:
    """Objects that stood on something and now float: moved ones, and what lost its footing to one."""
    near = {n for pair in before.meetings if any(o in objects for o in pair) for n in pair}
    for name in sorted({*objects, *near} - before.backdrops):
        if before.stands(name, placed if name in placed else frozenset()) and not after.stands(name):
            yield f"{name} would float"


def _covered(before: Facts, after: Facts, names: set[str]) -> Iterator[str]:
    """Parts newly hidden by another part of their object, neither of which belongs to the other."""
    for a, b in after.joints:
        back, front = sorted((a, b), key=lambda i: i.layer)
        if (a.name in names) != (b.name in names) and not front.is_line and not _of_one_line(after.layout, a, b):
            new = _share(front, back) - _share(before.layout[front.name], before.layout[back.name])
            if new > HIDDEN:
                yield f"{front.name} would cover {back.name}"


def _of_one_line(layout: Layout, a: Item, b: Item) -> bool:
    """Return whether one is a part of the other, at any depth."""
    return any(i.name == b.name for i in layout.family(a.name)) or any(i.name == a.name for i in layout.family(b.name))


def _share(front: Item, back: Item) -> float:
    return front.shape.intersection(back.shape).area / max(back.shape.area, 1e-12)


def _over(before: Facts, after: Facts, objects: list[str]) -> Iterator[str]:
    """Objects that come nearer to an edge of the canvas than they and its margin were."""
    for name in objects:
        rooms = zip(_rooms(before, name), _rooms(after, name), strict=True)
        if any(now < min(then, MARGIN) - 4 * after.layout.frame.quantum for then, now in rooms):
            yield f"{name} would come too near to the edge of the canvas"


def _rooms(facts: Facts, name: str) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = facts.layout.frame.bounds
    a, b, c, d = facts.layout.bounds(name)
    return (a - x0, b - y0, x1 - c, y1 - d)
