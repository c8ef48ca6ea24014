"""The requests of the sketch studio: structured inputs, and the templates that put them into words.

Every request is complete in itself. The offline model answers from the same inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from redraft.brief import Brief
from redraft.conversation import Block, ChatStep, Inputs, Prompts
from redraft.studios.base import CritiqueReply, Facts, Kind
from redraft.studios.sketch.memory import anchors_text
from redraft.studios.sketch.spec import Drawing
from redraft.studios.wording import bounded, critique_text, idea_of, numbered

__all__ = ["PROMPTS", "compose"]

PROMPTS = Prompts("redraft.studios.sketch")

Checks = Callable[[Brief], list[str]]
"""What the brief will be held to, in sentences."""


def compose(kind: Kind, facts: Facts[Drawing], checks: Checks) -> Block:
    """One step. An edit of a blank canvas is a draft."""
    if kind == "edit" and (facts.current is None or not facts.current.strokes):
        kind = "draft"
    match kind:
        case "draft":
            step = _step(kind, "draft", _draft(facts, checks))
        case "edit":
            step = _step(kind, "edit", _edit(facts, checks))
        case "repair":
            step = _step(kind, "repair", _repair(facts, checks))
        case "fix":
            step = _fix(facts)
        case "critique":
            step = ChatStep(
                name=kind,
                kind="sketch.critique",
                prompts=PROMPTS,
                template="critique",
                system="system_critic",
                inputs=_critique(facts),
                schema=CritiqueReply,
                pictures=facts.pictures,
            )
    return Block(name=kind, nodes=(step,))


def _step(kind: Kind, template: str, inputs: Inputs) -> ChatStep:
    return ChatStep(
        name=kind, kind=f"sketch.{kind}", prompts=PROMPTS, template=template, system="system", inputs=inputs
    )


def _draft(facts: Facts[Drawing], checks: Checks) -> Inputs:
    return {
        "instruction": facts.brief.instruction,
        "checks": [*checks(facts.brief)],
        "idea": idea_of(facts.idea),
        "history": facts.history,
    }


def _edit(facts: Facts[Drawing], checks: Checks) -> Inputs:
    return {
        "instruction": facts.brief.instruction,
        "checks": [*checks(facts.brief)],
        "drawing": _current(facts).source,
        "anchors": anchors_text(_current(facts)),
        "moved": facts.moved,
        "idea": idea_of(facts.idea),
        "history": facts.history,
        "critique": critique_text(facts.verdict),
        "issues": numbered(facts.report.issues if facts.report else ()),
    }


def _repair(facts: Facts[Drawing], checks: Checks) -> Inputs:
    return {
        "instruction": facts.brief.instruction,
        "checks": [*checks(facts.brief)],
        "drawing": _current(facts).source,
        "moved": facts.moved,
        "issues": numbered(facts.report.issues if facts.report else ()),
    }


def _current(facts: Facts[Drawing]) -> Drawing:
    assert facts.current is not None, "edits and repairs have a drawing to work on"
    return facts.current


def _fix(facts: Facts[Drawing]) -> ChatStep:
    assert facts.failure is not None, "a fix has a failure"
    critic = facts.of == "critique"
    return ChatStep(
        name="fix",
        kind="sketch.fix",
        prompts=PROMPTS,
        template="fix_execution" if facts.failure.failure_class == "E1" else "fix_format",
        system="system_critic" if critic else "system",
        inputs={
            "of": "draft" if facts.of == "edit" and not _drawing(facts) else facts.of,
            "instruction": facts.brief.instruction,
            "reply": bounded(facts.reply),
            "error": facts.failure.message,
            "drawing": "" if critic else _drawing(facts),
            "examples": facts.examples,
        },
        schema=CritiqueReply if critic else None,
        pictures=facts.pictures if critic else (),
    )


def _drawing(facts: Facts[Drawing]) -> str:
    return "" if facts.current is None or not facts.current.strokes else facts.current.source


def _critique(facts: Facts[Drawing]) -> Inputs:
    return {"instruction": facts.brief.instruction, "parts": [*_parts(_current(facts))]}


def _parts(drawing: Drawing) -> Sequence[str]:
    return [f"{p.name} ({p.label}{f', part of {p.parent}' if p.parent else ''})" for p in drawing.plan]
