"""Gaps between parts of saved boards, measured by KiCad's own geometry: see `precision.py`.

Run by a Python that has `pcbnew`. It reads jobs from standard input, `[{"board": path, "checks": [{…}]}]`, and prints
one line of JSON for each board, with an answer for each check. Lengths are whole nanometres.

A distance is found by asking KiCad whether two shapes collide at a clearance, halving until that is known to 1 nm.
Pads are KiCad's effective shapes; those drawn by hand its polygons, which stray by up to 5 µm, for in their effective
shapes it forgets the pens of arcs. Of courtyards and bodies the graphic items themselves are taken: lines without
width, for KiCad shrinks a courtyard's polygon by 5 µm; and arcs, which its collisions sometimes miss, as lines within
20 nm of its centre and radius. A part without a courtyard has the convex hull of its body and pads, whose round ends
KiCad gives within 20 nm.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from itertools import pairwise
from typing import Any

PCBNEW = cache(partial(import_module, "pcbnew"))
"""KiCad's module, in KiCad's process only."""
FINE = 20
"""Nanometres that lines may stray from the arc that they stand for."""
POINT = 5000 * math.sqrt(2)
"""From the middle to the corners of the room of a footprint that draws nothing."""
FAR = 1 << 30
MOST = 0.5
"""Share of its drawing's box that a closed outline must fill to be the body."""
HALF = {"center": 0.5, "start": 0.0, "end": 1.0}

KEPT: list[Any] = []

Box = tuple[int, int, int, int]
XY = tuple[int, int]


@dataclass(frozen=True)
class Shapes:
    """What is measured from: KiCad's shapes, all their ends and extremes, and what kind of outline it is."""

    shapes: tuple[Any, ...]
    points: tuple[XY, ...]
    kind: str
    """`box` (all edges along the axes, a rectangle), `straight`, `round`, or `custom` pads."""

    @property
    def box(self) -> Box:
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        return (min(xs), min(ys), max(xs), max(ys))


def joined(parts: Sequence[Shapes]) -> Shapes:
    kinds = {part.kind for part in parts}
    kind = next(k for k in ("custom", "round", "straight", "box") if k in kinds)
    return Shapes(tuple(s for p in parts for s in p.shapes), tuple(q for p in parts for q in p.points), kind)


# --- graphics: courtyards and bodies ---


def vector(at: XY) -> Any:
    return PCBNEW().VECTOR2I(*at)


def pair(at: Any) -> XY:
    return (int(at.x), int(at.y))


def straight(points: Sequence[XY]) -> Shapes:
    """Lines from point to point."""
    k = PCBNEW()
    lines = [k.SHAPE_SEGMENT(vector(a), vector(b), 0) for a, b in pairwise(points) if a != b]
    return Shapes(tuple(lines), tuple(points), "straight")


def graphics(footprint: Any, layer: int) -> list[Shapes]:
    """Each drawn item of a layer."""
    items = [item for item in footprint.GraphicalItems() if item.GetClass() == "PCB_SHAPE" and item.IsOnLayer(layer)]
    return [found for item in items if (found := graphic(item)).shapes]


def graphic(item: Any) -> Shapes:
    k, kind = PCBNEW(), item.GetShape()
    if kind == k.SHAPE_T_CIRCLE:
        centre, radius = pair(item.GetCenter()), int(item.GetRadius())
        return Shapes((k.SHAPE_CIRCLE(vector(centre), radius),), around(centre, radius), "round")
    if kind == k.SHAPE_T_ARC:
        return arc(item)
    if kind == k.SHAPE_T_POLY:
        return joined([straight(ring(line)) for line in lines_of(item.GetPolyShape())] or [straight(())])
    if kind == k.SHAPE_T_BEZIER:
        item.RebuildBezierToSegmentsPointsList(FINE)
        return Shapes(*polyline([pair(at) for at in item.GetBezierPoints()]), "round")
    if kind == k.SHAPE_T_RECT:
        return straight(ring([pair(at) for at in item.GetRectCorners()]))
    return straight((pair(item.GetStart()), pair(item.GetEnd())))


def polyline(points: Sequence[XY]) -> tuple[tuple[Any, ...], tuple[XY, ...]]:
    found = straight(points)
    return found.shapes, found.points


def ring(points: Sequence[XY]) -> list[XY]:
    return [*points, points[0]]


def lines_of(polygon: Any) -> list[list[XY]]:
    outlines = [polygon.Outline(i) for i in range(polygon.OutlineCount())]
    return [[pair(line.CPoint(i)) for i in range(line.PointCount())] for line in outlines]


def around(centre: XY, radius: float) -> tuple[XY, ...]:
    """Points on a circle, among them those furthest left, right, up and down."""
    count = 4 * max(1, math.ceil(math.pi / 2 / math.sqrt(8 * FINE / max(radius, 1.0))))
    angles = [n * 2 * math.pi / count for n in range(count)]
    return tuple((centre[0] + round(radius * math.cos(a)), centre[1] + round(radius * math.sin(a))) for a in angles)


def arc(item: Any) -> Shapes:
    """As lines between points on it, among them those furthest left, right, up and down."""
    start, end, centre = (pair(at) for at in (item.GetStart(), item.GetEnd(), item.GetCenter()))
    radius, first = math.dist(centre, start), math.atan2(start[1] - centre[1], start[0] - centre[0])
    low, high = sorted((first, first + math.radians(item.GetArcAngle().AsDegrees())))
    quarters = [n * math.pi / 2 for n in range(math.ceil(low / math.pi * 2), math.floor(high / math.pi * 2) + 1)]
    steps = max(1, math.ceil((high - low) / math.sqrt(8 * FINE / max(radius, 1.0))))
    angles = sorted({*(low + (high - low) * n / steps for n in range(1, steps)), *quarters})
    on = [(round(centre[0] + radius * math.cos(a)), round(centre[1] + radius * math.sin(a))) for a in angles]
    ends = (start, end) if low == first else (end, start)
    return Shapes(*polyline([ends[0], *on, ends[1]]), "round")


def kind_of(parts: Sequence[Shapes]) -> str:
    """A box where straight lines run along the axes and all points are on the edge of their box."""
    whole = joined(parts)
    if whole.kind != "straight":
        return whole.kind
    x0, y0, x1, y1 = whole.box
    edges = [(a, b) for part in parts for a, b in pairwise(part.points) if a != b]
    upright = all(a[0] == b[0] or a[1] == b[1] for a, b in edges)
    on = all((a[0] == b[0] and a[0] in (x0, x1)) or (a[1] == b[1] and a[1] in (y0, y1)) for a, b in edges)
    return "box" if upright and on else "straight"


def outline(parts: Sequence[Shapes]) -> Shapes:
    whole = joined(parts)
    return Shapes(whole.shapes, whole.points, kind_of(parts))


# --- the measures ---


def side(footprint: Any, front: str) -> int:
    return getattr(PCBNEW(), f"{'B' if footprint.IsFlipped() else 'F'}_{front}")


def courtyard(footprint: Any) -> Shapes:
    """The graphics of its courtyard, where KiCad takes them for one; else the hull of body and pads."""
    layer = side(footprint, "CrtYd")
    if footprint.GetCourtyard(layer).OutlineCount():
        return outline(graphics(footprint, layer))
    own = [one for one in footprint.Pads() if one.IsOnLayer(side(footprint, "Cu")) or is_hole(one)]
    points = [at for found in (*map(pad, own), body(footprint)) if found for at in found.points]
    return hull(points) or nothing(footprint)


def nothing(footprint: Any) -> Shapes:
    """The room of a footprint that draws nothing: 0.01 mm about its position, turned as it is."""
    x, y = pair(footprint.GetPosition())
    first = math.radians(45.0 - footprint.GetOrientationDegrees())
    angles = [first + n * math.pi / 2 for n in range(4)]
    return outline([straight(ring([(x + round(POINT * math.cos(a)), y + round(POINT * math.sin(a))) for a in angles]))])


def body(footprint: Any) -> Shapes | None:
    """The fabrication drawing without lines that lead nowhere; its hull where that leaves too little."""
    drawn = graphics(footprint, side(footprint, "Fab"))
    if not drawn:
        return None
    closed = closed_of(drawn)
    whole = joined(drawn)
    if closed and area(joined(closed).box) >= MOST * area(whole.box):
        return outline(closed)
    return hull(whole.points)


def closed_of(drawn: list[Shapes]) -> list[Shapes]:
    """Without the items that have an end which meets no other one, again and again."""
    while True:
        kept = [one for one in drawn if not loose(one, drawn)]
        if len(kept) == len(drawn):
            return kept
        drawn = kept


def loose(one: Shapes, every: list[Shapes]) -> bool:
    ends = {one.points[0], one.points[-1]}
    if len(ends) == 1 or one.shapes[0].Type() == PCBNEW().SHAPE_CIRCLE(vector((0, 0)), 1).Type():
        return False
    others = [other for other in every if other is not one]
    return not all(any(touch(end, other) for other in others) for end in ends)


def touch(at: XY, other: Shapes) -> bool:
    point = PCBNEW().SHAPE_SEGMENT(vector(at), vector(at), 0)
    return any(collide(point, shape, 3) for shape in other.shapes)


def area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def hull(points: Iterable[XY]) -> Shapes | None:
    """The convex hull; None where it encloses nothing."""
    every = sorted(set(points))
    if len(every) < 3:
        return None
    corners = [*half_hull(every), *half_hull(every[::-1])]
    if len(corners) < 3:
        return None
    found = outline([straight(ring(corners))])
    return found if len(corners) < 40 or found.kind == "box" else Shapes(found.shapes, found.points, "round")


def half_hull(points: Sequence[XY]) -> list[XY]:
    found: list[XY] = []
    for at in points:
        while len(found) > 1 and turn(found[-2], found[-1], at) <= 0:
            found.pop()
        found.append(at)
    return found[:-1]


def turn(a: XY, b: XY, c: XY) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def is_hole(pad: Any) -> bool:
    return pad.GetAttribute() in (PCBNEW().PAD_ATTRIB_PTH, PCBNEW().PAD_ATTRIB_NPTH)


def layers_of(pad: Any) -> list[int]:
    k = PCBNEW()
    return [layer for layer in (k.F_Cu, k.B_Cu) if pad.IsOnLayer(layer)] or ([k.F_Cu] if is_hole(pad) else [])


def pad(one: Any) -> Shapes | None:
    """KiCad's effective shapes of a pad; None where it has no copper and no hole."""
    k, layers = PCBNEW(), layers_of(one)
    if not layers:
        return None
    polygon = k.SHAPE_POLY_SET()
    one.TransformShapeToPolygon(polygon, layers[0], 0, FINE, k.ERROR_INSIDE)
    points = tuple(at for line in lines_of(polygon) for at in line)
    if one.GetShape() == k.PAD_SHAPE_CUSTOM:
        return Shapes((polygon,), points, "custom")
    plain = one.GetShape() in (k.PAD_SHAPE_RECT, k.PAD_SHAPE_TRAPEZOID)
    kind = kind_of([straight(ring(points))]) if plain else "round"
    return Shapes((one.GetEffectiveShape(layers[0], k.FLASHING_ALWAYS_FLASHED),), points, kind)


def pads(footprint: Any) -> Shapes | None:
    found = [shape for one in footprint.Pads() if (shape := pad(one))]
    return joined(found) if found else None


def measured(footprint: Any, measure: str) -> Shapes | None:
    if measure == "pad":
        return pads(footprint)
    return (body(footprint) if measure == "body" else None) or courtyard(footprint)


# --- distances ---


def collide(a: Any, b: Any, clearance: int) -> bool:
    return bool(PCBNEW().SHAPE.Collide(a, b, clearance))


def distance(mine: Shapes, theirs: Shapes) -> int:
    """Whole nanometres that are surely free between them; -1 where they touch."""
    pairs = [(apart(bounds(a), bounds(b)), a, b) for a in mine.shapes for b in theirs.shapes]
    pairs.sort(key=lambda found: found[0])
    best = FAR
    for near, a, b in pairs:
        if near > best:
            break
        if collide(a, b, best):
            best = halved(a, b, best)
    return best


def halved(a: Any, b: Any, high: int) -> int:
    low = -1  # where even 0 collides
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if collide(a, b, middle) else (middle, high)
    return low


def bounds(shape: Any) -> Box:
    box = shape.BBox()
    return (box.GetLeft(), box.GetTop(), box.GetRight(), box.GetBottom())


def apart(a: Box, b: Box) -> float:
    dx, dy = max(0, b[0] - a[2], a[0] - b[2]), max(0, b[1] - a[3], a[1] - b[3])
    return math.hypot(dx, dy) - 2  # as much as rounding may have added


def along(mine: Box, theirs: Box, side_: str) -> int:
    """The gap of two boxes along the side's axis."""
    match side_:
        case "right":
            return mine[0] - theirs[2]
        case "left":
            return theirs[0] - mine[2]
        case "bottom":
            return mine[1] - theirs[3]
        case _:
            return theirs[1] - mine[3]


def ahead(mine: Box, theirs: Box, side_: str) -> int:
    """How far the middle of the one lies from that of the other towards the side, twice."""
    i = 0 if side_ in ("left", "right") else 1
    way = mine[i] + mine[i + 2] - theirs[i] - theirs[i + 2]
    return way if side_ in ("right", "bottom") else -way


def across(mine: Shapes, theirs: Shapes, side_: str) -> int:
    """How near any two of the shapes come, at the least, when the one comes from that side and goes on: overlaps are
    negative. Each shape is all of a piece, so its extent across tells."""
    i = 1 if side_ in ("left", "right") else 0
    extents = [sorted({(box[i], box[i + 2]) for box in map(bounds, found.shapes)}) for found in (mine, theirs)]
    return min(max(b[0] - a[1], a[0] - b[1]) for a in extents[0] for b in extents[1])


# --- checks ---


def checked(footprints: Sequence[Any], check: dict[str, Any]) -> dict[str, Any]:
    part, target = footprints[check["place"]], footprints[check["other"]]
    goal = goal_pad(target, check["pad"]) if check["pad"] else measured(target, check["measure"])
    mine = measured(part, "pad" if check["pad"] else check["measure"])
    if mine is None or goal is None:
        return {"error": "KiCad finds nothing to measure between"}
    return {
        "names": [part.GetReference(), target.GetReference()],
        "at": [*pair(part.GetPosition()), part.GetOrientationDegrees(), part.IsFlipped()],
        "gap": distance(mine, goal),
        "along": along(mine.box, goal.box, check["side"]),
        "across": across(mine, goal, check["side"]),
        "ahead": ahead(mine.box, goal.box, check["side"]),
        "kinds": [mine.kind, goal.kind],
        "align": None if check["pad"] else level(courtyard(part).box, courtyard(target).box, check),
    }


def goal_pad(footprint: Any, wanted: Sequence[Any]) -> Shapes | None:
    number, x, y = wanted
    near = [p for p in footprint.Pads() if p.GetNumber() == number and math.dist(pair(p.GetPosition()), (x, y)) < 5]
    found = [shape for one in near if (shape := pad(one))]
    return joined(found) if found else None


def level(mine: Box, theirs: Box, check: dict[str, Any]) -> float:
    """By how much the two courtyards' boxes are out of line, across the side."""
    i = 1 if check["side"] in ("left", "right") else 0
    share = HALF[check["align"]]
    a, b = (box[i] + share * (box[i + 2] - box[i]) for box in (mine, theirs))
    return a - b


def loaded(path: str) -> list[Any]:
    """The footprints of a board, in the file's order."""
    board = PCBNEW().LoadBoard(path)
    KEPT.append(board)  # footprints do not keep their board alive
    return list(board.GetFootprints())


if __name__ == "__main__":
    for job in json.load(sys.stdin):
        footprints = loaded(job["board"])
        print(json.dumps([checked(footprints, check) for check in job["checks"]]), flush=True)
        KEPT.clear()
