"""Requirements: what a drawing or scene was agreed to show, stated by whoever draws it and measured by code.

One table of kinds, `KINDS`, with parameters, formula and tolerance for every studio. It knows no medium and no
language: names, patterns and numbers are bound to a `Layout`, and quotes are only compared with the brief.
"""

from __future__ import annotations

import inspect
import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from itertools import combinations, pairwise
from statistics import median
from typing import Literal, cast

import numpy as np
import shapely
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from shapely.affinity import scale as scaled
from shapely.geometry import LineString, Point, box
from shapely.geometry.base import BaseGeometry

from redraft.result import Issue, Mark, Measured, Ruling
from redraft.spatial import colours
from redraft.spatial.layout import Bounds, Item, Layout

__all__ = [
    "CANVAS",
    "KINDS",
    "MOST",
    "Kind",
    "KindSpec",
    "Relation",
    "Requirement",
    "Space",
    "Statements",
    "agreed",
    "badness",
    "bound",
    "checks_of",
    "corrected",
    "issues_of",
    "measure",
    "merged",
    "rulings_in",
    "says",
    "scale_of",
    "statements",
    "table",
    "unmeasured",
    "view_of",
]

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
MOST = 200
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
    """For a change of an earlier statement: why it changed."""


@dataclass(frozen=True)
class Statements:
    """What was stated, read: the requirements that can be measured, and why others cannot."""

    requirements: tuple[Requirement, ...] = ()
    set_aside: tuple[str, ...] = ()
    """`r4 (count, "three kites"): no part matches "kite_*"`, one line each."""


@dataclass(frozen=True)
class KindSpec:
    """A row of the table: what a kind says, needs and may have, and how it is measured."""

    says: str
    needs: tuple[str, ...]
    """Fields beside `kind` and `parts`; `values|order` is one of the two or both."""
    may: tuple[str, ...]
    example: Mapping[str, JsonValue]
    measure: Callable[[Requirement, Space], Iterator[Check]]
    """Its docstring is the formula."""
    words: Callable[[Requirement], str]
    """The statement in words, after the names of the parts."""
    canvas: str
    """Up to where it is met, in a drawing; beyond, it is broken."""
    plan: str = ""
    """The same in a scene, in metres, where it differs."""
    fault: Callable[[Requirement, Layout, Sequence[str]], str | None] | None = None
    """Why such a statement, well formed, says nothing about a layout and these parts of it."""

    @property
    def formula(self) -> str:
        return " ".join((inspect.getdoc(self.measure) or "").split())

    @property
    def fields(self) -> frozenset[str]:
        return frozenset(name for names in (*self.needs, *self.may) for name in names.split("|"))


# Raw statements: numbered, merged, corrected.

_NUMBERED = re.compile(r"r[1-9][0-9]{0,3}")
_ASIDE = frozenset({"id", "agreed", "reason"})
"""Fields of a raw statement that say nothing about what is measured."""


def merged(before: Sequence[JsonValue], new: Sequence[JsonValue]) -> tuple[JsonValue, ...]:
    """Raw statements after an edit's or a repair's: one with a known id takes that one's place; ids are given here.

    What was stated before and is repeated without its id is left as it is. Of more than `MOST` entries the first are
    kept, and the last, `{"left_out": n}`, says how many were not.
    """
    entries = [entry for entry in before if not _left_out(entry)]
    lost = sum(_left_out(entry) for entry in (*before, *new))
    places = {_id(entry): place for place, entry in enumerate(entries) if _id(entry)}
    stated = {_gist(entry) for entry in entries}
    taken = set(places)
    free = 1 + max((int(name[1:]) for e in (*entries, *new) if _NUMBERED.fullmatch(name := _id(e))), default=0)
    for entry in new:
        name = _id(entry)
        if _left_out(entry) or (name not in places and _gist(entry) in stated):
            continue
        if not isinstance(entry, dict):
            entries.append(entry)
        elif name in places:
            entries[places[name]] = _changed(entries[places[name]], entry)
        else:
            if not _NUMBERED.fullmatch(name) or name in taken:
                name, free = f"r{free}", free + 1
            taken.add(name)
            entries.append({"id": name} | {k: v for k, v in entry.items() if k not in _ASIDE})
    if len(entries) + bool(lost) <= MOST:
        return (*entries, {"left_out": lost}) if lost else tuple(entries)
    return (*entries[: MOST - 1], {"left_out": lost + len(entries) - (MOST - 1)})


def corrected(raw: Sequence[JsonValue], rulings: Iterable[Ruling]) -> tuple[JsonValue, ...]:
    """Raw statements with the corrections of rulings in place, each with its reason.

    A correction that cannot be read as a statement changes nothing.
    """
    entries = list(raw)
    places = {_id(entry): place for place, entry in enumerate(entries) if _id(entry)}
    for ruling in rulings:
        if ruling.correction is not None and ruling.id in places:
            old = entries[places[ruling.id]]
            reason = ruling.reason or ruling.correction.get("reason")
            after = _changed(old, {**ruling.correction, "reason": reason})
            if isinstance(_read(after), Requirement):
                entries[places[ruling.id]] = after
    return tuple(entries)


def agreed(raw: Sequence[JsonValue]) -> tuple[JsonValue, ...]:
    """The statements of an earlier run, whose quotes are not looked for in this run's brief."""
    return tuple(
        {k: v for k, v in entry.items() if k != "reason"} | {"agreed": True}
        if isinstance(entry, dict) and not _left_out(entry)
        else entry
        for entry in raw
    )


def rulings_in(raw: object) -> tuple[Ruling, ...]:
    """The rulings in a reply, one for each id; what is malformed is dropped, or cut where it is only too long."""
    found: dict[str, Ruling] = {}
    entries = cast("list[object]", raw) if isinstance(raw, list | tuple) else [raw]
    for entry in entries[: 2 * MOST]:
        if not isinstance(entry, dict):
            continue
        fields = cast("dict[str, object]", entry)
        name, reason, correction = (fields.get(key) for key in ("id", "reason", "correction"))
        try:
            ruling = Ruling.model_validate(
                {
                    "id": name.strip() if isinstance(name, str) else name,
                    "ruling": fields.get("ruling"),
                    "accept": fields.get("accept") is True,
                    "reason": " ".join(reason.split())[:400] if isinstance(reason, str) else "",
                    "correction": correction if isinstance(correction, dict) and correction else None,
                }
            )
        except ValidationError:
            continue
        if ruling.id:
            found.setdefault(ruling.id, ruling)
    return tuple(found.values())


def _id(entry: JsonValue) -> str:
    name = entry.get("id") if isinstance(entry, dict) else None
    return name if isinstance(name, str) else ""


def _left_out(entry: JsonValue) -> int:
    """How many statements an entry stands for that were dropped."""
    number = entry.get("left_out") if isinstance(entry, dict) and len(entry) == 1 else None
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 0


def _said(entry: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The fields of a raw statement that say something: a null or an empty one is as good as missing."""
    return {k: v for k, v in entry.items() if v is not None and v not in ("", [])}


def _gist(entry: JsonValue) -> str:
    """What a raw statement says, for comparison with others."""
    said = {k: v for k, v in _said(entry).items() if k not in _ASIDE} if isinstance(entry, dict) else entry
    return json.dumps(said, sort_keys=True)


def _changed(old: JsonValue, new: Mapping[str, JsonValue]) -> JsonValue:
    """The statement that takes an old one's place: it keeps the id, and the quote where it has none of its own."""
    before = _said(old) if isinstance(old, dict) else {}
    after: dict[str, JsonValue] = {"quote": before.get("quote", ""), **_said(new), "id": before.get("id", "")}
    after.pop("agreed", None)
    if _gist(after) == _gist(before):
        return old
    same_words = before.get("agreed") is True and after["quote"] == before.get("quote")
    return after | {"reason": _said(new).get("reason", "no reason given")} | ({"agreed": True} if same_words else {})


# Quotes.

_ALIKE = str.maketrans("\u2019\u2018\u201c\u201d\u201e\u00ab\u00bb\u2013\u2014\u2010\u2011\u2212", '\'\'"""""-----')


@dataclass(frozen=True)
class _Folded:
    """A text in NFC, folded for comparison: letter by letter NFKD and casefolded, white space and dashes alike."""

    text: str
    folded: str
    places: tuple[int, ...]
    """Of each folded character, where in the text it comes from."""

    @classmethod
    def of(cls, words: str) -> _Folded:
        text = unicodedata.normalize("NFC", words)
        folded: list[str] = []
        places: list[int] = []
        for place, letter in enumerate(text):
            if unicodedata.category(letter) == "Cf":
                continue
            plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", letter).casefold())
            for char in plain.translate(_ALIKE):
                if not char.isspace():
                    folded.append(char)
                elif folded and folded[-1] != " ":
                    folded.append(" ")
                else:
                    continue
                places.append(place)
        return cls(text, "".join(folded), tuple(places))

    def find(self, quote: str) -> list[tuple[int, int]]:
        """Where a folded quote stands in the folded text; as whole words if it does anywhere."""
        spots: list[tuple[int, int]] = []
        at = self.folded.find(quote) if quote else -1
        while at >= 0:
            spots.append((at, at + len(quote)))
            at = self.folded.find(quote, at + len(quote))
        return [s for s in spots if not (_joined(self.folded, s[0]) or _joined(self.folded, s[1]))] or spots


def _joined(text: str, at: int) -> bool:
    """Whether a cut lies within a word, in a script that parts words by spaces."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if unicodedata.combining(after):
        return True
    wide = {unicodedata.east_asian_width(before), unicodedata.east_asian_width(after)} & {"W", "F"}
    return before.isalnum() and after.isalnum() and not wide


def _trimmed(text: str) -> str:
    """Without the white space, quotation marks and other punctuation around it."""
    low, high = 0, len(text)
    while low < high and unicodedata.category(text[low])[0] in "PZC":
        low += 1
    while high > low and unicodedata.category(text[high - 1])[0] in "PZC":
        high -= 1
    return text[low:high]


def _quoted(quote: str) -> str:
    return _trimmed(_Folded.of(quote).folded)


def says(brief: str, quote: str) -> bool:
    """Whether a brief contains a quote, which has words."""
    words = _quoted(quote)
    return any(c.isalnum() for c in words) and bool(_Folded.of(brief).find(words))


def unmeasured(brief: str, requirements: Sequence[Requirement]) -> tuple[str, ...]:
    """The stretches of the brief that no quote covers, as written; nothing that is only punctuation.

    One quote covers one place; requirements that quote the same words cover as many places as there are.
    """
    words = _Folded.of(brief)
    free = bytearray(b"\1" * len(words.text))
    for quote, times in Counter(_quoted(r.quote) for r in requirements if r.quote).items():
        for start, end in words.find(quote)[:times]:
            low, high = words.places[start], words.places[end - 1] + 1
            free[low:high] = bytes(high - low)
    stretches = (_trimmed(words.text[m.start() : m.end()]) for m in re.finditer(b"\1+", free))
    return tuple(" ".join(s.split()) for s in stretches if any(c.isalnum() for c in s))


# Names.


def _matching(pattern: str, layout: Layout) -> tuple[str, ...]:
    """The parts that a name or pattern matches, visible or not; a part of a matched part is not one more."""
    if "*" not in pattern:
        return (pattern,) if pattern in layout else ()
    first, *middle, last = pattern.split("*")
    found: dict[str, None] = {}
    for item in layout:
        name = item.name
        if len(name) < len(first) + len(last) or not (name.startswith(first) and name.endswith(last)):
            continue
        at, end = len(first), len(name) - len(last)
        for piece in middle:
            at = name.find(piece, at, end) + len(piece) if name.find(piece, at, end) >= 0 else end + 1
        if at <= end:
            found[name] = None
    return _individuals(tuple(found), layout)


def _individuals(names: Sequence[str], layout: Layout) -> tuple[str, ...]:
    """Of the names that one pattern matches those of individuals: no parts of them, and nothing named after them all.

    Of `house_1` and its `house_1_door` that is the house; of `bar_1` to `bar_5` in a `bar_chart` the five; of numbered
    stations and `station_names`, which has another label, the stations.
    """
    every, labels = set(names), Counter(layout[name].label for name in names)
    usual, most = labels.most_common(1)[0] if labels else ("", 0)
    numbered = sum(name[-1].isdigit() and layout[name].label == usual for name in names)
    within: dict[str, Counter[str]] = {}
    for name in names:
        for above in _ancestors(layout, name):
            if above in every and not name.startswith(above):
                within.setdefault(above, Counter())[layout[name].label] += 1
    kept = {
        name
        for name in names
        if not (
            (labels[label := layout[name].label] == 1 and within.get(name) and max(within[name].values()) > 1)
            or (label != usual and not name[-1].isdigit() and 2 * most > len(names) and numbered == most > 1)
        )
    }
    return tuple(
        name
        for name in names
        if name in kept
        and not any(a in kept and layout[a].label != layout[name].label for a in _ancestors(layout, name))
    )


def _ancestors(layout: Layout, name: str) -> Iterator[str]:
    at = layout[name].parent
    while at is not None:
        yield at
        at = layout[at].parent


def _named(patterns: Sequence[str], layout: Layout) -> tuple[str, ...]:
    """All that patterns match, visible or not, in the order of the patterns."""
    return tuple(dict.fromkeys(name for pattern in patterns for name in _matching(pattern, layout)))


def bound(patterns: Sequence[str], layout: Layout) -> tuple[str, ...]:
    """The names of the visible parts that patterns match: in the order of the patterns, those of one as one reads.

    A pattern never matches a part of what it matches: of `house_1` and its `house_1_door`, `house_*` is the house.
    """
    found: dict[str, None] = {}
    for pattern in patterns:
        names = [name for name in _matching(pattern, layout) if name in layout.visible]
        found |= dict.fromkeys(_as_read(names, layout))
    return tuple(found)


def _others(read: Requirement, layout: Layout) -> tuple[str, ...]:
    """What `of` names: what is visible of it, or else what has a place; the canvas too."""
    names = bound(read.of, layout) or tuple(n for n in _named(read.of, layout) if not layout.whole(n).is_empty)
    return (*names, CANVAS) if CANVAS in read.of and CANVAS not in layout else names


def _as_read(names: Sequence[str], layout: Layout) -> Sequence[str]:
    """From left to right where none stands above another, by rows from the top otherwise."""
    if len(names) < 2:
        return names
    space = Space(layout, own=True)
    boxes = {name: space.front(name) for name in names}
    across = sorted(names, key=lambda n: boxes[n][0] + boxes[n][2])
    if all(
        min(boxes[a][2], boxes[b][2]) - boxes[b][0] <= 0.5 * _least(boxes[a], boxes[b]) for a, b in pairwise(across)
    ):
        return across
    rows: list[list[str]] = []
    for name in sorted(across, key=lambda n: boxes[n][1] + boxes[n][3]):
        if rows and boxes[name][1] + boxes[name][3] < 2 * boxes[rows[-1][0]][3]:
            rows[-1].append(name)
        else:
            rows.append([name])
    return [name for row in rows for name in sorted(row, key=lambda n: boxes[n][0] + boxes[n][2])]


def _least(a: Bounds, b: Bounds) -> float:
    return min(a[2] - a[0], b[2] - b[0])


# Reading statements.


def statements(raw: Sequence[JsonValue], brief: str, layout: Layout) -> Statements:
    """Raw statements, read against the words of the brief and the parts that are there. Never raises."""
    words = _Folded.of(brief)
    kept: dict[str, Requirement] = {}
    aside: list[str] = []
    seen: dict[str, str] = {}
    for place, given in enumerate(raw[:MOST]):
        if lost := _left_out(given):
            aside.append(f"{lost} more statements: at most {MOST} are read")
            continue
        entry = given if _id(given) or not isinstance(given, dict) else {**given, "id": f"r{place + 1}"}
        read = _read(entry)
        reason = read if isinstance(read, str) else _quote_fault(read, entry, words) or _fault(read, layout, len(aside))
        if reason is None and isinstance(read, Requirement):
            twin = seen.setdefault(_gist(_content(read)), read.id)
            if twin == read.id and read.id not in kept:
                kept[read.id] = read
                continue
            reason = f"it says the same as {twin}" if twin != read.id else "its id is given twice"
        aside.append(f"{_heading(entry)}: {reason}")
    if len(raw) > MOST:
        aside.append(f"{len(raw) - MOST} more statements: at most {MOST} are read")
    for one, other, what in _contradictions(tuple(kept.values())):
        if one in kept or other in kept:
            kept.pop(one, None)
            kept.pop(other, None)
            aside.append(f"{one} and {other} contradict each other: {what}")
    lonely = _only_length(tuple(kept.values()), layout)
    if lonely is not None:
        read = kept.pop(lonely)
        aside.append(f"{_heading(read.model_dump(mode='json'))}: it is the only real length, and a scale needs two")
    return Statements(tuple(kept.values()), tuple(aside))


def _read(entry: JsonValue) -> Requirement | str:
    """One raw statement by itself, or what is wrong with it."""
    if not isinstance(entry, dict):
        return f"it is not an object: {_shown(entry)}"
    said: dict[str, object] = {k: v for k, v in _said(entry).items() if k != "agreed"}
    for name, value in said.items():
        if name in _LISTS:
            said[name] = tuple(cast("list[object]", value)) if isinstance(value, list) else (value,)
    if (kind := said.get("kind")) not in KINDS:
        return f"kind is {_shown(kind)}; it is one of {', '.join(KINDS)}"
    spec = KINDS[cast("Kind", kind)]
    stray = [name for name in said if name not in _COMMON | spec.fields]
    stray = [n for n in stray if n not in Requirement.model_fields or said[n] != Requirement.model_fields[n].default]
    allowed = ", ".join(name for names in (*spec.needs, *spec.may) for name in names.split("|"))
    if stray:
        return f"{_shown(stray[0])} does not belong to the kind {kind}; that has {allowed}"
    missing = [need for need in ("parts", *spec.needs) if not any(name in said for name in need.split("|"))]
    if missing:
        return f"{' or '.join(missing[0].split('|'))} is missing"
    try:
        return Requirement.model_validate({k: v for k, v in said.items() if k not in stray})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        return f"{place} is {_shown(first['input'])}: {first['msg'][:1].lower()}{first['msg'][1:]}"


_COMMON = frozenset({"id", "kind", "quote", "parts", "reason"})
_LISTS = ("parts", "of", "each", "values")


def _shown(value: object, most: int = 60) -> str:
    """A value from outside in one short line."""
    text = value if isinstance(value, str) else repr(value)
    text = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * most]).split())
    text = text if len(text) <= most else f"{text[: most - 1]}…"
    return f'"{text}"' if isinstance(value, str) else text


def _heading(entry: JsonValue) -> str:
    """`r4 (count, "three kites")`."""
    said = entry if isinstance(entry, dict) else {}
    kind, quote = said.get("kind"), said.get("quote")
    inside = [_shown(kind)[1:-1]] if isinstance(kind, str) else []
    inside += [_shown(quote)] if isinstance(quote, str) and quote else []
    name = _shown(_id(entry), 40)[1:-1] if _id(entry) else "a statement"
    return f"{name} ({', '.join(inside)})" if inside else name


def _content(read: Requirement) -> JsonValue:
    """What a requirement says, its words aside and its names in one order where order says nothing."""
    said = read.model_dump(mode="json", exclude={"id", "quote", "reason"}, exclude_defaults=True)
    ordered = read.kind == "proportion"
    return {k: sorted(set(v)) if k in ("parts", "of", "each") and not ordered else v for k, v in said.items()}


def _quote_fault(read: Requirement, entry: JsonValue, words: _Folded) -> str | None:
    if not read.quote or (isinstance(entry, dict) and entry.get("agreed") is True):
        return None
    quote = _quoted(read.quote)
    if not any(c.isalnum() for c in quote):
        return "its quote has no words"
    return None if words.find(quote) else "the brief does not contain its quote"


def _fault(read: Requirement, layout: Layout, before: int) -> str | None:
    """Why a statement, well formed by itself, cannot be measured on a layout."""
    if (reason := _names_fault(read, layout, before)) is not None:
        return reason
    parts, others = _named(read.parts, layout), _others(read, layout)
    if len(parts) == 1 and others == parts:
        return "it compares a part with itself"
    if not layout.frame.plan and (read.depth is not None or read.dimension == "depth" or read.axis == "z"):
        return "a drawing has no depth: use width and height, x and y"
    fault = KINDS[read.kind].fault
    return fault(read, layout, parts) if fault is not None else None


def _names_fault(read: Requirement, layout: Layout, before: int) -> str | None:
    patterns = (*read.parts, *read.each, *(n for n in read.of if n != CANVAS or CANVAS in layout))
    if sum("*" in pattern for pattern in patterns) > WILDCARDS:
        return f"it has more than {WILDCARDS} patterns"
    missing = next((p for p in patterns if len(p) > 200 or not _matching(p, layout)), None)
    if missing is not None:
        near = get_close_matches(missing.replace("*", "")[:60], [i.name for i in layout], 3, 0.5) if before < 20 else []
        return f"no part matches {_shown(missing)}" + (f"; there is {', '.join(near)}" if near else "")
    if read.kind != "count" and layout.visible.isdisjoint(_named(read.parts, layout)):
        return f"nothing that {_names(read.parts)} matches is visible"
    return f"nothing that {_of(read)} matches has a shape" if read.of and not _others(read, layout) else None


_PAIRS = (("left_of", "right_of"), ("above", "below"), ("in_front_of", "behind"))
_OPPOSITE = dict(_PAIRS) | {b: a for a, b in _PAIRS}
_STATED = ("number", "degrees", "factor", "length", "width", "height", "depth", "values", "order")


def _contradictions(requirements: Sequence[Requirement]) -> Iterator[tuple[str, str, str]]:
    """Pairs of which only one can hold, with what they say."""
    firsts: dict[str, list[Requirement]] = {}
    relations: dict[tuple[object, ...], Requirement] = {}
    for read in requirements:
        if read.kind == "relation" and read.relation in _OPPOSITE:
            word, parts, of = read.relation, frozenset(read.parts), frozenset(read.of)
            for against in ((_OPPOSITE[word], parts, of), (word, of, parts)):
                if (other := relations.get(against)) is not None:
                    yield other.id, read.id, f"{_words(other)}; {_words(read)}"
            relations.setdefault((word, parts, of), read)
            continue
        said = cast("dict[str, JsonValue]", _content(read))
        about = json.dumps({k: v for k, v in said.items() if k not in (*_STATED, "limit")}, sort_keys=True)
        twins = firsts.setdefault(about, [])
        for other in twins:
            if any(_clash(read, other, name) for name in _STATED):
                yield other.id, read.id, f"{_words(other)}; {_words(read)}"
                break
        if len(twins) < 3:
            twins.append(read)


def _clash(one: Requirement, other: Requirement, name: str) -> bool:
    """Whether two statements about the same give a field values that cannot both hold."""
    a, b = getattr(one, name), getattr(other, name)
    if a in (None, (), b) or b in (None, ()):
        return False
    if isinstance(a, tuple | str):
        return True
    low, high = ((one, a), (other, b)) if a < b else ((other, b), (one, a))
    return low[0].limit != "at_least" and high[0].limit != "at_most"


def _only_length(requirements: Sequence[Requirement], layout: Layout) -> str | None:
    """The requirement with the one real length that there is, where no other length gives it a scale."""
    real = [r for r in requirements if r.unit == "real"] if layout.frame.unit == "canvas" else []
    if len(real) != 1 or sum(v is not None for v in (real[0].width, real[0].height, real[0].length)) > 1:
        return None
    return real[0].id if len(_named(real[0].parts, layout)) == 1 else None


# Measuring.


@dataclass(frozen=True)
class Check:
    """One comparison within a requirement: of what, the number found, and the one expected."""

    names: tuple[str, ...]
    found: float
    expected: float
    tolerance: float
    """Beyond, it is broken."""
    words: str
    """What was found, in words."""
    exact: float = 0.0
    """Up to this error it is exact; up to the tolerance it is met inexactly."""
    limit: Limit = "exactly"

    @property
    def error(self) -> float:
        more = self.found - self.expected
        return abs(more) if self.limit == "exactly" else max(0.0, -more if self.limit == "at_least" else more)

    @property
    def deviation(self) -> float:
        return min(self.error / self.tolerance if self.tolerance > 0 else math.inf if self.error else 0.0, 1e6)


Span = tuple[float, float]
Box = tuple[Span, Span, Span]
"""From where to where along x, y and z; on paper z is nothing."""

RESTS = 0.03
"""What stands on something is at most so much of the frame away from it."""


@dataclass(frozen=True)
class Space:
    """A layout as requirements measure it: by whole families, or by what parts paint themselves."""

    layout: Layout
    own: bool = False
    bare: bool = False
    """Boxes without the pens that the parts are outlined with."""
    scale: float = 1.0
    """Units of the frame in one real unit."""

    @property
    def plan(self) -> bool:
        return self.layout.frame.plan

    @cached_property
    def extent(self) -> float:
        """The longer side of the frame."""
        x0, y0, x1, y1 = self.layout.frame.bounds
        return max(x1 - x0, y1 - y0, 1e-9)

    @property
    def exact(self) -> float:
        """Lengths that differ by less are equal: two steps of the frame, in a scene the 0.1 mm it is measured to."""
        return max(2 * self.layout.frame.quantum, 2e-4 if self.plan else 0.0)

    @property
    def slack(self) -> float:
        """By so much a place or gap may be off."""
        return self.extent * (0.005 if self.plan else 0.01)

    def room(self, size: float) -> float:
        """By so much a size may be off: 3 % of it, or the slack where that is more, but a tenth of it at most."""
        return max(0.03 * size, min(self.slack, 0.1 * size), self.exact)

    def gap_room(self, gap: float, limit: Limit = "exactly") -> float:
        """By so much a gap may be off: 3 % of it, or the slack where that is more; of a bound a fifth of the slack."""
        return max(0.03 * gap, self.slack if limit == "exactly" else 0.2 * self.slack)

    def shape(self, name: str, without: str = "") -> BaseGeometry:
        """What a part paints, another part and its own left out."""
        if name == CANVAS and name not in self.layout:
            return box(*self.layout.frame.bounds)
        own = self.layout[name].shape
        if self.own and not own.is_empty:
            return own
        if without and without != name and name in _ancestors(self.layout, without):
            left = {item.name for item in self.layout.family(without)}
            rest = shapely.union_all([i.shape for i in self.layout.family(name) if i.name not in left])
            return rest if not rest.is_empty else self.layout.whole(name)
        return self.layout.whole(name)

    def solid(self, name: str) -> BaseGeometry:
        """The silhouette: the shape with its holes filled in."""
        polygons = [part for part in shapely.get_parts(self.shape(name)) if isinstance(part, shapely.Polygon)]
        return shapely.union_all([shapely.Polygon(p.exterior) for p in polygons]) if polygons else self.shape(name)

    def box(self, name: str, without: str = "") -> Box:
        shape = self.shape(name, without)
        x0, y0, x1, y1 = shape.bounds if not shape.is_empty else (0.0, 0.0, 0.0, 0.0)
        pen = max(self.layout[name].style.widths, default=0.0) if self.bare and name in self.layout else 0.0
        dx, dy = min(pen, x1 - x0) / 2, min(pen, y1 - y0) / 2
        return (x0 + dx, x1 - dx), (y0 + dy, y1 - dy), self.rise(name)

    def rise(self, name: str) -> Span:
        """From what height to what height."""
        if not self.plan:
            return 0.0, 0.0
        if name == CANVAS and name not in self.layout:
            items: Sequence[Item] = self.layout.items
        else:
            item = self.layout[name]
            items = (item,) if self.own and not item.shape.is_empty else self.layout.family(name)
        heights = [item.height for item in items if item.height is not None]
        return min((h[0] for h in heights), default=0.0), max((h[1] for h in heights), default=0.0)

    def front(self, name: str) -> Bounds:
        """The box as whoever looks sees it, y down: of a scene, from its camera."""
        (x0, x1), (y0, y1), (z0, z1) = self.box(name)
        return (x0, -z1, x1, -z0) if self.plan else (x0, y0, x1, y1)

    @property
    def upright(self) -> int:
        """The axis of heights."""
        return 2 if self.plan else 1


def _around(boxes: Sequence[Box]) -> Box:
    spans = [(min(b[i][0] for b in boxes), max(b[i][1] for b in boxes)) for i in range(3)]
    return spans[0], spans[1], spans[2]


def _middle(span: Span) -> float:
    return (span[0] + span[1]) / 2


def _length(span: Span) -> float:
    return span[1] - span[0]


def _counted(read: Requirement, space: Space) -> Iterator[Check]:
    """The number of visible parts that match. With `each`, in each of these: the parts of it; else those whose center
    lies on it, or within its silhouette; else those that stand on it."""
    parts, wanted = bound(read.parts, space.layout), float(read.number or 0)
    if not read.each:
        yield Check(parts, len(parts), wanted, 0.5, f"there {_are(len(parts))}", limit=read.limit)
        return
    wholes = _named(read.each, space.layout)
    members: dict[str, list[str]] = {whole: [] for whole in wholes}
    for part in parts:
        for whole in _homes(part, [w for w in wholes if w != part], space):
            members[whole].append(part)
    for whole, held in members.items():
        words = f"{whole} has {len(held)}"
        yield Check((whole, *held), len(held), wanted, 0.5, words, limit=read.limit)


def _are(number: int) -> str:
    return "is 1" if number == 1 else f"are {number}"


def _homes(part: str, wholes: Sequence[str], space: Space) -> Sequence[str]:
    """Which of several things a part is in or on."""
    kin = set(_ancestors(space.layout, part))
    if found := [whole for whole in wholes if whole in kin]:
        return found
    seen = [whole for whole in wholes if whole in space.layout.visible]
    x, y, z = map(_middle, space.box(part))
    spot = Point(x, y)
    level = [w for w in seen if not space.plan or space.rise(w)[0] - space.slack <= z <= space.rise(w)[1] + space.slack]
    if found := [whole for whole in level if space.shape(whole).distance(spot) <= space.slack]:
        return found
    if found := [whole for whole in level if space.solid(whole).distance(spot) <= space.slack]:
        return found
    (x0, x1), low, _ = space.box(part)
    foot = space.rise(part)[0] if space.plan else -low[1]
    held: list[tuple[float, str]] = []
    for whole in seen:
        (a0, a1), (top, _), rise = space.box(whole)
        gap = foot - (rise[1] if space.plan else -top)
        if abs(gap) <= RESTS * space.extent and x0 < a1 and a0 < x1:
            held.append((abs(gap), whole))
    return [min(held)[1]] if held else []


# Relations.


def _related(read: Requirement, space: Space) -> Iterator[Check]:
    """left_of, right_of, above, below (in a scene also in_front_of, behind): by centers, and boxes share at most half
    of the smaller extent; or, up and down, over most of its width the nearest ink is on that side. beside: left or
    right of it. inside: 60 % of its area within the hull of the other, less what sticks out at the top; of the canvas,
    all of it. on: it touches and is not below, or lies within the hull. between: by centers, on the axis that
    separates the two most. in_front_of, behind in a drawing: it is what one sees in most of the area that both cover.
    touches: every other, edge to edge."""
    others = _others(read, space.layout)
    word = cast("Relation", read.relation)
    held: list[str] = []
    for name in bound(read.parts, space.layout):
        rest = [other for other in others if other != name]
        if rest:
            check = _RELATIONS[word](space, name, rest)
            if word == "inside" and check.deviation > 1 and held:  # what lies on others that are inside is inside too
                on = _on(space, name, [h for h in held if h != name])
                check = on if on.deviation <= 1 else check
            if word == "inside" and check.deviation <= 1:
                held.append(name)
            yield check


def _lacks(name: str, lack: float, tolerance: float, words: str, exact: float | None = None) -> Check:
    return Check((name,), lack, 0.0, tolerance, words, tolerance if exact is None else exact)


_SIDES: dict[str, tuple[int, int, str]] = {
    "left_of": (0, -1, "to the left"), "right_of": (0, 1, "to the right"), "above": (1, -1, "up"),
    "below": (1, 1, "down"), "in_front_of": (1, 1, "to the front"), "behind": (1, -1, "to the back"),
}  # fmt: skip


def _beside(word: str) -> Callable[[Space, str, Sequence[str]], Check]:
    def check(space: Space, name: str, others: Sequence[str]) -> Check:
        if word in ("in_front_of", "behind") and not space.plan:
            return _depth(space, name, others, word == "in_front_of")
        axis, sign, way = _SIDES[word]
        if space.plan and word in ("above", "below"):
            axis, sign = 2, -sign
        mine, theirs = space.box(name), [space.box(other, without=name) for other in others]
        lack = min(
            _lack(mine[axis], _around(theirs)[axis], sign), max(_lack(mine[axis], b[axis], sign) for b in theirs)
        )
        if lack > space.slack / 2 and axis == 1 and not space.plan and _faces(space, name, others, sign):
            lack = 0.0
        words = f"{name} is" if lack <= space.slack / 2 else f"{name} would have to be {lack:.3g} farther {way}"
        return _lacks(name, lack, space.slack / 2, words)

    return check


def _lack(mine: Span, theirs: Span, sign: int) -> float:
    """How far one would have to go to be beyond another along an axis."""
    ahead = sign * (_middle(mine) - _middle(theirs))
    shared = min(mine[1], theirs[1]) - max(mine[0], theirs[0]) - 0.5 * min(_length(mine), _length(theirs))
    return max(0.0, shared, -ahead)


def _faces(space: Space, name: str, others: Sequence[str], sign: int) -> bool:
    """Over most of a part's width the nearest ink of the others is above it (for sign 1), or below it (−1).

    So a car is below a bridge between whose pillars it stands, and a man under the umbrella that he holds.
    """
    shape = space.solid(name)
    ink = shapely.union_all([space.shape(other, without=name) for other in others])
    x0, _, x1, _ = shape.bounds
    low, high = min(shape.bounds[1], ink.bounds[1]) - 1, max(shape.bounds[3], ink.bounds[3]) + 1
    right = 0
    for x in np.linspace(x0, x1, 13)[1:-1]:
        plumb = LineString([(x, low), (x, high)])
        mine, pieces = shape.intersection(plumb), shapely.get_parts(ink.intersection(plumb))
        if not mine.is_empty and len(pieces):
            _, top, _, foot = mine.bounds
            sides = [(max(top - p.bounds[3], p.bounds[1] - foot), 1 if top >= p.bounds[3] else -1) for p in pieces]
            gap, side = min(sides)
            right += gap > -space.slack and side == sign
    return right >= 7


def _next_to(space: Space, name: str, others: Sequence[str]) -> Check:
    words = ("left_of", "right_of", *(("in_front_of", "behind") if space.plan else ()))
    best = min((_beside(word)(space, name, others) for word in words), key=lambda check: check.error)
    return best if best.deviation <= 1 else _lacks(name, best.found, best.tolerance, f"{name} is not beside it")


def _inside(space: Space, name: str, others: Sequence[str]) -> Check:
    mine = space.box(name)
    if CANVAS in others and CANVAS not in space.layout:
        frame = space.box(CANVAS)
        out = max(max(frame[i][0] - mine[i][0], mine[i][1] - frame[i][1], 0.0) for i in (0, 1))
        words = f"{name} reaches {out:.3g} over the edge" if out > space.exact else f"{name} is"
        return _lacks(name, out, space.slack, words, space.exact)
    shape = space.solid(name)
    solids = [space.shape(other, without=name) for other in others]
    share = max(_share(shape, s, space) for s in (*solids, shapely.union_all(solids)))
    if space.plan:
        around = _around([space.box(other) for other in others])[2]
        share = share if around[0] - space.slack <= _middle(mine[2]) <= around[1] + space.slack else 0.0
    return Check((name,), share, 0.6, 1e-9, f"{share:.0%} of {name} is inside", limit="at_least")


def _share(shape: BaseGeometry, other: BaseGeometry, space: Space) -> float:
    """How much of a shape lies within another's hull; on paper the rest may stick out at the top, as from a vase."""
    hull = other.convex_hull
    share = _extent(shape.intersection(hull)) / max(_extent(shape), 1e-12)
    if space.plan or share >= 0.6 or hull.is_empty:
        return share
    x0, y0, x1, y1 = shape.bounds
    top = hull.bounds[1]
    low = shape.intersection(box(x0 - 1, top, x1 + 1, max(y1, top) + 1))
    if y0 >= top or _extent(low) < 0.02 * _extent(shape):
        return share
    return _extent(low.intersection(hull)) / _extent(low)


def _extent(shape: BaseGeometry) -> float:
    """The area, or the length of what has none."""
    return shape.area or shape.length


def _on(space: Space, name: str, others: Sequence[str]) -> Check:
    best = min((_rests(space, name, other) for other in others), key=lambda c: c.error, default=None)
    return best or _lacks(name, space.extent, space.slack, f"{name} is not on it")


def _rests(space: Space, name: str, other: str) -> Check:
    (x0, x1), (_, foot), (z0, z1) = space.box(name)
    (a0, a1), (b0, b1), (c0, c1) = space.box(other, without=name)
    gap = space.shape(name).distance(space.shape(other, without=name))
    tolerance, fine = RESTS * space.extent, max(space.exact, 0.003 * space.extent)
    if space.plan:
        tolerance = max(0.005, min(tolerance, 0.05 * max(x1 - x0, z1 - z0)))
        high = max(z0 - c1, 0.0) if z0 + z1 >= 2 * c0 else c0 - _middle((z0, z1))
        off = math.hypot(gap, high)
        return _lacks(name, off, tolerance, f"{name} is {off:.3g} off {other}", 0.002)
    aside = max(a0 - (x0 + x1) / 2, (x0 + x1) / 2 - a1, 0.0)
    if gap > tolerance or aside > (x1 - x0) / 2:
        return _lacks(name, max(gap, aside), tolerance, f"{name} is {gap:.3g} away from {other}", fine)
    own = space.layout[other].shape if other in space.layout else None
    level = max(_middle((b0, b1)), (own.bounds[1] + own.bounds[3]) / 2 + tolerance if own and not own.is_empty else b0)
    mine = _middle(space.box(name)[1])
    within = _share(space.shape(name), space.shape(other, without=name), space) >= 0.6
    if within or foot <= level or mine < _middle((b0, b1)):
        return _lacks(
            name, gap, tolerance, f"{name} is on {other}" if gap <= fine else f"{name} is {gap:.3g} off", fine
        )
    return _lacks(name, max(foot - b0, 2 * tolerance), tolerance, f"{name} is below the top of {other}", fine)


def _between(space: Space, name: str, others: Sequence[str]) -> Check:
    mine, boxes = space.box(name), [space.box(other, without=name) for other in others]
    lacks: list[float] = []
    for a, b in combinations(boxes[:20], 2):
        axis = max((0, 1, 2) if space.plan else (0, 1), key=lambda i: abs(_middle(a[i]) - _middle(b[i])))
        low, high = sorted((_middle(a[axis]), _middle(b[axis])))
        at = _middle(mine[axis])
        lacks.append(max(low - at, at - high, 0.0))
    lack = min(lacks, default=space.extent)
    return _lacks(name, lack, space.slack / 2, f"{name} is {lack:.3g} outside" if lack else f"{name} is")


def _depth(space: Space, name: str, others: Sequence[str], front: bool) -> Check:
    """What one sees where two cover each other; 1 where that is as it should be everywhere."""
    kin = {item.name for item in space.layout.family(name)}
    mine = [item for item in space.layout.family(name) if not item.shape.is_empty]
    worst, against = 1.0, ""
    for other in others:
        if other not in space.layout:
            continue
        theirs = [i for i in space.layout.family(other) if i.name not in kin and not i.shape.is_empty]
        both = shapely.union_all([i.shape for i in mine]).intersection(shapely.union_all([i.shape for i in theirs]))
        if both.area <= (space.extent / 1024) ** 2:
            continue
        seen = 0.0
        for item in sorted((*mine, *theirs), key=lambda i: -i.layer):
            top, both = both.intersection(item.shape).area, both.difference(item.shape)
            seen += top if item.name in kin else 0.0
            rest = both.area
            if rest <= 0:
                break
        total = shapely.union_all([i.shape for i in mine]).intersection(shapely.union_all([i.shape for i in theirs]))
        share = seen / total.area if front else 1 - seen / total.area
        worst, against = min((worst, against), (share, other))
    words = f"{name} is" if worst >= 0.5 else f"{name} is {'behind' if front else 'in front of'} {against}"
    return Check((name,), worst, 0.5, 1e-9, words, limit="at_least")


def _touching(space: Space, name: str, others: Sequence[str]) -> Check:
    gaps = [(_gap(space, name, other, None), other) for other in others]
    gap, other = max(gaps)
    words = f"{name} is {gap:.3g} away from {other}" if gap > space.exact else f"{name} touches {other}"
    return _lacks(name, max(gap, 0.0), space.slack, words, max(space.exact, 0.1 * space.slack))


_RELATIONS: dict[Relation, Callable[[Space, str, Sequence[str]], Check]] = {
    "left_of": _beside("left_of"), "right_of": _beside("right_of"), "above": _beside("above"),
    "below": _beside("below"), "in_front_of": _beside("in_front_of"), "behind": _beside("behind"),
    "beside": _next_to, "inside": _inside, "on": _on, "between": _between, "touches": _touching,
}  # fmt: skip


def _relation_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    others = _named(read.of, layout)
    if CANVAS in read.of and CANVAS not in layout and read.relation not in ("inside", "touches"):
        return "of the canvas a part can only be inside, or touch its edge"
    if read.relation == "between" and len(others) < 2:
        return "between needs two parts in of"
    return None


# Lengths.

_AXES = {"x": 0, "y": 1, "z": 2}


def _gap(space: Space, name: str, other: str, axis: str | None) -> float:
    """Edge to edge: of exact shapes, or of boxes along an axis, where it is negative when they overlap."""
    if axis is not None:
        at = _AXES[axis]
        mine, theirs = space.box(name)[at], space.box(other, without=name)[at]
        if other == CANVAS and other not in space.layout:
            return min(mine[0] - theirs[0], theirs[1] - mine[1])
        return max(theirs[0] - mine[1], mine[0] - theirs[1])
    shape, theirs = space.shape(name), space.shape(other, without=name)
    if other == CANVAS and other not in space.layout:
        return float(shape.distance(theirs.boundary))
    (z0, z1), (c0, c1) = space.rise(name), space.rise(other)
    return math.hypot(float(shape.distance(theirs)), max(c0 - z1, z0 - c1, 0.0))


def _apart(read: Requirement, space: Space) -> Iterator[Check]:
    """The gap from each part to the nearest of `of`, edge to edge: of the exact shapes, or along `axis` of their boxes.
    Of the canvas: to its edge."""
    others = _others(read, space.layout)
    wanted = (read.length or 0.0) * space.scale
    for name in bound(read.parts, space.layout):
        gaps = [(_gap(space, name, other, read.axis), other) for other in others if other != name]
        if gaps:
            gap, other = min(gaps, key=lambda g: abs(g[0]))
            yield _length_check(
                (name, other), gap, wanted, space.gap_room(wanted, read.limit), read, space, "from " + other
            )


def _length_check(
    names: tuple[str, ...], found: float, wanted: float, room: float, read: Requirement, space: Space, what: str
) -> Check:
    """A length against one that is stated, both in the stated unit."""
    scale = space.scale
    words = f"{names[0]} is {found / scale:.4g} {what}"
    return Check(names, found / scale, wanted / scale, room / scale, words, space.exact / scale, read.limit)


def _size(space: Space, name: str, dimension: str) -> float:
    spans = space.box(name)
    wide, high = _length(spans[0]), _length(spans[space.upright])
    match dimension:
        case "width":
            return wide
        case "height":
            return high
        case "depth":
            return _length(spans[1])
        case "area":
            return space.solid(name).area
        case "aspect":
            return wide / max(high, 1e-9)
        case _:
            return math.sqrt(wide * high)


def _sized(read: Requirement, space: Space) -> Iterator[Check]:
    """The width, height and depth of the box of each part. Real lengths share one scale: of all ratios of a drawn to a
    stated real length, the one that most of them agree with."""
    for name in bound(read.parts, space.layout):
        for dimension, word in (("width", "wide"), ("height", "high"), ("depth", "deep")):
            stated = getattr(read, dimension)
            if stated is not None:
                wanted = stated * space.scale
                found = _size(space, name, dimension)
                yield _length_check((name,), found, wanted, space.room(wanted), read, space, word)


def scale_of(requirements: Sequence[Requirement], layout: Layout) -> float:
    """Units of the frame in one real unit: the ratio that most real lengths agree with, the longest if several do."""
    real = [r for r in requirements if r.unit == "real"]
    if not real or layout.frame.unit != "canvas":
        return 1.0
    lengths: list[tuple[Check, ...]] = []
    for read in real:
        lengths += zip(*(KINDS[read.kind].measure(read, space) for space in _spaces(read, layout)), strict=False)
    lengths = [c for c in lengths if c[0].expected > 0 and all(one.found > 0 for one in c)]
    lengths = sorted(lengths, key=lambda c: -c[0].expected)[:64]
    scales = [one.found / one.expected for checks in lengths for one in checks]

    def cost(scale: float) -> float:
        return sum(min([1.0, *(abs(c.found / (c.expected * scale) - 1) / 0.1 for c in checks)]) for checks in lengths)

    return min(scales, key=cost, default=1.0)


def _compared(read: Requirement, space: Space) -> Iterator[Check]:
    """The dimension of each part, divided by the median of those of `of`: width, height, depth, area, or size, the root
    of width times height. aspect is the width of a part divided by its own height."""
    dimension, factor = read.dimension or "size", read.factor or 1.0
    others = _others(read, space.layout)
    room = (0.05 if read.limit == "exactly" else 0.01) * factor
    for name in bound(read.parts, space.layout):
        size = _size(space, name, dimension)
        rest = [other for other in others if other != name]
        if dimension == "aspect":
            fine = space.exact * (1 + factor) / max(_size(space, name, "height"), 1e-9)
            yield Check((name,), size, factor, room, f"{name} has {size:.3g}", fine, read.limit)
        elif rest:
            unit = max(median(_size(space, other, dimension) for other in rest), 1e-9)
            fine = space.exact * (1 + factor) / unit
            yield Check((name, *rest), size / unit, factor, room, f"{name} has {size / unit:.3g}", fine, read.limit)


def _ratio_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if read.dimension == "aspect":
        return "aspect is of a part itself, and has no of" if read.of else None
    return None if read.of else "of is missing"


def _proportional(read: Requirement, space: Space) -> Iterator[Check]:
    """The dimension of each part against its share of their sum by `values`; one value alone means that all are alike.
    With `order` each is larger, or smaller, than the one before. The order is that of the names; the parts of a pattern
    go from left to right, or by rows from the top."""
    names = bound(read.parts, space.layout)
    choices = (read.dimension,) if read.dimension else ("height", "width", "size")
    runs = [list(_run(read, space, names, dimension)) for dimension in choices]
    yield from min(runs, key=badness)


def _run(read: Requirement, space: Space, names: Sequence[str], dimension: str) -> Iterator[Check]:
    sizes = [_size(space, name, dimension) for name in names]
    values = read.values * len(names) if len(read.values) == 1 else read.values
    if values and len(values) != len(names):
        yield Check(tuple(names), len(names), len(values), 0.5, f"there {_are(len(names))} for {len(values)} values")
    elif values:
        unit = sum(sizes) / max(sum(values), 1e-9)
        for name, size, value in zip(names, sizes, values, strict=True):
            room = 0.05 * value * unit if dimension == "area" else space.room(value * unit)
            words = f"{name} has {size / max(unit, 1e-12):.3g} for {value:g}"
            fine = space.exact * (1 if dimension != "area" else space.extent)
            yield Check((name,), size, value * unit, max(room, space.exact), words, fine)
    if read.order is not None:
        for (first, a), (second, b) in pairwise(zip(names, sizes, strict=True)):
            low, high = (a, b) if read.order == "increasing" else (b, a)
            word = "larger" if read.order == "increasing" else "smaller"
            words = f"{second} is {word} than {first}" if high > low else f"{second} is not {word} than {first}"
            yield Check((first, second), high / max(low, 1e-9), 1.01, 0.005, words, 0.005, "at_least")


def _proportion_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if read.values and (min(read.values) < 0 or max(read.values) == 0):
        return "values are below zero, or all are zero"
    exact = not any("*" in pattern for pattern in read.parts)
    if len(read.values) > 1 and exact and len(read.values) != len(parts):
        return f"it has {len(read.values)} values for {len(parts)} parts"
    return "a proportion needs two parts" if len(parts) < 2 and len(read.values) < 2 else None


# Arrangements.


def _axis_of(read: Requirement, boxes: Sequence[Box], space: Space) -> int:
    """The stated axis, or that along which the centers spread most."""
    if read.axis is not None:
        return _AXES[read.axis]
    spread = [max(map(_middle, c)) - min(map(_middle, c)) for c in zip(*boxes, strict=True)]
    return max((0, 1, 2) if space.plan else (0, 1), key=lambda i: spread[i])


def _spaced(read: Requirement, space: Space) -> Iterator[Check]:
    """The gaps between neighbours along `axis` (by default that along which they spread most), box edge to box edge,
    against `length`, or against their mean. Equal steps from center to center are equal gaps too."""
    names = bound(read.parts, space.layout)
    boxes = {name: space.box(name) for name in names}
    if len(names) < 2:
        return
    axis = _axis_of(read, list(boxes.values()), space)
    order = sorted(names, key=lambda n: _middle(boxes[n][axis]))
    gaps = [boxes[b][axis][0] - boxes[a][axis][1] for a, b in pairwise(order)]
    if read.length is not None:
        wanted = read.length * space.scale
        for (a, b), gap in zip(pairwise(order), gaps, strict=True):
            yield _length_check((a, b), gap, wanted, space.gap_room(wanted, read.limit), read, space, f"from {b}")
        return
    steps = [_middle(boxes[b][axis]) - _middle(boxes[a][axis]) for a, b in pairwise(order)]
    runs: list[list[Check]] = []
    for values, what in ((gaps, "gap"), (steps, "step")):
        mean = sum(values) / len(values)
        room = space.gap_room(abs(mean) if what == "gap" else 0.0)
        runs.append(
            [
                Check(
                    (a, b), v, mean, room, f"the {what} from {a} to {b} is {v:.4g}, their mean {mean:.4g}", space.exact
                )
                for (a, b), v in zip(pairwise(order), values, strict=True)
            ]
        )
    yield from min(runs, key=badness)


def _spacing_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if read.length is None and (read.limit != "exactly" or read.unit == "real"):
        return "length is missing"
    if len(parts) < (2 if read.length is not None else 3):
        return (
            "two parts have one gap: give its length"
            if len(parts) == 2
            else "it needs two parts and a length, or three"
        )
    return None


def _aligned(read: Requirement, space: Space) -> Iterator[Check]:
    """One edge or the center of the box of each part against the median of all. row: tops, centers or bottoms are
    level; column: left edges, centers or right edges. grid: rows and columns of equal cells with equal gaps; with
    `rows` and `columns`, so many."""
    names = bound(read.parts, space.layout)
    boxes = {name: space.box(name) for name in names}
    if read.edge == "grid":
        yield from _gridded(read, space, boxes)
        return
    runs: list[list[Check]] = []
    for axis, end in _lines(cast("Edge", read.edge), space):
        at = {name: (1 - end) * b[axis][0] + end * b[axis][1] for name, b in boxes.items()}
        line = median(at.values()) if at else 0.0
        words = {
            n: f"{n} is {abs(v - line):.3g} off" if abs(v - line) > space.exact else f"{n} is" for n, v in at.items()
        }
        runs.append([Check((n,), v, line, 1.2 * space.slack, words[n], space.exact) for n, v in at.items()])
    yield from min(runs, key=badness)


def _lines(edge: Edge, space: Space) -> Sequence[tuple[int, float]]:
    """Axes, and where along the boxes on these: 0 at their lower ends, 1 at their higher."""
    top, bottom = (1.0, 0.0) if space.plan else (0.0, 1.0)
    level, upright = 1, space.upright
    return {
        "left": [(0, 0.0)], "right": [(0, 1.0)], "center_x": [(0, 0.5)], "center_y": [(level, 0.5)],
        "top": [(upright, top)], "bottom": [(upright, bottom)],
        "row": [(level, 0.5), (level, 0.0), (level, 1.0)], "column": [(0, 0.5), (0, 0.0), (0, 1.0)],
    }[edge]  # fmt: skip


def _gridded(read: Requirement, space: Space, boxes: Mapping[str, Box]) -> Iterator[Check]:
    rows, columns = _bands(boxes, 1), _bands(boxes, 0)
    want = read.rows or len(rows), read.columns or len(columns)
    even = all(len(row) == len(columns) for row in rows) and all(len(column) == len(rows) for column in columns)
    words = f"there are {len(rows)} rows and {len(columns)} columns"
    if (len(rows), len(columns)) != want or not even:
        words = words if even else f"{words}, and not all are full"
        yield Check(tuple(boxes), len(boxes), want[0] * want[1] if want[0] * want[1] != len(boxes) else 0, 0.5, words)
        return
    for axis, lines in ((0, rows), (1, columns)):
        usual = median(_length(b[axis]) for b in boxes.values())
        for name, b in boxes.items():
            size = _length(b[axis])
            word = "wide" if axis == 0 else "high"
            yield Check((name,), size, usual, space.room(usual), f"{name} is {size:.4g} {word}", space.exact)
        pairs = [(a, b, boxes[b][axis][0] - boxes[a][axis][1]) for line in lines for a, b in pairwise(line)]
        mean = sum(gap for _, _, gap in pairs) / max(len(pairs), 1)
        if read.length is not None:
            mean = read.length * space.scale
        for a, b, gap in pairs:
            words = f"the gap from {a} to {b} is {gap:.4g}, it should be {mean:.4g}"
            yield Check((a, b), gap, mean, space.gap_room(abs(mean)), words, space.exact)


def _bands(boxes: Mapping[str, Box], axis: int) -> list[list[str]]:
    """Rows (axis 1) or columns (axis 0), each in order; a center beyond a band's first box opens a new one."""
    bands: list[list[str]] = []
    for name in sorted(boxes, key=lambda n: _middle(boxes[n][axis])):
        if bands and _middle(boxes[name][axis]) < boxes[bands[-1][0]][axis][1]:
            bands[-1].append(name)
        else:
            bands.append([name])
    return [sorted(band, key=lambda n: _middle(boxes[n][1 - axis])) for band in bands]


def _alignment_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if read.edge != "grid" and (read.rows or read.columns or read.length is not None):
        return "rows, columns and length are of a grid"
    return "one part is always in line" if len(parts) < 2 else None


def _mirrored(read: Requirement, space: Space) -> Iterator[Check]:
    """The box of each part against the nearest mirror image of one of them, by the edge that is farthest off; the
    mirror is in the middle of `of`, or else of all of them. `axis` is that along which they mirror each other: x, left
    and right, by default. One part without `of`: the share of its silhouette that its mirror image covers."""
    names = bound(read.parts, space.layout)
    axis = _AXES[read.axis or "x"]
    others = _others(read, space.layout)
    boxes = {name: space.box(name) for name in names}
    if len(names) == 1 and not read.of:
        shape = space.solid(names[0])
        (x, y), (sx, sy) = shape.envelope.centroid.coords[0], (-1, 1) if axis == 0 else (1, -1)
        image = scaled(shape, sx, sy, origin=(x, y))
        share = shape.intersection(image).area / max(shape.union(image).area, 1e-12)
        yield Check(names, share, 1.0, 0.1, f"{names[0]} and its mirror image share {share:.0%}", 0.01)
        return
    if not names:
        return
    frame = _around([space.box(n) for n in others or names])
    twice = 2 * _middle(frame[axis])
    upright = space.upright if axis == 0 else 0
    for name, mine in boxes.items():
        image = (twice - mine[axis][1], twice - mine[axis][0])

        def off(other: str, image: Span = image, mine: Box = mine) -> float:
            spans = ((image, boxes[other][axis]), (mine[upright], boxes[other][upright]))
            return max(abs(a[i] - b[i]) for a, b in spans for i in (0, 1))

        twin = min(boxes, key=off)
        words = (
            f"{name} is {off(twin):.3g} off the mirror image of {twin}"
            if twin != name
            else f"{name} is {off(name):.3g} off"
        )
        yield Check(tuple(dict.fromkeys((name, twin))), off(twin), 0.0, 2 * space.slack, words, space.exact)


def _placed(read: Requirement, space: Space) -> Iterator[Check]:
    """center: the center within 5 % of the extent from the middle of the canvas, or of `of`. The others: the center at
    least 10 % of the extent from the middle, on that side. Of several parts each one, or all of them together."""
    names, spot = bound(read.parts, space.layout), cast("Spot", read.spot)
    boxes = {name: space.box(name) for name in names}
    if not names:
        return
    frame = _around([space.box(n) for n in _others(read, space.layout) or (CANVAS,)])
    groups = [boxes, {names[0]: _around(list(boxes.values()))}] if len(names) > 1 else [boxes]
    runs = [[c for n, b in group.items() for c in _at_spot(n, b, frame, spot, space)] for group in groups]
    yield from min(runs, key=badness)


def _at_spot(name: str, mine: Box, frame: Box, spot: Spot, space: Space) -> Iterator[Check]:
    down = 1 if spot == "center" else space.upright
    high = -1 if not space.plan or down == 1 else 1
    signs = {
        0: -1 if "left" in spot else int("right" in spot),
        down: high * (int("top" in spot) - int("bottom" in spot)),
    }
    for axis, sign in signs.items():
        side = max(_length(frame[axis]), 1e-9)
        off = _middle(mine[axis]) - _middle(frame[axis])
        if spot == "center":
            words = f"{name} is {abs(off):.3g} off the middle" if abs(off) > space.exact else f"{name} is in the middle"
            yield Check((name,), off, 0.0, 0.05 * side, words, space.exact)
        elif sign:
            words = f"{name} is {sign * off:.3g} from the middle, on that side"
            yield Check((name,), sign * off, 0.1 * side, 1e-9, words, limit="at_least")


# Directions, colors, text.


def _pointing(read: Requirement, space: Space) -> Iterator[Check]:
    """The direction from the pivot (the center of `of`, else of its parent) to the part's far end, in degrees clockwise
    from up; in a scene as seen from above, up being away from the camera."""
    wanted = (read.degrees or 0.0) % 360
    for name in bound(read.parts, space.layout):
        parent = space.layout[name].parent
        pivots = _others(read, space.layout) or ((parent,) if parent is not None else (CANVAS,))
        spans = space.box(pivots[0])
        found = _direction(space.shape(name), (_middle(spans[0]), _middle(spans[1])), wanted)
        off = (found - wanted + 180) % 360 - 180
        yield Check((name,), wanted + off, wanted, 2.0, f"{name} points to {found:.1f}°", 0.05)


def _direction(shape: BaseGeometry, pivot: tuple[float, float], wanted: float) -> float:
    """Where the far end lies; of two ends that reach as far, the one nearer to what is wanted."""
    away = shapely.get_coordinates(shape) - np.array(pivot)
    reach = float(np.hypot(away[:, 0], away[:, 1]).max())
    ends = shapely.get_parts(shape.difference(Point(pivot).buffer(0.97 * reach, quad_segs=64)))
    found = [
        math.degrees(math.atan2(e.centroid.x - pivot[0], pivot[1] - e.centroid.y)) % 360 for e in ends if not e.is_empty
    ]
    if not found:
        x, y = away[int(np.hypot(away[:, 0], away[:, 1]).argmax())]
        found = [math.degrees(math.atan2(x, -y)) % 360]
    return min(found, key=lambda d: abs((d - wanted + 180) % 360 - 180))


def _angle_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    for name in parts if layout.frame.plan else ():
        (_, _), (y0, y1), (z0, z1) = Space(layout).box(name)
        if z1 - z0 > y1 - y0:
            return f"{name} stands upright, and a scene's directions are measured from above"
    return None


def _colored(read: Requirement, space: Space) -> Iterator[Check]:
    """A fill that may be called so, or is near the `#rrggbb`, of the part itself, of its largest part, or of parts with
    at least 30 % of its painted area; pens where nothing is filled."""
    for name in bound(read.parts, space.layout):
        family = [i for i in space.layout.family(name) if i.style.fills or i.style.strokes]
        hits = {i.name for i in family if any(colours.matches(c, read.color) for c in i.style.fills or i.style.strokes)}
        area = sum(i.shape.area for i in family)
        share = sum(i.shape.area for i in family if i.name in hits) / max(area, 1e-12)
        largest = max(family, key=lambda i: i.shape.area).name if family else ""
        good = name in hits or largest in hits
        shown = list(dict.fromkeys(c for i in family for c in i.style.fills or i.style.strokes))[:4]
        words = f"{name} is painted {', '.join(shown) or 'in nothing'}"
        yield Check((name,), 1.0 if good else share, 0.3, 1e-9, words, limit="at_least")


def _color_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if colours.known(read.color):
        return None
    return f"color is {_shown(read.color)}; it is #rrggbb or one of {', '.join(colours.TERMS)}"


def _shows(read: Requirement, space: Space) -> Iterator[Check]:
    """Each part shows the text, it or its parts, however it is broken into lines and whatever its case."""
    wanted = _solid_text(read.text)
    for name in bound(read.parts, space.layout):
        texts = [text for item in space.layout.family(name) for text in item.texts]
        good = wanted in _solid_text("".join(texts)) or any(wanted in _solid_text(t) for t in texts)
        shown = ", ".join(_shown(text, 40) for text in texts[:4])
        yield Check((name,), float(good), 1.0, 0.5, f"{name} shows {shown or 'no text'}", limit="at_least")


def _solid_text(text: str) -> str:
    return _Folded.of(text).folded.replace(" ", "")


def _text_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if not _solid_text(read.text):
        return "text is empty"
    unread = layout.frame.plan and not any(item.texts for item in layout)
    return "the text of these parts cannot be read here" if unread else None


def _count_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    number, found = cast("int", read.number), len(parts)
    if read.limit == "at_least" and number == 0:
        return "there are always at least 0"
    if read.each or any("*" in pattern for pattern in read.parts) or not layout.visible.issuperset(parts):
        return None
    low = (
        number <= found if read.limit == "at_least" else number >= found if read.limit == "at_most" else number == found
    )
    return "it counts its own list: use a pattern with * or say what else it needs" if low else None


# The table.


def _of(read: Requirement) -> str:
    return _names(read.of)


def _names(patterns: Sequence[str]) -> str:
    more = f" and {len(patterns) - 5} more" if len(patterns) > 6 else ""
    return ", ".join(_shown(p, 40)[1:-1] for p in (patterns[:5] if more else patterns)) + more


def _number(value: float | None) -> str:
    return f"{value:g}" if value is not None else ""


_LIMITS = {"exactly": "", "at_least": "at least ", "at_most": "at most "}


def _words(read: Requirement) -> str:
    """The statement in words: `book_* within each of shelf_*: 3 expected`."""
    return f"{_names(read.parts)}{KINDS[read.kind].words(read)}"


def _count_words(read: Requirement) -> str:
    within = f" within each of {_names(read.each)}" if read.each else ""
    return f"{within}: {_LIMITS[read.limit]}{read.number} expected"


def _relation_words(read: Requirement) -> str:
    word = {"left_of": "to the left of", "right_of": "to the right of", "touches": "touching"}
    return f": {word.get(read.relation or '', (read.relation or '').replace('_', ' '))} {_of(read)} expected"


def _unit(read: Requirement) -> str:
    return " (real)" if read.unit == "real" else ""


def _size_words(read: Requirement) -> str:
    given = [(n, v) for n in ("width", "height", "depth") if (v := getattr(read, n)) is not None]
    return f": {_LIMITS[read.limit]}{', '.join(f'{n} {v:g}' for n, v in given)}{_unit(read)} expected"


def _ratio_words(read: Requirement) -> str:
    if read.dimension == "aspect":
        return f": width {_LIMITS[read.limit]}{_number(read.factor)} × its height expected"
    return f": {_LIMITS[read.limit]}{_number(read.factor)} × the {read.dimension or 'size'} of {_of(read)} expected"


def _proportion_words(read: Requirement) -> str:
    parts = [":".join(f"{v:g}" for v in read.values[:20])] if len(read.values) > 1 else ["all alike"] * len(read.values)
    parts += [read.order] if read.order else []
    return f": {read.dimension or 'size'} {', '.join(parts)} expected"


def _spacing_words(read: Requirement) -> str:
    along = f" along {read.axis}" if read.axis else ""
    if read.length is None:
        return f": equal gaps{along} expected"
    return f": gaps of {_LIMITS[read.limit]}{read.length:g}{_unit(read)}{along} expected"


def _alignment_words(read: Requirement) -> str:
    if read.edge == "grid":
        size = f" of {read.rows or 'any'} rows and {read.columns or 'any'} columns" if read.rows or read.columns else ""
        return f": a grid{size} expected"
    named = {
        "row": "in a row",
        "column": "in a column",
        "center_x": "centers in a column",
        "center_y": "centers in a row",
    }
    return f": {named.get(read.edge or '', f'{read.edge} edges in line')} expected"


def _symmetry_words(read: Requirement) -> str:
    return f": mirrored along {read.axis or 'x'}{f' in the middle of {_of(read)}' if read.of else ''} expected"


KINDS: Mapping[Kind, KindSpec] = {
    "count": KindSpec(
        "so many of them are visible, in total or within each of some parts",
        ("number",),
        ("each", "limit"),
        {"kind": "count", "quote": "three books on each", "parts": ["book_*"], "each": ["shelf_*"], "number": 3},
        _counted,
        _count_words,
        "exact",
        fault=_count_fault,
    ),
    "relation": KindSpec(
        "each stands in this relation to others",
        ("relation", "of"),
        (),
        {"kind": "relation", "quote": "a cat on the roof", "parts": ["cat"], "relation": "on", "of": ["roof"]},
        _related,
        _relation_words,
        "sides 0.005; on 0.03, exact to 0.003; touches 0.01, exact to 0.001; the canvas's edge 0.01",
        "sides 0.25 % of the frame; on 5 % of the part, at least 5 mm, exact to 2 mm; touches 0.5 % of the frame",
        _relation_fault,
    ),
    "distance": KindSpec(
        "each is so far from the nearest of others",
        ("length", "of"),
        ("axis", "limit", "unit"),
        {"kind": "distance", "quote": "0.1 apart", "parts": ["tree"], "of": ["house"], "length": 0.1, "axis": "x"},
        _apart,
        lambda read: f" to {_of(read)}: {_LIMITS[read.limit]}{_number(read.length)}{_unit(read)} expected",
        "3 % of the length, or 0.01",
        "3 % of the length, or 0.5 % of the frame",
    ),
    "angle": KindSpec(
        "each points in a direction: hands, needles, arrows",
        ("degrees",),
        ("of",),
        {"kind": "angle", "quote": "showing three", "parts": ["hour_hand"], "of": ["dial"], "degrees": 90},
        _pointing,
        lambda read: f": {_number(read.degrees)}° clockwise from up expected",
        "2°",
        fault=_angle_fault,
    ),
    "size": KindSpec(
        "each is so wide, high or deep",
        ("width|height|depth",),
        ("unit", "limit"),
        {"kind": "size", "quote": "a 0.9 m door", "parts": ["door"], "width": 0.9, "unit": "real"},
        _sized,
        _size_words,
        "3 % of it, or 0.01 where that is more, but a tenth of it at most",
        "3 % of it, or 0.5 % of the frame where that is more, but a tenth of it at most",
    ),
    "ratio": KindSpec(
        "each is so many times as large as others, or has this aspect",
        ("factor",),
        ("of", "dimension", "limit"),
        {
            "kind": "ratio",
            "quote": "twice as tall",
            "parts": ["tower"],
            "of": ["house"],
            "dimension": "height",
            "factor": 2,
        },
        _compared,
        _ratio_words,
        "5 % of the factor; 1 % with at_least or at_most",
        fault=_ratio_fault,
    ),
    "proportion": KindSpec(
        "they are in these proportions, all alike, or each larger than the one before",
        ("values|order",),
        ("dimension",),
        {
            "kind": "proportion",
            "quote": "of 3, 7 and 5",
            "parts": ["bar_*"],
            "values": [3, 7, 5],
            "dimension": "height",
        },
        _proportional,
        _proportion_words,
        "as size; of areas 5 %; in an order 1 % larger, or 0.5 %",
        fault=_proportion_fault,
    ),
    "spacing": KindSpec(
        "the gaps between neighbors are equal, or of this length",
        (),
        ("length", "axis", "limit", "unit"),
        {"kind": "spacing", "quote": "equally spaced", "parts": ["house_*"], "axis": "x"},
        _spaced,
        _spacing_words,
        "3 % of the gap, or 0.01",
        "3 % of the gap, or 0.5 % of the frame",
        _spacing_fault,
    ),
    "alignment": KindSpec(
        "an edge or the centers of all are in line; they form a row, a column or a grid",
        ("edge",),
        ("rows", "columns", "length", "unit"),
        {"kind": "alignment", "quote": "in a row", "parts": ["tree_*"], "edge": "bottom"},
        _aligned,
        _alignment_words,
        "0.012; cells of a grid as size, its gaps as spacing",
        "0.6 % of the frame; cells of a grid as size, its gaps as spacing",
        _alignment_fault,
    ),
    "symmetry": KindSpec(
        "they mirror each other in pairs; one part alone is symmetric",
        (),
        ("of", "axis"),
        {"kind": "symmetry", "parts": ["ear_left", "ear_right"], "of": ["head"]},
        _mirrored,
        _symmetry_words,
        "0.02; one part: 90 % shared, exact from 99 %",
        "1 % of the frame; one part: 90 % shared, exact from 99 %",
    ),
    "color": KindSpec(
        "each is mainly of a color",
        ("color",),
        (),
        {"kind": "color", "quote": "a red bus", "parts": ["bus"], "color": "red"},
        _colored,
        lambda read: f": {_shown(read.color)[1:-1]} expected",
        "the bands of hue, lightness and saturation of the term; of #rrggbb 20 in CIELAB",
        fault=_color_fault,
    ),
    "text": KindSpec(
        "each shows a text",
        ("text",),
        (),
        {"kind": "text", "quote": 'a sign that says "OPEN"', "parts": ["sign"], "text": "OPEN"},
        _shows,
        lambda read: f": the text {_shown(read.text)} expected",
        "exact, case and white space aside",
        fault=_text_fault,
    ),
    "place": KindSpec(
        "each, or all of them together, are at a spot of the canvas or of a part",
        ("spot",),
        ("of",),
        {"kind": "place", "quote": "in the top right corner", "parts": ["sun"], "spot": "top_right"},
        _placed,
        lambda read: f": {(read.spot or '').replace('_', ' ')}{f' of {_of(read)}' if read.of else ''} expected",
        "center 5 % of the extent; the others exact",
    ),
}


def table() -> str:
    """The kinds as Markdown, for people: `docs/requirements.md` holds it."""
    rows: list[str] = []
    for kind, spec in KINDS.items():
        needs = ", ".join(" or ".join(f"`{name}`" for name in need.split("|")) for need in spec.needs) or "nothing else"
        may = f"; may have {', '.join(f'`{name}`' for name in spec.may)}" if spec.may else ""
        tolerance = spec.canvas + (f". In a scene: {spec.plan}" if spec.plan else "")
        rows += [
            f"### {kind}",
            f"{spec.says[0].upper()}{spec.says[1:]}. Needs {needs}{may}.",
            f"```json\n{json.dumps(spec.example)}\n```",
            f"*Measured:* {spec.formula}",
            f"*Tolerance:* {tolerance}.",
        ]
    return "\n\n".join(rows) + "\n"


# Requirements measured.


def badness(checks: Sequence[Check]) -> tuple[float, float]:
    """The worst deviation of some comparisons, and the sum of all: what two ways to measure are chosen by."""
    return max((c.deviation for c in checks), default=0.0), sum(c.deviation for c in checks)


def measure(requirements: Sequence[Requirement], layout: Layout) -> tuple[Measured, ...]:
    """Each requirement measured on the layout: by whole families or by what parts paint themselves, as fits better."""
    scale = scale_of(requirements, layout)
    return tuple(_measured(read, layout, scale if read.unit == "real" else 1.0) for read in requirements)


def _spaces(read: Requirement, layout: Layout, scale: float = 1.0) -> Iterator[Space]:
    """How a requirement may be meant: of whole families, of what parts paint themselves, of that without its pen."""
    yield Space(layout, scale=scale)
    if read.kind not in ("count", "color", "text"):
        items = [layout[n] for n in (*bound(read.parts, layout), *_others(read, layout)) if n in layout]
        if any(layout.children(item.name) for item in items):
            yield Space(layout, own=True, scale=scale)
        if any(item.style.widths for item in items):
            yield Space(layout, own=True, bare=True, scale=scale)


def view_of(read: Requirement, layout: Layout, scale: float = 1.0) -> Space:
    """The way to look at a layout in which a requirement fits best."""
    return min(_spaces(read, layout, scale), key=lambda space: badness(list(KINDS[read.kind].measure(read, space))))


def checks_of(read: Requirement, layout: Layout, scale: float = 1.0) -> tuple[Check, ...]:
    """The comparisons that a requirement consists of, the worst first."""
    parts = bound(read.parts, layout)
    if not parts and read.kind != "count":
        return (Check((), 0.0, 1.0, 0.5, "none of them is visible"),)
    if read.of and not _others(read, layout):
        return (Check(parts, 0.0, 1.0, 0.5, f"{_of(read)} has no shape"),)
    runs = (list(KINDS[read.kind].measure(read, space)) for space in _spaces(read, layout, scale))
    return tuple(sorted(min(runs, key=badness), key=lambda check: -check.deviation))


def _measured(read: Requirement, layout: Layout, scale: float) -> Measured:
    checks = checks_of(read, layout, scale)
    broken = [check for check in checks if check.deviation > 1 + 1e-9]
    inexact = [check for check in checks if check.error > check.exact * (1 + 1e-9) + 1e-12]
    worst = checks[0] if checks else Check((), 0.0, 0.0, 1.0, "there is nothing to compare")
    told = [check.words for check in (broken or inexact)[:3]] or [
        worst.words if len(checks) < 2 else f"all {len(checks)} hold"
    ]
    more = len(broken or inexact) - len(told)
    subjects = (*bound(read.parts, layout), *_others(read, layout), *_named(read.each, layout))
    return Measured(
        id=read.id,
        kind=read.kind,
        quote=read.quote,
        words=_words(read),
        outcome="broken" if broken else "inexact" if inexact else "met",
        found="; ".join(told) + (f"; and {more} more" if more > 0 else ""),
        deviation=worst.deviation if broken or inexact else 0.0,
        subjects=tuple(name for name in dict.fromkeys(subjects) if name in layout),
        changed=read.reason,
        numbers={"found": worst.found, "expected": worst.expected},
        worst=tuple(dict.fromkeys(name for check in broken or inexact for name in check.names if name in layout))[:12],
    )


def issues_of(measured: Sequence[Measured], layout: Layout) -> tuple[Issue, ...]:
    """An open issue for each broken requirement: basis `requirement`, severity `question`, code `requirement.KIND`."""
    return tuple(
        Issue(
            code=f"requirement.{found.kind}",
            severity="question",
            message=f"{found.words}, {found.found}",
            subjects=found.subjects,
            numbers=found.numbers,
            marks=tuple(
                Mark(kind="box", at=layout.bounds(name), text=name)
                for name in found.worst
                if name in layout and not layout.whole(name).is_empty
            ),
            phrase=found.quote,
            basis="requirement",
            status="open",
            id=found.id,
            requirement=found.id,
        )
        for found in measured
        if found.outcome == "broken"
    )
