"""Draft and artifact of the shader studio."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

MAX_LINES = 2_000
MAX_CHARACTERS = 200_000
"""Characters of one shader; what is longer was generated, not written."""


class _Noun(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Draft(_Noun):
    """The content of a reply: one line that says what was tried, and a fragment shader."""

    approach: str
    code: str
    """As the model wrote it: line 1 of it is line 1 of every error message."""


class Frame(_Noun):
    """One rendered frame."""

    time: float
    """Seconds: the value of `u_time`."""
    picture: str
    """PNG in the run's picture folder."""
    low: float
    high: float
    """The darkest and the brightest channel value of all pixels that are numbers; what is shown is cut to 0 to 1."""
    colour: str
    """The mean color, `#rrggbb`."""
    spread: float
    """The largest difference of any channel within the frame, 0 to 1: 0 is one color."""
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
    """The compiler with its version: `Mesa 22.3.6`."""
    frames: tuple[Frame, ...]
    closing: str | None = None
    """For a loop: the frame at `seconds`, PNG in the run's picture folder."""
    seam: float | None = None
    """Distance of the closing frame from the first, in mean channel values, 0 to 1."""
    step: float | None = None
    """The largest such distance of two neighboring frames."""
    milliseconds: float | None = None
    """Median time to render a frame of an animation; None where it was not measured. It is not delivered, as it is
    never the same twice."""

    @property
    def source(self) -> str:
        """The whole shader, as a model should see it again."""
        return self.code


FILE = "shader.json"
