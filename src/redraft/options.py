"""The options of a studio's run, declared once: flags, keyword arguments, help and checks come from here.

An option is a setting of `Config`, a field of the studio's own settings, or an input of the brief. `SHARED` names the
settings that have a flag of their own; every field of a studio's settings has one.
"""

from __future__ import annotations

import difflib
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, JsonValue
from pydantic.fields import FieldInfo

from redraft.config import Config, ConfigReport, load, refuse_unused, value_at
from redraft.errors import ConfigError, MissingPartError
from redraft.studios import open_studio, settings_of, studio_names
from redraft.studios.base import Studio
from redraft.studios.kinds import PaintingStudio, ProgramStudio

SHARED = {
    "model": "model",
    "seed": "seed",
    "candidates": "loop.candidates",
    "iterations": "loop.iterations",
    "repairs": "loop.repairs",
    "fixes": "loop.fixes",
    "polish": "loop.polish",
    "heuristics": "validation.heuristics",
    "critic": "loop.critic",
    "memory": "memory",
    "scoring": "prompt.scoring.enabled",
    "ideas": "prompt.scoring.num_ideas",
    "exploration": "prompt.scoring.exploration_rate",
    "ideas_retries": "prompt.scoring.retries",
    "judge_model": "prompt.scoring.judge_model",
    "max_calls": "budget.calls",
    "max_tokens": "budget.tokens",
    "max_cost": "budget.cost",
    "base_url": "models.base_url",
}
"""Options of every studio, by the key of the setting."""
PAINTED = {
    "backend": "images.backend",
    "image_url": "images.base_url",
    "width": "images.width",
    "height": "images.height",
}
"""Options of studios whose delivery an image backend paints."""
INPUTS = {
    "on": "Continue an earlier run: its folder, or `last`.",
    "target": "Work toward this picture; each turn is scored by its distance from it.",
    "reference": "Study this file, a program or notes, before drafting.",
    "source": "Work on this file.",
    "profile": "Choose among ideas by this taste profile (YAML or JSON).",
}
"""Files that a brief may name."""


@dataclass(frozen=True)
class Option:
    """One option: `--name` on the command line, `name=` in Python."""

    name: str
    keys: tuple[str, ...]
    """Dotted keys of the settings that it sets (two for a size, width and height); none for an input of the brief."""
    type: Any
    """`bool`, `int`, `float`, `str`, `Path`, a `Literal`, or `tuple` for a size."""
    help: str
    default: JsonValue = None
    """None where it is left open."""


def options_of(studio: Studio[Any, Any]) -> tuple[Option, ...]:
    """Return the options of a studio's run: its own settings first, then inputs, then those that all studios share."""
    own = [
        _option(name, f"studios.{studio.name}.{name}", field, field.default)
        for name, field in studio.settings_model.model_fields.items()
        if not field.exclude
    ]
    taken = {"on", "profile", *studio.takes}
    inputs = [Option(name, (), Path, text) for name, text in INPUTS.items() if name in taken]
    shared = dict(SHARED)
    if not isinstance(studio, ProgramStudio):
        del shared["memory"]
    if not studio.judged:
        del shared["critic"]
    if isinstance(studio, PaintingStudio):
        shared |= PAINTED
    settings, rest = Config(), list[Option]()
    for name, key in shared.items():
        section, _, last = key.rpartition(".")
        owner: BaseModel = value_at(settings, section) if section else settings
        rest.append(_option(name, key, type(owner).model_fields[last], getattr(owner, last)))
    options = {option.name: option for option in (*own, *inputs, *rest)}

    # Width and height are one option, `size`, in the place of the width.
    if {"width", "height"} <= options.keys():
        width, height = options["width"], options.pop("height")
        default = None if width.default is None else f"{width.default}x{height.default}"
        text = width.help.replace("Pixels", "Width and height in pixels", 1)
        options["width"] = Option("size", (*width.keys, *height.keys), tuple, text, default)
    return tuple(options.values())


def _option(name: str, key: str, field: FieldInfo, default: Any) -> Option:
    text = (field.description or "").split("\n\n")[0].replace("\n", " ").strip()
    return Option(name, (key,), _plain(field.annotation), text, default)


def _plain(annotation: Any) -> Any:
    """Return a field's type without `None` and metadata."""
    origin = typing.get_origin(annotation)
    if origin is Annotated:
        return _plain(typing.get_args(annotation)[0])
    if origin in (typing.Union, types.UnionType):
        return _plain(next(a for a in typing.get_args(annotation) if a is not type(None)))
    return annotation


def config_of(
    studio: Studio[Any, Any],
    given: Mapping[str, Any],
    *,
    file: Path | None = None,
    more: Mapping[str, JsonValue] | None = None,
    how: str = "as a keyword argument",
) -> Config:
    """Return the settings of a run: defaults, file and environment, then options by name, then `more` by dotted keys.

    Raises:
        ConfigError: an option is unknown, a value is wrong, or a setting cannot have an effect in this run.
    """
    overrides = {**(more or {}), **overrides_of(studio, given)}
    report = check_config(file, overrides, how)
    refuse_unused(report)
    idle = sorted(key for key in overrides if key.startswith("prompt.scoring."))
    if idle and not report.config.prompt.scoring.enabled and "prompt.scoring.enabled" not in overrides:
        raise ConfigError(
            f"{idle[0]} applies to choosing among ideas, and this run has none: add --ideas N, or set "
            "prompt.scoring.enabled."
        )
    return report.config


def overrides_of(studio: Studio[Any, Any], given: Mapping[str, Any]) -> dict[str, JsonValue]:
    """Return options as settings by dotted keys. Raises `ConfigError` for an unknown option."""
    options = {option.name: option for option in options_of(studio) if option.keys}
    overrides: dict[str, JsonValue] = {}
    for name, value in given.items():
        if name not in options:
            known = [option.name for option in options_of(studio)] + ["config", "out", "observer", "notify"]
            close = difflib.get_close_matches(name, known, n=2, cutoff=0.6)
            hint = f"Did you mean {' or '.join(close)}?" if close else f"There are: {', '.join(sorted(known))}."
            raise ConfigError(f"{name!r} is not an option of the {studio.name} studio. {hint}")
        if value is not None:
            overrides |= dict(zip(options[name].keys, _values(options[name], value), strict=True))
    if "prompt.scoring.num_ideas" in overrides:
        overrides.setdefault("prompt.scoring.enabled", True)
    return overrides


def _values(option: Option, value: Any) -> tuple[JsonValue, ...]:
    """Return the value of each of an option's settings. Raises `ConfigError` for a size that is not one."""
    if option.type is not tuple:
        return (str(value) if isinstance(value, Path) else value,)
    sides = value.lower().replace("×", "x").split("x") if isinstance(value, str) else value
    try:
        width, height = (int(side) for side in sides)
    except (TypeError, ValueError) as error:
        raise ConfigError(
            f"{option.name}: give width and height in pixels, such as 512x288; given {value!r}."
        ) from error
    return width, height


def check_config(
    file: Path | None = None,
    overrides: Mapping[str, JsonValue] | None = None,
    how: str = "on the command line",
    *,
    refuse: bool = True,
) -> ConfigReport:
    """Return the settings in force with where each came from, the studios' own sections checked too.

    Raises:
        ConfigError: as `config.load`, for a studio that is not installed or does not know a setting, and, unless
            `refuse` is false, for values that do not count because the current folder is not trusted.
    """
    report = load(file, overrides, how, section_of)
    known = studio_names()
    for name, section in report.config.studios.items():
        if name not in known:
            raise ConfigError(f"studios.{name}: unknown studio; installed: {', '.join(known)}.")
        try:
            settings_of(open_studio(name), section, report)
        except MissingPartError as error:  # no run of it can begin; runs of other studios do not use the section
            report.unchecked[name] = str(error)
    return report.refuse_untrusted() if refuse else report


def section_of(name: str) -> type[BaseModel] | None:
    """Return the model of a studio's settings; None for a studio that is not installed or cannot be loaded."""
    try:
        return open_studio(name).settings_model
    except (ConfigError, MissingPartError):
        return None


def in_force(file: Path | None = None) -> ConfigReport:
    """Return every setting, the studios' own among them, with where it was set. Raises `ConfigError`."""
    report = check_config(file, refuse=False)
    studios, unchecked = dict(report.config.studios), report.unchecked
    for name in studio_names():
        try:
            studios[name] = settings_of(open_studio(name), studios.get(name, {})).model_dump(mode="json")
        except MissingPartError as error:
            unchecked[name] = str(error)
    config = report.config.model_copy(update={"studios": studios})
    return ConfigReport(config, report.sources, unchecked, report.untrusted)


def choices(kind: Any) -> tuple[str, ...]:
    """Return the values of a `Literal`; none for another type."""
    return tuple(map(str, typing.get_args(kind))) if typing.get_origin(kind) is Literal else ()


def last_run(folder: Path, studio: str | None = None) -> Path:
    """Return the newest run in a folder of runs, of one studio if named. Raises `RunNotFoundError`."""
    from redraft.errors import RunNotFoundError
    from redraft.record.transcript import runs_in

    for run in runs_in(folder):
        if studio in (None, run.studio):
            return run.folder
    of = "" if studio is None else f" of the {studio} studio"
    raise RunNotFoundError(f"{folder} has no run{of}. Give the folder of a run.")
