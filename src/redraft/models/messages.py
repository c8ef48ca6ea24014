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

MAX_MESSAGE = 600
"""Characters of one message: a proxy may answer with a whole web page."""
MAX_PAGE = 20_000
"""Bytes of a web page that are searched for its words."""


@dataclass(frozen=True)
class Said:
    """An error in the words of a server."""

    message: str
    code: str = ""
    kind: str = ""
    """The type of the error, in OpenAI's form."""
    param: str = ""
    """The field of the request that it is about."""


def said_in(body: bytes) -> Said:
    """Return the error in a response's body, or else the words of the page.

    Known forms: `{error: {message, code, type, param}}` of OpenAI, `{error: "…"}`, `{detail: …}` of FastAPI, and
    `{message: …}`.
    """
    try:
        fields = as_object(parse_json(body))
    except ValueError:  # UnicodeDecodeError is one too
        return Said(readable(body) or "no message")
    error = fields.get("error", fields.get("detail", fields.get("message", cast("JsonValue", fields))))
    if isinstance(error, dict) and error:
        message = text_of(error, "message") or text_of(error, "detail") or json.dumps(error, ensure_ascii=False)
        return Said(clipped(message), text_of(error, "code"), text_of(error, "type"), text_of(error, "param"))
    text = error if isinstance(error, str) else json.dumps(error, ensure_ascii=False)
    return Said(clipped(text) if text not in ("", "null", "{}") else "no message")


def readable(raw: bytes) -> str:
    """Return the words of a text or a web page, on one line of bounded length."""
    text = raw[:MAX_PAGE].decode("utf-8", "replace")
    if re.search(r"<(!doctype|html|head|body|title)\b", text, re.IGNORECASE):
        text = re.sub(r"(?is)<(script|style)\b.*?(</\1>|$)", " ", text)
        text = html.unescape(re.sub(r"(?s)<[^>]*>", " ", text))
    return clipped(text)


def clipped(text: str) -> str:
    """Return a text as one line of bounded length, without characters that control a terminal."""
    plain = "".join(c if c.isprintable() or c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text)
    line = re.sub(r"\s+", " ", plain).strip()
    return line if len(line) <= MAX_MESSAGE else f"{line[:MAX_MESSAGE]} …"


def ended(text: str) -> str:
    """Return the text with a full stop, unless it ends with punctuation."""
    return text if text.endswith((".", "?", "!", "…")) else f"{text}."


def as_object(value: object) -> dict[str, JsonValue]:
    """Return the value if it is a JSON object, else an empty one."""
    return cast("dict[str, JsonValue]", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[JsonValue]:
    """Return the value if it is a JSON array, else an empty one."""
    return cast("list[JsonValue]", value) if isinstance(value, list) else []


def text_of(fields: Mapping[str, JsonValue], name: str) -> str:
    """Return a field as text; empty if it is absent, null, or neither text nor a number."""
    value = fields.get(name)
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
