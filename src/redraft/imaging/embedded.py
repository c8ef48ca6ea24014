"""The embedded backend: the sketch studio draws the prompt. Whole on a fresh machine, with no server and no key.

The hand that draws is given by the composition root, so that this room knows no studio.
"""

from __future__ import annotations

import struct
from collections.abc import Awaitable, Callable

from pydantic import JsonValue

from redraft.errors import BudgetError, ConfigError, ImageBackendError, MissingPartError, RedraftError
from redraft.imaging.base import ImageReply, ImageRequest, Tell
from redraft.imaging.progress import with_news
from redraft.imaging.received import Came, received
from redraft.imaging.settings import ImagingSettings
from redraft.imaging.words import ended

__all__ = ["Draw", "SketchBackend"]

Draw = Callable[[ImageRequest], Awaitable[bytes]]
"""The embedded backend's hand: draws a prompt as a PNG. Handed in, so that this room knows no studio."""

_MEANT = (BudgetError, ConfigError, ImageBackendError, MissingPartError)
"""What goes through as it is: each says by its class what mends it."""


class SketchBackend:
    """Paints by drawing. Raises `ConfigError` on construction for a size that is no square."""

    def __init__(self, draw: Draw, settings: ImagingSettings) -> None:
        if settings.width != settings.height:
            raise ConfigError(
                f"images.width and images.height are {settings.width} × {settings.height}, and sketch draws squares. "
                "Give both the same, or choose another backend."
            )
        self._draw = draw
        self._settings = settings

    @property
    def name(self) -> str:
        return "sketch"

    async def paint(self, request: ImageRequest, tell: Tell) -> ImageReply:
        """Have the prompt drawn.

        Raises:
            ImageBackendError: the sketch studio could not draw it, for the reason that it gives.
        """
        try:
            png = await with_news(lambda: self._draw(request), tell)
        except _MEANT:
            raise
        except RedraftError as error:
            raise ImageBackendError(f"sketch drew no picture: {ended(str(error))}") from error
        params: dict[str, JsonValue] = {"model": self._settings.sketch_model, "seed": request.seed}
        came = received(self.name, request, _header(png), tell)
        return ImageReply(png=png, backend=self.name, cost=self._cost(), params=params | came)

    def _cost(self) -> float | None:
        """Drawing by rule is free; what another model took stands in the record of its own run."""
        if self._settings.price is not None:
            return self._settings.price
        return 0.0 if self._settings.sketch_model == "offline" else None


def _header(png: bytes) -> Came:
    """What its header says: what redraft rendered itself needs no second look."""
    if not png.startswith(b"\x89PNG\r\n\x1a\n") or len(png) < 24:
        raise ImageBackendError("sketch drew no picture: what came from it is no PNG.")
    width, height = struct.unpack(">II", png[16:24])
    return Came(width, height)
