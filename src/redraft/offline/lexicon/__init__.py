"""Part trees of things with proportions, as data, for the offline planner.

    entry = find("cottages")            # singular, plural, synonyms, compounds ("wooden resources" is a resources)
    plan, strokes = entry.realise((0.2, 0.3, 0.6, 0.8), prefix="house_1", label="cottage", counts={"window": 4})

The entries are YAML files in `data/`, one a theme; their format is `entry.Entry` and `parts.Part`. Nothing here
knows sentences, scenes or layouts.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from importlib.resources import files
from typing import Any

from pydantic import ValidationError

from redraft.english.words import thing_of
from redraft.errors import ConfigError
from redraft.offline.lexicon.entry import Entry, unknown
from redraft.offline.lexicon.parts import Part, Repeat, Stroke
from redraft.palette import hex_of
from redraft.yamldata import read_yaml

__all__ = [
    "Entry",
    "Part",
    "Repeat",
    "Stroke",
    "find",
    "hex_of",
    "load",
    "names",
    "unknown",
]


def load(text: str, origin: str) -> list[Entry]:
    """The entries of one YAML file. Raises ConfigError with the entry, the key path and the value."""
    found: list[Entry] = []
    for name, data in read_yaml(text).items():
        try:
            found.append(Entry.model_validate(_tuples({"name": name, **data})))
        except ValidationError as error:
            first = error.errors()[0]
            path = ".".join(str(step) for step in (name, *first["loc"]))
            raise ConfigError(f"{origin}: {path}: {first['msg']} (found {str(first['input'])[:200]!r})") from error
    return found


def _tuples(value: object) -> Any:
    """Lists as tuples, as a strict and frozen model wants them; a part's mapping gets its key as its name."""
    if isinstance(value, list):
        items: list[object] = value  # pyright: ignore[reportUnknownVariableType]
        return tuple(_tuples(item) for item in items)
    if isinstance(value, dict):
        pairs: dict[str, object] = value  # pyright: ignore[reportUnknownVariableType]
        return {k: _part_list(v) if k == "parts" else _tuples(v) for k, v in pairs.items()}
    return value


def _part_list(value: Any) -> Any:
    """`name: [strokes]` or `name: {strokes: [...], ...}`, in order, as parts."""
    return tuple(
        _tuples({"name": name, **(body if isinstance(body, dict) else {"strokes": body})})
        for name, body in value.items()
    )


@lru_cache(maxsize=1)
def _entries() -> dict[str, Entry]:
    folder = files("redraft.offline.lexicon") / "data"
    found: dict[str, Entry] = {}
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".yaml"):
            for entry in load(file.read_text("utf-8"), file.name):
                if entry.name in found:
                    raise ConfigError(f"{file.name}: {entry.name} is in another file too")
                found[entry.name] = entry
    return found


def find(noun: str, among: Collection[str] = ()) -> Entry | None:
    """The entry for a noun as `english.words.thing_of` understands it, or None."""
    thing = thing_of(noun, among)
    return None if thing is None else _entries().get(thing.name)


def names() -> tuple[str, ...]:
    """The names of all entries, sorted."""
    return tuple(sorted(_entries()))
