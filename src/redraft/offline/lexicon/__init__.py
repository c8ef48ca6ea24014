"""Part trees of things with proportions, as data, for the offline planner.

    entry = find("cottages")            # singular, plural, synonyms, compounds ("wooden bench" is a bench)
    plan, strokes = entry.realise((0.2, 0.3, 0.6, 0.8), prefix="house_1", label="cottage", counts={"window": 4})

The entries are YAML files in `data/`, one a theme; their format is `entry.Entry`.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from redraft.drawing.palette import hex_of
from redraft.offline.english.words import thing_of
from redraft.offline.lexicon.entry import Entry, Part, Repeat, Stroke, unknown
from redraft.yamldata import read_yaml

__all__ = ["Entry", "Part", "Repeat", "Stroke", "find", "hex_of", "names", "unknown"]


def _tuples(value: Any) -> Any:
    """Return lists as tuples, for a strict model; `name: [strokes]` and `name: {…}` as parts, in order."""
    if isinstance(value, list):
        items: list[object] = value  # pyright: ignore[reportUnknownVariableType]
        return tuple(_tuples(item) for item in items)
    if not isinstance(value, dict):
        return value
    pairs: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
    parts = [
        {"name": name, **(body if isinstance(body, dict) else {"strokes": body})}
        for name, body in pairs.get("parts", {}).items()
    ]
    return {k: _tuples(parts if k == "parts" else v) for k, v in pairs.items()}


@lru_cache(maxsize=1)
def _entries() -> dict[str, Entry]:
    folder = files("redraft.offline.lexicon") / "data"
    return {
        name: Entry.model_validate(_tuples({"name": name, **data}))
        for file in sorted(folder.iterdir(), key=lambda f: f.name)
        for name, data in read_yaml(file.read_text("utf-8")).items()
    }


def find(noun: str) -> Entry | None:
    """Return the entry for a noun as `english.words.thing_of` understands it, or None."""
    thing = thing_of(noun)
    return None if thing is None else _entries().get(thing.name)


def names() -> tuple[str, ...]:
    """Return the names of all entries, sorted."""
    return tuple(sorted(_entries()))
