"""Defaults of a `Studio`: requests in the words of its templates, and requirements measured on its layout."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, JsonValue

from redraft.brief import Brief
from redraft.conversation import Block, ChatStep, Prompts
from redraft.requirements import unmeasured
from redraft.requirements.kinds import KINDS, issues_of, measure
from redraft.requirements.reading import statements
from redraft.result import Heuristics, Report, judged
from redraft.studios.base import Studio
from redraft.studios.requests import CritiqueRequest, FixRequest, StudioRequest, critique_schema
from redraft.studios.wording import (
    bounded,
    captions,
    critique_inputs,
    critique_text,
    findings_of,
    idea_of,
    stated_of,
    stating,
)

__all__ = ["checked", "composed", "inputs_of"]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)


def composed(studio: Studio[Any, ArtifactT], request: StudioRequest[ArtifactT]) -> Block:
    """Return one call in the words of two templates: `system`, or `system_critic` for a critique, and the request's."""
    asked = request.of if isinstance(request, FixRequest) else request
    prompts = Prompts(type(studio).__module__)
    system = "system_critic" if isinstance(asked, CritiqueRequest) else "system"
    used = prompts.names(system) | prompts.names(request.kind)
    step = ChatStep(
        name=request.kind,
        kind=f"{studio.name}.{request.kind}",
        prompts=prompts,
        template=request.kind,
        system=system,
        inputs={name: value for name, value in inputs_of(studio, request).items() if name in used},
        schema=critique_schema(asked) if isinstance(asked, CritiqueRequest) else None,
        pictures=request.pictures,
    )
    return Block(step.name, (step,))


def inputs_of(studio: Studio[Any, ArtifactT], request: StudioRequest[ArtifactT]) -> dict[str, JsonValue]:
    """Return what templates may say, by name: the same names for every kind of request, empty where there is nothing.

    docs/studios.md lists them.
    """
    fix = request if isinstance(request, FixRequest) else None
    asked = request if fix is None else fix.of
    report: Report | None = getattr(asked, "report", None)
    now = f"the current version of {studio.medium or 'the result'}"
    inputs: dict[str, JsonValue] = {
        "instruction": request.brief.instruction,
        "medium": studio.medium,
        "settings": request.settings.model_dump(mode="json"),
        "current": "" if request.current is None else str(getattr(request.current, "source", "")),
        "idea": idea_of(getattr(asked, "idea", None)),
        "history": getattr(asked, "history", ""),
        "discovery": getattr(asked, "discovery", ""),
        "critique": critique_text(getattr(asked, "verdict", None)),
        "findings": findings_of(report, notes=not request.sees),
        "stated": stated_of(report, request.requirements),
        "pending": [],
        "agreed": [] if report else [*request.requirements],
        "pictures": captions(request.pictures, now),
        "strict": request.strict,
        "of": asked.kind if fix else "",
        "ran": fix is not None and fix.failure.failure_class == "E1",
        "error": fix.failure.message if fix else "",
        "reply": bounded(fix.reply) if fix else "",
        "examples": fix.examples if fix else "",
        "compares": False,
        "letter": "",
        "last": False,
        "may_look": False,
    }
    inputs |= _stating(studio, request)
    return inputs | (critique_inputs(asked, now) if isinstance(asked, CritiqueRequest) else {})


def _stating(studio: Studio[Any, ArtifactT], request: StudioRequest[ArtifactT]) -> dict[str, JsonValue]:
    """How to state requirements, of the kinds that the studio's drafts may state."""
    states = "requirements" in studio.artifact_model.model_fields and not (request.strict or request.brief.described)
    found: dict[str, Any] = stating("drawing", wanted=states)
    if studio.states:
        fields = frozenset[str]().union(*(KINDS[kind].fields for kind in studio.states))
        found["kinds"] = [row for row in found["kinds"] if row["kind"] in studio.states]
        found["choices"] = {name: values for name, values in found["choices"].items() if name in fields}
    return found


def checked(
    studio: Studio[Any, ArtifactT], artifact: ArtifactT, base: ArtifactT | None, brief: Brief, heuristics: Heuristics
) -> Report:
    """Return the report of an artifact; what its base has too, and no better, is inherited."""
    before = () if base is None else _report(studio, base, brief, heuristics).issues
    return _report(studio, artifact, brief, heuristics).less(before)


def _report(studio: Studio[Any, ArtifactT], artifact: ArtifactT, brief: Brief, heuristics: Heuristics) -> Report:
    issues = judged(studio.rules(artifact), heuristics, studio.severities)
    if "requirements" not in type(artifact).model_fields:
        return Report(issues=issues, heuristics=heuristics)
    layout, words = studio.layout(artifact), brief.instruction
    stated = statements(getattr(artifact, "requirements", ()), words, layout)
    measured = measure(stated.requirements, layout)
    return Report(
        issues=(*issues_of(measured, layout), *issues),
        requirements=measured,
        set_aside=stated.set_aside,
        unchecked=unmeasured(words, stated.requirements),
        heuristics=heuristics,
    )
