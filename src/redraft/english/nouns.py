"""Noun phrases: determiner, number, measures, what describes it, the noun itself, and what follows with *of*."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from redraft.english.chunks import Arrangement, NounPhrase
from redraft.english.heads import Head, could_be_nominal, in_lexicon, read_head
from redraft.english.numbers import NUMBER, ORDINAL, UNIT, number, ordinal, unit
from redraft.english.tokens import Line, phrase
from redraft.english.words import vocabulary
from redraft.spatial.reading import Measure

__all__ = ["noun_phrase"]

_SAME = phrase(r"(?:the|an) (?:same|equal) (?:number|amount) of|(?:just )?as many")
_MORE = phrase(rf"(?P<n>{NUMBER}) (?P<way>more|fewer|less)")
_VAGUE = phrase(
    r"(?:quite )?(?:a )?(?:few|several)(?: of)?|some|many|lots of|a (?:lot|number|bunch|"
    r"group|variety|series|cluster|handful|collection|flock|herd) of"
    r"(?! (?:two|three|four|five|six|seven|eight|nine|ten|\d))|multiple|numerous|various|"
    r"dozens of|countless|(?:a )?small group of"
)
_COUNTED = phrase(
    r"(?:the |these |those |all |both |only |just )*(?P<least>at least |no fewer than |"
    r"more than )?(?P<exactly>exactly |precisely )?"
    r"(?:a (?P<word>pair|couple|dozen|half dozen|half-dozen|trio|quartet)(?: of)?|(?P<word2>two|"
    rf"three|four) (?P<pairs>pairs|dozen)(?: of)?|half (?P<half>a dozen)|(?P<n>{NUMBER})"
    rf"(?! ?(?:%|percent|{UNIT} )))(?P<orm> or more)?(?: of the| different| other)?"
)
_THE = phrase(r"(?:all )?(?:of )?(?:the|this|that|these|those|both|your|my|our)")
_ITS = phrase(r"its|his|her|their|someone 's|somebody 's|one 's|someone's|somebody's|the other")
_A = phrase(r"a|an|a single|one single|just a")
_MEASURES = phrase(
    rf"(?P<a>{NUMBER}) ?(?P<ua>{UNIT}) ?(?:by|x|×) ?(?P<b>{NUMBER}) ?(?P<ub>{UNIT})(?: (?:wide|"
    rf"long|tall|high))?|(?P<a1>{NUMBER}) ?(?:by|x|×) ?(?P<b1>{NUMBER}) ?(?P<u1>{UNIT})"
    rf"|(?P<c>{NUMBER}) ?-?(?P<uc>{UNIT})(?:[ -](?P<what>wide|tall|high|long|deep))?"
)
_GRID = phrase(
    rf"(?P<rows>{NUMBER}) ?(?:by|x|×) ?(?P<columns>{NUMBER}) (?:grid|matrix|array) of|(?P<rows2>{NUMBER})"
    rf" rows of(?= {NUMBER})|(?:grid of )?(?P<rows3>{NUMBER}) ?(?:by|x|×) ?(?P<columns3>{NUMBER})"
    rf"(?! (?:{UNIT}))(?= (?:\w+ )?\w+s\b)"
)
_ORDINAL = phrase(rf"(?P<o>{ORDINAL})(?: ?one)?")
NESTED = 6
"""How deep "the lid of the box of the …" is followed."""
_WORDS = {"pair": 2, "couple": 2, "dozen": 12, "half dozen": 6, "half-dozen": 6, "trio": 3, "quartet": 4, "a dozen": 6}


@dataclass
class _Draft:
    """A noun phrase in the making."""

    determiner: Literal["a", "the", "another", "each", "no", "its", ""] = ""
    number: int | None = None
    vague: bool = False
    at_least: bool = False
    exactly: bool = False
    pairs: bool = False
    same: bool = False
    more: int | None = None
    ordinal: int | None = None
    width: Measure | None = None
    height: Measure | None = None
    grid: tuple[int, int] | None = None
    touched: list[int] = field(default_factory=list[int])


def noun_phrase(line: Line, i: int, *, after_relation: bool = False, depth: int = 0) -> NounPhrase | None:
    """The noun phrase that begins at the i-th word. Bare unknown words count only where a noun must stand."""
    if _is_name(line, i):
        return NounPhrase(i, i + 1, noun=line.tokens[i].text, determiner="the", number=1)
    draft = _Draft()
    j = _determine(line, i, draft)
    if draft.grid is not None:
        inner = noun_phrase(line, j, after_relation=True, depth=depth + 1) if depth <= NESTED else None
        return None if inner is None else _gridded(inner, draft, i)
    one = draft.determiner in {"a", "each", "another"} or draft.number == 1
    head = read_head(line, j, singular_wanted=one, determined=j > i)
    if head is None:
        return _bare_ordinal(draft, i, j)
    if head.noun == "light" and j == i and not head.plural:
        head = replace(head, kind="abstract")  # "in soft light": nobody means a lamp
    bare = not head.known and draft.determiner == "" and draft.number is None and not draft.vague
    if bare and not (after_relation or head.plural):
        return None
    return _followed(line, _built(draft, head, i, bare=bare), depth)


def _is_name(line: Line, i: int) -> bool:
    """A name of letters and digits: "C1", or "A" where it is no article."""
    text = line.tokens[i].text if i < len(line) else ""
    if re.fullmatch(r"[A-Z]{1,3}\d{1,4}", text):
        return True
    return bool(re.fullmatch(r"[A-HJ-Z]", text)) and not could_be_nominal(line, i + 1)


def _gridded(inner: NounPhrase, draft: _Draft, i: int) -> NounPhrase:
    rows, columns = draft.grid or (0, 0)
    columns = columns or inner.number or 1
    grid = Arrangement(i, inner.i, kind="grid", rows=rows, columns=columns)
    return replace(inner, i=i, number=rows * columns, determiner="a", arrangement=grid, exactly=True)


def _bare_ordinal(draft: _Draft, i: int, j: int) -> NounPhrase | None:
    """ "the fourth": which one of what was spoken of."""
    if draft.ordinal is None or draft.determiner not in {"the", "its"}:
        return None
    return NounPhrase(i, j, noun="one", kind="abstract", determiner="the", ordinal=draft.ordinal)


def _determine(line: Line, i: int, draft: _Draft) -> int:
    """Everything before the noun and its adjectives; returns where those begin."""
    j = i
    for step in (_quantity, _determiner, _quantity, _ordinal, _measures, _grid):
        j = step(line, j, draft)
    return j


def _quantity(line: Line, i: int, draft: _Draft) -> int:
    if i >= len(line) or draft.number is not None or line.match(_MEASURES, i) or line.match(_GRID, i):
        return i
    if found := line.match(_MORE, i):
        draft.more = int(number(found[0].group("n")) or 0) * (1 if found[0].group("way") == "more" else -1)
    elif found := line.match(_SAME, i):
        draft.same = True
    elif found := line.match(_COUNTED, i):
        return _counted(found[0], found[1], draft)
    elif found := line.match(_VAGUE, i):
        draft.vague = True
    return found[1] if found else i


def _counted(match: re.Match[str], j: int, draft: _Draft) -> int:
    group = match.groupdict()
    value = number(group["n"] or "")
    if value is not None and value != int(value):
        return j
    word = group["word"] or group["half"]
    if group["pairs"] or word == "pair":
        draft.pairs = True
    amount = int(value) if value is not None else _WORDS.get(word or "", 0)
    if group["word2"]:
        amount = int(number(group["word2"]) or 0) * (12 if group["pairs"] == "dozen" else 2)
    draft.at_least = bool(group["least"] or group["orm"])
    draft.number = amount + (1 if (group["least"] or "").startswith("more") else 0)
    draft.exactly = bool(group["exactly"])
    if match.group().startswith(("the ", "these ", "those ", "both ")):
        draft.determiner = "the"
    return j


def _determiner(line: Line, i: int, draft: _Draft) -> int:
    word = line.word(i)
    plain = {"another": "another", "each": "each", "every": "each", "no": "no"}
    if draft.number is None and word in plain:
        draft.determiner = "another" if word == "another" else "no" if word == "no" else "each"
        return i + 1
    for pattern, determiner in ((_THE, "the"), (_ITS, "its"), (_A, "a")):
        found = line.match(pattern, i) if i < len(line) else None
        if found is not None and draft.number is None:
            draft.determiner = "the" if determiner == "the" else "its" if determiner == "its" else "a"
            return found[1]
    return i


def _ordinal(line: Line, i: int, draft: _Draft) -> int:
    found = line.match(_ORDINAL, i) if draft.determiner in {"the", "its"} and i < len(line) else None
    if found is None:
        return i
    draft.ordinal = ordinal(found[0].group("o"))
    return found[1]


def _measures(line: Line, i: int, draft: _Draft) -> int:
    found = line.match(_MEASURES, i) if i < len(line) else None
    if found is None:
        return i
    group = found[0].groupdict()
    if group["c"]:
        measure = Measure(number(group["c"]) or 0.0, unit(group["uc"]))
        tall = group["what"] in {"tall", "high", "deep"}
        draft.width, draft.height = (None, measure) if tall else (measure, None)
    elif group["a"]:
        draft.width = Measure(number(group["a"]) or 0.0, unit(group["ua"]))
        draft.height = Measure(number(group["b"]) or 0.0, unit(group["ub"]))
    else:
        draft.width = Measure(number(group["a1"]) or 0.0, unit(group["u1"]))
        draft.height = Measure(number(group["b1"]) or 0.0, unit(group["u1"]))
    return found[1]


def _grid(line: Line, i: int, draft: _Draft) -> int:
    found = line.match(_GRID, i) if i < len(line) else None
    if found is None:
        return i
    group = found[0].groupdict()
    rows = number(group["rows"] or group["rows2"] or group["rows3"] or "")
    columns = number(group["columns"] or group["columns3"] or "0")
    draft.grid = (int(rows or 0), int(columns or 0))
    return found[1]


def _built(draft: _Draft, head: Head, i: int, *, bare: bool) -> NounPhrase:
    count = draft.number
    if draft.pairs and vocabulary().has(head.noun, "pair_nouns") and count is not None:
        count //= 2
    if count is None and draft.determiner == "no":
        count = 0
    plural = head.plural or (count or 0) > 1 or draft.vague
    if count is None and not plural and not draft.same and draft.more is None:
        count = 1
    return NounPhrase(
        i, head.j, noun=head.noun, kind=head.kind, plural=plural, determiner=draft.determiner, number=count,
        at_least=draft.at_least, same_number=draft.same, more=draft.more, exactly=draft.exactly, ordinal=draft.ordinal,
        colour=head.colour, size=head.size, adjectives=head.adjectives, loose=head.loose, width=draft.width,
        height=draft.height, owner=_owner(head, i), bare=bare,
    )  # fmt: skip


def _owner(head: Head, i: int) -> NounPhrase | None:
    """The bicycle of "a bicycle tire", the cat of "a cats tail"."""
    if head.owner is None:
        return None
    return NounPhrase(i, head.j, noun=head.owner, number=1, determiner="the")


def _followed(line: Line, np: NounPhrase, depth: int) -> NounPhrase:
    """Take along what follows: 's and of-phrases, as far as `NESTED`."""
    if line.word(np.j) not in {"'s", "of"} or depth > NESTED:
        return np
    inner = noun_phrase(line, np.j + 1, after_relation=True, depth=depth + 1)
    if line.word(np.j) == "of":
        return _with_of(np, inner) if inner is not None else np
    return replace(inner, i=np.i, owner=np) if inner is not None else replace(np, j=np.j + 1)


def _is_countable(inner: NounPhrase) -> bool:
    """Apples in a bowl are things; the tea in a cup is not drawn by itself."""
    several = inner.plural or (inner.number or 0) > 1
    return inner.kind == "thing" and (several or not (inner.bare or vocabulary().has(inner.noun, "uncountable")))


def _with_of(np: NounPhrase, inner: NounPhrase) -> NounPhrase:
    """ "a herd of zebras" is the zebras, "a slice of pizza" a slice, "a cup of tea" the cup.

    What cannot be drawn gives way to what can: "the covers of a bed", "a statue of a horse".
    """
    v = vocabulary()
    if inner.kind == "abstract" and not v.has(np.noun, "groups"):
        whole = np
    elif np.noun in {"row", "line", "column", "stack"}:
        kind = "row" if np.noun in {"row", "line"} else "column"
        whole = replace(inner, i=np.i, arrangement=inner.arrangement or Arrangement(np.i, inner.i, kind=kind))
    elif v.has(np.noun, "groups") or np.noun in {"pair", "couple"}:
        whole = replace(inner, i=np.i, number=inner.number if inner.number != 1 or not inner.plural else None)
    elif v.has(np.noun, "servings"):
        whole = replace(np, j=inner.j, noun=f"{np.noun} of {inner.noun}", kind="thing")
    elif v.has(np.noun, "containers"):
        contents = inner if _is_countable(inner) else None
        whole = replace(np, j=inner.j, contents=contents, loose=np.loose if contents else (*np.loose, inner.j - 1))
    elif v.has(np.noun, "regions", "frames", "abstract"):
        whole = replace(inner, i=np.i)
    elif v.has(np.noun, "parts"):
        whole = replace(np, j=inner.j, owner=inner)
    elif in_lexicon(inner.noun) and not in_lexicon(np.noun):
        whole = replace(inner, i=np.i, loose=(*range(np.i, np.j), *inner.loose))
    else:
        whole = replace(np, j=inner.j, loose=(*np.loose, *range(np.j + 1, inner.j)))
    return whole
