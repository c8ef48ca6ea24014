"""What the page says of the fix memory and of the reference: notes of the record that are tables and lists here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel, JsonValue, ValidationError

from redraft.report.words import plural

__all__ = ["Found", "MemoryView", "RecallView", "found_in", "memory_view"]


_NONE = ("", "none")


class _Recalled(BaseModel):
    path: str
    error: str
    fixes: int
    examples: int
    replayed: str = ""
    worked: bool | None = None


class _Learnt(BaseModel):
    path: str
    error: str


class _Memory(BaseModel):
    """`Transcript.memory`; what else is noted there stays in the transcript."""

    store: str = ""
    recalled: tuple[_Recalled, ...] = ()
    learnt: tuple[_Learnt, ...] = ()
    off: str | None = None


class Found(BaseModel):
    """What a model found in the reference: the note `discovery`."""

    reuse: tuple[str, ...]
    change: tuple[str, ...]
    bridge: tuple[str, ...]


@dataclass(frozen=True)
class RecallView:
    """One error that the memory was asked about."""

    key: str
    place: str
    step: str
    """Anchor of the reply that failed; empty when it is not on the page."""
    fixes: int
    outcome: str
    tone: str
    """`good` where it saved a model call, `bad` where it tried and failed, or nothing."""


@dataclass(frozen=True)
class MemoryView:
    """What the memory did in this run."""

    store: str
    off: str
    summary: str
    recalled: tuple[RecallView, ...]
    learnt: tuple[RecallView, ...]


def memory_view(data: JsonValue, steps: Mapping[str, str]) -> MemoryView | None:
    """The table; None for a run without a memory, and for notes that are none of redraft's."""
    try:
        memory = _Memory.model_validate(data)
    except ValidationError:
        return None
    return MemoryView(
        store=memory.store,
        off=memory.off or ("it was switched off." if memory.store in _NONE else ""),
        summary=_summary(memory),
        recalled=tuple(_recalled(entry, steps) for entry in memory.recalled),
        learnt=tuple(
            RecallView(e.error, _place(e.path), steps.get(_place(e.path), ""), 0, "", "good") for e in memory.learnt
        ),
    )


def _recalled(entry: _Recalled, steps: Mapping[str, str]) -> RecallView:
    outcome, tone = _outcome(entry)
    place = _place(entry.path)
    return RecallView(entry.error, place, _nearest(place, steps), entry.fixes, outcome, tone)


def _outcome(entry: _Recalled) -> tuple[str, str]:
    shown = f"{plural(entry.examples, 'past fix', 'es')} shown to the model." if entry.examples else ""
    if not entry.replayed:
        return (shown or "None of them fitted; the model was asked without.", "")
    match entry.worked:
        case True:
            return "A known fix was tried and worked. No model was asked.", "good"
        case False:
            return f"A known fix was tried and did not work. {shown}".strip(), "bad"
        case None:
            return f"A known fix was tried; the run ended before it was known whether it worked. {shown}".strip(), ""


def _place(path: str) -> str:
    """Where in the run: `iteration-1/draft` of `iteration-1/draft/recall`."""
    return path.rpartition("/")[0]


def _nearest(place: str, steps: Mapping[str, str]) -> str:
    """The anchor of the call whose reply failed: a replay asked nobody, so the call above it."""
    while place and place not in steps:
        place = place.rpartition("/")[0]
    return steps.get(place, "")


def _summary(memory: _Memory) -> str:
    if memory.recalled or memory.learnt:
        saved = sum(entry.worked is True for entry in memory.recalled)
        return (
            f"It knew {plural(len(memory.recalled), 'error')}, mended {saved} without asking a model, "
            f"and learnt {plural(len(memory.learnt), 'fix', 'es')} for later runs."
        )
    off = memory.off or memory.store in _NONE
    return "" if off else "No error came up that it knew, and it learnt of none."


def found_in(note: JsonValue) -> Found | None:
    """The discovery of a run; None without one, and for a note that is none."""
    try:
        return Found.model_validate(note)
    except ValidationError:
        return None
