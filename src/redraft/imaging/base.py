"""The seam to image backends, `async paint(ImageRequest, tell) -> ImageReply`, and what every backend uses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar, runtime_checkable

import anyio
from pydantic import BaseModel, ConfigDict, Field, JsonValue

__all__ = ["ImageBackend", "ImageReply", "ImageRequest", "Tell", "nobody", "received", "with_news"]

T = TypeVar("T")
Tell = Callable[[str], None]
"""Receives progress and reasons for another try, a line at a time."""


def nobody(line: str) -> None:
    """Drop the line."""


class ImageRequest(BaseModel):
    """One picture to paint."""

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
    """Implementations hold no state that a second request could depend on."""

    @property
    def name(self) -> str:
        """As it stands in the record: `sketch`, `openai:gpt-image-1`."""
        ...

    async def paint(self, request: ImageRequest, tell: Tell) -> ImageReply:
        """Paint one picture.

        Raises:
            ImageBackendError: out of reach after all tries, refused, or what came is not a picture.
        """
        ...


def received(who: str, request: ImageRequest, size: tuple[int, int], came_as: str, tell: Tell) -> dict[str, JsonValue]:
    """Return the size asked for and what came, for the record: pixels, and the format that was sent (`PNG`, `JPEG` …).

    Another size is told but is not a failure: the picture may have been paid for.
    """
    asked, came = f"{request.width}x{request.height}", f"{size[0]}x{size[1]}"
    if came != asked:
        tell(f"{who} sent {came} pixels where {asked} were asked for")
    return {"size": asked, "received": f"{came_as}, {came}"}


async def with_news(work: Callable[[], Awaitable[T]], tell: Tell, *, every: float = 15.0) -> T:
    """Do the work and tell every so many seconds how long it has been painting. Errors of the work go through."""
    started = anyio.current_time()
    result: list[T] = []
    failure: list[Exception] = []

    async def news() -> None:
        while True:
            await anyio.sleep(every)
            tell(f"painting, {anyio.current_time() - started:.0f} s")

    async with anyio.create_task_group() as group:
        group.start_soon(news)
        try:
            result.append(await work())
        except Exception as error:  # raised below: a task group would wrap it
            failure.append(error)
        group.cancel_scope.cancel()
    if failure:
        raise failure[0]
    return result[0]
