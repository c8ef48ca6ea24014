"""Symmetry: left and right parts of like role, and what lies between them.

Pairs are found by name: `ear_left` and `ear_right`, `l_ear` and `r_ear`, and, as parts of one whole, `ear_1` and
`ear_2` without a third. Strict validation takes numbered objects as pairs too, and alone holds numbered ones to sides
and height. What two parts are drawn as decides what they are held to: mirror images should lie mirrored; parts of other
shapes (limbs in a pose) need only be of comparable size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import atan2, cos, hypot, sin

from shapely import Polygon
from shapely.affinity import rotate, scale, translate
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import bounds_of
from redraft.result import Issue
from redraft.studios.sketch.rules.geometry import TOUCH, WITHIN, Pair, Scene, distance, silhouette
from redraft.studios.sketch.rules.issues import arrow, box, center, finding, height, scale_words, width

ELONGATED = 1.4
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

SHARED = 0.6
"""Share of the narrower of two parts that the other may be above or below, while they are still side by side."""

LEAN = 0.08
"""Slopes of pairs within this are one."""


def symmetry(scene: Scene) -> Iterator[Issue]:
    """Check the sizes of all pairs; sides, heights and axis of mirror images; a side that is missing."""
    kin: dict[str, list[Pair]] = {}
    for pair in scene.pairs:
        kin.setdefault(scene.object_of.get(pair.left, ""), []).append(pair)

    for pair in scene.pairs:
        yield from _sizes(scene, pair)
        held = scene.strict or not pair.numbered
        if not (held and pair.left in scene.object_of and pair.right in scene.object_of):
            continue

        # A pair at one place is reported as that, whatever its parts are drawn as.
        a, b = scene.box(pair.left), scene.box(pair.right)
        across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
        shared = max(across, 0.0) * max(down, 0.0)
        in_common = shared / max(width(a) * height(a) + width(b) * height(b) - shared, 1e-12)
        if not pair.numbered and in_common >= ONE_PLACE:
            scene.spend()
            one, other = scene.whole(pair.left), scene.whole(pair.right)
            if one.intersection(other).area >= ON_EACH_OTHER * one.union(other).area:
                yield finding(
                    "symmetry.stacked",
                    f"{pair.left} and {pair.right} lie on each other: a pair has a left and a right side",
                    (pair.left, pair.right),
                    numbers={"found": in_common, "expected": 0.0},
                    hint="draw one of them as the mirror image of the other, on the other side",
                    marks=(box(a, pair.left), box(b, pair.right)),
                )
                continue

        # Boxes are cheap, so what is off by them is looked for before the shapes are compared.
        pairs = kin[scene.object_of[pair.left]]
        issues = list(_misplaced(scene, pair, pairs))
        if issues and _mirrored(scene, pair) and not _is_excused(scene, pair, pairs):
            yield from issues
    yield from _lonely(scene)


def _sizes(scene: Scene, pair: Pair) -> Iterator[Issue]:
    levels = [center(scene.box(n))[1] for n in (pair.left, pair.right)]
    if pair.numbered and not scene.strict and abs(levels[0] - levels[1]) > LEVEL:
        return
    areas = [max(_own(scene, n).area, 1e-9) for n in (pair.left, pair.right)]
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


def _own(scene: Scene, name: str) -> BaseGeometry:
    """Return what the part itself paints, not what it holds; all its parts when it paints nothing."""
    item = scene.layout[name]
    return scene.whole(name) if item.shape.is_empty else silhouette(item)


def _mirrored(scene: Scene, pair: Pair) -> bool:
    """Return whether one is about the mirror image of the other, wherever they lie."""
    scene.spend()
    left, right = _own(scene, pair.left), _own(scene, pair.right)
    (ax, ay), (bx, by) = center(bounds_of(left)), center(bounds_of(right))
    image = translate(scale(left, -1.0, 1.0, origin=(ax, ay)), bx - ax, by - ay)
    return image.intersection(right).area > MIRRORED * image.union(right).area


def _misplaced(scene: Scene, pair: Pair, pairs: Sequence[Pair]) -> Iterator[Issue]:
    """Find by their boxes that two parts are not on different sides, not at one height, or not about one axis."""
    a, b = scene.box(pair.left), scene.box(pair.right)
    (ax, ay), (bx, by) = center(a), center(b)
    shared = min(a[2], b[2]) - max(a[0], b[0])
    if shared > SHARED * min(width(a), width(b)):
        in_column = pair.numbered and _is_in_column(scene, pair)
        dx = width(a) + width(b)
        yield _misplacement(
            scene, pair, "symmetry.sides", "are not on different sides", shared, dx, 0.0, mild=in_column
        )
        return

    rise = by - ay
    if abs(rise) > max(0.02, 0.15 * abs(bx - ax)):
        # Another pair of the same whole may lean the same way.
        scene.spend(1 + len(pairs) // 10)
        siblings = [p for p in pairs if p.parent == pair.parent and p != pair]
        if not any(abs(_slope(scene, p) - _slope(scene, pair)) < LEAN for p in siblings):
            slight = abs(rise) <= max(0.05, 0.35 * abs(bx - ax))
            yield _misplacement(scene, pair, "symmetry.height", "are not at one height", rise, 0.0, -rise, mild=slight)

    if pair.parent is not None:
        off = _axis_offset(scene, pair, pair.parent, (ax + bx) / 2)
        if off:
            words = f"are not mirrored in {pair.parent}"
            yield _misplacement(scene, pair, "symmetry.axis", words, off, -2 * off, 0.0)


def _misplacement(
    scene: Scene, pair: Pair, code: str, words: str, value: float, dx: float, dy: float, *, mild: bool = False
) -> Issue:
    a, b = scene.box(pair.left), scene.box(pair.right)
    return finding(
        code,
        f"{pair.left} and {pair.right} {words}: off by {abs(value):.3f}",
        (pair.left, pair.right),
        numbers={"found": value, "expected": 0.0},
        hint=scene.way(pair.right, dx, dy),
        marks=(box(a, pair.left), box(b, pair.right), arrow(center(a), center(b))),
        mild=mild,
    )


def _is_in_column(scene: Scene, pair: Pair) -> bool:
    """Return whether both lie on a tall whole, one above the other: windows of a tower, not ears of a head."""
    if pair.parent not in scene.rank:
        return False
    whole = silhouette(scene.layout[pair.parent])
    (x0, y0, x1, y1), parts = whole.bounds, [_own(scene, name) for name in (pair.left, pair.right)]
    scene.spend()
    lie_on = all(part.intersection(whole).area > WITHIN * part.area for part in parts)
    high, low = sorted(parts, key=lambda part: part.bounds[1])
    return y1 - y0 > ELONGATED * (x1 - x0) and lie_on and high.bounds[3] <= low.bounds[1]


def _slope(scene: Scene, pair: Pair) -> float:
    (ax, ay), (bx, by) = center(scene.box(pair.left)), center(scene.box(pair.right))
    return (by - ay) / (abs(bx - ax) or 1e-9)


def _axis_offset(scene: Scene, pair: Pair, parent_name: str, middle: float) -> float:
    """Return how far the middle of a pair is off the nearest axis that it may have; 0 where that is as it should be."""
    parent = scene.layout[parent_name]
    whole = scene.object_of.get(parent_name, parent_name)  # a mere group is part of no object
    axes = [center(scene.box(n))[0] for n in (parent_name, whole)]
    if not parent.shape.is_empty:
        x0, _, x1, _ = parent.shape.bounds
        axes.append((x0 + x1) / 2)

    # Other parts of the whole that both touch, such as the head of a cat whose ears are parts of the cat.
    family = scene.layout.family(parent_name)
    own = {i.name for name in (pair.left, pair.right) for i in scene.layout.family(name)}
    scene.spend(len(family))
    sides = [_own(scene, name) for name in (pair.left, pair.right)]
    rest = [i for i in family if i.name not in own and scene.paints(i.name)]
    carriers = [i.name for i in rest if all(distance(side, silhouette(i)) <= TOUCH for side in sides)]
    axes += [center(scene.box(name))[0] for name in carriers]
    off = min((middle - axis for axis in axes), key=abs)
    if abs(off) <= max(0.02, min(0.03, 0.08 * width(scene.box(parent_name)))):
        return 0.0

    # Something else of the whole may balance the pair from the other side: a door beside two windows.
    siblings = [c for c in scene.layout.children(parent_name) if c.name not in (pair.left, pair.right)]
    scene.spend(1 + len(siblings) // 10)
    centers = [center(scene.box(c.name))[0] for c in siblings if scene.paints(c.name)]
    axis = middle - off
    unpaired = [c for c in centers if not any(abs((c + other) / 2 - axis) < 0.01 for other in centers)]
    return 0.0 if any((c - axis) * off < 0 and abs(c - axis) > 2 * abs(off) for c in unpaired) else off


def _is_excused(scene: Scene, pair: Pair, pairs: Sequence[Pair]) -> bool:
    """Return whether what a pair belongs to is drawn aslant or in a pose, so that its parts lie otherwise."""
    if _is_on_leaning_whole(scene, pair):
        return True

    # Both are long, aslant and lie along each other: the rails of a leaning ladder.
    one, other = (long_axis(scene.whole(name)) for name in (pair.left, pair.right))
    if one is not None and other is not None:
        aslant = min(abs(sin(one)), abs(cos(one))) > SLANT
        if aslant and abs(sin(one - other)) < SLANT / 2:
            return True

    # It hangs on a pair that is not a mirror image: hands on arms in a pose.
    scene.spend(len(pairs))
    others = (q for q in pairs if q != pair)
    carriers = (q for q in others if _touch(scene, q.left, pair.left) and _touch(scene, q.right, pair.right))
    return any(not _mirrored(scene, q) for q in carriers)


def _is_on_leaning_whole(scene: Scene, pair: Pair) -> bool:
    """Return whether the whole is long, aslant (a rocket in flight), and its own mirror image in the pair's axis."""
    (ax, ay), (bx, by) = (scene.whole(n).centroid.coords[0] for n in (pair.left, pair.right))
    slope = atan2(by - ay, bx - ax)
    if min(abs(sin(slope)), abs(cos(slope))) < SLANT:
        return False
    scene.spend(1 + len(scene.layout.family(scene.object_of[pair.left])))
    upright = rotate(scene.whole(scene.object_of[pair.left]), -slope, ((ax + bx) / 2, (ay + by) / 2), use_radians=True)
    x0, y0, x1, y1 = upright.bounds
    if y1 - y0 < ELONGATED * (x1 - x0):
        return False
    mirrored = scale(upright, -1.0, 1.0, origin=((ax + bx) / 2, 0.0))
    return upright.intersection(mirrored).area > ALIKE * upright.union(mirrored).area


def long_axis(shape: BaseGeometry) -> float | None:
    """Return the direction of a long thing in radians; None for one that is not long."""
    rectangle = shape.minimum_rotated_rectangle
    if not isinstance(rectangle, Polygon):
        return None
    (ax, ay), (bx, by), (cx, cy) = rectangle.exterior.coords[:3]
    steps = ((bx - ax, by - ay), (cx - bx, cy - by))
    short, long = sorted(steps, key=lambda step: hypot(*step))
    return atan2(long[1], long[0]) if hypot(*long) > 3 * ELONGATED * hypot(*short) else None


def _touch(scene: Scene, one: str, other: str) -> bool:
    return distance(_own(scene, one), _own(scene, other)) <= TOUCH


def _lonely(scene: Scene) -> Iterator[Issue]:
    """Find a part called left without one called right, and no other part that differs from it in its side."""
    for role, sides in scene.sided.items():
        name = sides[0] or sides[1]
        if "*" not in role or name is None or None not in sides or scene.layout[name].parent is None:
            continue
        present, missing = ("left", "right") if sides[1] is None else ("right", "left")
        other = name.replace(present, missing)
        yield finding(
            "symmetry.lonely",
            f"{name} has no counterpart on the {missing}",
            (name, other),
            numbers={"found": 1, "expected": 2},
            hint=f"add {other} as the mirror image of {name}",
            marks=(box(scene.box(name), name),),
        )


def midline(scene: Scene) -> Iterator[Issue]:
    """Find the one symmetric part between mirrored pairs that is off their axis, while the others lie on it."""
    in_pairs = {name for pair in scene.pairs for name in (pair.left, pair.right)}
    pairs_by_whole: dict[str, list[Pair]] = {}
    for pair in scene.pairs:
        if pair.parent in scene.object_of and not pair.numbered:
            pairs_by_whole.setdefault(pair.parent or "", []).append(pair)

    for whole, pairs in pairs_by_whole.items():
        middles = [sum(center(scene.box(n))[0] for n in (pair.left, pair.right)) / 2 for pair in pairs]
        axis = sum(middles) / len(middles)
        parent = scene.layout[whole]
        single: list[str] = []
        for part in scene.layout.children(whole):
            if part.name in in_pairs or part.layer <= parent.layer:
                continue
            # Most of it is drawn over its whole.
            shape = silhouette(part)
            if shape.intersection(silhouette(parent)).area > 0.5 * shape.area:
                single.append(part.name)
        off = [name for name in single if abs(center(scene.box(name))[0] - axis) > ON_AXIS]
        even = max(middles) - min(middles) <= ON_AXIS
        if even and len(off) == 1 < len(single) and all(_mirrored(scene, pair) for pair in pairs):
            (name,) = off
            x, y = center(scene.box(name))
            yield finding(
                "symmetry.midline",
                f"{name} is {abs(x - axis):.3f} off the axis of the pairs around it",
                (name,),
                numbers={"found": x, "expected": axis},
                hint=scene.way(name, axis - x, 0.0),
                marks=(arrow((x, y), (axis, y), f"{abs(x - axis):.3f}"),),
            )
