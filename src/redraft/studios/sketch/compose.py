"""The requests of the sketch studio: structured inputs, and the templates that put them into words.

Every request is complete in itself. The offline model answers from the same inputs.
"""

from __future__ import annotations

from pydantic import JsonValue

from redraft.conversation import Block, ChatStep, Inputs, Prompts
from redraft.studios.requests import (
    CritiqueRequest,
    DraftRequest,
    EditRequest,
    FixRequest,
    Kind,
    RepairRequest,
    StudioRequest,
    critique_schema,
)
from redraft.studios.sketch.memory import anchors_text
from redraft.studios.sketch.spec import Drawing
from redraft.studios.wording import (
    bounded,
    captions,
    critique_inputs,
    critique_text,
    findings_of,
    idea_of,
    stated_of,
    states_anew,
    stating,
)

__all__ = ["PROMPTS", "compose"]

PROMPTS = Prompts("redraft.studios.sketch")

SHOWN = "the current drawing"
MOST = 30
"""Parts whose anchors are shown."""


def compose(request: StudioRequest[Drawing]) -> Block:
    """Return one step. An edit of a blank canvas is a draft."""
    asked = request.of if isinstance(request, FixRequest) else request
    of: Kind = "draft" if asked.kind == "edit" and not _has_drawing(asked) else asked.kind
    system = {"draft": "system", "critique": "system_critic"}.get(of, "system_short")
    inputs = _system_inputs(of, asked)
    template = of
    match request:
        case FixRequest():
            template = "fix_execution" if request.failure.failure_class == "E1" else "fix_format"
            inputs |= _fix(of, request) | ({} if "kinds" in inputs or template == "fix_execution" else {"kinds": []})
        case RepairRequest():
            inputs |= _repair(request)
        case CritiqueRequest():
            inputs |= _critique(request)
        case EditRequest() if of == "edit":
            inputs |= _edit(request)
        case DraftRequest():
            inputs |= _draft(request)
        case _:
            raise AssertionError(f"not a request: {request.kind}")
    step = ChatStep(
        name="fix" if request.kind == "fix" else of,
        kind=f"sketch.{'fix' if request.kind == 'fix' else of}",
        prompts=PROMPTS,
        template=template,
        system=system,
        inputs=inputs,
        schema=critique_schema(asked) if isinstance(asked, CritiqueRequest) else None,
        pictures=request.pictures,
    )
    return Block(name=step.name, nodes=(step,))


def _has_drawing(request: StudioRequest[Drawing]) -> bool:
    return request.current is not None and bool(request.current.strokes)


def _current(request: StudioRequest[Drawing]) -> Drawing:
    assert request.current is not None, "all but drafts have a drawing to work on"
    return request.current


def _on(request: StudioRequest[Drawing]) -> bool:
    """Whether parts of an earlier run's drawing are protected."""
    return bool(_current(request).protected)


def _system_inputs(of: Kind, request: StudioRequest[Drawing]) -> dict[str, JsonValue]:
    """What the system message says: how to state requirements where new ones are due, or one may have to change."""
    stated = not request.strict and not request.brief.described
    match request:
        case CritiqueRequest():
            return {}
        case RepairRequest(report=report):
            wanted = states_anew(report)
        case EditRequest(report=report) if of == "edit":
            wanted = states_anew(report) or not request.history
        case _:
            return stating("drawing", wanted=stated)
    return {**stating("drawing", wanted=stated and wanted), "on": _on(request)}


def _draft(request: DraftRequest[Drawing]) -> Inputs:
    return {
        "instruction": request.brief.instruction,
        "idea": idea_of(request.idea),
        "history": request.history,
    }


def _edit(request: EditRequest[Drawing]) -> Inputs:
    critique = critique_text(request.verdict)
    issues = request.report.issues if request.report else ()
    about = [critique] if request.history else [critique, request.brief.instruction]
    about += [text for issue in issues for text in (issue.message, *issue.subjects)]
    return {
        "instruction": request.brief.instruction,
        "drawing": _current(request).source,
        "anchors": _anchors(
            _current(request), " ".join(about if request.history else [*about, request.brief.instruction])
        ),
        "idea": idea_of(request.idea),
        "history": request.history,
        "critique": critique,
        "stated": stated_of(request.report, request.requirements),
        "agreed": [] if request.report else [*request.requirements],
        "findings": findings_of(request.report),
        "pictures": captions(request.pictures, SHOWN),
    }


def _anchors(drawing: Drawing, text: str) -> str:
    """Where the parts are that a text names, those named exactly first; of things that stand by themselves, if none."""
    text = text.casefold()
    exact = [p.name for p in drawing.plan if p.name.casefold() in text]
    called = [p.name for p in drawing.plan if p.label.casefold() in text]
    named = dict.fromkeys((*exact, *called)) or [p.name for p in drawing.plan if p.parent is None]
    return anchors_text(drawing, [*named][:MOST])


def _repair(request: RepairRequest[Drawing]) -> Inputs:
    return {
        "instruction": request.brief.instruction,
        "drawing": _current(request).source,
        "stated": stated_of(request.report, request.requirements),
        "findings": findings_of(request.report, notes=not request.sees),
        "pictures": captions(request.pictures, SHOWN),
        "strict": request.strict,
    }


def _fix(of: Kind, request: FixRequest[Drawing]) -> dict[str, JsonValue]:
    inputs: dict[str, JsonValue] = {
        "of": of,
        "instruction": request.brief.instruction,
        "reply": bounded(request.reply),
        "error": request.failure.message,
        "drawing": _current(request).source if of in ("edit", "repair") else "",
        "examples": request.examples,
    }
    return (
        inputs
        if request.failure.failure_class == "E1"
        else inputs | {"compares": getattr(request.of, "compares", False)}
    )


def _critique(request: CritiqueRequest[Drawing]) -> Inputs:
    parts = [f"{p.name} ({p.label}{f', part of {p.parent}' if p.parent else ''})" for p in _current(request).plan]
    return {**critique_inputs(request, SHOWN), "parts": [*parts], "on": _on(request)}
