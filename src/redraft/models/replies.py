"""Finding the JSON in a model's reply, and reading it strictly.

The reply may be bare JSON or hold it in a ``` fence with prose around. Nothing is guessed: prose alone, a fence left
open, several different answers, a field twice, NaN and numbers beyond reason are refused, each with its own words.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from redraft.errors import FormatError

MAX_REPLY = 2_000_000
"""Bytes of UTF-8; a drawing of two thousand strokes has about 300,000, and nothing a model answers needs more."""

MAX_DEPTH = 32
_FENCE = re.compile(
    r"^[ \t]{0,3}(`{3,}|~{3,})[ \t]*\{?\.?([\w+-]*)\}?(?:[ \t]+[\w./=+-]{1,80}){0,3}[ \t]*$", re.MULTILINE
)
"""Its word is the language; a file name or the like may stand behind it."""
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_ASK = "Send the whole reply again as one ```json block that holds one JSON object."

Json = dict[str, Any]


@dataclass(frozen=True)
class Fence:
    """One fenced block: the word after its opening marks, what it holds, and where all of it stands in the reply."""

    word: str
    text: str
    start: int
    end: int


ModelT = TypeVar("ModelT", bound=BaseModel)


def json_in(text: str, fields: Iterable[str], what: str = "answer") -> Json:
    """Return the one JSON object of a reply. `fields` distinguish the answer, called `what`, from other JSON.

    Raises:
        FormatError: there is none, several, or one that is broken.
    """
    text = _cleaned(text, _ASK)
    if text.startswith("{"):
        return _read(text)
    blocks = list(dict.fromkeys(block.text for block in _blocks(text, _ASK)))
    if not blocks:
        raise FormatError(f"The reply holds no JSON: it begins {text[:60]!r}, and there is no ```json block. {_ASK}")
    if len(blocks) == 1:
        return _read(blocks[0])
    return _only(blocks, frozenset(fields), what)


def reply_as(model: type[ModelT], text: str, what: str) -> ModelT:
    """A reply that is to follow a schema, called `what`.

    Raises:
        FormatError: it holds no JSON, or other JSON: each field that is wrong is named.
    """
    found = json_in(text, model.model_fields, what)
    try:
        return model.model_validate_json(json.dumps(found))
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, e['loc']))}: {e['msg']}, found {e['input']!r:.60}" for e in error.errors()
        )
        raise FormatError(f"The {what} does not follow its schema. {problems}") from error


def _check_size(text: str) -> None:
    size = len(text) if len(text) > MAX_REPLY else len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_REPLY:
        raise FormatError(
            f"The reply is too long: {size:,} bytes; at most {MAX_REPLY:,} are read. It begins {text[:60]!r}. "
            "Say the same shorter."
        )


def fences(text: str, ask: str) -> tuple[list[Fence], str]:
    """The fenced blocks of a reply, and the prose around them. `ask` is what every complaint ends with.

    Raises:
        FormatError: the reply is empty or too long, or a fence is left open.
    """
    text = _cleaned(text, ask)
    blocks = _blocks(text, ask)
    gaps = zip([0, *(block.end for block in blocks)], [*(block.start for block in blocks), len(text)], strict=True)
    return blocks, "\n".join(text[start:end] for start, end in gaps).strip()


def _cleaned(text: str, ask: str) -> str:
    _check_size(text)
    text = text.replace("\ufeff", "").replace("\r\n", "\n").strip()
    if not text:
        raise FormatError(f"The reply is empty. {ask}")
    return text


def _blocks(text: str, ask: str) -> list[Fence]:
    blocks: list[Fence] = []
    start: re.Match[str] | None = None
    mark = ""
    for fence in _FENCE.finditer(text):
        ticks, word = fence.groups()
        if start is None:
            start, mark = fence, ticks
        elif ticks[0] == mark[0] and len(ticks) >= len(mark) and not word:
            content = text[start.end() : fence.start()].strip("\n").rstrip()
            blocks.append(Fence(start.group(2).lower(), content, start.start(), fence.end()))
            start = None
    if start is not None:
        raise FormatError(
            f"The reply opens a {mark[:3]} fence and never closes it (it ends {text[-40:]!r}), so it was probably cut "
            f"off. {ask} If it was too long, say the same shorter."
        )
    return blocks


def _only(blocks: list[str], fields: frozenset[str], what: str) -> Json:
    """The one block that is the answer."""
    answers: list[Json] = []
    for block in blocks:
        try:
            found = _read(block)
        except FormatError:
            continue  # not every fence of a long reply need be the answer; how many are is said below
        if fields & found.keys():
            answers.append(found)
    if len(answers) == 1:
        return answers[0]
    some = f"none of them is a {what}" if not answers else f"{len(answers)} of them are different {what}s"
    raise FormatError(f"The reply has {len(blocks)} fenced blocks, and {some}; exactly one is expected. {_ASK}")


def _read(text: str) -> Json:
    _check_depth(text)
    try:
        found: Any = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=partial(_constant, text),
            parse_float=_float,
            parse_int=_int,
        )
    except json.JSONDecodeError as error:
        near = text[max(0, error.pos - 30) : error.pos + 20]
        raise FormatError(
            f"The JSON is broken at line {error.lineno}, column {error.colno}: {error.msg}, near {near!r}. "
            "No comments, no trailing commas, every string in double quotes. " + _ASK
        ) from error
    if not isinstance(found, dict):
        raise FormatError(f"The JSON is not an object: it begins {text[:30]!r}; expected {{. {_ASK}")
    return cast("Json", found)


def _check_depth(text: str) -> None:
    """Count brackets before parsing, so that the parser's stack cannot overflow."""
    depth = 0
    for bracket in re.finditer(r"[\[\]{}]", _STRING.sub('""', text)):
        depth += 1 if bracket.group() in "[{" else -1
        if depth > MAX_DEPTH:
            raise FormatError(f"The JSON is nested more than {MAX_DEPTH} deep; nothing that is asked for is.")


def _unique(pairs: list[tuple[str, Any]]) -> Json:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for i, key in enumerate(keys) if key in keys[:i])
        where = f" (in the object with {_short(pairs)})"
        raise FormatError(f"The JSON has the field {twice[:40]!r} twice in one object{where}; give it once.")
    return found


def _short(pairs: list[tuple[str, Any]]) -> str:
    plain = [f"{k[:20]}: {v!r:.30}" for k, v in pairs if isinstance(v, str | int | float)]
    return ", ".join(plain[:3]) or "no plain values"


def _constant(text: str, name: str) -> float:
    bare = _STRING.sub(lambda found: " " * len(found.group()), text)
    at = bare.find(name)
    near = text[max(0, at - 60) : at + len(name)]
    raise FormatError(f"The JSON holds {name}, which is no number of JSON; numbers are finite. It is near {near!r}.")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise FormatError(f"The JSON holds the number {text[:30]}, which is too large.")
    return value


def _int(text: str) -> int:
    if len(text) > 15:
        raise FormatError(f"The JSON holds the number {text[:30]}, which is too large.")
    return int(text)
