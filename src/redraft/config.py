"""Settings: defaults, a YAML file, `REDRAFT_…` variables, flags, each over the one before, checked strictly.

Nothing is coerced: `"false"` is not a boolean, an unknown key is an error, and every error names the full key path, the
value, and where it was set, before any model is asked.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_serializer

from redraft.errors import ConfigError
from redraft.files import write_atomic
from redraft.ideas.settings import PromptSettings
from redraft.limits import SETTINGS, read_file
from redraft.models.base import ModelSettings
from redraft.painting.settings import ImagingSettings
from redraft.result import Heuristics
from redraft.trust import MAX_SHOWN, Trusted, Untrusted, is_harmless, is_trusted, marked
from redraft.yamldata import dump_flow, edited, load_yaml

CONFIG_FILE = "redraft.yaml"
ENV_FILE = ".env"
"""A file with variables, of which only `REDIS_URL` is read."""
GENERATIONS_FILE = "generations.csv"
"""The list of what was made, in a folder of runs."""
ENVIRONMENT_PREFIX = "REDRAFT_"
MCP_TOKEN = "REDRAFT_MCP_TOKEN"  # noqa: S105  a name, not a secret
"""The variable with the token that `redraft mcp --http` asks for."""
NOT_SETTINGS = frozenset({"REDRAFT_DEBUG", MCP_TOKEN})
"""Variables with the prefix that belong to the command line, not to a run."""
_SECRET = re.compile(r"tok|key|secret|passw", re.IGNORECASE)
"""In the name of a setting: an error does not show what was given."""
WITHOUT_NETWORK = frozenset({"custom", "inbox", "offline", "replay"})
"""Models that no server stands behind; `custom` is a Python object."""


GIVEN = ("on the command line", "as a keyword argument")
"""Ways to set a value for one run."""
PASSWORD = re.compile(r"^(\w+://[^/@]*:)[^/]*(?=@)|([?&]password=)[^&]*", re.IGNORECASE)
MAX_PROBLEMS = 20
"""Wrong settings that an error names; each is compared with all known names."""
HIDDEN = "***"
"""Stands for a password in what is recorded."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)


class LoopSettings(_Section):
    """The small loops' budgets, each counted by itself; 0 means none."""

    iterations: int = Field(default=2, ge=1, le=100)
    """Maximum number of turns; the loop ends earlier when the result is valid and the critic is satisfied."""
    candidates: int = Field(default=1, ge=1, le=32)
    """Number of drafts in the first turn; the one with the best report is kept."""
    fixes: int = Field(default=3, ge=0, le=10)
    """Maximum number of fast retries in a turn, for its drafts, repairs and critique together."""
    looks: int = Field(default=2, ge=0, le=10)
    """Maximum number of closer looks in one attempt or critique, where a studio offers views."""
    repairs: int = Field(default=2, ge=0, le=10)
    """Maximum number of repairs by the model in a turn, made only while there are errors."""
    polish: bool = False
    """Spend one more turn on the minor differences that a satisfied critic names."""
    history: bool = True
    """Show in each request what earlier turns tried."""
    critic: bool | None = None
    """Ask the model what differs from the brief (default: when it sees pictures)."""


class ValidationSettings(_Section):
    """Settings of the judgement of results."""

    heuristics: Heuristics = "default"
    """Severities of heuristics: those measured on real drafts, the sketch specification's, or none (off)."""


class BudgetSettings(_Section):
    """The hard cap over a whole run; null means no cap of that kind."""

    calls: Annotated[int | None, Trusted("allows more spending", at_most=True)] = Field(default=100, ge=1)
    """Stop after this many model calls."""
    tokens: Annotated[int | None, Trusted("allows more spending", at_most=True)] = Field(default=None, ge=1)
    """Stop after this many tokens, in and out."""
    cost: Annotated[float | None, Trusted("allows more spending", at_most=True)] = Field(default=None, gt=0)
    """Stop after this many US dollars; a call whose price is unknown stops the run too."""


class Config(_Section):
    """All settings of a run."""

    model: Annotated[str, Trusted("chooses who gets the brief", harmless=("offline", "custom"))] = "offline"
    """Model to ask: offline, inbox:DIR, replay:RUN or provider:name; `redraft models` lists them."""
    seed: int = Field(default=0, ge=0, lt=2**31)
    """Random seed."""
    out: Annotated[str, Trusted("writes elsewhere", inside=True)] = "runs"
    """Folder for the dated run folders."""
    loop: LoopSettings = Field(default_factory=LoopSettings)
    validation: ValidationSettings = Field(default_factory=ValidationSettings)
    budget: BudgetSettings = Field(default_factory=BudgetSettings)
    models: ModelSettings = Field(default_factory=ModelSettings)
    prompt: PromptSettings = Field(default_factory=PromptSettings)
    """Ideas before a draft: their number, judges and choice."""
    images: ImagingSettings = Field(default_factory=ImagingSettings)
    """Image backend of the image studio."""
    memory: Annotated[str, Trusted("reads and writes a store of fixes", harmless=("none",))] = "auto"
    """Store of the fix memory: auto, sqlite, sqlite:FILE, redis://… or none.

    `auto` is the server that REDIS_URL names, or else a file in the user's data folder.
    """
    studios: dict[str, dict[str, JsonValue]] = Field(default_factory=dict[str, dict[str, JsonValue]])
    """A section for each studio, checked by that studio."""

    @field_serializer("memory")
    def _without_password(self, memory: str) -> str:
        """Settings are shown and recorded; a password is not."""
        return PASSWORD.sub(lambda found: f"{found[1] or found[2]}{HIDDEN}", memory)


@dataclass(frozen=True)
class Source:
    """The source of a value: a file with a line, an environment variable, a flag, or a default."""

    place: str
    line: int | None = None

    def __str__(self) -> str:
        return self.place if self.line is None else f"{self.place}, line {self.line}"


LEGEND = "# Lines that begin with # are defaults; the others are set, by what stands behind them."


@dataclass
class ConfigReport:
    """A checked configuration, with the source of every value that is not a default."""

    config: Config
    sources: dict[str, Source] = field(default_factory=dict[str, Source])
    unchecked: dict[str, str] = field(default_factory=dict[str, str])
    """Sections of studios that cannot be loaded here, each with the reason."""
    untrusted: list[Untrusted] = field(default_factory=list[Untrusted])
    """Values of the current folder's settings file that do not count."""

    def lines(self) -> list[str]:
        """Return a settings file with what is set and where, and every default as a comment."""
        missing = [f"# studios.{name}: {reason}" for name, reason in self.unchecked.items()]
        left_out = [f"# not trusted: {one}" for one in self.untrusted]
        return [LEGEND, *self._section(self.config.model_dump(mode="json"), "")[0], *missing, *left_out]

    def refuse_untrusted(self) -> ConfigReport:
        """Return the report itself. Raises `ConfigError` if a value does not count."""
        if self.untrusted:
            lines = "\n".join(f"  {one}" for one in self.untrusted)
            raise ConfigError(
                f"{CONFIG_FILE} in this folder is not trusted, and has settings that need your trust:\n{lines}\n"
                "Read the file. If you want these settings, run: redraft trust ."
            )
        return self

    def _section(self, section: Mapping[str, Any], prefix: str) -> tuple[list[str], bool]:
        """Return the lines of a section, and whether anything in it is set."""
        lines: list[str] = []
        any_set = False
        for name, value in section.items():
            key, source = f"{prefix}{name}", _nearest(self.sources, f"{prefix}{name}")
            inner, given = [], source is not None and (key in self.sources or source.line is None)
            if below := cast("dict[str, Any]", value if isinstance(value, dict) else {}):
                inner, given = self._section(below, f"{key}.")
            written = "" if inner else f" {dump_flow(cast('object', value))}" + (f"  # {source}" if given else "")
            lines += [f"{'' if given else '# '}{'  ' * prefix.count('.')}{name}:{written}", *inner]
            any_set |= given
        return lines, any_set


def load(
    file: Path | None = None,
    overrides: Mapping[str, JsonValue] | None = None,
    how: str = "on the command line",
    section_of: Callable[[str], type[BaseModel] | None] = lambda _: None,
) -> ConfigReport:
    """Return the settings in force: defaults < own file < file < environment < `overrides` (dotted key paths).

    The person's own file is `own_file()`. Without `file`, `redraft.yaml` in the current folder is read when there is
    one; unless that is trusted, its values that are marked `Trusted` are left out and listed in the report.

    Args:
        file: settings that were named by the person, who thereby trusts them.
        how: says in messages how the overrides were given.
        section_of: gives the model of a studio's section, to know what is marked in it.

    Raises:
        ConfigError: the file is missing or no YAML mapping, a key is unknown, a value has the wrong type or range.
    """
    sources: dict[str, Source] = {}
    data: dict[str, Any] = {}
    untrusted = list[Untrusted]()
    own = own_file()
    if own.is_file():
        data, sources = _read_yaml(own)
    if file is not None:
        _lay_over(data, sources, *_read_yaml(file))
    elif (local := Path(CONFIG_FILE)).is_file():
        raw = _bytes_of(local)
        given, lines = _parsed(raw, local)
        if not is_trusted(local, raw):
            untrusted = _untrusted(given, lines, _checked(data, sources), local.parent, section_of)
            for one in untrusted:
                section, _, name = one.key.rpartition(".")
                (value_at(given, section) if section else given).pop(name, None)  # an alias may have lost it already
                lines.pop(one.key, None)
        _lay_over(data, sources, given, lines)
    for name, key, value in _environment():
        _put(data, key, value, Source(f"environment variable {name}"), sources)
    for key, value in (overrides or {}).items():
        _put(data, key, value, Source(how), sources)
    # A value that the person overrides for this run needs no trust.
    untrusted = [one for one in untrusted if one.key not in sources or sources[one.key].place == str(own)]
    return ConfigReport(_checked(data, sources), sources, untrusted=untrusted)


def own_file() -> Path:
    """Return the person's own settings file: `~/.config/redraft/redraft.yaml` on Linux."""
    from platformdirs import user_config_path

    return user_config_path("redraft", appauthor=False) / CONFIG_FILE


def _checked(data: Mapping[str, Any], sources: Mapping[str, Source]) -> Config:
    try:
        return Config.model_validate(data)
    except ValidationError as error:
        raise ConfigError("\n".join(explain(error, sources))) from error


def read_value(key: str, text: str) -> JsonValue:
    """Return the value that a text stands for, as in a settings file. Raises `ConfigError`."""
    try:
        return cast("JsonValue", load_yaml(text))
    except yaml.YAMLError as error:
        raise ConfigError(f"{key}: {text!r} is not a YAML value. Quote it twice, as in '\"…\"'.") from error


def write_setting(file: Path, key: str, value: JsonValue) -> None:
    """Write a setting, by its dotted key, into a settings file; all else in it stays as it is.

    Raises:
        ConfigError: the file cannot be read or written, or is of a form that has to be edited by hand.
    """
    try:
        text = _bytes_of(file).decode("utf-8") if file.exists() else ""
        written = edited(text, key.split("."), value)
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} is not valid UTF-8 (byte {error.start}).") from error
    except (yaml.YAMLError, OSError) as error:
        raise ConfigError(f"{key} cannot be set in {file}: {error}. Edit the file by hand.") from error
    try:
        write_atomic(file, written.encode())
    except OSError as error:
        raise ConfigError(f"Cannot write {file}: {error.strerror or error}.") from error


def with_caps(config: Config, caps: Mapping[str, JsonValue]) -> Config:
    """Return settings with other caps, by name (`calls`, `tokens`, `cost`). Raises `ConfigError`."""
    try:
        budget = BudgetSettings.model_validate({**config.budget.model_dump(), **caps})
    except ValidationError as error:
        raise ConfigError("\n".join(explain(error, {}, "budget."))) from error
    return config.model_copy(update={"budget": budget})


def refuse_unused(report: ConfigReport) -> None:
    """Refuse settings that have no effect in this run.

    Raises:
        ConfigError: a setting of a network model for another model.
    """
    config, problems = report.config, list[str]()
    kind = config.model.partition(":")[0]
    for key in sorted(key for key in report.sources if key.startswith("models.")):
        value = getattr(config.models, key.removeprefix("models."))
        if kind in WITHOUT_NETWORK and value is not None and (kind, key) != ("inbox", "models.sees"):
            problems.append(
                f"{key}: given {value!r} ({report.sources[key]}), but the model {config.model!r} cannot honor it: it "
                "applies to models on a network. Remove it, or choose such a model, as in openai-compatible:NAME."
            )
    if problems:
        raise ConfigError("\n".join(problems))


def explain(
    error: ValidationError, sources: Mapping[str, Source] = {}, prefix: str = "", known: Sequence[str] = ()
) -> Iterable[str]:
    """Yield a sentence for each problem: key path, given value, its source, and what is allowed.

    `known` are a studio's own settings by their full names, which this module does not have.
    """
    for number, problem in enumerate(error.errors()):
        if number == MAX_PROBLEMS:
            yield f"… and {error.error_count() - number:,} more."
            return
        # Pydantic adds the names of union members and such to `loc`; those are not part of the key path.
        key = prefix + ".".join(str(part) for part in problem["loc"])
        where = _nearest(sources, key)
        origin = f" (set {where if where.place in GIVEN else f'in {where}'})" if where else ""
        if problem["type"] == "extra_forbidden":
            given = "a value" if _SECRET.search(key) else f"{problem['input']!r:.{MAX_SHOWN}}"
            yield f"{key}: unknown setting, given {given}{origin}.{_suggestion(key, known)}"
        else:
            given = f"{problem['input']!r:.{MAX_SHOWN}}"
            yield f"{key}: {problem['msg'].removeprefix('Value error, ')}; given {given}{origin}."


def _suggestion(key: str, more: Sequence[str]) -> str:
    """Return a sentence about settings that an unknown key may be meant for, or else those of its section."""
    known = [*more, *(name for name, _ in _flatten(Config().model_dump(mode="json")))]
    sections = sorted({name.rpartition(".")[0] for name in known} - {""})
    if names := difflib.get_close_matches(key, [*known, *sections], n=2, cutoff=0.6):
        return f" Did you mean {' or '.join(names)}?"
    parent = key.rpartition(".")[0]
    depth = parent.count(".") + 1 if parent else 0
    inside = [name for name in known if not parent or name.startswith(parent + ".")]
    siblings = sorted({".".join(name.split(".")[: depth + 1]) for name in inside})
    return f" Known here: {', '.join(siblings)}."


def _nearest(sources: Mapping[str, Source], key: str) -> Source | None:
    parts = key.split(".")
    for end in range(len(parts), 0, -1):
        if source := sources.get(".".join(parts[:end])):
            return source
    return None


def _flatten(data: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for key, value in data.items():
        inner = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        rows += _flatten(inner, f"{prefix}{key}.") if inner else [(f"{prefix}{key}", cast("Any", value))]
    return rows


def _environment() -> Iterator[tuple[str, str, Any]]:
    """Yield variable, key and value: `REDRAFT_LOOP__CANDIDATES=3` sets loop.candidates. Values are YAML."""
    for name in sorted(os.environ):
        if not name.startswith(ENVIRONMENT_PREFIX) or name in NOT_SETTINGS:
            continue
        key = name.removeprefix(ENVIRONMENT_PREFIX).lower().replace("__", ".")
        try:
            yield name, key, load_yaml(os.environ[name])
        except yaml.YAMLError as error:
            raise ConfigError(f"{key}: environment variable {name}={os.environ[name]!r} is not a YAML value") from error


def _put(data: dict[str, Any], key: str, value: Any, source: Source, sources: dict[str, Source]) -> None:
    *parents, last = key.split(".")
    place = data
    for parent in parents:
        inner = place.setdefault(parent, {})
        if not isinstance(inner, dict):
            raise ConfigError(f"{key}: {parent} is {inner!r}, not a section ({source})")
        place = cast("dict[str, Any]", inner)
    place[last] = value
    sources[key] = source


def _lay_over(
    data: dict[str, Any], sources: dict[str, Source], more: Mapping[str, Any], lines: Mapping[str, Source]
) -> None:
    """Put a file's settings over earlier ones, section by section."""
    for key, value in more.items():
        below = data.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            _lay_over(cast("dict[str, Any]", below), {}, cast("dict[str, Any]", value), {})
        else:
            data[key] = value
    sources.update(lines)


def value_at(settings: Any, key: str) -> Any:
    """Return the value at a dotted key of settings or of their data; None where there is none."""
    place = settings
    for part in key.split("."):
        if isinstance(place, BaseModel):
            place = getattr(place, part, None)
        elif isinstance(place, dict):
            place = cast("dict[str, Any]", place).get(part)
        elif isinstance(place, list | tuple) and part.isdecimal() and int(part) < len(cast("list[Any]", place)):
            place = cast("list[Any]", place)[int(part)]
        else:
            return None
    return place


def untrusted_in(
    given: Mapping[str, Any], own: Config, folder: Path | None, section_of: Callable[[str], type[BaseModel] | None]
) -> Iterator[Untrusted]:
    """Yield the settings from a folder that do not count there.

    Args:
        given: settings as they stand in the folder, checked or not.
        own: the person's own settings.
        folder: where relative paths in `given` begin; None where no path counts.
        section_of: gives the model of a studio's section, None for one that is not installed.
    """
    for one in compared(given, own, section_of):
        if one.value != one.own and not is_harmless(one.mark, one.value, one.own, folder):
            yield Untrusted(one.key, one.value, one.mark.does)


class Compared(NamedTuple):
    """A marked setting of a folder beside the person's own."""

    key: str
    mark: Trusted
    value: Any
    own: Any
    default: Any


def compared(
    given: Mapping[str, Any], own: Config, section_of: Callable[[str], type[BaseModel] | None]
) -> Iterator[Compared]:
    """Yield the marked settings of a folder, as plain data; `untrusted_in` explains the arguments."""
    mine, defaults = own.model_dump(mode="json"), Config().model_dump(mode="json")
    for key, mark, value in marked(Config, given):
        yield Compared(key, mark, value, value_at(mine, key), value_at(defaults, key))
    studios = given.get("studios")
    for name, section in cast("dict[str, Any]", studios if isinstance(studios, dict) else {}).items():
        kind = section_of(name) if isinstance(section, dict) else None
        if kind is None:
            continue
        for key, mark, value in marked(kind, cast("dict[str, Any]", section)):
            default = kind.model_fields[key].default
            yield Compared(f"studios.{name}.{key}", mark, value, own.studios.get(name, {}).get(key, default), default)


def _untrusted(
    given: Mapping[str, Any],
    lines: Mapping[str, Source],
    own: Config,
    folder: Path,
    section_of: Callable[[str], type[BaseModel] | None],
) -> list[Untrusted]:
    """Return the settings of a file that do not count, with the line of each; see `untrusted_in`."""
    return [
        replace(one, place=str(_nearest(lines, one.key) or "")) for one in untrusted_in(given, own, folder, section_of)
    ]


def untrusted_of(file: Path, section_of: Callable[[str], type[BaseModel] | None]) -> list[Untrusted]:
    """Return the settings of a file that count only if it is trusted. Raises `ConfigError` if it cannot be read."""
    own = own_file()
    mine = _checked(*_read_yaml(own)) if own.is_file() else Config()
    return _untrusted(*_read_yaml(file), mine, file.parent, section_of)


def _read_yaml(path: Path) -> tuple[dict[str, Any], dict[str, Source]]:
    """Return the settings of a file, and the line of each."""
    return _parsed(_bytes_of(path), path)


def _bytes_of(path: Path) -> bytes:
    try:
        return read_file(path, SETTINGS)
    except OSError as error:
        raise ConfigError(f"Cannot read the configuration {path}: {error.strerror or error}.") from error


def _parsed(raw: bytes, path: Path) -> tuple[dict[str, Any], dict[str, Source]]:
    """Return the settings of a file with this content, and the line of each."""
    sources: dict[str, Source] = {}
    try:
        text = raw.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        data = load_yaml(text)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not valid UTF-8 (byte {error.start}).") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"{path} is not YAML: {error}") from error
    if data is None:
        return {}, sources
    if not isinstance(data, dict) or not isinstance(node, yaml.MappingNode):
        kind = type(cast("object", data)).__name__
        raise ConfigError(f"{path}: a mapping of settings is expected at the top, found {kind}.")
    _note_lines(node, "", path, sources)
    return cast("dict[str, Any]", data), sources


def _note_lines(node: yaml.MappingNode, prefix: str, path: Path, sources: dict[str, Source]) -> None:
    """Note the line of every key. Raises `ConfigError` for a key that is set twice, where YAML would keep the last."""
    for key_node, value_node in cast("list[tuple[yaml.Node, yaml.Node]]", node.value):
        key = f"{prefix}{key_node.value}"
        line = key_node.start_mark.line + 1
        if key in sources:
            raise ConfigError(f"{key}: set twice in {path}, lines {sources[key].line} and {line}. Keep one.")
        sources[key] = Source(str(path), line)
        if isinstance(value_node, yaml.MappingNode):
            _note_lines(value_node, f"{key}.", path, sources)
