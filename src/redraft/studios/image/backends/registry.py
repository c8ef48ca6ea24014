"""The kinds of image backends: their makers, and the embedded backend, which draws.

What draws comes from outside, so that image backends depend on no studio.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from pydantic import JsonValue

from redraft.errors import BudgetError, ConfigError, ImageBackendError, MissingPartError, RedraftError
from redraft.models.messages import ended
from redraft.painting.base import Draw, ImageBackend, ImageReply, ImageRequest, Notify, received, with_progress
from redraft.painting.settings import ImagingSettings
from redraft.studios.image.backends.pictures import SIGNATURE

_PASSED = (BudgetError, ConfigError, ImageBackendError, MissingPartError)
"""Errors that pass unchanged: their class says how to fix them."""


def sketch(argument: str, settings: ImagingSettings, folder: Path, draw: Draw) -> ImageBackend:
    """Return the embedded backend, in which `draw` draws."""
    _refuse_missing(settings.backend, "ortools", "resvg_py", "shapely")
    return SketchBackend(draw, settings)


def openai(argument: str, settings: ImagingSettings, folder: Path, draw: Draw) -> ImageBackend:
    """Return the backend for a model of a server that speaks OpenAI's images API."""
    _refuse_missing(settings.backend, "httpx2", "PIL")
    from redraft.studios.image.backends.openai import OpenAIBackend

    return OpenAIBackend(argument, settings)


def comfyui(argument: str, settings: ImagingSettings, folder: Path, draw: Draw) -> ImageBackend:
    """Return the backend for a workflow of ComfyUI."""
    _refuse_missing(settings.backend, "httpx2", "PIL")
    from redraft.studios.image.backends.comfyui import ComfyUIBackend

    return ComfyUIBackend(argument, settings, folder)


def command(argument: str, settings: ImagingSettings, folder: Path, draw: Draw) -> ImageBackend:
    """Return the backend for a program with its arguments."""
    _refuse_missing(settings.backend, "PIL")
    from redraft.studios.image.backends.command import CommandBackend

    return CommandBackend(argument, settings, folder)


def _refuse_missing(backend: str, *modules: str) -> None:
    if any(find_spec(module) is None for module in modules):
        raise MissingPartError(
            f"The image backend {backend!r} needs a library that is not installed. Install it: pip install "
            "'redraft[image]'"
        )


class SketchBackend:
    """The embedded backend: the sketch studio draws the prompt, with no server and no key.

    Raises `ConfigError` on construction for a size that is not a square.
    """

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

    async def paint(self, request: ImageRequest, notify: Notify) -> ImageReply:
        """Have the prompt drawn.

        Raises:
            ImageBackendError: the sketch studio could not draw it, for the reason that it gives.
        """
        try:
            png, left_out = await with_progress(lambda: self._draw(request), notify)
        except _PASSED:
            raise
        except RedraftError as error:
            raise ImageBackendError(f"sketch drew no picture: {ended(str(error))}") from error
        params: dict[str, JsonValue] = {"model": self._settings.sketch_model, "seed": request.seed}
        if not png.startswith(SIGNATURE) or len(png) < 24:
            raise ImageBackendError("sketch drew no picture: its output is not a PNG.")
        size = (int.from_bytes(png[16:20]), int.from_bytes(png[20:24]))
        came = received(self.name, request, size, "PNG", notify)
        if left_out:
            params["stand_ins"] = list(left_out)
        return ImageReply(png=png, backend=self.name, cost=self._cost(), params=params | came)

    def _cost(self) -> float | None:
        """Drawing by rule is free; what another model cost is in the record of its own run."""
        if self._settings.price is not None:
            return self._settings.price
        return 0.0 if self._settings.sketch_model == "offline" else None
