"""Relations: left, right, above, below, beside, on, inside, between, in front of, behind, on whole shapes.

Where a whole fails, its chief part alone may pass: a car below a bridge stands between its pillars, under its deck.
A thing is tried against each object the words may mean; only what holds for none of them is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
import shapely
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from redraft.result import Issue
from redraft.spatial.layout import Bounds, Item
from redraft.spatial.reading import Relate
from redraft.spatial.rules.arrays import distance
from redraft.spatial.rules.scene import TOUCH, Scene
from redraft.spatial.rules.words import arrow, box, centre, found, height, width
from redraft.spatial.scenery import is_kind

__all__ = ["related"]

SHARED = 0.5
"""Boxes of neighbours may share so much of the smaller extent along their axis."""
PLUMBS = 11
MOST = 0.6
"""Of the plumb lines through a thing, so many must meet the other on the side that the relation says."""
RESTS = 0.03
"""Things on one another are at most so far apart."""

_SIDES: dict[str, tuple[int, int]] = {"left_of": (0, -1), "right_of": (0, 1), "above": (1, -1), "below": (1, 1)}


def related(scene: Scene, relation: Relate) -> Iterator[Issue]:
    """One issue for each subject that stands in the relation to none of its objects."""
    subjects = scene.binding.items(relation.subjects)
    objects = [i for s in relation.objects for i in scene.binding.items(s)]
    at_rest = _at_rest(scene, subjects, objects) if relation.relation == "inside" else set[str]()
    for subject in (s for s in subjects if s.name not in at_rest):
        others = [o for o in _nearby(scene, subject, objects) if o.name != subject.name]
        if others:
            yield from _relate(scene, relation, subject, others)


def _nearby(scene: Scene, subject: Item, objects: Sequence[Item]) -> Sequence[Item]:
    """Objects within the same whole as the subject, where there are any: each house has its own door."""
    if scene.layout.root_of(subject.name).name == subject.name:
        return objects
    same = [o for o in objects if o.parent == subject.parent]
    return same or objects


def _relate(scene: Scene, relation: Relate, subject: Item, others: Sequence[Item]) -> Iterator[Issue]:
    word = relation.relation
    if _is_aloft(scene, word, subject, others):
        return
    if word in _SIDES:
        yield from _side(scene, relation, subject, others)
    elif word == "beside":
        yield from _beside(scene, relation, subject, others)
    elif word == "between":
        yield from _between(scene, relation, subject, others)
    elif word in {"in_front_of", "behind"}:
        yield from _depth(scene, relation, subject, others)
    elif word in {"on", "inside"} and not any(_HOLDS[word](scene, subject, o) for o in others):
        yield _wrong(scene, relation, f"relation.{word}", subject, others[0])
    if relation.degree == "touching" and word not in {"on", "inside"}:
        yield from _touching(scene, relation, subject, others)


def _is_aloft(scene: Scene, word: str, subject: Item, others: Sequence[Item]) -> bool:
    """Under the sky, and the sky above: it lies behind all, and is above whatever stands before it."""
    skies = [subject] if word == "above" else others if word == "below" else []
    return any(s.name in scene.backdrops and is_kind(s.label, "sky") for s in skies)


def _side(scene: Scene, relation: Relate, subject: Item, others: Sequence[Item]) -> Iterator[Issue]:
    axis, sign = _SIDES[relation.relation]
    shapes = [(scene.box(subject.name), _around([scene.box(o.name) for o in others]))]
    shapes += [(scene.own_box(subject), scene.own_box(other)) for other in others]
    shapes += [(scene.box(subject.name), scene.box(other.name)) for other in others]
    if axis == 1:
        shapes += [(shapes[0][0], b) for other in others for b in _spans(scene, other, shapes[0][0])]
    if not any(_is_beyond(a, b, axis, sign) for a, b in shapes) and not (
        axis == 1 and any(_faces(scene, subject, other, sign) for other in others)
    ):
        yield _wrong(scene, relation, "relation.direction", subject, others[0])


def _spans(scene: Scene, other: Item, a: Bounds) -> list[Bounds]:
    """Boxes of the other's parts that reach over all of a box from side to side: a deck over a car."""
    boxes = [scene.own_box(part) for part in scene.layout.family(other.name) if not part.shape.is_empty]
    return [b for b in boxes if b[0] <= a[0] and b[2] >= a[2]]


def _faces(scene: Scene, subject: Item, other: Item, sign: int) -> bool:
    """Over most of a thing's width the nearest ink of the other is above it (below it, for sign −1).

    So a car is below a bridge between whose pillars it stands, and a man under the umbrella that he holds.
    """
    shape, ink = scene.whole(subject.name), scene.layout.whole(other.name)
    x0, _, x1, _ = shape.bounds
    _, top, _, bottom = scene.layout.frame.bounds
    plumbs = [LineString([(x, top), (x, bottom)]) for x in np.linspace(x0, x1, PLUMBS + 2)[1:-1]]
    sides = [_nearest_side(shape.intersection(plumb), ink.intersection(plumb)) for plumb in plumbs]
    return sides.count(sign) >= MOST * PLUMBS


def _nearest_side(mine: BaseGeometry, ink: BaseGeometry) -> int:
    """On a plumb line: 1 where the nearest ink is above what is mine, −1 where it is below, 0 where they meet."""
    if mine.is_empty or ink.is_empty:
        return 0
    _, upper, _, lower = mine.bounds
    gaps: list[tuple[float, int]] = []
    for piece in shapely.get_parts(ink):
        _, y0, _, y1 = piece.bounds
        over, under = upper - y1, y0 - lower
        gaps.append((over, 1) if over >= -TOUCH else (under, -1) if under >= -TOUCH else (0.0, 0))
    return min(gaps)[1]


def _is_beyond(a: Bounds, b: Bounds, axis: int, sign: int) -> bool:
    """By centres, and by boxes that share at most half of the smaller extent."""
    ahead = sign * (centre(a)[axis] - centre(b)[axis])
    shared = min(a[axis + 2], b[axis + 2]) - max(a[axis], b[axis])
    return ahead > 0 and shared <= SHARED * min(a[axis + 2] - a[axis], b[axis + 2] - b[axis])


def _around(boxes: Sequence[Bounds]) -> Bounds:
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def _beside(scene: Scene, relation: Relate, subject: Item, others: Sequence[Item]) -> Iterator[Issue]:
    a = scene.box(subject.name)
    ok = any(_is_beyond(a, scene.box(o.name), 0, sign) for o in others for sign in (-1, 1))
    if not ok:
        yield _wrong(scene, relation, "relation.direction", subject, others[0])


def _on(scene: Scene, subject: Item, other: Item) -> bool:
    """It touches and is not below, or lies within the other's box (a picture on a wall, a plate on a cloth)."""
    a, b = scene.box(subject.name), scene.box(other.name)
    (ax, ay), inside = centre(a), _within(a, b)
    near = distance(scene.whole(subject.name), scene.whole(other.name)) <= RESTS
    above = ay < centre(b)[1] or a[3] < centre(scene.own_box(other))[1] + RESTS or a[3] < b[1] + height(b) / 2
    return bool(near and (above or inside) and b[0] - width(a) / 2 < ax < b[2] + width(a) / 2)


def _within(a: Bounds, b: Bounds) -> bool:
    return a[0] >= b[0] - TOUCH and a[1] >= b[1] - TOUCH and a[2] <= b[2] + TOUCH and a[3] <= b[3] + TOUCH


def _inside(scene: Scene, subject: Item, other: Item) -> bool:
    """Three fifths of it lie within the other's hull; in an open vessel some of it does; scenery is touched."""
    if other.name in scene.backdrops:  # in a meadow, in the sky: somewhere on it
        return distance(scene.whole(subject.name), scene.whole(other.name)) <= RESTS
    shape, hull = scene.whole(subject.name), shapely.convex_hull(scene.whole(other.name))
    share = shape.intersection(hull).area / max(shape.area, 1e-12)
    open_top = is_kind(other.label, "vessel")
    a, b = scene.box(subject.name), scene.box(other.name)
    return share >= 0.6 or (open_top and share > 0.02 and b[0] - TOUCH <= centre(a)[0] <= b[2] + TOUCH)


def _at_rest(scene: Scene, subjects: Sequence[Item], objects: Sequence[Item]) -> set[str]:
    """What is in a vessel, and what lies on that: the third apple on two others."""
    vessels = [o for o in objects if is_kind(o.label, "vessel")]
    held = {s.name for s in subjects if any(o.name != s.name and _inside(scene, s, o) for o in vessels)}
    for _ in subjects:
        more = {s.name for s in subjects if s.name not in held and any(_on(scene, s, scene.layout[n]) for n in held)}
        if not more:
            break
        held |= more
    return held


_HOLDS: dict[str, Callable[[Scene, Item, Item], bool]] = {"on": _on, "inside": _inside}


def _between(scene: Scene, relation: Relate, subject: Item, others: Sequence[Item]) -> Iterator[Issue]:
    """On the axis that separates the objects' centres most, strictly between their centres."""
    a = centre(scene.box(subject.name))
    pairs = [(p, q) for p, q in product(others, others) if p.name < q.name]
    if pairs and not any(_is_between(a, centre(scene.box(p.name)), centre(scene.box(q.name))) for p, q in pairs):
        first, second = pairs[0]
        middle = centre(_around([scene.box(first.name), scene.box(second.name)]))
        yield _wrong(scene, relation, "relation.between", subject, first, second, toward=middle)


def _is_between(a: tuple[float, float], p: tuple[float, float], q: tuple[float, float]) -> bool:
    axis = 0 if abs(p[0] - q[0]) >= abs(p[1] - q[1]) else 1
    low, high = sorted((p[axis], q[axis]))
    return low < a[axis] < high


def _depth(scene: Scene, relation: Relate, subject: Item, others: Sequence[Item]) -> Iterator[Issue]:
    """Where the two cover each other, the one in front is painted later."""
    front = relation.relation == "in_front_of"
    for other in others:
        covers = scene.whole(subject.name).intersection(scene.whole(other.name)).area > 0
        before = _topmost(scene, subject) > _topmost(scene, other)
        if covers and before != front:
            yield _wrong(scene, relation, "relation.depth", subject, other)


def _topmost(scene: Scene, item: Item) -> int:
    return max(i.layer for i in scene.layout.family(item.name))


def _touching(scene: Scene, relation: Relate, subject: Item, others: Sequence[Item]) -> Iterator[Issue]:
    gaps = [(distance(scene.whole(subject.name), scene.whole(o.name)), o) for o in others]
    gap, other = min(gaps, key=lambda pair: pair[0])
    if gap > 2 * TOUCH:
        yield _wrong(scene, relation, "relation.touching", subject, other)


def _wrong(
    scene: Scene,
    relation: Relate,
    code: str,
    subject: Item,
    *others: Item,
    toward: tuple[float, float] | None = None,
) -> Issue:
    a = scene.box(subject.name)
    names = " and ".join(o.name for o in others)
    word = relation.relation.replace("_", " ")
    dx, dy = _shift(scene, relation, a, scene.box(others[0].name), toward)
    mend = f"paint {subject.name} {word} {names}" if code == "relation.depth" else scene.way(subject.name, dx, dy)
    return found(
        code,
        "error",
        f"{subject.name} should be {word} {names} and is not",
        (subject.name, *(o.name for o in others)),
        numbers={"found": 0.0, "expected": 1.0, "dx": dx, "dy": dy},
        mend=mend,
        marks=(
            box(a, subject.name),
            *(box(scene.box(o.name), o.name) for o in others),
            arrow(centre(a), (centre(a)[0] + dx, centre(a)[1] + dy)),
        ),
        phrase=relation.phrase,
    )


def _shift(
    scene: Scene, relation: Relate, a: Bounds, b: Bounds, toward: tuple[float, float] | None
) -> tuple[float, float]:
    """The move that would bring box a where the relation wants it, at the usual distance."""
    (ax, ay), (bx, by) = centre(a), centre(b) if toward is None else toward
    gap = scene.thresholds.min_spacing
    left, right = (b[0] - gap - a[2], 0.0), (b[2] + gap - a[0], 0.0)
    moves = {
        "left_of": left,
        "right_of": right,
        "above": (0.0, b[1] - gap - a[3]),
        "below": (0.0, b[3] + gap - a[1]),
        "beside": left if ax < bx else right,
        "on": (0.0 if b[0] < ax < b[2] else bx - ax, b[1] - a[3]),
    }
    return moves.get(relation.relation, (bx - ax, by - ay))
