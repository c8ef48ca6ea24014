"""The model calls of a run on its page, what the fix memory did, and what was found in the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, JsonValue, ValidationError

from redraft.record.events import EffectFinished, EffectStarted, Event
from redraft.record.transcript import Step
from redraft.report.html import Values, clip, money, seconds, settings
from redraft.report.pictures import inside
from redraft.text import plural

TEXT_LIMIT = 20_000
"""Characters of one message on the page; a usual prompt has a third of that."""
REPEATED = 400
"""Characters from which on a message that was shown before is only pointed to."""


def anchors(steps: Sequence[Step]) -> dict[str, str]:
    """The anchor of each call by its path."""
    return {step.path: f"call-{n}" for n, step in enumerate(steps, start=1)}


def call_views(steps: Sequence[Step], events: Sequence[Event], folder: Path) -> list[Values]:
    """All model calls in the order of their paths: the prompt and the reply, whole or clipped, and the cost."""
    asked: dict[str, EffectStarted] = {}
    took: dict[str, float] = {}
    for event in events:
        if isinstance(event, EffectStarted):
            asked[event.key] = event
        elif isinstance(event, EffectFinished) and event.key in asked:
            took[event.key] = (event.at - asked[event.key].at).total_seconds()
    shown: dict[str, tuple[str, int]] = {}
    return [
        {
            "number": n,
            "anchor": f"call-{n}",
            "path": step.path,
            "kind": step.kind,
            "messages": [_message(m.role, m.text, (f"call-{n}", n), shown) for m in step.prompt],
            "reply": None if step.response is None else clip(step.response, TEXT_LIMIT),
            # whether the file of each picture that the model saw still exists
            "pictures": [(name, inside(folder, name) is not None) for name in step.pictures],
            "params": settings(step.params),
            "figures": _figures(step, took.get(step.path)),
        }
        for n, step in enumerate(steps, start=1)
    ]


def _message(role: str, text: str, here: tuple[str, int], shown: dict[str, tuple[str, int]]) -> Values:
    """One message; `same_as` is the anchor and number of the call where the very same text was shown."""
    first = shown.setdefault(text, here) if len(text) >= REPEATED else here
    return {"role": role, "text": clip(text, TEXT_LIMIT), "same_as": None if first == here else first}


def _figures(step: Step, took: float | None) -> str:
    if step.response is None:
        return "no reply yet"
    usage = step.usage
    parts = [] if took is None else [seconds(took)]
    if usage.counted:
        parts.append(f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out")
        parts += [money(usage.cost)] if usage.cost != 0 else []
    else:
        parts.append("tokens and cost unknown")
    retries = step.params.get("retries")
    if isinstance(retries, int) and retries > 0:
        parts.append(plural(retries, "transport attempt") + " failed before")
    return " · ".join(parts)


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
    """A model's findings in the reference: the note `discovery`."""

    reuse: tuple[str, ...]
    change: tuple[str, ...]
    bridge: tuple[str, ...]


def found_in(note: JsonValue) -> Found | None:
    """The discovery of a run; None without one, and for any other note."""
    try:
        return Found.model_validate(note)
    except ValidationError:
        return None


def memory_view(data: JsonValue, steps: Mapping[str, str]) -> Values | None:
    """Return the view of the fix memory in this run; None without one, or for notes of another form."""
    try:
        memory = _Memory.model_validate(data)
    except ValidationError:
        return None
    off = memory.off or ("it was switched off." if memory.store in ("", "none") else "")
    if memory.recalled or memory.learnt:
        saved = sum(entry.worked is True for entry in memory.recalled)
        summary = (
            f"It recognized {plural(len(memory.recalled), 'error')}, fixed {saved} without asking a model, "
            f"and learned {plural(len(memory.learnt), 'fix', 'fixes')} for later runs."
        )
    else:
        summary = "" if off else "It found no known error and learned no fix."
    recalled = [
        {"key": e.error, "fixes": e.fixes, **_place(e.path, steps), **_outcome(e)}  # one error that it was asked about
        for e in memory.recalled
    ]
    learnt = [{"key": e.error, **_place(e.path, steps)} for e in memory.learnt]
    return {"store": memory.store, "off": off, "summary": summary, "recalled": recalled, "learnt": learnt}


def _outcome(entry: _Recalled) -> Values:
    """A sentence, and its tone: `good` where a model call was saved, `bad` where a fix was tried in vain."""
    shown = f"{plural(entry.examples, 'past fix', 'past fixes')} shown to the model." if entry.examples else ""
    if not entry.replayed:
        return {"outcome": shown or "None of them applied; the model was asked without them.", "tone": ""}
    tried, tone = {
        True: ("A known fix was tried and worked. No model was asked.", "good"),
        False: ("A known fix was tried and did not work.", "bad"),
        None: ("A known fix was tried; the run ended before the outcome was known.", ""),
    }[entry.worked]
    return {"outcome": tried if entry.worked else f"{tried} {shown}".strip(), "tone": tone}


def _place(path: str, steps: Mapping[str, str]) -> Values:
    """`iteration-1/draft` of `iteration-1/draft/recall`, and the anchor of the call whose reply failed: a replay asked
    no model, so the call above it."""
    place = above = path.rpartition("/")[0]
    while above and above not in steps:
        above = above.rpartition("/")[0]
    return {"place": place, "step": steps.get(above, "")}
