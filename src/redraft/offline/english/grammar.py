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
    _refuse_excess(reading)
    check_consistent(reading, conflicts=discourse.conflicts)
    return reading


MOST_THINGS, MOST_LINES, LONGEST = 10_000, 1_000, 1e6
"""Greatest number of things, of rows or columns, and greatest length in meters or factor: those of `Requirement`."""


def _refuse_excess(reading: Reading) -> None:
    """Raise `BriefError` for the first number that no drawing can keep."""
    for said in reading.constraints:
        match said:
            case Count():
                limits = [(said.number, MOST_THINGS, "things")]
            case Grid():
                limits = [(said.rows, MOST_LINES, "rows"), (said.columns, MOST_LINES, "columns")]
                limits += [(said.rows * said.columns, MOST_THINGS, "things")]
            case Compare():
                limits = [(said.factor, LONGEST, "times")]
            case Size() | Relate() | EqualSpacing():
                lengths = [v for v in vars(said).values() if isinstance(v, Measure)]
                limits = [(length_in(m.value, m.unit, "m") or m.value, LONGEST, "meters") for m in lengths]
            case _:
                limits = []
        quote = said.phrase if len(said.phrase) <= 80 else f"{said.phrase[:79]}…"
        for value, most, unit in limits:
            if value > most:
                raise BriefError(
                    f"The instruction asks for too much: “{quote}” is more than {most:,.0f} {unit}. Ask for less."
                )
        sizes = [said.factor] if isinstance(said, Compare) else []
        if isinstance(said, Size):
            sizes = [m.value for m in (said.width, said.height) if m is not None]
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
    found: dict[str, int] = {}
    last = -2
    for k, token in enumerate(line.tokens):
        if not any(start <= token.start < end for start, end in spans):
            continue
        before = line.tokens[k - 1].word if k else "the"
        if token.word == '"':
            found[token.text.strip('"“” ')] = k
        elif _names_thing(token.word, before):
            if last == k - 1:  # the head of a compound, or what comes before it
                found = {noun: at for noun, at in found.items() if at != last}
            found.setdefault(token.word, k)
            last = k
    return tuple(found)


def _names_thing(word: str, before: str) -> bool:
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
    for axis in ("x", "y", "z", "in"):
        found = circle(_edges(reading, axis))
        if found:
            steps = [f"{words} ({_noun(reading, a)}, {_noun(reading, b)})" for a, b, words in found]
            reason = "each puts one thing before the next, and the last before the first"
            _refuse(reading, steps, reason, phrases=[words for _, _, words in found])


def _refuse(reading: Reading, said: Sequence[str], reason: str, *, phrases: Sequence[str] | None = None) -> None:
    quoted = " and ".join(f"“{p}”" for p in said)
    raise ContradictionError(
        f"These words of the instruction exclude each other: {quoted}; {reason}. Leave one of them out. "
        f"The instruction begins {reading.text[:80]!r}.",
        said if phrases is None else phrases,
    )


def _noun(reading: Reading, ref: str) -> str:
    return reading.mention(ref).noun


def _edges(reading: Reading, axis: str) -> list[Edge]:
    """Who comes before whom on an axis."""
    found: list[Edge] = []
    for fact in reading.constraints:
        if (
            not isinstance(fact, Relate)
            or not fact.certain
            or fact.subjects.ordinals
            or any(o.ordinals for o in fact.objects)
        ):
            continue
        on, sign = (_AXES | _HOLDS).get(fact.relation, ("", 0))
        if on == axis:
            a, b = fact.subjects.mention, fact.objects[0].mention
            found.append((a, b, fact.phrase) if sign > 0 else (b, a, fact.phrase))
    return found


def circle(edges: Sequence[Edge]) -> list[Edge]:
    """The edges of a circle, in order; empty when there is none."""
    words = {(a, b): said for a, b, said in reversed(edges)}
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
    [
        "a",
        "an",
        "the",
        "and",
        "or",
        "of",
        "'s",
        "one",
        "there",
        "as",
        "also",
        "now",
        "please",
        "draw",
        "show",
        "add",
        "then",
    ]
)
_FUNCTION_CLASSES = ("prepositions", "pronouns", "auxiliaries")


def unchecked(discourse: Discourse) -> tuple[str, ...]:
    """Runs of uncovered words, cut at marks and trimmed of function words, and the words of every guess."""
    open_words = [i for i, t in enumerate(discourse.line.tokens) if i not in discourse.covered and _is_wordy(t.word)]
    found: list[str] = []
    for _, pairs in groupby(enumerate(open_words), lambda pair: pair[1] - pair[0]):
        kept = [i for _, i in pairs if not _is_empty(discourse.line.word(i))]
        found += [discourse.source(kept[0], kept[-1] + 1)] if kept else []
    guesses = [c.phrase for c in discourse.constraints if not c.certain]
    return tuple(dict.fromkeys(p for p in [*found, *guesses] if p))


def _is_wordy(word: str) -> bool:
    return word == '"' or any(c.isalnum() for c in word)


def _is_empty(word: str) -> bool:
    return word in _NEUTRAL or vocabulary().has(word, *_FUNCTION_CLASSES)
