"""The seam to whatever paints: one method, `async paint(ImageRequest, tell) -> ImageReply`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, JsonValue

__all__ = ["ImageBackend", "ImageReply", "ImageRequest", "Tell", "nobody"]

Tell = Callable[[str], None]
"""Told in one line how far it is, or why it is asked again."""


def nobody(line: str) -> None:
    """Tells nobody."""


class ImageRequest(BaseModel):
    """One picture that is wanted."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: str
    seed: int
    """Of the picture; a backend without seeds ignores it and says so in its reply's `params`."""
    width: int
    height: int
    """Pixels."""


class ImageReply(BaseModel):
    """A picture."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    png: bytes = Field(repr=False)
    """Decoded and found whole, whatever the server sent."""
    backend: str
    """Who painted it, with its model: `openai:gpt-image-1`."""
    cost: float | None = 0.0
    """US dollars; None when the price is not known."""
    params: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    """What was sent beside the prompt, and what came back about it (a revised prompt, tries)."""


@runtime_checkable
class ImageBackend(Protocol):
    """Paints. Implementations hold no state that a second request could depend on."""

    @property
    def name(self) -> str:
        """As it stands in the record: `sketch`, `openai:gpt-image-1`."""
        ...

    async def paint(self, request: ImageRequest, tell: Tell) -> ImageReply:
        """Paint one picture.

        Raises:
            ImageBackendError: out of reach after all tries, refused, or what came is no picture.
        """
        ...
