"""From a backend's name, as a user types it, to an image backend; and the embedded one, which draws.

The hand that draws comes from outside, so that image backends depend on no studio.
"""

from __future__ import annotations

import difflib
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from redraft.errors import BudgetError, ConfigError, ImageBackendError, MissingPartError, RedraftError
from redraft.models.messages import ended
from redraft.painting.base import ImageBackend, ImageReply, ImageRequest, Notify, received, with_progress
from redraft.painting.settings import ImagingSettings
from redraft.studios.image.backends.pictures import SIGNATURE


class Drawn(NamedTuple):
    """A drawing of a prompt."""

    png: bytes
    stand_ins: tuple[str, ...] = ()
    """Things of the prompt that it leaves out, or has only placeholders for."""


Draw = Callable[[ImageRequest], Awaitable[Drawn]]
"""Draws a prompt."""

_UNSUPPORTED: dict[str, tuple[str, ...]] = {
    "sketch": ("base_url", "api_key_env", "quality"),
    "openai": ("sketch_model",),
    "comfyui": ("quality", "sketch_model"),
    "command": ("base_url", "quality", "sketch_model"),
}
"""Settings that a kind of backend cannot honor. The limits of time and tries have defaults that hold for all."""
_KNOWN = "sketch, openai:MODEL, comfyui:WORKFLOW.json and command:PROGRAM …"
_EXAMPLES = {
    "openai": "openai:gpt-image-2",
    "comfyui": "comfyui:workflow.json",
    "command": "command:./paint.sh {prompt_file} {out}",
}
_PASSED = (BudgetError, ConfigError, ImageBackendError, MissingPartError)
"""Errors that pass unchanged: their class says how to fix them."""


def open_backend(settings: ImagingSettings, *, draw: Draw, folder: Path) -> ImageBackend:
    """The backend that the settings name; relative files (a workflow, a program) are looked for from `folder`.

    Raises:
        ConfigError: it is unknown, its key or workflow is missing, or it cannot honor a setting.
        MissingPartError: a program or library that it needs is not installed.
    """
    kind, colon, argument = settings.backend.strip().partition(":")
    makers: dict[str, Callable[[], ImageBackend]] = {
        "sketch": lambda: _sketch(draw, settings),
        "openai": lambda: _openai(argument.strip(), settings),
        "comfyui": lambda: _comfyui(argument.strip(), settings, folder),
        "command": lambda: _command(argument.strip(), settings, folder),
    }
    if kind not in makers or (kind == "sketch") == bool(colon):
        raise ConfigError(_unknown(settings.backend, list(makers)))
    _refuse_unsupported(kind, settings)
    return makers[kind]()


def _sketch(draw: Draw, settings: ImagingSettings) -> ImageBackend:
    _refuse_missing(settings.backend, "ortools", "resvg_py", "shapely")
    return SketchBackend(draw, settings)


def _openai(model: str, settings: ImagingSettings) -> ImageBackend:
    _refuse_missing(settings.backend, "httpx2", "PIL")
    from redraft.studios.image.backends.openai import OpenAIBackend

    return OpenAIBackend(model, settings)


def _comfyui(file: str, settings: ImagingSettings, folder: Path) -> ImageBackend:
    _refuse_missing(settings.backend, "httpx2", "PIL")
    from redraft.studios.image.backends.comfyui import ComfyUIBackend

    return ComfyUIBackend(file, settings, folder)


def _command(line: str, settings: ImagingSettings, folder: Path) -> ImageBackend:
    _refuse_missing(settings.backend, "PIL")
    from redraft.studios.image.backends.command import CommandBackend

    return CommandBackend(line, settings, folder)


def _refuse_missing(backend: str, *modules: str) -> None:
    if any(find_spec(module) is None for module in modules):
        raise MissingPartError(
            f"The image backend {backend!r} needs a library that is not installed. Install it: pip install "
            "'redraft[image]'"
        )


def _refuse_unsupported(kind: str, settings: ImagingSettings) -> None:
    """Refuse a setting without effect before anything is painted."""
    fields = ImagingSettings.model_fields
    unsupported = [name for name in _UNSUPPORTED[kind] if getattr(settings, name) != fields[name].default]
    if unsupported:
        names = " and ".join(f"images.{name}" for name in unsupported)
        raise ConfigError(f"The image backend {settings.backend!r} does not know {names}; remove it.")


def _unknown(backend: str, kinds: list[str]) -> str:
    """With what was probably meant: a kind misspelled, or its name left out."""
    kind, colon, argument = backend.strip().partition(":")
    close = difflib.get_close_matches(kind, kinds, n=1, cutoff=0.6)
    hint = ""
    if kind == "sketch":
        hint = " It takes nothing after a colon; images.sketch_model names the model that draws."
    elif kind in kinds:
        hint = f" Say which one, as in {_EXAMPLES[kind]}."
    elif close:
        meant = f"{close[0]}{colon}{argument}" if colon or close[0] == "sketch" else _EXAMPLES[close[0]]
        hint = f" Did you mean {meant}?"
    elif kind.lower().endswith(".json"):
        hint = f" Did you mean comfyui:{backend.strip()}?"
    elif kind.startswith(("gpt-image", "chatgpt-image", "dall-e")):
        hint = f" Did you mean openai:{backend.strip()}?"
    return f"images.backend is {backend!r}, which is not an image backend.{hint} Known backends: {_KNOWN}."


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
