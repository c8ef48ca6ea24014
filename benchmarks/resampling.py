"""Rank correlation, and how far a figure may be off by the luck of the sample: what the variety benchmarks share."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
DECIMALS = 9
"""Values that differ by less are ties: they differ by rounding alone."""


def ranks(values: Sequence[float] | Floats) -> Floats:
    """1 for the smallest; equal values share the mean of their ranks."""
    rounded = np.round(np.asarray(values, dtype=np.float64), DECIMALS)
    found: tuple[Any, Any, Any] = np.unique(rounded, return_inverse=True, return_counts=True)
    last = np.cumsum(found[2])
    return (last - (found[2] - 1) / 2)[found[1]]


def correlation(a: Floats, b: Floats) -> float:
    """Pearson's; 0 when one of them is the same everywhere, where it is not defined."""
    x, y = a - a.mean(), b - b.mean()
    size = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / size if size > 1e-12 else 0.0


def spearman(a: Sequence[float] | Floats, b: Sequence[float] | Floats) -> float:
    """Rank correlation with ties."""
    return correlation(ranks(a), ranks(b))


def partial(a: Sequence[float] | Floats, b: Sequence[float] | Floats, given: Sequence[float] | Floats) -> float:
    """Rank correlation of a and b with what both have from `given` taken out; 0 when nothing is left of one."""
    ab, ag, bg = spearman(a, b), spearman(a, given), spearman(b, given)
    left = (1 - ag * ag) * (1 - bg * bg)
    return (ab - ag * bg) / left**0.5 if left > 1e-12 else 0.0


def resampled(count: int, times: int, seed: int) -> list[list[int]]:
    """For a bootstrap: so many draws of `count` places with replacement."""
    rng = random.Random(seed)
    return [[rng.randrange(count) for _ in range(count)] for _ in range(times)]


def halves(count: int, times: int, seed: int) -> list[tuple[list[int], list[int]]]:
    """So many splits of the places into two halves."""
    rng = random.Random(seed)
    splits: list[tuple[list[int], list[int]]] = []
    for _ in range(times):
        places = list(range(count))
        rng.shuffle(places)
        splits.append((sorted(places[: count // 2]), sorted(places[count // 2 :])))
    return splits


def interval(
    measure: Callable[[list[int]], float], draws: Sequence[list[int]], share: float = 0.95
) -> tuple[float, float]:
    """The middle share of a figure over bootstrap draws (percentile interval)."""
    figures = [measure(draw) for draw in draws]
    low, high = np.quantile(figures, [(1 - share) / 2, (1 + share) / 2])
    return float(low), float(high)
