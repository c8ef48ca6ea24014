"""A model with replies written beforehand: for tests, demonstrations and measurements.

It fails when its script is exhausted and never repeats a reply, so that a loop with too many requests is noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import anyio.lowlevel

from redraft.errors import ScriptExhaustedError
from redraft.models.base import ModelInfo, Reply, Request
from redraft.result import Usage

Line = str | Reply | Exception | Callable[[Request], str | Reply]
"""A reply's text, a whole reply, an exception to raise, or a function of the request."""


SCRIPTED = "scripted: replies written beforehand, no model was asked."


class ScriptedModel:
    """Gives its `replies` in order. `requests` keeps every request, also those that failed."""

    def __init__(
        self, replies: Sequence[Line], *, name: str = "scripted", sees: bool = False, label: str = SCRIPTED
    ) -> None:
        self._replies = tuple(replies)
        self._info = ModelInfo(name=name, sees=sees, label=label)
        self.requests: list[Request] = []

    @property
    def info(self) -> ModelInfo:
        return self._info

    async def ask(self, request: Request) -> Reply:
        """Return the next reply of the script.

        Raises:
            ScriptExhaustedError: it was asked more often than it has replies.
        """
        await anyio.lowlevel.checkpoint()
        number = len(self.requests)
        self.requests.append(request)
        if number >= len(self._replies):
            raise ScriptExhaustedError(
                f"The script has {len(self._replies)} replies, and this is request {number + 1}: {request.kind!r} at "
                f"{request.path}. Add a reply, or check the loop that asks."
            )
        line = self._replies[number]
        if isinstance(line, Exception):
            raise line
        answer = line(request) if callable(line) else line
        if isinstance(answer, Reply):
            return answer
        return Reply(text=answer, model=self._info.name, usage=Usage(calls=1))
