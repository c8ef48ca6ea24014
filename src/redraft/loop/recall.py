"""Recall: fixes of an error that need no model, from the fix memory and from the interpreter itself.

A remembered fix that fits the broken lines is executed at once and costs no model call; each kind of error gets one
such try in an attempt. Fixes of similar errors become examples in the prompt. A memory that cannot be used is one
warning, and the run continues without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from anyio import to_thread
from pydantic import BaseModel, ConfigDict, JsonValue, TypeAdapter

from redraft.errors import MemoryStoreError
from redraft.fixes.base import Fix, Replay
from redraft.loop.run import Run
from redraft.record.events import Learnt, Recalled
from redraft.record.transcript import LEARN, RECALL
from redraft.result import CodePatch, Failure

if TYPE_CHECKING:
    from redraft.fixes.error_cache import ErrorCache

T = TypeVar("T")
MAX_EXAMPLES = 3
"""Past fixes in one prompt."""
MAX_PATCHES = 48
"""Patches of one attempt: a script for Blender 2.7 has up to 40 errors, and each run shows the next."""


class Recall(BaseModel):
    """The memory's answer to one error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fixes: int = 0
    """Number of fixes of errors like this one."""
    examples: str = ""
    replay: Replay | None = None
    """A fix that fits the program at hand."""
    off: str = ""
    """The reason that the memory cannot be used; empty when it can."""


class _Stored(BaseModel):
    """The memory's answer to a fix that it is to keep or to count."""

    fix: str = ""
    """Its id; empty when it was not kept."""
    off: str = ""


_recall: TypeAdapter[Recall] = TypeAdapter(Recall)
_stored: TypeAdapter[_Stored] = TypeAdapter(_Stored)


@dataclass
class Lessons:
    """The programs that failed in one attempt, in order, and for which kinds of error a known fix was tried."""

    failed: list[tuple[Failure, str]] = field(default_factory=list[tuple[Failure, str]])
    tried: list[str] = field(default_factory=list[str])
    """Kinds of errors whose remembered fix was tried."""
    lookups: int = 0
    replayed: set[int] = field(default_factory=set[int])
    """Indices in `failed` of programs that were fixed without a model, which gives no lesson."""
    patches: int = 0
    """Number of tries of the interpreter's own fixes."""

    def add(self, failure: Failure, code: str) -> None:
        """Note a program that failed; once, if it is looked up again after a replay that did not help."""
        if self.failed[-1:] != [(failure, code)]:
            self.failed.append((failure, code))

    def learnt(self, final: str) -> list[tuple[Failure, str, str]]:
        """Return the error, the program before and the program after of each step that made its error vanish."""
        after = [*self.failed, (None, final)][1:]
        return [
            (failure, broken, fixed)
            for index, ((failure, broken), (next_failure, fixed)) in enumerate(zip(self.failed, after, strict=True))
            if index not in self.replayed and (next_failure is None or next_failure.key != failure.key)
        ]


async def recall(run: Run, failure: Failure, code: str, lessons: Lessons, path: str) -> Recall:
    """Look an error up in the fix memory, if the run has one, and note the program that failed."""
    lessons.add(failure, code)
    if run.memory is None or not failure.key:
        return Recall()
    memory, message, tried = run.memory, failure.message, tuple(lessons.tried)

    def look_up() -> Recall:
        fixes = memory.fixes(message, code)
        if not fixes:
            return Recall()
        examples = memory.get_few_shot_examples(message, MAX_EXAMPLES, code)
        return Recall(fixes=len(fixes), examples=examples, replay=memory.replay(message, code, tried))

    lessons.lookups += 1
    path = f"{path}/{RECALL}-{lessons.lookups}"
    inputs: JsonValue = {"error": message, "code": code, "tried": [*tried]}
    known = await run.journal.once(path, inputs, lambda: _guarded(run, look_up, Recall), _recall)
    _switch_off(run, known.off, path)
    return known


def note_recall(
    run: Run, failure: Failure, known: Recall, lessons: Lessons, path: str, *, worked: bool | None = None
) -> None:
    """Record the outcome of a look-up."""
    if not known.fixes:
        return
    run.journal.note(
        Recalled(
            key=f"{path}/{RECALL}-{lessons.lookups}",
            at=run.journal.now,
            error=failure.key if known.replay is None else known.replay.fix.key,
            fixes=known.fixes,
            examples=0 if worked else known.examples.count("\nExample "),
            replayed="" if known.replay is None else known.replay.fix.id,
            worked=worked,
        )
    )


async def count_replay(run: Run, fix: Fix, path: str, *, worked: bool) -> None:
    """Count for or against a fix that it did or did not help here."""

    def count() -> _Stored:
        if run.memory is not None:
            (run.memory.confirm if worked else run.memory.reject)(fix)
        return _Stored(fix=fix.id)

    inputs: JsonValue = {"fix": fix.id, "worked": worked}
    stored = await run.journal.once(f"{path}/{LEARN}", inputs, lambda: _guarded(run, count, _Stored), _stored)
    _switch_off(run, stored.off, path)


async def learn(run: Run, lessons: Lessons, final: str, path: str) -> None:
    """Keep the fix of each error, once the whole program has worked."""

    def keep(memory: ErrorCache, failure: Failure, key: str, broken: str, fixed: str) -> _Stored:
        fix = memory.store(failure.message, broken, fixed, compiler=failure.by, key=key)
        return _Stored(fix="" if fix is None else fix.id)

    # One reply may have fixed several kinds of error; each is learned.
    steps = [(step, key) for step in lessons.learnt(final) for key in dict.fromkeys(step[0].keys)]
    for number, ((failure, broken, fixed), key) in enumerate(steps, start=1):
        if run.memory is None:  # from the start, or since a store has failed
            return
        where = f"{path}/{LEARN}-{number}"
        inputs: JsonValue = {"error": failure.message, "key": key, "broken": broken, "fixed": fixed, "by": failure.by}
        work = partial(keep, run.memory, failure, key, broken, fixed)
        stored = await run.journal.once(where, inputs, lambda work=work: _guarded(run, work, _Stored), _stored)
        _switch_off(run, stored.off, path)
        if stored.fix:
            run.journal.note(Learnt(key=where, at=run.journal.now, error=key, fix=stored.fix))


async def _guarded(run: Run, work: Callable[[], T], failed: Callable[..., T]) -> T:
    """Use the store in a thread, one call at a time; a failure is a value, which the journal keeps."""
    try:
        return await to_thread.run_sync(work, limiter=run.memory_lock)
    except MemoryStoreError as error:
        return failed(off=str(error))


def _switch_off(run: Run, reason: str, path: str) -> None:
    """Do without the memory for the rest of the run, if there is a reason to."""
    if not reason or run.memory is None:
        return
    run.memory = None
    run.warn(f"{path}/memory", f"The fix memory cannot be used and is off for this run: {reason}")
    run.note("memory off", reason)


def patched(code: str, patches: Sequence[CodePatch]) -> str | None:
    """Return a program with the patches of its interpreter; None when one does not fit, or they change nothing.

    A line that is left out becomes `pass`, so that the lines below keep their numbers and its block is not empty.
    """
    lines = code.split("\n")
    for patch in patches:
        if not 1 <= patch.line <= len(lines) or not patch.before or patch.before not in lines[patch.line - 1]:
            return None
        old = lines[patch.line - 1]
        new = old.replace(patch.before, patch.after, 1)
        lines[patch.line - 1] = new if new.strip() else f"{old[: len(old) - len(old.lstrip())]}pass"
    changed = "\n".join(lines)
    return None if changed == code else changed


def replay_line(code: str, replay: Replay) -> str:
    """Return the change that a remembered fix made to a program, in words."""
    from redraft.fixes.hunks import change_of

    line, before, after = change_of(code, replay.code)
    before, after = (" ".join(text.split()) for text in (before, after))
    return f"line {line} was changed as in an earlier run ({replay.fix.key}): {before!r:.120} became {after!r:.120}."


def patch_lines(failure: Failure) -> list[str]:
    """Return the changes that the patches of a failure made, a line each."""
    return [
        f"line {patch.line} was changed: {patch.before!r:.120} became {patch.after!r:.120}"
        f"{f' ({patch.why})' if patch.why else ''}."
        for patch in failure.patches
    ]
