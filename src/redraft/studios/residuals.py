"""Where a frame is farthest from its target, in words: what a model is told that has only a number otherwise.

Both pictures are brought to a coarse grid of mean colours. Cells are told by their place, with the colour that is there
and the one that is wanted; of neighbours that are wrong in the same way, one is told, with how far they reach.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from redraft.metrics.base import Pixels, resized
from redraft.metrics.pictures import colour_grid

__all__ = ["farthest"]

CELLS = 240
MOST = 8
"""Places that are told: as many as one can mend at once."""
SEEN = 24.0
"""Distance of two mean colours, in steps of 255, below which a place is not worth a word."""
ALIKE = 0.55
"""Cells that touch and are wrong by at least this share of the worst of them, in its direction, are one place."""


def farthest(target: Pixels, frame: Pixels) -> tuple[str, ...]:
    """The places where the mean colours differ most, the worst first; empty when all are near.

    Args:
        target: of any size; compared at the frame's.
    """
    wanted = _grid(resized(target, frame.shape[1], frame.shape[0]))
    there = _grid(frame)
    apart = wanted - there
    told = list[str]()
    while len(told) < MOST and np.linalg.norm(apart, axis=2).max() >= SEEN:
        cells = _place(apart)
        told.append(_words(cells, wanted, there))
        apart[cells] = 0.0
    return tuple(told)


def _grid(pixels: Pixels) -> NDArray[np.float64]:
    rows = [[tuple(bytes.fromhex(cell)) for cell in row] for row in colour_grid(pixels, CELLS)]
    return np.asarray(rows, np.float64)


def _place(apart: NDArray[np.float64]) -> tuple[slice, slice]:
    """The worst cell, grown to a rectangle of cells that are nearly as wrong in the same way."""
    size = np.linalg.norm(apart, axis=2)
    row, column = (int(place) for place in np.unravel_index(int(size.argmax()), size.shape))
    alike = apart @ apart[row, column] >= ALIKE * size[row, column] ** 2
    box: list[int] = [row, row + 1, column, column + 1]
    grown = True
    while grown:
        grown = False
        for side, step in ((0, -1), (1, 1), (2, -1), (3, 1)):
            wider = box.copy()
            wider[side] += step
            if wider[side] < 0 or wider[side] > alike.shape[side // 2]:
                continue
            if alike[wider[0] : wider[1], wider[2] : wider[3]].all():
                box, grown = wider, True
    return slice(box[0], box[1]), slice(box[2], box[3])


def _words(cells: tuple[slice, slice], wanted: NDArray[np.float64], there: NDArray[np.float64]) -> str:
    down, across = cells
    rows, columns = wanted.shape[:2]
    x = f"x {across.start / columns:.2f} to {across.stop / columns:.2f}"
    y = f"y {down.start / rows:.2f} to {down.stop / rows:.2f}"
    return f"{x}, {y}: is {_colour(there[cells])}, wanted {_colour(wanted[cells])}"


def _colour(cells: NDArray[np.float64]) -> str:
    mean = np.rint(cells.reshape(-1, 3).mean(axis=0)).astype(int)
    return "#{:02x}{:02x}{:02x}".format(*mean)
