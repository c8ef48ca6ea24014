"""Symmetry: left and right parts of like role, and what lies between them.

Pairs are found by name: `ear_left` and `ear_right`, `l_ear` and `r_ear`, and, as parts of one whole, `ear_1` and
`ear_2` without a third. Strict validation takes numbered objects as pairs too, and alone holds numbered ones to sides
and height. What two parts are
drawn as decides what they are held to: mirror images should lie mirrored; parts of other shapes (limbs in a pose)
need only be of comparable size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import atan2, cos, hypot, sin

from shapely import Polygon
from shapely.affinity import rotate, scale, translate
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Item, Point, bounds_of
from redraft.result import Issue
from redraft.studios.sketch.rules.geometry import TOUCH, WITHIN, Pair, Scene, distance, silhouette
from redraft.studios.sketch.rules.issues import arrow, box, center, finding, height, scale_words, width

LONG = 1.4
"""Length by width, from which a thing has a long axis."""
SLANT = 0.2
"""Sine of the angle (11.5°) from which an axis is aslant."""
ALIKE = 0.8
"""Intersection over union with a mirror image, from which a shape is mirrored."""
MIRRORED = 0.6
"""The same for two parts, of which either may be drawn a little differently."""
LEVEL = 0.02
"""Numbered parts are a pair if their centers are so nearly at one height: a small and a large wheel are none."""
ONE_PLACE = 0.75
"""Intersection over union of the boxes of a pair, from which both are at one place. No pair in the 73 drafts of
`benchmarks/rules_precision.py` reaches 0.5; mirrored ears that are put on each other reach 1."""
ON_EACH_OTHER = 0.3
"""The same of their shapes, so that what only crosses (drumsticks, whiskers, folded arms) does not count."""
ON_AXIS = 0.03
"""Parts this near to the axis of the pairs around them lie on it."""


def symmetry(scene: Scene) -> Iterator[Issue]:
    """Sizes of all pairs; sides, heights and axis of mirror images; a side that is missing."""
    kin: dict[str, list[Pair]] = {}
    for pair in scene.pairs:
        kin.setdefault(scene.object_of.get(pair.left, ""), []).append(pair)
    for pair in scene.pairs:
        yield from _size(scene, pair)
        held = scene.strict or not pair.numbered
        if not (held and pair.left in scene.object_of and pair.right in scene.object_of):
            continue
        if not pair.numbered and _is_stacked(scene, pair):
            yield _stacked(scene, pair)
        else:
            yield from _position(scene, pair, kin[scene.object_of[pair.left]])
    yield from _lonely(scene)


def _size(scene: Scene, pair: Pair) -> Iterator[Issue]:
    levels = [center(scene.box(n))[1] for n in (pair.left, pair.right)]
    if pair.numbered and not scene.strict and abs(levels[0] - levels[1]) > LEVEL:
        return
    areas = [max(_area(scene, n), 1e-9) for n in (pair.left, pair.right)]
    ratio = max(areas) / min(areas)
    if ratio > scene.thresholds.pair_size:
        small = pair.left if areas[0] < areas[1] else pair.right
        yield finding(
            "symmetry.size",
            f"{pair.left} and {pair.right} are a pair, and one has {ratio:.1f} times the area of the other",
            (pair.left, pair.right),
            numbers={"found": ratio, "expected": scene.thresholds.pair_size},
            hint=scale_words(small, ratio**0.5),
            marks=(box(scene.box(pair.left), pair.left), box(scene.box(pair.right), pair.right)),
        )


def _area(scene: Scene, name: str) -> float:
    """Of what the part itself paints, not of what it holds; of all its parts when it paints nothing."""
    item = scene.layout[name]
    return scene.whole(name).area if item.shape.is_empty else silhouette(item).area


def _own(scene: Scene, name: str) -> BaseGeometry:
    item = scene.layout[name]
    return scene.whole(name) if item.shape.is_empty else silhouette(item)


def _mirrored(scene: Scene, pair: Pair) -> bool:
    """Return whether one is about the mirror image of the other, wherever they lie."""
    scene.spend()
    left, right = _own(scene, pair.left), _own(scene, pair.right)
    (ax, ay), (bx, by) = center(bounds_of(left)), center(bounds_of(right))
    image = translate(scale(left, -1.0, 1.0, origin=(ax, ay)), bx - ax, by - ay)
    return image.intersection(right).area > MIRRORED * image.union(right).area


def _is_stacked(scene: Scene, pair: Pair) -> bool:
    """Return whether the parts of a pair lie on each other, whatever they are drawn as."""
    if _boxes_in_common(scene, pair) < ONE_PLACE:
        return False
    scene.spend()
    one, other = scene.whole(pair.left), scene.whole(pair.right)
    return one.intersection(other).area >= ON_EACH_OTHER * one.union(other).area


def _boxes_in_common(scene: Scene, pair: Pair) -> float:
    """Return the intersection over union of the boxes of a pair."""
    a, b = scene.box(pair.left), scene.box(pair.right)
    across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    shared = max(across, 0.0) * max(down, 0.0)
    return shared / max(width(a) * height(a) + width(b) * height(b) - shared, 1e-12)


def _stacked(scene: Scene, pair: Pair) -> Issue:
    a, b = scene.box(pair.left), scene.box(pair.right)
    return finding(
        "symmetry.stacked",
        f"{pair.left} and {pair.right} lie on each other: a pair has a left and a right side",
        (pair.left, pair.right),
        numbers={"found": _boxes_in_common(scene, pair), "expected": 0.0},
        hint="draw one of them as the mirror image of the other, on the other side",
        marks=(box(a, pair.left), box(b, pair.right)),
    )


def _position(scene: Scene, pair: Pair, pairs: Sequence[Pair]) -> Iterator[Issue]:
    """What is off by boxes, which are cheap, of pairs that are held to it."""
    issues = list(_off(scene, pair, pairs))
    if (
        issues
        and _mirrored(scene, pair)
        and not (_leaning(scene, pair) or _parallel(scene, pair) or _posed(scene, pair, pairs))
    ):
        yield from issues


def _off(scene: Scene, pair: Pair, pairs: Sequence[Pair]) -> Iterator[Issue]:
    a, b = scene.box(pair.left), scene.box(pair.right)
    (ax, ay), (bx, by) = center(a), center(b)
    shared = min(a[2], b[2]) - max(a[0], b[0])
    if shared > 0.6 * min(width(a), width(b)):
        column = pair.numbered and _in_column(scene, pair)
        yield _issue(scene, pair, "symmetry.sides", "are not on different sides", shared, 0.0, 0.0, mild=column)
        return
    rise = by - ay
    if abs(rise) > max(0.02, 0.15 * abs(bx - ax)) and not _tilted(scene, pair, pairs):
        slight = abs(rise) <= max(0.05, 0.35 * abs(bx - ax))
        yield _issue(scene, pair, "symmetry.height", "are not at one height", rise, 0.0, -rise, mild=slight)
    yield from _axis(scene, pair, (ax + bx) / 2)


def _in_column(scene: Scene, pair: Pair) -> bool:
    """Return whether both lie on a tall whole, one above the other: windows of a tower, not ears of a head."""
    if pair.parent not in scene.rank:
        return False
    whole = silhouette(scene.layout[pair.parent])
    (x0, y0, x1, y1), parts = whole.bounds, [_own(scene, name) for name in (pair.left, pair.right)]
    scene.spend()
    lie_on = all(part.intersection(whole).area > WITHIN * part.area for part in parts)
    high, low = sorted(parts, key=lambda part: part.bounds[1])
    return y1 - y0 > LONG * (x1 - x0) and lie_on and high.bounds[3] <= low.bounds[1]


def _posed(scene: Scene, pair: Pair, pairs: Sequence[Pair]) -> bool:
    """It hangs on a pair that is not a mirror image: hands on arms in a pose."""
    scene.spend(len(pairs))
    others = (q for q in pairs if q != pair)
    carriers = (q for q in others if _touch(scene, q.left, pair.left) and _touch(scene, q.right, pair.right))
    return any(not _mirrored(scene, q) for q in carriers)


def _touch(scene: Scene, one: str, other: str) -> bool:
    return distance(_own(scene, one), _own(scene, other)) <= TOUCH


def _leaning(scene: Scene, pair: Pair) -> bool:
    """The whole is long and drawn aslant (a rocket in flight), and its mirror image in the pair's axis is itself."""
    (ax, ay), (bx, by) = (scene.whole(n).centroid.coords[0] for n in (pair.left, pair.right))
    slope = atan2(by - ay, bx - ax)
    if min(abs(sin(slope)), abs(cos(slope))) < SLANT:
        return False
    scene.spend(1 + len(scene.layout.family(scene.object_of[pair.left])))
    upright = rotate(scene.whole(scene.object_of[pair.left]), -slope, ((ax + bx) / 2, (ay + by) / 2), use_radians=True)
    x0, y0, x1, y1 = upright.bounds
    if y1 - y0 < LONG * (x1 - x0):
        return False
    mirrored = scale(upright, -1.0, 1.0, origin=((ax + bx) / 2, 0.0))
    return upright.intersection(mirrored).area > ALIKE * upright.union(mirrored).area


def _parallel(scene: Scene, pair: Pair) -> bool:
    """Both are long, aslant and lie along each other: the rails of a leaning ladder."""
    axes = [long_axis(scene.whole(name)) for name in (pair.left, pair.right)]
    if axes[0] is None or axes[1] is None:
        return False
    aslant = min(abs(sin(axes[0])), abs(cos(axes[0]))) > SLANT
    return aslant and abs(sin(axes[0] - axes[1])) < SLANT / 2


def long_axis(shape: BaseGeometry) -> float | None:
    """Direction of a long thing in radians; None for one that is not long."""
    rectangle = shape.minimum_rotated_rectangle
    if not isinstance(rectangle, Polygon):
        return None
    (ax, ay), (bx, by), (cx, cy) = rectangle.exterior.coords[:3]
    steps = ((bx - ax, by - ay), (cx - bx, cy - by))
    short, long = sorted(steps, key=lambda step: hypot(*step))
    return atan2(long[1], long[0]) if hypot(*long) > 3 * LONG * hypot(*short) else None


def _tilted(scene: Scene, pair: Pair, pairs: Sequence[Pair]) -> bool:
    """Another pair of the same whole leans the same way."""
    scene.spend(1 + len(pairs) // 10)
    lean = _slope(scene, pair)
    others = [p for p in pairs if p.parent == pair.parent and p != pair]
    return any(abs(_slope(scene, p) - lean) < 0.08 for p in others)


def _slope(scene: Scene, pair: Pair) -> float:
    (ax, ay), (bx, by) = center(scene.box(pair.left)), center(scene.box(pair.right))
    return (by - ay) / (abs(bx - ax) or 1e-9)


def _issue(
    scene: Scene, pair: Pair, code: str, words: str, value: float, dx: float, dy: float, *, mild: bool = False
) -> Issue:
    a, b = scene.box(pair.left), scene.box(pair.right)
    return finding(
        code,
        f"{pair.left} and {pair.right} {words}: off by {abs(value):.3f}",
        (pair.left, pair.right),
        numbers={"found": value, "expected": 0.0},
        hint=scene.way(pair.right, dx or (width(a) + width(b) if code == "symmetry.sides" else 0.0), dy),
        marks=(box(a, pair.left), box(b, pair.right), arrow(center(a), center(b))),
        mild=mild,
    )


def _axis(scene: Scene, pair: Pair, middle: float) -> Iterator[Issue]:
    if pair.parent is None:
        return
    parent = scene.layout[pair.parent]
    whole = scene.object_of.get(parent.name, parent.name)  # a mere group is part of no object
    candidates = [center(scene.box(n))[0] for n in (parent.name, whole)]
    if not parent.shape.is_empty:
        x0, _, x1, _ = parent.shape.bounds
        candidates.append((x0 + x1) / 2)
    candidates += [center(scene.box(name))[0] for name in _carriers(scene, pair)]
    off = min((middle - c for c in candidates), key=abs)
    if abs(off) > max(0.02, min(0.03, 0.08 * width(scene.box(parent.name)))) and not _balanced(
        scene, pair, middle, off
    ):
        yield _issue(scene, pair, "symmetry.axis", f"are not mirrored in {parent.name}", off, -2 * off, 0.0)


def _carriers(scene: Scene, pair: Pair) -> list[str]:
    """Other parts of the whole that both touch, such as the head of a cat whose ears are parts of the cat."""
    own = {i.name for name in (pair.left, pair.right) for i in scene.layout.family(name)}
    scene.spend(len(scene.layout.family(pair.parent or "")))
    rest = [i for i in scene.layout.family(pair.parent or "") if i.name not in own and scene.paints(i.name)]
    sides = [_own(scene, name) for name in (pair.left, pair.right)]
    return [i.name for i in rest if all(distance(side, silhouette(i)) <= TOUCH for side in sides)]


def _balanced(scene: Scene, pair: Pair, middle: float, off: float) -> bool:
    """Something else of the whole lies on the other side (a door beside two windows), or other pairs lean along."""
    siblings = [c for c in scene.layout.children(pair.parent or "") if c.name not in (pair.left, pair.right)]
    scene.spend(1 + len(siblings) // 10)
    centers = [center(scene.box(c.name))[0] for c in siblings if scene.paints(c.name)]
    axis = middle - off
    return any((c - axis) * off < 0 and abs(c - axis) > 2 * abs(off) for c in _unpaired(centers, axis))


def _unpaired(centers: Sequence[float], axis: float) -> list[float]:
    """Those that have no mirror image among themselves."""
    return [c for c in centers if not any(abs((c + o) / 2 - axis) < 0.01 for o in centers)]


def _lonely(scene: Scene) -> Iterator[Issue]:
    """A part called left without one called right, and no other part that differs from it in its side."""
    for role, sides in scene.sided.items():
        name = sides[0] or sides[1]
        if "*" not in role or name is None or None not in sides or scene.layout[name].parent is None:
            continue
        missing = "right" if sides[1] is None else "left"
        other = name.replace("left" if missing == "right" else "right", missing)
        yield finding(
            "symmetry.lonely",
            f"{name} has no counterpart on the {missing}",
            (name, other),
            numbers={"found": 1, "expected": 2},
            hint=f"add {other} as the mirror image of {name}",
            marks=(box(scene.box(name), name),),
        )


def midline(scene: Scene) -> Iterator[Issue]:
    """Of the symmetric parts between mirrored pairs, all but one of which lie on the pairs' axis, that one."""
    known = scene.pairs
    in_pairs = {name for pair in known for name in (pair.left, pair.right)}
    whole: dict[str, list[Pair]] = {}
    for pair in known:
        if pair.parent in scene.object_of and not pair.numbered:
            whole.setdefault(pair.parent or "", []).append(pair)
    for parent, pairs in whole.items():
        middles = [sum(center(scene.box(n))[0] for n in (pair.left, pair.right)) / 2 for pair in pairs]
        axis = sum(middles) / len(middles)
        single = [c for c in scene.layout.children(parent) if c.name not in in_pairs and _lies_on(scene, c, parent)]
        off = [c.name for c in single if abs(center(scene.box(c.name))[0] - axis) > ON_AXIS]
        even = max(middles) - min(middles) <= ON_AXIS
        if even and len(off) == 1 < len(single) and all(_mirrored(scene, pair) for pair in pairs):
            yield _off_axis(scene, off[0], axis)


def _lies_on(scene: Scene, part: Item, parent: str) -> bool:
    """Most of it is drawn over its whole."""
    shape, whole = silhouette(part), silhouette(scene.layout[parent])
    return part.layer > scene.layout[parent].layer and shape.intersection(whole).area > 0.5 * shape.area


def _off_axis(scene: Scene, name: str, axis: float) -> Issue:
    at: Point = center(scene.box(name))
    return finding(
        "symmetry.midline",
        f"{name} is {abs(at[0] - axis):.3f} off the axis of the pairs around it",
        (name,),
        numbers={"found": at[0], "expected": axis},
        hint=scene.way(name, axis - at[0], 0.0),
        marks=(arrow(at, (axis, at[1]), f"{abs(at[0] - axis):.3f}"),),
    )
