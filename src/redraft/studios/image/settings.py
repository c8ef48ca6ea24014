"""Settings of the image studio: its flags, keyword arguments and section of the configuration."""

from __future__ import annotations

from redraft.studios.requests import StudioSettings

__all__ = ["ImageSettings", "own"]


class ImageSettings(StudioSettings):
    """`studios.image` in the configuration. What paints is set under `images`."""

    refine: bool = True
    """Have three readers go over the draft of each stage."""
    concepts_file: str | None = None
    """File of concepts to draw from, with the run's seed, instead of naming them."""
    count: int | None = None
    """How many concepts to draw from the file (3 if left out)."""


def own(settings: StudioSettings) -> ImageSettings:
    """The studio's own settings, with defaults where resources have none."""
    return settings if isinstance(settings, ImageSettings) else ImageSettings()
