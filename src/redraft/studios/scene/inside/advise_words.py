"""How near names are to each other: by their words, and by their letters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from redraft.studios.scene.inside.advise_renames import WORDS

__all__ = ["letters", "misspelt", "near", "respelt", "words", "words_of"]

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words(name: str) -> tuple[str, ...]:
    """`cursor_location` and `CursorLocation` are cursor, location."""
    return tuple(word.lower() for word in _WORD.findall(name))


def words_of(text: str) -> frozenset[str]:
    """The words of a list that is written as a text."""
    return frozenset(text.split())


def letters(one: str, other: str) -> float:
    """How alike two names are by their letters, 0 to 1."""
    return SequenceMatcher(None, one.lower(), other.lower(), autojunk=False).ratio()


def near(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names that are like this one, the likest first."""
    own = set(words(name))
    ranked: list[tuple[float, str]] = []
    for other in known:
        if other.startswith("_"):
            continue
        theirs = set(words(other))
        common = 2 * len(own & theirs) / (len(own) + len(theirs) or 1)
        alike = max(common, letters(name, other)) if common or abs(len(name) - len(other)) < 5 else 0.0
        if alike >= 0.6:
            ranked.append((-(alike + common / 10), other))
    return [other for _, other in sorted(ranked)[:most]]


def misspelt(name: str, known: Iterable[str]) -> str:
    """The one known name that this is a misspelling of; empty where it is far from all, or as near to two."""
    if len(name) < 5:
        return ""
    wrong = sorted(((-letters(name, other), other) for other in known if _slip(name, other)), key=lambda item: item)
    return wrong[0][1] if wrong and (len(wrong) == 1 or wrong[0][0] < wrong[1][0] - 0.02) else ""


def _slip(name: str, other: str) -> bool:
    """Letters swapped, doubled, missing or wrong, words in another order, or another ending; never a digit or an axis,
    which mean more."""
    if re.sub(r"\D", "", name) != re.sub(r"\D", "", other) or (name[:-1] == other and name[-1] in "XYZWxyzw"):
        return False
    rest = other[len(name) :] if len(name) > 8 and other.startswith(name) else ""
    if sorted(words(name)) == sorted(words(other)):
        return True
    if _same_stems(words(name), words(other)) or (0 < len(rest) <= 4 and rest.isalpha()):
        return True
    if abs(len(name) - len(other)) > 2:
        return False
    return name.lower() == other.lower() or letters(name, other) > (0.86 if len(name) < 9 else 0.88)


def _same_stems(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """`use_denoiser` and `use_denoising`: as many words, each beginning like its partner."""
    if len(one) != len(other) or len(one) < 2:
        return False
    return all(
        a == b or _same_beginning(a, b) > max(3, 0.6 * max(len(a), len(b))) for a, b in zip(one, other, strict=True)
    )


def _same_beginning(one: str, other: str) -> int:
    """How many letters two words share before they part."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def respelt(name: str) -> list[str]:
    """The name with words that Blender renamed everywhere: `lamp_add` gives `light_add`."""
    found, whole = list[str](), name
    for old, new in WORDS:
        changed = _exchanged(name, old, new)
        whole = _exchanged(whole, old, new)
        if changed != name:
            found.append(changed)
    return [*found, whole] if len(found) > 1 else found


def _exchanged(name: str, old: str, new: str) -> str:
    changed = re.sub(rf"(?<![a-z]){old}(?![a-z])", new, name)
    return re.sub(rf"(?<![A-Z]){old.capitalize()}(?![a-z])", new.capitalize(), changed)
