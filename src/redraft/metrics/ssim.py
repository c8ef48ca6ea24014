"""SSIM, the likeness of structure in small windows. Needs no weights; scikit-image has it."""

from __future__ import annotations

from typing import Any

import numpy as np

from redraft.metrics.base import Pixels
from redraft.metrics.parts import needed, same_size

__all__ = ["Ssim"]

WINDOW = 7
"""Pixels a side, scikit-image's own."""


class Ssim:
    """The mean structural similarity of the three channels, 1 for the same picture, down to −1; higher is better.

    Wang et al., "Image quality assessment: from error visibility to structural similarity", 2004, with a uniform window
    of 7 × 7 pixels. A picture with a shorter side is continued by its border pixels until one window fits.
    """

    name = "SSIM"

    def __init__(self) -> None:
        """Raises `MissingPartError` where scikit-image is not installed."""
        self._metrics: Any = needed("skimage.metrics", "SSIM", "shader")

    def measure(self, target: Pixels, picture: Pixels) -> float:
        """The likeness of a picture. Raises `ValueError` for pictures of different sizes."""
        same_size(target, picture)
        likeness = self._metrics.structural_similarity(
            _fitting(target), _fitting(picture), win_size=WINDOW, channel_axis=2, data_range=255
        )
        return float(likeness)


def _fitting(pixels: Pixels) -> Pixels:
    height, width = pixels.shape[:2]
    missing = ((0, max(0, WINDOW - height)), (0, max(0, WINDOW - width)), (0, 0))
    return np.pad(pixels, missing, mode="edge")
