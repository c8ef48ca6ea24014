"""Idea cards in strict JSON: what a model proposes before anything is drafted.

`object_in` is stricter than `redraft.models.replies`, which finds an answer among prose: a wrong reply here ends
the run, and a judge's prose must not even be read past. Its errors do not quote the reply: callers decide how much a
message shows.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from redraft.errors import FormatError, IdeaCardsError

Json = dict[str, Any]

MAX_DEPTH = 8
"""Of brackets; cards need five."""

_FENCED = re.compile(r"```[ \t]*(?:json|JSON)?[ \t]*\n(.*)\n[ \t]*```", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_LONGEST_NUMBER = 15


def object_in(text: str, *, fenced: bool = True) -> Json:
    """The object that a reply of at most `MAX_REPLY` characters holds.

    Args:
        text: the reply.
        fenced: whether the object may stand in a Markdown fence.

    Raises:
        FormatError: it is too long, empty, no JSON, no object, has anything around it, a key twice, NaN, or too many
            brackets in each other.
    """
    if len(text) > MAX_REPLY:
        raise FormatError(f"it has {len(text):,} characters; at most {MAX_REPLY:,} are read")
    bare = text.replace("\r\n", "\n").removeprefix("\ufeff").strip()
    if not bare:
        raise FormatError("it is empty; one JSON object is expected")
    if block := _FENCED.fullmatch(bare):
        if not fenced:
            raise FormatError("it is fenced; one JSON object alone is expected")
        bare = block.group(1).strip()
    _check_start(bare)
    _check_depth(bare)
    return _read(bare)


def _check_start(bare: str) -> None:
    if "```" in _STRING.sub('""', bare):
        raise FormatError("it has text around a fenced block, or several blocks; one JSON object alone is expected")
    if not bare.startswith("{"):
        raise FormatError("it does not begin with {; one JSON object is expected, and nothing before it")


def _check_depth(bare: str) -> None:
    """Count brackets before parsing, so that the parser's stack cannot overflow."""
    depth = 0
    for bracket in re.finditer(r"[\[\]{}]", _STRING.sub('""', bare)):
        depth += 1 if bracket.group() in "[{" else -1
        if depth > MAX_DEPTH:
            raise FormatError(f"it has brackets more than {MAX_DEPTH} deep")


def _read(bare: str) -> Json:
    reader = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_constant, parse_float=_float, parse_int=_int)
    try:
        found, end = reader.raw_decode(bare)
    except json.JSONDecodeError as error:
        raise FormatError(f"its JSON is broken at line {error.lineno}, column {error.colno}: {error.msg}") from error
    if rest := bare[end:].strip():
        raise FormatError(f"{len(rest):,} characters follow the JSON object; nothing is allowed there")
    _check_letters(found)
    return cast("Json", found)


def _check_letters(found: object) -> None:
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start : error.start + 1])
        raise FormatError(f"its JSON holds {half}, half of a character (a lone surrogate)") from error


def _unique(pairs: list[tuple[str, Any]]) -> Json:
    found: Json = {}
    for key, value in pairs:
        if key in found:
            raise FormatError(f"its JSON has the key {key[:40]!r} twice in one object; keep one")
        found[key] = value
    return found


def _constant(name: str) -> float:
    raise FormatError(f"its JSON holds {name}, which is not a JSON number")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise FormatError(f"its JSON holds the number {text[:30]}, which is too large")
    return value


def _int(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise FormatError(f"its JSON holds a number of {len(text):,} digits, which is too large")
    return int(text)


MAX_REPLY = 2_000_000
"""Characters; six cards have about ten thousand."""

_FEWEST = {"composition": 2, "palette": 2, "medium": 1, "mood": 1}
_MOST_NAMED = 8


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)


class IdeaCard(_Part):
    """One idea with the choices it leaves open."""

    id: str
    """`A`, `B` …; unique in its set."""
    hook: str
    """The pitch, one sentence."""
    narrative: str
    """A short paragraph: what is to be seen."""
    options: dict[str, tuple[str, ...]]
    """At least `composition` and `palette` (two or more each), `medium` and `mood` (one or more)."""
    avoid: tuple[str, ...] = ()


class IdeaCards(_Part):
    """The reply of the step `idea_cards_generate`."""

    ideas: tuple[IdeaCard, ...] = Field(min_length=1)


def parse_idea_cards(text: str, num_ideas: int) -> tuple[IdeaCard, ...]:
    """Read and check a reply.

    Runs of spaces, line breaks and control characters in its texts become one space; blank entries of lists and keys
    that are not of a card are left out.

    Raises:
        IdeaCardsError: `invalid_idea_cards_json: …`, naming the card and field.
    """
    try:
        found = object_in(text)
        _check_count(found, num_ideas)
        cards = tuple(_normal(card) for card in _as_cards(found).ideas)
        _check_ids(cards)
        for card in cards:
            _check(card)
    except FormatError as error:
        raise IdeaCardsError(f"The reply is not a set of idea cards: {error}.") from error
    return cards


def _check_count(found: Mapping[str, Any], num_ideas: int) -> None:
    ideas: Any = found.get("ideas")
    if not isinstance(ideas, list):
        what = "has no ideas" if ideas is None else f"has {type(ideas).__name__} for ideas"
        raise FormatError(f"the object {what}; a list of {num_ideas} cards is expected")
    if (given := len(cast("list[Any]", ideas))) != num_ideas:
        raise FormatError(f"it has {given:,} cards; {num_ideas} were requested")


def _as_cards(found: Json) -> IdeaCards:
    try:
        return IdeaCards.model_validate_json(json.dumps({"ideas": [_own(card) for card in found["ideas"]]}))
    except ValidationError as error:
        problems = [problem for problem in error.errors(include_url=False) if len(problem["loc"]) > 1]  # of cards
        listed = "; ".join(
            _problem(found, problem["loc"], problem["type"], problem["msg"], problem["input"])
            for problem in problems[:3]
        )
        more = f"; and {len(problems) - 3:,} more" if len(problems) > 3 else ""
        raise FormatError(listed + more) from error


def _own(card: Any) -> Any:
    """A card without the keys that are not of a card."""
    if not isinstance(card, dict):
        return card
    return {key: value for key, value in cast("Json", card).items() if key in IdeaCard.model_fields}


def _problem(found: Json, loc: Sequence[int | str], kind: str, message: str, value: Any) -> str:
    where = _where(found, loc)
    field = str(loc[-1])
    if kind == "missing":
        return f"{where} has no {field}"
    return f"{where}: {_field(loc[2:])} is {_cut(value)}; {message[0].lower()}{message[1:]}"


def _field(loc: Sequence[int | str]) -> str:
    if loc and isinstance(loc[-1], int):
        return f"entry {loc[-1] + 1} of {_field(loc[:-1])}"
    return ".".join(map(str, loc)) or "the card"


def _where(found: Json, loc: Sequence[int | str]) -> str:
    """Return a problem with its card, by the card's id where it has one."""
    number = loc[1] if len(loc) > 1 and isinstance(loc[1], int) else 0
    card: Any = found["ideas"][number]
    id_: Any = cast("Json", card).get("id") if isinstance(card, dict) else None
    return f"card {_cut(id_)}" if isinstance(id_, str) and id_ else f"card number {number + 1}"


def _normal(card: IdeaCard) -> IdeaCard:
    """The card with one space where there were several, none around a text, and no blank entries."""
    return IdeaCard(
        id=_spaced(card.id),
        hook=_spaced(card.hook),
        narrative=_spaced(card.narrative),
        options={name: _entries(entries) for name, entries in card.options.items()},
        avoid=_entries(card.avoid),
    )


def _entries(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(_spaced, texts)))


def _spaced(text: str) -> str:
    return " ".join("".join(" " if unicodedata.category(c) == "Cc" else c for c in text).split())


def _check_ids(cards: Sequence[IdeaCard]) -> None:
    ids = [card.id for card in cards]
    if blank := ids.count(""):
        raise FormatError(f"{blank} of {len(ids)} ids are blank; each card needs one of its own")
    if twice := [id_ for id_, times in Counter(ids).items() if times > 1]:
        raise FormatError(f"{len(twice)} of {len(ids)} ids occur more than once: {_several(twice)}")


def _check(card: IdeaCard) -> None:
    for field, text in (("hook", card.hook), ("narrative", card.narrative)):
        if not text:
            raise FormatError(f"card {_cut(card.id)}: {field} is blank")
    if missing := [name for name in _FEWEST if name not in card.options]:
        raise FormatError(f"card {_cut(card.id)}: options has no {' and no '.join(missing)}")
    for name, fewest in _FEWEST.items():
        if (number := len(card.options[name])) < fewest:
            raise FormatError(
                f"card {_cut(card.id)}: options.{name} has {number} {'entry' if number == 1 else 'entries'} with text; "
                f"at least {fewest} {'is' if fewest == 1 else 'are'} expected"
            )


def _several(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - _MOST_NAMED:,} more" if len(texts) > _MOST_NAMED else ""
    return ", ".join(map(_cut, texts[:_MOST_NAMED])) + more


def _cut(value: Any) -> str:
    """A value, shortened."""
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"
