"""What a concept states, and whether a prompt keeps it: its words, numbers, colours and places.

Precision goes before recall. A word is there in any form; a number, colour or place is changed only where the prompt
plainly gives the thing another one and nowhere its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from redraft.english.words import vocabulary
from redraft.errors import ContradictionError
from redraft.scoring.words import is_stop, words
from redraft.spatial.reading import Reading, Relate
from redraft.spatial.relations import read
from redraft.studios.image.prose import PLACES, Prose, Sentence, same, value_of

__all__ = ["Asked", "asked", "changed", "missing"]

BACK = 5
"""So many words before a noun may describe it."""
_FRAME = re.compile(r"^(?:an? |the )?(?:photo|photograph|picture|image)(?:s)? of ", re.IGNORECASE)
_NOT = re.compile(r"\b(?:no|not|without|never|except|nor)\b[^,;.]*", re.IGNORECASE)
_UNSURE = frozenset(
    {"in", "on", "at", "into", "onto", "inside", "with", "upon", "from", "toward", "towards", "through"}
)
"""Words that place or relate, which a prompt may say in many ways."""
_ENDS = frozenset(
    {"a", "an", "the", "this", "that", "its", "his", "her", "their", "each", "every", "some", "other", "of"}
)
_SIDES = {"left_of": "right_of", "right_of": "left_of", "above": "below", "below": "above"}


@dataclass(frozen=True)
class Asked:
    """A concept, read."""

    concept: str
    words: tuple[str, ...]
    """What must stand in the prompt, folded."""
    unchecked: tuple[str, ...]
    reading: Reading | None
    """None where its words exclude each other."""


def asked(concept: str) -> Asked:
    """Read a concept: its words of content, and those that nobody can look for."""
    framed = _FRAME.match(concept)
    rest = concept[framed.end() :] if framed else concept
    excluded = [m.group().strip() for m in _NOT.finditer(rest)]
    said = words(_NOT.sub(" ", rest))
    content = dict.fromkeys(word for word in said if _is_content(word))
    vague = dict.fromkeys(word for word in said if word in _UNSURE or _is_sign(word))
    unchecked = ([framed.group().strip()] if framed else []) + excluded + list(vague)
    return Asked(concept, tuple(content), tuple(unchecked), _reading(_NOT.sub(" ", rest)))


def _is_content(word: str) -> bool:
    if value_of(word) is not None:
        return value_of(word) != 1 and not _is_zero(word)
    return (word in PLACES and word not in _UNSURE) or not (is_stop(word) or word in _UNSURE or _is_sign(word))


def _is_zero(word: str) -> bool:
    return value_of(word) == 0


def _is_sign(word: str) -> bool:
    """An emoji: a prompt shows what it shows in words."""
    return not any(c.isalnum() for c in word)


def _reading(text: str) -> Reading | None:
    try:
        return read(text)
    except ContradictionError:
        return None


def missing(fact: Asked, prose: Prose) -> list[str]:
    """The words of a concept that do not stand in the prompt, nor written together, nor only where it excludes them."""
    lost = [word for word in fact.words if not prose.says(word)]
    joined = {w for pair in zip(fact.words, fact.words[1:], strict=False) if prose.says_joined(pair) for w in pair}
    lost = [word for word in lost if word not in joined and not prose.says_joined([word])]
    return lost + [w for w in fact.words if w not in lost and _only_excluded(w, prose)]


def _only_excluded(word: str, prose: Prose) -> bool:
    """ "no lighthouse": directly behind the negation, with an adjective between at most."""
    places = [(s, at) for s in prose.sentences for at in s.places(word)]
    return bool(places) and all({"no", "without"} & set(s.words[max(0, at - 2) : at]) for s, at in places)


def changed(fact: Asked, prose: Prose) -> Iterator[tuple[str, str]]:
    """What is told otherwise: the words of the concept, and what the prompt says instead."""
    if fact.reading is None:
        return
    for mention in fact.reading.mentions:
        noun = words(mention.noun)[-1:] or [""]
        if mention.colour is not None:
            yield from _recoloured(noun[0], words(mention.colour)[-1], prose)
        if mention.exact and mention.count is not None and mention.count > 1:
            yield from _recounted(noun[0], mention.count, prose)
    yield from _turned(fact.reading, prose)


def _recoloured(noun: str, colour: str, prose: Prose) -> Iterator[tuple[str, str]]:
    """The colours right before a noun, wherever it stands: none of them the one that was asked for."""
    direct = [_before(s, at, _is_colour) for s in prose.sentences for at in s.places(noun)]
    told = [found for found in direct if found]
    after = any(_follows(s, at, colour) for s in prose.sentences for at in s.places(noun))
    if told and not after and not any(same(colour, own) for found in told for own in found):
        yield f"{colour} {noun}", f"{told[0][-1]} {noun}"


def _recounted(noun: str, count: int, prose: Prose) -> Iterator[tuple[str, str]]:
    direct = [_before(s, at, _is_count) for s in prose.sentences for at in s.places(noun)]
    told = [found for found in direct if found]
    if told and not any(value_of(own) == count for found in told for own in found):
        yield f"{count} {noun}", f"{told[0][-1]} {noun}"


def _is_colour(word: str) -> bool:
    return vocabulary().has(word, "colours")


def _is_count(word: str) -> bool:
    return value_of(word) is not None


def _before(sentence: Sentence, at: int, wanted: Callable[[str], bool]) -> list[str]:
    """The words of a sort among those that describe the noun at a place, nearest last."""
    found: list[str] = []
    for k in range(at - 1, max(-1, at - 1 - BACK), -1):
        word = sentence.words[k]
        if word == "and" and _is_colour(sentence.words[k - 1]):
            continue
        if word in _ENDS or vocabulary().has(word, "prepositions", "auxiliaries", "pronouns"):
            break
        if k in sentence.breaks and not found:
            break
        if wanted(word):
            found.insert(0, word)
    return found


def _follows(sentence: Sentence, at: int, colour: str) -> bool:
    """ "the car is red", "a car, glossy and red"; but the red of the next thing is not its own."""
    after = sentence.words[at + 1 : at + 6]
    ends = next((k for k, word in enumerate(after) if word in _ENDS), len(after))
    return any(same(colour, word) for word in after[:ends])


def _turned(reading: Reading, prose: Prose) -> Iterator[tuple[str, str]]:
    """A stated side that the prompt plainly states the other way round, and nowhere as it was."""
    for fact in reading.constraints:
        if not (isinstance(fact, Relate) and fact.certain and fact.relation in _SIDES and len(fact.objects) == 1):
            continue
        a, b = (words(reading.mention(s.mention).noun)[-1] for s in (fact.subjects, fact.objects[0]))
        if a == b:
            continue
        told = {way for s in prose.sentences for way in _ways(s, a, b)}
        if _SIDES[fact.relation] in told and fact.relation not in told:
            yield f"{a} {fact.relation.replace('_', ' ')} {b}", f"{a} {_SIDES[fact.relation].replace('_', ' ')} {b}"


def _ways(sentence: Sentence, a: str, b: str) -> Iterator[str]:
    """How the first stands to the second, as far as a sentence states it."""
    reading = _reading(sentence.text) if _both(sentence, a, b) else None
    for fact in reading.constraints if reading is not None else ():
        if isinstance(fact, Relate) and fact.certain and fact.relation in _SIDES and len(fact.objects) == 1:
            assert reading is not None
            pair = [words(reading.mention(s.mention).noun)[-1:] for s in (fact.subjects, fact.objects[0])]
            if _are(pair, a, b):
                yield fact.relation
            elif _are(pair, b, a):
                yield _SIDES[fact.relation]


def _both(sentence: Sentence, a: str, b: str) -> bool:
    return next(sentence.places(a), None) is not None and next(sentence.places(b), None) is not None


def _are(pair: Sequence[list[str]], a: str, b: str) -> bool:
    return bool(pair[0] and pair[1]) and same(a, pair[0][0]) and same(b, pair[1][0])
