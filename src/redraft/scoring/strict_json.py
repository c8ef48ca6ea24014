"""The one JSON object that a reply is to be, and nothing around it.

Stricter than `redraft.replies`, which finds an answer among prose: what is asked for here ends a run when it is wrong,
and a judge's prose must not even be read past. The object may stand bare or as the one fenced block of the reply. What
is refused is said without quoting the reply: callers decide how much of it a message shows.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, cast

from redraft.errors import FormatError

__all__ = ["Json", "object_in"]

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
    """Brackets are counted before parsing: a parser's own stack is no place to find out."""
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
        raise FormatError(f"{len(rest):,} characters stand behind the JSON object; nothing may")
    _check_letters(found)
    return cast("Json", found)


def _check_letters(found: object) -> None:
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start : error.start + 1])
        raise FormatError(f"its JSON holds {half}, half of a letter (a lone surrogate)") from error


def _unique(pairs: list[tuple[str, Any]]) -> Json:
    found: Json = {}
    for key, value in pairs:
        if key in found:
            raise FormatError(f"its JSON has the key {key[:40]!r} twice in one object; once is wanted")
        found[key] = value
    return found


def _constant(name: str) -> float:
    raise FormatError(f"its JSON holds {name}, which is no number of JSON")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise FormatError(f"its JSON holds the number {text[:30]}, which is too large")
    return value


def _int(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise FormatError(f"its JSON holds a number of {len(text):,} digits, which is too large")
    return int(text)
