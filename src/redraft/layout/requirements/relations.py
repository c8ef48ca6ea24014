"""Measures of relations: sides, inside, on, between, in front of, touches."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import cast

import numpy as np
import shapely
from shapely.geometry import LineString, box
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Layout
from redraft.layout.requirements.space import (
    RESTS,
    Check,
    Space,
    Span,
    are_near,
    around,
    bound,
    gap_between,
    length_of,
    middle,
    named,
    others_of,
)
from redraft.layout.requirements.statement import CANVAS, Relation, Requirement


def related(read: Requirement, space: Space) -> Iterator[Check]:
    """left_of, right_of, above, below (in a scene also in_front_of, behind): by centers, and boxes share at most half
    of the smaller extent; or, up and down, over most of its width the nearest ink is on that side. beside: left or
    right of it. inside: 60 % of its area within the hull of the other, less what sticks out at the top; of the canvas,
    all of it. on: it touches and is not below, or lies within the hull. between: by centers, on the axis that
    separates the two most. in_front_of, behind in a drawing: it is what one sees in most of the area that both cover.
    touches: every other, edge to edge."""
    others, word = others_of(read, space.layout), cast("Relation", read.relation)
    rest = {name: [o for o in others if o != name] for name in bound(read.parts, space.layout)}
    checks = {name: _RELATIONS[word](space, name, against) for name, against in rest.items() if against}
    if word == "inside":
        _piled(checks, space)
    yield from checks.values()


def _piled(checks: dict[str, Check], space: Space) -> None:
    """What lies on things that are inside is inside too: the third apple in a bowl, on two others."""
    held = [name for name, check in checks.items() if check.deviation <= 1]
    for under in held:  # grows while it is walked
        for name, check in checks.items():
            if check.deviation > 1 and are_near(space.box(name), space.box(under), RESTS * space.extent):
                on = _rests(space, name, under)
                if on.deviation <= 1:
                    checks[name] = _lacks(name, 0.0, 1.0, f"{name} lies on {under}, which is")
                    held.append(name)


def _lacks(name: str, lack: float, tolerance: float, words: str, exact: float | None = None) -> Check:
    return Check((name,), lack, 0.0, tolerance, words, tolerance if exact is None else exact)


_SIDES: dict[str, tuple[int, int, str]] = {
    "left_of": (0, -1, "to the left"), "right_of": (0, 1, "to the right"), "above": (1, -1, "up"),
    "below": (1, 1, "down"), "in_front_of": (1, 1, "to the front"), "behind": (1, -1, "to the back"),
}  # fmt: skip


def _beside(word: str) -> Callable[[Space, str, Sequence[str]], Check]:
    def check(space: Space, name: str, others: Sequence[str]) -> Check:
        if word in ("in_front_of", "behind") and not space.plan:
            return _depth(space, name, others, word == "in_front_of")
        axis, sign, way = _SIDES[word]
        if space.plan and word in ("above", "below"):
            axis, sign = 2, -sign
        mine, theirs = space.box(name), [space.box(other, without=name) for other in others]
        lack = min(_lack(mine[axis], around(theirs)[axis], sign), max(_lack(mine[axis], b[axis], sign) for b in theirs))
        if lack > space.slack / 2 and axis == 1 and not space.plan and _faces(space, name, others, sign):
            lack = 0.0
        words = f"{name} is farther {way}" if lack <= space.slack / 2 else f"{name} has to be {lack:.3g} farther {way}"
        return _lacks(name, lack, space.slack / 2, words)

    return check


def _lack(mine: Span, theirs: Span, sign: int) -> float:
    """Return the distance that a part lacks to lie beyond another along an axis."""
    ahead = sign * (middle(mine) - middle(theirs))
    shared = min(mine[1], theirs[1]) - max(mine[0], theirs[0]) - 0.5 * min(length_of(mine), length_of(theirs))
    return max(0.0, shared, -ahead)


def _faces(space: Space, name: str, others: Sequence[str], sign: int) -> bool:
    """Over most of a part's width the nearest ink of the others is above it (for sign 1), or below it (−1).

    So a car is below a bridge between whose pillars it stands, and two people are under the one umbrella that they
    hold. Heads may reach into it by a tenth of the part's height.
    """
    shape = space.solid(name)
    reach = max(space.slack, 0.1 * (shape.bounds[3] - shape.bounds[1]))
    ink = shapely.union_all([space.shape(other, without=name) for other in others])
    x0, _, x1, _ = shape.bounds
    low, high = min(shape.bounds[1], ink.bounds[1]) - 1, max(shape.bounds[3], ink.bounds[3]) + 1
    right = 0
    for x in np.linspace(x0, x1, 13)[1:-1]:
        plumb = LineString([(x, low), (x, high)])
        mine, pieces = shape.intersection(plumb), shapely.get_parts(ink.intersection(plumb))
        if not mine.is_empty and len(pieces):
            _, top, _, foot = mine.bounds
            spans = [(p.bounds[1], p.bounds[3]) for p in pieces]
            sides = [(max(top - end, start - foot), 1 if top + reach >= end else -1) for start, end in spans]
            gap, side = min(sides)
            right += gap > -reach and side == sign
    return right >= 7


def _next_to(space: Space, name: str, others: Sequence[str]) -> Check:
    words = ("left_of", "right_of", *(("in_front_of", "behind") if space.plan else ()))
    best = min((_beside(word)(space, name, others) for word in words), key=lambda check: check.error)
    return best if best.deviation <= 1 else _lacks(name, best.found, best.tolerance, f"{name} is not beside it")


def _inside(space: Space, name: str, others: Sequence[str]) -> Check:
    mine = space.box(name)
    if CANVAS in others and CANVAS not in space.layout:
        frame = space.box(CANVAS)
        out = max(max(frame[i][0] - mine[i][0], mine[i][1] - frame[i][1], 0.0) for i in (0, 1))
        words = f"{name} reaches {out:.3g} over the edge" if out > space.exact else f"{name} is inside it"
        return _lacks(name, out, space.slack, words, space.exact)
    shape = space.solid(name)
    wholes = [space.shape(other, without=name) for other in others if are_near(mine, space.box(other), 0.0)]
    if 1 < len(others) <= 20:
        wholes.append(shapely.GeometryCollection([space.shape(other, without=name) for other in others]))
    share = max((_share(shape, whole, space) for whole in wholes), default=0.0)
    if space.plan:
        low, high = around([space.box(other) for other in others])[2]
        share = share if low - space.slack <= middle(mine[2]) <= high + space.slack else 0.0
    return Check((name,), share, 0.6, 1e-9, f"{share:.0%} of {name} is inside", limit="at_least")


def _share(shape: BaseGeometry, other: BaseGeometry, space: Space) -> float:
    """Return the share of a shape within another's hull; on paper the rest may stick out at the top, as from a vase."""
    hull = other.convex_hull
    share = _part_of(shape, hull)
    top = hull.bounds[1] if not hull.is_empty else math.inf
    x0, y0, x1, y1 = shape.bounds
    if space.plan or share >= 0.6 or not y0 < top < y1:
        return share
    low = shape.intersection(box(x0 - 1, top, x1 + 1, y1 + 1))
    return _part_of(low, hull) if _part_of(shape, low) >= 0.02 else share


def _part_of(shape: BaseGeometry, other: BaseGeometry) -> float:
    """The share of a shape's area that lies within another; of its length where it has no area."""
    both = shape.intersection(other)
    return both.area / shape.area if shape.area > 0 else both.length / max(shape.length, 1e-12)


def _on(space: Space, name: str, others: Sequence[str]) -> Check:
    best = min((_rests(space, name, other) for other in others), key=lambda c: c.error, default=None)
    return best or _lacks(name, space.extent, space.slack, f"{name} is not on it")


def _rests(space: Space, name: str, other: str) -> Check:
    (x0, x1), (_, foot), (z0, z1) = space.box(name)
    (a0, a1), (b0, b1), (c0, c1) = space.box(other, without=name)
    gap = space.shape(name).distance(space.shape(other, without=name))
    tolerance, fine = RESTS * space.extent, max(space.exact, 0.003 * space.extent)
    if space.plan:
        tolerance = max(0.005, min(tolerance, 0.05 * max(x1 - x0, z1 - z0)))
        high = max(z0 - c1, 0.0) if z0 + z1 >= 2 * c0 else c0 - middle((z0, z1))
        off = math.hypot(gap, high)
        return _lacks(name, off, tolerance, f"{name} is {off:.3g} off {other}", 0.002)
    aside = max(a0 - (x0 + x1) / 2, (x0 + x1) / 2 - a1, 0.0)
    if gap > tolerance or aside > (x1 - x0) / 2:
        return _lacks(name, max(gap, aside), tolerance, f"{name} is {gap:.3g} away from {other}", fine)
    own = space.layout[other].shape if other in space.layout else None
    level = max(middle((b0, b1)), (own.bounds[1] + own.bounds[3]) / 2 + tolerance if own and not own.is_empty else b0)
    mine = middle(space.box(name)[1])
    within = _share(space.shape(name), space.shape(other, without=name), space) >= 0.6
    if within or foot <= level or mine < middle((b0, b1)):
        return _lacks(
            name, gap, tolerance, f"{name} is on {other}" if gap <= fine else f"{name} is {gap:.3g} off", fine
        )
    return _lacks(name, max(foot - b0, 2 * tolerance), tolerance, f"{name} is below the top of {other}", fine)


def _between(space: Space, name: str, others: Sequence[str]) -> Check:
    mine, boxes = space.box(name), [space.box(other, without=name) for other in others]
    lacks: list[float] = []
    for a, b in combinations(boxes[:20], 2):
        axis = max((0, 1, 2) if space.plan else (0, 1), key=lambda i: abs(middle(a[i]) - middle(b[i])))
        low, high = sorted((middle(a[axis]), middle(b[axis])))
        at = middle(mine[axis])
        lacks.append(max(low - at, at - high, 0.0))
    lack = min(lacks, default=space.extent)
    return _lacks(name, lack, space.slack / 2, f"{name} is {lack:.3g} outside" if lack else f"{name} is between them")


def _depth(space: Space, name: str, others: Sequence[str], front: bool) -> Check:
    """What one sees where two cover each other; 1 where that is as it should be everywhere."""
    kin = {item.name for item in space.layout.family(name)}
    mine = [item for item in space.layout.family(name) if not item.shape.is_empty]
    worst, against = 1.0, ""
    for other in others:
        if other not in space.layout:
            continue
        theirs = [i for i in space.layout.family(other) if i.name not in kin and not i.shape.is_empty]
        both = shapely.union_all([i.shape for i in mine]).intersection(shapely.union_all([i.shape for i in theirs]))
        if both.area <= (space.extent / 1024) ** 2:
            continue
        seen = 0.0
        for item in sorted((*mine, *theirs), key=lambda i: -i.layer):
            top, both = both.intersection(item.shape).area, both.difference(item.shape)
            seen += top if item.name in kin else 0.0
            rest = both.area
            if rest <= 0:
                break
        total = shapely.union_all([i.shape for i in mine]).intersection(shapely.union_all([i.shape for i in theirs]))
        share = seen / total.area if front else 1 - seen / total.area
        worst, against = min((worst, against), (share, other))
    side = "in front of" if front == (worst >= 0.5) else "behind"
    words = f"{name} is {side} {against}" if against else f"{name} overlaps none of them"
    return Check((name,), worst, 0.5, 1e-9, words, limit="at_least")


def _touching(space: Space, name: str, others: Sequence[str]) -> Check:
    gaps = [(gap_between(space, name, other, None), other) for other in others]
    gap, other = max(gaps)
    words = f"{name} is {gap:.3g} away from {other}" if gap > space.exact else f"{name} touches {other}"
    return _lacks(name, max(gap, 0.0), space.slack, words, max(space.exact, 0.1 * space.slack))


_RELATIONS: dict[Relation, Callable[[Space, str, Sequence[str]], Check]] = {
    "left_of": _beside("left_of"), "right_of": _beside("right_of"), "above": _beside("above"),
    "below": _beside("below"), "in_front_of": _beside("in_front_of"), "behind": _beside("behind"),
    "beside": _next_to, "inside": _inside, "on": _on, "between": _between, "touches": _touching,
}  # fmt: skip


def relation_problem(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    others = named(read.of, layout)
    if CANVAS in read.of and CANVAS not in layout and read.relation not in ("inside", "touches"):
        return "of the canvas a part can only be inside, or touch its edge"
    if read.relation == "between" and len(others) < 2:
        return "between needs two parts in of"
    return None
