"""Wording that requests of every studio share: requirements, findings, pictures."""

from __future__ import annotations

from typing import Any

from pydantic import JsonValue
from request_for import Facts, request_for
from toy import ToyStudio

from redraft.brief import Brief
from redraft.models.conversation import Prompts
from redraft.result import Issue, Measured, Picture, Report
from redraft.studios.defaults import inputs_of
from redraft.studios.wording import findings_of, stated_of, stating

NOTE = Issue(code="a.b", severity="note", message="m", basis="heuristic", subjects=("roof",))
BROKEN = Issue(code="requirement.count", severity="note", message="2 found", basis="requirement", requirement="r1")
STATED = Measured(id="r1", kind="count", quote="three books", words="3 × book_*", outcome="broken", found="2 found")


def report(*issues: Issue, **more: Any) -> Report:
    return Report(issues=issues, **more)


def test_requirements_that_do_not_hold_are_listed_and_the_others_counted() -> None:
    met, near, gone = (
        STATED.model_copy(update={"id": f"r{n}", "outcome": outcome, "changed": "no"})
        for n, outcome in ((2, "met"), (3, "inexact"), (4, "withdrawn"))
    )
    raw: list[JsonValue] = [{"id": "r1", "number": 3, "judged": "upheld"}, None, "nonsense"]
    stated = stated_of(report(BROKEN, requirements=(STATED, met, near, gone)), raw)
    assert isinstance(stated["broken"], list)
    (broken,) = stated["broken"]
    assert isinstance(broken, dict)
    assert (broken["id"], broken["quote"], broken["found"]) == ("r1", "three books", "2 found")
    assert broken["statement"] == '{"number": 3}'
    assert stated["hold"] == 2
    assert stated["withdrawn"] == ["r4 (3 × book_*): no"]


def test_findings_are_without_requirements_and_have_notes_of_heuristics_only_where_they_are_weighed() -> None:
    error, warning = (Issue(code=f"a.{word}", severity=word, message=word) for word in ("error", "warning"))
    whole = report(NOTE, warning, BROKEN, error)

    def codes(entries: list[JsonValue]) -> list[JsonValue]:
        return [entry["code"] for entry in entries if isinstance(entry, dict)]

    assert codes(findings_of(whole)) == ["a.error", "a.warning"]
    assert codes(findings_of(whole, notes=True)) == ["a.error", "a.warning", "a.b"]


def test_without_a_report_there_is_nothing_to_say() -> None:
    assert findings_of(None) == []
    assert not any(stated_of(None).values())


def test_a_critique_renders_with_nothing_and_with_everything() -> None:
    prompts = Prompts("redraft.studios.sketch")
    brief = Brief.of("three books")
    full = report(NOTE, BROKEN, requirements=(STATED,), set_aside=("r2: no",), unchecked=("asleep",))
    pictures = tuple(Picture(name=name, png=b"") for name in ("A-x.png", "B-x.png"))
    for facts in (
        Facts(brief=brief),
        Facts(brief=brief, report=full, pictures=pictures, compares=True, last=True, may_look=True),
    ):
        inputs = inputs_of(ToyStudio(), request_for("critique", facts), facts.pictures)
        for name in ("_pictures", "_stated", "_findings", "_answer_critique"):
            used = {key: value for key, value in inputs.items() if key in prompts.names(name)}
            text = prompts.render(name, used)
            assert "None" not in text


def test_a_critique_is_asked_only_about_requirements_that_nothing_was_decided_about() -> None:
    upheld = BROKEN.model_copy(update={"severity": "error", "requirement": "r2"})
    request = request_for("critique", Facts(brief=Brief.of("x"), report=report(BROKEN, upheld, NOTE)))
    assert inputs_of(ToyStudio(), request)["pending"] == ["r1"]


def test_how_to_state_requirements_is_short() -> None:
    prompts = Prompts("redraft.studios.sketch")
    for medium in ("drawing", "scene"):
        assert len(prompts.render("_requirements", stating(medium))) < 4_800
    assert prompts.render("_requirements", stating("scene", wanted=False)).strip() == ""
    assert "meters" in prompts.render("_requirements", stating("scene"))
