"""A line as a list of chunks, each the longest that begins where the one before it ended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from redraft.offline.english.chunks import Chunk, CountComparison, Glue, NounPhrase, Relator
from redraft.offline.english.noun_phrases import noun_phrase
from redraft.offline.english.patterns import (
    arranged,
    compared,
    gapped,
    mutual,
    placed,
    related,
    sided,
    timed,
)
from redraft.offline.english.tokens import Line, phrase
from redraft.offline.english.words import is_adjective, is_noun, is_thing, is_verb, lemma, singular, vocabulary

_MEDIUM = (
    r"(?:photo|photograph|picture|image|drawing|sketch|painting|illustration|view|shot|scene|portrait|snapshot|cartoon"
    r"|close ?-?up(?: (?:photo|view|shot|picture))?|rendering|diagram|icon)"
)
_ASK = (
    r"(?:please |can you |could you |i want |i would like |now )*"
    r"(?:draw|sketch|paint|show|create|design|make|generate|illustrate|render|depict|give)(?: me| us)?"
)
_FRAME = phrase(
    rf"(?:{_ASK} (?=an? |some |the |one |two |three |\d))?(?:an? |the )?(?:\w+ ){{0,2}}?{_MEDIUM} "
    r"(?:of|with|showing|that shows)(?! (?:the )?(?:it|them|water)\b)"
    rf"|{_ASK}(?= (?:an?|some|one|two|three|four|five|six|seven|eight|nine|ten|\d+|several|many) )"
    rf"|an? (?:\w+ )?(?:{_MEDIUM}|plan) :"
    r"|(?:there|here) (?:is|are|was|were|stands?|sits?|lies?)|there's"
    rf"|(?:is |are |was |were |shown |seen |visible )*in (?:the|this|an?) (?:\w+ )?{_MEDIUM}"
    r"|(?:in|with) (?:the|a) background(?! of)|(?:in|on) the foreground"
)
_NUMBER_OF = phrase(r"(?:and |where |with )?the number of")
_THAN_THAT = phrase(
    r"(?:is|are) (?P<way>less|fewer|smaller|more|greater|larger|higher) than (?:that|those|"
    r"the number|the amount)? ?(?:of)?"
)
_TOPPED = phrase(r"(?:topped|covered|adorned|decorated|piled|loaded|stacked) (?:with|by|in)")
_FILLED = phrase(
    r"(?:(?:is |are )?(?:filled|stuffed|packed) with|full of|contain(?:s|ing)|holding(?= (?:water|fruit|flowers)))"
)
Function = Literal["and", "comma", "stop", "without", "that", "pronoun"]

_MARKS: dict[str, Function] = {
    ",": "comma", ";": "comma", ":": "comma", "(": "comma", ")": "comma", ".": "stop",
    "!": "stop", "?": "stop", "and": "and", "&": "and",
    "plus": "and", "while": "and", "but": "and", "then": "and",
}  # fmt: skip
_TOGETHER = phrase(r"(?:together|along|combined) with|as well as|accompanied by|in addition to|with")
_FUNCTIONS: dict[str, Function] = {
    **_MARKS,
    "without": "without",
    **dict.fromkeys(("that", "which", "who"), "that"),
    **dict.fromkeys(("it", "he", "she", "they"), "pronoun"),
}
_IMPLIED = frozenset({"above", "below", "behind", "beside", "in_front_of", "near"})


def chunked(line: Line) -> list[Chunk]:
    """The chunks of a line, in order, without gaps."""
    found: list[Chunk] = []
    style = style_spans(line)
    i = 0
    while i < len(line):
        chunk = Glue(i, style[i], kind="unknown") if i in style else _next(line, i, found[-1] if found else None)
        found.append(chunk)
        i = chunk.j
    return found


def _next(line: Line, i: int, before: Chunk | None) -> Chunk:
    frame = line.match(_FRAME, i)
    if frame is not None:
        return Glue(i, frame[1], kind="frame")
    return (
        _compared_counts(line, i)
        or _fixed(line, i)
        or _relator(line, i)
        or _glue(line, i, before)
        or _noun(line, i, before)
        or _verb(line, i)
        or Glue(i, i + 1, kind="unknown", word=line.word(i))
    )


def _fixed(line: Line, i: int) -> Chunk | None:
    return next(filter(None, (match(line, i) for match in (placed, timed, arranged, gapped, compared))), None)


def _relator(line: Line, i: int) -> Chunk | None:
    whole = mutual(line, i) or sided(line, i)
    if whole is not None:
        return whole
    found = related(line, i)
    return _with_object(line, found) if isinstance(found, Relator) else None


def _with_object(line: Line, relator: Relator) -> Chunk | None:
    """What the relation word is followed by: a phrase, a pronoun, or nothing ("the sun above")."""
    after = line.word(relator.j)
    if after in {"it", "them", "him", "her"} and noun_phrase(line, relator.j) is None:
        return replace(relator, j=relator.j + 1, object="pronoun")
    if noun_phrase(line, relator.j, after_relation=True) is not None:
        return relator
    words = line.source(relator.i, relator.j).lower()
    if (
        relator.relation in _IMPLIED and words not in {"by", "at", "over", "before", "against", "around"}
    ) or words.endswith("top"):
        return replace(relator, object="implied")
    return None


def _glue(line: Line, i: int, before: Chunk | None) -> Chunk | None:
    return _holding(line, i, before) or _with(line, i) or _function_word(line, i, before) or _being(line, i, before)


def _holding(line: Line, i: int, before: Chunk | None) -> Chunk | None:
    """ "topped with", "full of": what follows is on or in what came before."""
    for pattern, relation in ((_TOPPED, "topped"), (_FILLED, "filled")):
        found = line.match(pattern, i)
        if found is not None and isinstance(before, NounPhrase | Glue):
            return Glue(i, found[1], kind="verb", word=line.word(i), relation=relation)
    return None


def _with(line: Line, i: int) -> Chunk | None:
    """ "with", "along with", "as well as"."""
    along, word = line.match(_TOGETHER, i), line.word(i)
    return Glue(i, along[1], kind="with" if word == "with" else "and", word=word) if along is not None else None


def _function_word(line: Line, i: int, before: Chunk | None) -> Chunk | None:
    word = line.word(i)
    kind = _FUNCTIONS.get(word)
    if kind is None or (kind == "that" and isinstance(before, Relator)):
        return None
    return Glue(i, i + 1, kind=kind, word=word)


def _being(line: Line, i: int, before: Chunk | None) -> Chunk | None:
    """Forms of *be*, an adjective after one, and a verb right after a noun."""
    word, v = line.word(i), vocabulary()
    if v.has(word, "auxiliaries"):
        return Glue(i, i + 1, kind="be", word=word)
    if isinstance(before, Glue) and before.kind == "be" and (quality := _quality(line, i)):
        ends = line.word(i + quality) in {"", ",", ".", "and", ";"}
        words = " ".join(line.word(k) for k in range(i, i + quality))
        return Glue(i, i + quality, kind="quality", word=words) if ends else None
    clause = isinstance(before, NounPhrase) or (isinstance(before, Glue) and before.kind in {"that", "pronoun"})
    if clause and is_verb(word):
        return _verb(line, i)
    return None


def _quality(line: Line, i: int) -> int:
    """How many words a color or size takes: "red", "dark blue"; 0 where there is none."""
    v, word = vocabulary(), line.word(i)
    if v.has(word, "colour_modifiers") and v.has(line.word(i + 1), "colours"):
        return 2
    return 1 if v.has(word, "colours") or word in v.sizes else 0


def _noun(line: Line, i: int, before: Chunk | None) -> Chunk | None:
    must = isinstance(before, Relator) or (isinstance(before, Glue) and before.kind in {"with", "and", "comma"})
    return noun_phrase(line, i, after_relation=must)


def _verb(line: Line, i: int) -> Chunk | None:
    word = line.word(i)
    if not is_verb(word):
        return None
    relation = vocabulary().verb_relations.get(lemma(word), "")
    return Glue(i, i + 1, kind="verb", word=word, relation=relation)


def _compared_counts(line: Line, i: int) -> Chunk | None:
    """ "the number of cars is more than that of buses"."""
    found = line.match(_NUMBER_OF, i)
    subject = noun_phrase(line, found[1], after_relation=True) if found else None
    than = line.match(_THAN_THAT, subject.j) if subject is not None and subject.j < len(line) else None
    reference = noun_phrase(line, than[1], after_relation=True) if than else None
    if subject is None or than is None or reference is None:
        return None
    more = -1 if than[0].group("way") in {"less", "fewer", "smaller"} else 1
    return CountComparison(i, reference.j, subject=subject, reference=reference, more=more)


def is_english(line: Line) -> bool:
    """Whether enough of the words are known: else nothing of it is read."""
    words = [t.word for t in line.tokens if t.word[:1].isalpha()]
    known = sum(1 for w in words if _known(w))
    return not words or known >= max(1, 0.4 * len(words))


def _known(word: str) -> bool:
    v = vocabulary()
    closed = v.has(word, "prepositions", "pronouns", "auxiliaries", "adverbs", "colours", "adjectives", "abstract")
    return (
        closed
        or word in {"a", "an", "the", "and", "one", "two", "three", "no", "some"}
        or is_noun(singular(word)[0])
        or word in v.verb_forms
        or is_adjective(word)
    )


_BREAK = re.compile(r"\n|\s-+\s|[|•]")
"""Between two words: a new line, or a sign that parts what is said."""
_ASIDE = phrase(
    r"(?:please )?(?:avoid|exclude|(?:do not|don't) (?:include|show|add|draw))|(?:the )?light (?:comes|falls|is)"
)


def style_spans(line: Line) -> dict[int, int]:
    """First word and the word after the last of each passage on how a picture is made: medium, palette, light, mood.

    It names nothing to draw. A sentence is one when its subject or label is such a word ("The mood is …"), a part
    between marks when it holds one and no thing ("a fox, muted tones, oil on canvas").
    """
    found: dict[int, int] = {}
    for start, end in _parts(line, frozenset(".!?"), 0, len(line)):
        head = next((k for k in range(start + 1, end) if line.word(k) == ":" or _is_predicate(line.word(k))), start)
        if line.match(_ASIDE, start) or _is_style(line, start, head):
            found[start] = end
        else:
            found.update((i, j) for i, j in _parts(line, frozenset(",;:()"), start, end) if _is_style(line, i, j))
    return found


def _is_predicate(word: str) -> bool:
    return is_verb(word) or vocabulary().has(word, "auxiliaries")


def _parts(line: Line, marks: frozenset[str], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Runs of words between marks, line breaks and dashes."""
    at = start
    for i in range(start, end + 1):
        ends = i == end or line.word(i) in marks
        if at < i and (ends or _BREAK.search(line.text[line.tokens[i - 1].end : line.tokens[i].start])):
            yield at, i
            at = i
        if ends:
            at = i + 1


def _is_style(line: Line, i: int, j: int) -> bool:
    """Whether a word of style stands in it and no thing: a known noun, or an unknown one after an article."""
    v, words = vocabulary(), [line.word(k) for k in range(i, j)]
    styled = any(v.has(w, "style") for w in words) or (words[-1:] == ["light"] and words[0] not in {"a", "the"})
    for before, word in zip(["", *words], words, strict=False):
        one = singular(word)[0]
        described = is_adjective(word) or v.has(word, "style", "style_or_thing", "abstract", "adverbs")
        if not (described or v.has(one, "colours")) and (is_noun(one) or is_thing(one) or before in {"a", "an"}):
            return False
    return styled
