"""What every request says of requirements, questions and findings."""

from __future__ import annotations

from typing import Any

from pydantic import JsonValue
from request_for import Facts, request_for

from redraft.brief import Brief
from redraft.conversation import Prompts
from redraft.result import Issue, Measured, Picture, Report, Ruling
from redraft.studios.wording import asked_of, critique_inputs, findings_of, stated_of, stating

QUESTION = Issue(code="a.b", severity="question", message="m", basis="heuristic", status="open", id="q1", fix="f")
BROKEN = Issue(
    code="requirement.count",
    severity="question",
    message="2 found",
    basis="requirement",
    status="open",
    id="r1",
    requirement="r1",
)
STATED = Measured(id="r1", kind="count", quote="three books", words="3 × book_*", outcome="broken", found="2 found")


def report(*issues: Issue, **more: Any) -> Report:
    return Report(issues=issues, **more)


def test_questions_carry_their_statement_and_fix_broken_statements_first() -> None:
    shown = [Picture(name="after-q1.png", png=b"")]
    raw: list[JsonValue] = [{"id": "r1", "number": 3}, None, "nonsense"]
    first, second = asked_of(report(QUESTION, BROKEN, requirements=(STATED,)), shown, raw)
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert (first["id"], first["statement"], first["quote"], first["after"]) == (
        "r1",
        '{"id": "r1", "number": 3}',
        "three books",
        "",
    )
    assert (second["id"], second["fix"], second["after"]) == ("q1", "f", "after-q1.png")


def test_the_same_is_not_said_twice() -> None:
    minor = QUESTION.model_copy(update={"severity": "warning", "status": "minor"})
    silent = QUESTION.model_copy(update={"severity": "warning"})
    unasked = QUESTION.model_copy(update={"severity": "warning", "status": "unasked"})
    must = QUESTION.model_copy(
        update={"severity": "error", "status": "upheld", "ruling": Ruling(id="q1", ruling="must", reason="it floats")}
    )
    whole = report(minor, silent, unasked, must)
    assert asked_of(whole) == []
    assert [f["reason"] for f in findings_of(whole) if isinstance(f, dict)] == ["it floats"]
    assert [f["thumb"] for f in findings_of(whole, unasked=True) if isinstance(f, dict)] == [False, True]


def test_without_a_report_there_is_nothing_to_say() -> None:
    assert asked_of(None) == findings_of(None) == []
    assert stated_of(None) == {"requirements": [], "set_aside": [], "unmeasured": []}


def test_a_critique_renders_with_nothing_and_with_everything() -> None:
    prompts = Prompts("redraft.studios.sketch")
    brief = Brief.of("three books")
    full = report(QUESTION, BROKEN, requirements=(STATED,), set_aside=("r2: no",), unchecked=("asleep",))
    pictures = tuple(Picture(name=name, png=b"") for name in ("A-x.png", "B-x.png", "marked.png", "after-q1.png"))
    for facts in (
        Facts(brief=brief),
        Facts(brief=brief, report=full, pictures=pictures, compares=True, last=True, may_look=True),
    ):
        inputs = critique_inputs(request_for("critique", facts), "the drawing")
        for name in ("_pictures", "_stated", "_findings", "_questions", "_answer_critique"):
            used = {key: value for key, value in inputs.items() if key in prompts.names(name)}
            text = prompts.render(name, used)
            assert "None" not in text


def test_how_to_state_requirements_is_short() -> None:
    prompts = Prompts("redraft.studios.sketch")
    for medium in ("drawing", "scene"):
        assert len(prompts.render("_requirements", stating(medium))) < 4_200
    assert prompts.render("_requirements", stating("scene", wanted=False)).strip() == ""
    assert "meters" in prompts.render("_requirements", stating("scene"))
