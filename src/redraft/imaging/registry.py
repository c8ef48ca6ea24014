"""From a backend's name, as a person types it, to an image backend."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from redraft.errors import ConfigError, MissingPartError
from redraft.imaging.base import ImageBackend
from redraft.imaging.embedded import Draw, SketchBackend
from redraft.imaging.settings import ImagingSettings

__all__ = ["Draw", "open_backend"]

_IDLE: dict[str, tuple[str, ...]] = {
    "sketch": ("base_url", "api_key_env", "quality"),
    "openai": ("sketch_model",),
    "comfyui": ("quality", "sketch_model"),
    "command": ("base_url", "api_key_env", "quality", "sketch_model"),
}
"""Settings that a kind of backend cannot honour. The limits of time and tries have defaults that hold for all."""
_KNOWN = "sketch, openai:MODEL, comfyui:WORKFLOW.json and command:PROGRAM …"


def open_backend(settings: ImagingSettings, *, draw: Draw, folder: Path) -> ImageBackend:
    """The backend that the settings name; relative files (a workflow, a program) are looked for from `folder`.

    Raises:
        ConfigError: it is unknown, its key or workflow is missing, or it cannot honour a setting.
        MissingPartError: a program or library that it needs is not installed.
    """
    kind, colon, argument = settings.backend.strip().partition(":")
    makers: dict[str, Callable[[], ImageBackend]] = {
        "sketch": lambda: SketchBackend(draw, settings),
        "openai": lambda: _openai(argument.strip(), settings),
        "comfyui": lambda: _comfyui(argument.strip(), settings, folder),
        "command": lambda: _command(argument.strip(), settings, folder),
    }
    if kind not in makers or (kind == "sketch") == bool(colon):
        raise ConfigError(_unknown(settings.backend, list(makers)))
    _refuse_idle(kind, settings)
    return makers[kind]()


def _openai(model: str, settings: ImagingSettings) -> ImageBackend:
    _refuse_missing(settings.backend, "httpx2", "PIL")
    from redraft.imaging.openai import OpenAIBackend

    return OpenAIBackend(model, settings)


def _comfyui(file: str, settings: ImagingSettings, folder: Path) -> ImageBackend:
    _refuse_missing(settings.backend, "httpx2", "PIL")
    from redraft.imaging.comfyui import ComfyUIBackend

    return ComfyUIBackend(file, settings, folder)


def _command(line: str, settings: ImagingSettings, folder: Path) -> ImageBackend:
    _refuse_missing(settings.backend, "PIL")
    from redraft.imaging.command import CommandBackend

    return CommandBackend(line, settings, folder)


def _refuse_missing(backend: str, *modules: str) -> None:
    if any(find_spec(module) is None for module in modules):
        raise MissingPartError(
            f"The image backend {backend!r} needs a library that is not installed. Install it: pip install "
            "'redraft[image]'"
        )


def _refuse_idle(kind: str, settings: ImagingSettings) -> None:
    """What a person set and would not get is said before anything is painted."""
    fields = ImagingSettings.model_fields
    idle = [name for name in _IDLE[kind] if getattr(settings, name) != fields[name].default]
    if idle:
        names = " and ".join(f"images.{name}" for name in idle)
        raise ConfigError(f"The image backend {settings.backend!r} does not know {names}; remove it.")


def _unknown(backend: str, kinds: list[str]) -> str:
    """With what was probably meant: a kind misspelt, or its name left out."""
    kind, colon, argument = backend.strip().partition(":")
    close = difflib.get_close_matches(kind, kinds, n=1, cutoff=0.6)
    hint = ""
    if kind == "sketch":
        hint = " It takes nothing after a colon; which model draws is images.sketch_model."
    elif kind in kinds:
        hint = f" Say which one, as in {_EXAMPLES[kind]}."
    elif close:
        hint = (
            f" Did you mean {close[0]}{colon}{argument}?" if colon or close[0] == "sketch" else f" {_meant(close[0])}"
        )
    elif kind.lower().endswith(".json"):
        hint = f" Did you mean comfyui:{backend.strip()}?"
    elif kind.startswith(("gpt-image", "chatgpt-image", "dall-e")):
        hint = f" Did you mean openai:{backend.strip()}?"
    return f"images.backend is {backend!r}, which is no image backend.{hint} Known are {_KNOWN}."


_EXAMPLES = {
    "openai": "openai:gpt-image-2",
    "comfyui": "comfyui:workflow.json",
    "command": "command:./paint.sh {prompt_file} {out}",
}


def _meant(kind: str) -> str:
    return f"Did you mean {_EXAMPLES[kind]}?"
