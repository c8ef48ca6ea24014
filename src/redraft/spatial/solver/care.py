"""What no repair may cost: contacts within an object, a footing, a part that can be seen, the edge of the canvas.

Facts of a drawing before and after a step, cheap to compare, and none of them a rule of the validator: a drawing may
lack any of these and be right, but a repair must not take them away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import shapely

from redraft.spatial.binding import Binding
from redraft.spatial.labels import same_noun
from redraft.spatial.layout import Item, Layout
from redraft.spatial.reading import Reading
from redraft.spatial.rules.scene import TOUCH, Scene, silhouette
from redraft.spatial.scenery import is_kind

__all__ = ["Facts", "harm"]

SLACK = 0.002
"""Numbers are rounded when they are written back, and pens keep their width: contacts may change by so much."""

SOLE = 0.01
"""What is this near to the lower edge of a thing is what it stands on."""

HIDDEN = 0.25
"""Share of a part that another one of its object may newly cover."""

MARGIN = 0.02
"""Nearer to the edge of the canvas than this only what was so before."""


class Facts:
    """What a drawing is like, found when it is asked for."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.scene = Scene(layout, Binding(Reading(""), layout), layout.frame.thresholds)
        self._standing: dict[str, bool] = {}

    @cached_property
    def joints(self) -> tuple[tuple[Item, Item], ...]:
        """Pairs of parts of one object that touch."""
        parts = self.scene.parts
        return tuple((parts[int(i)], parts[int(j)]) for i, j in self.scene.joints)

    def gap(self, one: str, other: str) -> float:
        return silhouette(self.layout[one]).distance(silhouette(self.layout[other]))

    def stands(self, name: str) -> bool:
        """Whether the lowest of an object touches another one, ground, a ledge of the scenery, or the canvas' edge."""
        if name not in self._standing:
            self._standing[name] = self._stands(name)
        return self._standing[name]

    def _stands(self, name: str) -> bool:
        x0, _, x1, y1 = self.scene.box(name)
        if y1 >= self.layout.frame.bounds[3] - SOLE:
            return True
        sole = self.scene.whole(name).intersection(shapely.box(x0, y1 - SOLE, x1, y1))
        return any(shapely.dwithin(shape, sole, 2 * TOUCH) for shape in self._floors(name))

    def _floors(self, name: str) -> Iterator[shapely.Geometry]:
        """Other things; ground all of it, since things stand in it; of other scenery its edges."""
        yield from (self.scene.whole(n) for n in self.scene.actors if n != name)
        yield from (self.scene.whole(n) for n in self.scene.grounds)
        for backdrop in sorted(self.scene.backdrops - set(self.scene.grounds)):
            parts = self.layout.family(backdrop)[1:]
            yield from (p.shape.boundary for p in parts if not p.shape.is_empty and not is_kind(p.label, "sky"))


def harm(before: Facts, after: Facts, moved: Iterable[str], *, parting: bool = False) -> str:
    """What a step takes away that it must not, in words; empty when nothing.

    Args:
        moved: the items that were moved, with or without their parts.
        parting: the step is meant to take parts off each other, so only the hold of an object counts.
    """
    names = {i.name for name in moved for i in before.layout.family(name)}
    objects = sorted({before.scene.object_of[n] for n in names if n in before.scene.object_of})
    found = (*_loosened(before, after, names, parting), *_sunk(before, after, names, objects))
    return next((words for words in (*found, *_covered(before, after, names), *_over(before, after, objects))), "")


def _loosened(before: Facts, after: Facts, names: set[str], parting: bool) -> Iterator[str]:
    """Parts that touched their whole, or where they did not touch it, their kin; and all that hung together."""
    lost = [
        (a, b)
        for a, b in before.joints
        if (a.name in names or b.name in names) and after.gap(a.name, b.name) > TOUCH + SLACK
    ]
    for a, b in lost:
        akin = a.name == b.parent or b.name == a.parent
        free = parting or same_noun(a.label, b.label) or any(_held(before, after, i) for i in (a, b) if i.name in names)
        if akin or not free:
            yield f"{a.name} would no longer touch {b.name}"
    yield from _scattered(before, after, names, lost)


def _held(before: Facts, after: Facts, item: Item) -> bool:
    """Whether a part touches its whole, and did before."""
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


def _sunk(before: Facts, after: Facts, names: set[str], objects: list[str]) -> Iterator[str]:
    """Objects that stood on something and now float: moved ones, and what lost its footing to one."""
    near = {n for pair in before.scene.meetings if any(o in objects for o in pair) for n in pair}
    for name in sorted({*objects, *near}):
        flies = is_kind(before.layout[name].label, "held_up") or name in before.scene.backdrops
        if not flies and name in after.scene.actors and before.stands(name) and not after.stands(name):
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
    """Whether one is a part of the other, at any depth."""
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
    a, b, c, d = facts.scene.box(name)
    return (a - x0, b - y0, x1 - c, y1 - d)
