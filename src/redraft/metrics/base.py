"""What a metric is, and what a measurement says. One run uses one metric; numbers of two are never compared."""

from __future__ import annotations

from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["METRICS", "Metric", "MetricName", "Pixels"]

MetricName = Literal["flip", "ssim", "lpips"]
METRICS: tuple[MetricName, ...] = ("flip", "ssim", "lpips")

Pixels = NDArray[np.uint8]
"""Height × width × 3, sRGB, the top row first."""


class Metric(Protocol):
    """A distance or likeness of two pictures of one size. Deterministic; holds no state that a result depends on."""

    name: str
    """As it stands in the history: `FLIP`, `SSIM`, `LPIPS`; `memory.history.DIRECTIONS` says which way is better."""

    def measure(self, target: Pixels, picture: Pixels) -> float:
        """The figure for one picture. Raises `ValueError` for pictures of different sizes."""
        ...
