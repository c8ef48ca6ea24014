"""Gravity and perspective: what hangs just above the ground, and what is farther away and yet larger than its like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import median

import shapely
from shapely.geometry import LineString

from redraft.layout.items import Bounds
from redraft.result import Issue
from redraft.studios.sketch.rules.geometry import CrowdedError, Scene, kind_of
from redraft.studios.sketch.rules.issues import arrow, box, center, finding, height, scale_words

AIR, ALOFT = 0.03, 0.13
"""So much air under something is a way of drawing; what has more than the second is up in the air."""

FOOT = 0.01
"""What is this near to the lower edge of a thing belongs to its feet."""

LEVEL = 0.02
"""Feet within this are on one line."""

DEEPER, LARGER = 0.08, 1.5
"""How much higher the feet of a thing are that is farther away, and how much taller it may be than its like."""

MAX_COMPARED = 60
"""Kinds with more members are patterns, and comparing all pairs of them would take long."""


@dataclass(frozen=True)
class _Air:
    """What is under an object: how far below its foot, at which x, and what it is ("" for the line of its likes)."""

    gap: float
    x: float
    support: str = ""


def floating(scene: Scene) -> Iterator[Issue]:
    """Find objects a little above the ground, or the line that their likes stand on, that nothing holds."""
    # Four or more of a kind, of which all but one stand on one line, show where the other should stand.
    feet: dict[str, list[float]] = {}
    for name in scene.actors:
        feet.setdefault(kind_of(scene.layout[name]), []).append(scene.box(name)[3])
    medians = {kind: median(values) for kind, values in feet.items() if len(values) >= 4}
    lines = {kind: line for kind, line in medians.items() if sum(abs(v - line) > LEVEL for v in feet[kind]) <= 1}

    airs = {name: air for name in scene.actors if (air := _air_under(scene, name, lines)) is not None}
    held = _held_by(scene, {name for name, air in airs.items() if air.gap <= AIR})
    for name, air in airs.items():
        if air.gap > AIR and name not in held and (not air.support or air.gap <= ALOFT):
            foot, gap, on = scene.box(name)[3], air.gap, air.support or "the line that its likes stand on"
            label = f"{gap:.3f} to {on}" if air.support else f"{gap:.3f}"
            yield finding(
                "gravity.floating",
                f"{name} is {gap:.3f} above {on} and touches nothing",
                (name, air.support) if air.support else (name,),
                numbers={"found": gap, "expected": 0.0},
                hint=f"{scene.way(name, 0.0, gap)}, onto {on}",
                marks=(arrow((air.x, foot), (air.x, foot + gap), label),),
            )


def _air_under(scene: Scene, name: str, lines: Mapping[str, float]) -> _Air | None:
    """Return the least air under an object's feet; None where there is nothing that it could stand on."""
    x0, _, x1, y1 = bounds = scene.box(name)
    line = lines.get(kind_of(scene.layout[name]))
    if line is not None and line - y1 > LEVEL:
        return _Air(line - y1, center(bounds)[0])
    under_middle = _air_at(scene, bounds, center(bounds)[0])
    if under_middle is None or under_middle.gap <= AIR:  # the feet cost more to find
        return under_middle

    # A foot is a piece of the object that reaches its lower edge.
    sole = scene.whole(name).intersection(shapely.box(x0, y1 - FOOT, x1, y1))
    feet = [center(piece.bounds)[0] for piece in shapely.get_parts(sole) if not piece.is_empty]
    airs = (air for x in feet if (air := _air_at(scene, bounds, x)) is not None)
    return min((*airs, under_middle), key=lambda air: air.gap)


def _air_at(scene: Scene, bounds: Bounds, x: float) -> _Air | None:
    """Return the air between the lower edge of a box and the highest ground at one x."""
    _, top, _, bottom = scene.layout.frame.bounds
    scene.spend(1 + len(scene.grounds) // 4)
    plumb = LineString([(x, top), (x, bottom)])
    cuts = [(scene.whole(ground).intersection(plumb), ground) for ground in scene.grounds]
    airs = [_Air(max(cut.bounds[1] - bounds[3], 0.0), x, ground) for cut, ground in cuts if not cut.is_empty]
    return min(airs, key=lambda air: air.gap, default=None)


def _held_by(scene: Scene, grounded: set[str]) -> set[str]:
    """Return everything that is connected with something grounded through objects that touch."""
    if scene.contacts.cut:
        raise CrowdedError
    links: dict[str, list[str]] = {}
    for (one, other), gap in scene.meetings.items():
        if gap <= scene.near_miss:
            links.setdefault(one, []).append(other)
            links.setdefault(other, []).append(one)
    seen, waiting = set(grounded), sorted(grounded)
    while waiting:
        for other in links.get(waiting.pop(), ()):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


def farther_is_larger(scene: Scene) -> Iterator[Issue]:
    """Find of two like things on one ground the farther (higher) one, if it is much taller."""
    members = Counter(kind_of(scene.layout[n]) for n in scene.actors)
    standing: dict[str, list[str]] = {}
    for name in scene.actors if scene.grounds else ():
        kind = kind_of(scene.layout[name])
        if 1 < members[kind] <= MAX_COMPARED:
            air = _air_at(scene, scene.box(name), center(scene.box(name))[0])
            if air is not None and air.gap <= AIR:
                standing.setdefault(kind, []).append(name)

    for names in standing.values():
        scene.spend(len(names))
        for pair in combinations(names, 2):
            near, far = sorted(pair, key=lambda n: -scene.box(n)[3])
            a, b = scene.box(near), scene.box(far)
            factor = height(b) / max(height(a), 1e-9)
            if a[3] - b[3] > DEEPER and factor > LARGER:
                yield finding(
                    "perspective.size",
                    f"{far} stands farther back than {near} and is {factor:.1f} times as tall",
                    (far, near),
                    numbers={"found": factor, "expected": 1.0},
                    hint=scale_words(far, 1 / factor),
                    marks=(box(a, near), box(b, far)),
                )
