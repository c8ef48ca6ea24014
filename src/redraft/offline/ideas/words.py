"""The lists in `words.yaml`, typed: what goes with what, how a picture can be seen, made and felt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, cast

from redraft.english.words import vocabulary
from redraft.offline.lexicon import find
from redraft.scoring.words import forms, words
from redraft.spatial.yamldata import read_yaml

__all__ = [
    "Layout",
    "Palette",
    "Place",
    "Theme",
    "broad_of",
    "layouts",
    "listed",
    "listed_for",
    "palettes",
    "place_of",
    "theme_of",
]


@dataclass(frozen=True)
class Place:
    """Where things are at home, and what else is there."""

    name: str
    home: tuple[str, ...]
    """Things that are found here, not elsewhere."""
    beside: tuple[str, ...]
    above: tuple[str, ...]
    grounds: tuple[str, ...]


@dataclass(frozen=True)
class Theme:
    """What a word that is no thing brings into a picture."""

    word: str
    article: str = ""
    """For "in a storm"; empty where it is not said so."""
    place: str = ""
    sky: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    moods: tuple[str, ...] = ()


@dataclass(frozen=True)
class Palette:
    """A palette in words, and the colour that each backdrop takes in it."""

    says: str
    colours: Mapping[str, str]


@dataclass(frozen=True)
class Layout:
    """Where companions go (`left`, `right`, `above`, `many above`, `many right`), and how that is said."""

    name: str
    puts: tuple[str, ...]
    says: tuple[str, ...]


@cache
def _raw() -> dict[str, Any]:
    return read_yaml(files("redraft.offline.ideas").joinpath("words.yaml").read_text("utf-8"))


def listed(name: str, key: str = "") -> tuple[str, ...]:
    """A plain list: `views`, `mediums`, `lights`, `moods`, `spoils`, `feels`; with a key, one of several: `board`."""
    found = _raw()[name]
    return tuple(cast("list[str]", found[key] if key else found))


def listed_for(name: str, made: str) -> tuple[str, ...]:
    """`mediums` or `moods` for a thing of this kind ("a 3D scene …", "a vector drawing …"), else as for a painting."""
    known = cast("dict[str, list[str]]", _raw()[f"{name}_of"])
    return next((tuple(known[word]) for word in words(made) if word in known), listed(name))


@cache
def palettes() -> tuple[Palette, ...]:
    return tuple(
        Palette(str(entry["says"]), {k: str(v) for k, v in entry.items() if k != "says"})
        for entry in cast("list[dict[str, object]]", _raw()["palettes"])
    )


@cache
def layouts() -> tuple[Layout, ...]:
    return tuple(
        Layout(entry["name"], tuple(entry["puts"]), tuple(entry["says"]))
        for entry in cast("list[dict[str, Any]]", _raw()["layouts"])
    )


@cache
def _places() -> Mapping[str, Place]:
    raw = cast("dict[str, dict[str, list[str]]]", _raw()["places"])
    return {
        name: Place(name, *(tuple(entry[key]) for key in ("home", "beside", "above", "grounds")))
        for name, entry in raw.items()
    }


def place_of(nouns: Sequence[str], scenery: Sequence[str] = (), named: str = "") -> Place:
    """Where it plays: as a word names it, else by scenery, else where the first of the things is at home."""
    known = _places()
    if named:
        return known[named]
    for place in known.values():
        if set(place.grounds) & {entry.name for noun in scenery if (entry := find(noun)) is not None}:
            return place
    for entry in (entry for noun in nouns if (entry := find(noun)) is not None):
        for place in known.values():
            if entry.name in place.home:
                return place
    return known["land"]


@cache
def _themes() -> Mapping[str, Theme]:
    raw = cast("dict[str, dict[str, Any]]", _raw()["words"])
    found: dict[str, Theme] = {}
    for word, entry in raw.items():
        lists = {key: tuple(entry.get(key, ())) for key in ("sky", "above", "beside", "moods")}
        theme = Theme(word, entry.get("in", ""), entry.get("place", ""), **lists)
        found[word] = theme
        for other in entry["also"]:
            article = theme.article if vocabulary().has(other, "settings") else ""
            found.setdefault(other, Theme(other, article, theme.place, **lists))
    return found


def theme_of(concept: str) -> Theme | None:
    """What a concept brings that is no thing: by its last word that is known, in any form."""
    for word in reversed(words(concept)):
        known = _themes()
        theme = known.get(word) or next((known[form] for form in sorted(forms(word)) if form in known), None)
        if theme is not None:
            return theme
    return None


@cache
def broad_of() -> Mapping[str, tuple[str, ...]]:
    """A word, and how what is about it feels."""
    return {
        form: tuple(entry["feels"])
        for entry in cast("list[dict[str, list[str]]]", _raw()["broad"])
        for word in entry["about"]
        for form in sorted(forms(word))
    }
