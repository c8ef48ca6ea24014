"""Attempt: ask → parse → execute, with fast retries inside.

E1 and E2 go straight back to the model with the error and the failing code, at most `loop.fixes` times in a turn; a
retry is never an iteration. Where drafts are programs, the fix memory is asked before the model, and then the
interpreter itself, where it knows what would help. Where a studio offers it, the model may ask to look closer first, at
most `loop.looks` times. E0 is infrastructure: the same draft is run once more, and a second failure ends the run,
which can be resumed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, TypeAdapter

from redraft.errors import ExecutionError, FormatError, InfrastructureError
from redraft.fixes.base import Diagnostic, Replay
from redraft.loop.recall import MOST_PATCHES, Lessons, count_replay, learn, note, patch_lines, patched, recall
from redraft.loop.run import Run
from redraft.record.events import Attempted, Place
from redraft.record.transcript import EXECUTION
from redraft.result import CodePatch, Failure, gist
from redraft.studios.kinds import ProgramStudio, code_of
from redraft.studios.requests import Kind, StudioRequest, fix_of

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)


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
class Attempt(Generic[ArtifactT]):
    """The outcome of one attempt. `artifact` is None when it failed to the end; `failure` has the reason."""

    place: Place
    kind: Kind
    artifact: ArtifactT | None
    approach: str = ""
    failure: Failure | None = None
    retry_count: int = 0
    errors: tuple[str, ...] = ()
    patched: tuple[str, ...] = ()
    """Fixes in its replies without a model, a line each."""


async def attempt(
    run: Run[ArtifactT],
    request: StudioRequest[ArtifactT],
    place: Place,
    retries: Retries,
    *,
    index: int = 0,
) -> Attempt[ArtifactT]:
    """Draft, edit or repair once. A failed attempt is a value: it cancels no sibling and ends no run.

    Raises:
        InfrastructureError: E0, twice.
    """
    if run.studio.looks == "attempt":
        request = replace(request, looks_left=run.loop.looks)
    text, where, approach = await run.converse(run.studio.compose(request), str(place)), place, ""
    asked, known, looks, lessons, changed = retries.count, len(retries.errors), 0, Lessons(), list[str]()
    earlier: Any = None
    while True:
        may_look = looks < run.loop.looks
        tried = await try_reply(run, text, request.kind, request.current, where, lessons, earlier, may_look=may_look)
        earlier = tried.spec or earlier
        if tried.wanted:
            looks += 1
            where, left = place.at(f"look-{looks}"), max(0, request.looks_left - 1)
            request = replace(request, looks=(*request.looks, *tried.wanted), looks_left=left)
            text = await run.converse(run.studio.compose(request), str(where))
            continue
        approach = tried.approach or approach
        changed += tried.changed
        if tried.failure is None:
            await learn(run, lessons, code_of(run.studio, tried.spec), str(place))
            break
        if not retries.take(tried.failure):
            break
        where = place.at(f"fix-{retries.count - asked}")
        fix = fix_of(
            request,
            tried.reply,
            tried.failure,
            examples=tried.examples,
            changed=tried.changed,
        )
        refused, text = text, await run.converse(run.studio.compose(fix), str(where))
        if run.model.info.rules and text == refused:
            break  # the same reply would fail in the same way
    done = Attempt(
        place,
        request.kind,
        tried.artifact,
        approach,
        tried.failure,
        retries.count - asked,
        tuple(retries.errors[known:]),
        (*changed,),
    )
    note_attempt(run, done, index)
    return done


@dataclass(frozen=True)
class Tried(Generic[ArtifactT]):
    """The outcome of one reply after known fixes: an artifact, a failure, or a request to look closer."""

    spec: Any = None
    """The draft as it was last executed."""
    artifact: ArtifactT | None = None
    failure: Failure | None = None
    wanted: tuple[str, ...] = ()
    approach: str = ""
    reply: str = ""
    """The draft that failed, with the known fixes applied."""
    examples: str = ""
    changed: tuple[str, ...] = ()
    """The changes of those fixes, in lines."""


async def try_reply(
    run: Run[ArtifactT],
    text: str,
    kind: Kind,
    current: ArtifactT | None,
    where: Place,
    lessons: Lessons,
    earlier: Any = None,
    *,
    may_look: bool = False,
) -> Tried[ArtifactT]:
    """Read a reply and execute it, with known fixes where it fails; `earlier` is the draft that it fixes, if any.

    Raises:
        InfrastructureError: E0, twice.
    """
    strict = run.heuristics == "strict"
    try:
        spec = _with_statements(run.studio.parse(kind, text, current, strict=strict), earlier)
        if may_look and (wanted := run.studio.wanted(spec)):
            return Tried(wanted=wanted)
        tried = await _execute(run, spec, current, where, lessons)
    except FormatError as error:
        return Tried(failure=_failure(error), reply=text)
    if tried.spec is not spec and isinstance(run.studio, ProgramStudio):
        text = run.studio.as_reply(tried.spec)
    return replace(tried, approach=run.studio.approach(spec), reply=text)


def _with_statements(spec: Any, earlier: Any) -> Any:
    """A fixed draft with what the failed one said beside its program, where it does not say that again itself."""
    names = [name for name in ("requirements", "mismatches", "changes") if hasattr(spec, name)]
    kept = {name: said for name in names if not getattr(spec, name) and (said := getattr(earlier, name, ()))}
    return spec.model_copy(update=kept) if kept else spec


async def _execute(
    run: Run[ArtifactT], spec: Any, base: ArtifactT | None, place: Place, lessons: Lessons
) -> Tried[ArtifactT]:
    """Execute a draft. If it fails, try a known fix that fits, once for each error, and then the interpreter's own
    fixes, before any model is asked."""
    studio, path = run.studio, str(place)
    outcome = await _outcome(run, spec, base, place)
    changed: list[str] = []
    while isinstance(outcome, Failure):
        if not isinstance(studio, ProgramStudio):
            return Tried(spec, failure=outcome)
        known = await recall(run, outcome, studio.code(spec), lessons, path)
        if known.replay is None:
            better = await _patched(run, studio, spec, outcome, base, place, lessons)
            if better is None:
                note(run, outcome, known, lessons, path)
                return Tried(spec, failure=outcome, examples=known.examples, changed=(*changed,))
            changed += patch_lines(outcome)
            lessons.replayed.add(len(lessons.failed) - 1)
            spec, outcome = better
            continue
        fix, again = known.replay.fix, place.at(f"replay-{lessons.asked}")
        lessons.tried.append(fix.key)
        fixed = _with_code(studio, spec, known.replay.code)
        then = outcome if fixed is None else await _outcome(run, fixed, base, again)
        worked = _got_further(outcome, then, fix.key)
        await count_replay(run, fix, str(again), worked=worked)
        note(run, outcome, known, lessons, path, worked=worked)
        if worked:
            lessons.replayed.add(len(lessons.failed) - 1)
            changed.append(_replay_line(studio.code(spec), known.replay))
            spec, outcome = fixed, then
    return Tried(spec, outcome, changed=(*changed,))


async def _patched(
    run: Run[ArtifactT],
    studio: ProgramStudio[Any, ArtifactT],
    spec: Any,
    failure: Failure,
    base: ArtifactT | None,
    place: Place,
    lessons: Lessons,
) -> tuple[Any, ArtifactT | Failure] | None:
    """The draft after the interpreter's own fixes, with its outcome; None when they do not help."""
    code = patched(studio.code(spec), failure.patches)
    again = None if code is None or lessons.patches >= MOST_PATCHES else _with_code(studio, spec, code)
    if again is None:
        return None
    lessons.patches += 1
    then = await _outcome(run, again, base, place.at(f"patch-{lessons.patches}"))
    return (again, then) if _got_further(failure, then, failure.key) else None


def _got_further(before: Failure, then: object, key: str) -> bool:
    """Whether a change helped: the error is there less often, or, of an interpreter that stops at the first one, the
    first one comes later."""
    if not isinstance(then, Failure) or then.keys.count(key) < before.keys.count(key):
        return True
    return before.line is not None and then.line is not None and then.line > before.line


def _replay_line(code: str, replay: Replay) -> str:
    """Return the change that a known fix made to this program, in words."""
    from redraft.fixes.hunks import change_of

    line, before, after = change_of(code, replay.code)
    before, after = (" ".join(text.split()) for text in (before, after))
    return f"line {line} was changed as in an earlier run ({replay.fix.key}): {before!r:.120} became {after!r:.120}."


def _with_code(studio: ProgramStudio[Any, Any], spec: Any, code: str) -> Any:
    try:
        return studio.with_code(spec, code)
    except FormatError:  # what came out of the memory is untrusted, and may be no program at all
        return None


async def _outcome(run: Run[ArtifactT], spec: Any, base: ArtifactT | None, place: Place) -> ArtifactT | Failure:
    """The artifact that a draft makes, or its failure."""
    try:
        return await execute(run, spec, base, place)
    except ExecutionError as error:
        return _failure(error, code_of(run.studio, spec))


async def execute(run: Run[ArtifactT], spec: Any, base: ArtifactT | None, place: Place) -> ArtifactT:
    """Run a draft; once more where the machinery failed, and on resume again.

    Raises:
        ExecutionError: it does not run. InfrastructureError: the machinery failed twice in this process.
    """
    result = TypeAdapter(run.studio.artifact_model)
    inputs = {
        "draft": spec.model_dump(mode="json"),
        "base": None if base is None else base.model_dump(mode="json"),
    }
    if isinstance(run.studio, ProgramStudio):
        run.programs[place.turn, place.candidate or 0] = run.studio.code(spec)
    failed = False
    for again in count():
        key = str(place.at(EXECUTION + ("" if not again else "-again" if again == 1 else f"-again-{again}")))
        live = not run.journal.knows(key)
        try:
            return await run.journal.once(key, inputs, lambda: run.studio.execute(spec, base, run.resources), result)
        except InfrastructureError as error:
            if live and failed:
                raise InfrastructureError(
                    f"The draft could not be run; it failed twice, the second time on a fresh start: {error}"
                ) from error
            failed = live
    raise AssertionError("count() has no end")


def _failure(error: FormatError | ExecutionError, code: str = "") -> Failure:
    message = str(error)
    found: list[Diagnostic] = []
    if isinstance(error, ExecutionError) and code:
        from redraft.fixes.normalize import diagnostics

        found = diagnostics(message, code)
    return Failure(
        failure_class=error.failure_class,
        message=message,
        keys=tuple(each.key for each in found),
        line=found[0].line if found else None,
        by=error.by,
        patches=tuple(CodePatch.model_validate(patch) for patch in error.patches),
        subjects=error.subjects,
    )


def note_attempt(run: Run[Any], done: Attempt[Any], index: int) -> None:
    """Record one attempt."""
    run.journal.note(
        Attempted(
            key=str(done.place),
            at=run.journal.now,
            kind=done.kind,
            index=index,
            ran=done.artifact is not None,
            retry_count=done.retry_count,
            errors=done.errors,
            approach=done.approach,
            summary="" if done.artifact is None else run.studio.summary(done.artifact),
            patched=done.patched,
        )
    )
