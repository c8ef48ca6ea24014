"""A line as a list of chunks, each the longest that begins where the one before it ended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from redraft.offline.english.chunks import Chunk, CountComparison, Glue, NounPhrase, Relator
from redraft.offline.english.noun_phrases import noun_phrase
from redraft.offline.english.patterns import arranged, compared, gapped, mutual, placed, related, sided, timed
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

_TOGETHER = phrase(r"(?:together|along|combined) with|as well as|accompanied by|in addition to|with")
_FUNCTIONS: dict[str, Function] = {
    ",": "comma", ";": "comma", ":": "comma", "(": "comma", ")": "comma", ".": "stop",
    "!": "stop", "?": "stop", "and": "and", "&": "and",
    "plus": "and", "while": "and", "but": "and", "then": "and",
    "without": "without",
    **dict.fromkeys(("that", "which", "who"), "that"),
    **dict.fromkeys(("it", "he", "she", "they"), "pronoun"),
}  # fmt: skip
_IMPLIED = frozenset({"above", "below", "behind", "beside", "in_front_of", "near"})
"""Relations that may stand without an object: "the sun above"."""
_NEVER_ALONE = frozenset({"by", "at", "over", "before", "against", "around"})
"""Words for such relations that cannot."""


def chunked(line: Line) -> list[Chunk]:
    """Return the chunks of a line, in order, without gaps."""
    chunks: list[Chunk] = []
    styles = style_spans(line)
    i = 0
    while i < len(line):
        before = chunks[-1] if chunks else None
        if i in styles:
            chunk: Chunk = Glue(i, styles[i], kind="unknown")
        elif frame := line.match(_FRAME, i):
            chunk = Glue(i, frame[1], kind="frame")
        else:
            chunk = _read_chunk(line, i, before) or Glue(i, i + 1, kind="unknown", word=line.word(i))
        chunks.append(chunk)
        i = chunk.j
    return chunks


def _read_chunk(line: Line, i: int, before: Chunk | None) -> Chunk | None:
    """Return the chunk of the first kind that begins here; what a pattern names goes before the words it is made of."""
    for read in (_compared_counts, placed, timed, arranged, gapped, compared, mutual, sided):
        if (chunk := read(line, i)) is not None:
            return chunk
    # After a relation, and in a list, a noun must stand: an unknown word is taken for one.
    listed = isinstance(before, Relator) or (isinstance(before, Glue) and before.kind in {"with", "and", "comma"})
    return (
        _relator(line, i)
        or _function(line, i, before)
        or _being(line, i, before)
        or noun_phrase(line, i, after_relation=listed)
        or _verb(line, i)
    )


def _relator(line: Line, i: int) -> Chunk | None:
    """Return a relation word with its object: a phrase, a pronoun, or nothing ("the sun above")."""
    relator = related(line, i)
    if relator is None:
        return None
    if line.word(relator.j) in {"it", "them", "him", "her"} and noun_phrase(line, relator.j) is None:
        return replace(relator, j=relator.j + 1, object="pronoun")
    if noun_phrase(line, relator.j, after_relation=True) is not None:
        return relator
    words = line.source(relator.i, relator.j).lower()
    if (relator.relation in _IMPLIED and words not in _NEVER_ALONE) or words.endswith("top"):
        return replace(relator, object="implied")
    return None


def _function(line: Line, i: int, before: Chunk | None) -> Chunk | None:
    """Return "topped with", "full of", "along with", or one function word."""
    word = line.word(i)
    for pattern, relation in ((_TOPPED, "topped"), (_FILLED, "filled")):
        match = line.match(pattern, i)
        if match is not None and isinstance(before, NounPhrase | Glue):
            # What follows is on or in what came before.
            return Glue(i, match[1], kind="verb", word=word, relation=relation)
    together = line.match(_TOGETHER, i)
    if together is not None:
        return Glue(i, together[1], kind="with" if word == "with" else "and", word=word)
    kind = _FUNCTIONS.get(word)
    if kind is None or (kind == "that" and isinstance(before, Relator)):
        return None
    return Glue(i, i + 1, kind=kind, word=word)


def _being(line: Line, i: int, before: Chunk | None) -> Chunk | None:
    """Return a form of *be*, a color or size after one, or a verb right after a noun."""
    word, v = line.word(i), vocabulary()
    if v.has(word, "auxiliaries"):
        return Glue(i, i + 1, kind="be", word=word)
    shaded = v.has(word, "colour_modifiers") and v.has(line.word(i + 1), "colours")
    if isinstance(before, Glue) and before.kind == "be" and (shaded or v.has(word, "colours") or word in v.sizes):
        j = i + 2 if shaded else i + 1
        ends = line.word(j) in {"", ",", ".", "and", ";"}
        words = " ".join(line.word(k) for k in range(i, j))
        return Glue(i, j, kind="quality", word=words) if ends else None
    in_clause = isinstance(before, NounPhrase) or (isinstance(before, Glue) and before.kind in {"that", "pronoun"})
    return _verb(line, i) if in_clause else None


def _verb(line: Line, i: int) -> Chunk | None:
    word = line.word(i)
    if not is_verb(word):
        return None
    relation = vocabulary().verb_relations.get(lemma(word), "")
    return Glue(i, i + 1, kind="verb", word=word, relation=relation)


def _compared_counts(line: Line, i: int) -> Chunk | None:
    """Return "the number of cars is more than that of buses" as one chunk."""
    number_of = line.match(_NUMBER_OF, i)
    subject = noun_phrase(line, number_of[1], after_relation=True) if number_of else None
    than = line.match(_THAN_THAT, subject.j) if subject is not None and subject.j < len(line) else None
    reference = noun_phrase(line, than[1], after_relation=True) if than else None
    if subject is None or than is None or reference is None:
        return None
    more = -1 if than[0].group("way") in {"less", "fewer", "smaller"} else 1
    return CountComparison(i, reference.j, subject=subject, reference=reference, more=more)


_COMMON = frozenset({"a", "an", "the", "and", "one", "two", "three", "no", "some"})
_COMMON_CLASSES = ("prepositions", "pronouns", "auxiliaries", "adverbs", "colours", "adjectives", "abstract")


def is_english(line: Line) -> bool:
    """Return whether enough of the words are known: else nothing of it is read."""
    v = vocabulary()
    words = [t.word for t in line.tokens if t.word[:1].isalpha()]
    known = [
        word
        for word in words
        if word in _COMMON
        or v.has(word, *_COMMON_CLASSES)
        or is_noun(singular(word)[0])
        or word in v.verb_forms
        or is_adjective(word)
    ]
    return not words or len(known) >= max(1, 0.4 * len(words))


_BREAK = re.compile(r"\n|\s-+\s|[|•]")
"""Between two words: a new line, or a sign that parts what is said."""
_ASIDE = phrase(
    r"(?:please )?(?:avoid|exclude|(?:do not|don't) (?:include|show|add|draw))|(?:the )?light (?:comes|falls|is)"
)


def style_spans(line: Line) -> dict[int, int]:
    """Find the passages on how a picture is made: medium, palette, light, mood; first word → the word after the last.

    They name nothing to draw. A sentence is one when its subject or label is such a word ("The mood is …"), a part
    between marks when it holds one and no thing ("a fox, muted tones, oil on canvas").
    """
    spans: dict[int, int] = {}
    for start, end in _runs_between(line, frozenset(".!?"), start=0, end=len(line)):
        # A sentence is judged by its head: the words before a colon or the verb.
        words = [line.word(k) for k in range(start + 1, end)]
        ends = (w == ":" or is_verb(w) or vocabulary().has(w, "auxiliaries") for w in words)
        head = next((k for k, stops in enumerate(ends, start + 1) if stops), start)
        if line.match(_ASIDE, start) or _is_style(line, start, head):
            spans[start] = end
        else:
            parts = _runs_between(line, frozenset(",;:()"), start=start, end=end)
            spans.update((i, j) for i, j in parts if _is_style(line, i, j))
    return spans


def _runs_between(line: Line, marks: frozenset[str], *, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield runs of words between marks, line breaks and dashes."""
    at = start
    for i in range(start, end + 1):
        ends = i == end or line.word(i) in marks
        if at < i and (ends or _BREAK.search(line.text[line.tokens[i - 1].end : line.tokens[i].start])):
            yield at, i
            at = i
        if ends:
            at = i + 1


def _is_style(line: Line, i: int, j: int) -> bool:
    """Return whether a word of style stands in it and no thing: a known noun, or an unknown one after an article."""
    v, words = vocabulary(), [line.word(k) for k in range(i, j)]
    styled = any(v.has(w, "style") for w in words) or (words[-1:] == ["light"] and words[0] not in {"a", "the"})
    for before, word in zip(["", *words], words, strict=False):
        one = singular(word)[0]
        described = is_adjective(word) or v.has(word, "style", "style_or_thing", "abstract", "adverbs")
        if not (described or v.has(one, "colours")) and (is_noun(one) or is_thing(one) or before in {"a", "an"}):
            return False
    return styled
