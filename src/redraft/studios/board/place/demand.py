"""The demand for wire in each cell of a board, and the price of cells where wires crowd.

Each net spreads its half-perimeter evenly over its box, which is at least a cell (RUDY, Spindler and Johannes 2007).
"""

from __future__ import annotations

import numpy as np

from redraft.studios.board.place.problem import MANY_PINS, Floats, Numbers, Problem

CELLS = 32
"""Cells along the longer side of the board."""

CALM = 0.5
"""Cells below this share of the densest one of the first start cost nothing."""

TOLL = 40.0
"""The extra cost of a wire, as a share of its length, in a cell of twice the demand that costs nothing."""


class Demand:
    """The length of wire in each cell, in micrometers, by row and column.

    Of nets of many pins a fraction counts; groups and anchors are no wires. Cells of less than `calm` cost nothing,
    by default those below a share of the densest.
    """

    def __init__(self, problem: Problem, pins: Floats, calm: float | None = None) -> None:
        x0, y0, x1, y1 = problem.area
        self.problem = problem
        self.cell = max(x1 - x0, y1 - y0) / CELLS
        self.shares = np.minimum(1.0, MANY_PINS / np.diff(problem.starts))
        self.lines = (np.arange(x0, x1 + self.cell, self.cell), np.arange(y0, y1 + self.cell, self.cell))
        self.wire = self.of(np.arange(problem.wires), pins)
        self.calm = max(CALM * float(self.wire.max()), 1.0) if calm is None else calm

    def of(self, nets: Numbers, pins: Floats) -> Floats:
        """Return the wire of some nets."""
        nets = nets[nets < self.problem.wires]
        if not len(nets):
            return np.zeros((len(self.lines[1]) - 1, len(self.lines[0]) - 1))
        rows, starts = self.problem.pins_of(nets)
        places = pins[rows]
        low, high = np.minimum.reduceat(places, starts, axis=0), np.maximum.reduceat(places, starts, axis=0)
        length = (high - low).sum(axis=1) * self.shares[nets]

        # A box smaller than a cell is grown to one, so that its demand does not depend on where it lies in the grid.
        grow = np.maximum(self.cell - (high - low), 0.0) / 2
        low, high = low - grow, high + grow
        shares: list[Floats] = []
        for axis in (0, 1):
            lines = self.lines[axis]
            share = np.minimum(high[:, axis, None], lines[1:]) - np.maximum(low[:, axis, None], lines[:-1])
            shares.append(np.maximum(share, 0.0))
        rows_share = shares[1] * (length / (high - low).prod(axis=1))[:, None]
        return np.einsum("ni,nj->ij", rows_share, shares[0])

    def toll(self, wire: Floats) -> float:
        """Return the cost of all crowded cells, in micrometers."""
        over = np.maximum(wire - self.calm, 0.0)
        return TOLL / (2.0 * self.calm) * float((over * over).sum())

    def price(self) -> Floats:
        """Return the cost of the wire of one pin in each cell, in micrometers."""
        return np.maximum(self.wire - self.calm, 0.0) * (TOLL / self.calm * self.cell / 2.0)
