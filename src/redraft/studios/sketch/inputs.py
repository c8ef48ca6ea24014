"""The inputs that requests of the sketch studio have beside the shared ones."""

from __future__ import annotations

from pydantic import JsonValue

from redraft.studios.requests import CritiqueRequest, EditRequest, StudioRequest
from redraft.studios.sketch.memory import anchors_text
from redraft.studios.sketch.spec import Drawing
from redraft.studios.wording import captions, critique_text

MAX_ANCHORS = 30
"""Parts whose anchors are shown."""


def inputs(request: StudioRequest[Drawing]) -> dict[str, JsonValue]:
    """Return captions, whether parts of an earlier run's drawing are protected, and the parts concerned."""
    drawing = request.original.current or Drawing()
    values: dict[str, JsonValue] = {
        "pictures": captions(request.pictures, "the current drawing"),
        "on": bool(drawing.protected),
    }
    if isinstance(request, EditRequest):
        values["anchors"] = _anchors(drawing, request)
    elif isinstance(request, CritiqueRequest):
        values["parts"] = [f"{p.name} ({p.label}{f', part of {p.parent}' if p.parent else ''})" for p in drawing.plan]
    return values


def _anchors(drawing: Drawing, request: EditRequest[Drawing]) -> str:
    """Return the places of the parts that critique and findings name, and in a first edit the instruction.

    Those named exactly come first; where none is named, things that stand by themselves are shown.
    """
    issues = request.report.issues if request.report else ()
    sources = [critique_text(request.verdict), *([] if request.history else [request.brief.instruction])]
    sources += [text for issue in issues for text in (issue.message, *issue.subjects)]
    text = " ".join(sources).casefold()
    by_name = [p.name for p in drawing.plan if p.name.casefold() in text]
    by_label = [p.name for p in drawing.plan if p.label.casefold() in text]
    concerned = dict.fromkeys((*by_name, *by_label)) or [p.name for p in drawing.plan if p.parent is None]
    return anchors_text(drawing, [*concerned][:MAX_ANCHORS])
