"""Settings of the image studio: its flags, keyword arguments and section of the configuration."""

from __future__ import annotations

from typing import Annotated

from redraft.studios.requests import StudioSettings
from redraft.trust import Trusted


class ImageSettings(StudioSettings):
    """`studios.image` in the configuration. What paints is set under `images`."""

    refine: bool = True
    """Let three readers review the draft of each stage, in one more model call."""
    concepts_file: Annotated[str | None, Trusted("reads a file", harmless=(None,), inside=True)] = None
    """File of concepts to draw from, with the run's seed, instead of naming them."""
    count: int | None = None
    """Number of concepts to draw from the file (default 3)."""


def own(settings: StudioSettings) -> ImageSettings:
    """The studio's own settings, with defaults where resources have none."""
    return settings if isinstance(settings, ImageSettings) else ImageSettings()
