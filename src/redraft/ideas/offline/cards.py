"""Idea cards by rule: the request in its own words; each card adds another thing, layout, palette, medium and mood."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from string import ascii_uppercase

from redraft.errors import BriefError
from redraft.ideas.cards import IdeaCard
from redraft.ideas.words import forms, singular, words
from redraft.offline.english.edits import is_edit
from redraft.offline.english.grammar import read
from redraft.offline.lexicon import find
from redraft.yamldata import read_yaml

LONGEST = 1_000
"""Characters of a request that a card repeats."""
HOOK = 110
"""Characters of it in a hook."""
_AVOID = re.compile(r"\b(?:avoid|no|without|nothing|dislikes)\b:?\s*(.*)", re.IGNORECASE)
_COUNTED = re.compile(r"(?:an?|the|one|two|three|four|five|six|some|his|her|its|their|my|our|\d+)\b", re.IGNORECASE)


@cache
def listed(name: str) -> list[str]:
    """A list of `words.yaml`; empty where it has none of that name."""
    return read_yaml(files("redraft.ideas.offline").joinpath("words.yaml").read_text("utf-8")).get(name, [])


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
    avoided, kind = _avoided(hints), words(made)
    board = "board" in kind
    # Edits, boards and shaders are not pictures of things, so nothing is added to what they say.
    bare = board or "shader" in kind or (not concepts and is_edit(instruction))

    def shuffled(name: str) -> list[str]:
        own = next((f"{name}_of_{word}" for word in ("board", "shader", "3d") if word in kind), name)
        entries = listed(own) or listed(name)
        fitting = [entry for entry in entries if allowed(entry, avoided)] or entries
        return rng.sample(fitting, len(fitting))

    names = {"composition": "layouts", "palette": "palettes", "medium": "mediums", "mood": "moods"}
    options = {option: shuffled(name) for option, name in names.items()}
    requested = [*avoided, *concepts, instruction]
    company = [] if bare else [thing for thing in shuffled("company") if allowed(thing, requested)]
    lights = [""] if board else shuffled("lights")
    cards: list[IdeaCard] = []
    for k in range(number):
        added = [company[k % len(company)]] if company else []
        if concepts:
            sentences = asked_sentences(concepts, rng, avoided, added)
        elif bare:
            sentences = [instruction or "Anything."]
        else:
            sentences = [_sentence(instruction or "anything"), _there_is(added)]
        chosen = {name: (texts[k % len(texts)], texts[(k + 1) % len(texts)]) for name, texts in options.items()}
        hook = f"{_subject(concepts, instruction)}, {chosen['mood'][0]}"
        cards.append(
            IdeaCard(
                id=ascii_uppercase[k],
                hook=f"{hook[:1].upper()}{hook[1:]}.",
                narrative=" ".join(filter(None, (*sentences, lights[k % len(lights)]))),
                options=chosen,
                avoid=() if board else tuple(avoided),
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
        _sentence(_listed([*shown, *map(_with_article, added)])),
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


def _there_is(added: Sequence[str]) -> str:
    several = bool(added) and added[0].startswith(("two", "three"))
    return f"There {'are' if several else 'is'} {_listed([*map(_with_article, added)])}." if added else ""


def _listed(parts: Sequence[str]) -> str:
    return ", ".join(parts[:-1]) + (", and " if len(parts) > 1 else "") + parts[-1]


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
