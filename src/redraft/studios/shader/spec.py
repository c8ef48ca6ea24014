"""Draft, artifact and settings of the shader studio."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

MAX_LINES = 2_000
MAX_CHARACTERS = 200_000
"""Of one shader. What fits on a screen thirty times over is generated, not written."""


class _Noun(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Draft(_Noun):
    """What a reply holds: one line that says what was tried, and a fragment shader."""

    approach: str
    code: str
    """As the model wrote it: line 1 of it is line 1 of every error message."""


class Frame(_Noun):
    """One rendered frame."""

    time: float
    """Seconds; what `u_time` was."""
    picture: str
    """PNG in the run's picture folder."""
    low: float
    high: float
    """The darkest and the brightest channel value of all pixels that are numbers; what is shown is cut to 0 to 1."""
    colour: str
    """The mean colour, `#rrggbb`."""
    spread: float
    """The largest difference of any channel within the frame, 0 to 1: 0 is one colour."""
    broken: float = 0.0
    """The share of pixels that are not finite, 0 to 1."""


class Shader(_Noun):
    """A shader that compiled, and its frames."""

    code: str
    width: int
    height: int
    seconds: float
    loop: bool
    compiler: str
    """Who compiled it, with version: `Mesa 22.3.6`."""
    frames: tuple[Frame, ...]
    closing: str | None = None
    """For a loop: the frame at `seconds`, PNG in the run's picture folder."""
    seam: float | None = None
    """How far it is from the first, in mean channel values, 0 to 1."""
    step: float | None = None
    """Beside it: the largest such distance of two neighbouring frames."""
    milliseconds: float | None = None
    """How long a frame of an animation took, the median; None where it was not measured. Not part of what is
    delivered: a clock never shows the same twice."""

    @property
    def source(self) -> str:
        """The shader, whole: what a model should see again."""
        return self.code


FILE = "shader.json"
