"""The tool that runs the whole loop on an instruction, with the client's own model where it lends one.

The loop works on the board as it is when the run begins; its result comes back as one step on the open board.
"""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import CreateMessageRequest, CreateMessageResult, InputRequiredResult
from mcp_types.version import is_version_at_least
from pydantic import Field

from redraft.config import Config
from redraft.errors import BoardError, BriefError, ModelRefusedError, RedraftError
from redraft.files import dated, give_back
from redraft.journal import system_clock
from redraft.log import log_lines
from redraft.mcp.answers import Ran
from redraft.mcp.desk import Desk, OpenBoard
from redraft.mcp.rounds import MOST_ROUNDS, Question, Rounds, answer_of
from redraft.mcp.tool import BoardTool, make_tool
from redraft.mcp.tools_check import problem_of
from redraft.models.sampling import Answer, SamplingModel
from redraft.result import Result
from redraft.spatial.layout import Move
from redraft.spatial.workspace import Outcome
from redraft.studios.board.session import Session

__all__ = ["run_tools"]

MODERN = "2026-07-28"
"""From this protocol on a server asks by ending the call."""
MOST_PROBLEMS = 20

Instruction = Annotated[str, Field(min_length=1, max_length=40_000)]


@dataclass
class _Run:
    """One run: its rounds, and the board that it was begun on."""

    rounds: Rounds
    board: OpenBoard
    moves: tuple[Move, ...]
    """Those in force when it began."""
    model: str
    force: bool


def run_tools(desk: Desk, config: Config, *, by_handle: bool) -> list[BoardTool]:
    """Run."""
    return [make_tool(_run(desk, config), Ran, "changes", by_handle=by_handle)]


def _run(desk: Desk, config: Config) -> Callable[..., Awaitable[Ran | InputRequiredResult]]:
    async def run(
        instruction: Instruction,
        ctx: Context,
        pictures: Annotated[bool, Field(description="Send pictures too; for a model that sees.")] = False,
        force: Annotated[bool, Field(description="Take the result even if it is worse than what was there.")] = False,
    ) -> Ran | InputRequiredResult:
        going = (
            _resumed(desk, ctx) if ctx.request_state else await _begun(desk, config, ctx, instruction, pictures, force)
        )
        try:
            asked = await _listen(going, ctx)
        except BaseException:  # cancelled, or the client is gone: nobody will come for the result
            _end(desk, going)
            raise
        if asked:
            requests = {question.key: CreateMessageRequest(params=question.params) for question in asked}
            return InputRequiredResult(input_requests=dict(requests), request_state=going.rounds.name)
        _end(desk, going)
        return await _result(going)

    return run


async def _begun(desk: Desk, config: Config, ctx: Context, instruction: str, pictures: bool, force: bool) -> _Run:
    """Start the loop in a task of the server."""
    board, tasks = desk.board(), desk.tasks
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
            give_back(folder)

    desk.runs[rounds.name] = going
    rounds.start(tasks, work)
    return going


def _resumed(desk: Desk, ctx: Context) -> _Run:
    """The run that a client comes back to, with its answers handed in."""
    going = desk.runs.get(ctx.request_state or "")
    if not isinstance(going, _Run):
        raise BriefError("That run is over: it waited too long, or the server was started anew. Call run again.")
    for key, response in (ctx.input_responses or {}).items():
        going.rounds.answer(key, answer_of(response))
    return going


async def _listen(going: _Run, ctx: Context) -> list[Question]:
    """Tell what the loop says until it ends (then nothing is asked) or asks what only the client can answer."""
    while True:
        lines, asked = await going.rounds.news()
        first = going.rounds.told - len(lines) + 1
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
    """What the run came to, its result brought onto the board.

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
        notes=(*result.warnings, *_why(result)),
        record=str(result.run),
    )


def _taken(session: Session, going: _Run, result: Result) -> Outcome:
    from redraft.studios.board.placement import board_of, placement_of

    if session.workspace.moves != going.moves:
        raise BoardError(
            f"The board was changed while the run was under way; its result was not taken over. It is in {result.run}."
        )
    return session.adopt(board_of(placement_of(result)), "run")


def _why(result: Result) -> tuple[str, ...]:
    return () if result.error is None else (f"The run ended early: {result.error.get('message', '')}",)


def _source(session: Session, folder: Path) -> Path:
    """The file for the loop to work on: the board itself, or beside the run's folder what it is now, unsaved."""
    if not session.unsaved and session.disk is session.base.file:
        return session.path
    folder.parent.mkdir(parents=True, exist_ok=True)
    copy = folder.with_name(f"{folder.name}.kicad_pcb")
    copy.write_bytes(session.base.file.rewritten(session.board.poses))
    for suffix in (".kicad_pro", ".kicad_dru"):  # the rules that hold for it
        beside = session.path.with_suffix(suffix)
        if beside.is_file():
            shutil.copyfile(beside, copy.with_suffix(suffix))
    return copy


def _settings(config: Config, board: OpenBoard, *, few: bool) -> Config:
    """The server's, with runs kept beside the board, and no more calls than the client will answer."""
    out = board.session.path.parent / config.out
    update: dict[str, object] = {"out": str(out)}
    if few:
        calls = min(config.budget.calls or MOST_ROUNDS, MOST_ROUNDS)
        update["budget"] = config.budget.model_copy(update={"calls": calls})
    return config.model_copy(update=update)


def _end(desk: Desk, going: _Run) -> None:
    desk.runs.pop(going.rounds.name, None)
    going.rounds.stop()


def _lends_model(ctx: Context) -> bool:
    capabilities = ctx.client_capabilities
    return capabilities is not None and capabilities.sampling is not None


def _asks_by_ending(ctx: Context) -> bool:
    return ctx.protocol_version is not None and is_version_at_least(ctx.protocol_version, MODERN)
