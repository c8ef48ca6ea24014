"""Settings of the board studio: its flags, keyword arguments and section of the configuration."""

from __future__ import annotations

from typing import Literal

from redraft.studios.requests import StudioSettings

__all__ = ["BoardSettings", "own"]


class BoardSettings(StudioSettings):
    """`studios.board` in the configuration."""

    drc: Literal["auto", "always", "never"] = "auto"
    """Ask KiCad's own check: where KiCad is installed, always, or never."""
    to: str | None = None
    """Write the placed board to this file, if it is not worse than the input."""
    in_place: bool = False
    """Write the board itself; the original is kept as .bak."""
    ripup: bool = False
    """Remove the tracks that ended at the pads of moved components."""
    force: bool = False
    """Write it even if it is worse than what came in."""


def own(settings: StudioSettings) -> BoardSettings:
    """Return the studio's own settings, with defaults where resources have none."""
    return settings if isinstance(settings, BoardSettings) else BoardSettings()
