"""Moves that make one requirement hold exactly: closed forms by kind, each the least change."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from statistics import median, median_low

import numpy as np
import shapely
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from redraft.layout import Bounds, Move, Point
from redraft.requirements import CANVAS, Requirement
from redraft.requirements.kinds import KINDS, checks_of
from redraft.requirements.space import Space, badness
from redraft.spatial.repair.arrangements import BITE, aligned, spaced, symmetric
from redraft.spatial.repair.situation import FINE, Situation, around, center, effective, flat, scaled_to, snap
from redraft.spatial.rules.geometry import closest
from redraft.spatial.solver.contact import closing, travel

__all__ = ["ORDER", "axis_of", "compared", "exact_moves", "foot", "placed", "proportional", "sized", "turned"]

STEPS = 6
"""Attempts to reach a distance between shapes: each starts from where the last one ended."""


def exact_moves(site: Situation, read: Requirement) -> tuple[Move, ...]:
    """Moves after which a requirement that does not hold exactly does, if any are known."""
    planner = _PLANNERS.get(read.kind)
    return () if planner is None else effective(site, planner(site, read))


def _distant(site: Situation, read: Requirement) -> Iterator[Move]:
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
            yield from _along_axis(space, name, rest, 0 if read.axis == "x" else 1, wanted, read)
        else:
            yield from _straight(space, name, rest, wanted, read)


def _holds(read: Requirement, gap: float, wanted: float) -> bool:
    return (read.limit == "at_least" and gap >= wanted) or (read.limit == "at_most" and gap <= wanted)


def _along_axis(
    space: Space, name: str, rest: list[str], axis: int, wanted: float, read: Requirement
) -> Iterator[Move]:
    mine = flat(space, name)
    gaps: list[tuple[float, int]] = []  # and the direction in which it grows
    for other in rest:
        box = flat(space, other)
        if other == CANVAS and other not in space.layout:
            gaps.append(min((mine[axis] - box[axis], 1), (box[axis + 2] - mine[axis + 2], -1)))
        else:
            gaps.append(max((box[axis] - mine[axis + 2], -1), (mine[axis] - box[axis + 2], 1)))
    gap, sign = min(gaps, key=lambda g: abs(g[0]))
    if not _holds(read, gap, wanted):
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
        if _holds(read, gap, wanted) or abs(gap - wanted) <= space.exact / 4:
            break
        (x0, y0), (x1, y1) = _line(here.bounds, other.bounds) if gap == 0 else closest(other, here)
        length = math.hypot(x1 - x0, y1 - y0) or 1.0
        dx, dy = dx + (wanted - gap) * (x1 - x0) / length, dy + (wanted - gap) * (y1 - y0) / length
    yield Move.shift(name, dx, dy, "at the stated distance")


def _line(mine: tuple[float, ...], theirs: tuple[float, ...]) -> tuple[Point, Point]:
    """From the middle of another box to that of this one: the way off what it lies on."""
    boxes: list[Bounds] = [(b[0], b[1], b[2], b[3]) for b in (theirs, mine)]
    return center(boxes[0]), center(boxes[1])


def _related(site: Situation, read: Requirement) -> Iterator[Move]:
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


MARGIN = 0.02
LEVEL, IN_LINE = 0.012, 0.003
"""Things whose feet or centers differ by less stay on these; else on another edge, if it differs by less than that."""
GROWTH = 1.15
"""Ratio of neighbors in a row of growing things, where the drawn ones do not grow."""


def foot(site: Situation, box: Bounds) -> Point:
    """The middle of the edge that a thing stands on."""
    x, _ = center(box)
    return (x, box[3] if site.layout.frame.up[1] < 0 else box[1])


def extent(box: Bounds, dimension: str) -> float:
    width, height = box[2] - box[0], box[3] - box[1]
    match dimension:
        case "width":
            return width
        case "height":
            return height
        case _:
            return (width * height) ** 0.5


def _resized(name: str, box: Bounds, dimension: str, factor: float, about: Point) -> Move:
    """One dimension scaled, or both alike."""
    sx, sy = (1.0 if dimension == "height" else factor), (1.0 if dimension == "width" else factor)
    return Move.scale(name, sx, sy, about, "made as large as stated")


def sized(site: Situation, read: Requirement) -> Iterator[Move]:
    """Stated widths and heights, where each stands."""
    space = site.view(read)
    for name in site.names(read.parts):
        box = flat(space, name)
        wanted = [_bounded(read, extent(box, d), v, space.scale) for d, v in _stated(read)]
        yield scaled_to(name, box, wanted[0], wanted[1], foot(site, box), "made as large as stated")


def _stated(read: Requirement) -> tuple[tuple[str, float | None], ...]:
    return (("width", read.width), ("height", read.height))


def _bounded(read: Requirement, found: float, stated: float | None, scale: float) -> float | None:
    """What a length should be; None where it is right."""
    if stated is None:
        return None
    wanted = stated * scale
    right = {"exactly": False, "at_least": found >= wanted, "at_most": found <= wanted}[read.limit]
    return None if right else wanted


def compared(site: Situation, read: Requirement) -> Iterator[Move]:
    """Each part to the factor of the others' median; all of them smaller, where the canvas has no room for it."""
    space, dimension, factor = site.view(read), read.dimension or "size", read.factor or 1.0
    names, others = site.names(read.parts), site.others(read.of)
    boxes = {name: flat(space, name) for name in (*names, *others)}
    wrong = [name for name in names if _compared(read, boxes, name, others, factor)]
    if dimension == "aspect":
        for name in wrong:
            height = boxes[name][3] - boxes[name][1]
            yield scaled_to(name, boxes[name], factor * height, None, foot(site, boxes[name]), "made as wide as stated")
        return
    if dimension == "area":
        areas = {name: space.solid(name).area for name in boxes}
        for name in wrong:
            unit = median(areas[o] for o in others if o != name)
            scale = (factor * unit / max(areas[name], 1e-12)) ** 0.5
            yield _resized(name, boxes[name], "size", scale, foot(site, boxes[name]))
        return
    references = [n for n in others if n not in names and n != CANVAS]
    room = _room(site, [boxes[n] for n in (*wrong, *references)], dimension)
    for name in wrong:
        unit = median(extent(boxes[o], dimension) for o in others if o != name)
        shrink = 1.0 if factor * unit <= room or not references else room / (factor * unit)
        target = factor * (unit if shrink == 1.0 else snap(unit * shrink, FINE))
        yield _resized(name, boxes[name], dimension, target / extent(boxes[name], dimension), foot(site, boxes[name]))
        if shrink != 1.0 and len(wrong) == 1:
            for other in references:
                yield _resized(other, boxes[other], dimension, target / factor / unit, foot(site, boxes[other]))


def _compared(read: Requirement, boxes: dict[str, Bounds], name: str, others: Sequence[str], factor: float) -> bool:
    """Return whether a part is not as large as stated."""
    rest = [o for o in others if o != name]
    if read.limit == "exactly" or read.dimension == "area" or not rest:
        return bool(rest) or read.dimension == "aspect"
    ratio = extent(boxes[name], read.dimension or "size") / median(
        extent(boxes[o], read.dimension or "size") for o in rest
    )
    return ratio < factor if read.limit == "at_least" else ratio > factor


def _room(site: Situation, boxes: Sequence[Bounds], dimension: str) -> float:
    """How large things that stand where these do can be within the canvas."""
    x0, y0, x1, y1 = site.layout.frame.bounds
    tall = min(b[3] - y0 if site.layout.frame.up[1] < 0 else y1 - b[1] for b in boxes) - MARGIN
    wide = min(2 * min(center(b)[0] - x0, x1 - center(b)[0]) for b in boxes) - MARGIN
    return tall if dimension == "height" else wide if dimension == "width" else min(tall, wide)


def proportional(site: Situation, read: Requirement) -> Iterator[Move]:
    """Sizes in the stated proportions, the usual one kept; in an order by the sizes there are, else by even growth."""
    names, space = site.names(read.parts), site.view(read)
    if len(read.values) not in (0, 1, len(names)) or 0 in read.values:
        return
    boxes = [flat(space, name) for name in names]
    dimension = read.dimension or _dimension(read, names, space)
    sizes = [extent(box, dimension) for box in boxes]
    if dimension == "area":
        sizes = [space.solid(name).area ** 0.5 for name in names]
    if min(sizes, default=0.0) <= 0:
        return
    targets = _targets(read, sizes, area=dimension == "area")
    for name, box, size, target in zip(names, boxes, sizes, targets, strict=True):
        if abs(target - size) > site.layout.frame.quantum / 4:
            about = _anchor(site, boxes, box)
            yield _resized(name, box, "size" if dimension == "area" else dimension, target / size, about)


def _dimension(read: Requirement, names: Sequence[str], space: Space) -> str:
    """The one in which they are nearest to what is stated, as it is measured."""

    def off(dimension: str) -> tuple[float, float]:
        return badness(list(KINDS["proportion"].measure(read.model_copy(update={"dimension": dimension}), space)))

    return min(("height", "width", "size"), key=off)


def _targets(read: Requirement, sizes: Sequence[float], *, area: bool) -> list[float]:
    if not read.values:
        return _growing(sizes, read.order == "increasing")
    values = [v**0.5 if area else v for v in (read.values * len(sizes) if len(read.values) == 1 else read.values)]
    unit = median_low(sorted(size / value for size, value in zip(sizes, values, strict=True)))
    return [unit * value for value in values]


def _anchor(site: Situation, boxes: Sequence[Bounds], box: Bounds) -> Point:
    """The point of a box that stays: on the edge at which all are in line, else where it stands."""
    x, y = foot(site, box)
    left, center_x, right = (_spread([(1 - e) * b[0] + e * b[2] for b in boxes]) for e in (0.0, 0.5, 1.0))
    if center_x > LEVEL:
        x = box[0] if left <= IN_LINE else box[2] if right <= IN_LINE else x
    top, center_y, feet = (_spread([(1 - e) * b[1] + e * b[3] for b in boxes]) for e in (0.0, 0.5, 1.0))
    if feet > LEVEL:
        y = box[1] if top <= IN_LINE else center(box)[1] if center_y <= IN_LINE else y
    return (x, y)


def _spread(values: Sequence[float]) -> float:
    return max(values) - min(values)


def _grows(sizes: Sequence[float]) -> bool:
    return all(b > 1.02 * a for a, b in pairwise(sizes))


def _growing(sizes: Sequence[float], increasing: bool) -> list[float]:
    order = sorted(sizes)
    if not _grows(order):
        largest, count = order[-1], len(order)
        order = [largest / GROWTH ** (count - 1 - i) for i in range(count)]
    return order if increasing else order[::-1]


BESIDE = 0.03
"""Of the canvas: a hand whose axis passes its pivot by less is meant to go through it."""


def turned(site: Situation, read: Requirement) -> Iterator[Move]:
    """Hands point as stated: their own axis through the pivot, where it nearly is; else turned about it."""
    space = site.view(read)
    for name in site.names(read.parts):
        parent = site.layout[name].parent
        others = site.names(read.of) or ((parent,) if parent is not None else (CANVAS,))
        pivot = center(flat(space, others[0]))
        one = read.model_copy(update={"parts": (name,)})
        check = next(KINDS["angle"].measure(one, space), None)
        if check is None:  # hidden where it is now
            continue
        straight = _through(site, name, space.shape(name), pivot, read.degrees or 0.0)
        about = Move.turn(name, check.found - check.expected, pivot, "turned to where it should point")
        yield straight if straight is not None and _is_exact(site, one, straight) else about


def _is_exact(site: Situation, read: Requirement, move: Move) -> bool:
    return all(check.error <= check.exact for check in checks_of(read, site.layout.moved((move,))))


def _through(site: Situation, name: str, shape: BaseGeometry, pivot: Point, degrees: float) -> Move | None:
    """First across its own axis, until that goes through the pivot; then about the pivot."""
    middle, (ux, uy) = axis_of(shape, pivot)
    off = (pivot[0] - middle[0]) * -uy + (pivot[1] - middle[1]) * ux
    if abs(off) > BESIDE:
        return None
    turn = math.radians(degrees) - math.atan2(ux, -uy)
    c, s = math.cos(turn), math.sin(turn)
    x, y = -uy * off - pivot[0], ux * off - pivot[1]
    matrix = (c, s, -s, c, pivot[0] + c * x - s * y, pivot[1] + s * x + c * y)
    return Move(name, matrix, "turned to where it should point")


def axis_of(shape: BaseGeometry, pivot: Point) -> tuple[Point, Point]:
    """The centroid of a shape, and the unit vector along its long axis away from a pivot.

    The axis is the principal one of the area's second moments: for a hand that is its line of symmetry, exactly.
    """
    centroid = shape.centroid
    xx, yy, xy = _moments(shape, (centroid.x, centroid.y))
    angle = math.atan2(2 * xy, xx - yy) / 2
    ux, uy = math.cos(angle), math.sin(angle)
    points = shapely.get_coordinates(shape) - np.array(pivot)
    tip = points[int(np.argmax((points**2).sum(axis=1)))]
    sign = 1.0 if tip[0] * ux + tip[1] * uy >= 0 else -1.0
    return (centroid.x, centroid.y), (sign * ux, sign * uy)


def _moments(shape: BaseGeometry, about: Point) -> tuple[float, float, float]:
    """Second moments of area ∫x², ∫y², ∫xy about a point, by Green's theorem over the rings; holes count negative."""
    total = np.zeros(3)
    for polygon in shapely.get_parts(shape):
        rings = shapely.get_rings(polygon)
        for index, ring in enumerate(rings):
            value = _ring_moments(shapely.get_coordinates(ring) - np.array(about))
            total += value if index == 0 else -value
    return float(total[0]), float(total[1]), float(total[2])


def _ring_moments(
    points: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    x0, y0 = points[:-1].T
    x1, y1 = points[1:].T
    cross = x0 * y1 - x1 * y0
    sums = np.array(
        [
            (cross * (x0 * x0 + x0 * x1 + x1 * x1)).sum() / 12,
            (cross * (y0 * y0 + y0 * y1 + y1 * y1)).sum() / 12,
            (cross * (x0 * y1 + 2 * x0 * y0 + 2 * x1 * y1 + x1 * y0)).sum() / 24,
        ]
    )
    return sums * np.sign(cross.sum())


def placed(site: Situation, read: Requirement) -> Iterator[Move]:
    """Return moves to the exact center, or just far enough to a side: of each part or of all together, the nearer."""
    space, names, spot = site.view(read), site.names(read.parts), read.spot or "center"
    others = site.names(read.of)
    frame = around([flat(space, n) for n in others]) if others else flat(space, CANVAS)
    boxes = {name: flat(space, name) for name in names}
    if not names or (site.layout.frame.plan and ("top" in spot or "bottom" in spot)):
        return
    together = around(list(boxes.values()))
    steps = {name: _to_spot(box, frame, spot, space) for name, box in boxes.items()}
    if len(names) > 1:
        shift = _to_spot(together, frame, spot, space)
        if math.hypot(*shift) * len(names) <= sum(math.hypot(*step) for step in steps.values()):
            steps = dict.fromkeys(names, shift)
    for name in site.tops(names):
        yield Move.shift(name, *steps[name], f"put at the {spot.replace('_', ' ')}")


def _to_spot(box: Bounds, frame: Bounds, spot: str, space: Space) -> Point:
    (x, y), (mx, my) = center(box), center(frame)
    if spot == "center":
        return (mx - x, my - y)
    across, down = int("right" in spot) - int("left" in spot), int("bottom" in spot) - int("top" in spot)
    wanted = [0.1 * (frame[i + 2] - frame[i]) + space.exact for i in (0, 1)]
    lacks = [s * max(w - s * off, 0.0) for s, w, off in zip((across, down), wanted, (x - mx, y - my), strict=True)]
    return (lacks[0], lacks[1])


_PLANNERS: dict[str, Callable[[Situation, Requirement], Iterator[Move]]] = {
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
