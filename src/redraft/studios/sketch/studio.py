"""The sketch studio: a sentence in, a drawing as SVG, PNG and strokes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from anyio import to_thread
from pydantic import JsonValue

from redraft.brief import Brief
from redraft.files import write_atomic
from redraft.layout.items import Layout
from redraft.layout.requirements import agreed
from redraft.models.conversation import Block, ChatStep
from redraft.result import Heuristics, Picture, Report
from redraft.studios.base import Resources
from redraft.studios.kinds import LayoutStudio
from redraft.studios.requests import DraftRequest, EditRequest, FixRequest, Kind, RepairRequest, StudioRequest
from redraft.studios.sketch import memory
from redraft.studios.sketch import patch as execution
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.inputs import inputs
from redraft.studios.sketch.parse import drawing_from, parse
from redraft.studios.sketch.patch import Patch
from redraft.studios.sketch.settings import SketchSettings, own
from redraft.studios.sketch.spec import Draft, Drawing
from redraft.studios.sketch.svg import STANDARD, animated, overlay, png, svg
from redraft.text import plural


class SketchStudio(LayoutStudio[Draft | Patch, Drawing]):
    """Drawings on a unit canvas. Holds no state."""

    name = "sketch"
    medium = "a vector drawing of flat shapes on a square canvas"
    artifact_model = Drawing
    settings_model = SketchSettings
    offline = "redraft.studios.sketch.offline.answers"
    views = ("drawing",)
    written = ("drawing", "json")
    contract = "_strokes"
    adjustable = ("size", "animate")
    purpose = "Draw what a sentence asks for."
    example = "a house with a red roof, a tree to its left"
    deliverables = (("svg", "drawing"), ("animation", "animation"), ("png", ""), ("json", ""))

    def open(self, brief: Brief) -> Drawing | None:
        """Return the drawing of the run that the brief continues: its statements are agreed, its parts protected.

        Raises:
            RunNotFoundError: there is none. RunFormatError: it is damaged.
        """
        if brief.on is None:
            return None
        base = memory.load(brief.on)
        names = tuple(part.name for part in base.plan)
        update = {"requirements": agreed(base.requirements), "protected": names, "asked": brief.instruction}
        return base.model_copy(update=update)

    def compose(self, request: StudioRequest[Drawing]) -> Block:
        """Return the request for one attempt, fix or critique. An edit of a blank canvas is a draft."""
        if isinstance(request, FixRequest):
            return super().compose(replace(request, of=_drafted(request.of)))
        return super().compose(_drafted(request))

    def inputs(self, request: StudioRequest[Drawing]) -> dict[str, JsonValue]:
        """Return captions, the parts concerned, and whether parts of an earlier run's drawing are protected."""
        return inputs(request)

    def parse(self, kind: Kind, text: str, base: Drawing | None, *, strict: bool = False) -> Draft | Patch:
        """Return a reply as a draft or patch. Raises `FormatError`."""
        return parse(kind, text, base, strict=strict)

    async def execute(self, spec: Draft | Patch, base: Drawing | None, resources: Resources) -> Drawing:
        """Return the drawing that a draft or patch makes. Raises `ExecutionError`."""
        return await execution.execute(spec, base, resources)

    def check(
        self, artifact: Drawing, base: Drawing | None, brief: Brief, heuristics: Heuristics = "default"
    ) -> Report:
        """Return the requirements measured, defects, and findings of the rules."""
        from redraft.studios.sketch.check import check

        return check(artifact, base, brief, heuristics)

    async def render(self, artifact: Drawing, views: Sequence[str], resources: Resources) -> list[Picture]:
        """Return the drawing as a PNG; its one view is `drawing`.

        Raises:
            ValueError: another view.
        """
        if unknown := [view for view in views if view not in self.views]:
            raise ValueError(f"a drawing has no view {unknown[0]!r}; it has {', '.join(self.views)}")
        content = await to_thread.run_sync(partial(png, svg(artifact), STANDARD), limiter=resources.limiter)
        return [Picture(name="drawing.png", png=content)]

    def illustrate(self, artifact: Drawing, report: Report, resources: Resources) -> dict[str, tuple[str, bytes]]:
        """Return the drawing, and the drawing with its issues, as SVG."""
        marked = overlay(artifact, report.issues)
        return {"plain": (".svg", svg(artifact).encode()), "issues": (".svg", marked.encode())}

    def summary(self, artifact: Drawing) -> str:
        """Return `6 strokes`."""
        return plural(len(artifact.strokes), "stroke")

    def facts(self, artifact: Drawing) -> list[str]:
        """Return the box of each part, the parts of others after them."""
        layout = self.layout(artifact)
        order = sorted(artifact.plan, key=lambda part: part.parent is not None)
        boxes = [(part.name, layout.bounds(part.name)) for part in order]
        return [f"{name}: x {x0:.3f} to {x1:.3f}, y {y0:.3f} to {y1:.3f}" for name, (x0, y0, x1, y1) in boxes]

    def deliver(self, artifact: Drawing, folder: Path, resources: Resources) -> dict[str, Path]:
        """Write `drawing.svg`, `.png`, `.json`, and `.animated.svg` if wanted, each whole or not at all.

        Raises:
            RunError: a file cannot be written.
        """
        settings = own(resources.settings)
        text = svg(artifact)
        contents: dict[str, tuple[str, str | bytes]] = {
            "svg": ("drawing.svg", text),
            "png": ("drawing.png", png(text, settings.size)),
            "json": (memory.FILE, memory.as_json(artifact)),
        }
        if settings.animate:
            contents["animation"] = ("drawing.animated.svg", animated(artifact))
        return {role: write_atomic(folder / name, content) for role, (name, content) in contents.items()}

    def layout(self, artifact: Drawing) -> Layout:
        """Return the drawing as placed items."""
        return layout_of(artifact)


def _drafted(request: StudioRequest[Drawing]) -> StudioRequest[Drawing]:
    """Return an edit of a blank canvas as a draft; any other request as it is."""
    if not isinstance(request, EditRequest) or (request.current is not None and request.current.strokes):
        return request
    facts: dict[str, Any] = {each.name: getattr(request, each.name) for each in fields(DraftRequest)}
    facts["current"] = None
    return DraftRequest[Drawing](**facts)


studio = SketchStudio()


def build_repair_prompt(
    instruction: str, drawing: Drawing | Mapping[str, Any] | Sequence[Mapping[str, Any]], report: Report
) -> str:
    """Return the prompt for corrected coordinates of a drawing: the instruction, the drawing, and its issues.

    The report of a strict `SemanticValidator` gives the specification's prompt, which keeps the plan.

    Args:
        instruction: the instruction for the drawing.
        drawing: a `Drawing`, or data as `SemanticValidator.validate` takes it.
        report: the report of `SemanticValidator.validate`.

    Raises:
        FormatError: the data is not a drawing.
    """
    request = RepairRequest[Drawing](
        brief=Brief.of(instruction),
        current=drawing_from(drawing),
        report=report,
        strict=report.heuristics == "strict",
    )
    (step,) = studio.compose(request).nodes
    assert isinstance(step, ChatStep)
    assert not callable(step.inputs)
    return step.prompts.render(step.template, step.inputs)
