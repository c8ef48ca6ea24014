"""Briefs of a batch: the lines of a JSON or CSV file, each checked as a run."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from shlex import quote
from typing import Any, NoReturn, cast

import yaml
from pydantic import JsonValue

from redraft.api import read_inputs
from redraft.brief import Brief
from redraft.config import Config, untrusted_in
from redraft.errors import BriefError, ConfigError, RunError
from redraft.files import slug
from redraft.limits import BRIEFS, read_file
from redraft.loop.resume import recorded_path
from redraft.options import INPUTS, check_config, config_of, options_of, section_of
from redraft.record.events import RunStarted
from redraft.studios import open_studio, settings_of
from redraft.trust import Untrusted, is_inside, is_trusted
from redraft.yamldata import load_yaml

RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""An id is the name of a folder."""
ELSEWHERE = {
    "out": "the folder of a run is that of its id in the batch",
    "config": "give settings by their dotted keys, or one file for the batch with --config",
}
"""Keyword arguments of `redraft.run` that a brief does not take."""
FILES = frozenset({"assets", "concepts_file", "to"})
"""Settings of studios that are paths, besides `INPUTS`."""
MAX_SHOWN = 80
"""Characters of a value in a message."""


@dataclass(frozen=True)
class Line:
    """One line as it was read. `number` counts from 1; `problem` is the reason that it cannot be used."""

    number: int
    given: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    problem: str = ""
    text: bool = False
    """The values are cells of a table, not JSON."""
    source: Path | None = None
    """The file it is from, unless the person trusts that."""


@dataclass(frozen=True)
class PlannedRun:
    """One run of a batch, checked and not yet begun."""

    id: str
    line: int
    studio: str
    instruction: str
    config: Config
    inputs: Mapping[str, Any]
    described: bool = False

    def brief(self) -> Brief:
        """Return the brief as the run's record has it. Raises `BriefError`, `ProfileError` or `RunNotFoundError`."""
        medium = open_studio(self.studio)
        settings = settings_of(medium, self.config.studios.get(self.studio, {}))
        read = read_inputs(self.inputs, medium, self.config)
        return medium.brief(self.instruction, settings, self.config.seed, described=self.described, **read)

    def refuse_other(self, start: RunStarted, folder: Path) -> None:
        """Raise `RunError` if the run in a folder was begun with another brief or other settings. Caps may differ."""
        brief = self.brief()
        new: dict[str, Any] = {
            "studio": self.studio,
            "instruction": brief.instruction,
            "concepts": list(brief.concepts),
        }
        old: dict[str, Any] = {
            "studio": start.studio,
            "instruction": start.brief.get("instruction"),
            "concepts": start.brief.get("concepts", []),
        }
        for name in ("on", "source", "target", "reference"):
            path = getattr(brief, name)
            new[name], old[name] = path and path.resolve(), recorded_path(start, name, folder)
        settings = self.config.model_dump(mode="json", exclude={"out", "budget"})
        new |= {key: settings.get(key) for key in start.config if key != "budget"}
        old |= {key: value for key, value in start.config.items() if key != "budget"}
        for key, value in new.items():
            if value != old[key]:
                before, after = _difference(key, old[key], value)
                raise RunError(
                    f"id {self.id!r}: the run in {folder} was begun with {before}, and line {self.line} has {after}. "
                    "Give the line another id, or move that folder away."
                )


def _difference(key: str, old: Any, new: Any) -> tuple[str, str]:
    """Return the first place where two values differ, with both values, in words."""
    if isinstance(old, dict) and isinstance(new, dict):
        before, after = cast("dict[str, Any]", old), cast("dict[str, Any]", new)
        inner = next(name for name in {**before, **after} if before.get(name) != after.get(name))
        return _difference(f"{key}.{inner}", before.get(inner), after.get(inner))
    return f"{key} {str(cast('object', old))!r:.{MAX_SHOWN}}", f"{str(cast('object', new))!r:.{MAX_SHOWN}}"


def read_briefs(path: Path) -> list[Line]:
    """Read a file of briefs: CSV by its suffix, else one JSON object a line. A line keeps its own problem.

    Raises:
        BriefError: the file cannot be read, is not text, or has no line.
    """
    try:
        raw = read_file(path, BRIEFS)
    except OSError as error:
        raise BriefError(f"Cannot read the briefs {path}: {error.strerror or error}.") from error
    if b"\0" in raw:  # a picture, an archive, UTF-16; a single line in another encoding is an error of that line
        raise BriefError(
            f"{path} is not UTF-8 text; a batch is a file of briefs, one a line: "
            '{"studio": "sketch", "instruction": "a red house"}'
        )
    lines = list(_table(path, raw) if path.suffix.lower() == ".csv" else _objects(raw))
    if not is_trusted(path, raw):
        lines = [replace(line, source=path) for line in lines]
    if not lines:
        raise BriefError(
            f'{path} contains no brief. Write one per line: {{"studio": "sketch", "instruction": "a red house"}}'
        )
    return lines


def _objects(raw: bytes) -> Iterator[Line]:
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            yield Line(number, _object(line.decode()))
        except UnicodeDecodeError as error:
            yield Line(number, problem=f"not valid UTF-8 (byte {error.start} of the line)")
        except json.JSONDecodeError as error:
            yield Line(number, problem=f"not JSON ({error.msg}, column {error.colno}): {line.decode()!r:.{MAX_SHOWN}}")
        except (ValueError, RecursionError) as error:
            yield Line(number, problem=str(error))


def _object(text: str) -> dict[str, JsonValue]:
    """Return a JSON object. Raises `ValueError` for other JSON, and for a field that appears twice."""

    def unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            names = [name for name, _ in pairs]
            raise ValueError(f"{next(n for n in names if names.count(n) > 1)!r} appears twice. Keep one.")
        return fields

    def refuse_constant(text: str) -> NoReturn:
        raise ValueError(f"{text} is not a JSON number.")

    value = json.loads(text, object_pairs_hook=unique, parse_constant=refuse_constant)
    if not isinstance(value, dict):
        raise ValueError(f'not a JSON object: {text.strip()!r:.{MAX_SHOWN}}. Write {{"studio": …, "instruction": …}}.')
    return cast("dict[str, JsonValue]", value)


def _table(path: Path, raw: bytes) -> Iterator[Line]:
    """Yield the rows of a CSV file without empty cells. Raises `BriefError` if it is not one."""
    try:
        rows = csv.DictReader(raw.decode("utf-8-sig").splitlines(keepends=True), strict=True)
        names = list(rows.fieldnames or ())
        if "studio" not in names or len(set(names)) < len(names):
            raise BriefError(f"{path}: its first row names the columns, each once, studio among them; found {names}.")
        before = rows.line_num
        for row in rows:
            number, before = before + 1, rows.line_num
            if None in row:
                yield Line(number, problem=f"more cells than the first row has columns ({len(names)})")
                continue
            yield Line(number, {name: cell for name, cell in row.items() if cell}, text=True)
    except UnicodeDecodeError as error:
        raise BriefError(f"{path} is not valid UTF-8 (byte {error.start}).") from error
    except csv.Error as error:
        raise BriefError(f"{path} is not CSV: {error}.") from error


def plan(line: Line, folder: Path, settings: Mapping[str, JsonValue], file: Path | None) -> PlannedRun:
    """Check one line. Paths are relative to `folder`; `settings` by dotted keys hold unless the line has others.

    Raises:
        BriefError, ConfigError, MissingPartError: something is wrong with it.
    """
    if line.problem:
        raise BriefError(line.problem)
    given = dict(line.given)
    names = {name: given.pop(name, None) for name in ("studio", "instruction", "id")}
    studio, instruction, run_id = (_text(name, value) for name, value in names.items())
    if not studio:
        raise BriefError('studio is missing. Name one, as in "studio": "sketch".')
    medium = open_studio(studio)
    run_id = run_id or f"{line.number:04}-{slug(instruction)}"
    if not RUN_ID.fullmatch(run_id):
        raise BriefError(f"id is {run_id!r}; it names a folder, so use letters, digits, '.', '_' and '-' only.")
    types = {option.name: option.type for option in options_of(medium)} | {"described": bool}
    inputs = dict[str, Any]()
    options = dict[str, Any]()
    dotted = dict(settings)
    for name, value in given.items():
        if name in ELSEWHERE:
            raise ConfigError(f"{name} does not belong in a brief: {ELSEWHERE[name]}.")
        read = _cell(name, value, types.get(name)) if line.text else value
        if name in INPUTS and read is not None:
            inputs[name] = _path(name, read, folder)
        elif name == "concepts":
            inputs[name] = read
        elif "." in name:
            dotted[name] = read
        elif name in FILES and isinstance(read, str):
            options[name] = str((folder / read).resolve())
        else:
            options[name] = read
    described = options.pop("described", None) or False
    if not isinstance(described, bool):
        raise ConfigError(f"described is {described!r:.{MAX_SHOWN}}; give true or false.")
    options = {name: value for name, value in options.items() if value is not None}
    config = config_of(medium, options, file=file, more=dotted, how=f"line {line.number}")
    if line.source is not None:
        _refuse_untrusted(line.source, config, check_config(file, settings).config, folder, inputs)
    config = config.model_copy(update={"out": str(Path(config.out).resolve())})
    return PlannedRun(run_id, line.number, studio, instruction, config, inputs, described)


def _refuse_untrusted(source: Path, config: Config, own: Config, folder: Path, inputs: Mapping[str, Any]) -> None:
    """Raise `ConfigError` for a setting of a line that needs trust; `own` are the settings without the line."""
    untrusted = list(untrusted_in(config.model_dump(mode="json"), own, folder, section_of))
    for name, path in inputs.items():
        if isinstance(path, Path) and not is_inside(path, folder):
            untrusted.append(Untrusted(name, str(path), "is outside of the folder of the briefs"))
    if untrusted:
        raise ConfigError(
            f"{'; '.join(map(str, untrusted))}. A file of briefs does not set this unless you trust it. Give it for "
            f"the whole batch, or read the file, and run: redraft trust {quote(str(source))}"
        )


def _text(name: str, value: JsonValue) -> str:
    if value is not None and not isinstance(value, str):
        raise BriefError(f"{name} is {value!r:.{MAX_SHOWN}}; give text.")
    return value or ""


def _cell(name: str, value: JsonValue, kind: Any) -> Any:
    """Return the value of a cell: the text itself for an option that is text or a path, else as YAML reads it."""
    if "." not in name and kind not in (bool, int, float):
        return value
    try:
        return load_yaml(str(value))
    except yaml.YAMLError as error:
        raise ConfigError(f"{name}: {value!r:.{MAX_SHOWN}} is not a YAML value.") from error


def _path(name: str, value: Any, folder: Path) -> Path:
    if not isinstance(value, str) or value == "last":
        raise ConfigError(f"{name} is {value!r:.{MAX_SHOWN}}; give a path, relative to the file of briefs.")
    path = (folder / value).resolve()
    if not path.exists():
        raise BriefError(f"{name}: {value!r} is missing ({path}). Paths are relative to the file of briefs.")
    return path
