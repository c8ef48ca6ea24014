"""Symmetry: left and right parts of like role, and what lies between them.

Pairs are found by the words left and right in the names of parts of one kind: `left_eye` with `right_eye`, `ear_left`
with `ear_right`. `_1` and `_2` number instances and make no pair. Limbs take any pose, so only their sizes count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2, cos, hypot, sin

from shapely import Polygon
from shapely.affinity import rotate, scale
from shapely.geometry.base import BaseGeometry

from redraft.result import Issue
from redraft.spatial.labels import head, same_noun
from redraft.spatial.rules.scene import Scene, silhouette
from redraft.spatial.rules.words import arrow, box, centre, found, scale_words, width
from redraft.spatial.scenery import is_kind

__all__ = ["Pair", "midline", "pairs", "symmetry"]

LONG = 1.4
"""Length by width, from which a thing has a long axis."""
SLANT = 0.2
"""Sine of the angle (11.5°) from which an axis is aslant."""
ALIKE = 0.8
"""Intersection over union with the mirror image, from which a shape is mirrored."""

_SIDE = re.compile(r"(?:^|(?<=[_\W]))(left|right)(?=$|[_\W\d])")


@dataclass(frozen=True)
class Pair:
    """A part called left and one called right; `parent` is the whole of both, None when they have different ones."""

    left: str
    right: str
    parent: str | None


def _sided(scene: Scene) -> dict[tuple[str, str], dict[str, str]]:
    """(object or "", name), both without their side → side → part name."""
    found_at: dict[tuple[str, str], dict[str, str]] = {}
    for item in scene.parts:
        match = _SIDE.search(item.name) if "left" in item.name or "right" in item.name else None
        if match is not None:
            owner = scene.object_of[item.name]
            role = _SIDE.sub("*", item.name, count=1)
            key = ("" if owner == item.name else _SIDE.sub("*", owner, count=1), role)
            found_at.setdefault(key, {})[match.group(1)] = item.name
    return found_at


def pairs(scene: Scene) -> list[Pair]:
    """All mirror pairs: names that differ in left and right alone, and labels whose last noun is the same."""
    made: list[Pair] = []
    for sides in _sided(scene).values():
        if len(sides) == 2:
            left, right = scene.layout[sides["left"]], scene.layout[sides["right"]]
            if same_noun(head(left.label), head(right.label)):
                parent = left.parent if left.parent == right.parent else None
                made.append(Pair(left.name, right.name, parent))
    return made


def symmetry(scene: Scene) -> Iterator[Issue]:
    """Sizes of all pairs; sides, heights and axis of those parts that take no pose; a side that is missing."""
    known = pairs(scene)
    for pair in known:
        if not (pair.left in scene.objects and _sized_by_brief(scene, pair)):
            yield from _size(scene, pair)
        apart = scene.object_of[pair.left] != scene.object_of[pair.right]
        if not apart and not is_kind(scene.layout[pair.left].label, "posed"):
            yield from _position(scene, pair, known)
    yield from _lonely(scene)


def _sized_by_brief(scene: Scene, pair: Pair) -> bool:
    """Top-level things are of one size unless the brief mentions them apart."""
    mentions = [scene.binding.mentions_of.get(n, ()) for n in (pair.left, pair.right)]
    return mentions[0] != mentions[1] or not mentions[0]


def _size(scene: Scene, pair: Pair) -> Iterator[Issue]:
    areas = [max(_area(scene, n), 1e-9) for n in (pair.left, pair.right)]
    ratio = max(areas) / min(areas)
    if ratio > scene.thresholds.pair_size:
        small = pair.left if areas[0] < areas[1] else pair.right
        yield found(
            "symmetry.size",
            "error",
            f"{pair.left} and {pair.right} differ in area by {ratio:.1f} times; a pair differs by 2 at most",
            (pair.left, pair.right),
            numbers={"found": ratio, "expected": scene.thresholds.pair_size},
            mend=scale_words(small, ratio**0.5),
            marks=(box(scene.box(pair.left), pair.left), box(scene.box(pair.right), pair.right)),
        )


def _area(scene: Scene, name: str) -> float:
    """Of what the part itself paints, not of what it holds; of all its parts when it paints nothing."""
    item = scene.layout[name]
    return scene.whole(name).area if item.shape.is_empty else silhouette(item).area


def _position(scene: Scene, pair: Pair, known: list[Pair]) -> Iterator[Issue]:
    if _leaning(scene, pair) or _parallel(scene, pair):
        return
    a, b = scene.box(pair.left), scene.box(pair.right)
    (ax, ay), (bx, by) = centre(a), centre(b)
    shared = min(a[2], b[2]) - max(a[0], b[0])
    if shared > 0.6 * min(width(a), width(b)):
        yield _issue(scene, pair, "symmetry.sides", "error", "are not on different sides", shared, 0.0, 0.0)
        return
    rise = by - ay
    if abs(rise) > max(0.02, 0.15 * abs(bx - ax)) and not _tilted(scene, pair, known):
        severity = "error" if abs(rise) > max(0.05, 0.35 * abs(bx - ax)) else "warning"
        yield _issue(scene, pair, "symmetry.height", severity, "are not at one height", rise, 0.0, -rise)
    yield from _axis(scene, pair, (ax + bx) / 2)


def _leaning(scene: Scene, pair: Pair) -> bool:
    """The whole is long and drawn aslant (a rocket in flight), and its mirror image in the pair's axis is itself."""
    (ax, ay), (bx, by) = (scene.whole(n).centroid.coords[0] for n in (pair.left, pair.right))
    slope = atan2(by - ay, bx - ax)
    if min(abs(sin(slope)), abs(cos(slope))) < SLANT:
        return False
    upright = rotate(scene.whole(scene.object_of[pair.left]), -slope, ((ax + bx) / 2, (ay + by) / 2), use_radians=True)
    x0, y0, x1, y1 = upright.bounds
    if y1 - y0 < LONG * (x1 - x0):
        return False
    mirrored = scale(upright, -1.0, 1.0, origin=((ax + bx) / 2, 0.0))
    return upright.intersection(mirrored).area > ALIKE * upright.union(mirrored).area


def _parallel(scene: Scene, pair: Pair) -> bool:
    """Both are long, aslant and lie along each other: the rails of a leaning ladder."""
    axes = [_long_axis(scene.whole(name)) for name in (pair.left, pair.right)]
    if axes[0] is None or axes[1] is None:
        return False
    aslant = min(abs(sin(axes[0])), abs(cos(axes[0]))) > SLANT
    return aslant and abs(sin(axes[0] - axes[1])) < SLANT / 2


def _long_axis(shape: BaseGeometry) -> float | None:
    """Direction of a long thing in radians; None for one that is not long."""
    rectangle = shape.minimum_rotated_rectangle
    if not isinstance(rectangle, Polygon):
        return None
    (ax, ay), (bx, by), (cx, cy) = rectangle.exterior.coords[:3]
    steps = ((bx - ax, by - ay), (cx - bx, cy - by))
    short, long = sorted(steps, key=lambda step: hypot(*step))
    return atan2(long[1], long[0]) if hypot(*long) > 3 * LONG * hypot(*short) else None


def _tilted(scene: Scene, pair: Pair, known: list[Pair]) -> bool:
    """Another pair of the same whole leans the same way."""
    lean = _slope(scene, pair)
    others = [p for p in known if p.parent == pair.parent and p != pair]
    return any(abs(_slope(scene, p) - lean) < 0.08 for p in others)


def _slope(scene: Scene, pair: Pair) -> float:
    (ax, ay), (bx, by) = centre(scene.box(pair.left)), centre(scene.box(pair.right))
    return (by - ay) / (abs(bx - ax) or 1e-9)


def _issue(scene: Scene, pair: Pair, code: str, severity: str, words: str, value: float, dx: float, dy: float) -> Issue:
    a, b = scene.box(pair.left), scene.box(pair.right)
    return found(
        code,
        "error" if severity == "error" else "warning",
        f"{pair.left} and {pair.right} {words} (off by {abs(value):.3f})",
        (pair.left, pair.right),
        numbers={"found": value, "expected": 0.0},
        mend=scene.way(pair.right, dx or (width(a) + width(b) if code == "symmetry.sides" else 0.0), dy),
        marks=(box(a, pair.left), box(b, pair.right), arrow(centre(a), centre(b))),
    )


def _axis(scene: Scene, pair: Pair, middle: float) -> Iterator[Issue]:
    if pair.parent is None or is_kind(scene.layout[pair.left].label, "wheel_like"):
        return
    parent = scene.layout[pair.parent]
    candidates = [centre(scene.box(n))[0] for n in (parent.name, scene.object_of[parent.name])]
    if not parent.shape.is_empty:
        x0, _, x1, _ = parent.shape.bounds
        candidates.append((x0 + x1) / 2)
    off = min((middle - c for c in candidates), key=abs)
    if abs(off) > max(0.02, min(0.03, 0.08 * width(scene.box(parent.name)))) and not _balanced(
        scene, pair, middle, off
    ):
        yield _issue(scene, pair, "symmetry.axis", "warning", f"are not mirrored in {parent.name}", off, -2 * off, 0.0)


def _balanced(scene: Scene, pair: Pair, middle: float, off: float) -> bool:
    """Something else of the whole lies on the other side (a door beside two windows), or other pairs lean along."""
    siblings = [c for c in scene.layout.children(pair.parent or "") if c.name not in (pair.left, pair.right)]
    centres = [centre(scene.box(c.name))[0] for c in siblings if scene.paints(c.name)]
    axis = middle - off
    return any((c - axis) * off < 0 and abs(c - axis) > 2 * abs(off) for c in _unpaired(centres, axis))


def _unpaired(centres: list[float], axis: float) -> list[float]:
    """Those that have no mirror image among themselves."""
    return [c for c in centres if not any(abs((c + o) / 2 - axis) < 0.01 for o in centres)]


def _lonely(scene: Scene) -> Iterator[Issue]:
    for (_, role), sides in _sided(scene).items():
        name = next(iter(sides.values()))
        if len(sides) == 1 and _wants_partner(scene, name) and not _labelled_twin(scene, name):
            side = "right" if "left" in sides else "left"
            yield found(
                "symmetry.lonely",
                "warning",
                f"{name} has no counterpart on the {side}",
                (name, role.replace("*", side)),
                numbers={"found": 1, "expected": 2},
                mend=f"add {role.replace('*', side)} as the mirror image of {name}",
                marks=(box(scene.box(name), name),),
            )


def _wants_partner(scene: Scene, name: str) -> bool:
    """Of a kind that comes in twos, or part of one half of a pair (the window of a left tower)."""
    item = scene.layout[name]
    parent = item.parent or ""
    halves = {_SIDE.sub(side, parent, count=1) for side in ("left", "right")} if _SIDE.search(parent) else set[str]()
    return is_kind(item.label, "paired") or (len(halves) == 2 and all(half in scene.layout for half in halves))


def _labelled_twin(scene: Scene, name: str) -> bool:
    """Another part of the same whole and kind, under a name that follows no pattern."""
    item = scene.layout[name]
    siblings = scene.layout.children(item.parent) if item.parent is not None else ()
    return any(c.name != name and same_noun(c.label, item.label) and not _SIDE.search(c.name) for c in siblings)


def midline(scene: Scene) -> Iterator[Issue]:
    """Noses, mouths and the like lie on the axis of their head's eyes, if these are mirrored in it."""
    for pair in pairs(scene):
        if pair.parent is None or not is_kind(scene.layout[pair.left].label, "eye_like"):
            continue
        axis = sum(centre(scene.box(n))[0] for n in (pair.left, pair.right)) / 2
        room = max(0.02, 0.1 * width(scene.box(pair.parent)))
        for part in scene.layout.children(pair.parent):
            if is_kind(part.label, "midline") and not part.shape.is_empty:
                a = scene.box(part.name)
                off = min(max(axis - a[2], a[0] - axis), 1.0)
                if off > room - width(a) / 2 and off > 0:
                    yield _off_axis(scene, part.name, axis)


def _off_axis(scene: Scene, name: str, axis: float) -> Issue:
    x, y = centre(scene.box(name))
    return found(
        "symmetry.midline",
        "warning",
        f"{name} is {abs(x - axis):.3f} off the axis of the eyes",
        (name,),
        numbers={"found": x, "expected": axis},
        mend=scene.way(name, axis - x, 0.0),
        marks=(arrow((x, y), (axis, y), f"{abs(x - axis):.3f}"),),
    )
