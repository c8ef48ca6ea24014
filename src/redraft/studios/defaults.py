"""The default `compose` and `check` of a `Studio`: requests in its templates' words, requirements on its layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, JsonValue

from redraft.brief import Brief
from redraft.models.conversation import Block, ChatStep, Prompts
from redraft.result import Heuristics, Picture, Report, judged
from redraft.studios.base import Studio
from redraft.studios.kinds import LayoutStudio, TargetStudio
from redraft.studios.programs import EDITABLE
from redraft.studios.requests import FixRequest, StudioRequest, critique_of, critique_schema
from redraft.studios.wording import (
    MAX_BROKEN,
    bounded,
    captions,
    critique_text,
    findings_of,
    idea_of,
    stated_of,
    states_due,
    stating,
)

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)


def composed(studio: Studio[Any, ArtifactT], request: StudioRequest[ArtifactT]) -> Block:
    """Return one call in the words of two templates, the most specific ones that the studio or redraft has."""
    prompts = Prompts(type(studio).__module__)
    original, critique = request.original, critique_of(request)
    names = [request.kind]
    if isinstance(request, FixRequest):
        form = "fix_execution" if request.failure.failure_class == "E1" else "fix_format"
        names = [*(["fix_critique"] if critique else []), form, "fix"]
    template = prompts.first(*names)
    briefly = () if original.kind == "draft" else ("system_short",)
    system = "system_critic" if critique else prompts.first(*briefly, "system")

    pictures = studio.pictures(request)
    explains = system == "system" or (critique is None and states_due(original))
    inputs = inputs_of(studio, request, pictures, explains=explains) | studio.inputs(request)
    step = ChatStep(
        name=request.kind,
        kind=f"{studio.name}.{request.kind}",
        prompts=prompts,
        template=template,
        system=system,
        inputs=prompts.used(inputs, system, template),
        schema=critique_schema(critique) if critique else None,
        pictures=pictures,
    )
    return Block(step.name, (step,))


def inputs_of(
    studio: Studio[Any, ArtifactT],
    request: StudioRequest[ArtifactT],
    pictures: Sequence[Picture] = (),
    *,
    explains: bool = True,
) -> dict[str, JsonValue]:
    """Return the values that templates may use: the same names for every kind of request, empty without a value.

    docs/studios.md lists them. `explains`: with how to state requirements, if the studio's drafts may state any.
    """
    fix, asked = request if isinstance(request, FixRequest) else None, request.original
    report: Report | None = getattr(asked, "report", None)
    critique = asked.kind == "critique"
    unseen = asked.kind == "repair" and not (request.sees and studio.judged)  # no critic will look at heuristics
    current = "" if asked.kind == "draft" or asked.current is None else str(getattr(asked.current, "source", ""))
    inputs: dict[str, JsonValue] = {
        "instruction": request.brief.instruction,
        "medium": studio.medium,
        "settings": request.settings.model_dump(mode="json"),
        "on": request.brief.on is not None,
        "current": current,
        "editable": current.count("\n") + 1 >= EDITABLE,
        "idea": idea_of(getattr(asked, "idea", None)),
        "history": getattr(asked, "history", ""),
        "discovery": getattr(asked, "discovery", ""),
        "critique": critique_text(getattr(asked, "verdict", None)),
        "findings": findings_of(report, notes=unseen or critique),
        "stated": stated_of(report, request.requirements),
        "pending": [issue.requirement for issue in report.mismatches[:MAX_BROKEN]] if report and critique else [],
        "agreed": [] if report else [*request.requirements],
        "pictures": captions(pictures, f"the current version of {studio.medium or 'the result'}"),
        "strict": request.strict,
        "of": asked.kind if fix else "",
        "ran": fix is not None and fix.failure.failure_class == "E1",
        "error": fix.failure.message if fix else "",
        "reply": bounded(fix.reply) if fix else "",
        "changed": [*fix.changed] if fix else [],
        "examples": fix.examples if fix else "",
        "compares": getattr(asked, "compares", False),
        "letter": getattr(asked, "letter", ""),
        "last": getattr(asked, "last", False),
        "may_look": getattr(asked, "may_look", False),
    }

    # How to state requirements, of the kinds that the studio's drafts may state.
    if not isinstance(studio, LayoutStudio) or "requirements" not in studio.artifact_model.model_fields:
        inputs |= stating("drawing", wanted=False)
    else:
        guide: dict[str, Any] = stating(studio.space, wanted=explains and not request.brief.described)
        if studio.states:
            from redraft.layout.requirements.kinds import KINDS

            fields = frozenset[str]().union(*(KINDS[kind].fields for kind in studio.states))
            guide["kinds"] = [row for row in guide["kinds"] if row["kind"] in studio.states]
            guide["choices"] = {name: values for name, values in guide["choices"].items() if name in fields}
        inputs |= guide

    if isinstance(studio, TargetStudio):
        from redraft.studios.target import target_inputs

        metric = studio.metric(request.settings)
        inputs |= target_inputs(request.brief, metric, getattr(asked, "score", None), studio.cells)
        inputs |= {"toward": request.brief.target is not None, "shown": bool(pictures)}
    return inputs


def checked(
    studio: Studio[Any, ArtifactT], artifact: ArtifactT, base: ArtifactT | None, brief: Brief, heuristics: Heuristics
) -> Report:
    """Return the report of an artifact; what its base has too, and no better, is inherited."""
    before = () if base is None else _report(studio, base, brief, heuristics).issues
    return _report(studio, artifact, brief, heuristics).less(before)


def _report(studio: Studio[Any, ArtifactT], artifact: ArtifactT, brief: Brief, heuristics: Heuristics) -> Report:
    """Return the findings of the studio's rules, and the requirements measured on its layout."""
    issues = judged(studio.rules(artifact), heuristics, studio.severities)
    if "requirements" not in type(artifact).model_fields:
        return Report(issues=issues, heuristics=heuristics)
    assert isinstance(studio, LayoutStudio), f"{studio.name}: requirements are measured on the layout of a LayoutStudio"
    from redraft.layout.requirements import unmeasured
    from redraft.layout.requirements.kinds import issues_of, measure
    from redraft.layout.requirements.reading import statements

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
