"""Recall: known fixes of an error, tried before a model is asked: from the fix memory, and from the interpreter.

A known fix that fits the broken lines is executed at once and costs no model call; each kind of error gets one such try
in an attempt. What only resembles becomes an example in the prompt. A memory that cannot be used is one warning, and
the run continues without it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

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
EXAMPLES = 3
"""Past fixes in one prompt."""


class Recall(BaseModel):
    """The memory's answer to one error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fixes: int = 0
    examples: str = ""
    replay: Replay | None = None
    off: str = ""
    """The reason it cannot be asked; empty when it could."""


class _Stored(BaseModel):
    fix: str = ""
    off: str = ""


_recall: TypeAdapter[Recall] = TypeAdapter(Recall)
_stored: TypeAdapter[_Stored] = TypeAdapter(_Stored)


@dataclass
class Lessons:
    """The programs that failed in one attempt, in order, and for which kinds of error a known fix was tried."""

    failed: list[tuple[Failure, str]] = field(default_factory=list[tuple[Failure, str]])
    tried: list[str] = field(default_factory=list[str])
    asked: int = 0
    """Number of look-ups."""
    replayed: set[int] = field(default_factory=set[int])
    """Indices in `failed` of programs that were fixed without a model, which gives no lesson."""
    patches: int = 0
    """Number of tries of the interpreter's own fixes."""

    def add(self, failure: Failure, code: str) -> None:
        """A program that failed, once, however often the memory is asked about it."""
        if self.failed[-1:] != [(failure, code)]:
            self.failed.append((failure, code))

    def learnt(self, final: str) -> list[tuple[Failure, str, str]]:
        """Error, program before and program after, of each step that made its error vanish."""
        after = [*self.failed, (None, final)][1:]
        return [
            (failure, code, then)
            for place, ((failure, code), (next_failure, then)) in enumerate(zip(self.failed, after, strict=True))
            if place not in self.replayed and (next_failure is None or next_failure.key != failure.key)
        ]


async def recall(run: Run[Any], failure: Failure, code: str, lessons: Lessons, path: str) -> Recall:
    """Look an error up; nothing is found without a memory."""
    lessons.add(failure, code)
    if run.memory is None or not failure.key:
        return Recall()
    lessons.asked += 1
    path = f"{path}/{RECALL}-{lessons.asked}"
    inputs: JsonValue = {"error": failure.message, "code": code, "tried": [*lessons.tried]}
    work = partial(_asked, run.memory, failure.message, code, tuple(lessons.tried))
    found = await run.journal.once(path, inputs, lambda: _quietly(run, work, Recall), _recall)
    _off(run, found.off, path)
    return found


def note(
    run: Run[Any], failure: Failure, found: Recall, lessons: Lessons, path: str, *, worked: bool | None = None
) -> None:
    """Record the outcome of a look-up."""
    if not found.fixes:
        return
    replayed = "" if found.replay is None else found.replay.fix.id
    examples = found.examples.count("\nExample ")
    run.journal.note(
        Recalled(
            key=f"{path}/{RECALL}-{lessons.asked}",
            at=run.journal.now,
            error=failure.key if found.replay is None else found.replay.fix.key,
            fixes=found.fixes,
            examples=0 if worked else examples,
            replayed=replayed,
            worked=worked,
        )
    )


async def count_replay(run: Run[Any], fix: Fix, path: str, *, worked: bool) -> None:
    """Count a replay: what fails is demoted."""

    def count() -> _Stored:
        if run.memory is not None:
            (run.memory.confirm if worked else run.memory.reject)(fix)
        return _Stored(fix=fix.id)

    inputs: JsonValue = {"fix": fix.id, "worked": worked}
    stored = await run.journal.once(f"{path}/{LEARN}", inputs, lambda: _quietly(run, count, _Stored), _stored)
    _off(run, stored.off, path)


async def learn(run: Run[Any], lessons: Lessons, final: str, path: str) -> None:
    """Keep the fix of each error, once the whole program has worked."""
    # One reply may have fixed several kinds of error; each is learned.
    steps = [(step, key) for step in lessons.learnt(final) for key in dict.fromkeys(step[0].keys)]
    for number, ((failure, broken, fixed), key) in enumerate(steps, start=1):
        if run.memory is None:  # from the start, or since a store has failed
            return
        where = f"{path}/{LEARN}-{number}"
        inputs: JsonValue = {"error": failure.message, "key": key, "broken": broken, "fixed": fixed, "by": failure.by}
        work = partial(_kept, run.memory, failure, key, broken, fixed)
        stored = await run.journal.once(where, inputs, lambda work=work: _quietly(run, work, _Stored), _stored)
        _off(run, stored.off, path)
        if stored.fix:
            run.journal.note(Learnt(key=where, at=run.journal.now, error=key, fix=stored.fix))


def _asked(memory: ErrorCache, message: str, code: str, tried: tuple[str, ...]) -> Recall:
    fixes = memory.fixes(message, code)
    if not fixes:
        return Recall()
    examples = memory.get_few_shot_examples(message, EXAMPLES, code)
    return Recall(fixes=len(fixes), examples=examples, replay=memory.replay(message, code, tried))


def _kept(memory: ErrorCache, failure: Failure, key: str, broken: str, fixed: str) -> _Stored:
    fix = memory.store(failure.message, broken, fixed, compiler=failure.by, key=key)
    return _Stored(fix="" if fix is None else fix.id)


async def _quietly(run: Run[Any], work: Callable[[], T], otherwise: Callable[..., T]) -> T:
    """Ask the store in a thread of its own, one at a time; what is wrong with it is a value."""
    try:
        return await to_thread.run_sync(work, limiter=run.memory_lock)
    except MemoryStoreError as error:
        return otherwise(off=str(error))


def _off(run: Run[Any], reason: str, path: str) -> None:
    if not reason or run.memory is None:
        return
    run.memory = None
    run.warn(f"{path}/memory", f"The fix memory cannot be used and is off for this run: {reason}")
    run.note("memory off", reason)


MOST_PATCHES = 48
"""Patches of one attempt: a script for Blender 2.7 has up to 40 errors, and each run shows the next."""
_BLOCK = re.compile(r"\s*")


def patched(code: str, patches: Sequence[CodePatch]) -> str | None:
    """Return a program with what its interpreter knows to help; None when that does not fit, or changes nothing.

    A line that is left out becomes `pass`, so that the lines below keep their numbers and its block is not empty.
    """
    lines = code.split("\n")
    for patch in patches:
        if not 1 <= patch.line <= len(lines) or not patch.before or patch.before not in lines[patch.line - 1]:
            return None
        line = lines[patch.line - 1].replace(patch.before, patch.after, 1)
        if not line.strip():
            indent = _BLOCK.match(lines[patch.line - 1])
            line = f"{indent.group() if indent else ''}pass"
        lines[patch.line - 1] = line
    changed = "\n".join(lines)
    return None if changed == code else changed


def patch_lines(failure: Failure) -> list[str]:
    """Return the changes in words, a line each."""
    return [
        f"line {patch.line} was changed: {patch.before!r:.120} became {patch.after!r:.120}"
        f"{f' ({patch.why})' if patch.why else ''}."
        for patch in failure.patches
    ]
