"""The seam to image backends, `async paint(ImageRequest, notify) -> ImageReply`, and what every backend uses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

import anyio
from pydantic import BaseModel, ConfigDict, Field, JsonValue

T = TypeVar("T")
Notify = Callable[[str], None]
"""A callback that gets progress and reasons for another try, a line at a time."""


def silent(line: str) -> None:
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
    """Decoded and found whole."""
    backend: str
    """The backend with its model: `openai:gpt-image-1`."""
    cost: float | None = 0.0
    """US dollars; None when the price is not known."""
    params: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    """Parameters of the request, and facts of the answer (a revised prompt, tries)."""


class Drawn(NamedTuple):
    """A drawing of a prompt."""

    png: bytes
    stand_ins: tuple[str, ...] = ()
    """Things of the prompt that it leaves out, or has only placeholders for."""


Draw = Callable[[ImageRequest], Awaitable[Drawn]]
"""Draws a prompt."""


@runtime_checkable
class ImageBackend(Protocol):
    """Implementations hold no state that a second request could depend on."""

    @property
    def name(self) -> str:
        """As it stands in the record: `sketch`, `openai:gpt-image-1`."""
        ...

    async def paint(self, request: ImageRequest, notify: Notify) -> ImageReply:
        """Paint one picture.

        Raises:
            ImageBackendError: out of reach after all tries, refused, or the answer is not a picture.
        """
        ...


def received(
    who: str, request: ImageRequest, size: tuple[int, int], came_as: str, notify: Notify
) -> dict[str, JsonValue]:
    """Return the requested and the received size for the record, in pixels, and the received format (`PNG`, `JPEG` …).

    Another size is reported but is not a failure: the picture may have been paid for.
    """
    expected, actual = f"{request.width}x{request.height}", f"{size[0]}x{size[1]}"
    if actual != expected:
        notify(f"{who} sent {actual} pixels instead of {expected}")
    return {"size": expected, "received": f"{came_as}, {actual}"}


async def with_progress(work: Callable[[], Awaitable[T]], notify: Notify, *, every: float = 15.0) -> T:
    """Do the work, and notify of the time it takes every so many seconds. Errors of the work go through."""
    started = anyio.current_time()
    result: list[T] = []
    failure: list[Exception] = []

    async def news() -> None:
        while True:
            await anyio.sleep(every)
            notify(f"painting, {anyio.current_time() - started:.0f} s")

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
