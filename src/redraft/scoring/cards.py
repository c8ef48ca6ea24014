"""Idea cards in strict JSON: what a model proposes before anything is drafted.

`object_in` is stricter than `redraft.replies`, which finds an answer among prose: a wrong reply here ends the run, and
a judge's prose must not even be read past. Its errors do not quote the reply: callers decide how much a message shows.
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

__all__ = ["MAX_REPLY", "IdeaCard", "IdeaCards", "Json", "object_in", "parse_idea_cards"]

Json = dict[str, Any]

MAX_DEPTH = 8
"""Of brackets; cards need five."""

_FENCED = re.compile(r"```[ \t]*(?:json|JSON)?[ \t]*\n(.*)\n[ \t]*```", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_LONGEST_NUMBER = 15


def object_in(text: str, most: int) -> Json:
    """The object that a reply of at most `most` characters holds.

    Raises:
        FormatError: it is too long, empty, no JSON, no object, has anything around it, a key twice, NaN, or too many
            brackets in each other.
    """
    if len(text) > most:
        raise FormatError(f"it has {len(text):,} characters; at most {most:,} are read")
    bare = text.replace("\r\n", "\n").removeprefix("\ufeff").strip()
    if not bare:
        raise FormatError("it is empty; one JSON object is wanted")
    if fenced := _FENCED.fullmatch(bare):
        bare = fenced.group(1).strip()
    _check_start(bare)
    _check_depth(bare)
    return _read(bare)


def _check_start(bare: str) -> None:
    if "```" in _STRING.sub('""', bare):
        raise FormatError("it has text around a fenced block, or several blocks; one JSON object alone is wanted")
    if not bare.startswith("{"):
        raise FormatError("it does not begin with {; one JSON object is wanted, and nothing before it")


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
            raise FormatError(f"its JSON has the key {key[:40]!r} twice in one object; once is wanted")
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

MAX_ID, MAX_HOOK, MAX_NARRATIVE, MAX_ENTRY, MAX_NAME = 16, 300, 1_500, 200, 32
"""Characters."""
MAX_ENTRIES = 12
"""Of a list, and lists in `options`."""

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
    """Read and check a reply. Runs of spaces and line breaks in its texts become one space.

    Raises:
        IdeaCardsError: `invalid_idea_cards_json: …`, naming the card and field.
    """
    try:
        found = object_in(text, MAX_REPLY)
        _check_count(found, num_ideas)
        cards = tuple(_normal(card) for card in _as_cards(found).ideas)
        _check_ids(cards)
        for card in cards:
            _check(card)
    except FormatError as error:
        raise IdeaCardsError(f"The reply is not a set of idea cards: {error}.") from error
    return cards


def _check_count(found: Mapping[str, Any], num_ideas: int) -> None:
    if more := [key for key in found if key != "ideas"]:
        raise FormatError(f"the object has the key {_cut(more[0])}; only ideas is allowed")
    ideas: Any = found.get("ideas")
    if not isinstance(ideas, list):
        what = "has no ideas" if ideas is None else f"has {type(ideas).__name__} for ideas"
        raise FormatError(f"the object {what}; a list of {num_ideas} cards is wanted")
    if (given := len(cast("list[Any]", ideas))) != num_ideas:
        raise FormatError(f"it has {given:,} cards; {num_ideas} were asked for")


def _as_cards(found: Json) -> IdeaCards:
    try:
        return IdeaCards.model_validate_json(json.dumps(found))
    except ValidationError as error:
        problems = [problem for problem in error.errors(include_url=False) if len(problem["loc"]) > 1]  # of cards
        listed = "; ".join(
            _problem(found, problem["loc"], problem["type"], problem["msg"], problem["input"])
            for problem in problems[:3]
        )
        more = f"; and {len(problems) - 3:,} more" if len(problems) > 3 else ""
        raise FormatError(listed + more) from error


def _problem(found: Json, loc: Sequence[int | str], kind: str, message: str, value: Any) -> str:
    where = _where(found, loc)
    field = str(loc[-1])
    if kind == "extra_forbidden":
        return f"{where} has the unknown key {_cut(field)}; a card has {', '.join(IdeaCard.model_fields)}"
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
    """The card with one space where there were several, and none around a text."""
    return IdeaCard(
        id=card.id,
        hook=_spaced(card.hook),
        narrative=_spaced(card.narrative),
        options={name: tuple(map(_spaced, entries)) for name, entries in card.options.items()},
        avoid=tuple(map(_spaced, card.avoid)),
    )


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _check_ids(cards: Sequence[IdeaCard]) -> None:
    ids = [card.id for card in cards]
    odd = [id_ for id_ in ids if not id_.strip() or id_ != id_.strip() or len(id_) > MAX_ID or not id_.isprintable()]
    if odd:
        raise FormatError(
            f"{len(odd)} of {len(ids)} ids are not valid: {_several(odd)}; an id has 1 to {MAX_ID} printable "
            "characters and no space around it"
        )
    if twice := [id_ for id_, times in Counter(ids).items() if times > 1]:
        raise FormatError(f"{len(twice)} of {len(ids)} ids occur more than once: {_several(twice)}")


def _check(card: IdeaCard) -> None:
    _check_text(card, "hook", card.hook, MAX_HOOK)
    _check_text(card, "narrative", card.narrative, MAX_NARRATIVE)
    _check_names(card)
    for name, entries in card.options.items():
        _check_list(card, f"options.{name}", entries, _FEWEST.get(name, 0))
    _check_list(card, "avoid", card.avoid, 0)


def _check_names(card: IdeaCard) -> None:
    names = list(card.options)
    if len(names) > MAX_ENTRIES:
        raise FormatError(f"card {card.id!r}: options has {len(names):,} lists; at most {MAX_ENTRIES} are allowed")
    if missing := [name for name in _FEWEST if name not in names]:
        raise FormatError(f"card {card.id!r}: options has no {' and no '.join(missing)}")
    for name in names:
        _check_text(card, f"the name {_cut(name)} in options", name, MAX_NAME)
        if name != _spaced(name) or sum(name.casefold() == other.casefold() for other in names) > 1:
            raise FormatError(f"card {card.id!r}: {_cut(name)} in options is repeated, or has spaces around it")


def _check_list(card: IdeaCard, field: str, entries: Sequence[str], fewest: int) -> None:
    given = f"card {card.id!r}: {field} has {len(entries):,} {'entry' if len(entries) == 1 else 'entries'}"
    if len(entries) > MAX_ENTRIES:
        raise FormatError(f"{given}; at most {MAX_ENTRIES} are allowed")
    if len(entries) < fewest:
        raise FormatError(f"{given}; at least {fewest} {'is' if fewest == 1 else 'are'} wanted")
    for number, entry in enumerate(entries, start=1):
        _check_text(card, f"entry {number} of {field}", entry, MAX_ENTRY)
    times = Counter(entry.casefold() for entry in entries)
    if again := [entry for entry in entries if times[entry.casefold()] > 1]:
        raise FormatError(f"card {card.id!r}: {field} says {_several(again)}, which is the same; entries must differ")


def _check_text(card: IdeaCard, field: str, text: str, most: int) -> None:
    if not text.strip():
        raise FormatError(f"card {card.id!r}: {field} is blank")
    if len(text) > most:
        raise FormatError(f"card {card.id!r}: {field} has {len(text):,} characters, {_cut(text)}; at most {most:,} fit")
    if odd := next((c for c in text if unicodedata.category(c) in {"Cc", "Cs"}), None):
        raise FormatError(f"card {card.id!r}: {field} holds the control character {odd!r}")


def _several(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - _MOST_NAMED:,} more" if len(texts) > _MOST_NAMED else ""
    return ", ".join(map(_cut, texts[:_MOST_NAMED])) + more


def _cut(value: Any) -> str:
    """A value, shortened."""
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"
