"""Idea cards by rule: what was asked for in its own words, each card with other company, layout, palette and mood."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from string import ascii_uppercase
from typing import Any, cast

from redraft.english.edits import is_edit
from redraft.english.grammar import read
from redraft.errors import BriefError
from redraft.offline.lexicon import find
from redraft.scoring.cards import IdeaCard
from redraft.scoring.words import forms, singular, words
from redraft.yamldata import read_yaml

__all__ = ["allowed", "asked_sentences", "idea_cards", "listed"]

LONGEST = 1_000
"""Characters of a request that a card repeats."""
HOOK = 110
"""Characters of it in a hook."""
_AVOID = re.compile(r"\b(?:avoid|no|without|nothing|dislikes)\b:?\s*(.*)", re.IGNORECASE)
_COUNTED = re.compile(r"(?:an?|the|one|two|three|four|five|six|some|his|her|its|their|my|our|\d+)\b", re.IGNORECASE)


@cache
def listed(name: str) -> Any:
    """A list of `words.yaml`."""
    return read_yaml(files("redraft.offline.ideas").joinpath("words.yaml").read_text("utf-8"))[name]


def allowed(phrase: str, avoided: Sequence[str]) -> bool:
    """Whether nothing that is to be avoided stands in a phrase."""
    own = {form for word in words(phrase) for form in forms(word)}
    return not any(own & forms(word) for entry in avoided for word in words(entry) if len(word) > 2)


def idea_cards(
    concepts: Sequence[str], instruction: str, made: str, hints: str, number: int, seed: int
) -> list[IdeaCard]:
    """So many cards. The same arguments give the same cards, another seed gives others."""
    rng = random.Random(seed)  # noqa: S311  taste, not secrets
    concepts, instruction = [_plain(concept) for concept in concepts], _plain(instruction)
    avoided = _avoided(hints)
    board = "board" in words(made)
    bare = board or "shader" in words(made) or (not concepts and is_edit(instruction))
    request = " ".join((*concepts, instruction))
    palettes = _dealt(_entries("palettes", made, avoided), 2 * number, rng)
    dealt = {name: _dealt(_entries(name, made, avoided), 2 * number, rng) for name in ("layouts", "mediums", "moods")}
    views, lights = (_dealt(_entries(name, made, avoided), number, rng) for name in ("views", "lights"))
    company = _dealt([thing for thing in listed("company") if allowed(thing, [*avoided, request])], 2 * number, rng)
    cards: list[IdeaCard] = []
    for k in range(number):
        palette, mood = palettes[k], dealt["moods"][k]
        added = [] if bare else [*company[2 * k : 2 * k + 2], *_backdrops(palette, request, avoided)]
        if concepts:
            sentences = asked_sentences(concepts, rng, avoided, added)
        elif bare:
            sentences = [instruction or "Anything."]
        else:
            sentences = [_sentence(instruction or "anything"), _there_is(added)]
        sentences.append("" if board else lights[k])
        hook = rng.choice(listed("hooks")).format(subject=_subject(concepts, instruction), mood=mood)
        options = {
            "composition": (dealt["layouts"][k], "the front first" if board else views[k]),
            "palette": tuple(_says(entry) for entry in _pair(palettes, k)),
            "medium": _pair(dealt["mediums"], k),
            "mood": _pair(dealt["moods"], k),
        }
        cards.append(
            IdeaCard(
                id=ascii_uppercase[k],
                hook=f"{hook[:1].upper()}{hook[1:]}.",
                narrative=" ".join(filter(None, sentences)),
                options=options,
                avoid=() if board else tuple(dict.fromkeys((rng.choice(listed("spoils")), *avoided)))[:12],
            )
        )
    return cards


def asked_sentences(
    concepts: Sequence[str], rng: random.Random, avoided: Sequence[str] = (), added: Sequence[str] = ()
) -> list[str]:
    """The concepts in their own words: what can be drawn as one sentence, with what is added, and the rest as a theme,
    which is not drawn."""
    things = [concept for concept in concepts if _is_thing(concept)]
    themes = [concept for concept in concepts if concept not in things]
    fresh = [subject for subject in listed("subjects") if allowed(subject, avoided)] or listed("subjects")
    shown = [_with_article(thing) for thing in things] or [_with_article(rng.choice(fresh))]
    quoted = [f'"{theme.replace(chr(34), "")}"' for theme in themes]
    return [
        _sentence(_listed([*shown, *_with_articles(added)])),
        *([f"The theme is {_joined(quoted)}."] if quoted else []),
    ]


def _is_thing(concept: str) -> bool:
    try:
        nouns = [mention.noun for mention in read(concept).mentions]
    except BriefError:
        return False
    return any(find(noun) for noun in nouns) or (bool(nouns) and _counted(concept) and not concept.startswith("the "))


def _counted(phrase: str) -> bool:
    return _COUNTED.match(phrase) is not None


def _with_article(phrase: str) -> str:
    """ "a house", "an owl"; what has a number, an article or a plural, and what spans the canvas, stays."""
    entry = find(phrase)
    last = words(phrase)[-1:]
    if _counted(phrase) or (entry is not None and entry.backdrop) or any(singular(word) != word for word in last):
        return phrase
    return f"{'an' if phrase[:1].lower() in 'aeiou' else 'a'} {phrase}"


def _backdrops(palette: dict[str, str], request: str, avoided: Sequence[str]) -> Iterator[str]:
    """A sky and a ground in the palette's colors, where the request has none of its own."""
    entries = [find(word) for word in words(request)]
    if not any(entry is not None and entry.backdrop for entry in entries):
        found = (f"a {palette['sky']} sky", f"{palette['ground']} grass")
        yield from (phrase for phrase in found if allowed(phrase, avoided))


def _there_is(added: Sequence[str]) -> str:
    several = bool(added) and added[0].startswith(("two", "three"))
    return f"There {'are' if several else 'is'} {_listed(_with_articles(added))}." if added else ""


def _with_articles(added: Sequence[str]) -> list[str]:
    return [phrase if phrase.endswith(" grass") else _with_article(phrase) for phrase in added]


def _listed(parts: Sequence[str]) -> str:
    return ", ".join(parts[:-1]) + (", and " if len(parts) > 1 else "") + parts[-1]


def _entries(name: str, made: str, avoided: Sequence[str]) -> list[Any]:
    """A list for a thing of this kind ("a 3D scene …", "a vector drawing …"), without what is to be avoided."""
    special: dict[str, list[Any]] = listed(f"{name}_of") if name not in ("views", "lights") else {}
    entries = next((special[word] for word in words(made) if word in special), listed(name))
    return [entry for entry in entries if allowed(_says(entry), avoided)] or entries


def _says(entry: Any) -> str:
    return str(cast("dict[str, object]", entry)["says"] if isinstance(entry, dict) else entry)


def _pair(dealt: Sequence[Any], k: int) -> tuple[Any, Any]:
    """The entry of card `k`, and another."""
    second = dealt[(k + len(dealt) // 2) % len(dealt)]
    return dealt[k], next(entry for entry in (second, *dealt) if entry != dealt[k])


def _dealt(entries: Sequence[Any], number: int, rng: random.Random) -> list[Any]:
    """So many, shuffled; each once before any comes twice."""
    found: list[Any] = []
    while entries and len(found) < number:
        found += rng.sample(list(entries), len(entries))
    return found[:number]


def _subject(concepts: Sequence[str], instruction: str) -> str:
    """What it is about, short, as one piece of a sentence."""
    plain = re.sub(r"[.!?:;]+(?=\s|$)", ",", instruction or _joined(concepts)).strip(" ,") or "anything"
    return plain if len(plain) <= HOOK else f"{plain[:HOOK].rsplit(' ', 1)[0]} …"


def _joined(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _sentence(text: str) -> str:
    bare = text.rstrip(" .!")
    return f"{bare[:1].upper()}{bare[1:]}."


def _avoided(hints: str) -> list[str]:
    """What a summary of a taste says to avoid."""
    avoided = [match[1] for line in hints.splitlines() if (match := _AVOID.search(line))]
    parts = [" ".join(part.split())[:120] for text in avoided for part in re.split(r"[,;.]", text)]
    return list(dict.fromkeys(filter(None, parts)))[:10]


def _plain(text: str) -> str:
    """Printable, on one line, and no longer than a card can repeat."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split()).rstrip(" .,;")
    return plain if len(plain) <= LONGEST else plain[:LONGEST].rsplit(" ", 1)[0] + " …"
