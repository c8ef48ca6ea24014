"""Similarity of names: by their words, and by their letters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from redraft.studios.scene.inside.advice.changes import WORDS

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words(name: str) -> tuple[str, ...]:
    """Return a name's words: `cursor_location` and `CursorLocation` are cursor, location."""
    return tuple(word.lower() for word in _WORD.findall(name))


def near(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return the known names that are most like this one, the most similar first."""
    own = set(words(name))
    ranked: list[tuple[float, str]] = []
    for other in known:
        if other.startswith("_"):
            continue
        theirs = set(words(other))
        common = 2 * len(own & theirs) / (len(own) + len(theirs) or 1)
        alike = SequenceMatcher(None, name.lower(), other.lower(), autojunk=False).ratio
        likeness = max(common, alike()) if common or abs(len(name) - len(other)) < 5 else 0.0
        if likeness >= 0.6:
            ranked.append((-(likeness + common / 10), other))
    return [other for _, other in sorted(ranked)[:most]]


def respelt(name: str) -> list[str]:
    """Return the name with words that Blender renamed everywhere: `lamp_add` gives `light_add`."""

    def exchanged(text: str, old: str, new: str) -> str:
        changed = re.sub(rf"(?<![a-z]){old}(?![a-z])", new, text)
        return re.sub(rf"(?<![A-Z]){old.capitalize()}(?![a-z])", new.capitalize(), changed)

    names, whole = list[str](), name
    for old, new in WORDS:
        changed = exchanged(name, old, new)
        whole = exchanged(whole, old, new)
        if changed != name:
            names.append(changed)
    return [*names, whole] if len(names) > 1 else names


def quoted(names: Iterable[str], mark: str = "'") -> str:
    """Return names in a sentence."""
    return ", ".join(f"{mark}{name}{mark}" for name in names)
