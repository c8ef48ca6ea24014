"""What the page says of each model call: the prompt and the reply, whole or clipped with a note, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from redraft.events import EffectFinished, EffectStarted, Event
from redraft.report.pictures import inside
from redraft.report.words import Clipped, clip, cost, plural, seconds, settings
from redraft.transcript import Step

__all__ = ["MessageView", "StepView", "anchors", "step_views"]

TEXT_LIMIT = 20_000
"""Characters of one message on the page; a usual prompt has a third of that."""
REPEATED = 400
"""Characters from which on a message that was shown before is only pointed to."""


@dataclass(frozen=True)
class MessageView:
    """One message. `same_as` is the anchor and number of the call where the very same text was shown."""

    role: str
    text: Clipped
    same_as: tuple[str, int] | None = None


@dataclass(frozen=True)
class StepView:
    """One model call."""

    number: int
    anchor: str
    path: str
    kind: str
    messages: tuple[MessageView, ...]
    reply: Clipped | None
    pictures: tuple[tuple[str, bool], ...]
    """Names of the pictures that the model saw, and whether the file is still there."""
    params: tuple[tuple[str, str], ...]
    figures: str
    """Duration, tokens, cost, retries: the line beside the name."""


def anchors(steps: Sequence[Step]) -> dict[str, str]:
    """The anchor of each call by its path."""
    return {step.path: f"call-{n}" for n, step in enumerate(steps, start=1)}


def step_views(steps: Sequence[Step], events: Sequence[Event], folder: Path) -> tuple[StepView, ...]:
    """All calls in the order of their paths."""
    took = _durations(events)
    shown: dict[str, tuple[str, int]] = {}
    return tuple(_step(step, n, took.get(step.path), shown, folder) for n, step in enumerate(steps, start=1))


def _step(step: Step, number: int, took: float | None, shown: dict[str, tuple[str, int]], folder: Path) -> StepView:
    anchor = f"call-{number}"
    return StepView(
        number=number,
        anchor=anchor,
        path=step.path,
        kind=step.kind,
        messages=tuple(_message(m.role, m.text, (anchor, number), shown) for m in step.prompt),
        reply=None if step.response is None else clip(step.response, TEXT_LIMIT),
        pictures=tuple((name, inside(folder, name) is not None) for name in step.pictures),
        params=tuple(settings(step.params)),
        figures=_figures(step, took),
    )


def _message(role: str, text: str, here: tuple[str, int], shown: dict[str, tuple[str, int]]) -> MessageView:
    if len(text) >= REPEATED:
        first = shown.setdefault(text, here)
        if first != here:
            return MessageView(role, Clipped(""), first)
    return MessageView(role, clip(text, TEXT_LIMIT))


def _figures(step: Step, took: float | None) -> str:
    if step.response is None:
        return "no reply yet"
    usage = step.usage
    parts = [] if took is None else [seconds(took)]
    parts.append(f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out")
    if usage.cost != 0:
        parts.append(cost(usage))
    retries = step.params.get("retries")
    if isinstance(retries, int) and retries > 0:
        parts.append(plural(retries, "transport attempt") + " failed before")
    return " · ".join(parts)


def _durations(events: Sequence[Event]) -> Mapping[str, float]:
    """Seconds from the last asking to the reply, by path."""
    asked: dict[str, EffectStarted] = {}
    took: dict[str, float] = {}
    for event in events:
        if isinstance(event, EffectStarted):
            asked[event.key] = event
        elif isinstance(event, EffectFinished) and event.key in asked:
            took[event.key] = (event.at - asked[event.key].at).total_seconds()
    return took
