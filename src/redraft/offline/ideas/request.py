"""What is asked for, as the offline model reads it: things that can be drawn, scenery, weather, and words that are
neither, each in the words in which it was said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from redraft.english.words import singular, vocabulary
from redraft.errors import ContradictionError
from redraft.offline.ideas.words import Place, Theme, place_of, theme_of
from redraft.offline.lexicon import find
from redraft.scoring.words import words
from redraft.spatial.edits import is_edit
from redraft.spatial.reading import Reading
from redraft.spatial.relations import read

__all__ = ["Wanted", "backdrops_of", "read_nouns", "read_wanted", "reading_of", "with_article"]

_DETERMINED = re.compile(r"(?:an?|the|one|some|his|her|its|their|my|our|\d+)\b", re.IGNORECASE)
_INDEFINITE = re.compile(r"(?!the\b)" + _DETERMINED.pattern, re.IGNORECASE)
_NO_SCENE = frozenset({"board", "shader"})
"""What is made of these words shows no things with company."""
_NO_ARTICLE = frozenset({"lightning"})
_ABSTRACT = ("ness", "ity", "tion", "sion", "ism", "ship", "hood", "ment", "ance", "ence", "ology", "dom", "ing")


@dataclass(frozen=True)
class Wanted:
    """A request, read. Everything in it stands in the request's own words."""

    things: tuple[str, ...]
    """Phrases with what can be drawn: "a lighthouse", "three red apples", "a cat on a chair"."""
    scenery: tuple[str, ...]
    """Backdrops: "the sea", "snow"."""
    weather: tuple[Theme, ...]
    """What things stand in: "in a storm"."""
    themes: tuple[str, ...]
    """Words that name nothing to draw: "melancholy", "the passage of time"."""
    known: tuple[Theme, ...]
    """What is known of weather and themes."""
    instruction: str = ""
    """A whole instruction, instead of concepts."""
    fixed: bool = False
    """Nothing may be added: it changes what is there, or is no picture at all."""

    @property
    def place(self) -> Place:
        named = next((theme.place for theme in self.known if theme.place), "")
        nouns = [m.noun for m in self.reading.mentions]
        return place_of(nouns, backdrops_of(self.reading), named)

    @property
    def text(self) -> str:
        """What can be drawn of it, as one list."""
        return self.instruction or ", ".join((*self.things, *self.scenery))

    @property
    def reading(self) -> Reading:
        return reading_of(self.text) or Reading(self.text)


def read_wanted(concepts: Sequence[str], instruction: str, medium: str) -> Wanted:
    """Sort what is asked for."""
    if not concepts:
        fixed = bool(_NO_SCENE & set(words(medium))) or is_edit(instruction) or reading_of(instruction) is None
        theme = theme_of(instruction)
        return Wanted((), (), (), (), (theme,) if theme else (), " ".join(instruction.split()), fixed)
    things: list[str] = []
    scenery: list[str] = []
    weather: list[Theme] = []
    themes: list[str] = []
    known: list[Theme] = []
    for concept in concepts:
        said = " ".join(concept.split()).rstrip(" .,;")
        if not said:
            continue
        kind = _kind(said)
        theme = theme_of(said) if kind in {"theme", "weather"} else None
        if theme is not None:
            known.append(theme)
        if kind == "thing":
            things.append(_with_article(said))
        elif kind == "scenery":
            scenery.append(_with_article(said, uncounted="the"))
        elif kind == "weather" and theme is not None:
            weather.append(theme)
        else:
            themes.append(said)
    return Wanted(tuple(things), tuple(scenery), tuple(weather), tuple(themes), tuple(known))


def _kind(concept: str) -> str:
    """Whether a concept is a thing, scenery, weather to stand in, or a theme."""
    reading = reading_of(concept)
    nouns = [m.noun for m in reading.mentions] if reading is not None else []
    theme = theme_of(concept) if len(concept.split()) == 1 else None
    if theme is not None and (not nouns or not _is_known(nouns[0]) or theme.word == concept.lower()):
        exact = theme.article and theme.word == concept.lower() and find(concept) is None
        return "weather" if exact else "scenery" if _is_backdrop(concept) else "theme"
    if nouns and all(_is_backdrop(noun) for noun in nouns):
        return "scenery"
    if any(map(_is_known, nouns)) or (nouns and _INDEFINITE.match(concept)):
        return "thing"
    return "thing" if _is_unknown_thing(concept) else "theme"


def _is_known(noun: str) -> bool:
    return find(noun) is not None


def _is_backdrop(noun: str) -> bool:
    entry = find(noun)
    return entry is not None and entry.backdrop


def _is_unknown_thing(concept: str) -> bool:
    """A word or two that nothing is known of: rather a thing, unless it is a name or sounds abstract."""
    said = concept.split()
    v, last = vocabulary(), said[-1].lower() if said else ""
    if not last.isascii() or not last.isalpha() or len(said) > 2 or said[-1][:1].isupper():
        return False
    one = singular(last)[0]
    plain = v.has(one, "abstract", "settings", "adjectives", "verbs", "adverbs", "colours", "frames", "uncountable")
    return not (plain or last in v.verb_forms or last.endswith(_ABSTRACT))


def _with_article(concept: str, *, uncounted: str = "") -> str:
    """ "lighthouse" as "a lighthouse"; what has a number, an article or a plural stays."""
    reading = reading_of(concept)
    first = reading.mentions[0] if reading is not None and reading.mentions else None
    if _DETERMINED.match(concept) or (first is not None and first.count != 1):
        return concept
    head = (first.noun if first is not None else concept).split()[-1].lower()
    if uncounted or head in _NO_ARTICLE or vocabulary().has(head, "uncountable", "pair_nouns"):
        return f"{uncounted} {concept}".strip()
    return with_article(concept)


def with_article(phrase: str) -> str:
    """ "a house", "an owl", "a ufo"."""
    vowel = phrase[:1].lower() in "aeiou" and not phrase.lower().startswith(("ufo", "uni", "uk", "eu", "one"))
    return f"{'an' if vowel else 'a'} {phrase}"


def reading_of(text: str) -> Reading | None:
    """A text as the drawing grammar reads it; None where its words exclude each other."""
    try:
        return read(text)
    except ContradictionError:
        return None


def read_nouns(text: str) -> list[str]:
    """The nouns that a text names."""
    reading = reading_of(text)
    return [] if reading is None else [m.noun for m in reading.mentions]


def backdrops_of(reading: Reading) -> list[str]:
    """The nouns of a reading that span the canvas."""
    return [m.noun for m in reading.mentions if _is_backdrop(m.noun)]
