"""What the record keeps of a picture that came, for every backend alike."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from pydantic import JsonValue

from redraft.imaging.base import ImageRequest, Tell

__all__ = ["Came", "Measured", "received"]


class Measured(Protocol):
    """A picture with a size and the format that it was sent in."""

    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def came_as(self) -> str: ...


class Came(NamedTuple):
    """A picture of which only the header was read."""

    width: int
    height: int
    came_as: str = "PNG"


def received(who: str, request: ImageRequest, picture: Measured, tell: Tell) -> dict[str, JsonValue]:
    """The size asked for, and what came. Another size is told, and no failure: the picture may have been paid for."""
    asked = f"{request.width}x{request.height}"
    came = f"{picture.width}x{picture.height}"
    if came != asked:
        tell(f"{who} sent {came} pixels where {asked} were asked for")
    return {"size": asked, "received": f"{picture.came_as}, {came}"}
