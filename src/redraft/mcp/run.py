"""The tool that runs the whole loop on an instruction, with the client's own model where it lends one.

The loop works on what is open, as it is when the run begins. Its result is opened; where works are opened from files
(boards), it comes back as one step on the open work. Since the protocol of 2026-07-28 a server cannot ask in mid-call:
it ends the call with its questions, and the client calls again with the answers. The loop meanwhile waits in a task of
the server. Older clients are asked within the call, through the same queue."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    CallToolResult,
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
from pydantic import Field, JsonValue

from redraft import api
from redraft.config import Config
from redraft.errors import BriefError, ModelRefusedError, ModelUnavailableError, RedraftError
from redraft.files import dated, remove_unused
from redraft.loop.session import Session
from redraft.mcp.drafts import PICTURES, begin
from redraft.mcp.opened import MAX_PATH, OpenWorks
from redraft.mcp.tool import Answer as Told
from redraft.mcp.tool import Finding, StudioTool, answer, findings_of, make_tool, pictured
from redraft.models.base import Request
from redraft.models.sampling import Answer, SamplingModel, last_words
from redraft.record.journal import system_clock
from redraft.record.log import log_lines
from redraft.result import Picture, Result

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
            *(
                SamplingMessage(role="assistant" if t.role == "assistant" else "user", content=TextContent(text=t.text))
                for t in turns
            ),
            *(SamplingMessage(role="user", content=block) for block in last),
        ],
        system_prompt=system or None,
        temperature=request.temperature,
        max_tokens=MOST_TOKENS,
    )


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


@dataclass(frozen=True)
class _Asked:
    """The arguments of a call."""

    studio: str
    instruction: str
    edit: bool
    target: str
    pictures: bool
    force: bool


@dataclass
class _Run:
    """One run: its rounds, and what it was begun on."""

    rounds: Rounds
    asked: _Asked
    model: str
    work: Session[Any] | None = None
    """The open work that its result becomes a step of; None: the result is opened anew."""
    step: object = None
    """The current step of that when it began."""


def run_tools(works: OpenWorks, config: Config, studios: Sequence[str], *, by_handle: bool) -> list[StudioTool]:
    """Return the tool that runs the loop in any of some studios."""

    async def run(
        studio: Annotated[str, Field(max_length=100)],
        instruction: Instruction,
        ctx: Context,
        edit: Annotated[bool, Field(description="Change what is open in the studio; a board always is.")] = False,
        target: Annotated[str, Field(max_length=MAX_PATH, description="Picture to come near to (scene, shader).")] = "",
        pictures: Annotated[bool, Field(description="Send pictures too; for a model that sees.")] = False,
        force: Annotated[bool, Field(description="Take a result that is not valid, too.")] = False,
    ) -> CallToolResult | InputRequiredResult:
        if studio not in studios:
            raise BriefError(f"studio is {studio!r}; this server has: {', '.join(studios)}.")
        if ctx.request_state:
            going = _resumed(works, ctx)
        else:
            going = _begun(works, config, ctx, _Asked(studio, instruction, edit, target, pictures, force))
        try:
            asked = await _listen(going, ctx)
        except BaseException:  # canceled, or the client is gone: the result has no receiver
            _end(works, going)
            raise
        if asked:
            requests = {question.key: CreateMessageRequest(params=question.params) for question in asked}
            return InputRequiredResult(input_requests=dict(requests), request_state=going.rounds.name)
        _end(works, going)
        return await _result(works, config, going)

    tool = make_tool(run, Ran, "changes", by_handle=by_handle, texts={"studios": ", ".join(studios)})
    tool.parameters["properties"]["studio"] = {"enum": [*studios]}
    return [tool]


def _begun(works: OpenWorks, config: Config, ctx: Context, asked: _Asked) -> _Run:
    """Start the loop in a task of the server."""
    if works.tasks is None:
        raise BriefError("The server is shutting down.")
    rounds, sampled = Rounds(), _lends_model(ctx)
    model = SamplingModel(rounds.ask, sees=asked.pictures) if sampled else None
    from_files = asked.studio in works.openers
    work: Session[Any] | None = works.find(asked.studio) if from_files or asked.edit else None
    going = _Run(rounds, asked, "the client's own" if sampled else config.model, work if from_files else None)
    inputs: dict[str, Any] = {}
    if asked.target:
        inputs["target"] = works.folders.file(asked.target, PICTURES)
    update: dict[str, object] = {}
    if sampled and _asks_by_ending(ctx):  # no more calls than the client will answer
        calls = min(config.budget.calls or MOST_ROUNDS, MOST_ROUNDS)
        update["budget"] = config.budget.model_copy(update={"calls": calls})
    home = (None if work is None else work.home) or works.folders.allowed[0]
    settings = config.model_copy(update={**update, "out": str(home / config.out)})
    folder = dated(Path(settings.out), system_clock(), asked.instruction)  # nothing is refused from here on

    async def loop() -> Result:
        lent = settings, dict[str, Any]()
        try:
            if work is not None:
                async with work.turn():
                    going.step = work.steps[work.at] if work.steps else None
                    lent = await anyio.to_thread.run_sync(work.lend, folder, settings)
            return await api.arun(
                asked.studio,
                asked.instruction,
                config=lent[0],
                model=model,
                out=folder,
                observer=lambda event: rounds.say(*log_lines(event)),
                notify=rounds.say,
                **inputs,
                **lent[1],
            )
        finally:
            remove_unused(folder)

    works.runs[rounds.name] = going
    rounds.start(works.tasks, loop)
    return going


def _resumed(works: OpenWorks, ctx: Context) -> _Run:
    """The run that a client comes back to, with its answers handed in."""
    going = works.runs.get(ctx.request_state or "")
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
        return ModelRefusedError(f"The client refused to ask its model: {error}")
    return answer_of(result)


async def _result(works: OpenWorks, config: Config, going: _Run) -> CallToolResult:
    """Apply the run's result to the board, or open it, and return its outcome.

    Raises:
        what ended the run.
    """
    if going.rounds.failure is not None:
        raise going.rounds.failure
    result = going.rounds.result
    assert result is not None, "a run that is over has a result or a failure"
    asked, wanted = going.asked, "json" in result.files and (result.valid or going.asked.force)
    outcome, handle, shown = None, "", list[Picture]()
    if wanted and going.work is not None:
        async with going.work.turn() as session:
            if session.steps[session.at] is not going.step:
                raise BriefError(
                    f"The {asked.studio} was changed while the run was under way; its result was not applied. It is in "
                    f"{result.run}."
                )
            taken = await anyio.to_thread.run_sync(works.openers[asked.studio].take, session, result)
        outcome = taken.model_dump(mode="json", exclude_defaults=True)
    elif wanted:
        session = await begin(works, config, asked.studio, asked.instruction, earlier=result.run)
        async with session.turn():
            handle, shown = session.handle, await pictured(await session.look(session.run.studio.views[:1]))
    early = () if result.error is None else (f"The run ended early: {result.error.get('message', '')}",)
    ran = Ran(
        model=" ".join([going.model, *sorted(f"({name})" for name in going.rounds.models)]),
        valid=result.valid,
        score=result.score,
        taken=wanted,
        handle=handle,
        outcome=outcome,
        findings=findings_of(result.report),
        unchecked=result.report.unchecked[:MOST_PROBLEMS],
        calls=result.usage.calls,
        notes=(*result.warnings, *early)[:MOST_PROBLEMS],
        record=str(result.run),
    )
    return answer(ran, shown)


class Ran(Told):
    """The outcome of the loop."""

    model: str
    """The model that was asked: the client's own, or the server's."""
    valid: bool
    score: float
    taken: bool
    """The result is now open, on a board as one step that undo takes back; it is not saved or exported."""
    handle: str = ""
    outcome: dict[str, JsonValue] | None = None
    """The moves, on a board."""
    findings: tuple[Finding, ...] = ()
    unchecked: tuple[str, ...] = ()
    """Words of the instruction that nothing measured."""
    calls: int = 0
    notes: tuple[str, ...] = ()
    record: str = ""
    """Folder with the run's transcript and its files."""


def _end(works: OpenWorks, going: _Run) -> None:
    works.runs.pop(going.rounds.name, None)
    going.rounds.stop()


def _lends_model(ctx: Context) -> bool:
    capabilities = ctx.client_capabilities
    return capabilities is not None and capabilities.sampling is not None


def _asks_by_ending(ctx: Context) -> bool:
    return ctx.protocol_version is not None and is_version_at_least(ctx.protocol_version, MODERN)
