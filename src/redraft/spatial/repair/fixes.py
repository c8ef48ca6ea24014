"""Fixes of single issues: heuristics, defects and broken relations, in closed form on shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import shapely

from redraft.layout import Bounds, Move, Point
from redraft.requirements import Requirement
from redraft.result import Issue
from redraft.spatial.repair.arrangements import BITE, mirrored, parted
from redraft.spatial.repair.exact import foot
from redraft.spatial.repair.situation import Situation, Step, around, center, displacement, flat
from redraft.spatial.rules.geometry import Scene
from redraft.spatial.solver.contact import closing

__all__ = ["FIXES", "fix_steps"]

CLEAR = 0.02
"""So far off what it lay on: more than a near miss."""

Ways = Iterator[tuple[Move, ...]]


def fix_steps(site: Situation) -> Iterator[Step]:
    """One step for each issue that geometry can fix."""
    least = site.layout.frame.quantum
    for issue in site.issues:
        plan = FIXES.get(issue.code)
        if plan is not None and issue.subjects and all(name in site.layout for name in issue.subjects):
            ways = [way for way in plan(site, issue) if way and all(site.free(m.item) for m in way)]
            ways = [way for way in ways if displacement(site.layout, way) > least]
            if ways:
                parting = issue.category in {"overlap", "containment"}
                named = frozenset(i.name for n in issue.subjects for i in site.layout.family(n))
                words = f"{issue.code}: {', '.join(issue.subjects)}"
                yield Step(words, tuple(ways), parting, about=named, shaped=named)


def _reattach(site: Situation, issue: Issue) -> Ways:
    """The cluster, as one, to the nearest of what it should hang on."""
    *cluster, owner = issue.subjects
    loose = set(cluster) or {owner}
    tops = site.tops(cluster)
    family = {i.name for n in tops for i in site.layout.family(n)}
    rest = [i.shape for i in site.layout.family(owner) if i.name not in family | loose and not i.shape.is_empty]
    mine = [site.layout[n].shape for n in sorted(family) if not site.layout[n].shape.is_empty]
    if rest and mine:
        move = closing(tops[0], shapely.union_all(mine), shapely.union_all(rest), BITE, issue.message)
        if move is not None:
            *_, dx, dy = move.matrix
            yield tuple(Move.shift(n, dx, dy, "brought back to what it is part of") for n in tops)


def _arrow(site: Situation, issue: Issue) -> Ways:
    """The way that the report itself shows."""
    for mark in issue.marks:
        if mark.kind == "arrow":
            x0, y0, x1, y1 = mark.at
            yield (Move.shift(issue.subjects[0], x1 - x0, y1 - y0, issue.code.replace(".", ": ")),)


def _related(site: Situation, issue: Issue) -> Ways:
    """Each part that is not where a relation says as little toward it as it takes."""
    read = next((r for r in site.requirements if r.id == issue.requirement), None)
    if read is None or not site.others(read.of):
        return
    space, moves = site.view(read), list[Move]()
    for name in site.tops(site.names(read.parts)):
        one = read.model_copy(update={"parts": (name,)})
        boxes = [flat(space, other) for other in site.others(read.of) if other != name]
        if boxes and site.broken(one):
            found = list(_toward(site, one, name, flat(space, name), boxes))
            if not found:
                return
            moves.append(min(found, key=lambda move: displacement(site.layout, (move,))))
    yield tuple(moves)


def _toward(site: Situation, read: Requirement, name: str, box: Bounds, others: Sequence[Bounds]) -> Iterator[Move]:
    """In each direction that may help: the least shift after which the relation holds."""
    x0, y0, x1, y1 = around([box, *others])
    far: dict[str, tuple[Point, ...]] = {
        "left_of": ((x0 - x1, 0.0),),
        "right_of": ((x1 - x0, 0.0),),
        "above": ((0.0, y0 - y1),),
        "below": ((0.0, y1 - y0),),
        "beside": ((x0 - x1, 0.0), (x1 - x0, 0.0)),
    }
    (x, y), (mx, my) = center(box), center(around(others))
    dx, dy = mx - x, my - y
    for end in far.get(read.relation or "", ((dx, dy), (dx, 0.0), (0.0, dy))):
        low, high = 0.0, 1.0
        if replace(site, layout=site.layout.moved((Move.shift(name, *end),))).broken(read):
            continue
        for _ in range(12):
            part = (low + high) / 2
            after = site.layout.moved((Move.shift(name, part * end[0], part * end[1]),))
            low, high = (part, high) if replace(site, layout=after).broken(read) else (low, part)
        part = min(high + 0.01, 1.0)
        yield Move.shift(name, part * end[0], part * end[1], "brought into the stated relation")


def _set_down(site: Situation, issue: Issue) -> Ways:
    """Straight down by the air under it."""
    sign = -1 if site.layout.frame.up[1] > 0 else 1
    yield (Move.shift(issue.subjects[0], 0.0, sign * issue.numbers["found"], "set down"),)


def _put_inside(site: Situation, issue: Issue) -> Ways:
    """Into the holder's box; then as much toward its middle as it takes; smaller only where no place is enough."""
    name, holder = issue.subjects[:2]
    box = site.layout.bounds(name)
    outer = site.layout[holder].shape
    into = _into(box, outer.bounds if not outer.is_empty else site.layout.bounds(holder))
    yield (Move.shift(name, *into, f"put inside {holder}"),)
    inner = outer.representative_point() if outer.is_empty or not outer.contains(outer.centroid) else outer.centroid
    (x, y) = center(box)
    for part in (0.25, 0.5, 0.75, 1.0):
        yield (Move.shift(name, part * (inner.x - x), part * (inner.y - y), f"put inside {holder}"),)
    for factor in (0.8, 0.65, 0.5, 0.35):
        yield (Move.scale(name, factor, factor, (x, y), f"made to fit into {holder}"),)


def _into(box: Bounds, outer: Sequence[float]) -> Point:
    dx = max(outer[0] - box[0], 0.0) - max(box[2] - outer[2], 0.0)
    dy = max(outer[1] - box[1], 0.0) - max(box[3] - outer[3], 0.0)
    return (dx, dy)


def _onto_canvas(site: Situation, issue: Issue) -> Ways:
    """Shifted in; smaller first, where it is larger than the canvas."""
    name = issue.subjects[0]
    x0, y0, x1, y1 = site.layout.frame.bounds
    box = site.layout.bounds(name)
    fit = min((x1 - x0) / max(box[2] - box[0], 1e-9), (y1 - y0) / max(box[3] - box[1], 1e-9), 1.0)
    if fit == 1.0:
        yield (Move.shift(name, *_into(box, (x0, y0, x1, y1)), "moved onto the canvas"),)
    else:
        smaller = Move.scale(name, 0.96 * fit, 0.96 * fit, center(box), "made to fit the canvas")
        small = site.layout.moved((smaller,)).bounds(name)
        yield (smaller, Move.shift(name, *_into(small, (x0, y0, x1, y1)), "moved onto the canvas"))


def _spread(site: Situation, issue: Issue) -> Ways:
    """A pair to its sides; of others one off the other, to any side, the shortest way first."""
    one, other = issue.subjects[:2]
    scene = Scene(site.layout, site.layout.frame.thresholds)
    if any({pair.left, pair.right} == {one, other} for pair in scene.pairs):
        yield from mirrored(site, issue)
    ways: list[tuple[Move, ...]] = []
    for still, mover in ((one, other), (other, one)):
        a, b = site.layout.bounds(still), site.layout.bounds(mover)
        steps = [
            (a[2] - b[0] + CLEAR, 0.0),
            (a[0] - b[2] - CLEAR, 0.0),
            (0.0, a[3] - b[1] + CLEAR),
            (0.0, a[1] - b[3] - CLEAR),
        ]
        ways += [(Move.shift(mover, *step, f"moved off {still}"),) for step in steps]
    yield from sorted(ways, key=lambda way: displacement(site.layout, way))
    yield from parted(site, one, other)


def _near_miss(site: Situation, issue: Issue) -> Ways:
    """What almost touches brought to touch, or else parted, by the one that takes less room; other objects parted."""
    shapes = {n: site.layout.whole(n) for n in issue.subjects[:2]}
    small, big = sorted(shapes, key=lambda n: (shapes[n].envelope.area, n))
    part = -(issue.numbers["expected"])
    for bite in (BITE, part) if 5 * issue.numbers["found"] < issue.numbers["expected"] else (part, BITE):
        move = closing(small, shapes[small], shapes[big], bite, "near miss resolved")
        if move is not None:
            yield (move,)


def _clear_text(site: Situation, issue: Issue) -> Ways:
    """A text by itself to the nearest place where it stands clear; one among others or with lines stays."""
    name = issue.subjects[0]
    item = site.layout[name]
    if len(item.letters) != 1 or site.layout.children(name) or not item.shape.equals(item.letters[0]):
        return
    x0, y0, x1, y1 = site.layout.frame.bounds
    a, b, c, d = site.layout.bounds(name)
    if issue.code == "text.edge":
        dx, dy = _into((a, b, c, d), (x0 + CLEAR, y0 + CLEAR, x1 - CLEAR, y1 - CLEAR))
        yield (Move.shift(name, dx, dy, "moved off the edge"),)
        return
    others = shapely.union_all([site.layout[n].shape for n in issue.subjects[1:]])
    for step in range(1, 13):
        far = 0.25 * step * (d - b)
        for dx, dy in ((0, -far), (0, far), (far, 0), (-far, 0)):
            if not shapely.dwithin(shapely.box(a + dx, b + dy, c + dx, d + dy), others, 0.1 * (d - b)):
                yield (Move.shift(name, dx, dy, "moved clear of what it ran over"),)


def _uneven(site: Situation, issue: Issue) -> Ways:
    """Move one member of the row."""
    names = [n for n in issue.subjects if n in site.layout]
    boxes = [site.layout.bounds(n) for n in names]
    axis = (
        0 if abs(center(boxes[0])[0] - center(boxes[-1])[0]) >= abs(center(boxes[0])[1] - center(boxes[-1])[1]) else 1
    )
    want = issue.numbers["expected"]
    for i in range(len(names)):
        before = boxes[i - 1][axis + 2] if i else None
        after = boxes[i + 1][axis] if i + 1 < len(names) else None
        size = boxes[i][axis + 2] - boxes[i][axis]
        start = after - want - size if before is None and after is not None else (before or 0.0) + want
        if before is not None and after is not None:
            start = (before + after - size) / 2
        step = start - boxes[i][axis]
        if abs(step) > 1e-4:
            yield (Move.shift(names[i], *((step, 0.0) if axis == 0 else (0.0, step)), "evened its row"),)


def _usual_size(site: Situation, issue: Issue) -> Ways:
    """The odd one of a kind to the size of the others, where it stands; or about its middle."""
    name, factor = issue.subjects[0], 1.0 / max(issue.numbers["found"], 1e-9)
    box = site.layout.bounds(name)
    for about in (foot(site, box), center(box), (center(box)[0], box[1])):
        yield (Move.scale(name, factor, factor, about, "made as large as its likes"),)


def _within_limits(site: Situation, issue: Issue) -> Ways:
    """To just within the least or greatest share of the canvas."""
    name = issue.subjects[0]
    found, expected = max(issue.numbers["found"], 1e-9), issue.numbers["expected"]
    factor = (expected / found) ** 0.5 * (1.02 if expected > found else 0.98)
    yield (Move.scale(name, factor, factor, foot(site, site.layout.bounds(name)), "brought within the usual sizes"),)


FIXES: dict[str, Callable[[Situation, Issue], Ways]] = {
    "attachment.apart": _reattach,
    "bounds.outside": _onto_canvas,
    "containment.outside": _put_inside,
    "gravity.floating": _set_down,
    "overlap.clash": _spread,
    "overlap.duplicate": _spread,
    "overlap.objects": _spread,
    "ratio.odd_one": _usual_size,
    "requirement.relation": _related,
    "size.large": _within_limits,
    "size.small": _within_limits,
    "spacing.near_miss": _near_miss,
    "spacing.uneven": _uneven,
    "symmetry.axis": mirrored,
    "symmetry.height": mirrored,
    "symmetry.midline": _arrow,
    "symmetry.sides": mirrored,
    "symmetry.size": mirrored,
    "text.crossed": _clear_text,
    "text.edge": _clear_text,
}
"""Issue code → ways to fix it. What is not here (pens, what is farther and larger) is not a matter of place."""
