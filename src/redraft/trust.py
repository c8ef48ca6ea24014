"""Trust: which settings count only from the person's own configuration, and which files and runs the person trusts.

A folder is data. What stands in one (a record, `redraft.yaml`, a file of briefs) may shape a result; what runs a
program, chooses a server, names a key or reaches a file elsewhere is marked `Trusted` where the setting is declared.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from pydantic import BaseModel, JsonValue

from redraft.errors import ConfigError

MAX_LIST_BYTES = 4_000_000
"""The list of what is trusted is cut to its newer half beyond this: about 25,000 runs."""

MAX_SHOWN = 200
"""Characters of a value in a message."""


@dataclass(frozen=True)
class Trusted:
    """Marks a setting, as in `blender: Annotated[str, Trusted("runs a program")] = "auto"`.

    A value from a folder counts if it is the person's own value too, if it is harmless, or if the folder is trusted.
    """

    does: str
    """A verb phrase for messages: `runs a program`."""
    harmless: tuple[JsonValue, ...] = ()
    """Values that any folder may set."""
    inside: bool = False
    """A path within the folder itself is harmless."""
    at_most: bool = False
    """A number up to the person's own value is harmless; null is no limit."""
    each_time: bool = False
    """Not carried over from a run that the person started."""


@dataclass(frozen=True)
class Untrusted:
    """A value of a folder that does not count there."""

    key: str
    value: JsonValue
    does: str
    place: str = ""
    """File and line, where there is one."""

    def __str__(self) -> str:
        """The setting with its value, without a password, and what it does."""
        value = re.sub(r"//[^/@\s]*@", "//***@", repr(self.value))
        value = value if len(value) <= MAX_SHOWN else f"{value[:MAX_SHOWN]}…"
        return f"{self.place}{': ' if self.place else ''}{self.key} is {value}, which {self.does}"


def marked(kind: type[BaseModel], data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Trusted, Any]]:
    """Yield the marked settings in `data`, nested sections and lists too: dotted key, mark and value."""
    for name, field in kind.model_fields.items():
        if name not in data:
            continue
        value, key = data[name], f"{prefix}{name}"
        mark = next((one for one in field.metadata if isinstance(one, Trusted)), None)
        section = _section(field.annotation)
        if mark is not None:
            yield key, mark, value
        elif section is not None and isinstance(value, dict):
            yield from marked(section, cast("dict[str, Any]", value), f"{key}.")
        elif section is not None and isinstance(value, list | tuple):
            for number, item in enumerate(cast("list[Any]", value)):
                if isinstance(item, dict):
                    yield from marked(section, cast("dict[str, Any]", item), f"{key}.{number}.")


def _section(annotation: Any) -> type[BaseModel] | None:
    """The model of a nested section, or of the items of a list."""
    for kind in (annotation, *get_args(annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None


def is_harmless(mark: Trusted, value: Any, own: Any, folder: Path | None) -> bool:
    """Return whether a value counts although it is not the person's own value, `own`.

    `folder` is where a relative path begins; None where no path is harmless.
    """
    if any(value is one or (value == one and type(value) is type(one)) for one in mark.harmless):
        return True
    if mark.inside and folder is not None and isinstance(value, str):
        return is_inside(Path(value), folder)
    if mark.at_most:
        return own is None or (isinstance(value, int | float) and isinstance(own, int | float) and value <= own)
    return False


def is_inside(path: Path, folder: Path) -> bool:
    """Return whether a path, taken from `folder`, stays in it when all links are followed."""
    root = folder.resolve()
    return (root / path).resolve().is_relative_to(root)


# The person's list: a line for each trusted file or run, `digest  path`.


def list_file() -> Path:
    """Return the list of what the person trusts: `~/.local/share/redraft/trusted.txt` on Linux."""
    from platformdirs import user_data_path

    return user_data_path("redraft", appauthor=False) / "trusted.txt"


def trust(path: Path, content: bytes) -> None:
    """Trust a file or run as it is now, at its place. Raises `ConfigError` if the list cannot be written."""
    line = _line(path, content)
    if _listed(line):
        return
    file = list_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if file.exists() and file.stat().st_size > MAX_LIST_BYTES:
            lines = file.read_bytes().splitlines(keepends=True)
            _write(file, b"".join(lines[len(lines) // 2 :]), os.O_TRUNC)
        _write(file, line, os.O_APPEND)  # one write, so that processes do not mix their lines
    except OSError as error:
        raise ConfigError(f"Cannot write {file}, the list of what you trust: {error.strerror or error}.") from error


def distrust(path: Path) -> int:
    """Remove a file or run, with any content, from the list; return the number of lines removed."""
    ending = _line(path, b"")[64:]
    file = list_file()
    lines = _lines()
    kept = [line for line in lines if not line.endswith(ending)]
    if len(kept) < len(lines):
        try:
            _write(file, b"".join(kept), os.O_TRUNC)
        except OSError as error:
            raise ConfigError(f"Cannot write {file}, the list of what you trust: {error.strerror or error}.") from error
    return len(lines) - len(kept)


def is_trusted(path: Path, content: bytes) -> bool:
    """Return whether the person trusts a file or run with exactly this content at this place."""
    return _listed(_line(path, content))


def _line(path: Path, content: bytes) -> bytes:
    place = os.fsencode(path.resolve())
    return hashlib.sha256(place + b"\0" + content).hexdigest().encode() + b"  " + place.replace(b"\n", b"?") + b"\n"


def _listed(line: bytes) -> bool:
    return line in _lines()


def _lines() -> list[bytes]:
    try:
        return list_file().read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ConfigError(
            f"Cannot read {list_file()}, the list of what you trust: {error.strerror or error}."
        ) from error


def _write(file: Path, content: bytes, mode: int) -> None:
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | mode, 0o600)
    try:
        os.write(handle, content)
    finally:
        os.close(handle)
