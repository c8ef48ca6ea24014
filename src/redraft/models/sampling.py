"""The model of an MCP client, asked through the client: its user pays and watches.

The protocol is in `mcp`: here a callback takes the request and returns the answer.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from redraft.models.base import ModelInfo, Reply, Request
from redraft.result import Usage

_LABEL = (
    "sampling: the model of the program that called, asked through it. redraft knows neither its settings nor what it "
    "costs."
)


@dataclass(frozen=True)
class Answer:
    """A client's answer: the text, the model's name as the client gives it, and the reason it stopped."""

    text: str
    model: str = ""
    stopped: str = ""


class SamplingModel:
    """Asks through a callback. `sees` as the caller says: a client does not report whether its model takes pictures."""

    def __init__(self, ask: Callable[[Request], Awaitable[Answer]], *, sees: bool = False) -> None:
        self._ask = ask
        self._info = ModelInfo(name="sampling", sees=sees, label=_LABEL)

    @property
    def info(self) -> ModelInfo:
        return self._info

    async def ask(self, request: Request) -> Reply:
        """Return the client's answer.

        Raises:
            ModelUnavailableError: the client went away. ModelRefusedError: it, or its user, refused.
        """
        answer = await self._ask(request)
        stopped = {"finish_reason": answer.stopped} if answer.stopped else {}
        return Reply(
            text=answer.text,
            model=answer.model or self._info.name,
            usage=Usage(calls=1, cost=None),
            params=dict(stopped),
        )


def last_words(request: Request) -> str:
    """Return the last message, with the schema of the reply if there is one: a callback has no other place for it."""
    text = request.messages[-1].text
    if request.output_schema is None:
        return text
    schema = json.dumps(request.output_schema, ensure_ascii=False)
    return f"{text}\n\nAnswer with one JSON value of this schema and nothing else:\n\n```json\n{schema}\n```"
