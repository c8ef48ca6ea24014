"""How the built-in painter works: ground first, then layer after layer where it is most needed, then all together."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from redraft.offline.shader.canvas import Slopes, Work, ground_shares, hold, slopes
from redraft.offline.shader.goal import Goal
from redraft.offline.shader.masks import COUNT, Floats, Kind, masks, masks_and_slopes

__all__ = ["added", "grounded", "refined", "thinned"]

PACE = np.array([0.012, 0.012, 0.06, 0.06, 0.05, 0.04, 0.04], np.float32)
"""How far one step of descent goes at most, by parameter."""
COLOUR_PACE = 0.012
UNSEEN = 0.7
"""A difference in Hunt's CIELAB that no layer is painted for; one step of an 8-bit colour is about half of it."""
TRIED: tuple[Kind, ...] = ("disc", "blob", "disc", "box", "disc", "blob", "band", "edge")
"""What a new layer may be, as often as it is tried. Rectangles fit as well as ellipses, and look worse."""


class _Descent:
    """Adam (Kingma & Ba, 2015) with its usual constants; the pace falls to a tenth over the steps."""

    def __init__(self, shape: tuple[int, ...], pace: Floats | float) -> None:
        self.mean, self.square = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.pace, self.count = pace, 0

    def step(self, slope: Floats, ease: float) -> Floats:
        self.count += 1
        self.mean += 0.1 * (slope - self.mean)
        self.square += 0.01 * (slope * slope - self.square)
        mean, square = self.mean / (1 - 0.9**self.count), self.square / (1 - 0.99**self.count)
        return -ease * self.pace * mean / (np.sqrt(square) + 1e-8)


def grounded(goal: Goal) -> Work:
    """The best gradient between four corners, by least squares reweighted a few times."""
    shares = goal.means(ground_shares(goal))
    weights = np.ones(shares.shape[1], np.float32)
    corners = np.zeros((4, 3), np.float32)
    for _ in range(8):
        scaled = shares * weights
        corners = np.linalg.solve(scaled @ shares.T + 1e-4 * np.eye(4), scaled @ goal.colours.T).astype(np.float32)
        weights = goal.weights(corners.T @ shares)
    return Work([], np.empty((0, COUNT), np.float32), np.empty((0, 3), np.float32), np.clip(corners, 0, 1))


def refined(work: Work, goal: Goal, steps: int, haste: float = 1.0) -> Work:
    """All numbers of all layers improved together; the best of what was passed on the way.

    With little haste a painting that is nearly as good as it can be is not spoilt first.
    """
    now, best, lowest = work.copy(), work, math.inf
    numbers = _Descent(now.numbers.shape, PACE)
    colours, corners = _Descent(now.colours.shape, COLOUR_PACE), _Descent(now.corners.shape, COLOUR_PACE)
    for step in range(steps):
        found: Slopes = slopes(now, goal)
        if found.loss < lowest:
            best, lowest = now.copy(), found.loss
        ease = 0.5 * haste * (1.1 + 0.9 * math.cos(math.pi * step / steps))
        now.numbers += numbers.step(found.numbers, ease)
        now.colours += colours.step(found.colours, ease)
        now.corners += corners.step(found.corners, ease)
        now.hold(goal)
    return now if now.loss(goal) < lowest else best


def added(work: Work, goal: Goal, rng: np.random.Generator, tries: int, steps: int) -> Work:
    """One more layer: many are tried where the painting is worst, the best quarter goes on, and so on to one.

    A painting that is as it should be everywhere gets none, nor does one that the best of them would not bring nearer.
    """
    under = work.samples(goal)
    if _wrong(under, goal).max() < UNSEEN**2:
        return work
    kinds, numbers = _tries(under, goal, rng, tries)
    while True:
        numbers, colours, losses = _improved(kinds, numbers, under, goal, steps)
        order = [int(i) for i in np.argsort(losses, kind="stable")[: max(1, len(kinds) // 4)]]
        kinds, numbers, colours = _picked(kinds, order), numbers[order], colours[order]
        if len(kinds) == 1:
            gained = losses[order[0]] < goal.loss(goal.means(under))
            return work.with_layer(kinds[0], numbers[0], colours[0]) if gained else work


def _picked(kinds: Sequence[Kind], order: Sequence[int]) -> list[Kind]:
    return [kinds[i] for i in order]


def thinned(work: Work, goal: Goal, count: int) -> Work:
    """Without the layers that are missed least, so that at most `count` are left."""
    if len(work.kinds) <= count:
        return work
    kept = np.argsort(-np.array(work.missed(goal)), kind="stable")[:count]
    return work.only(sorted(int(i) for i in kept))


def _tries(under: Floats, goal: Goal, rng: np.random.Generator, count: int) -> tuple[list[Kind], Floats]:
    """Shapes at random, in places drawn by how wrong the colours are there."""
    wrong = _wrong(under, goal).astype(np.float64)
    places = rng.choice(len(wrong), size=count, p=wrong / wrong.sum())
    middles = goal.means(goal.points.T).T[places]
    sizes = np.log(goal.cell) + rng.uniform(0, math.log(0.35 / goal.cell + 1), (count, 2))
    rest = [rng.uniform(-math.pi, math.pi, count), rng.uniform(0.2, 1.0, count), rng.uniform(0.6, 1, count)]
    numbers = np.column_stack([middles, sizes, *rest]).astype(np.float32)
    hold(numbers, goal)
    return [TRIED[i % len(TRIED)] for i in range(count)], numbers


def _wrong(samples: Floats, goal: Goal) -> Floats:
    """By how much each cell is wrong, squared."""
    return (goal.differences(goal.means(samples)) ** 2).sum(axis=0)


def _improved(
    kinds: Sequence[Kind], numbers: Floats, under: Floats, goal: Goal, steps: int
) -> tuple[Floats, Floats, Floats]:
    """Each try for itself, a few steps down; with its best colour and its loss."""
    numbers, descent = numbers.copy(), _Descent(numbers.shape, PACE)
    weights = goal.weights(goal.means(under))
    for step in range(steps):
        cover, by_number = masks_and_slopes(kinds, numbers, goal.points)
        colours = _best_colours(cover, under, goal, weights)
        apart = colours[..., None] - under
        _, by_colour = goal.loss_and_slope(goal.means(under + cover[:, None] * apart))
        by_cover = (by_colour * apart).sum(axis=1)
        numbers += descent.step(np.einsum("ls,pls->lp", by_cover, by_number), 1.0 - 0.7 * step / steps)
        hold(numbers, goal)
    cover = masks(kinds, numbers, goal.points)
    colours = _best_colours(cover, under, goal, weights)
    return numbers, colours, goal.loss(goal.means(under + cover[:, None] * (colours[..., None] - under)))


def _best_colours(cover: Floats, under: Floats, goal: Goal, weights: Floats) -> Floats:
    """The colour of each try that brings the cells nearest, by weighted least squares (tries × 3)."""
    share = goal.means(cover)
    kept = goal.means(under - cover[:, None] * under)
    weighted = share * weights
    top = ((goal.colours - kept) * weighted[:, None]).sum(axis=-1)
    return np.clip(top / ((share * weighted).sum(axis=-1)[:, None] + 1e-6), 0, 1)
