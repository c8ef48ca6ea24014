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

MANY = 60
"""Kinds with more members are patterns, and would cost a square."""


@dataclass(frozen=True)
class _Air:
    """What is under an object: how far below its foot, at which x, and what it is ("" for the line of its likes)."""

    gap: float
    x: float
    support: str = ""


def floating(scene: Scene) -> Iterator[Issue]:
    """Objects a little above the ground under them, or above the line that their likes stand on, that nothing holds."""
    lines = _foot_lines(scene)
    airs = {name: air for name in scene.actors if (air := _under(scene, name, lines)) is not None}
    held = _held(scene, {n for n, air in airs.items() if air.gap <= AIR})
    for name, air in airs.items():
        if air.gap > AIR and name not in held and (not air.support or air.gap <= ALOFT):
            yield _float(scene, name, air)


def _under(scene: Scene, name: str, lines: Mapping[str, float]) -> _Air | None:
    """The least air under an object's feet; None where there is nothing that it could stand on."""
    bounds = scene.box(name)
    line = lines.get(kind_of(scene.layout[name]))
    if line is not None and line - bounds[3] > LEVEL:
        return _Air(line - bounds[3], center(bounds)[0])
    over = _airs(scene, bounds, center(bounds)[0])
    if over is None or over.gap <= AIR:  # only else are the feet worth a look
        return over
    airs = (air for x in _feet_at(scene, name) if (air := _airs(scene, bounds, x)) is not None)
    return min((*airs, over), key=lambda air: air.gap)


def _airs(scene: Scene, bounds: Bounds, x: float) -> _Air | None:
    """The air between the lower edge of a box and the highest ground at one x, parts of other backdrops included."""
    _, top, _, bottom = scene.layout.frame.bounds
    scene.spend(1 + len(scene.grounds) // 4)
    plumb = LineString([(x, top), (x, bottom)])
    levels = [(scene.whole(g).intersection(plumb), g) for g in scene.grounds]
    airs = [_Air(max(cut.bounds[1] - bounds[3], 0.0), x, g) for cut, g in levels if not cut.is_empty]
    return min(airs, key=lambda air: air.gap, default=None)


def _feet_at(scene: Scene, name: str) -> list[float]:
    """The x of the middle of everything of an object that reaches its lower edge."""
    x0, _, x1, y1 = scene.box(name)
    sole = scene.whole(name).intersection(shapely.box(x0, y1 - FOOT, x1, y1))
    return [center(piece.bounds)[0] for piece in shapely.get_parts(sole) if not piece.is_empty]


def _foot_lines(scene: Scene) -> dict[str, float]:
    """Kind → where it stands, for kinds of four or more of which all but one stand on one line."""
    feet: dict[str, list[float]] = {}
    for name in scene.actors:
        feet.setdefault(kind_of(scene.layout[name]), []).append(scene.box(name)[3])
    lines = {kind: median(values) for kind, values in feet.items() if len(values) >= 4}
    return {kind: line for kind, line in lines.items() if sum(abs(v - line) > LEVEL for v in feet[kind]) <= 1}


def _held(scene: Scene, grounded: set[str]) -> set[str]:
    """Everything that is connected with something grounded through objects that touch."""
    links: dict[str, list[str]] = {}
    if scene.contacts.cut:
        raise CrowdedError
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


def _float(scene: Scene, name: str, air: _Air) -> Issue:
    foot, gap, on = scene.box(name)[3], air.gap, air.support or "the line that its likes stand on"
    return finding(
        "gravity.floating",
        f"{name} is {gap:.3f} above {on} and touches nothing",
        (name, air.support) if air.support else (name,),
        numbers={"found": gap, "expected": 0.0},
        hint=f"{scene.way(name, 0.0, gap)}, onto {on}",
        marks=(arrow((air.x, foot), (air.x, foot + gap), f"{gap:.3f} to {on}" if air.support else f"{gap:.3f}"),),
    )


def farther_is_larger(scene: Scene) -> Iterator[Issue]:
    """Of two like things on one ground, the farther (higher) one is much taller."""
    kinds: dict[str, list[str]] = {}
    many = Counter(kind_of(scene.layout[n]) for n in scene.actors)
    for name in scene.actors if scene.grounds else ():
        kind = kind_of(scene.layout[name])
        if 1 < many[kind] <= MANY:
            air = _airs(scene, scene.box(name), center(scene.box(name))[0])
            if air is not None and air.gap <= AIR:
                kinds.setdefault(kind, []).append(name)
    for names in kinds.values():
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
