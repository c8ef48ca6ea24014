"""A requirement as it is stated, raw statements (numbered, merged, answered), and quotes found in a brief."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from redraft.result import Mismatch

Kind = Literal[
    "count", "relation", "distance", "angle", "size", "ratio", "proportion", "spacing", "alignment", "symmetry",
    "color", "text", "place",
]  # fmt: skip
Relation = Literal[
    "left_of", "right_of", "above", "below", "inside", "on", "between", "beside", "in_front_of", "behind", "touches"
]
Limit = Literal["exactly", "at_least", "at_most"]
Dimension = Literal["width", "height", "depth", "size", "area", "aspect"]
Edge = Literal["left", "right", "top", "bottom", "center_x", "center_y", "row", "column", "grid"]
Spot = Literal["center", "left", "right", "top", "bottom", "top_left", "top_right", "bottom_left", "bottom_right"]
CANVAS = "canvas"
"""Names the whole picture in `of`, where no part has this name."""
MAX_REQUIREMENTS = 200
"""Statements that are read; the others are set aside with one line."""
WILDCARDS = 10
"""Patterns with `*` in one statement."""


class Requirement(BaseModel):
    """One checkable statement. Which fields a kind needs and may have, and how it is measured, is in `KINDS`.

    `parts`, `of` and `each` name parts exactly or by patterns with `*` ("book_*"); `canvas` names the whole picture.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True
    )

    id: str = Field(default="", max_length=40)
    kind: Kind
    quote: str = Field(default="", max_length=400)
    """The words of the brief, verbatim; empty for an intention of the plan."""
    parts: tuple[str, ...] = Field(min_length=1, max_length=100)
    of: tuple[str, ...] = Field(default=(), max_length=100)
    """What the parts are compared with, placed by, or parts of."""
    each: tuple[str, ...] = Field(default=(), max_length=100)
    """For a count: within each of these."""
    number: int | None = Field(default=None, ge=0, le=10_000)
    limit: Limit = "exactly"
    """How a number, factor or length is meant."""
    relation: Relation | None = None
    dimension: Dimension | None = None
    factor: float | None = Field(default=None, gt=0, le=1e6)
    length: float | None = Field(default=None, ge=0, le=1e6)
    """Of a distance or gap, in the frame's unit."""
    width: float | None = Field(default=None, gt=0, le=1e6)
    height: float | None = Field(default=None, gt=0, le=1e6)
    depth: float | None = Field(default=None, gt=0, le=1e6)
    unit: Literal["frame", "real"] = "frame"
    """Of sizes and lengths: the frame's own, or real ones, all of which share one scale."""
    values: tuple[float, ...] = Field(default=(), max_length=100)
    """A value for each part, in order; one value alone: all are alike."""
    order: Literal["increasing", "decreasing"] | None = None
    axis: Literal["x", "y", "z"] | None = None
    edge: Edge | None = None
    rows: int | None = Field(default=None, ge=1, le=1000)
    columns: int | None = Field(default=None, ge=1, le=1000)
    degrees: float | None = Field(default=None, ge=-360, le=360)
    color: str = Field(default="", max_length=40)
    text: str = Field(default="", max_length=400)
    spot: Spot | None = None
    reason: str = Field(default="", max_length=400)
    """For a change of an earlier statement, or its withdrawal: why."""
    judged: Literal["", "upheld", "withdrawn"] = ""
    """The answer to it when it did not hold; set by code alone."""


@dataclass(frozen=True)
class Statements:
    """The requirements that can be measured, and the reasons that others cannot."""

    requirements: tuple[Requirement, ...] = ()
    set_aside: tuple[str, ...] = ()
    """`r4 (count, "three kites"): no part matches "kite_*"`, one line each."""


_NUMBERED = re.compile(r"r[1-9][0-9]{0,3}")
_ASIDE = frozenset({"id", "agreed", "reason", "judged"})
"""Fields of a raw requirement that do not change the measurement."""


def merged(
    before: Sequence[JsonValue], new: Sequence[JsonValue], mismatches: Iterable[Mismatch] = ()
) -> tuple[JsonValue, ...]:
    """Return raw requirements with those of an edit or repair: a known id replaces that one; new ones get an id here.

    A requirement that is repeated without its id stays as it is. Of more than `MAX_REQUIREMENTS` entries the first are
    kept, and the last, `{"left_out": n}`, counts the others. `mismatches` withdraw requirements; none is upheld.
    """
    entries = [entry for entry in before if not left_out(entry)]
    lost = sum(left_out(entry) for entry in (*before, *new))
    places = {id_of(entry): place for place, entry in enumerate(entries) if id_of(entry)}
    known = {gist(entry) for entry in entries}
    taken = set(places)
    free = 1 + max((int(name[1:]) for e in (*entries, *new) if _NUMBERED.fullmatch(name := id_of(e))), default=0)
    for entry in new:
        name = id_of(entry)
        if left_out(entry) or (name not in places and gist(entry) in known):
            continue
        if not isinstance(entry, dict):
            entries.append(entry)
        elif name in places:
            entries[places[name]] = changed(entries[places[name]], entry)
        else:
            if not _NUMBERED.fullmatch(name) or name in taken:
                name, free = f"r{free}", free + 1
            taken.add(name)
            entries.append({"id": name} | {k: v for k, v in entry.items() if k not in _ASIDE})
    if len(entries) + bool(lost) > MAX_REQUIREMENTS:
        lost, entries = lost + len(entries) - (MAX_REQUIREMENTS - 1), entries[: MAX_REQUIREMENTS - 1]
    if lost:
        entries.append({"left_out": lost})
    return answered(entries, (answer for answer in mismatches if answer.wrong == "statement"))


def agreed(raw: Sequence[JsonValue]) -> tuple[JsonValue, ...]:
    """Return the requirements of an earlier run, marked so that their quotes are not searched for in this brief."""
    return tuple(
        {k: v for k, v in entry.items() if k != "reason" or entry.get("judged") == "withdrawn"} | {"agreed": True}
        if isinstance(entry, dict) and not left_out(entry)
        else entry
        for entry in raw
    )


def mismatches_in(raw: object) -> tuple[Mismatch, ...]:
    """Return the answers in a reply, one for each id; malformed ones are dropped, and reasons that are too long cut."""
    answers: dict[str, Mismatch] = {}
    entries = cast("list[object]", raw) if isinstance(raw, list | tuple) else [raw]
    for entry in entries[: 2 * MAX_REQUIREMENTS]:
        entry = entry.model_dump() if isinstance(entry, Mismatch) else entry  # noqa: PLW2901
        if not isinstance(entry, dict):
            continue
        fields = cast("dict[str, object]", entry)
        name, reason = fields.get("id"), fields.get("reason")
        try:
            answer = Mismatch.model_validate(
                {
                    "id": name.strip() if isinstance(name, str) else name,
                    "wrong": fields.get("wrong"),
                    "reason": " ".join(reason.split())[:400] if isinstance(reason, str) else "",
                }
            )
        except ValidationError:
            continue
        if answer.id:
            answers.setdefault(answer.id, answer)
    return tuple(answers.values())


def answered(raw: Sequence[JsonValue], mismatches: Iterable[Mismatch]) -> tuple[JsonValue, ...]:
    """Return raw requirements after answers to those that do not hold: each is withdrawn or upheld.

    One that was upheld before stays upheld.
    """
    answers = {answer.id: answer for answer in mismatches}

    def marked(entry: JsonValue) -> JsonValue:
        answer = answers.get(id_of(entry))
        if answer is None or not isinstance(entry, dict) or entry.get("judged") == "upheld":
            return entry
        if answer.wrong == "drawing":
            return entry | {"judged": "upheld"}
        return entry | {"judged": "withdrawn", "reason": answer.reason or "no reason given"}

    return tuple(map(marked, raw))


def id_of(entry: JsonValue) -> str:
    name = entry.get("id") if isinstance(entry, dict) else None
    return name if isinstance(name, str) else ""


def left_out(entry: JsonValue) -> int:
    """Return the number of dropped requirements that an entry stands for."""
    number = entry.get("left_out") if isinstance(entry, dict) and len(entry) == 1 else None
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 0


def fields_of(entry: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return the fields of a raw requirement that have a value; null and empty ones count as missing."""
    return {k: v for k, v in entry.items() if v is not None and v not in ("", [])}


def gist(entry: JsonValue) -> str:
    """Return the content of a raw requirement, for comparison with others."""
    content = {k: v for k, v in fields_of(entry).items() if k not in _ASIDE} if isinstance(entry, dict) else entry
    return json.dumps(content, sort_keys=True)


def changed(old: JsonValue, new: Mapping[str, JsonValue]) -> JsonValue:
    """Return the requirement that replaces an old one: it keeps the id, and the quote if it has none of its own."""
    before = fields_of(old) if isinstance(old, dict) else {}
    after: dict[str, JsonValue] = {"quote": before.get("quote", ""), **fields_of(new), "id": before.get("id", "")}
    after.pop("agreed", None)
    after.pop("judged", None)
    if gist(after) == gist(before):
        return old
    same_words = before.get("agreed") is True and after["quote"] == before.get("quote")
    return (
        after | {"reason": fields_of(new).get("reason", "no reason given")} | ({"agreed": True} if same_words else {})
    )


def in_short(value: object, most: int = 60) -> str:
    """Return a value from outside in one short line."""
    text = value if isinstance(value, str) else repr(value)
    text = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * most]).split())
    text = text if len(text) <= most else f"{text[: most - 1]}…"
    return f'"{text}"' if isinstance(value, str) else text


_ALIKE = str.maketrans("\u2019\u2018\u201c\u201d\u201e\u00ab\u00bb\u2013\u2014\u2010\u2011\u2212", '\'\'"""""-----')


@dataclass(frozen=True)
class Folded:
    """A text, folded for comparison: letter by letter NFKD and casefolded, white space and dashes alike."""

    text: str
    folded: str
    places: tuple[tuple[int, int], ...]
    """Start and end, in the text, of the letter that each folded character comes from."""

    @classmethod
    def of(cls, words: str) -> Folded:
        folded: list[str] = []
        places: list[tuple[int, int]] = []
        starts = [n for n, char in enumerate(words) if n == 0 or not unicodedata.combining(char)]
        for place in pairwise((*starts, len(words))):
            letter = words[slice(*place)]  # a character with the accents that follow it
            letter = "".join(c for c in letter if unicodedata.category(c) != "Cf")
            plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", letter).casefold())
            for char in plain.translate(_ALIKE):
                if not char.isspace():
                    folded.append(char)
                elif folded and folded[-1] != " ":
                    folded.append(" ")
                else:
                    continue
                places.append(place)
        return cls(words, "".join(folded), tuple(places))

    def find(self, quote: str) -> list[tuple[int, int]]:
        """Return the position of a folded quote in the folded text, as whole words if possible."""
        spots: list[tuple[int, int]] = []
        at = self.folded.find(quote) if quote else -1
        while at >= 0:
            spots.append((at, at + len(quote)))
            at = self.folded.find(quote, at + len(quote))
        return [s for s in spots if not (_joined(self.folded, s[0]) or _joined(self.folded, s[1]))] or spots


def _joined(text: str, at: int) -> bool:
    """Return whether a cut lies within a word, in a script that parts words by spaces."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if unicodedata.combining(after):
        return True
    wide = {unicodedata.east_asian_width(before), unicodedata.east_asian_width(after)} & {"W", "F"}
    return before.isalnum() and after.isalnum() and not wide


def _trimmed(text: str) -> str:
    """Return a text without the white space, quotation marks and other punctuation around it."""
    low, high = 0, len(text)
    while low < high and unicodedata.category(text[low])[0] in "PZC":
        low += 1
    while high > low and unicodedata.category(text[high - 1])[0] in "PZC":
        high -= 1
    return text[low:high]


def folded_quote(quote: str) -> str:
    return _trimmed(Folded.of(quote).folded)


def quoted(brief: str, quote: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of a quote in a brief, in characters; none for a quote without words."""
    brief_words, words = Folded.of(brief), folded_quote(quote)
    if not any(c.isalnum() for c in words):
        return ()
    places = brief_words.places
    return tuple((places[start][0], places[end - 1][1]) for start, end in brief_words.find(words))


def says(brief: str, quote: str) -> bool:
    """Return whether a brief contains a quote, which has words."""
    return bool(quoted(brief, quote))


def unmeasured(brief: str, requirements: Sequence[Requirement]) -> tuple[str, ...]:
    """Return the stretches of the brief that no requirement's quote covers."""
    return uncovered(brief, (r.quote for r in requirements if r.judged != "withdrawn"))


_JOINING = re.compile(r"[a-z]{1,4}")


def uncovered(brief: str, quotes: Iterable[str]) -> tuple[str, ...]:
    """Return the stretches of the brief that no quote covers, as written.

    Punctuation is left out, and so is a short word alone between two quotes ("and", "und"), which joins them. One quote
    covers one place; the same words quoted again cover as many places as there are.
    """
    words = Folded.of(brief)
    free = bytearray(b"\1" * len(words.text))
    for quote, times in Counter(folded_quote(quote) for quote in quotes if quote).items():
        for start, end in words.find(quote)[:times]:
            low, high = words.places[start][0], words.places[end - 1][1]
            free[low:high] = bytes(high - low)
    stretches: list[str] = []
    for gap in re.finditer(b"\1+", free):
        stretch = " ".join(_trimmed(words.text[gap.start() : gap.end()]).split())
        inner = gap.start() > 0 and gap.end() < len(free)
        if any(c.isalnum() for c in stretch) and not (inner and _JOINING.fullmatch(stretch)):
            stretches.append(stretch)
    return tuple(stretches)
