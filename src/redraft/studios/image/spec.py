"""A final image prompt, and the picture that was painted from it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from redraft.result import Ruling
from redraft.studios.requests import StudioSettings

__all__ = ["MAX_PROMPT", "ImagePrompt", "ImageSettings", "Painting", "own"]

MAX_PROMPT = 4_000
"""Characters; what image models read."""


class ImageSettings(StudioSettings):
    """`studios.image` in the configuration. What paints is set under `images`."""

    refine: bool = True
    """Have three readers go over the draft of each stage."""
    concepts_file: str | None = None
    """File of concepts to draw from, with the run's seed, instead of naming them."""
    count: int | None = None
    """How many concepts to draw from the file (3 if left out)."""


def own(settings: StudioSettings) -> ImageSettings:
    """The studio's own settings, with defaults where a resources has none."""
    return settings if isinstance(settings, ImageSettings) else ImageSettings()


class ImagePrompt(BaseModel):
    """A draft: the prompt, ready for an image model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: str
    rulings: tuple[Ruling, ...] = ()
    """Its answers to what was asked."""


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
