"""Requests for tests of models, and pictures to go with them."""

from __future__ import annotations

import base64
from typing import Any

from redraft.models.base import Message, Reply, Request
from redraft.result import Picture

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
"""One red pixel."""

SCHEMA: dict[str, Any] = {
    "type": "object",
    "title": "Verdict",
    "properties": {"satisfied": {"type": "boolean"}, "summary": {"type": "string"}},
    "required": ["satisfied", "summary"],
    "additionalProperties": False,
}


def text_of(answer: str | Reply) -> str:
    """The text of an offline answer."""
    return answer if isinstance(answer, str) else answer.text


def make_request(
    text: str = "Draw a cat.",
    *,
    kind: str = "sketch.draft",
    path: str = "iteration-1/draft",
    system: str | None = "You draw.",
    pictures: int = 0,
    **fields: Any,
) -> Request:
    """A request as a studio makes them; `fields` go to `Request` as they are."""
    messages = [Message(role="user", text=text)]
    if system is not None:
        messages.insert(0, Message(role="system", text=system))
    return Request(
        kind=kind,
        path=path,
        inputs={"instruction": text},
        messages=tuple(messages),
        pictures=tuple(Picture(name=f"view-{i}.png", png=PNG + bytes([i])) for i in range(pictures)),
        **fields,
    )
