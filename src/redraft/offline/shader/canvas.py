"""A painting in numbers while it is worked on: compositing, and the slope of the loss by every number of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from redraft.offline.shader.goal import Goal
from redraft.offline.shader.masks import COUNT, Floats, Kind, masks, masks_and_slopes
from redraft.offline.shader.painting import Layer, Painting

__all__ = ["Slopes", "Work", "ground_shares", "hold", "of_painting", "slopes", "to_painting"]

WIDEST = 1.5
"""The largest half-size, in canvas units."""
FAINTEST = 0.1
"""Of opacities."""


@dataclass
class Work:
    """Layers as arrays: `numbers` layers × 7 (see `offline_masks`), `colours` layers × 3, `corners` 4 × 3."""

    kinds: list[Kind]
    numbers: Floats
    colours: Floats
    corners: Floats

    def samples(self, goal: Goal) -> Floats:
        """The painting at the goal's points (3 × points)."""
        return _laid(self.ground(goal), masks(self.kinds, self.numbers, goal.points), self.colours)

    def ground(self, goal: Goal) -> Floats:
        return self.corners.T @ ground_shares(goal)

    def loss(self, goal: Goal) -> float:
        return float(goal.loss(goal.means(self.samples(goal))))

    def error(self, goal: Goal) -> float:
        return goal.error(goal.means(self.samples(goal)))

    def missed(self, goal: Goal) -> list[float]:
        """The loss without each of the layers."""
        cover, found = masks(self.kinds, self.numbers, goal.points), list[float]()
        for i in range(len(self.kinds)):
            rest = [k for k in range(len(self.kinds)) if k != i]
            found.append(float(goal.loss(goal.means(_laid(self.ground(goal), cover[rest], self.colours[rest])))))
        return found

    def with_layer(self, kind: Kind, numbers: Floats, colour: Floats) -> Work:
        """One more, on top."""
        return Work(
            [*self.kinds, kind],
            np.vstack([self.numbers, numbers[None]]),
            np.vstack([self.colours, colour[None]]),
            self.corners,
        )

    def only(self, kept: list[int]) -> Work:
        """The layers with these numbers, from 0."""
        return Work([self.kinds[i] for i in kept], self.numbers[kept], self.colours[kept], self.corners)

    def copy(self) -> Work:
        return Work(list(self.kinds), self.numbers.copy(), self.colours.copy(), self.corners.copy())

    def hold(self, goal: Goal) -> None:
        """Bring every number back to where it means something."""
        hold(self.numbers, goal)
        np.clip(self.colours, 0, 1, out=self.colours)
        np.clip(self.corners, 0, 1, out=self.corners)


def _laid(ground: Floats, cover: Floats, colours: Floats) -> Floats:
    """Layers over a ground (3 × points), the first the lowest."""
    colour = ground.copy()
    for one, paint in zip(cover, colours, strict=True):
        colour += one * (paint[:, None] - colour)
    return colour


@dataclass(frozen=True)
class Slopes:
    """Of the loss, by what `Work` holds."""

    loss: float
    numbers: Floats
    colours: Floats
    corners: Floats


def slopes(work: Work, goal: Goal) -> Slopes:
    """The loss and all its slopes, by going down through the layers again."""
    colour = work.ground(goal)
    cover, by_number = masks_and_slopes(work.kinds, work.numbers, goal.points)
    apart: list[Floats] = []  # of each layer's colour from what is under it
    for one, paint in zip(cover, work.colours, strict=True):
        apart.append(paint[:, None] - colour)
        colour = colour + one * apart[-1]
    loss, by_colour = goal.loss_and_slope(goal.means(colour))
    by_cover, by_paint = np.empty_like(cover), np.empty_like(work.colours)
    for i in reversed(range(len(apart))):
        by_cover[i] = (by_colour * apart[i]).sum(axis=0)
        by_paint[i] = np.einsum("cs,s->c", by_colour, cover[i])  # einsum: the same sum with any number of threads
        by_colour = by_colour * (1 - cover[i])
    by_corner = np.einsum("ks,cs->kc", ground_shares(goal), by_colour)
    return Slopes(float(loss), np.einsum("ls,pls->lp", by_cover, by_number), by_paint, by_corner)


def hold(numbers: Floats, goal: Goal) -> None:
    """Keep layers on or near the canvas, not much finer than a cell can tell, and visible."""
    least = math.log(0.35 * goal.cell)
    for axis in (0, 1):
        np.clip(numbers[:, axis], -0.25, goal.canvas[axis] + 0.25, out=numbers[:, axis])
        np.clip(numbers[:, 2 + axis], least, math.log(WIDEST), out=numbers[:, 2 + axis])
    finest = 0.2 * goal.cell / np.exp(numbers[:, 2:4].min(axis=1))
    np.clip(numbers[:, 5], np.clip(finest, 0.02, 0.9), 1.0, out=numbers[:, 5])
    np.clip(numbers[:, 6], FAINTEST, 1.0, out=numbers[:, 6])


def ground_shares(goal: Goal) -> Floats:
    """How much of each corner's colour each point has (4 × points)."""
    x, y = goal.points[:, 0] / goal.canvas[0], goal.points[:, 1] / goal.canvas[1]
    return np.stack([(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y]).astype(np.float32)


def of_painting(painting: Painting) -> Work:
    """A painting as arrays."""
    numbers = [
        (*one.at, *(math.log(s) for s in one.size), math.radians(one.turn), one.soft, one.opacity)
        for one in painting.layers
    ]
    return Work(
        [one.kind for one in painting.layers],
        np.array(numbers, np.float32).reshape(-1, COUNT),
        np.array([_rgb(one.colour) for one in painting.layers], np.float32).reshape(-1, 3),
        np.array([_rgb(c) for c in painting.corners], np.float32),
    )


def to_painting(work: Work, canvas: tuple[float, float]) -> Painting:
    """The arrays as a painting, rounded as it is written."""
    bottom_left, bottom_right, top_left, top_right = (_hex(c) for c in work.corners)
    layers = tuple(_layer(*one) for one in zip(work.kinds, work.numbers, work.colours, strict=True))
    return Painting(canvas, (bottom_left, bottom_right, top_left, top_right), layers)


def _layer(kind: Kind, numbers: Floats, colour: Floats) -> Layer:
    x, y, wide, high, turn, soft, opacity = (float(n) for n in numbers)
    size = _size(wide), _size(wide if kind in ("band", "edge") else high)
    soft = 1.0 if kind in ("blob", "edge") else max(0.01, round(soft, 2))
    around = 180.0 if kind != "edge" else 360.0  # all but half-planes look the same after half a turn
    degrees = round((math.degrees(turn) + around / 2) % around - around / 2, 1)
    return Layer(kind, (_short(x), _short(y)), size, degrees + 0.0, soft, round(opacity, 2), _hex(colour))


def _size(log: float) -> float:
    return max(0.001, round(math.exp(log), 3))


def _short(number: float) -> float:
    return round(number, 3) + 0.0  # no −0.000


def _rgb(colour: str) -> tuple[float, float, float]:
    n = int(colour, 16)
    return (n >> 16) / 255, (n >> 8 & 255) / 255, (n & 255) / 255


def _hex(colour: Floats) -> str:
    return "".join(f"{round(255 * float(c)):02x}" for c in np.clip(colour, 0, 1))
