"""Settings of the sketch studio: its flags, keyword arguments and section of the configuration."""

from __future__ import annotations

from pydantic import Field

from redraft.studios.requests import StudioSettings

DELIVERED_SIZE = 1024
"""Pixels a side of the delivered PNG, unless set."""


class SketchSettings(StudioSettings):
    """`studios.sketch` in the configuration."""

    animate: bool = False
    """Also deliver an SVG that draws itself."""

    size: int = Field(default=DELIVERED_SIZE, ge=16, le=8192)
    """Side of the PNG in pixels."""


def own(settings: StudioSettings) -> SketchSettings:
    """Return the studio's own settings, with defaults where resources have none."""
    return settings if isinstance(settings, SketchSettings) else SketchSettings()
