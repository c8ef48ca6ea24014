"""The requests of the sketch studio: structured inputs, and the templates that put them into words.

Every request is complete in itself. The offline model answers from the same inputs.
"""

from __future__ import annotations

from pydantic import JsonValue

from redraft.conversation import Block, ChatStep, Inputs, Prompts
from redraft.studios.base import Facts, Kind, critique_schema
from redraft.studios.sketch.memory import anchors_text
from redraft.studios.sketch.spec import Drawing
from redraft.studios.wording import (
    asked_of,
    bounded,
    captions,
    critique_inputs,
    critique_text,
    findings_of,
    idea_of,
    stated_of,
    stating,
)

__all__ = ["PROMPTS", "compose"]

PROMPTS = Prompts("redraft.studios.sketch")

SHOWN = "the drawing as it is now"
MOST = 30
"""Parts whose anchors are shown."""


def compose(kind: Kind, facts: Facts[Drawing]) -> Block:
    """One step. An edit of a blank canvas is a draft."""
    of = facts.of if kind == "fix" else kind
    if of == "edit" and not _has_drawing(facts):
        of = "draft"
    system = {"draft": "system", "critique": "system_critic"}.get(of, "system_short")
    inputs = _system_inputs(of, facts)
    template = of
    if kind == "fix":
        assert facts.failure is not None, "a fix has a failure"
        template = "fix_execution" if facts.failure.failure_class == "E1" else "fix_format"
        inputs |= _fix(of, facts) | ({} if "kinds" in inputs or template == "fix_execution" else {"kinds": []})
    else:
        inputs |= {"draft": _draft, "edit": _edit, "repair": _repair, "critique": _critique}[of](facts)
    step = ChatStep(
        name=kind if kind == "fix" else of,
        kind=f"sketch.{'fix' if kind == 'fix' else of}",
        prompts=PROMPTS,
        template=template,
        system=system,
        inputs=inputs,
        schema=critique_schema(facts) if of == "critique" else None,
        pictures=facts.pictures,
    )
    return Block(name=step.name, nodes=(step,))


def _has_drawing(facts: Facts[Drawing]) -> bool:
    return facts.current is not None and bool(facts.current.strokes)


def _current(facts: Facts[Drawing]) -> Drawing:
    assert facts.current is not None, "all but drafts have a drawing to work on"
    return facts.current


def _on(facts: Facts[Drawing]) -> bool:
    """Whether parts of an earlier run's drawing are protected."""
    return bool(_current(facts).protected)


def _system_inputs(of: Kind, facts: Facts[Drawing]) -> dict[str, JsonValue]:
    """What the system message says: how to state requirements where new ones are due, or one may have to change."""
    if of == "critique":
        return {}
    report, stated = facts.report, not facts.strict and not facts.brief.described
    if of == "draft":
        return stating("drawing", wanted=stated)
    faulty = report is not None and (report.set_aside or any(i.basis == "requirement" for i in report.questions))
    wanted = bool(faulty) if of == "repair" or facts.history else True
    return {**stating("drawing", wanted=stated and wanted), "on": _on(facts)}


def _draft(facts: Facts[Drawing]) -> Inputs:
    return {
        "instruction": facts.brief.instruction,
        "idea": idea_of(facts.idea),
        "history": facts.history,
    }


def _edit(facts: Facts[Drawing]) -> Inputs:
    critique = critique_text(facts.verdict)
    issues = facts.report.issues if facts.report else ()
    about = [critique, *(text for issue in issues for text in (issue.message, *issue.subjects))]
    return {
        "instruction": facts.brief.instruction,
        "drawing": _current(facts).source,
        "anchors": _anchors(_current(facts), " ".join(about if facts.history else [*about, facts.brief.instruction])),
        "moved": facts.moved,
        "idea": idea_of(facts.idea),
        "history": facts.history,
        "critique": critique,
        "stated": stated_of(facts.report),
        "agreed": [] if facts.report else [*facts.requirements],
        "findings": findings_of(facts.report),
        "pictures": captions(facts.pictures, SHOWN),
    }


def _anchors(drawing: Drawing, text: str) -> str:
    """Where the parts are that a text names, those named exactly first; of things that stand by themselves, if none."""
    text = text.casefold()
    exact = [p.name for p in drawing.plan if p.name.casefold() in text]
    called = [p.name for p in drawing.plan if p.label.casefold() in text]
    named = dict.fromkeys((*exact, *called)) or [p.name for p in drawing.plan if p.parent is None]
    return anchors_text(drawing, [*named][:MOST])


def _repair(facts: Facts[Drawing]) -> Inputs:
    return {
        "instruction": facts.brief.instruction,
        "drawing": _current(facts).source,
        "moved": facts.moved,
        "stated": stated_of(facts.report),
        "findings": findings_of(facts.report),
        "questions": asked_of(facts.report, facts.pictures, facts.requirements),
        "pictures": captions(facts.pictures, SHOWN),
        "strict": facts.strict,
    }


def _fix(of: Kind, facts: Facts[Drawing]) -> dict[str, JsonValue]:
    assert facts.failure is not None, "a fix has a failure"
    inputs: dict[str, JsonValue] = {
        "of": of,
        "instruction": facts.brief.instruction,
        "reply": bounded(facts.reply),
        "error": facts.failure.message,
        "drawing": _current(facts).source if of in ("edit", "repair") else "",
        "examples": facts.examples,
    }
    return inputs if facts.failure.failure_class == "E1" else inputs | {"compares": facts.compares}


def _critique(facts: Facts[Drawing]) -> Inputs:
    parts = [f"{p.name} ({p.label}{f', part of {p.parent}' if p.parent else ''})" for p in _current(facts).plan]
    return {**critique_inputs(facts, SHOWN), "parts": [*parts], "on": _on(facts)}
