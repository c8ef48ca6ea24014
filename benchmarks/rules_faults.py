"""Faults put into clean drawings by a seeded generator, each visible by facts of the clean drawing alone.

A fault is made at random and kept only when it visibly breaks something that was so in the clean drawing: a part was
within its whole and is not, touched its object and hangs free, mirrored another part and does not, stood on the ground
and floats, was on the canvas and is cut off, was clear of another object and covers it, was one of an even row or of
equal things and is not, was counted or related by the instruction. Boxes and shapely distances decide; no rule of the
validator is used.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import shapely
from shapely.geometry import GeometryCollection
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Bounds, Item, Layout, Move
from rules_data import Clean, rows_of

SHIFT = 0.08
"""The least move of a moved or detached part."""
LIMBS = ("arm", "leg", "hand", "foot", "paw", "wing")
ALOFT = ("cloud", "sun", "picture", "balloon", "fish")


@dataclass(frozen=True)
class Fault:
    """One fault: its kind, the drawing it was put into, what it was done to, and who an issue may name for it."""

    kind: str
    drawing: Clean
    what: str
    subjects: frozenset[str]
    layout: Layout


def _solid(item: Item) -> BaseGeometry:
    return item.shape if item.outline is None else item.outline


def _rest(layout: Layout, name: str) -> BaseGeometry:
    """The object that a part belongs to, without the part."""
    own = {i.name for i in layout.family(name)}
    return shapely.union_all([_solid(i) for i in layout.family(layout.root_of(name).name) if i.name not in own])


def _gap(layout: Layout, name: str) -> float:
    """Between a part and the rest of its object."""
    return layout.whole(name).distance(_rest(layout, name)) if layout[name].parent is not None else 0.0


def _centre(b: Bounds) -> tuple[float, float]:
    return ((b[0] + b[2]) / 2, (b[1] + b[3]) / 2)


def _partner(layout: Layout, name: str) -> str | None:
    swaps = (("left", "right"), ("right", "left"))
    others = [name.replace(a, b) for a, b in swaps if a in name]
    return next((o for o in others if o in layout and layout[o].label == layout[name].label), None)


def _scenery(layout: Layout) -> set[str]:
    """Top-level things as wide as the canvas."""
    return {i.name for i in layout.roots if layout.bounds(i.name)[2] - layout.bounds(i.name)[0] > 0.9}


def _movable(layout: Layout) -> list[str]:
    behind = _scenery(layout)
    return [i.name for i in layout if i.name not in behind and not layout.whole(i.name).is_empty]


def _out_of_whole(layout: Layout, name: str) -> float:
    """Share of a part that lies outside of its parent's silhouette."""
    parent = layout[name].parent
    shape = layout.whole(name)
    return 0.0 if parent is None else shape.difference(_solid(layout[parent])).area / max(shape.area, 1e-12)


def _covered(layout: Layout, name: str) -> float:
    """The greatest share of the smaller that a top-level thing has in common with another one."""
    if layout[name].parent is not None:
        return 0.0
    own = layout.whole(name)
    others = [layout.whole(i.name) for i in layout.roots if i.name not in _scenery(layout) | {name}]
    return max((own.intersection(o).area / min(own.area, o.area) for o in others if o.area > 0), default=0.0)


def _cut_off(layout: Layout, name: str) -> float:
    x0, y0, x1, y1 = layout.bounds(name)
    return max(-x0, -y0, x1 - 1, y1 - 1, 0.0)


def _air(layout: Layout, name: str) -> float:
    """How far a top-level thing is above the highest of the grounds it stood on, where there is one."""
    item = layout[name]
    grounds = [layout.bounds(g)[1] for g in _scenery(layout) if layout.bounds(g)[1] > 0.3]
    if item.parent is not None or not grounds or item.label.endswith(ALOFT):
        return 0.0
    others = [layout.whole(i.name) for i in layout.roots if i.name not in _scenery(layout) | {name}]
    if any(o.distance(layout.whole(name)) < 0.01 for o in others):
        return 0.0
    return max(0.0, min(grounds) - layout.bounds(name)[3])


def _unmirrored(layout: Layout, name: str) -> float:
    """How far a part is from the mirror image of its partner in the axis of their whole."""
    partner, parent = _partner(layout, name), layout[name].parent
    if partner is None or parent is None or layout[name].label.endswith(LIMBS):
        return 0.0
    (ax, ay), (bx, by) = _centre(layout.bounds(name)), _centre(layout.bounds(partner))
    axis = _centre(_box(_solid(layout[parent])))[0]
    return max(abs(ay - by), abs(ax + bx - 2 * axis))


def _box(shape: BaseGeometry) -> Bounds:
    x0, y0, x1, y1 = shape.bounds
    return (x0, y0, x1, y1)


_FACTS: tuple[tuple[str, Callable[[Layout, str], float], float, float], ...] = (
    ("sticks out", _out_of_whole, 0.02, 0.3),
    ("detached", _gap, 0.002, 0.03),
    ("collides", _covered, 0.02, 0.35),
    ("cut off", _cut_off, 0.0, 0.05),
    ("floats", _air, 0.0, 0.06),
    ("unmirrored", _unmirrored, 0.02, SHIFT * 0.95),
)
"""Name, measure, what it is at most in the clean drawing, and at least in the faulty one."""


def _broken(before: Layout, after: Layout, names: Iterable[str]) -> str:
    """The facts that a change visibly breaks."""
    return ", ".join(
        fact
        for fact, measure, clean, visible in _FACTS
        if any(measure(before, n) <= clean and measure(after, n) >= visible for n in names)
    )


def _family(layout: Layout, *names: str) -> frozenset[str]:
    return frozenset(i.name for n in names for i in layout.family(n))


def _likes(layout: Layout, item: Item) -> set[str]:
    """All that has the same last noun: what a wrong number of them is told of."""
    return {i.name for i in layout if i.label.split()[-1:] == item.label.split()[-1:]}


def _moved(clean: Clean, rng: random.Random) -> Fault | None:
    layout = clean.layout
    name = rng.choice(_movable(layout))
    length, turn = rng.uniform(SHIFT, 0.25), rng.choice([(1, 0), (-1, 0), (0, 1), (0, -1), (0.7, 0.7), (-0.7, 0.7)])
    after = layout.moved((Move.shift(name, length * turn[0], length * turn[1]),))
    broken = _broken(layout, after, [name])
    return (broken and Fault("moved", clean, f"{name}: {broken}", _family(layout, name), after)) or None


def _detached(clean: Clean, rng: random.Random) -> Fault | None:
    """Straight away from the middle of the object until there is a clear gap."""
    layout = clean.layout
    parts = [n for n in _movable(layout) if layout[n].parent is not None and _gap(layout, n) < 0.002]
    if not parts:
        return None
    name = rng.choice(parts)
    (x, y), (mx, my) = _centre(layout.bounds(name)), _centre(_box(_rest(layout, name)))
    size = max(abs(x - mx), abs(y - my)) or 1.0
    for step in (SHIFT, 0.12, 0.18, 0.25, 0.35):
        after = layout.moved((Move.shift(name, (x - mx) / size * step, (y - my) / size * step),))
        if _gap(after, name) >= 0.03 and _cut_off(after, name) == 0:
            return Fault("detached", clean, f"{name} by {step}", _family(layout, name), after)
    return None


def _scaled(clean: Clean, rng: random.Random) -> Fault | None:
    layout = clean.layout
    name = rng.choice(_movable(layout))
    factor = rng.choice([0.4, 0.5, 2.0, 2.5])
    after = layout.moved((Move.scale(name, factor, factor, _centre(layout.bounds(name))),))
    broken = _broken(layout, after, [name])
    alike = [i.name for i in layout if i.label == layout[name].label and i.parent == layout[name].parent]
    sizes = [layout.bounds(n)[2] - layout.bounds(n)[0] for n in alike]
    if len(alike) >= 4 and max(sizes) < 1.05 * min(sizes):
        broken += " unlike its likes"
    if _partner(layout, name) is not None and layout[name].parent is not None:
        broken += " unlike its partner"
    return (broken and Fault("scaled", clean, f"{name} × {factor}: {broken}", _family(layout, name), after)) or None


def _swapped(clean: Clean, rng: random.Random) -> Fault | None:
    layout = clean.layout
    if clean.stated and rng.random() < 0.5:
        one, other = rng.choice(clean.stated)
    else:
        one, other = rng.choice(_movable(layout)), rng.choice(_movable(layout))
        if layout[one].label == layout[other].label or other in _family(layout, one) or one in _family(layout, other):
            return None
    (ax, ay), (bx, by) = _centre(layout.bounds(one)), _centre(layout.bounds(other))
    after = layout.moved((Move.shift(one, bx - ax, by - ay), Move.shift(other, ax - bx, ay - by)))
    stated = any({one, other} == set(pair) for pair in clean.stated)
    broken = "stated" if stated else _broken(layout, after, [one, other])
    far = abs(ax - bx) + abs(ay - by) >= SHIFT
    return (
        Fault("swapped", clean, f"{one}, {other}: {broken}", _family(layout, one, other), after)
        if broken and far
        else None
    )


def _duplicated(clean: Clean, rng: random.Random) -> Fault | None:
    """A counted thing once more, somewhere else; or any part with an area once more, almost on itself."""
    layout = clean.layout
    counted = [n for n in _movable(layout) if layout[n].label in clean.counted]
    solid = [n for n in _movable(layout) if not layout[n].is_line and layout.whole(n).area > 0.0008]
    once_more = bool(counted) and rng.random() < 0.5
    name = rng.choice(counted if once_more else solid)
    by = (
        (rng.choice([-0.2, -0.15, 0.15, 0.2]), rng.uniform(-0.1, 0.1))
        if once_more
        else (0.006, rng.uniform(-0.01, 0.01))
    )
    names = {i.name: f"{i.name}_copy" for i in layout.family(name)}
    moved = layout.moved((Move.shift(name, *by),))
    copies = [
        replace(moved[old], name=new, parent=names.get(moved[old].parent or "", moved[old].parent))
        for old, new in names.items()
    ]
    after = Layout((*layout.items, *copies), layout.frame)
    if once_more and _cut_off(after, names[name]) > 0:
        return None
    likes = _likes(layout, layout[name])
    kind = "counted" if once_more else "on itself"
    return Fault("duplicated", clean, f"{name}: {kind}", frozenset({*names, *names.values(), *likes}), after)


def _dropped(clean: Clean, rng: random.Random) -> Fault | None:
    """A counted thing or one of a pair with all its parts; or the strokes of a part that others hang on."""
    layout = clean.layout
    name = rng.choice(_movable(layout))
    item, partner = layout[name], _partner(layout, name)
    children = {c.name for c in layout.children(name)}
    gone = _family(layout, name)
    near = {name, item.label, *_likes(layout, item), *children}
    if item.label in clean.counted or (partner is not None and item.parent is not None):
        after = Layout(tuple(i for i in layout if i.name not in gone), layout.frame)
        near |= {item.parent} if item.parent is not None else set()
        noun = item.label.split()[0] if item.label.split() else item.label
        near |= {noun, item.label.split()[-1]}
        return Fault("dropped", clean, f"{name}: counted or paired", frozenset(near), after)
    after = Layout(
        tuple(replace(i, shape=GeometryCollection(), outline=None) if i.name == name else i for i in layout),
        layout.frame,
    )
    orphans = [c for c in children if _gap(layout, c) < 0.002 and _gap(after, c) >= 0.03]
    return Fault("dropped", clean, f"{name}: others hang on it", frozenset({*near, *gone}), after) if orphans else None


def _uneven(clean: Clean, rng: random.Random) -> Fault | None:
    """One of an even row of three or more like things, shifted along it without reaching its neighbour."""
    rows = _rows(clean.layout)
    if not rows:
        return None
    row, gap = rng.choice(rows)
    name = rng.choice(row)
    step = rng.choice([-1, 1]) * max(0.02, rng.uniform(0.5, 0.9) * gap)
    if (name == row[0] and step > 0) or (name == row[-1] and step < 0) or name not in (row[0], row[-1]):
        step = max(-0.9 * gap, min(0.9 * gap, step))
    if abs(step) < 0.015:
        return None
    after = clean.layout.moved((Move.shift(name, step, 0.0),))
    return (
        Fault("row uneven", clean, f"{name} by {step:.3f}", frozenset(row), after)
        if not _cut_off(after, name)
        else None
    )


def _rows(layout: Layout) -> list[tuple[list[str], float]]:
    """Even rows, each with its least gap."""
    boxes = [(row, [layout.bounds(n) for n in row]) for row in rows_of(layout)]
    return [(row, min(b[0] - a[2] for a, b in itertools.pairwise(found))) for row, found in boxes]


KINDS: dict[str, Callable[[Clean, random.Random], Fault | None]] = {
    "moved": _moved,
    "scaled": _scaled,
    "detached": _detached,
    "swapped": _swapped,
    "duplicated": _duplicated,
    "dropped": _dropped,
    "row uneven": _uneven,
}


def faults(drawings: list[Clean], each: int, seed: int) -> list[Fault]:
    """So many different faults of each kind for each drawing, as far as the drawing has room for them."""
    found: list[Fault] = []
    for clean in drawings:
        for kind, make in KINDS.items():
            rng = random.Random(f"{seed}/{clean.name}/{kind}")
            made: dict[str, Fault] = {}
            for _ in range(40 * each):
                fault = make(clean, rng) if len(made) < each else None
                if fault is not None:
                    made.setdefault(fault.what, fault)
            found.extend(made.values())
    return found
