"""Several of a kind as one block: rows, columns, grids, equal gaps, one taller, each larger than the last."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from redraft.offline.planner.things import Thing
from redraft.spatial.layout import Bounds
from redraft.spatial.reading import Align, Compare, EqualSpacing, Grid, Measure, Progression, Reading

__all__ = ["Block", "block_of"]

GAP = 0.055
"""Between two of a kind, in canvas units: just over the least spacing of the rules."""
PROGRESSION = (0.55, 1.0)
"""The first and the last of "increasing size", as shares of the full size."""
AT_LEAST = 1.3
"""How much taller "taller" is."""


@dataclass
class Block:
    """Instances in fixed places to each other. Boxes are relative to the block's upper left corner."""

    boxes: list[Bounds]

    @property
    def width(self) -> float:
        return max(b[2] for b in self.boxes)

    @property
    def height(self) -> float:
        return max(b[3] for b in self.boxes)


def block_of(thing: Thing, reading: Reading, scale: float, *, gap: float = GAP, single_row: bool = False) -> Block:
    """The thing's instances at a scale, arranged as the reading says; unsaid, in rows that are not too long."""
    sizes = _sizes(thing, reading, scale)
    grid = next((c for c in reading.constraints if isinstance(c, Grid) and c.selector.mention == thing.id), None)
    if grid is not None:
        return _grid(sizes, grid.rows, grid.columns, _stated(grid.gap, gap))
    even = next(
        (c for c in reading.constraints if isinstance(c, EqualSpacing) and c.selector.mention == thing.id), None
    )
    align = next(
        (c for c in reading.constraints if isinstance(c, Align) and thing.id in {s.mention for s in c.selectors}), None
    )
    space = _stated(even.gap if even is not None else None, gap)
    if (align is not None and align.axis == "y") or (even is not None and even.axis == "y"):
        return _column(sizes, space)
    if align is not None or even is not None or single_row or _graded(thing, reading):
        return _row(sizes, space, low=thing.rests in {"ground", "lies"})
    return _wrapped(sizes, gap, low=thing.rests in {"ground", "lies"})


def _stated(gap: Measure | None, usual: float) -> float:
    return gap.value if gap is not None and gap.unit == "canvas" else usual


def _graded(thing: Thing, reading: Reading) -> bool:
    return any(isinstance(c, Progression) and c.selector.mention == thing.id for c in reading.constraints) or any(
        isinstance(c, Compare) and c.subjects.mention == thing.id and c.subjects.ordinals for c in reading.constraints
    )


def _sizes(thing: Thing, reading: Reading, scale: float) -> list[tuple[float, float]]:
    """Width and height of each instance, in reading order."""
    factors = [(1.0, 1.0)] * thing.count
    for fact in reading.constraints:
        if isinstance(fact, Progression) and fact.selector.mention == thing.id:
            factors = _progression(thing, fact)
        elif isinstance(fact, Compare) and fact.subjects.mention == thing.id and fact.reference.mention == thing.id:
            factors = _singled_out(thing, fact, factors)
    return [(thing.width * scale * fx, thing.height * scale * fy) for fx, fy in factors]


def _progression(thing: Thing, fact: Progression) -> list[tuple[float, float]]:
    low, high = PROGRESSION
    steps = [low + (high - low) * k / max(1, thing.count - 1) for k in range(thing.count)]
    ordered = steps if fact.increasing else steps[::-1]
    return [_along(thing, fact.dimension, s) for s in ordered]


def _singled_out(thing: Thing, fact: Compare, factors: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """ "the fourth 20 % taller"."""
    chosen = {n - 1 if n > 0 else thing.count + n for n in fact.subjects.ordinals}
    factor = fact.factor if not fact.at_least else AT_LEAST if fact.factor > 1 else 1 / AT_LEAST
    fx, fy = _along(thing, fact.dimension, factor)
    return [(x * fx, y * fy) if k in chosen else (x, y) for k, (x, y) in enumerate(factors)]


def _along(thing: Thing, dimension: str, factor: float) -> tuple[float, float]:
    """A thing that keeps its proportions grows both ways."""
    stretches = thing.entry is None or thing.entry.stretch
    if dimension == "size" or not stretches:
        return (factor, factor)
    return (factor, 1.0) if dimension == "width" else (1.0, factor)


def _row(sizes: Sequence[tuple[float, float]], gap: float, *, low: bool) -> Block:
    """Side by side with equal gaps, on one foot line or by their middles."""
    tallest = max(h for _, h in sizes)
    boxes: list[Bounds] = []
    x = 0.0
    for w, h in sizes:
        y = tallest - h if low else (tallest - h) / 2
        boxes.append((x, y, x + w, y + h))
        x += w + gap
    return Block(boxes)


def _column(sizes: Sequence[tuple[float, float]], gap: float) -> Block:
    widest = max(w for w, _ in sizes)
    boxes: list[Bounds] = []
    y = 0.0
    for w, h in sizes:
        boxes.append(((widest - w) / 2, y, (widest + w) / 2, y + h))
        y += h + gap
    return Block(boxes)


def _grid(sizes: Sequence[tuple[float, float]], rows: int, columns: int, gap: float) -> Block:
    """Equal cells, as large as the largest instance; rows times columns of them."""
    w, h = max(s[0] for s in sizes), max(s[1] for s in sizes)
    places = [(c, r) for r in range(rows) for c in range(columns)][: len(sizes)]
    return Block([(c * (w + gap), r * (h + gap), c * (w + gap) + w, r * (h + gap) + h) for c, r in places])


def _wrapped(sizes: Sequence[tuple[float, float]], gap: float, *, low: bool) -> Block:
    """One row while it is short, else rows as even as can be, in a block about one and a half times as wide as high."""
    n, (w, h) = len(sizes), sizes[0]
    if n <= 3 or (n <= 5 and n * (w + gap) < 0.9):
        return _row(sizes, gap, low=low)
    columns = max(1, min(n, round(math.sqrt(1.5 * n * (h + gap) / (w + gap)))))
    rows = math.ceil(n / columns)
    shares = [n // rows + (1 if r < n % rows else 0) for r in range(rows)]
    widest = max(shares) * (w + gap) - gap
    boxes: list[Bounds] = []
    for r, share in enumerate(shares):
        left = (widest - (share * (w + gap) - gap)) / 2
        boxes += [
            (left + c * (w + gap), r * (h + gap), left + c * (w + gap) + w, r * (h + gap) + h) for c in range(share)
        ]
    return Block(boxes)
