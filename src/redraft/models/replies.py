"""Find the JSON in a model's reply, and read it strictly.

The reply may be bare JSON or hold it in a ``` fence with prose around. Nothing is guessed: prose alone, a fence left
open, several different answers, a field twice, NaN and excessive numbers are refused, each with a message of its own.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from redraft.errors import FormatError

MAX_REPLY = 2_000_000
"""Bytes of a reply in UTF-8; a drawing of two thousand strokes has about 300,000."""

MAX_DEPTH = 32
"""Levels of nested objects and arrays."""
_FENCE = re.compile(
    r"^[ \t]{0,3}(`{3,}|~{3,})[ \t]*\{?\.?([\w+-]*)\}?(?:[ \t]+[\w./=+-]{1,80}){0,3}[ \t]*$", re.MULTILINE
)
"""The line of a fence. Its word is the language; a file name or the like may follow."""
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_ASK = "Send the whole reply again as one ```json block that holds one JSON object."

Json = dict[str, Any]


@dataclass(frozen=True)
class Fence:
    """One fenced block: the word after its opening marks, its content, and its start and end in the reply."""

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

    # A long reply may have other blocks; the answer is the one with a field of its own.
    distinctive = frozenset(fields)
    answers: list[Json] = []
    for block in blocks:
        with suppress(FormatError):
            value = _read(block)
            if distinctive & value.keys():
                answers.append(value)
    if len(answers) == 1:
        return answers[0]
    some = f"none of them is a {what}" if not answers else f"{len(answers)} of them are different {what}s"
    raise FormatError(f"The reply has {len(blocks)} fenced blocks, and {some}; exactly one is expected. {_ASK}")


def reply_as(model: type[ModelT], text: str, what: str) -> ModelT:
    """Read a reply that has to follow a schema, called `what` in messages.

    Raises:
        FormatError: it holds no JSON, or other JSON; the message names each wrong field.
    """
    value = json_in(text, model.model_fields, what)
    try:
        return model.model_validate_json(json.dumps(value))
    except ValidationError as error:
        # These words reach a model and are part of recorded runs, so they are not those of `text.problems`.
        problems = "; ".join(
            f"{'.'.join(map(str, e['loc']))}: {e['msg']}, found {e['input']!r:.60}" for e in error.errors()
        )
        raise FormatError(f"The {what} does not follow its schema. {problems}") from error


def fences(text: str, ask: str) -> tuple[list[Fence], str]:
    """Return the fenced blocks of a reply, and the prose around them. Every error message ends with `ask`.

    Raises:
        FormatError: the reply is empty or too long, or a fence is left open.
    """
    text = _cleaned(text, ask)
    blocks = _blocks(text, ask)
    gaps = zip([0, *(block.end for block in blocks)], [*(block.start for block in blocks), len(text)], strict=True)
    return blocks, "\n".join(text[start:end] for start, end in gaps).strip()


def _cleaned(text: str, ask: str) -> str:
    """Return a reply with plain line ends. Raises `FormatError` if it is empty or too long."""
    size = len(text) if len(text) > MAX_REPLY else len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_REPLY:
        raise FormatError(
            f"The reply is too long: {size:,} bytes; at most {MAX_REPLY:,} are read. It begins {text[:60]!r}. "
            "Say the same shorter."
        )
    text = text.replace("\ufeff", "").replace("\r\n", "\n").strip()
    if not text:
        raise FormatError(f"The reply is empty. {ask}")
    return text


def _blocks(text: str, ask: str) -> list[Fence]:
    """Return the fenced blocks of a text. Raises `FormatError` for a fence that is left open."""
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


def _read(text: str) -> Json:
    """Return a JSON object, read strictly. Raises `FormatError`."""
    depth = 0  # counted before parsing, so that the parser's stack cannot overflow
    for bracket in re.finditer(r"[\[\]{}]", _STRING.sub('""', text)):
        depth += 1 if bracket.group() in "[{" else -1
        if depth > MAX_DEPTH:
            raise FormatError(f"The JSON is nested more than {MAX_DEPTH} deep; nothing that is asked for is.")

    def refuse_constant(name: str) -> float:
        bare = _STRING.sub(lambda match: " " * len(match.group()), text)
        at = bare.find(name)
        near = text[max(0, at - 60) : at + len(name)]
        raise FormatError(
            f"The JSON holds {name}, which is no number of JSON; numbers are finite. It is near {near!r}."
        )

    def parse_float(digits: str) -> float:
        if not math.isfinite(value := float(digits)):
            raise FormatError(f"The JSON holds the number {digits[:30]}, which is too large.")
        return value

    def parse_int(digits: str) -> int:
        if len(digits) > 15:
            raise FormatError(f"The JSON holds the number {digits[:30]}, which is too large.")
        return int(digits)

    try:
        value: Any = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=refuse_constant,
            parse_float=parse_float,
            parse_int=parse_int,
        )
    except json.JSONDecodeError as error:
        near = text[max(0, error.pos - 30) : error.pos + 20]
        raise FormatError(
            f"The JSON is broken at line {error.lineno}, column {error.colno}: {error.msg}, near {near!r}. "
            "No comments, no trailing commas, every string in double quotes. " + _ASK
        ) from error
    if not isinstance(value, dict):
        raise FormatError(f"The JSON is not an object: it begins {text[:30]!r}; expected {{. {_ASK}")
    return cast("Json", value)


def _unique(pairs: list[tuple[str, Any]]) -> Json:
    """Return an object of its fields. Raises `FormatError` for one that occurs twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for i, key in enumerate(keys) if key in keys[:i])
        plain = [f"{k[:20]}: {v!r:.30}" for k, v in pairs if isinstance(v, str | int | float)]
        where = f" (in the object with {', '.join(plain[:3]) or 'no plain values'})"
        raise FormatError(f"The JSON has the field {twice[:40]!r} twice in one object{where}; give it once.")
    return fields
