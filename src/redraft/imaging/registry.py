"""From a backend's name, as a person types it, to an image backend."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from redraft.imaging.base import ImageBackend, ImageRequest
from redraft.imaging.settings import ImagingSettings

__all__ = ["Draw", "open_backend"]

Draw = Callable[[ImageRequest], Awaitable[bytes]]
"""The embedded backend's hand: draws a prompt as a PNG. Handed in, so that this room knows no studio."""


def open_backend(settings: ImagingSettings, *, draw: Draw, folder: Path) -> ImageBackend:
    """The backend that the settings name; relative files (a workflow, a program) are looked for from `folder`.

    Raises:
        ConfigError: it is unknown, its key or workflow is missing, or it cannot honour a setting.
        MissingPartError: a program or library that it needs is not installed.
    """
    raise NotImplementedError
