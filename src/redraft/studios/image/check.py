"""The deterministic report on a prompt: what was asked for stands in its words, and nothing disliked does.

Precision goes before recall. A word is found in any form; a number, color or side is changed only where the prompt
plainly gives the thing another one and nowhere its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from redraft.ideas.abstraction import is_broad
from redraft.ideas.words import color_spans, is_stop, singular, words
from redraft.result import CONCEPT, Heuristics, Issue, Measured, Report, judged
from redraft.studios.codes import Code, Codes
from redraft.studios.image.prose import PLACES, Prose, Sentence, same, sentence_of, value_of

CODES = Codes(
    {
        "fact.missing": Code("a word of a concept is not in the prompt", "error", basis="requirement"),
        "fact.changed": Code("the prompt gives a thing of a concept another number, color or side", "error"),
        "taste.disliked": Code("something that the profile dislikes stands in the prompt", "warning"),
        "prompt.long": Code("the prompt is so long that image models leave things out", "warning"),
    }
)
"""Every finding about prompts."""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


LONG = 3_500
"""Characters beyond which image models begin to leave things out."""
_MEDIUM = re.compile(r"^(?:an? |the )?(?:photo|photograph|picture|image)(?:s)? of ", re.IGNORECASE)
_NOT = re.compile(r"\b(?:no|not|without|never|except|nor)\b[^,;.]*", re.IGNORECASE)
_UNSURE = _set("in on at into onto inside with upon from toward towards through")
"""Words that place or relate, which a prompt may say in many ways."""
_DETERMINERS = _set("a an the this that its his her their each every some other of")
_SIDES = {
    "left": "left of",
    "right": "right of",
    **dict.fromkeys(("above", "over"), "above"),
    **dict.fromkeys(("below", "under", "beneath", "underneath"), "below"),
}
_OPPOSITE = {"left of": "right of", "right of": "left of", "above": "below", "below": "above"}
_BACK = 5
"""So many words before a noun may describe it."""
_APART = 8
"""So many words may stand between a thing and what it is left of."""
_SHADES = _set("dark light pale deep bright soft dull vivid muted warm cool")
_GENERAL = _set(
    "aesthetic art artwork composition compositions element elements image imagery images look looks painting "
    "paintings photo photography photos picture pictures scene scenes stuff style styles theme themes vibe vibes"
)
"""What a dislike may be of: "horror imagery" is horror."""
_NEGATIONS = _set(
    "absent avoid avoiding avoids excluding free instead lacking neither never no none nor not nothing rather without"
)
_AGAIN = _set("but yet though although while whereas with except")
"""Words after which a negation no longer counts."""
_EITHER = re.compile(r"[,;/]|\bor\b", re.IGNORECASE)


def check(prompt: str, concepts: Sequence[str], disliked: Sequence[str], heuristics: Heuristics = "default") -> Report:
    """Each concept is a requirement: its words stand in the prompt, or it is an error (`fact.missing`).

    Heuristics, which are notes by default: a number, color or side is another than asked for (`fact.changed`, strictly
    an error), something disliked stands in the prompt (`taste.disliked`), or it is too long (`prompt.long`; both
    strictly warnings). What of a concept cannot be looked for ("no people", "on", an emoji) is unchecked.
    """
    prose = Prose(prompt)
    facts = [parsed_concept(concept) for concept in concepts]
    lost = [missing(fact, prose) for fact in facts]
    issues = [_missing(fact, words) for fact, words in zip(facts, lost, strict=True) if words]
    if heuristics != "off":
        thumb = [issue for fact, words in zip(facts, lost, strict=True) if not words for issue in _changed(fact, prose)]
        thumb += [_disliked(entry, words) for entry, words in found_disliked(disliked, prose, concepts)]
        if len(prompt) > LONG:
            thumb.append(_long(prompt))
        issues += judged(thumb, heuristics, CODES.severities)
    unchecked = dict.fromkeys(phrase for fact in facts for phrase in fact.unchecked)
    measured = (_measured(n, fact, words) for n, (fact, words) in enumerate(zip(facts, lost, strict=True), start=1))
    return Report(
        issues=tuple(issues),
        requirements=tuple(m for m, fact in zip(measured, facts, strict=True) if fact.words),
        unchecked=tuple(unchecked),
        heuristics=heuristics,
    )


def _measured(number: int, fact: Concept, lost: Sequence[str]) -> Measured:
    return Measured(
        id=f"c{number}",
        kind=CONCEPT,
        quote=fact.text,
        words=f'the words of "{fact.text}" stand in the prompt',
        outcome="broken" if lost else "met",
        found=f"missing: {_quoted(lost)}" if lost else "",
        deviation=1.0 + len(lost) if lost else 0.0,
        numbers={"found": len(fact.words) - len(lost), "expected": len(fact.words)},
    )


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f'"{word}"' for word in words)


def _missing(fact: Concept, lost: Sequence[str]) -> Issue:
    said = f"does not say {_quoted(lost)} of" if len(lost) < len(fact.words) else "leaves out"
    return CODES.finding(
        "fact.missing",
        f'the prompt {said} "{fact.text}"',
        (fact.text,),
        numbers={"missing": len(lost), "words": len(fact.words)},
        hint=f'Say "{fact.text}" in it, by {"this word" if len(lost) == 1 else "these words"}: {_quoted(lost)}.',
        phrase=fact.text,
    )


def _changed(fact: Concept, prose: Prose) -> Iterator[Issue]:
    pairs = list(changed(fact, prose))
    if pairs:
        wanted, said = (_quoted([pair[k] for pair in pairs]) for k in (0, 1))
        yield CODES.finding(
            "fact.changed",
            f'the prompt says {said} and not {wanted} of "{fact.text}"',
            (fact.text,),
            numbers={"changed": len(pairs)},
            hint=f'Say "{fact.text}" as it stands: {wanted}, not {said}.',
            phrase=fact.text,
        )


def _disliked(entry: str, words: str) -> Issue:
    return CODES.finding(
        "taste.disliked",
        f'"{words}" stands in the prompt, and "{entry}" is disliked',
        (entry,),
        hint=f'Leave "{words}" out.',
        phrase=entry,
    )


def _long(prompt: str) -> Issue:
    return CODES.finding(
        "prompt.long",
        f"the prompt has {len(prompt):,} characters; image models begin to skip beyond {LONG:,}",
        numbers={"found": len(prompt), "expected": LONG},
        hint="Say the same in 40 to 120 words.",
    )


@lru_cache(maxsize=20_000)
def _is_color(word: str) -> bool:
    return bool(color_spans([word]))


@dataclass(frozen=True)
class Concept:
    """A concept, split into what a prompt can be searched for."""

    text: str
    words: tuple[str, ...]
    """Folded; each must stand in the prompt."""
    unchecked: tuple[str, ...]
    sentence: Sentence


def parsed_concept(text: str) -> Concept:
    """Split a concept into its words of content, and those that cannot be looked for."""
    medium = _MEDIUM.match(text)
    rest = text[medium.end() :] if medium else text
    excluded = [match.group().strip() for match in _NOT.finditer(rest)]
    sentence = sentence_of(_NOT.sub(" ", rest))
    content = dict.fromkeys(word for word in sentence.words if _is_content(word))
    vague = dict.fromkeys(word for word in sentence.words if word in _UNSURE or _is_sign(word))
    unchecked = ([medium.group().strip()] if medium else []) + excluded + list(vague)
    return Concept(text, tuple(content), tuple(unchecked), sentence)


def _is_content(word: str) -> bool:
    if (value := value_of(word)) is not None:
        return value > 1
    return (word in PLACES and word not in _UNSURE) or not (is_stop(word) or word in _UNSURE or _is_sign(word))


def _is_sign(word: str) -> bool:
    """An emoji: a prompt says in words what it shows."""
    return not any(c.isalnum() for c in word)


def missing(fact: Concept, prose: Prose) -> list[str]:
    """The words of a concept that do not stand in the prompt, nor written together, nor only where it excludes them."""
    lost = [word for word in fact.words if not prose.says(word)]
    joined = {w for pair in zip(fact.words, fact.words[1:], strict=False) if prose.says_joined(pair) for w in pair}
    lost = [word for word in lost if word not in joined and not prose.says_joined([word])]
    return lost + [word for word in fact.words if word not in lost and _only_excluded(word, prose)]


def _only_excluded(word: str, prose: Prose) -> bool:
    """ "no lighthouse": directly after the negation, with an adjective between at most."""
    places = [(s, at) for s in prose.sentences for at in s.places(word)]
    return bool(places) and all({"no", "without"} & set(s.words[max(0, at - 2) : at]) for s, at in places)


def changed(fact: Concept, prose: Prose) -> Iterator[tuple[str, str]]:
    """What the prompt says otherwise: the words of the concept, and what stands there instead."""
    own = fact.sentence
    for at, word in enumerate(own.words):
        noun = _noun_after(own, at)
        if not noun or is_stop(noun):
            continue
        if _is_color(word):
            yield from _recolored(noun, word, prose)
        elif (value := value_of(word)) is not None and value > 1:
            numbers = [found for s in prose.sentences for at in s.places(noun) if (found := _before(s, at, _is_number))]
            if numbers and not any(value_of(said) == value for found in numbers for said in found):
                yield f"{value} {singular(noun)}", f"{numbers[0][-1]} {singular(noun)}"
    for a, side, b in _sides(own):
        relations = {relation for s in prose.sentences for relation in _relations(s, a, b)}
        if a != b and _OPPOSITE[side] in relations and side not in relations:
            yield f"{a} {side} {b}", f"{a} {_OPPOSITE[side]} {b}"


def _recolored(noun: str, color: str, prose: Prose) -> Iterator[tuple[str, str]]:
    """The colors right before a noun, wherever it stands: none of them the one that was asked for."""
    places = [(s, at) for s in prose.sentences for at in s.places(noun)]
    colors = [found for s, at in places if (found := _before(s, at, _is_color))]
    after = any(_follows(s, at, color) for s, at in places)
    if colors and not after and not any(same(color, said) for found in colors for said in found):
        yield f"{color} {singular(noun)}", f"{colors[0][-1]} {singular(noun)}"


def _is_number(word: str) -> bool:
    return value_of(word) is not None


def _noun_after(sentence: Sentence, at: int) -> str:
    """The noun that a number or color describes: the last word before the next small word or comma."""
    noun = ""
    for k in range(at + 1, len(sentence.words)):
        word = sentence.words[k]
        joins = word == "and" and not noun and _is_color(sentence.words[at]) and k + 1 < len(sentence.words)
        if joins and _is_color(sentence.words[k + 1]):
            continue
        if k - 1 in sentence.breaks or word in _SIDES or is_stop(word) or word in _UNSURE:
            break
        noun = word
        if k in sentence.breaks:
            break
    return "" if _is_color(noun) and noun != sentence.words[-1] else noun


def _before(sentence: Sentence, at: int, wanted: Callable[[str], bool]) -> list[str]:
    """The words of a sort among those that describe the noun at a place, nearest last."""
    found: list[str] = []
    for k in range(at - 1, max(-1, at - 1 - _BACK), -1):
        word = sentence.words[k]
        if word == "and" and _is_color(sentence.words[k - 1]):
            continue
        if word in _DETERMINERS or (is_stop(word) and value_of(word) is None):
            break
        if k in sentence.breaks and not found:
            break
        if wanted(word):
            found.insert(0, word)
    return found


def _follows(sentence: Sentence, at: int, color: str) -> bool:
    """ "the car is red", "a car, glossy and red"; but the red of the next thing is not its own."""
    after = sentence.words[at + 1 : at + 6]
    end = next((k for k, word in enumerate(after) if word in _DETERMINERS), len(after))
    return any(same(color, word) for word in after[:end])


def _sides(sentence: Sentence) -> Iterator[tuple[str, str, str]]:
    """The sides that a sentence states plainly: a thing, where it is, and of what."""
    for at, word in enumerate(sentence.words):
        end = at + 1
        if word in ("left", "right"):
            if sentence.words[end : end + 1] != ("of",):
                continue
            end += 1
        if word in _SIDES:
            before = [w for w in sentence.words[max(0, at - _APART) : at] if not is_stop(w) and w not in _UNSURE]
            start = next((k for k in range(end, len(sentence.words)) if not is_stop(sentence.words[k])), None)
            if before and start is not None:
                yield before[-1], _SIDES[word], _noun_after(sentence, start) or sentence.words[start]


def _relations(sentence: Sentence, a: str, b: str) -> Iterator[str]:
    """How the first stands to the second, where a sentence states it between the two."""
    for at, word in enumerate(sentence.words):
        if word not in _SIDES or (word in ("left", "right") and sentence.words[at + 1 : at + 2] != ("of",)):
            continue
        before, after = sentence.words[max(0, at - _APART) : at], sentence.words[at + 1 : at + 1 + _APART]
        if any(same(a, w) for w in before) and any(same(b, w) for w in after):
            yield _SIDES[word]
        elif any(same(b, w) for w in before) and any(same(a, w) for w in after):
            yield _OPPOSITE[_SIDES[word]]


def found_disliked(disliked: Sequence[str], prose: Prose, concepts: Sequence[str]) -> list[tuple[str, str]]:
    """Each dislike that stands in the prompt, with the words it stands in. What was asked for is never one."""
    wanted = [word for concept in concepts for word in words(concept)]
    found: list[tuple[str, str]] = []
    for entry in disliked:
        hits = (_stands(words_, sentence, wanted) for words_ in _alternatives(entry) for sentence in prose.sentences)
        if hit := next(filter(None, hits), ""):
            found.append((entry, hit))
    return found


def _alternatives(entry: str) -> list[list[str]]:
    """What to look for: "neon, or clowns" is either of two; what is too general to be looked for is left out."""
    ways = [[word for word in words(part) if not is_stop(word)] for part in _EITHER.split(entry)]
    trimmed = [_trimmed(way) for way in ways]
    return [way for way in trimmed if way]


def _trimmed(way: list[str]) -> list[str]:
    """Without what it is of. A broad adjective of a general noun ("dark scenes") cannot be looked for."""
    kept = list(way)
    while len(kept) > 1 and kept[-1] in _GENERAL:
        kept.pop()
    return [] if len(kept) < len(way) and len(kept) == 1 and is_broad(kept[0]) else kept


def _stands(way: Sequence[str], sentence: Sentence, wanted: Sequence[str]) -> str:
    """The words in which it stands, one after the other with no word of content between; empty when it does not."""
    content = [at for at, word in enumerate(sentence.words) if not is_stop(word)]
    for k in range(len(content) - len(way) + 1):
        places = content[k : k + len(way)]
        hit = all(_alike(word, sentence.words[at]) for word, at in zip(way, places, strict=True))
        if hit and not (
            _excluded(sentence, places[0]) or _is_shade(sentence, places) or _is_asked(sentence, places, wanted)
        ):
            return " ".join(sentence.words[places[0] : places[-1] + 1])
    return ""


def _alike(a: str, b: str) -> bool:
    """Forms of one word; but what is spidery has no spiders."""
    return same(a, b) and (a.endswith("y") == b.endswith("y") or a.endswith("ies") or b.endswith("ies"))


def _excluded(sentence: Sentence, at: int) -> bool:
    """Behind a negation in the same sentence, or before "free"."""
    if sentence.words[at + 1 : at + 2] == ("free",):
        return True
    for word in reversed(sentence.words[:at]):
        if word in _AGAIN:
            return False
        if word in _NEGATIONS:
            return True
    return False


def _is_shade(sentence: Sentence, places: Sequence[int]) -> bool:
    """The "dark" of "dark blue" says nothing of the picture."""
    after = sentence.words[places[-1] + 1 : places[-1] + 2]
    return len(places) == 1 and sentence.words[places[0]] in _SHADES and bool(after and _is_color(after[0]))


def _is_asked(sentence: Sentence, places: Sequence[int], wanted: Sequence[str]) -> bool:
    return all(any(same(word, sentence.words[at]) for word in wanted) for at in places)
