"""The loop asking the client's own model: questions out, answers in, over as many rounds as it takes.

Since the protocol of 2026-07-28 a server cannot ask in mid-call: it ends the call with its questions, and the client
calls again with the answers. The loop meanwhile waits here, in a task of the server. Older clients are asked within the
call, through the same queue.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

import anyio
from anyio.abc import TaskGroup
from mcp_types import CreateMessageRequestParams, CreateMessageResult, ImageContent, SamplingMessage, TextContent
from mcp_types import SamplingMessageContentBlock as Block

from redraft.errors import ModelRefusedError, ModelUnavailableError, RedraftError
from redraft.models.base import Request
from redraft.models.sampling import Answer, last_words
from redraft.result import Result

__all__ = ["MOST_ROUNDS", "PATIENCE", "Question", "Rounds", "answer_of", "sampling_params"]

MOST_ROUNDS = 10
"""How often a client calls again for one tool call: what the SDKs allow, unless told otherwise."""
PATIENCE = 600.0
"""Seconds for which a question waits; after that nobody will come back."""
MOST_TOKENS = 16_000
"""Longest answer that a client is asked for."""


@dataclass
class Question:
    """One request to the model, until it is answered."""

    key: str
    params: CreateMessageRequestParams
    done: anyio.Event = field(default_factory=anyio.Event)
    answer: Answer | RedraftError | None = None


@dataclass
class Rounds:
    """One run of the loop, and what it waits for."""

    name: str = field(default_factory=lambda: secrets.token_hex(8))
    waiting: dict[str, Question] = field(default_factory=dict[str, Question])
    lines: list[str] = field(default_factory=list[str])
    """What the loop said and nobody was told yet."""
    result: Result | None = None
    failure: Exception | None = None
    models: set[str] = field(default_factory=set[str])
    """Who answered, by the names that the client gives."""
    asked: int = 0
    told: int = 0
    """How many lines the client was told: its progress, which must grow."""
    _news: anyio.Event = field(default_factory=anyio.Event)
    _scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)

    def start(self, tasks: TaskGroup, work: Callable[[], Awaitable[Result]]) -> None:
        """Let the loop run until it is done or `stop` is called."""
        tasks.start_soon(self._run, work)

    async def _run(self, work: Callable[[], Awaitable[Result]]) -> None:
        with self._scope:
            try:
                self.result = await work()
            except Exception as error:
                self.failure = error
        if self._scope.cancelled_caught:
            self.failure = ModelUnavailableError("The run was stopped: nobody came back with the model's answer.")
        self._tell()

    def stop(self) -> None:
        """End the run. What it had done on disk stays in its folder."""
        self._scope.cancel()

    @property
    def finished(self) -> bool:
        return self.result is not None or self.failure is not None

    def say(self, *lines: str) -> None:
        """Something to tell the client when it listens next."""
        self.lines.extend(lines)
        self._tell()

    async def ask(self, request: Request) -> Answer:
        """The model's answer, whenever it comes; for `SamplingModel`.

        Raises:
            ModelUnavailableError: nobody answers. ModelRefusedError: the client said no.
        """
        self.asked += 1
        question = Question(f"ask-{self.asked}", sampling_params(request))
        self.waiting[question.key] = question
        self._tell()
        with anyio.move_on_after(PATIENCE):
            await question.done.wait()
        self.waiting.pop(question.key, None)
        if question.answer is None:
            raise ModelUnavailableError(f"The client did not answer within {PATIENCE:.0f} s. Call run again.")
        if isinstance(question.answer, RedraftError):
            raise question.answer
        self.models |= {question.answer.model} - {""}
        return question.answer

    def answer(self, key: str, answer: Answer | RedraftError) -> None:
        """Hand in an answer; one that nobody waits for is dropped."""
        question = self.waiting.pop(key, None)
        if question is not None:
            question.answer = answer
            question.done.set()

    async def news(self) -> tuple[list[str], list[Question]]:
        """Wait until there is something: lines to tell, questions to answer, or the end (nothing of either)."""
        while not (self.lines or self.waiting or self.finished):
            self._news = anyio.Event()
            await self._news.wait()
        lines, self.lines = self.lines, []
        self.told += len(lines)
        return lines, list(self.waiting.values())

    def _tell(self) -> None:
        self._news.set()


def sampling_params(request: Request) -> CreateMessageRequestParams:
    """A request in the protocol's words. Pictures come before the text that speaks of them."""
    import base64

    system = "\n\n".join(message.text for message in request.messages if message.role == "system")
    turns = [message for message in request.messages[:-1] if message.role != "system"]
    pictures: list[Block] = [
        ImageContent(data=base64.b64encode(picture.png).decode(), mime_type="image/png") for picture in request.pictures
    ]
    last = [*pictures, TextContent(text=last_words(request))]
    return CreateMessageRequestParams(
        messages=[
            *(SamplingMessage(role=_role(turn.role), content=TextContent(text=turn.text)) for turn in turns),
            *(SamplingMessage(role="user", content=block) for block in last),
        ],
        system_prompt=system or None,
        temperature=request.temperature,
        max_tokens=MOST_TOKENS,
    )


def _role(role: str) -> Literal["user", "assistant"]:
    return "assistant" if role == "assistant" else "user"


def answer_of(result: object) -> Answer | RedraftError:
    """What a client sent back, as an answer or as the reason why it is none."""
    if not isinstance(result, CreateMessageResult):
        return ModelRefusedError(f"The client answered a question to its model with {type(result).__name__}.")
    if not isinstance(result.content, TextContent):
        return ModelRefusedError(f"The client's model answered with {result.content.type}, not with text.")
    return Answer(result.content.text, result.model, result.stop_reason or "")
