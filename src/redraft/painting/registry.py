"""From a backend's name, as a user types it, to an image backend."""

from __future__ import annotations

import difflib
from pathlib import Path

from redraft.errors import ConfigError
from redraft.extras import entry_points
from redraft.painting.base import Draw, ImageBackend
from redraft.painting.settings import ImagingSettings

GROUP = "redraft.backends"
"""The entry point group of image backends by kind, the word before the colon: functions that take what
stands after the colon, the settings, the folder of relative files, and what draws for the embedded backend."""
UNSUPPORTED: dict[str, tuple[str, ...]] = {
    "sketch": ("base_url", "api_key_env", "quality"),
    "openai": ("sketch_model",),
    "comfyui": ("quality", "sketch_model"),
    "command": ("base_url", "quality", "sketch_model"),
}
"""Settings that a kind of backend cannot honor. The limits of time and tries have defaults that hold for all."""
KNOWN = "sketch, openai:MODEL, comfyui:WORKFLOW.json and command:PROGRAM …"
EXAMPLES = {
    "openai": "openai:gpt-image-2",
    "comfyui": "comfyui:workflow.json",
    "command": "command:./paint.sh {prompt_file} {out}",
}


def open_backend(settings: ImagingSettings, *, draw: Draw, folder: Path) -> ImageBackend:
    """Return the backend that the settings name; relative files (a workflow, a program) are looked for from `folder`.

    Raises:
        ConfigError: it is unknown, its key or workflow is missing, or it cannot honor a setting.
        MissingPartError: a program or library that it needs is not installed.
    """
    kind, colon, argument = settings.backend.strip().partition(":")
    makers = {point.name: point for point in entry_points(group=GROUP)}
    if kind not in makers or (kind == "sketch") == bool(colon):
        raise ConfigError(_unknown(settings.backend, list(makers)))

    # A setting without effect is refused before anything is painted.
    fields = ImagingSettings.model_fields
    unsupported = [name for name in UNSUPPORTED.get(kind, ()) if getattr(settings, name) != fields[name].default]
    if unsupported:
        names = " and ".join(f"images.{name}" for name in unsupported)
        raise ConfigError(f"The image backend {settings.backend!r} does not know {names}; remove it.")
    return makers[kind].load()(argument.strip(), settings, folder, draw)


def _unknown(backend: str, kinds: list[str]) -> str:
    """Return the message with what was probably meant: a kind misspelled, or its name left out."""
    kind, colon, argument = backend.strip().partition(":")
    close = difflib.get_close_matches(kind, kinds, n=1, cutoff=0.6)
    hint = ""
    if kind == "sketch":
        hint = " It takes nothing after a colon; images.sketch_model names the model that draws."
    elif kind in kinds:
        hint = f" Say which one, as in {EXAMPLES[kind]}."
    elif close:
        meant = f"{close[0]}{colon}{argument}" if colon or close[0] == "sketch" else EXAMPLES[close[0]]
        hint = f" Did you mean {meant}?"
    elif kind.lower().endswith(".json"):
        hint = f" Did you mean comfyui:{backend.strip()}?"
    elif kind.startswith(("gpt-image", "chatgpt-image", "dall-e")):
        hint = f" Did you mean openai:{backend.strip()}?"
    return f"images.backend is {backend!r}, which is not an image backend.{hint} Known backends: {KNOWN}."
