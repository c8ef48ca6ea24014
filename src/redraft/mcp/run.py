"""The tool that runs the whole loop on an instruction, with the client's own model where it lends one.

The loop works on the board as it is when the run begins; its result comes back as one step on the open board. Since the
protocol of 2026-07-28 a server cannot ask in mid-call: it ends the call with its questions, and the client calls again
with the answers. The loop meanwhile waits in a task of the server. Older clients are asked within the call, through the
same queue."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import anyio
from anyio.abc import TaskGroup
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ImageContent,
    InputRequiredResult,
    SamplingMessage,
    TextContent,
)
from mcp_types import SamplingMessageContentBlock as Block
from mcp_types.version import is_version_at_least
from pydantic import Field

from redraft.config import Config
from redraft.errors import BoardError, BriefError, ModelRefusedError, ModelUnavailableError, RedraftError
from redraft.files import dated, remove_unused
from redraft.journal import system_clock
from redraft.layout import Move
from redraft.log import log_lines
from redraft.mcp.opened import OpenWork, OpenWorks
from redraft.mcp.tool import BoardTool, Ran, make_tool
from redraft.mcp.tools import problem_of
from redraft.models.base import Request
from redraft.models.sampling import Answer, SamplingModel, last_words
from redraft.result import Result
from redraft.spatial.workspace import Outcome
from redraft.studios.board.kicad.file import project_files
from redraft.studios.board.session import Session

__all__ = ["MOST_ROUNDS", "PATIENCE", "Question", "Rounds", "answer_of", "run_tools", "sampling_params"]


MOST_ROUNDS = 10
"""Calls of a client for one tool call: the SDKs' default limit."""
PATIENCE = 600.0
"""Seconds for which a question waits for its answer."""
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
    """Lines of the loop that the client has not received yet."""
    result: Result | None = None
    failure: Exception | None = None
    models: set[str] = field(default_factory=set[str])
    """The models that answered, by the names that the client gives."""
    asked: int = 0
    sent: int = 0
    """Number of lines that the client has received: its progress, which must grow."""
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
            self.failure = ModelUnavailableError("The run was stopped: no answer of the model came back.")
        self._wake()

    def stop(self) -> None:
        """End the run. What it had done on disk stays in its folder."""
        self._scope.cancel()

    @property
    def finished(self) -> bool:
        return self.result is not None or self.failure is not None

    def say(self, *lines: str) -> None:
        """Queue lines for the client."""
        self.lines.extend(lines)
        self._wake()

    async def ask(self, request: Request) -> Answer:
        """The model's answer, whenever it comes; for `SamplingModel`.

        Raises:
            ModelUnavailableError: no answer came. ModelRefusedError: the client said no.
        """
        self.asked += 1
        question = Question(f"ask-{self.asked}", sampling_params(request))
        self.waiting[question.key] = question
        self._wake()
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
        """Hand in an answer; one without a waiting question is dropped."""
        question = self.waiting.pop(key, None)
        if question is not None:
            question.answer = answer
            question.done.set()

    async def news(self) -> tuple[list[str], list[Question]]:
        """Wait until there is something: lines to send, questions to answer, or the end (neither)."""
        while not (self.lines or self.waiting or self.finished):
            self._news = anyio.Event()
            await self._news.wait()
        lines, self.lines = self.lines, []
        self.sent += len(lines)
        return lines, list(self.waiting.values())

    def _wake(self) -> None:
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
    """Return a client's message as an answer, or as the error that explains its absence."""
    if not isinstance(result, CreateMessageResult):
        return ModelRefusedError(f"The client answered a question to its model with {type(result).__name__}.")
    if not isinstance(result.content, TextContent):
        return ModelRefusedError(f"The client's model answered with {result.content.type}, not with text.")
    return Answer(result.content.text, result.model, result.stop_reason or "")


MODERN = "2026-07-28"
"""From this protocol on a server asks by ending the call."""
MOST_PROBLEMS = 20

Instruction = Annotated[str, Field(min_length=1, max_length=40_000)]


@dataclass
class _Run:
    """One run: its rounds, and the board that it was begun on."""

    rounds: Rounds
    board: OpenWork[Session]
    moves: tuple[Move, ...]
    """Those in force when it began."""
    model: str
    force: bool


def run_tools(boards: OpenWorks, config: Config, *, by_handle: bool) -> list[BoardTool]:
    """Run."""
    return [make_tool(_run(boards, config), Ran, "changes", by_handle=by_handle)]


def _run(boards: OpenWorks, config: Config) -> Callable[..., Awaitable[Ran | InputRequiredResult]]:
    async def run(
        instruction: Instruction,
        ctx: Context,
        pictures: Annotated[bool, Field(description="Send pictures too; for a model that sees.")] = False,
        force: Annotated[bool, Field(description="Take the result even if it is worse than what was there.")] = False,
    ) -> Ran | InputRequiredResult:
        going = (
            _resumed(boards, ctx)
            if ctx.request_state
            else await _begun(boards, config, ctx, instruction, pictures, force)
        )
        try:
            asked = await _listen(going, ctx)
        except BaseException:  # canceled, or the client is gone: the result has no receiver
            _end(boards, going)
            raise
        if asked:
            requests = {question.key: CreateMessageRequest(params=question.params) for question in asked}
            return InputRequiredResult(input_requests=dict(requests), request_state=going.rounds.name)
        _end(boards, going)
        return await _result(going)

    return run


async def _begun(
    boards: OpenWorks, config: Config, ctx: Context, instruction: str, pictures: bool, force: bool
) -> _Run:
    """Start the loop in a task of the server."""
    board, tasks = boards.find("board"), boards.tasks
    if tasks is None:
        raise BoardError("The server is not running any more.")
    rounds, sampled = Rounds(), _lends_model(ctx)
    model = SamplingModel(rounds.ask, sees=pictures) if sampled else None
    settings = _settings(config, board, few=sampled and _asks_by_ending(ctx))
    folder = dated(Path(settings.out), system_clock(), instruction)
    source = await board.work(lambda session: _source(session, folder))
    going = _Run(rounds, board, board.session.workspace.moves, "the client's own" if sampled else config.model, force)

    async def work() -> Result:
        from redraft import api

        try:
            return await api.arun(
                "board",
                instruction,
                config=settings,
                model=model,
                source=source,
                out=folder,
                observer=lambda event: rounds.say(*log_lines(event)),
                notify=rounds.say,
            )
        finally:
            remove_unused(folder)

    boards.runs[rounds.name] = going
    rounds.start(tasks, work)
    return going


def _resumed(boards: OpenWorks, ctx: Context) -> _Run:
    """The run that a client comes back to, with its answers handed in."""
    going = boards.runs.get(ctx.request_state or "")
    if not isinstance(going, _Run):
        raise BriefError("That run is over: it waited too long, or the server was restarted. Call run again.")
    for key, response in (ctx.input_responses or {}).items():
        going.rounds.answer(key, answer_of(response))
    return going


async def _listen(going: _Run, ctx: Context) -> list[Question]:
    """Send the loop's lines until it ends (then without questions) or has questions for the client."""
    while True:
        lines, asked = await going.rounds.news()
        first = going.rounds.sent - len(lines) + 1
        for number, line in enumerate(lines, start=first):
            await ctx.report_progress(number, None, line)
        if asked and _asks_by_ending(ctx):
            return asked
        if not asked and not lines:
            return []
        for question in asked:
            going.rounds.answer(question.key, await _ask_now(question, ctx))


async def _ask_now(question: Question, ctx: Context) -> Answer | RedraftError:
    """Ask in mid-call, as protocols before 2026-07-28 do."""
    try:
        result = await ctx.session.send_request(
            CreateMessageRequest(params=question.params),
            CreateMessageResult,
            metadata=ServerMessageMetadata(related_request_id=ctx.request_id),
        )
    except MCPError as error:
        return ModelRefusedError(f"The client did not let its model answer: {error}")
    return answer_of(result)


async def _result(going: _Run) -> Ran:
    """Apply the run's result to the board and return its outcome.

    Raises:
        what ended the run.
    """
    if going.rounds.failure is not None:
        raise going.rounds.failure
    result = going.rounds.result
    assert result is not None, "a run that is over has a result or a failure"
    wanted = "json" in result.files and (result.valid or going.force)
    outcome = await going.board.work(lambda session: _taken(session, going, result)) if wanted else None
    report = result.report
    return Ran(
        model=" ".join([going.model, *sorted(f"({name})" for name in going.rounds.models)]),
        valid=result.valid,
        score=result.score,
        taken=outcome is not None,
        outcome=outcome,
        problems=tuple(problem_of(i) for i in (*report.errors, *report.warnings, *report.hints)[:MOST_PROBLEMS]),
        unchecked=report.unchecked,
        calls=result.usage.calls,
        notes=(*result.warnings, *_explanation(result)),
        record=str(result.run),
    )


def _taken(session: Session, going: _Run, result: Result) -> Outcome:
    from redraft.studios.board.placement import board_of, placement_of

    if session.workspace.moves != going.moves:
        raise BoardError(
            f"The board was changed while the run was under way; its result was not applied. It is in {result.run}."
        )
    return session.adopt(board_of(placement_of(result)), "run")


def _explanation(result: Result) -> tuple[str, ...]:
    return () if result.error is None else (f"The run ended early: {result.error.get('message', '')}",)


def _source(session: Session, folder: Path) -> Path:
    """The file for the loop to work on: the board itself, or beside the run's folder what it is now, unsaved."""
    if not session.unsaved and session.disk is session.base.file:
        return session.path
    folder.parent.mkdir(parents=True, exist_ok=True)
    copy = folder.with_name(f"{folder.name}.kicad_pcb")
    copy.write_bytes(session.board.rewritten())
    for beside in project_files(session.path):
        shutil.copyfile(beside, copy.with_suffix(beside.suffix))
    return copy


def _settings(config: Config, board: OpenWork[Session], *, few: bool) -> Config:
    """The server's, with runs kept beside the board, and no more calls than the client will answer."""
    out = board.session.path.parent / config.out
    update: dict[str, object] = {"out": str(out)}
    if board.session.base.ripup:
        update["studios"] = {**config.studios, "board": {**config.studios.get("board", {}), "ripup": True}}
    if few:
        calls = min(config.budget.calls or MOST_ROUNDS, MOST_ROUNDS)
        update["budget"] = config.budget.model_copy(update={"calls": calls})
    return config.model_copy(update=update)


def _end(boards: OpenWorks, going: _Run) -> None:
    boards.runs.pop(going.rounds.name, None)
    going.rounds.stop()


def _lends_model(ctx: Context) -> bool:
    capabilities = ctx.client_capabilities
    return capabilities is not None and capabilities.sampling is not None


def _asks_by_ending(ctx: Context) -> bool:
    return ctx.protocol_version is not None and is_version_at_least(ctx.protocol_version, MODERN)
