"""Attempt: ask → parse → execute, with fast retries inside.

E1 and E2 go straight back to the model with the error and the failing code, at most `loop.fixes` times; a retry is
never an iteration. Before the model the fix memory is asked, where drafts are programs. Where a studio offers it, the
model may ask to look closer first, at most `loop.looks` times. E0 is the machinery's own: the same draft is run once
more, and a second failure counts as E1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel, TypeAdapter

from redraft.errors import ExecutionError, FormatError, InfrastructureError
from redraft.events import Attempted
from redraft.memory.fix import Fix
from redraft.result import Failure
from redraft.stages.desk import Desk
from redraft.stages.recall import Lessons, learn, note, recall, tell
from redraft.studios.base import Dialect, Facts, Inspectable, Kind
from redraft.transcript import EXECUTION

__all__ = ["Attempt", "attempt"]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)


@dataclass(frozen=True)
class Attempt(Generic[ArtifactT]):
    """What came of one attempt. `artifact` is None when it failed to the end; `failure` says why."""

    path: str
    kind: Kind
    artifact: ArtifactT | None
    approach: str = ""
    failure: Failure | None = None
    retry_count: int = 0
    errors: tuple[str, ...] = ()
    number: int | None = None
    """Which of several drafts it is; None when it is the only one."""


async def attempt(
    desk: Desk[ArtifactT],
    kind: Kind,
    facts: Facts[ArtifactT],
    path: str,
    *,
    number: int | None = None,
    index: int = 0,
) -> Attempt[ArtifactT]:
    """Draft, edit or repair once. A failed attempt is a value: it cancels no sibling and ends no run."""
    text = await desk.converse(kind, facts, path)
    where, failures, looks, lessons, approach = path, list[Failure](), 0, Lessons(), ""
    while True:
        examples, moved = "", facts.moved
        try:
            spec = desk.studio.parse(kind, text, facts.current)
            if (wanted := _wanted(desk, spec)) and looks < desk.loop.looks:
                looks += 1
                where, facts = f"{path}/look-{looks}", replace(facts, looks=(*facts.looks, *wanted))
                text = await desk.converse(kind, facts, where)
                continue
            approach = desk.studio.approach(spec)
            tried = await _run(desk, spec, facts.current, where, lessons)
        except FormatError as error:
            failures.append(_failure(desk, error))
        else:
            if tried.artifact is not None:
                await learn(desk, lessons, _code(desk, tried.spec), path)
                errors = _lines(failures)
                done = Attempt(path, kind, tried.artifact, approach, None, len(failures), errors, number)
                break
            assert tried.failure is not None, "what did not run has failed"
            failures.append(tried.failure)
            examples, moved = tried.examples, "\n".join(filter(None, (moved, tried.changed)))
            text = text if tried.spec is spec else cast("Dialect", desk.studio).as_reply(tried.spec)
        if len(failures) > desk.loop.fixes:
            errors = _lines(failures)
            done = Attempt[ArtifactT](path, kind, None, approach, failures[-1], len(failures) - 1, errors, number)
            break
        where = f"{path}/fix-{len(failures)}"
        fix = replace(facts, of=kind, reply=text, failure=failures[-1], examples=examples, moved=moved)
        text = await desk.converse("fix", fix, where)
    _note(desk, done, index)
    return done


@dataclass(frozen=True)
class _Tried(Generic[ArtifactT]):
    """What came of executing a draft, known fixes and all."""

    spec: Any
    """The draft as it was last tried."""
    artifact: ArtifactT | None = None
    failure: Failure | None = None
    examples: str = ""
    changed: str = ""
    """What known fixes changed in it, when it failed all the same."""


async def _run(
    desk: Desk[ArtifactT], spec: Any, base: ArtifactT | None, path: str, lessons: Lessons
) -> _Tried[ArtifactT]:
    """Execute a draft; where it fails, a known fix that fits is tried before anybody is asked, once for each error."""
    failure = await _outcome(desk, spec, base, path)
    changed: list[str] = []
    while isinstance(failure, Failure):
        if not isinstance(desk.studio, Dialect):
            return _Tried(spec, failure=failure)
        code = desk.studio.code(spec)
        known = await recall(desk, failure, code, lessons, path)
        if known.replay is None:
            note(desk, failure, known, lessons, path)
            return _Tried(spec, failure=failure, examples=known.examples, changed="\n".join(changed))
        fix, again = known.replay.fix, f"{path}/replay-{lessons.asked}"
        lessons.tried.append(fix.key)
        mended = _with_code(desk.studio, spec, known.replay.code)
        outcome = failure if mended is None else await _outcome(desk, mended, base, again)
        worked = not isinstance(outcome, Failure) or outcome.keys.count(fix.key) < failure.keys.count(fix.key)
        await tell(desk, fix, again, worked=worked)
        note(desk, failure, known, lessons, path, worked=worked)
        if worked:
            lessons.replayed.add(len(lessons.failed) - 1)
            changed.append(_told(fix))
            spec, failure = mended, outcome
    return _Tried(spec, failure)


def _told(fix: Fix) -> str:
    before, after = (" ".join(text.split()) for text in (fix.broken_snippet, fix.fixed_snippet))
    return (
        f"- In your reply a fix of an earlier run was made already ({fix.key}): {before!r:.120} became {after!r:.120}."
    )


def _with_code(studio: Dialect, spec: Any, code: str) -> Any:
    try:
        return studio.with_code(spec, code)
    except FormatError:  # what came out of the memory is untrusted, and may be no program at all
        return None


def _code(desk: Desk[Any], spec: Any) -> str:
    return desk.studio.code(spec) if isinstance(desk.studio, Dialect) else ""


def _wanted(desk: Desk[Any], spec: Any) -> tuple[str, ...]:
    return desk.studio.wanted(spec) if isinstance(desk.studio, Inspectable) else ()


async def _outcome(desk: Desk[ArtifactT], spec: Any, base: ArtifactT | None, path: str) -> ArtifactT | Failure:
    """What executing a draft made, or why it made nothing."""
    try:
        return await _execute(desk, spec, base, path)
    except ExecutionError as error:
        return _failure(desk, error, _code(desk, spec))


async def _execute(desk: Desk[ArtifactT], spec: Any, base: ArtifactT | None, path: str) -> ArtifactT:
    result = TypeAdapter(desk.studio.artifact_model)
    inputs = {
        "draft": spec.model_dump(mode="json"),
        "base": None if base is None else base.model_dump(mode="json"),
    }
    try:
        return await desk.journal.once(
            f"{path}/{EXECUTION}", inputs, lambda: desk.studio.execute(spec, base, desk.bench), result
        )
    except InfrastructureError as first:
        try:
            return await desk.journal.once(
                f"{path}/{EXECUTION}-again", inputs, lambda: desk.studio.execute(spec, base, desk.bench), result
            )
        except InfrastructureError as second:
            raise ExecutionError(f"It failed twice, the second time on a fresh start: {second}") from first


def _failure(desk: Desk[Any], error: FormatError | ExecutionError, code: str = "") -> Failure:
    message = str(error)
    keys = tuple(desk.memory.keys(message, code)) if isinstance(error, ExecutionError) and code else ()
    return Failure(failure_class=error.failure_class, message=message, keys=keys, by=error.by)


def _lines(failures: list[Failure]) -> tuple[str, ...]:
    return tuple(f"{f.failure_class}: {f.message.splitlines()[0] if f.message else 'no message'}" for f in failures)


def _note(desk: Desk[Any], done: Attempt[Any], index: int) -> None:
    desk.journal.note(
        Attempted(
            key=done.path,
            at=desk.journal.now,
            kind=done.kind,
            index=index,
            ran=done.artifact is not None,
            retry_count=done.retry_count,
            errors=done.errors,
            approach=done.approach,
            summary="" if done.artifact is None else desk.studio.summary(done.artifact),
        )
    )
