"""Rows, columns and grids that the brief states: equal gaps, one line, equal cells. Closed forms on boxes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Literal

from redraft.spatial.layout import Bounds, Move
from redraft.spatial.reading import Align, EqualSpacing, Grid
from redraft.spatial.solver.problem import Axis
from redraft.spatial.solver.site import FINE, Site, Step, around, centre, effective, scaled_to, snap

__all__ = ["aligned", "even", "gridded", "spaced"]

LEVEL = 0.06
"""Things in a row whose feet (or heads, or centres) differ by less are meant to be level."""
IN_LINE = 0.002
"""Things that differ by less are level already, and only made exactly so."""
LEAST = 0.02
"""The least gap that is made where a row's things overlap."""

Edge = Literal["low", "middle", "high"]


def spaced(site: Site) -> Iterator[Step]:
    """Equal gaps, edge to edge, in each whole; and one level, where nearly so."""
    for rule in (c for c in site.reading.constraints if isinstance(c, EqualSpacing) and c.certain):
        axis: Axis = 0 if rule.axis == "x" else 1
        for names in _by_whole(site, site.names(rule.selector)):
            gap = site.length(rule.gap)
            if len(names) > 2 or (len(names) == 2 and gap is not None):
                moves = [*even(site, names, axis, gap, rule.phrase), *level(site, names, axis, None, rule.phrase)]
                if real := effective(site, moves):
                    yield Step(f"{', '.join(names)}: {rule.phrase}", (real,))


def _by_whole(site: Site, names: Sequence[str]) -> list[tuple[str, ...]]:
    groups: dict[str | None, list[str]] = {}
    for name in names:
        groups.setdefault(site.layout[name].parent, []).append(name)
    return [tuple(group) for group in groups.values()]


def even(site: Site, names: Sequence[str], axis: Axis, gap: float | None, reason: str) -> list[Move]:
    """Shifts that make the gaps equal: as stated, or as the space between the two ends gives.

    A stated gap keeps the middle of the row where it is. Where the canvas is too short the row is moved in.
    """
    order = sorted(names, key=lambda n: (centre(site.layout.bounds(n))[axis], n))
    boxes = [site.layout.bounds(n) for n in order]
    sizes = [b[axis + 2] - b[axis] for b in boxes]
    whole, start = around(boxes), boxes[0][axis]
    if gap is None:
        between = whole[axis + 2] - whole[axis] - sum(sizes)
        gap = snap(max(between / (len(order) - 1), LEAST), site.layout.frame.quantum)
        stated = between < LEAST * (len(order) - 1)
        start = whole[axis]
    else:
        stated = any(abs(b[axis] - a[axis + 2] - gap) > site.layout.frame.quantum for a, b in pairwise(boxes))
    if stated:
        start = _inside(site, axis, centre(whole)[axis], sum(sizes) + gap * (len(order) - 1))
    moves: list[Move] = []
    for name, box, size in zip(order, boxes, sizes, strict=True):
        step = start - box[axis]
        moves.append(Move.shift(name, *((step, 0.0) if axis == 0 else (0.0, step)), reason))
        start += size + gap
    return moves


def _inside(site: Site, axis: Axis, middle: float, extent: float) -> float:
    """Where a row of this extent begins, around its middle, moved into the canvas where that is possible."""
    low, high = site.layout.frame.bounds[axis], site.layout.frame.bounds[axis + 2]
    start = min(max(middle - extent / 2, low), max(high - extent, low))
    return snap(start, site.layout.frame.quantum)


def level(site: Site, names: Sequence[str], axis: Axis, edge: Edge | None, reason: str) -> list[Move]:
    """Shifts across a row that bring its things to one line: by an edge, or by what they share.

    Without an edge it is the line that they have already, or else their feet, heads or centres, if nearly level.
    """
    across: Axis = 0 if axis else 1
    boxes = [site.layout.bounds(n) for n in names]
    preferred: Sequence[Edge] = ("high", "low", "middle") if across else ("middle", "low", "high")
    edges = preferred if edge is None else (edge,)
    lines = [[_line(b, across, e) for b in boxes] for e in edges]
    spreads = [max(line) - min(line) for line in lines]
    room = LEVEL if edge is None and min(spreads) > IN_LINE else IN_LINE if edge is None else float("inf")
    values = next((line for line, spread in zip(lines, spreads, strict=True) if spread <= room), None)
    if values is None:
        return []
    held = [v for n, v in zip(names, values, strict=True) if not site.free(n)]
    target = snap(held[0] if held else median(values), site.layout.frame.quantum)
    steps = [target - v for v in values]
    return [Move.shift(n, *((0.0, s) if across else (s, 0.0)), reason) for n, s in zip(names, steps, strict=True)]


def _line(box: Bounds, axis: Axis, edge: Edge) -> float:
    return box[axis] if edge == "low" else box[axis + 2] if edge == "high" else (box[axis] + box[axis + 2]) / 2


_EDGES: dict[str, Edge | None] = {"left": "low", "top": "low", "right": "high", "bottom": "high", "center": None}


def aligned(site: Site) -> Iterator[Step]:
    """One line for all that a row or column names."""
    for rule in (c for c in site.reading.constraints if isinstance(c, Align) and c.certain):
        names = tuple(dict.fromkeys(n for s in rule.selectors for n in site.names(s)))
        if len(names) > 1:
            axis: Axis = 0 if rule.axis == "x" else 1
            edge = _EDGES[rule.edge]
            moves = level(site, names, axis, edge, rule.phrase) or level(site, names, axis, "middle", rule.phrase)
            if real := effective(site, moves):
                yield Step(f"{', '.join(names)}: {rule.phrase}", (real,))


def gridded(site: Site) -> Iterator[Step]:
    """Rows and columns of equal cells with equal gaps, around where the grid is now; one grid in each whole."""
    for rule in (c for c in site.reading.constraints if isinstance(c, Grid) and c.certain):
        for names in _by_whole(site, site.names(rule.selector)):
            if len(names) == rule.rows * rule.columns > 1 and (real := effective(site, _grid(site, rule, names))):
                yield Step(f"{', '.join(names)}: {rule.phrase}", (real,))


def _grid(site: Site, rule: Grid, names: Sequence[str]) -> list[Move]:
    boxes = {n: site.own(n) for n in names}
    cells = _cells(boxes, rule.columns)
    whole = around(list(boxes.values()))
    gaps = _gaps(site, rule, cells, boxes)
    sizes = [_cell(site, boxes, a, rule.columns if a == 0 else rule.rows, gaps[a]) for a in (0, 1)]
    counts = (rule.columns, rule.rows)
    starts = [
        _start(site, (whole[a] + whole[a + 2]) / 2, counts[a] * sizes[a] + (counts[a] - 1) * gaps[a]) for a in (0, 1)
    ]
    moves: list[Move] = []
    for y, row in enumerate(cells):
        for x, name in enumerate(row):
            at = [starts[a] + (x, y)[a] * (sizes[a] + gaps[a]) for a in (0, 1)]
            moves.append(_to_box(name, boxes[name], (at[0], at[1], at[0] + sizes[0], at[1] + sizes[1]), rule.phrase))
    return moves


def _start(site: Site, middle: float, extent: float) -> float:
    return snap(middle - extent / 2, site.layout.frame.quantum)


def _to_box(name: str, box: Bounds, target: Bounds, reason: str) -> Move:
    """The scaling and shift, in one, that takes a box to another."""
    scaling = scaled_to(name, box, target[2] - target[0], target[3] - target[1], (0.0, 0.0), reason)
    sx, sy = scaling.matrix[0], scaling.matrix[3]
    return Move(name, (sx, 0.0, 0.0, sy, target[0] - sx * box[0], target[1] - sy * box[1]), reason)


def _cells(boxes: dict[str, Bounds], columns: int) -> list[list[str]]:
    """By height into rows of as many as there are columns, each from left to right."""
    order = sorted(boxes, key=lambda n: (centre(boxes[n])[1], n))
    rows = [order[i : i + columns] for i in range(0, len(order), columns)]
    return [sorted(row, key=lambda n: (centre(boxes[n])[0], n)) for row in rows]


def _gaps(site: Site, rule: Grid, cells: Sequence[Sequence[str]], boxes: dict[str, Bounds]) -> list[float]:
    """The stated gap in both directions, or the mean of what is drawn, which must leave the cells apart."""
    stated = site.length(rule.gap)
    if stated is not None:
        return [stated, stated]
    columns = list(zip(*cells, strict=True))
    found: list[float] = []
    for axis, lines in ((0, cells), (1, columns)):
        drawn = [boxes[b][axis] - boxes[a][axis + 2] for line in lines for a, b in pairwise(line)]
        found.append(snap(max(sum(drawn) / len(drawn), LEAST / 2), FINE) if drawn else 0.0)
    return found


def _cell(site: Site, boxes: dict[str, Bounds], axis: Axis, count: int, gap: float) -> float:
    """The usual extent of a cell, less where so many with such gaps do not fit the canvas."""
    sizes = [b[axis + 2] - b[axis] for b in boxes.values()]
    low, high = site.layout.frame.bounds[axis], site.layout.frame.bounds[axis + 2]
    fits = (high - low - 2 * LEAST - gap * (count - 1)) / count
    usual = median(sizes)
    exact = max(sizes) - min(sizes) <= site.layout.frame.quantum and usual <= fits
    return usual if exact else snap(min(usual, fits), FINE)
