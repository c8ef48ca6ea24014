"""A final image prompt, and the picture that was painted from it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, JsonValue

MAX_PROMPT = 4_000
"""Characters; what image models read."""


class ImagePrompt(BaseModel):
    """A draft: the prompt, ready for an image model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: str


class Painting(BaseModel):
    """The artefact: a prompt that was kept, and from the delivery on its picture."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: str
    picture: str = ""
    """File name in the run folder; empty until it was painted."""
    width: int = 0
    height: int = 0
    """Pixels of the picture."""
    backend: str = ""
    """Who painted it."""
    cost: float | None = 0.0
    """US dollars; None when the price is not known."""
    params: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    """What was sent beside the prompt, and what came back about it."""

    @property
    def source(self) -> str:
        """The prompt."""
        return self.prompt
