"""Settings of the shader studio: its flags, keyword arguments and section of the configuration."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from redraft.metrics.base import MetricName
from redraft.studios.requests import StudioSettings

Side = Annotated[int, Field(ge=16, le=2048)]
"""Pixels."""


class ShaderSettings(StudioSettings):
    """`studios.shader` in the configuration."""

    frames: int | None = Field(default=None, ge=1, le=240)
    """Frames at even times (default 12, 1 with a target, or those of the run that is continued)."""
    seconds: float = Field(default=4.0, gt=0, le=600)
    """Time that the frames cover.

    Frame i of n is at i · seconds / n, so that a loop has no frame twice.
    """
    width: Side | None = None
    """Pixels (default 512x512, the target's shape at 512, or the size of the run that is continued)."""
    height: Side | None = None
    loop: bool = False
    """Make the animation a seamless loop, and check it."""
    metric: MetricName = "flip"
    """Measure of the distance to the target."""
    enough: float | None = Field(default=None, ge=0, le=1)
    """Score that ends the run (default 0.02 for FLIP, 0.98 for SSIM, 0.05 for LPIPS)."""
    limit: float = Field(default=20.0, gt=0, le=600)
    """Time limit for all frames of one attempt in seconds."""


def own(settings: StudioSettings) -> ShaderSettings:
    """Return the settings of this studio; the defaults where none, or those of another studio, are given."""
    return settings if isinstance(settings, ShaderSettings) else ShaderSettings()
