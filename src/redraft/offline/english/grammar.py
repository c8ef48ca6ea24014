"""English to constraints: `read` a brief, and `check_consistent`.

One grammar serves the offline model, strict validation and board commands; benchmarks read the final geometry by other
means. Precision goes before recall: what is understood only by guessing is marked `certain=False`, and what is not
understood at all stays in `unchecked`, in the words of the brief.
"""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import groupby, pairwise

from redraft.errors import BriefError, ContradictionError
from redraft.offline.english.chunker import chunked, is_english
from redraft.offline.english.discourse import Discourse
from redraft.offline.english.edits import is_edit
from redraft.offline.english.reading import Compare, Count, EqualSpacing, Grid, Measure, Reading, Relate, Size
from redraft.offline.english.tokens import Line, length_in, tokenise
from redraft.offline.english.walk import Walk
from redraft.offline.english.words import is_adjective, is_noun, is_thing, is_verb, singular, vocabulary
from redraft.text import shorten


def read(text: str, *, present: Sequence[str] = ()) -> Reading:
    """Read what an English text requests. `present` are the nouns of an existing drawing, the main one first.

    A grid is named as matrices are, rows first: "a 3 by 4 grid" has three rows of four. Text in other languages is
    unchecked as a whole. Linear in the text's length.

    Raises:
        ContradictionError: its words exclude each other.
        BriefError: a number of it is too large to be drawn or measured.
    """
    line = Line(text, tokenise(text))
    edit = is_edit(text)
    discourse = Discourse(line)
    if is_english(line):
        Walk(discourse, present=tuple(present)).read(chunked(line))
    reading = Reading(
        text=text,
        mentions=tuple(discourse.mentions.values()),
        constraints=(*discourse.counts(edit=edit), *discourse.constraints),
        unchecked=unchecked(discourse),
        edit=edit,
    )
    check_amounts(reading)
    check_consistent(reading, conflicts=discourse.conflicts)
    return reading


MAX_THINGS, MAX_LINES, MAX_LENGTH = 10_000, 1_000, 1e6
"""Greatest number of things, of rows or columns, and greatest length in meters or factor: those of `Requirement`."""


def check_amounts(reading: Reading) -> None:
    """Check that a drawing can keep every number and size.

    Raises:
        BriefError: naming the words with the first one that it cannot.
    """
    for fact in reading.constraints:
        sizes: list[float] = []
        match fact:
            case Count():
                limits = [(fact.number, MAX_THINGS, "things")]
            case Grid():
                limits = [(fact.rows, MAX_LINES, "rows"), (fact.columns, MAX_LINES, "columns")]
                limits += [(fact.rows * fact.columns, MAX_THINGS, "things")]
            case Compare():
                limits = [(fact.factor, MAX_LENGTH, "times")]
                sizes = [fact.factor]
            case Size() | Relate() | EqualSpacing():
                lengths = [value for value in vars(fact).values() if isinstance(value, Measure)]
                limits = [(length_in(m.value, m.unit, "m") or m.value, MAX_LENGTH, "meters") for m in lengths]
                sizes = [m.value for m in lengths] if isinstance(fact, Size) else []
            case _:
                limits = []
        quote = shorten(fact.phrase, 80)
        for value, most, unit in limits:
            if value > most:
                raise BriefError(
                    f"The instruction asks for too much: “{quote}” is more than {most:,.0f} {unit}. Ask for less."
                )
        if any(size <= 0 for size in sizes):
            raise BriefError(f"The instruction asks for a size of zero or less: “{quote}”. Ask for more.")


_NOT_THINGS = (
    "style", "style_or_thing", "surroundings", "abstract", "frames", "groups", "regions",
    "adverbs", "prepositions", "pronouns", "auxiliaries", "colours",
)  # fmt: skip
"""Classes of words that name nothing to draw."""


def named_in(text: str, phrases: Sequence[str]) -> tuple[str, ...]:
    """Return what phrases of a text name that could be made: quoted words, and nouns as written, each once.

    Adjectives, verbs, and words of style, mood and place in the picture name nothing. A text that is not in English
    names itself, as a whole.
    """
    line = Line(text, tokenise(text))
    if not is_english(line) and len(line.tokens) > 1 and phrases:
        return (f"“{' '.join(text.split())}” (only English is read)",)
    spans = [(at, at + len(words)) for words in phrases if (at := text.find(words)) >= 0]
    names: dict[str, int] = {}
    last = -2
    for k, token in enumerate(line.tokens):
        if not any(start <= token.start < end for start, end in spans):
            continue
        before = line.tokens[k - 1].word if k else "the"
        if token.word == '"':
            names[token.text.strip('"“” ')] = k
        elif _names_thing(token.word, before):
            if last == k - 1:  # the head of a compound replaces what comes before it
                names = {noun: at for noun, at in names.items() if at != last}
            names.setdefault(token.word, k)
            last = k
    return tuple(names)


def _names_thing(word: str, before: str) -> bool:
    """Return whether a word may name something to draw, by its class and by the word before it."""
    v, one = vocabulary(), singular(word)[0]
    if v.has(word, *_NOT_THINGS) or v.has(one, *_NOT_THINGS) or word in {"the", "a", "an"}:
        return False
    nominal = (
        before in {"the", "a", "an"} or v.has(before, "prepositions", "pronouns", "colours") or is_adjective(before)
    )
    if is_noun(one) or is_thing(one):
        return nominal or word not in v.verb_forms
    described = is_adjective(word) or is_verb(word) or word.endswith("ly")
    return nominal and not described and word.replace("'", "").replace("’", "").isalpha()


_AXES = {"left_of": ("x", 1), "right_of": ("x", -1), "above": ("y", 1), "below": ("y", -1), "on": ("y", 1)}
_HOLDS = {"inside": ("in", 1), "in_front_of": ("z", 1), "behind": ("z", -1)}

Edge = tuple[str, str, str]
"""From one mention to another, with the words that say so."""


def check_consistent(reading: Reading, *, conflicts: Sequence[tuple[str, str]] = ()) -> None:
    """Check that the certain constraints do not exclude each other: no circle of left and right, of above and below,
    of in and in front; no thing with two numbers.

    Raises:
        ContradictionError: naming the words that conflict.
    """
    for first, second in conflicts:
        _refuse(reading, [first, second], "they give two numbers for the same thing")
    directions = _AXES | _HOLDS
    certain = [
        fact
        for fact in reading.constraints
        if isinstance(fact, Relate)
        and fact.certain
        and not fact.subjects.ordinals
        and not any(selector.ordinals for selector in fact.objects)
    ]
    for axis in ("x", "y", "z", "in"):
        edges: list[Edge] = []
        for fact in certain:
            along, sign = directions.get(fact.relation, ("", 0))
            if along == axis:
                a, b = fact.subjects.mention, fact.objects[0].mention
                edges.append((a, b, fact.phrase) if sign > 0 else (b, a, fact.phrase))
        if steps := circle(edges):
            quotes = [f"{words} ({reading.mention(a).noun}, {reading.mention(b).noun})" for a, b, words in steps]
            reason = "each puts one thing before the next, and the last before the first"
            _refuse(reading, quotes, reason, phrases=[words for _, _, words in steps])


def _refuse(reading: Reading, quotes: Sequence[str], reason: str, *, phrases: Sequence[str] | None = None) -> None:
    quoted = " and ".join(f"“{quote}”" for quote in quotes)
    raise ContradictionError(
        f"These words of the instruction exclude each other: {quoted}; {reason}. Leave one of them out. "
        f"The instruction begins {reading.text[:80]!r}.",
        quotes if phrases is None else phrases,
    )


def circle(edges: Sequence[Edge]) -> list[Edge]:
    """Return the edges of a circle, in order; empty when there is none."""
    words = {(a, b): phrase for a, b, phrase in reversed(edges)}
    order = TopologicalSorter[str]()
    for a, b in words:
        order.add(b, a)
    try:
        order.prepare()
    except CycleError as error:
        nodes: list[str] = error.args[1]  # each comes right before the next; the last is the first again
        return [(a, b, words[a, b]) for a, b in pairwise(nodes)]
    return []


_NEUTRAL = frozenset(
    ("a", "an", "the", "and", "or", "of", "'s", "one", "there", "as", "also", "now", "please", "draw", "show", "add",
     "then")
)  # fmt: skip
_FUNCTION_CLASSES = ("prepositions", "pronouns", "auxiliaries")


def unchecked(discourse: Discourse) -> tuple[str, ...]:
    """Return runs of uncovered words, cut at marks and trimmed of function words, and the words of every guess."""
    line, v = discourse.line, vocabulary()

    def is_wordy(word: str) -> bool:
        return word == '"' or any(c.isalnum() for c in word)

    uncovered = [i for i, t in enumerate(line.tokens) if i not in discourse.covered and is_wordy(t.word)]
    phrases: list[str] = []
    for _, pairs in groupby(enumerate(uncovered), lambda pair: pair[1] - pair[0]):
        run = [i for _, i in pairs]
        full = [i for i in run if line.word(i) not in _NEUTRAL and not v.has(line.word(i), *_FUNCTION_CLASSES)]
        phrases += [discourse.source(full[0], full[-1] + 1)] if full else []
    guesses = [c.phrase for c in discourse.constraints if not c.certain]
    return tuple(dict.fromkeys(p for p in [*phrases, *guesses] if p))
