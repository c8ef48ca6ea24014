"""The smallest studio: a draft is a number, an artefact holds it, and a brief asks for at least so much.

It has no medium, so the loop can be tested on exactly the failures a test needs: a reply in words is E2, a negative
number E1, and 13 crashes the machinery (E0) as often as `crashes` says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, JsonValue
from resources import resources_in

from redraft.brief import Brief
from redraft.config import Config
from redraft.errors import ExecutionError, FormatError, InfrastructureError
from redraft.layout.items import Layout
from redraft.layout.requirements import answered, merged, mismatches_in
from redraft.loop.run import Run
from redraft.models.base import Model, Request
from redraft.models.conversation import Block, ChatStep, Prompts
from redraft.record.events import Event
from redraft.record.journal import Journal
from redraft.result import Heuristics, Issue, Measured, Picture, Report, Verdict, judged
from redraft.studios.base import Resources, Studio
from redraft.studios.kinds import PaintingStudio, Publication
from redraft.studios.requests import CritiqueRequest, FixRequest, Kind, StudioRequest, StudioSettings, critique_schema

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


class Number(BaseModel):
    model_config = ConfigDict(frozen=True)

    value: int

    @property
    def source(self) -> str:
        return str(self.value)


class ToyStudio(Studio[Any, Any]):
    """See the module."""

    name = "toy"
    artifact_model = Number
    settings_model = StudioSettings

    def __init__(self, crashes: int = 0) -> None:
        self.crashes = crashes
        self.executed: list[int] = []

    def open(self, brief: Brief) -> Number | None:
        return None

    def compose(self, request: StudioRequest[Any]) -> Block:
        fix = request if isinstance(request, FixRequest) else None
        about: Any = request if fix is None else fix.of
        report: Report | None = getattr(about, "report", None)
        verdict: Verdict | None = getattr(about, "verdict", None)
        inputs: dict[str, JsonValue] = {
            "instruction": request.brief.instruction,
            "current": "" if request.current is None else request.current.source,
            "history": getattr(about, "history", ""),
            "issues": [] if report is None else [i.message for i in report.issues],
            "asked": [] if report is None else [i.requirement for i in report.mismatches],
            "critique": "" if verdict is None else verdict.summary,
            "of": "draft" if fix is None else fix.of.kind,
            "letter": getattr(about, "letter", ""),
            "reply": "" if fix is None else fix.reply,
            "error": "" if fix is None else fix.failure.message,
        }
        kind = request.kind
        schema = critique_schema(request) if isinstance(request, CritiqueRequest) else None
        prompts = Prompts("toy_prompts")
        step = ChatStep(kind, f"toy.{kind}", prompts, "any", inputs, schema=schema, pictures=request.pictures)
        return Block(kind, (step,))

    def parse(self, kind: Kind, text: str, base: Number | None, *, strict: bool = False) -> Number:
        if not re.fullmatch(r"-?\d+", text):
            raise FormatError(f"a number is expected, found {text!r}")
        return Number(value=int(text))

    async def execute(self, spec: Number, base: Number | None, resources: Resources) -> Number:
        self.executed.append(spec.value)
        if spec.value == 13 and self.crashes > 0:
            self.crashes -= 1
            raise InfrastructureError("the worker died")
        if spec.value < 0:
            raise ExecutionError(f"{spec.value} is negative")
        return spec

    def check(self, artifact: Number, base: Number | None, brief: Brief, heuristics: Heuristics = "default") -> Report:
        wanted = int(re.findall(r"\d+", brief.instruction)[0])
        short = max(0, wanted - artifact.value)
        issue = Issue(code="count.missing", severity="error", message="one is missing")
        return Report(issues=(issue,) * short)

    async def render(self, artifact: Number, views: Sequence[str], resources: Resources) -> list[Picture]:
        return [Picture(name="number.png", png=PIXEL + repr(artifact.value).encode())]

    def approach(self, spec: Number) -> str:
        return f"say {spec.value}"

    def summary(self, artifact: Number) -> str:
        return f"the number {artifact.value}"

    def deliver(self, artifact: Number, folder: Path, resources: Resources) -> dict[str, Path]:
        path = folder / "number.txt"
        path.write_text(artifact.source)
        return {"text": path}


studio = ToyStudio()


class PaintingToy(ToyStudio, PaintingStudio[Any, Any]):
    """A studio of somebody else's that paints."""

    contract = ""

    async def finish(self, artifact: Number, resources: Resources) -> Number:
        return artifact

    def painted(self, artifact: Number) -> dict[str, JsonValue]:
        return {}

    def check_lists(self, generations: Path) -> None:
        return

    def publish(self, artifact: Number, brief: Brief, resources: Resources, where: Publication) -> dict[str, Path]:
        return {}


class Statement(Number):
    """A number with what was stated of it."""

    requirements: tuple[JsonValue, ...] = ()


class StatingToy(ToyStudio):
    """Numbers that carry statements: a `count` says what the number equals. A heuristic frowns on even ones.

    A reply is a number, or JSON with `value`, `requirements` and `mismatches`; without `value` it only answers.
    """

    artifact_model: Any = Statement

    def parse(self, kind: Kind, text: str, base: Number | None, *, strict: bool = False) -> Statement:
        found: dict[str, Any] = json.loads(text) if text.startswith("{") else {"value": int(text)}
        stated = base.requirements if isinstance(base, Statement) else ()
        value = found.get("value", None if base is None else base.value)
        if value is None:
            raise FormatError("there is no value")
        raw = answered(merged(stated, found.get("requirements", [])), mismatches_in(found.get("mismatches", [])))
        return Statement(value=value, requirements=raw)

    def check(self, artifact: Number, base: Number | None, brief: Brief, heuristics: Heuristics = "default") -> Report:
        assert isinstance(artifact, Statement)
        measured = tuple(self._measured(artifact, entry) for entry in artifact.requirements if isinstance(entry, dict))
        issues = [
            Issue(
                code="requirement.equals",
                severity="error" if m.upheld else "note",
                basis="requirement",
                message=f"{m.id}: {m.words}, found {m.found}",
                requirement=m.id,
                numbers={"found": m.deviation, "expected": 0.0},
            )
            for m in measured
            if m.outcome == "broken"
        ]
        even = Issue(
            code="odd.even",
            severity="error",
            basis="heuristic",
            message=f"{artifact.value} is even",
            subjects=("number",),
            numbers={"found": float(artifact.value), "expected": 0.0},
        )
        thumb = judged([even] if artifact.value % 2 == 0 else [], heuristics)
        return Report(issues=(*issues, *thumb), requirements=measured, heuristics=heuristics)

    def _measured(self, artifact: Statement, entry: Mapping[str, JsonValue]) -> Measured:
        name, want, answer = str(entry["id"]), entry["number"], entry.get("judged")
        assert isinstance(want, int)
        off = abs(artifact.value - want)
        outcome = "withdrawn" if answer == "withdrawn" else "broken" if off else "met"
        return Measured(
            id=name,
            kind="equals",
            words=f"equals {want}",
            outcome=outcome,
            found=str(artifact.value),
            deviation=off,
            upheld=answer == "upheld",
            changed=str(entry.get("reason", "")),
        )

    def layout(self, artifact: Number) -> Layout:
        return Layout(())


def fixed_clock() -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC)


def run_for(
    folder: Path,
    model: Model,
    *,
    studio: Studio[Any, Any] | None = None,
    instruction: str = "at least 3",
    loop: Mapping[str, Any] | None = None,
    calls: int | None = 100,
    observer: Callable[[Event], None] | None = None,
    heuristics: Heuristics = "default",
) -> Run:
    """A run with an open journal; close it with `run.journal.__exit__()` or leave it to the end of the test."""
    config = Config.model_validate(
        {"loop": dict(loop or {}), "budget": {"calls": calls}, "validation": {"heuristics": heuristics}}
    )
    run = Run(studio or ToyStudio(), model, Brief.of(instruction), folder, config=config)
    run.journal = Journal(folder, clock=fixed_clock, observer=observer)
    run.journal.__enter__()
    run.workspace = resources_in(folder)
    return run


def kinds(requests: Sequence[Request]) -> list[str]:
    return [request.kind.removeprefix("toy.") for request in requests]
