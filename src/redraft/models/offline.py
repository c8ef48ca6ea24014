"""The offline model: rules and a lexicon in place of a language model, without a network.

It answers from a request's structured `inputs`, never from its prose. Its answers come from the studios: each has one
for every kind of request that it composes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import anyio.lowlevel

from redraft.errors import ModelRefusedError
from redraft.models.base import ModelInfo, Reply, Request
from redraft.result import Usage

Answer = Callable[[Request], str]
"""A pure function that answers one kind of request."""

FullAnswer = Callable[[Request], str | Reply]
"""An answer that may be a whole reply, where it has to name stand-ins."""

OFFLINE = "offline"
"""The name of this model."""

_INFO = ModelInfo(
    name=OFFLINE,
    sees=False,
    rules=True,
    label="offline: rule-based and deterministic, not a language model. It knows a small grammar and the shapes of a "
    "lexicon, says what it does not know, and cannot see pictures.",
)


class OfflineModel:
    """Answers by rules, deterministically and free of charge. `answers` holds one function for each request kind."""

    def __init__(self, answers: Mapping[str, FullAnswer]) -> None:
        self._answers = dict(answers)

    @property
    def info(self) -> ModelInfo:
        return _INFO

    async def ask(self, request: Request) -> Reply:
        """Answer one request.

        Raises:
            ModelRefusedError: no rule answers its kind.
        """
        await anyio.lowlevel.checkpoint()
        answer = self._answers.get(request.kind)
        if answer is None:
            known = ", ".join(sorted(self._answers)) or "none at all"
            raise ModelRefusedError(
                f"The offline model has no rule for {request.kind!r} requests (asked at {request.path}). It answers: "
                f"{known}. Choose a language model with --model for this."
            )
        reply = answer(request)
        return reply if isinstance(reply, Reply) else Reply(text=reply, model=_INFO.name, usage=Usage(calls=1))


def text_in(request: Request, name: str) -> str:
    """Return an input of a request as text."""
    return str(request.inputs[name])


def fenced(reply: Mapping[str, object]) -> str:
    """Return an answer as one fenced block of JSON."""
    return "```json\n" + json.dumps(reply, ensure_ascii=False, allow_nan=False) + "\n```\n"
