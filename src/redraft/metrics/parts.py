"""What the metrics share: opening a library that an extra brings, checking and changing the size of pictures."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from redraft.errors import MissingPartError
from redraft.metrics.base import Pixels

__all__ = ["needed", "resized", "same_size"]


def needed(module: str, metric: str, extra: str) -> Any:
    """A module that one of redraft's extras brings. Its types are unknown: such libraries have none.

    Raises:
        MissingPartError: it is not installed, with the command that installs it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingPartError(
            f"{metric} needs the package that holds `{module}`, and it could not be imported ({error}). "
            f"Install it: pip install 'redraft[{extra}]'"
        ) from error


def same_size(target: Pixels, picture: Pixels) -> None:
    """Raises `ValueError` unless both are height × width × 3 and of one size."""
    if target.shape != picture.shape or target.ndim != 3 or target.shape[2] != 3:
        raise ValueError(
            f"A metric compares pictures of one size, height × width × 3; given: {target.shape} and {picture.shape}."
        )


def resized(pixels: Pixels, width: int, height: int) -> Pixels:
    """The picture at another size, by Lanczos; the same array when it has that size already."""
    if pixels.shape[:2] == (height, width):
        return pixels
    from PIL import Image

    return np.asarray(Image.fromarray(pixels).resize((width, height), Image.Resampling.LANCZOS))
