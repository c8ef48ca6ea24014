"""What the built-in model paints toward a target picture: it is told a grid of mean colours, and sees no pixel.

It begins with a gradient and a few soft shapes; given its own shader back, it goes on from there, until there are
sixty layers, and then repaints those that are missed least. The same grid, code and seed give the same reply.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from redraft.errors import BriefError
from redraft.offline.shader.canvas import Work, of_painting, to_painting
from redraft.offline.shader.goal import Goal, goal_of
from redraft.offline.shader.optimise import added, grounded, refined, thinned
from redraft.offline.shader.painting import Painting, read, write

__all__ = ["toward"]

FIRST, MORE, MOST = 16, 11, 60
"""Layers of the first turn, of each later one, and in all: what a person still reads."""
SWAPPED = 6
"""Layers repainted in a turn when there is no room for more."""
TRIES, FIRST_TRIES, TRY_STEPS = 40, 64, 10
"""Of a new layer: how many are tried (more while the large shapes are found), and how far each is improved before the
next choice."""
BETWEEN = 12
"""Steps of all layers together after every fifth new one."""


def toward(
    grid: Sequence[Sequence[str]],
    *,
    code: str | None,
    turn_seed: int,
    budget: int = 80,
    size: tuple[int, int] | None = None,
) -> tuple[str, str]:
    """The approach, in one line, and the shader of one turn.

    `grid` is rows of `rrggbb`, the top row first, of up to about 600 cells; `code` is the shader so far, which is gone
    on from where it is of this model's own painting for a picture of this shape; `budget` is how many steps all layers
    are improved together at the end, some 25 ms each with sixty layers; `size` is the picture's width and height,
    where it is known (without it cells are taken as square).

    Raises:
        BriefError: the grid is empty, its rows differ in length, or a cell is no colour.
    """
    _require_colours(grid)
    canvas = _canvas(*(size or (len(grid[0]), len(grid))))
    coarse, fine = goal_of(grid, canvas, 2), goal_of(grid, canvas, 3)
    known = _known(code, canvas)
    begun = grounded(coarse) if known is None else of_painting(known)
    work = _painted(begun, coarse, fine, turn_seed, budget)
    painting = to_painting(work, canvas)
    return _said(begun, painting, fine, anew=bool(code) and known is None), write(painting)


def _painted(begun: Work, coarse: Goal, fine: Goal, seed: int, budget: int) -> Work:
    """One turn: more layers, one after the other, and then all improved together; at worst only the latter."""
    rng = np.random.default_rng(seed)
    more, tries = (MORE, TRIES) if begun.kinds else (FIRST, FIRST_TRIES)
    room = MOST - len(begun.kinds)
    work = begun if room else thinned(begun, coarse, MOST - SWAPPED)
    for i in range(min(more, room or SWAPPED)):
        work = added(work, coarse, rng, tries, TRY_STEPS)
        if i % 5 == 4:
            work = refined(work, coarse, BETWEEN)
    work = refined(work, fine, budget)
    return work if work.loss(fine) < begun.loss(fine) else refined(begun, fine, budget, haste=0.1)


def _known(code: str | None, canvas: tuple[float, float]) -> Painting | None:
    """The painting to go on from: its own, of this shape, and no larger than it paints them."""
    found = read(code) if code else None
    return found if found is not None and found.canvas == canvas and len(found.layers) <= MOST else None


def _canvas(width: int, height: int) -> tuple[float, float]:
    """The picture's sides, the longer one being 1; no side under a fiftieth, and four digits, as it is written."""
    longest = max(width, height)
    return max(0.02, round(width / longest, 4)), max(0.02, round(height / longest, 4))


def _said(begun: Work, painting: Painting, goal: Goal, *, anew: bool) -> str:
    """`11 more soft shapes, 27 in all …; the last shader missed the cells by 7.6 on average, this one by 5.4`"""
    before, now = begun.error(goal), of_painting(painting).error(goal)
    count = len(painting.layers)
    start = "began anew, the shader given being none of its own for this shape; " if anew else ""
    if not begun.kinds:
        what = f"a gradient and {count} soft shapes from the grid of colours; the gradient alone"
    elif count > len(begun.kinds):
        what = f"{count - len(begun.kinds)} more soft shapes, {count} in all, and all of them refined; the last shader"
    elif count < MOST:
        what = f"{count} soft shapes as before, all of them refined; the last shader"
    else:
        what = f"{count} soft shapes, those least needed tried anew, and all of them refined; the last shader"
    return f"{start}{what} missed the cells by {before:.1f} on average, this one by {now:.1f} (CIELAB)"


_COLOUR = re.compile(r"[0-9a-fA-F]{6}\Z")


def _require_colours(grid: Sequence[Sequence[str]]) -> None:
    if not grid or not grid[0]:
        raise BriefError("The grid of a target's colours is empty; it needs at least one row of one 'rrggbb'.")
    for number, row in enumerate(grid, 1):
        if len(row) != len(grid[0]):
            raise BriefError(f"Row {number} of the colour grid has {len(row)} cells, and row 1 has {len(grid[0])}.")
        for cell in row:
            if not _COLOUR.match(cell):
                raise BriefError(f"Row {number} of the colour grid holds {cell!r:.40}, which is no 'rrggbb'.")
