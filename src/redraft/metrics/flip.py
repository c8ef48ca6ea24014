"""FLIP, NVIDIA's model of the difference that a person sees when two pictures are shown in turn.

Needs no weights. `pip install 'redraft[shader]'` brings it (the package `flip-evaluator`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from redraft.metrics.base import Pixels
from redraft.metrics.parts import needed, same_size

__all__ = ["Flip"]


class Flip:
    """The mean of the LDR-FLIP error map, 0 (no visible difference) to 1; lower is better.

    Andersson et al., "FLIP: A Difference Evaluator for Alternating Images", 2020, with its usual distance of viewing
    (67 pixels per degree).
    """

    name = "FLIP"

    def __init__(self) -> None:
        """Raises `MissingPartError` where `flip-evaluator` is not installed."""
        self._flip: Any = needed("flip_evaluator", "FLIP", "shader")

    def measure(self, target: Pixels, picture: Pixels) -> float:
        """The mean error of a picture. Raises `ValueError` for pictures of different sizes."""
        same_size(target, picture)
        _, mean, _ = self._flip.evaluate(_unit(target), _unit(picture), "LDR", applyMagma=False)
        return float(mean)


def _unit(pixels: Pixels) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.ascontiguousarray(pixels, dtype=np.float32) / np.float32(255)
