"""Gravity: what stands has something under it, and what belongs above is above.

Things that fly, shine, hang or swim are left alone, and so is a brief that speaks of jumping, flying or falling.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from statistics import median

from shapely.geometry import LineString

from redraft.result import Issue
from redraft.spatial.labels import head, heads_in
from redraft.spatial.layout import Item
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import arrow, box, centre, found, height, shift_words, width
from redraft.spatial.scenery import is_kind, vertical_order

__all__ = ["feet", "floating", "order"]

AIR = 0.03
"""So much air under something is a way of drawing; more is a fault."""

LEVEL = 0.02
"""Feet within this are on one line."""

_UP_IN_THE_AIR = re.compile(
    r"\b(jump|leap|fly|float|hover|fall|div|bounc|levitat|hang|throw|thrown|swing|soar|in space|underwater|mid-?air)",
    re.IGNORECASE,
)
_INVERTED = re.compile(r"upside|handstand|headstand|somersault|inverted|lying|overturned|tipped|fallen", re.IGNORECASE)


def floating(scene: Scene) -> Iterator[Issue]:
    """Objects above the ground under them that nothing holds; without ground, above the line their likes stand on."""
    if _UP_IN_THE_AIR.search(scene.binding.reading.text):
        return
    lines = {} if scene.grounds else _foot_lines(scene)
    gaps = {name: _gap_below(scene, name, lines) for name in scene.actors}
    held = _held(scene, {n for n, gap in gaps.items() if gap is not None and gap <= AIR})
    for name, gap in gaps.items():
        item = scene.layout[name]
        if gap is not None and gap > AIR and name not in held and not is_kind(item.label, "held_up"):
            yield _float(scene, name, gap)


def _gap_below(scene: Scene, name: str, lines: Mapping[str, float]) -> float | None:
    """The air between an object and the ground (or the line its likes stand on); None where there is neither."""
    bounds = scene.box(name)
    if not scene.grounds:
        line = lines.get(head(scene.layout[name].label))
        return None if line is None else line - bounds[3]
    x = centre(bounds)[0]
    _, top, _, bottom = scene.layout.frame.bounds
    plumb = LineString([(x, top), (x, bottom)])
    levels = [scene.whole(g).intersection(plumb).bounds[1] for g in scene.grounds if scene.whole(g).intersects(plumb)]
    return None if not levels else max(min(levels) - bounds[3], 0.0)


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


def _float(scene: Scene, name: str, gap: float) -> Issue:
    bounds = scene.box(name)
    x = centre(bounds)[0]
    sure = is_kind(scene.layout[name].label, "standing")
    return found(
        "gravity.floating",
        "error" if sure else "warning",
        f"{name} floats {gap:.3f} above what it should stand on",
        (name,),
        numbers={"found": gap, "expected": 0.0},
        mend=shift_words(name, 0.0, gap),
        marks=(arrow((x, bounds[3]), (x, bounds[3] + gap), f"{gap:.3f}"),),
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
            if heads_in(under.label, lower):
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
                mend=f"{shift_words(item.name, 0.0, gap)}, or make it {gap:.3f} taller",
                marks=(arrow((centre(door)[0], door[3]), (centre(door)[0], wall[3]), f"{gap:.3f}"),),
            )


def _on(scene: Scene, item: Item) -> bool:
    """A sibling touches its lower edge and reaches lower."""
    door = scene.box(item.name)
    siblings = scene.layout.children(item.parent or "")
    boxes = [scene.box(s.name) for s in siblings if s.name != item.name and not s.shape.is_empty]
    return any(b[0] < centre(door)[0] < b[2] and abs(b[1] - door[3]) < 0.02 and height(b) > 0 for b in boxes)
