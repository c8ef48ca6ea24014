"""A taste profile, as given: YAML or JSON with four lists, or a CSV with those columns. Only judges and the final
prompt see it raw.

Only the outer two levels of a file are read, so that neither YAML's references nor a thousand brackets cost more than
they say.
"""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field

from redraft.errors import ProfileError
from redraft.limits import PROFILE, SOURCE, open_file

FORMS = "a profile is YAML or JSON with the lists loves, likes, dislikes, hates, or a CSV with those columns."
"""The end of messages without a fix of their own."""

_NAMES = ("loves", "likes", "dislikes", "hates")
_ALIASES = {name.removesuffix("s"): name for name in _NAMES}
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_STRING, _NULL = "tag:yaml.org,2002:str", "tag:yaml.org,2002:null"
_LISTS = "the lists loves, likes, dislikes, hates"


@dataclass(frozen=True)
class Column:
    """One list of a profile."""

    name: str
    """`loves`, `likes`, `dislikes` or `hates`."""
    written: str
    """The name as the file has it."""
    place: str
    """Its place: `line 3`, or `key 2` where lines are not known."""
    entries: tuple[tuple[str, str], ...]
    """The place and the text of each."""


def read_columns(text: str, path: Path) -> list[Column]:
    """The lists of a file, in its order.

    Raises:
        ProfileError: it is broken, holds something else, or has a name twice.
    """
    if path.suffix.lower() == ".csv" or _is_csv(text):
        return _of_csv(text, path)
    if text.lstrip().startswith("{") and path.suffix.lower() not in {".yaml", ".yml"}:
        return _of_json(text, path)
    return _of_yaml(text, path)


def _is_csv(text: str) -> bool:
    first = text.lstrip().split("\n", 1)[0]
    return {cell.strip().strip('"') for cell in first.split(",")} <= {*_NAMES, *_ALIASES}


def _named(written: str, place: str, path: Path) -> str:
    """The list that a name in a file means."""
    name = _ALIASES.get(written, written)
    if name in _NAMES:
        return name
    close = get_close_matches(written.strip().lower(), _NAMES, n=1)
    meant = f" Did you mean {close[0]}?" if close else ""
    raise ProfileError(f"{path}: {place} has {written[:60]!r}, which is not a list of a profile.{meant} A{FORMS[1:]}")


def _of_csv(text: str, path: Path) -> list[Column]:
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise ProfileError(f"{path}: line {reader.line_num} of the CSV is broken: {error}.") from error
    if not rows:
        raise ProfileError(f"{path}: the CSV holds blank cells alone; {FORMS}")
    (first, header), *rest = rows
    names = [cell.strip() for cell in header]
    place = f"line {first}"
    if blank := [at for at, name in enumerate(names, start=1) if not name]:
        raise ProfileError(f"{path}: column {blank[0]} has no name; {_LISTS} are the columns of a profile.")
    known = [_named(name, place, path) for name in names]
    for line, row in rest:
        if len(row) > len(names):
            raise ProfileError(
                f"{path}: line {line} has {len(row)} cells under {len(names)} columns ({row[-1][:40]!r} is too many); "
                "put quotes around a text that holds a comma."
            )
    pairs = enumerate(zip(known, names, strict=True))
    return [Column(name, written, place, tuple(_cells(rest, at))) for at, (name, written) in pairs]


def _cells(rows: list[tuple[int, list[str]]], at: int) -> Iterator[tuple[str, str]]:
    """A column's texts; what is left blank in a table is left out."""
    for line, row in rows:
        if at < len(row) and row[at].strip():
            yield f"line {line}", row[at]


def _of_json(text: str, path: Path) -> list[Column]:
    try:
        pairs: Any = json.loads(text, object_pairs_hook=_Pairs, parse_int=float)  # no number will do, so none is exact
    except json.JSONDecodeError as error:
        raise ProfileError(
            f"{path}: the JSON is broken at line {error.lineno}, column {error.colno}: {error.msg}."
        ) from error
    except RecursionError as error:
        raise ProfileError(f"{path}: its brackets are nested too deep; {_LISTS} hold texts.") from error
    numbered = enumerate(cast("_Pairs", pairs), start=1)
    return [_json_column(name, value, f"key {number}", path) for number, (name, value) in numbered]


class _Pairs(list[tuple[str, Any]]):
    """A JSON object with its keys as they stand, also those that stand there twice."""


def _json_column(written: str, value: Any, place: str, path: Path) -> Column:
    name = _named(written, place, path)
    if value is None:
        return Column(name, written, place, ())
    if not isinstance(value, list) or isinstance(value, _Pairs):
        raise _no_list(path, f"{written} is", value)
    entries = cast("list[Any]", value)
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, str) or _SURROGATE.search(entry):
            raise _no_text(path, f"entry {number} of {written}", _kind(entry))
    return Column(
        name, written, place, tuple((f"entry {number}", entry) for number, entry in enumerate(entries, start=1))
    )


def _of_yaml(text: str, path: Path) -> list[Column]:
    try:
        top = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise ProfileError(f"{path}: the YAML is broken, {line}{error.problem}.") from error
    except yaml.YAMLError as error:
        raise ProfileError(f"{path} is not YAML: {str(error).splitlines()[0]}.") from error
    except RecursionError as error:
        raise ProfileError(f"{path}: its brackets are nested too deep; {_LISTS} hold texts.") from error
    if not isinstance(top, yaml.MappingNode):
        raise ProfileError(f"{path}: it holds {_node_kind(top)}; {_LISTS} are expected, each with its name.")
    pairs = cast("list[tuple[yaml.Node, yaml.Node]]", top.value)
    return [_yaml_column(key, value, path) for key, value in pairs]


def _yaml_column(key: yaml.Node, value: yaml.Node, path: Path) -> Column:
    place = f"line {key.start_mark.line + 1}"
    if not isinstance(key, yaml.ScalarNode):
        raise ProfileError(f"{path}: {place} has {_node_kind(key)} for a name; {_LISTS} are expected.")
    written = str(key.value)
    name = _named(written, place, path)
    if value.tag == _NULL:
        return Column(name, written, place, ())
    if not isinstance(value, yaml.SequenceNode):
        raise _no_list(path, f"{place}: {written} is", value.value if isinstance(value, yaml.ScalarNode) else value)
    entries = cast("list[yaml.Node]", value.value)
    for entry in entries:
        if not isinstance(entry, yaml.ScalarNode) or entry.tag != _STRING:
            raise _no_text(path, f"{written}, line {entry.start_mark.line + 1},", _node_kind(entry))
    return Column(
        name, written, place, tuple((f"line {entry.start_mark.line + 1}", str(entry.value)) for entry in entries)
    )


def _no_list(path: Path, what: str, value: Any) -> ProfileError:
    if isinstance(value, str):
        return ProfileError(f"{path}: {what} {value[:60]!r}, a single text; make it a list: [{value[:60]!r}].")
    return ProfileError(f"{path}: {what} {_kind(value)}; expected a list of texts.")


def _no_text(path: Path, where: str, found: str) -> ProfileError:
    return ProfileError(f"{path}: {where} is {found}; expected text. Put it in quotes.")


def _kind(value: Any) -> str:
    if isinstance(value, _Pairs | yaml.MappingNode):
        return "a mapping"
    if isinstance(value, str):
        return f"{value[:40]!a}, with half of a character (a lone surrogate)"
    if isinstance(value, list):
        return "a list"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else "a number"


def _node_kind(node: yaml.Node | None) -> str:
    if isinstance(node, yaml.ScalarNode):
        kind = str(node.tag).rpartition(":")[2]
        return "nothing (null)" if kind == "null" else f"{str(node.value)[:40]!r} ({'text' if kind == 'str' else kind})"
    return "nothing" if node is None else "a mapping" if isinstance(node, yaml.MappingNode) else "a list"


Texts = Annotated[tuple[str, ...], Field(strict=False)]
"""Lists do as well; a single text does not."""


class TasteProfile(BaseModel):
    """Likes and dislikes in the person's own words; `loves` and `hates` are the stronger ones."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    loves: Texts = ()
    likes: Texts = ()
    dislikes: Texts = ()
    hates: Texts = ()

    @property
    def liked(self) -> tuple[str, ...]:
        """All that is wanted: what abstraction must not let through."""
        return (*self.loves, *self.likes)

    @property
    def disliked(self) -> tuple[str, ...]:
        return (*self.dislikes, *self.hates)


def load_profile(path: Path) -> TasteProfile:
    """Read a profile: YAML or JSON with the four lists, or a CSV with those columns.

    `love`, `like`, `dislike` and `hate` do as well. Control characters are taken out, runs of spaces become one.

    Raises:
        ProfileError: missing, empty, binary, of another form; with the file, line or key and value.
    """
    text = _text(path)
    columns: dict[str, Column] = {}
    for column in read_columns(text, path):
        if other := columns.get(column.name):
            raise ProfileError(
                f"{path}: {other.written} and {column.written} ({other.place} and {column.place}) are the same list. "
                "Keep one."
            )
        columns[column.name] = column
    profile = TasteProfile(**{name: _entries(column, path) for name, column in columns.items()})
    if not profile.liked and not profile.disliked:
        raise ProfileError(f"{path}: it has no likes or dislikes; {FORMS}")
    return profile


def _text(path: Path) -> str:
    try:
        raw = _raw(path)
    except OSError as error:
        raise ProfileError(f"{path}: the profile cannot be read: {error.strerror or error}.") from error
    if len(raw) > PROFILE.size:
        raise ProfileError(f"{path}: the profile has more than {PROFILE.in_words}; it is a list of likes, not a text.")
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise ProfileError(f"{path}: the profile is in UTF-16; save it as UTF-8.")
    if b"\0" in raw:
        raise ProfileError(f"{path}: byte {raw.index(0):,} is 0, so it is not text; {FORMS}")
    try:
        text = _cleaned(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ProfileError(
            f"{path}: byte {error.start:,} is {raw[error.start]:#04x}, which is not UTF-8; save it as UTF-8. "
            f"A{FORMS[1:]}"
        ) from error
    if not text.strip():
        raise ProfileError(f"{path}: the profile is empty; {FORMS}")
    return text


def _raw(path: Path) -> bytes:
    if path.is_dir():
        raise ProfileError(f"{path}: is a folder; {FORMS}")
    if not path.exists():
        raise ProfileError(f"{path}: file not found; {FORMS}")
    if not path.is_file():
        raise ProfileError(f"{path}: not a regular file; {FORMS}")
    with open_file(path, SOURCE) as file:
        return file.read(PROFILE.size + 1)


def _cleaned(text: str) -> str:
    """Without control characters other than line breaks and tabs."""
    return "".join(c if c in "\n\r\t" or unicodedata.category(c) != "Cc" else " " for c in text)


def _entries(column: Column, path: Path) -> tuple[str, ...]:
    return tuple(_entry(place, text, column, path) for place, text in column.entries)


def _entry(place: str, text: str, column: Column, path: Path) -> str:
    entry = " ".join(_cleaned(text).split())
    if not entry:
        raise ProfileError(f"{path}: {place} of {column.written} is blank; leave it out.")
    return entry
