"""Attempt: ask → parse → execute, with fast retries inside.

E1 and E2 go straight back to the model with the error and the failing code, at most `loop.fixes` times; a retry is
never an iteration. Where a studio offers it, the model may ask to look closer first, at most `loop.looks` times. E0 is
the machinery's own: the same draft is run once more, and a second failure counts as E1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, TypeAdapter

from redraft.errors import ExecutionError, FormatError, InfrastructureError
from redraft.events import Attempted
from redraft.result import Failure
from redraft.stages.desk import Desk
from redraft.studios.base import Facts, Inspectable, Kind
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
    where, failures, broken, looks = path, list[Failure](), "", 0
    while True:
        try:
            spec = desk.studio.parse(kind, text, facts.current)
            if (wanted := _wanted(desk, spec)) and looks < desk.loop.looks:
                looks += 1
                where, facts = f"{path}/look-{looks}", replace(facts, looks=(*facts.looks, *wanted))
                text = await desk.converse(kind, facts, where)
                continue
            artifact = await _execute(desk, spec, facts.current, where)
        except (FormatError, ExecutionError) as error:
            failures.append(_failure(desk, error))
        else:
            if failures:
                desk.remember(failures[-1], broken, text, path)
            done = Attempt(
                path, kind, artifact, desk.studio.approach(spec), None, len(failures), _lines(failures), number
            )
            break
        if len(failures) > desk.loop.fixes:
            done = Attempt[ArtifactT](path, kind, None, "", failures[-1], len(failures) - 1, _lines(failures), number)
            break
        where = f"{path}/fix-{len(failures)}"
        fix = replace(facts, of=kind, reply=text, failure=failures[-1], examples=desk.examples(failures[-1], where))
        broken, text = text, await desk.converse("fix", fix, where)
    _note(desk, done, index)
    return done


def _wanted(desk: Desk[Any], spec: Any) -> tuple[str, ...]:
    return desk.studio.wanted(spec) if isinstance(desk.studio, Inspectable) else ()


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


def _failure(desk: Desk[Any], error: FormatError | ExecutionError) -> Failure:
    message = str(error)
    return Failure(failure_class=error.failure_class, message=message, key=desk.memory.normalize_error(message))


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
