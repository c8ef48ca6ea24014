"""Error messages of servers, made readable: JSON errors of several kinds, web pages, plain text."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue

from redraft.limits import parse_json

_LONGEST = 600
"""Characters of one reason: a proxy may answer with a whole web page."""
_READ = 20_000
"""Bytes of a page that are looked at for its words."""


@dataclass(frozen=True)
class Said:
    """An error as a server put it."""

    message: str
    code: str = ""
    kind: str = ""
    """OpenAI's name of its type."""
    param: str = ""
    """The field of the request that it is about."""


def said_in(body: bytes) -> Said:
    """The error in a response's body: `{error: {message, code, type, param}}` of OpenAI, `{error: "…"}`,
    `{detail: …}` of FastAPI, `{message: …}`; else the words of the page."""
    try:
        found = as_object(parse_json(body))
    except ValueError:  # UnicodeDecodeError is one too
        return Said(readable(body) or "no message")
    error = found.get("error", found.get("detail", found.get("message", cast("JsonValue", found))))
    if isinstance(error, dict) and error:
        message = text_of(error, "message") or text_of(error, "detail") or json.dumps(error, ensure_ascii=False)
        fields = {name: text_of(error, name) for name in ("code", "type", "param")}
        return Said(clipped(message), fields["code"], fields["type"], fields["param"])
    text = error if isinstance(error, str) else json.dumps(error, ensure_ascii=False)
    return Said(clipped(text) if text not in ("", "null", "{}") else "no message")


def readable(raw: bytes) -> str:
    """The words of a text or a web page, on one line of bounded length."""
    text = raw[:_READ].decode("utf-8", "replace")
    if re.search(r"<(!doctype|html|head|body|title)\b", text, re.IGNORECASE):
        text = re.sub(r"(?is)<(script|style)\b.*?(</\1>|$)", " ", text)
        text = html.unescape(re.sub(r"(?s)<[^>]*>", " ", text))
    return clipped(text)


def clipped(text: str) -> str:
    """One line of bounded length, without what a terminal would obey."""
    plain = "".join(c if c.isprintable() or c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text)
    line = re.sub(r"\s+", " ", plain).strip()
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]} …"


def ended(text: str) -> str:
    """Return the text with a full stop, unless it ends with punctuation."""
    return text if text.endswith((".", "?", "!", "…")) else f"{text}."


def as_object(value: object) -> dict[str, JsonValue]:
    """The value if it is a JSON object, else an empty one."""
    return cast("dict[str, JsonValue]", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[JsonValue]:
    """The value if it is a JSON array, else an empty one."""
    return cast("list[JsonValue]", value) if isinstance(value, list) else []


def text_of(fields: Mapping[str, JsonValue], name: str) -> str:
    """A field as text: empty when it is absent, null, or neither text nor number."""
    value = fields.get(name)
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
