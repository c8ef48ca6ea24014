"""Attempt: ask → parse → execute, with fast retries inside.

A draft that cannot be read (E2) or does not run (E1) goes straight back to the model with the error and the code, at
most `loop.fixes` times in a turn; such a retry is not a turn. Where drafts are programs, fixes that need no model come
first: those from the fix memory, then those that the interpreter itself suggests. Where a studio allows it, the model
may look closer before it answers, at most `loop.looks` times. After an infrastructure failure (E0) the same draft is
run once more; a second failure ends the run, which can be resumed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from pydantic import BaseModel, TypeAdapter

from redraft.errors import ExecutionError, FormatError, InfrastructureError
from redraft.fixes.base import Diagnostic
from redraft.loop.recall import (
    MAX_PATCHES,
    Lessons,
    count_replay,
    learn,
    note_recall,
    patch_lines,
    patched,
    recall,
    replay_line,
)
from redraft.loop.run import Run
from redraft.record.events import Attempted, Place
from redraft.record.transcript import EXECUTION
from redraft.result import CodePatch, Failure, gist
from redraft.studios.kinds import ProgramStudio, code_of
from redraft.studios.requests import Kind, StudioRequest, fix_of


@dataclass
class Retries:
    """The fast retries of one turn, of its drafts, repairs and critique together."""

    left: int
    count: int = 0
    errors: list[str] = field(default_factory=list[str])
    """Every error of the turn that went back to the model, or for which no retry was left."""

    def take(self, failure: Failure) -> bool:
        """Record an error; return whether the model is asked to fix it."""
        self.errors.append(f"{failure.failure_class}: {gist(failure.message)}")
        if self.left <= 0:
            return False
        self.left -= 1
        self.count += 1
        return True

    def shares(self, count: int) -> list[Retries]:
        """Return the shares of drafts made at once, the first ones larger, so that none depends on which is faster."""
        return [Retries(self.left // count + (index < self.left % count)) for index in range(count)]

    def collect(self, shares: Iterable[Retries]) -> None:
        """Take back what is left of the shares, with their counts and errors in order."""
        for share in shares:
            self.left -= share.count
            self.count += share.count
            self.errors += share.errors


@dataclass(frozen=True)
class Attempt:
    """The outcome of one attempt; where its last reply failed too, `artifact` is None and `failure` the reason."""

    place: Place
    kind: Kind
    artifact: BaseModel | None
    approach: str = ""
    failure: Failure | None = None
    retry_count: int = 0
    errors: tuple[str, ...] = ()
    patched: tuple[str, ...] = ()
    """Fixes in its replies without a model, a line each."""


async def attempt(
    run: Run,
    request: StudioRequest[Any],
    place: Place,
    retries: Retries,
    *,
    index: int = 0,
) -> Attempt:
    """Draft, edit or repair once. A failed attempt is a value: it cancels no sibling and ends no run.

    Raises:
        InfrastructureError: E0, twice.
    """
    if run.studio.looks == "attempt":
        request = replace(request, looks_left=run.loop.looks)
    lessons, looks, approach, changed = Lessons(), 0, "", list[str]()
    retries_before, errors_before = retries.count, len(retries.errors)
    failed_spec: Any = None

    where = place
    text = await run.converse(run.studio.compose(request), str(where))
    while True:
        may_look = looks < run.loop.looks
        tried = await try_reply(
            run, text, request.kind, request.current, where, lessons, failed_spec, may_look=may_look
        )
        failed_spec = tried.spec or failed_spec

        # A request to look closer is answered by the same request with the views, and is not a retry.
        if tried.views:
            looks += 1
            where = place.at(f"look-{looks}")
            looks_left = max(0, request.looks_left - 1)
            request = replace(request, looks=(*request.looks, *tried.views), looks_left=looks_left)
            text = await run.converse(run.studio.compose(request), str(where))
            continue

        approach = tried.approach or approach
        changed += tried.changed
        if tried.failure is None:
            await learn(run, lessons, code_of(run.studio, tried.spec), str(place))
            break

        # The error goes back to the model, as long as the turn has a retry left.
        if not retries.take(tried.failure):
            break
        where = place.at(f"fix-{retries.count - retries_before}")
        fix = fix_of(request, tried.reply, tried.failure, examples=tried.examples, changed=tried.changed)
        refused, text = text, await run.converse(run.studio.compose(fix), str(where))
        if run.model.info.rules and text == refused:
            break  # the same reply would fail in the same way

    outcome = Attempt(
        place,
        request.kind,
        tried.artifact,
        approach,
        tried.failure,
        retries.count - retries_before,
        tuple(retries.errors[errors_before:]),
        (*changed,),
    )
    note_attempt(run, outcome, index)
    return outcome


@dataclass(frozen=True)
class Tried:
    """The outcome of one reply after known fixes: an artifact, a failure, or a request to look closer."""

    spec: Any = None
    """The draft as it was last executed."""
    artifact: BaseModel | None = None
    failure: Failure | None = None
    views: tuple[str, ...] = ()
    """The views that the reply asks for instead of a draft."""
    approach: str = ""
    reply: str = ""
    """The draft that failed, with the known fixes applied."""
    examples: str = ""
    """Past fixes of similar errors, for the prompt."""
    changed: tuple[str, ...] = ()
    """The changes that those fixes made, a line each."""


async def try_reply(
    run: Run,
    text: str,
    kind: Kind,
    current: BaseModel | None,
    where: Place,
    lessons: Lessons,
    failed_spec: Any = None,
    *,
    may_look: bool = False,
) -> Tried:
    """Read a reply and execute it, with known fixes where it fails.

    Args:
        run: the run.
        text: the reply.
        kind: what was asked for; an edit or a repair changes `current`.
        current: the artifact that is changed, if any.
        where: the place of the reply in the record.
        lessons: what failed so far in this attempt.
        failed_spec: the draft that the reply fixes, if it is a fix.
        may_look: the reply may ask for views instead.

    Raises:
        InfrastructureError: E0, twice.
    """
    try:
        spec = run.studio.parse(kind, text, current, strict=run.heuristics == "strict")

        # A fix may leave out what the failed draft said beside its program; that still counts.
        fields = [name for name in ("requirements", "mismatches", "changes") if hasattr(spec, name)]
        kept = {name: getattr(failed_spec, name, ()) for name in fields if not getattr(spec, name)}
        if any(kept.values()):
            spec = spec.model_copy(update={name: value for name, value in kept.items() if value})

        if may_look and (views := run.studio.wanted(spec)):
            return Tried(views=views)
        tried = await _execute_with_fixes(run, spec, current, where, lessons)
    except FormatError as error:
        return Tried(failure=_failure(error), reply=text)
    if tried.spec is not spec and isinstance(run.studio, ProgramStudio):
        text = run.studio.as_reply(tried.spec)
    return replace(tried, approach=run.studio.approach(spec), reply=text)


async def _execute_with_fixes(run: Run, spec: Any, base: BaseModel | None, place: Place, lessons: Lessons) -> Tried:
    """Execute a draft. While it fails, apply fixes that need no model: from the memory, once for each error, and then
    the interpreter's own."""
    studio, path = run.studio, str(place)
    changed: list[str] = []
    outcome = await _outcome(run, spec, base, place)
    while isinstance(outcome, Failure):
        if not isinstance(studio, ProgramStudio):
            return Tried(spec, failure=outcome)
        code = studio.code(spec)
        known = await recall(run, outcome, code, lessons, path)
        fixed, after = None, outcome

        # A fix from the memory; whether it helps here counts for or against it in later runs.
        if known.replay is not None:
            fix, replay = known.replay.fix, place.at(f"replay-{lessons.lookups}")
            lessons.tried.append(fix.key)
            fixed = _with_code(studio, spec, known.replay.code)
            if fixed is not None:
                after = await _outcome(run, fixed, base, replay)
            helped = _got_further(outcome, after, fix.key)
            await count_replay(run, fix, str(replay), worked=helped)
            note_recall(run, outcome, known, lessons, path, worked=helped)
            if not helped:
                continue  # the next look-up leaves this fix out
            changed.append(replay_line(code, known.replay))

        # Without one, the patches that came with the error.
        else:
            new_code = patched(code, outcome.patches) if lessons.patches < MAX_PATCHES else None
            fixed = None if new_code is None else _with_code(studio, spec, new_code)
            if fixed is not None:
                lessons.patches += 1
                after = await _outcome(run, fixed, base, place.at(f"patch-{lessons.patches}"))
            if not _got_further(outcome, after, outcome.key):
                note_recall(run, outcome, known, lessons, path)
                return Tried(spec, failure=outcome, examples=known.examples, changed=(*changed,))
            changed += patch_lines(outcome)

        lessons.replayed.add(len(lessons.failed) - 1)
        spec, outcome = fixed, after
    return Tried(spec, outcome, changed=(*changed,))


def _got_further(before: Failure, after: object, key: str) -> bool:
    """Return whether a change helped: the error occurs less often, or the first error comes later."""
    if not isinstance(after, Failure) or after.keys.count(key) < before.keys.count(key):
        return True
    return before.line is not None and after.line is not None and after.line > before.line


def _with_code(studio: ProgramStudio[Any, Any], spec: Any, code: str) -> Any:
    """Return a draft with another program; None where it is not one: fixes from the memory are untrusted."""
    try:
        return studio.with_code(spec, code)
    except FormatError:
        return None


async def _outcome(run: Run, spec: Any, base: BaseModel | None, place: Place) -> BaseModel | Failure:
    """Return the artifact that a draft makes, or its failure.

    Raises:
        InfrastructureError: the machinery failed twice in this process.
    """
    if isinstance(run.studio, ProgramStudio):
        run.programs[place.turn, place.candidate or 0] = run.studio.code(spec)
    result = TypeAdapter(run.studio.artifact_model)
    inputs = {
        "draft": spec.model_dump(mode="json"),
        "base": None if base is None else base.model_dump(mode="json"),
    }
    failed = False
    for again in count():
        key = str(place.at(EXECUTION + ("" if not again else "-again" if again == 1 else f"-again-{again}")))
        live = not run.journal.knows(key)  # failures that the record has do not count: a resumed run tries anew
        try:
            return await run.journal.once(key, inputs, lambda: run.studio.execute(spec, base, run.resources), result)
        except ExecutionError as error:
            return _failure(error, code_of(run.studio, spec))
        except InfrastructureError as error:
            if live and failed:
                raise InfrastructureError(
                    f"The draft could not be run; it failed twice, the second time on a fresh start: {error}"
                ) from error
            failed = live
    raise AssertionError("count() has no end")


def _failure(error: FormatError | ExecutionError, code: str = "") -> Failure:
    """Return an error as the record keeps it, with the kinds of error in its message where a program ran."""
    diagnosed: list[Diagnostic] = []
    if isinstance(error, ExecutionError) and code:
        from redraft.fixes.normalize import diagnostics

        diagnosed = diagnostics(str(error), code)
    return Failure(
        failure_class=error.failure_class,
        message=str(error),
        keys=tuple(each.key for each in diagnosed),
        line=diagnosed[0].line if diagnosed else None,
        by=error.by,
        patches=tuple(CodePatch.model_validate(patch) for patch in error.patches),
        subjects=error.subjects,
    )


def note_attempt(run: Run, outcome: Attempt, index: int) -> None:
    """Record one attempt."""
    run.journal.note(
        Attempted(
            key=str(outcome.place),
            at=run.journal.now,
            kind=outcome.kind,
            index=index,
            ran=outcome.artifact is not None,
            retry_count=outcome.retry_count,
            errors=outcome.errors,
            approach=outcome.approach,
            summary="" if outcome.artifact is None else run.studio.summary(outcome.artifact),
            patched=outcome.patched,
        )
    )
