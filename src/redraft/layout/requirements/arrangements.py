"""Measures of lengths and arrangements: distances, sizes, ratios, proportions, spacing, alignment, symmetry, places."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import cast

from shapely.affinity import scale as scaled

from redraft.layout.items import Layout
from redraft.layout.requirements.space import (
    AXES,
    Box,
    Check,
    Space,
    Span,
    around,
    badness,
    bound,
    gap_between,
    length_of,
    middle,
    others_of,
    sides_of,
)
from redraft.layout.requirements.statement import CANVAS, Edge, Requirement, Spot


def apart(read: Requirement, space: Space) -> Iterator[Check]:
    """The gap from each part to the nearest of `of`, edge to edge: of the exact shapes, or along `axis` of their boxes.
    Of the canvas: to its edge. Without `length` all of these are equal, each against their mean; of one part alone,
    those to each of `of`."""
    others = others_of(read, space.layout)
    if read.length is None:
        yield from _equally(read, space, others)
        return
    wanted = read.length * space.scale
    for name in bound(read.parts, space.layout):
        gaps = [(gap_between(space, name, other, read.axis), other) for other in others if other != name]
        if gaps:
            gap, other = min(gaps, key=lambda g: abs(g[0]))
            yield length_check(
                (name, other), gap, wanted, space.gap_room(wanted, read.limit), read, space, "from " + other
            )


def _equally(read: Requirement, space: Space, others: Sequence[str]) -> Iterator[Check]:
    names = bound(read.parts, space.layout)
    gaps: list[tuple[float, tuple[str, str]]] = []
    for name in names:
        mine = [(gap_between(space, name, other, read.axis), (name, other)) for other in others if other != name]
        gaps += mine if len(names) == 1 else [min(mine, key=lambda g: abs(g[0]))] if mine else []
    mean = sum(gap for gap, _ in gaps) / max(len(gaps), 1)
    for gap, (name, other) in gaps:
        words = f"{name} is {gap:.4g} from {other}, their mean {mean:.4g}"
        yield Check((name, other), gap, mean, space.gap_room(abs(mean)), words, space.exact)


def distance_problem(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if read.length is not None:
        return None
    if read.limit != "exactly" or read.unit == "real":
        return "length is missing: how far it is to be"
    if len(parts) < 2 and len(others_of(read, layout)) < 2:
        return "one distance needs a length; without it, several parts or several of are to be equally far"
    return None


def length_check(
    names: tuple[str, ...], found: float, wanted: float, room: float, read: Requirement, space: Space, what: str
) -> Check:
    """A length against one that is stated, both in the stated unit."""
    scale = space.scale
    words = f"{names[0]} is {found / scale:.4g} {what}"
    return Check(names, found / scale, wanted / scale, room / scale, words, space.exact / scale, read.limit)


def _size(space: Space, name: str, dimension: str) -> float:
    """In a scene width and depth are the sides of what a turned thing covers, seen from above: a camera that looks from
    elsewhere changes no size."""
    spans = space.box(name)
    wide, deep, high = length_of(spans[0]), length_of(spans[1]), length_of(spans[space.upright])
    sides = sides_of(space.shape(name)) if space.plan else ()
    if sides and sides[0][0] * sides[1][0] < 0.95 * wide * deep:
        (deep, _), (wide, _) = sorted(sides, key=lambda side: abs(side[1][0]) / max(side[0], 1e-12))
    match dimension:
        case "width":
            return wide
        case "height":
            return high
        case "depth":
            return deep
        case "area":
            return space.solid(name).area
        case "aspect":
            return wide / max(high, 1e-9)
        case _:
            return math.sqrt(wide * high)


def sized(read: Requirement, space: Space) -> Iterator[Check]:
    """The width, height and depth of the box of each part; of a turned thing of a scene, of its own. Real lengths share
    one scale: of all ratios of a drawn to a stated real length, the one that most of them agree with."""
    for name in bound(read.parts, space.layout):
        for dimension, word in (("width", "wide"), ("height", "high"), ("depth", "deep")):
            stated = getattr(read, dimension)
            if stated is not None:
                wanted = stated * space.scale
                found = _size(space, name, dimension)
                yield length_check((name,), found, wanted, space.room(wanted), read, space, word)


def compared(read: Requirement, space: Space) -> Iterator[Check]:
    """The dimension of each part, divided by the median of those of `of`: width, height, depth, area, or size, the root
    of width times height. aspect is the width of a part divided by its own height."""
    dimension, factor = read.dimension or "size", cast("float", read.factor)
    others = others_of(read, space.layout)
    room = (0.05 if read.limit == "exactly" else 0.01) * factor
    for name in bound(read.parts, space.layout):
        size = _size(space, name, dimension)
        rest = [other for other in others if other != name]
        if dimension == "aspect":
            fine = space.exact * (1 + factor) / max(_size(space, name, "height"), 1e-9)
            yield Check((name,), size, factor, room, f"{name} has {size:.3g}", fine, read.limit)
        elif rest:
            unit = max(median(_size(space, other, dimension) for other in rest), 1e-9)
            fine = space.exact * (1 + factor) / unit
            yield Check((name, *rest), size / unit, factor, room, f"{name} has {size / unit:.3g}", fine, read.limit)


def ratio_problem(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if read.dimension == "aspect":
        return "aspect is of a part itself, and has no of" if read.of else None
    return None if read.of else "of is missing"


def proportional(read: Requirement, space: Space) -> Iterator[Check]:
    """The dimension of each part against its share of their sum by `values`; one value alone means that all are alike.
    With `order` each is larger, or smaller, than the one before. The order is that of the names; the parts of a pattern
    go from left to right, or by rows from the top."""
    names = bound(read.parts, space.layout)
    choices = (read.dimension,) if read.dimension else ("height", "width", "size")
    runs = [list(_run(read, space, names, dimension)) for dimension in choices]
    yield from min(runs, key=badness)


def _run(read: Requirement, space: Space, names: Sequence[str], dimension: str) -> Iterator[Check]:
    sizes = [_size(space, name, dimension) for name in names]
    values = read.values * len(names) if len(read.values) == 1 else read.values
    if values and len(values) != len(names):
        yield Check(
            tuple(names),
            len(names),
            len(values),
            0.5,
            f"there {'is' if len(names) == 1 else 'are'} {len(names)} for {len(values)} values",
        )
    elif values:
        unit = sum(sizes) / max(sum(values), 1e-9)
        for name, size, value in zip(names, sizes, values, strict=True):
            room = 0.05 * value * unit if dimension == "area" else space.room(value * unit)
            words = f"{name} has {size / max(unit, 1e-12):.3g} for {value:g}"
            fine = space.exact * (1 if dimension != "area" else space.extent)
            yield Check((name,), size, value * unit, max(room, space.exact), words, fine)
    if read.order is not None:
        for (first, a), (second, b) in pairwise(zip(names, sizes, strict=True)):
            low, high = (a, b) if read.order == "increasing" else (b, a)
            word = "larger" if read.order == "increasing" else "smaller"
            words = f"{second} is {word} than {first}" if high > low else f"{second} is not {word} than {first}"
            yield Check((first, second), high / max(low, 1e-9), 1.01, 0.005, words, 0.005, "at_least")


def proportion_problem(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if read.values and (min(read.values) < 0 or max(read.values) == 0):
        return "values are below zero, or all are zero"
    exact = not any("*" in pattern for pattern in read.parts)
    if len(read.values) > 1 and exact and len(read.values) != len(parts):
        return f"it has {len(read.values)} values for {len(parts)} parts"
    return "a proportion needs two parts" if len(parts) < 2 and len(read.values) < 2 else None


def _axis_of(read: Requirement, boxes: Sequence[Box], space: Space) -> int:
    """The stated axis, or that along which the centers spread most."""
    if read.axis is not None:
        return AXES[read.axis]
    spread = [max(map(middle, c)) - min(map(middle, c)) for c in zip(*boxes, strict=True)]
    return max((0, 1, 2) if space.plan else (0, 1), key=lambda i: spread[i])


def spaced(read: Requirement, space: Space) -> Iterator[Check]:
    """The gaps between neighbors along `axis` (by default that along which they spread most), box edge to box edge,
    against `length`, or against their mean. Equal steps from center to center are equal gaps too."""
    names = bound(read.parts, space.layout)
    boxes = {name: space.box(name) for name in names}
    if len(names) < 2:
        return
    axis = _axis_of(read, list(boxes.values()), space)
    order = sorted(names, key=lambda n: middle(boxes[n][axis]))
    gaps = [boxes[b][axis][0] - boxes[a][axis][1] for a, b in pairwise(order)]
    if read.length is not None:
        wanted = read.length * space.scale
        for (a, b), gap in zip(pairwise(order), gaps, strict=True):
            yield length_check((a, b), gap, wanted, space.gap_room(wanted, read.limit), read, space, f"from {b}")
        return
    steps = [middle(boxes[b][axis]) - middle(boxes[a][axis]) for a, b in pairwise(order)]
    runs: list[list[Check]] = []
    for values, what in ((gaps, "gap"), (steps, "step")):
        mean = sum(values) / len(values)
        room = space.gap_room(abs(mean) if what == "gap" else 0.0)
        runs.append(
            [
                Check(
                    (a, b), v, mean, room, f"the {what} from {a} to {b} is {v:.4g}, their mean {mean:.4g}", space.exact
                )
                for (a, b), v in zip(pairwise(order), values, strict=True)
            ]
        )
    yield from min(runs, key=badness)


def spacing_problem(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if read.length is None and (read.limit != "exactly" or read.unit == "real"):
        return "length is missing"
    if len(parts) < (2 if read.length is not None else 3):
        return (
            "two parts have one gap: give its length"
            if len(parts) == 2
            else "it needs two parts and a length, or three"
        )
    return None


def aligned(read: Requirement, space: Space) -> Iterator[Check]:
    """One edge or the center of the box of each part against the median of all. row: tops, centers or bottoms are
    level; column: left edges, centers or right edges. grid: rows and columns of equal cells with equal gaps; with
    `rows` and `columns`, so many."""
    names = bound(read.parts, space.layout)
    boxes = {name: space.box(name) for name in names}
    if read.edge == "grid":
        yield from _gridded(read, space, boxes)
        return
    runs: list[list[Check]] = []
    for axis, end in _lines(cast("Edge", read.edge), space):
        at = {name: (1 - end) * b[axis][0] + end * b[axis][1] for name, b in boxes.items()}
        line = median(at.values()) if at else 0.0
        off = {n: abs(v - line) for n, v in at.items()}
        words = {n: f"{n} is {f'{o:.3g} off' if o > space.exact else 'in line'}" for n, o in off.items()}
        runs.append([Check((n,), v, line, 1.2 * space.slack, words[n], space.exact) for n, v in at.items()])
    yield from min(runs, key=badness)


def _lines(edge: Edge, space: Space) -> Sequence[tuple[int, float]]:
    """Axes, and where along the boxes on these: 0 at their lower ends, 1 at their higher."""
    top, bottom = (1.0, 0.0) if space.plan else (0.0, 1.0)
    level, upright = 1, space.upright
    return {
        "left": [(0, 0.0)], "right": [(0, 1.0)], "center_x": [(0, 0.5)], "center_y": [(level, 0.5)],
        "top": [(upright, top)], "bottom": [(upright, bottom)],
        "row": [(level, 0.5), (level, 0.0), (level, 1.0)], "column": [(0, 0.5), (0, 0.0), (0, 1.0)],
    }[edge]  # fmt: skip


def _gridded(read: Requirement, space: Space, boxes: Mapping[str, Box]) -> Iterator[Check]:
    rows, columns = _bands(boxes, 1), _bands(boxes, 0)
    want = read.rows or len(rows), read.columns or len(columns)
    even = all(len(row) == len(columns) for row in rows) and all(len(column) == len(rows) for column in columns)
    words = f"there are {len(rows)} rows and {len(columns)} columns"
    if (len(rows), len(columns)) != want or not even:
        words = words if even else f"{words}, and not all are full"
        yield Check(tuple(boxes), len(boxes), want[0] * want[1] if want[0] * want[1] != len(boxes) else 0, 0.5, words)
        return
    for axis, lines in ((0, rows), (1, columns)):
        usual = median(length_of(b[axis]) for b in boxes.values())
        for name, b in boxes.items():
            size = length_of(b[axis])
            word = "wide" if axis == 0 else "high"
            yield Check((name,), size, usual, space.room(usual), f"{name} is {size:.4g} {word}", space.exact)
        pairs = [(a, b, boxes[b][axis][0] - boxes[a][axis][1]) for line in lines for a, b in pairwise(line)]
        mean = sum(gap for _, _, gap in pairs) / max(len(pairs), 1)
        if read.length is not None:
            mean = read.length * space.scale
        for a, b, gap in pairs:
            words = f"the gap from {a} to {b} is {gap:.4g}, it should be {mean:.4g}"
            yield Check((a, b), gap, mean, space.gap_room(abs(mean)), words, space.exact)


def _bands(boxes: Mapping[str, Box], axis: int) -> list[list[str]]:
    """Rows (axis 1) or columns (axis 0), each in order; a center beyond a band's first box opens a new one."""
    bands: list[list[str]] = []
    for name in sorted(boxes, key=lambda n: middle(boxes[n][axis])):
        if bands and middle(boxes[name][axis]) < boxes[bands[-1][0]][axis][1]:
            bands[-1].append(name)
        else:
            bands.append([name])
    return [sorted(band, key=lambda n: middle(boxes[n][1 - axis])) for band in bands]


def alignment_problem(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if read.edge != "grid" and (read.rows or read.columns or read.length is not None):
        return "rows, columns and length are of a grid"
    return "one part is always in line" if len(parts) < 2 else None


def mirrored(read: Requirement, space: Space) -> Iterator[Check]:
    """The box of each part against the nearest mirror image of one of them, by the edge that is farthest off; the
    mirror is in the middle of `of`, or else of all of them. `axis` is that along which they mirror each other: x, left
    and right, by default. One part without `of`: the share of its silhouette that its mirror image covers."""
    names = bound(read.parts, space.layout)
    axis = AXES[read.axis or "x"]
    others = others_of(read, space.layout)
    boxes = {name: space.box(name) for name in names}
    if len(names) == 1 and not read.of:
        shape = space.solid(names[0])
        (x, y), (sx, sy) = shape.envelope.centroid.coords[0], (-1, 1) if axis == 0 else (1, -1)
        image = scaled(shape, sx, sy, origin=(x, y))
        share = shape.intersection(image).area / max(shape.union(image).area, 1e-12)
        yield Check(names, share, 1.0, 0.1, f"{names[0]} and its mirror image share {share:.0%}", 0.01)
        return
    if not names:
        return
    frame = around([space.box(n) for n in others or names])
    twice = 2 * middle(frame[axis])
    upright = space.upright if axis == 0 else 0
    for name, mine in boxes.items():
        image = (twice - mine[axis][1], twice - mine[axis][0])

        def off(other: str, image: Span = image, mine: Box = mine) -> float:
            spans = ((image, boxes[other][axis]), (mine[upright], boxes[other][upright]))
            return max(abs(a[i] - b[i]) for a, b in spans for i in (0, 1))

        twin = min(boxes, key=off)
        words = (
            f"{name} is {off(twin):.3g} off the mirror image of {twin}"
            if twin != name
            else f"{name} is {off(name):.3g} off"
        )
        yield Check(tuple(dict.fromkeys((name, twin))), off(twin), 0.0, 2 * space.slack, words, space.exact)


def placed(read: Requirement, space: Space) -> Iterator[Check]:
    """center: the center within 5 % of the extent from the middle of the canvas, or of `of`. The others: the center at
    least 10 % of the extent from the middle, on that side. Of several parts each one, or all of them together."""
    names, spot = bound(read.parts, space.layout), cast("Spot", read.spot)
    boxes = {name: space.box(name) for name in names}
    if not names:
        return
    frame = around([space.box(n) for n in others_of(read, space.layout) or (CANVAS,)])
    groups = [boxes, {names[0]: around(list(boxes.values()))}] if len(names) > 1 else [boxes]
    runs = [[c for n, b in group.items() for c in _at_spot(n, b, frame, spot, space)] for group in groups]
    yield from min(runs, key=badness)


def _at_spot(name: str, mine: Box, frame: Box, spot: Spot, space: Space) -> Iterator[Check]:
    down = 1 if spot == "center" else space.upright
    high = -1 if not space.plan or down == 1 else 1
    signs = {
        0: -1 if "left" in spot else int("right" in spot),
        down: high * (int("top" in spot) - int("bottom" in spot)),
    }
    for axis, sign in signs.items():
        side = max(length_of(frame[axis]), 1e-9)
        off = middle(mine[axis]) - middle(frame[axis])
        if spot == "center":
            words = f"{name} is {abs(off):.3g} off the middle" if abs(off) > space.exact else f"{name} is in the middle"
            yield Check((name,), off, 0.0, 0.05 * side, words, space.exact)
        elif sign:
            words = f"{name} is {sign * off:.3g} from the middle, on that side"
            yield Check((name,), sign * off, 0.1 * side, 1e-9, words, limit="at_least")
