"""The inputs that requests of the sketch studio have beside the shared ones."""

from __future__ import annotations

from pydantic import JsonValue

from redraft.studios.requests import CritiqueRequest, EditRequest, StudioRequest
from redraft.studios.sketch.memory import anchors_text
from redraft.studios.sketch.spec import Drawing
from redraft.studios.wording import captions, critique_text

MOST = 30
"""Parts whose anchors are shown."""


def inputs(request: StudioRequest[Drawing]) -> dict[str, JsonValue]:
    """Return captions, whether parts of an earlier run's drawing are protected, and the parts concerned."""
    drawing = request.original.current or Drawing()
    found: dict[str, JsonValue] = {
        "pictures": captions(request.pictures, "the current drawing"),
        "on": bool(drawing.protected),
    }
    if isinstance(request, EditRequest):
        found["anchors"] = _anchors(drawing, request)
    elif isinstance(request, CritiqueRequest):
        found["parts"] = [f"{p.name} ({p.label}{f', part of {p.parent}' if p.parent else ''})" for p in drawing.plan]
    return found


def _anchors(drawing: Drawing, request: EditRequest[Drawing]) -> str:
    """Where the parts are that critique and findings name, and in a first edit the instruction; those named exactly
    first; of things that stand by themselves, if none."""
    issues = request.report.issues if request.report else ()
    about = [critique_text(request.verdict), *([] if request.history else [request.brief.instruction])]
    about += [text for issue in issues for text in (issue.message, *issue.subjects)]
    text = " ".join(about).casefold()
    exact = [p.name for p in drawing.plan if p.name.casefold() in text]
    called = [p.name for p in drawing.plan if p.label.casefold() in text]
    named = dict.fromkeys((*exact, *called)) or [p.name for p in drawing.plan if p.parent is None]
    return anchors_text(drawing, [*named][:MOST])
