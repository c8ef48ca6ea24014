"""What the built-in painter aims at: the mean colours of a grid, and how far a painting is from them.

The painter sees nothing of a target but the grid. Its own picture is sampled at a few points in each cell, and the
means are compared, so that an outline through a cell is placed by how much of the cell it takes.

Colours are compared as FLIP compares them: in CIELAB with Hunt's adjustment, where a and b count less in the dark
(Andersson et al., FLIP: A Difference Evaluator for Alternating Images, 2020, section 4.1.4), and by a power below
one. Around each cell's colour the space is taken as linear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from redraft.offline.shader.masks import Floats

__all__ = ["Goal", "goal_of"]

POWER = 0.7
"""Of colour differences, as in FLIP: many small ones count more than a few large ones."""
NOISE = 3.0
"""Colour differences well below this are not worth a layer: inside a cell, a photograph varies by more."""

_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
"""Linear sRGB to CIE XYZ (D65), IEC 61966-2-1."""


@dataclass(frozen=True)
class Goal:
    """A grid, and the points at which a painting is looked at.

    `colours` is 3 × cells (sRGB, 0 to 1, the top row first); `points` is samples × 2 in canvas units: the first of
    each cell, then the second of each, `each` times; `metric` is 3 × 3 × cells: from a difference in sRGB to one in
    Hunt's CIELAB.
    """

    canvas: tuple[float, float]
    cell: float
    """The longer side of a cell, in canvas units."""
    each: int
    colours: Floats
    points: Floats
    metric: Floats

    def means(self, samples: Floats) -> Floats:
        """Means over cells of anything whose last axis runs over the points."""
        return samples.reshape(*samples.shape[:-1], self.each, -1).mean(axis=-2)

    def differences(self, means: Floats) -> Floats:
        """How far the means (… × 3 × cells) are from the grid's colours, in Hunt's CIELAB."""
        return np.einsum("ijc,...jc->...ic", self.metric, means - self.colours)

    def error(self, means: Floats) -> float:
        """How far the cells (3 × cells) are off on average, in units of Hunt's CIELAB: 1 is hardly seen."""
        return float(np.sqrt((self.differences(means) ** 2).sum(axis=0)).mean())

    def weights(self, means: Floats) -> Floats:
        """What each cell counts for in least squares that lead to the lowest loss."""
        return _square(self.differences(means)) ** (POWER / 2 - 1)

    def loss(self, means: Floats) -> Floats:
        """One figure for each painting; `means` is … × 3 × cells."""
        return (_square(self.differences(means)) ** (POWER / 2)).mean(axis=-1)

    def loss_and_slope(self, means: Floats) -> tuple[Floats, Floats]:
        """The loss, and its slope by each point's colour (… × 3 × points)."""
        found = self.differences(means)
        square = _square(found)
        power = square ** (POWER / 2)
        share = (POWER / (square.shape[-1] * self.each)) * power / square
        by_mean = np.einsum("ijc,...ic->...jc", self.metric, found * share[..., None, :])
        return power.mean(axis=-1), np.tile(by_mean, self.each)


def _square(differences: Floats) -> Floats:
    return (differences**2).sum(axis=-2) + NOISE**2


def goal_of(grid: Sequence[Sequence[str]], canvas: tuple[float, float], across: int) -> Goal:
    """The goal for rows of `rrggbb` colours, looked at in `across` × `across` points a cell."""
    rows, columns = len(grid), len(grid[0])
    numbers = [int(cell, 16) for row in grid for cell in row]
    colours = np.array([((n >> 16) & 255, (n >> 8) & 255, n & 255) for n in numbers]) / 255.0
    return Goal(
        canvas=canvas,
        cell=max(canvas[0] / columns, canvas[1] / rows),
        each=across * across,
        colours=np.ascontiguousarray(colours.T, np.float32),
        points=_points(rows, columns, canvas, across),
        metric=np.ascontiguousarray(_metric(colours).transpose(1, 2, 0), np.float32),
    )


def _points(rows: int, columns: int, canvas: tuple[float, float], across: int) -> Floats:
    """Evenly spaced points: the first of each cell, then the second of each …; cells row by row from the top."""
    x = (np.arange(columns * across) + 0.5) / (columns * across) * canvas[0]
    y = (1 - (np.arange(rows * across) + 0.5) / (rows * across)) * canvas[1]
    whole = np.stack(np.meshgrid(x, y), axis=-1).reshape(rows, across, columns, across, 2)
    return whole.transpose(1, 3, 0, 2, 4).reshape(-1, 2).astype(np.float32)


def _metric(colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """The Jacobian of sRGB to Hunt's CIELAB at each colour, by central differences (cells × 3 × 3)."""
    step = 0.02
    columns = [(_hunt(colours + step * unit) - _hunt(colours - step * unit)) / (2 * step) for unit in np.eye(3)]
    return np.stack(columns, axis=-1)


def _hunt(colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIELAB (D65) of sRGB colours, a and b times lightness/100."""
    low = np.maximum(colours, 0)
    linear = np.where(low <= 0.04045, low / 12.92, ((low + 0.055) / 1.055) ** 2.4)
    xyz = linear @ (_XYZ / _XYZ.sum(axis=1, keepdims=True)).T
    root: NDArray[np.float64] = np.cbrt(xyz)
    f = np.where(xyz > (6 / 29) ** 3, root, xyz * (29 / 6) ** 2 / 3 + 4 / 29)
    light = 116 * f[..., 1] - 16
    a, b = 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])
    return np.stack([light, a * light / 100, b * light / 100], axis=-1)
