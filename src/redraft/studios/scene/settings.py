"""Settings of the scene studio: its flags, keyword arguments and section of the configuration."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from redraft.metrics.base import MetricName
from redraft.studios.requests import StudioSettings
from redraft.trust import Trusted

Side = Annotated[int, Field(ge=64, le=4096)]
"""Pixels."""


class SceneSettings(StudioSettings):
    """`studios.scene` in the configuration."""

    blender: Annotated[str, Trusted("runs a program")] = "auto"
    """Path of a Python with bpy, or of a blender program; `auto` finds one."""
    version: str = Field(default="", exclude=True)
    """Version of that Blender, found before a run."""
    sandbox: Annotated[
        Literal["auto", "bubblewrap", "landlock", "none"],
        Trusted("runs scripts without a sandbox", harmless=("auto", "bubblewrap", "landlock"), each_time=True),
    ] = "auto"
    """Sandbox of the model's scripts; `none` runs them with your own rights."""
    assets: Annotated[str, Trusted("lets scripts read files", harmless=("",), inside=True)] = ""
    """Folder that the scripts may read."""
    width: Side | None = None
    """Pixels of the render (default 768x576, or the target's shape)."""
    height: Side | None = None
    """Pixels of the render."""
    samples: int = Field(default=48, ge=1, le=4096)
    """Samples a pixel of the render, before denoising."""
    limit: float = Field(default=20.0, gt=0, le=600)
    """Time limit for one script in seconds."""
    memory_limit: Annotated[float, Trusted("allows scripts more memory", at_most=True)] = Field(
        default=4.0, gt=0.5, le=256
    )
    """Memory limit for one script in GiB."""
    metric: MetricName = "flip"
    """Measure of the distance to the target."""
    enough: float | None = Field(default=None, ge=0)
    """Distance at which the target counts as reached (default: the metric's own)."""
    send: Annotated[bool, Trusted("changes the open Blender", harmless=(False,))] = False
    """Place the result into the open Blender, where redraft's add-on listens."""


def own(settings: StudioSettings) -> SceneSettings:
    """Return the settings of this studio; the defaults where none, or those of another studio, are given."""
    return settings if isinstance(settings, SceneSettings) else SceneSettings()
