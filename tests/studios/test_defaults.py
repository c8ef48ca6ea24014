"""What a studio gets that defines only its drafts, its artifacts and how to execute: replies, reports, files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, cast

import pytest
from pydantic import BaseModel, JsonValue
from request_for import Facts, request_for
from resources import resources_in
from shapely import box

from redraft.brief import Brief
from redraft.errors import ExecutionError, FormatError, MissingPartError
from redraft.layout.items import Item, Layout
from redraft.models.base import Request
from redraft.models.conversation import ChatStep, request_of
from redraft.result import Failure, Issue, Mismatch, Picture, Report, Severity
from redraft.studios import base
from redraft.studios.base import Resources
from redraft.studios.kinds import LayoutStudio
from redraft.studios.requests import DraftReply, Kind, StudioRequest

pytestmark = pytest.mark.anyio
BRIEF = Brief.of("three boxes")
THREE: dict[str, JsonValue] = {"kind": "count", "quote": "three boxes", "parts": ["box_*"], "number": 3}


class Draft(DraftReply):
    boxes: int


class Boxes(BaseModel):
    source: str
    boxes: int
    files: dict[str, str] = {}
    requirements: tuple[JsonValue, ...] = ()


class BoxStudio(LayoutStudio[Draft, Boxes]):
    """Boxes in a row."""

    name = "boxes"
    spec_model, artifact_model = Draft, Boxes
    programs = (("no-such-program", "get it somewhere"),)

    async def execute(self, spec: Draft, base: Boxes | None, resources: Resources) -> Boxes:
        files = {"svg": resources.pictures.put(b"<svg/>", ".svg"), "txt": resources.pictures.put(b"boxes", ".txt")}
        return Boxes(source=str(spec.boxes), boxes=spec.boxes, files=files, requirements=spec.stated(base))

    def layout(self, artifact: Boxes) -> Layout:
        return Layout(tuple(Item(f"box_{n}", "box", box(n / 9, 0.1, n / 9 + 0.1, 0.2)) for n in range(artifact.boxes)))

    def rules(self, artifact: Boxes) -> Iterator[Issue]:
        if artifact.boxes > 5:
            yield Issue(code="boxes.many", severity="warning", basis="heuristic", message="many")
            yield Issue(code="boxes.odd", severity="note", basis="heuristic", message="odd")
        if not artifact.boxes:
            yield Issue(code="boxes.none", severity="error", message="none")


def boxes(number: int, *requirements: JsonValue) -> Boxes:
    return Boxes(source="", boxes=number, requirements=requirements)


def kinds(report: Report) -> dict[str, str]:
    return {issue.code: issue.severity for issue in report.issues}


studio = BoxStudio()


def test_a_reply_is_the_fields_of_a_draft() -> None:
    answer = {"id": "r1", "wrong": "drawing"}
    reply = {"boxes": 3, "approach": "x", "requirements": [THREE, "nonsense"], "mismatches": [answer, {"id": 7}]}
    draft = studio.parse("draft", f"Here it is:\n```json\n{json.dumps(reply)}\n```", None)
    assert (draft.boxes, draft.approach, draft.requirements) == (3, "x", (THREE, "nonsense"))
    assert [(answer.id, answer.wrong) for answer in draft.mismatches] == [("r1", "drawing")]
    with pytest.raises(FormatError, match=r"boxes: .* found 'many'"):
        studio.parse("draft", '{"boxes": "many"}', None)


def test_statements_are_kept_and_restated() -> None:
    again = Draft(boxes=4, requirements=({**THREE, "id": "r1", "number": 4, "reason": "one more"},))
    (kept,) = again.stated(boxes(3, {"id": "r1", **THREE}))
    assert isinstance(kept, dict)
    assert (kept["id"], kept["number"]) == ("r1", 4)


def test_the_report_measures_what_is_stated() -> None:
    report = studio.check(boxes(2, THREE), None, BRIEF)
    assert kinds(report) == {"requirement.count": "note"}
    assert (report.valid, report.unchecked) == (True, ())
    assert studio.check(boxes(3, THREE), None, BRIEF).requirements[0].outcome == "met"
    assert studio.check(boxes(3), None, BRIEF).unchecked == ("three boxes",)
    assert kinds(studio.check(boxes(0), None, BRIEF)) == {"boxes.none": "error"}


def test_heuristics_have_the_severities_in_force() -> None:
    many = boxes(6)
    assert kinds(studio.check(many, None, BRIEF)) == {"boxes.many": "note", "boxes.odd": "note"}
    strict = {"boxes.many": "warning", "boxes.odd": "note"}
    assert kinds(studio.check(many, None, BRIEF, "strict")) == strict
    assert kinds(studio.check(many, None, BRIEF, "off")) == {}


def test_a_studio_names_its_default_severities() -> None:
    class Certain(BoxStudio):
        severities: ClassVar[Mapping[str, Severity]] = {"boxes.many": "error", "boxes.odd": "error"}

    report = Certain().check(boxes(6), None, BRIEF)
    assert kinds(report) == {"boxes.many": "error", "boxes.odd": "note"}, "a rule's own note stays one"
    assert kinds(Certain().check(boxes(6), None, BRIEF, "strict")) == {"boxes.many": "warning", "boxes.odd": "note"}


def test_answers_are_kept_with_the_statements() -> None:
    first = Draft(boxes=2, requirements=(THREE,), mismatches=(Mismatch(id="r1", wrong="statement", reason="two"),))
    (stated,) = first.stated(None)
    assert isinstance(stated, dict)
    assert (stated["judged"], stated["reason"]) == ("withdrawn", "two")
    report = studio.check(boxes(2, stated), None, BRIEF)
    assert (kinds(report), report.unchecked) == ({}, ("three boxes",))
    upheld = {**THREE, "id": "r1", "judged": "upheld"}
    assert kinds(studio.check(boxes(2, upheld), None, BRIEF)) == {"requirement.count": "error"}


def test_what_the_base_has_too_is_inherited_unless_it_is_worse() -> None:
    report = studio.check(boxes(7), boxes(6), BRIEF)
    assert (kinds(report), [issue.code for issue in report.inherited]) == ({}, ["boxes.many", "boxes.odd"])
    same, worse = (studio.check(boxes(n, THREE), boxes(2, THREE), BRIEF) for n in (2, 1))
    assert (kinds(same), len(same.inherited)) == ({}, 1)
    assert kinds(worse) == {"requirement.count": "note"}


async def test_files_are_delivered_by_their_roles(tmp_path: Path) -> None:
    resources = resources_in(tmp_path)
    artifact = await studio.execute(Draft(boxes=3, requirements=(THREE,)), None, resources)
    files = studio.deliver(artifact, tmp_path / "run", resources)
    assert {role: path.name for role, path in files.items()} == {
        "json": "boxes.json", "svg": "boxes.svg", "txt": "boxes.txt",
    }  # fmt: skip
    assert studio.illustrate(artifact, Report(), resources) == {"plain": (".svg", b"<svg/>")}
    assert await studio.render(artifact, (), resources) == []  # there is not a PNG
    again = studio.open(Brief.of("four", on=tmp_path / "run"))
    assert again is not None
    assert again.requirements == ({"id": "r1", **THREE, "agreed": True},)


def test_a_missing_program_is_said_before_the_run() -> None:
    with pytest.raises(MissingPartError, match="needs the program no-such-program: get it somewhere"):
        studio.prepare(base.StudioSettings(), BRIEF)


class TestOutput:
    async def run(self, folder: Path, script: str, **more: Any) -> str:
        return (await resources_in(folder).output("sh", "-c", script, **more)).decode()

    async def test_text_in_and_bytes_out(self, tmp_path: Path) -> None:
        assert await self.run(tmp_path, "cat", text="a\nb") == "a\nb"

    async def test_it_has_no_variables_but_those_that_are_given(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "secret")
        assert await self.run(tmp_path, 'echo "$OPENAI_API_KEY-$MINE"', env={"MINE": "x"}) == "-x\n"

    async def test_a_failure_is_e1_in_its_own_words(self, tmp_path: Path) -> None:
        with pytest.raises(ExecutionError, match=r"^line 7: no$"):
            await self.run(tmp_path, "echo line 7: no >&2; exit 3")
        with pytest.raises(ExecutionError, match="sh failed with exit code 3"):
            await self.run(tmp_path, "exit 3")

    async def test_it_is_stopped_in_time(self, tmp_path: Path) -> None:
        with pytest.raises(ExecutionError, match=r"sh ran longer than 0\.2 s"):
            await self.run(tmp_path, "exec sleep 20", seconds=0.2)

    async def test_a_missing_program_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(MissingPartError, match="no-such-program"):
            await resources_in(tmp_path).output("no-such-program")


class TestCompose:
    """The one request of a studio that has a few templates of its own."""

    @pytest.fixture
    def boxes(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BoxStudio:
        prompts = tmp_path / "boxing" / "prompts"
        prompts.mkdir(parents=True)
        monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
        (tmp_path / "boxing" / "__init__.py").touch()
        for name in ("system", "system_short", "fix_format", "fix_critique"):
            (prompts / f"{name}.md.j2").write_text(
                f"{name} {{{{ lid }}}} {{{{ kinds | length }}}} {{{{ instruction }}}}"
            )

        class Boxing(BoxStudio):
            __module__ = "boxing"

            def inputs(self, request: StudioRequest[Boxes]) -> dict[str, JsonValue]:
                return {"lid": "with a lid", "instruction": "BOXES", "unused": 1}

            def pictures(self, request: StudioRequest[Boxes]) -> tuple[Picture, ...]:
                return request.pictures[:1]

        return Boxing()

    def asked(self, studio: BoxStudio, kind: Kind, **facts: Any) -> tuple[ChatStep, Request]:
        (step,) = studio.compose(request_for(kind, Facts(BRIEF, **facts))).nodes
        assert isinstance(step, ChatStep)
        return step, request_of(step, {}, "x", 1)

    @pytest.mark.parametrize(
        ("kind", "of", "failure_class", "templates"),
        [
            ("draft", "draft", "E2", ("system", "draft")),
            ("edit", "draft", "E2", ("system_short", "edit")),
            ("repair", "draft", "E2", ("system_short", "repair")),
            ("critique", "draft", "E2", ("system_critic", "critique")),
            ("fix", "draft", "E2", ("system", "fix_format")),
            ("fix", "draft", "E1", ("system", "fix")),
            ("fix", "edit", "E1", ("system_short", "fix")),
            ("fix", "repair", "E2", ("system_short", "fix_format")),
            ("fix", "critique", "E2", ("system_critic", "fix_critique")),
        ],
    )
    def test_the_most_specific_templates_are_used(
        self, boxes: BoxStudio, kind: Kind, of: Kind, failure_class: Any, templates: tuple[str, str]
    ) -> None:
        failure = Failure(failure_class=failure_class, message="no")
        step, request = self.asked(boxes, kind, of=of, failure=failure)
        assert (step.system, step.template) == templates
        assert (step.name, request.kind) == (kind, f"boxes.{kind}")
        assert (request.output_schema is not None) == ("critique" in (kind, of))

    def test_a_studio_adds_and_replaces_inputs_and_chooses_pictures(self, boxes: BoxStudio) -> None:
        pictures = tuple(Picture(name=f"{n}.png", png=b"") for n in range(2))
        _, request = self.asked(boxes, "draft", pictures=pictures)
        assert request.messages[0].text.startswith("system with a lid")
        assert request.messages[0].text.endswith("BOXES\n")
        assert "unused" not in request.inputs
        assert request.pictures == pictures[:1]

    def test_the_short_system_message_explains_requirements_where_they_are_due(self, boxes: BoxStudio) -> None:
        broken = Report(set_aside=("r1: no such part",))
        for due, kind, facts in (
            (True, "draft", {}),
            (True, "edit", {}),
            (False, "edit", {"history": "ITERATION HISTORY"}),
            (True, "edit", {"history": "ITERATION HISTORY", "report": broken}),
            (False, "repair", {}),
            (True, "repair", {"report": broken}),
            (True, "draft", {"strict": True}),
        ):
            _, request = self.asked(boxes, cast("Kind", kind), **cast("dict[str, Any]", facts))
            assert bool(request.inputs["kinds"]) is due, (kind, facts)

    def test_heuristics_are_listed_where_no_critic_looks(self, boxes: BoxStudio) -> None:
        report = Report(issues=(Issue(code="boxes.odd", severity="note", basis="heuristic", message="odd"),))
        shown = {
            (kind, sees): "boxes.odd" in self.asked(boxes, kind, report=report, sees=sees)[1].messages[-1].text
            for kind in cast("tuple[Kind, ...]", ("edit", "repair", "critique"))
            for sees in (False, True)
        }
        assert {each for each, yes in shown.items() if yes} == {
            ("repair", False), ("critique", False), ("critique", True),
        }  # fmt: skip
