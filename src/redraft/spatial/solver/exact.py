"""What makes one requirement hold exactly: closed forms by kind, each the least change that it takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import shapely
from shapely.affinity import translate

from redraft.requirements import CANVAS, Requirement, Space
from redraft.spatial.layout import Bounds, Move, Point
from redraft.spatial.rules.arrays import closest
from redraft.spatial.solver.pairs import BITE, symmetric
from redraft.spatial.solver.rows import aligned, spaced
from redraft.spatial.solver.site import Site, center, effective, flat
from redraft.spatial.solver.sizes import compared, proportional, sized
from redraft.spatial.solver.slide import closing, travel
from redraft.spatial.solver.turns import placed, turned

__all__ = ["ORDER", "exact_moves"]

STEPS = 6
"""Attempts to reach a distance between shapes: each starts from where the last one ended."""


def exact_moves(site: Site, read: Requirement) -> tuple[Move, ...]:
    """Moves after which a requirement that does not hold exactly does, if any are known."""
    planner = _PLANNERS.get(read.kind)
    return () if planner is None else effective(site, planner(site, read))


def _distant(site: Site, read: Requirement) -> Iterator[Move]:
    """Each part at the stated distance of what is nearest, moved along the axis, or straight away from it."""
    if read.length is None:
        return
    space, others = site.view(read), site.others(read.of)
    wanted = read.length * space.scale
    for name in site.names(read.parts):
        rest = [o for o in others if o != name]
        if not rest or read.axis == "z":
            continue
        if read.axis is not None:
            yield from _along(space, name, rest, 0 if read.axis == "x" else 1, wanted, read)
        else:
            yield from _straight(space, name, rest, wanted, read)


def _right(read: Requirement, gap: float, wanted: float) -> bool:
    return (read.limit == "at_least" and gap >= wanted) or (read.limit == "at_most" and gap <= wanted)


def _along(space: Space, name: str, rest: list[str], axis: int, wanted: float, read: Requirement) -> Iterator[Move]:
    mine = flat(space, name)
    gaps: list[tuple[float, int]] = []  # and the direction in which it grows
    for other in rest:
        box = flat(space, other)
        if other == CANVAS and other not in space.layout:
            gaps.append(min((mine[axis] - box[axis], 1), (box[axis + 2] - mine[axis + 2], -1)))
        else:
            gaps.append(max((box[axis] - mine[axis + 2], -1), (mine[axis] - box[axis + 2], 1)))
    gap, sign = min(gaps, key=lambda g: abs(g[0]))
    if not _right(read, gap, wanted):
        step = sign * (wanted - gap)
        yield Move.shift(name, *((step, 0.0) if axis == 0 else (0.0, step)), "at the stated distance")


def _straight(space: Space, name: str, rest: list[str], wanted: float, read: Requirement) -> Iterator[Move]:
    """Along the shortest line, as often as another point is then the nearest."""
    shape, dx, dy = space.shape(name), 0.0, 0.0
    edges = {o: space.shape(o, without=name) for o in rest}
    others = [e.boundary if o == CANVAS and o not in space.layout else e for o, e in edges.items()]
    for _ in range(STEPS):
        here = translate(shape, dx, dy)
        other = min(others, key=lambda o: float(here.distance(o)))
        gap = float(here.distance(other))
        if _right(read, gap, wanted) or abs(gap - wanted) <= space.exact / 4:
            break
        (x0, y0), (x1, y1) = _line(here.bounds, other.bounds) if gap == 0 else closest(other, here)
        length = math.hypot(x1 - x0, y1 - y0) or 1.0
        dx, dy = dx + (wanted - gap) * (x1 - x0) / length, dy + (wanted - gap) * (y1 - y0) / length
    yield Move.shift(name, dx, dy, "at the stated distance")


def _line(mine: tuple[float, ...], theirs: tuple[float, ...]) -> tuple[Point, Point]:
    """From the middle of another box to that of this one: the way off what it lies on."""
    boxes: list[Bounds] = [(b[0], b[1], b[2], b[3]) for b in (theirs, mine)]
    return center(boxes[0]), center(boxes[1])


def _related(site: Site, read: Requirement) -> Iterator[Move]:
    """On: up or down to contact. Touching: the shortest way. Within the canvas: no farther than its edge."""
    space, others = site.view(read), site.others(read.of)
    for name in site.names(read.parts):
        rest = [o for o in others if o != name]
        one = read.model_copy(update={"parts": (name,)})
        if not rest or not site.deviation(one):
            continue
        mine, shape = flat(space, name), space.shape(name)
        theirs = shapely.union_all([space.shape(other, without=name) for other in rest])
        if read.relation == "inside" and rest == [CANVAS] and CANVAS not in site.layout:
            x0, y0, x1, y1 = flat(space, CANVAS)
            dx = max(x0 - mine[0], 0.0) - max(mine[2] - x1, 0.0)
            dy = max(y0 - mine[1], 0.0) - max(mine[3] - y1, 0.0)
            yield Move.shift(name, dx, dy, "moved onto the canvas")
        elif read.relation == "on" and not site.layout.frame.plan:
            fall = travel(shape, theirs, 1, -1 if site.layout.frame.up[1] > 0 else 1)
            if fall is not None and shape.distance(theirs) > 0:
                yield Move.shift(name, 0.0, fall, "set down")
        elif read.relation == "touches":
            move = closing(name, shape, theirs, BITE, "made to touch")
            if move is not None:
                yield move


_PLANNERS: dict[str, Callable[[Site, Requirement], Iterator[Move]]] = {
    "size": sized,
    "proportion": proportional,
    "ratio": compared,
    "spacing": spaced,
    "alignment": aligned,
    "symmetry": symmetric,
    "angle": turned,
    "place": placed,
    "distance": _distant,
    "relation": _related,
}

ORDER = {kind: index for index, kind in enumerate(_PLANNERS)}
"""The order in which one depends on another: sizes, then places."""
