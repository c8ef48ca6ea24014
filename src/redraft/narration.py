"""What a run says on the terminal while it goes on: lines for its events."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from redraft.events import (
    Attempted,
    Event,
    Iterated,
    Learnt,
    Noted,
    Recalled,
    TurnStarted,
    Validated,
    Verified,
    Warned,
)
from redraft.memory.history import scored
from redraft.result import Verdict

__all__ = ["narrate", "spoken"]

MEASURED = frozenset({"FLIP", "SSIM", "LPIPS"})
"""Metrics of a target, whose figures are said turn by turn."""


def spoken(verdict: Verdict) -> str:
    """A critic's verdict in a line: `not satisfied (0.4): the tail does not touch the body`."""
    word = {True: "satisfied", False: "not satisfied", None: "no opinion"}[verdict.satisfied]
    score = "" if verdict.score is None else f" ({verdict.score:.1f})"
    return f"{word}{score}: {verdict.summary}" if verdict.summary else f"{word}{score}"


def narrate(event: Event) -> list[str]:
    """The lines of the specification for the terminal; empty for events it says nothing about."""
    lines: list[str] = []
    match event:
        case Attempted():
            lines = _attempt_lines(event)
        case Validated():
            lines = _validation_lines(event)
        case TurnStarted():
            lines = [f"[TURN {event.iteration}] {event.kind}ing: {event.reason}"]
        case Verified(verdict=Verdict(by="critic")):
            said = [f"  {difference}" for difference in event.verdict.differences]
            lines = [f"[CRITIC] {spoken(event.verdict)}", *said]
        case Iterated() if event.record.metric in MEASURED:
            lines = [f"[TURN {event.record.iteration}] {scored(event.record)}"]
        case Recalled():
            lines = _recall_lines(event)
        case Learnt():
            lines = [f"[MEMORY] {event.error}: learnt how it was mended"]
        case Noted(topic="target", data=dict() as data):
            lines = _target_lines(data)
        case Noted(topic="blackbox_scoring", data=dict() as data):
            lines = _choice_lines(data)
        case Warned():
            lines = [f"[WARNING] {event.message}"]
        case _:
            pass
    return lines


def _recall_lines(event: Recalled) -> list[str]:
    if event.replayed:
        outcome = "and it worked: no model was asked" if event.worked else "and it did not mend this one"
        return [f"[MEMORY] {event.error}: tried a known fix, {outcome}"]
    if event.examples:
        return [f"[MEMORY] {event.error}: {event.examples} past fix{'es' if event.examples > 1 else ''} in the prompt"]
    return []


def _target_lines(data: Mapping[str, JsonValue]) -> list[str]:
    notes = data.get("notes")
    size = f"{data.get('width')} × {data.get('height')} pixels"
    said = [str(note) for note in notes] if isinstance(notes, list) else []
    return [" ".join((f"[TARGET] {size}, measured by {data.get('metric')}.", *said))]


def _choice_lines(data: Mapping[str, JsonValue]) -> list[str]:
    """What was chosen, in the specification's words, and its pitch."""
    chosen, cards = data.get("selected_id"), data.get("cards")
    pitch = (
        [c.get("hook") for c in cards if isinstance(c, dict) and c.get("id") == chosen]
        if isinstance(cards, list)
        else []
    )
    mode, score = data.get("selection_mode"), data.get("selected_score")
    many = len(cards) if isinstance(cards, list) else 0
    return [
        f"[IDEAS] Selected candidate: id={chosen}, score={score}, selection_mode={mode} (of {many})",
        *(f"  {hook}" for hook in pitch),
    ]


def _attempt_lines(event: Attempted) -> list[str]:
    mended = [f"[MENDED] {line}" for line in event.mended]
    return [*mended, *_outcome_lines(event)]


def _outcome_lines(event: Attempted) -> list[str]:
    if event.kind == "repair":
        said = f"generated {event.summary}" if event.ran else f"did not run ({event.errors[-1]})"
        return [f"[ITERATION {event.index}] Repair {said}"]
    fixes = f"{event.retry_count} fix{'' if event.retry_count == 1 else 'es'}"
    if event.ran:
        return (
            [f"[{event.kind.upper()}] ran after {fixes}", *(f"  {error}" for error in event.errors)]
            if fixes[0] != "0"
            else []
        )
    return [f"[{event.kind.upper()}] did not run after {fixes}: {event.errors[-1]}"]


def _validation_lines(event: Validated) -> list[str]:
    head = f"[ITERATION {event.index}]"
    if event.candidate is not None:
        head = f"[CANDIDATE {event.candidate}] {head}"
    lines = [f"{head} {event.note}"] if event.note else []
    lines.append(f"{head} Validation score: {event.report.score:.2f}, valid: {event.report.valid}")
    lines += [f"  {issue.line()}" for issue in (*event.report.errors, *event.report.warnings)]
    match event.next:
        case "use":
            lines.append(f"{head} Validation PASSED - using this response")
        case "repair":
            lines.append(f"{head} Validation FAILED - attempting repair (iteration {event.repair}/{event.repairs})")
        case "keep_best":
            lines.append(f"{head} Validation FAILED - using the best candidate")
        case "solver":
            lines.append(f"{head} Validation {_word(event)} - the solver has moves that make it better")
        case "rank":
            pass
    return lines


def _word(event: Validated) -> str:
    return "PASSED" if event.report.valid else "FAILED"
