"""Gravity: what stands has something under it, and what belongs above is above.

Things that fly, shine, hang or swim are left alone, and so is a brief that speaks of jumping, flying or falling.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from statistics import median

import shapely
from shapely.geometry import LineString

from redraft.result import Issue
from redraft.spatial.labels import head, heads_in
from redraft.spatial.layout import Bounds, Item
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import arrow, box, centre, found, height, width
from redraft.spatial.scenery import is_kind, vertical_order

__all__ = ["feet", "floating", "order"]

AIR = 0.03
"""So much air under something is a way of drawing; more is a fault."""

FOOT = 0.01
"""What is this near to the lower edge of a thing belongs to its feet."""

MOST_LEGS = 4
"""Of a thing that stands upon them."""

LEVEL = 0.02
"""Feet within this are on one line."""

_UP_IN_THE_AIR = re.compile(
    r"\b(jump|leap|fly|float|hover|fall|div|bounc|levitat|hang|throw|thrown|swing|soar|in space|underwater|mid-?air)",
    re.IGNORECASE,
)
_INVERTED = re.compile(r"upside|handstand|headstand|somersault|inverted|lying|overturned|tipped|fallen", re.IGNORECASE)


@dataclass(frozen=True)
class _Air:
    """What is under an object: how far below its foot, at which x, and what it is ("" for the line of its likes)."""

    gap: float
    x: float
    support: str = ""


def floating(scene: Scene) -> Iterator[Issue]:
    """Objects above the ground under them that nothing holds; without ground, above the line their likes stand on."""
    if _UP_IN_THE_AIR.search(scene.binding.reading.text):
        return
    lines = {} if scene.grounds else _foot_lines(scene)
    under = {name: air for name in scene.actors if (air := _under(scene, name, lines)) is not None}
    held = _held(scene, {n for n, air in under.items() if air.gap <= AIR})
    for name, air in under.items():
        item = scene.layout[name]
        if air.gap > AIR and name not in held and not is_kind(item.label, "held_up"):
            yield _float(scene, name, air)


def _under(scene: Scene, name: str, lines: Mapping[str, float]) -> _Air | None:
    """The least air under an object's feet; None where there is nothing that it could stand on.

    Scenery counts stroke by stroke: a bridge may stand on ledges painted as parts of the hills.
    """
    bounds = scene.box(name)
    if not scene.grounds:
        line = lines.get(head(scene.layout[name].label))
        return None if line is None else _Air(line - bounds[3], centre(bounds)[0])
    over = _airs(scene, bounds, centre(bounds)[0])
    if over is None or over.gap <= AIR:  # only else are the feet worth a look
        return over
    feet = _feet_at(scene, name)
    airs = [air for x in feet if (air := _airs(scene, bounds, x)) is not None]
    ledges = (air for x in feet for air in _ledges(scene, bounds, x))
    return min((*airs, *ledges, over), key=lambda air: air.gap)


def _airs(scene: Scene, bounds: Bounds, x: float) -> _Air | None:
    """The air between the lower edge of a box and the highest ground at one x."""
    _, top, _, bottom = scene.layout.frame.bounds
    plumb = LineString([(x, top), (x, bottom)])
    levels = [(scene.whole(g).intersection(plumb), g) for g in scene.grounds]
    airs = [_Air(max(cut.bounds[1] - bounds[3], 0.0), x, g) for cut, g in levels if not cut.is_empty]
    return min(airs, key=lambda air: air.gap, default=None)


def _ledges(scene: Scene, bounds: Bounds, x: float) -> Iterator[_Air]:
    """Parts of scenery that is no ground by name (a rock in the background), where a box rests on their upper edge."""
    parts = [p for b in scene.backdrops - set(scene.grounds) for p in scene.layout.family(b)[1:]]
    for part in sorted(parts, key=lambda p: p.name):
        x0, y0, x1, _ = part.shape.bounds if not part.shape.is_empty else (1.0, 0.0, 0.0, 0.0)
        if x0 <= x <= x1 and y0 <= bounds[3] + AIR and not is_kind(part.label, "sky"):
            top = part.shape.intersection(LineString([(x, bounds[3] - AIR), (x, bounds[3] + AIR)]))
            if not top.is_empty and top.bounds[1] > bounds[3] - AIR:
                yield _Air(max(top.bounds[1] - bounds[3], 0.0), x, part.name)


def _feet_at(scene: Scene, name: str) -> list[float]:
    """The x of the middle of everything of an object that reaches its lower edge."""
    x0, _, x1, y1 = scene.box(name)
    sole = scene.whole(name).intersection(shapely.box(x0, y1 - FOOT, x1, y1))
    return [centre(piece.bounds)[0] for piece in shapely.get_parts(sole) if not piece.is_empty]


def _foot_lines(scene: Scene) -> dict[str, float]:
    """Kind → where it stands, for standing kinds of three or more of which all but one stand on one line."""
    feet: dict[str, list[float]] = {}
    for name in scene.actors:
        if is_kind(scene.layout[name].label, "standing"):
            feet.setdefault(head(scene.layout[name].label), []).append(scene.box(name)[3])
    lines = {kind: median(values) for kind, values in feet.items() if len(values) >= 3}
    return {kind: line for kind, line in lines.items() if sum(abs(v - line) > LEVEL for v in feet[kind]) <= 1}


def _held(scene: Scene, grounded: set[str]) -> set[str]:
    """Everything that is connected with something grounded through objects that touch."""
    links: dict[str, list[str]] = {}
    for (one, other), gap in scene.meetings.items():
        if gap <= scene.near_miss:
            links.setdefault(one, []).append(other)
            links.setdefault(other, []).append(one)
    return _reached(links, grounded)


def _reached(links: Mapping[str, list[str]], start: set[str]) -> set[str]:
    seen, waiting = set(start), sorted(start)
    while waiting:
        for other in links.get(waiting.pop(), ()):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


def _float(scene: Scene, name: str, air: _Air) -> Issue:
    foot, gap, on = scene.box(name)[3], air.gap, air.support or "the line that its likes stand on"
    return found(
        "gravity.floating",
        "error" if is_kind(scene.layout[name].label, "standing") else "warning",
        f"{name} floats {gap:.3f} above {on}",
        (name, air.support) if air.support else (name,),
        numbers={"found": gap, "expected": 0.0},
        mend=f"{scene.way(name, 0.0, gap)}, onto {on}",
        marks=(arrow((air.x, foot), (air.x, foot + gap), f"{gap:.3f} to {on}" if air.support else f"{gap:.3f}"),),
    )


def order(scene: Scene) -> Iterator[Issue]:
    """Parts of one whole that stand the wrong way up (a mouth above the eyes, a roof below its wall).

    A head or body over its legs is sure of people alone, and of a body of what always stands; else it is a hint.
    """
    if _INVERTED.search(scene.binding.reading.text):
        return
    for over in scene.parts:
        lower = _lower_than(over.label)
        for under in _relatives(scene, over) if lower else ():
            if heads_in(under.label, lower) and not _many_legged(scene, under):
                yield from _order(scene, over, under)


@lru_cache(maxsize=4096)
def _lower_than(label: str) -> frozenset[str]:
    """The nouns that belong below a part with this label."""
    return frozenset(lower for upper, lower in vertical_order() if heads_in(label, frozenset({upper})))


def _relatives(scene: Scene, item: Item) -> list[Item]:
    """Its whole, its siblings and its parts, as far as they paint something."""
    near = list(scene.layout.children(item.name))
    if item.parent is not None:
        near += [scene.layout[item.parent], *scene.layout.children(item.parent)]
    return [i for i in near if i.name != item.name and not i.shape.is_empty]


def _order(scene: Scene, over: Item, under: Item) -> Iterator[Issue]:
    a, b = over.shape.bounds, under.shape.bounds
    drop = (a[1] + a[3] - b[1] - b[3]) / 2
    if drop > max(0.01, 0.1 * min(a[3] - a[1], b[3] - b[1])):
        sure = _stands_so(scene, over, under)
        yield found(
            "gravity.order",
            "error" if sure else "hint",
            f"{over.name} {'belongs' if sure else 'usually belongs'} above {under.name} and is {drop:.3f} below it",
            (over.name, under.name),
            numbers={"found": drop, "expected": 0.0},
            mend=f"put {over.name} above {under.name}",
            marks=(box(scene.box(over.name), over.name), box(scene.box(under.name), under.name)),
        )


def _many_legged(scene: Scene, under: Item) -> bool:
    """A leg of more than four: those of spiders and crabs reach above their heads."""
    family = scene.layout.family(scene.object_of[under.name])
    return is_kind(under.label, "limb") and sum(head(i.label) == head(under.label) for i in family) > MOST_LEGS


def _stands_so(scene: Scene, over: Item, under: Item) -> bool:
    """Whether the order is sure: of legs, where the whole is known to stand on them and is drawn taller than wide."""
    if not (is_kind(under.label, "limb") and is_kind(over.label, "bodily")):
        return True
    name = scene.object_of[over.name]
    label, bounds = scene.layout[name].label, scene.box(name)
    if is_kind(label, "upright"):
        return height(bounds) > width(bounds)
    return is_kind(label, "standing") and head(over.label) != "head"


def feet(scene: Scene) -> Iterator[Issue]:
    """Doors and gates of buildings reach the foot of their wall, unless something is under them (steps)."""
    for item in scene.parts:
        parent = scene.layout[item.parent] if item.parent is not None else None
        if parent is None or parent.shape.is_empty or not is_kind(item.label, "at_foot"):
            continue
        wall, door = parent.shape.bounds, scene.box(item.name)
        gap = wall[3] - door[3]
        if is_kind(parent.label, "building") and gap > max(0.02, 0.08 * (wall[3] - wall[1])) and not _on(scene, item):
            yield found(
                "gravity.foot",
                "warning",
                f"{item.name} ends {gap:.3f} above the foot of {parent.name}",
                (item.name, parent.name),
                numbers={"found": gap, "expected": 0.0},
                mend=f"{scene.way(item.name, 0.0, gap)}, or make it {gap:.3f} taller",
                marks=(arrow((centre(door)[0], door[3]), (centre(door)[0], wall[3]), f"{gap:.3f}"),),
            )


def _on(scene: Scene, item: Item) -> bool:
    """A sibling touches its lower edge and reaches lower."""
    door = scene.box(item.name)
    siblings = scene.layout.children(item.parent or "")
    boxes = [scene.box(s.name) for s in siblings if s.name != item.name and not s.shape.is_empty]
    return any(b[0] < centre(door)[0] < b[2] and abs(b[1] - door[3]) < 0.02 and height(b) > 0 for b in boxes)
