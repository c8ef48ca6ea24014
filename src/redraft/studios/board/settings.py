"""Settings of the board studio: its flags, keyword arguments and section of the configuration."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from redraft.studios.requests import StudioSettings
from redraft.trust import Trusted


class BoardSettings(StudioSettings):
    """`studios.board` in the configuration."""

    drc: Literal["auto", "always", "never"] = "auto"
    """Run KiCad's own check: if KiCad is installed (auto), always, or never."""
    to: Annotated[str | None, Trusted("writes elsewhere", harmless=(None,), inside=True)] = None
    """Write the placed board to this file, if it is not worse than the input."""
    in_place: Annotated[bool, Trusted("writes the board itself", harmless=(False,))] = False
    """Write the board itself; the original is kept as .bak."""
    ripup: bool = False
    """Remove the tracks that ended at the pads of moved components."""
    all: bool = False
    """Place all components that are not placed yet; the instruction may be left out."""
    replace: bool = False
    """With all: also components that are placed and not locked; connectors and mounting holes stay."""
    effort: float = Field(default=1.0, gt=0, le=100)
    """With all: search effort; 2 takes twice as long as 1, for shorter wires."""
    time_limit: float | None = Field(default=None, gt=0)
    """With all: end the search after this many seconds and keep the best so far."""
    force: bool = False
    """Write the board even if the result is not valid."""


def own(settings: StudioSettings) -> BoardSettings:
    """Return the studio's own settings, with defaults where resources have none."""
    return settings if isinstance(settings, BoardSettings) else BoardSettings()
