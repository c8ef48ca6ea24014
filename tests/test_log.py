"""Events as log lines."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from asked_run import COVER, MISSING, STATED, WHOLE, asked_run
from run_writer import RunWriter

from redraft.events import Attempted, RuledIssue
from redraft.log import answer_of, done_about, issue_line, log_lines, quoted, statements
from redraft.result import Issue, Report, Ruling
from redraft.transcript import Record


@pytest.fixture
def lines(tmp_path: Path) -> list[str]:
    writer = RunWriter(tmp_path / "run")
    with writer.journal:
        asked_run(writer)
    return [line for event in Record.load(writer.folder).events for line in log_lines(event)]


def test_a_draft_says_what_was_stated_and_what_is_asked(lines: list[str]) -> None:
    assert lines[:9] == [
        "[ITERATION 0] Validation score: 1.00, valid: True",
        "  4 of 5 statements measured: 3 hold, broken: r2 (exactly 3 × book_* within each of shelf_*)",
        '  set aside: r5 (color, "warm evening light"): no part matches "lamp_*"',
        "  not measured: “A bookshelf with”, “and a cat sleeping”, “in warm evening light”",
        "  [QUESTION] r2 count: shelf_2 has 2 × book_*; “three books on each” asks for 3",
        "  [QUESTION] q1 overlap: cat and bookshelf overlap by 8 % of the smaller one",
        "    prepared fix: move cat up by 0.012",
        "  [WARNING] size: book_1 and book_5 differ in height by a factor of 1.4",
        "[ITERATION 0] Validation PASSED with open questions - asking the model (iteration 1/2)",
    ]


def test_what_a_draft_does_not_measure_is_said_once(lines: list[str]) -> None:
    assert sum(line.startswith("  not measured:") for line in lines) == 2  # the draft's and the edit's


def test_answers_and_what_is_not_used(lines: list[str]) -> None:
    assert "[RULED] r2 by the drafting model: must change (The brief wants three books on each shelf.)" in lines
    assert "[RULED] q1 by the critic: intended (A cat that lies on a shelf touches it.)" in lines
    assert lines[-1] == "[DISCARDED] the edit of turn 2, because the critic prefers the earlier one"
    at = lines.index("[CRITIC] prefers the later of the two")
    assert lines[at + 1 : at + 4] == [
        "[CRITIC] not satisfied (0.7): Everything is there, but nothing says evening.",
        "  [MUST] The light: the wall is plain; evening light needs a warm glow from one side.",
        "  [MINOR] The cat's tail is hidden; a curled tail would read better.",
    ]
    assert "  [ERROR] r2 count: shelf_4 has 1 × book_*; “three books on each” asks for 3" in lines


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (Report(), ""),
        (Report(requirements=WHOLE), "4 of 4 statements measured: all hold"),
        (Report(requirements=WHOLE[:1]), "1 of 1 statement measured: all hold"),
        (Report(set_aside=("r1: no",)), "0 of 1 statement measured"),
        (Report(requirements=STATED[1:2]), "1 of 1 statement measured: 0 hold, broken: r2 (exactly 3 × book_* within "
         "each of shelf_*)"),
    ],
)  # fmt: skip
def test_statements_in_a_line(report: Report, said: str) -> None:
    assert statements(report) == said


def test_an_issue_without_an_id_has_the_line_of_the_specification() -> None:
    issue = Issue(code="symmetry.gap", severity="error", message="ear_left and ear_right overlap horizontally")
    assert issue_line(issue) == "[ERROR] symmetry: ear_left and ear_right overlap horizontally"
    assert issue_line(MISSING).startswith("[QUESTION] r2 count: shelf_2")
    assert issue_line(COVER).startswith("[QUESTION] q1 overlap: cat")


@pytest.mark.parametrize(
    ("ruling", "changes", "answer", "done"),
    [
        (None, {}, "not answered", ""),
        (None, {"applied": "move cat up"}, "not answered", "applied: move cat up"),
        ("must", {"dropped": "it would cover the lamp"}, "must change", "not applied, because it would cover the lamp"),
        ("minor", {}, "minor", ""),
        ("correction", {}, "stated wrongly", ""),
    ],
)
def test_answers_in_words(ruling: str | None, changes: dict[str, str], answer: str, done: str) -> None:
    word = "must" if ruling == "correction" else ruling
    correction = {"kind": "count"} if ruling == "correction" else None
    fields = {"id": "q1", "ruling": word, "correction": correction}
    made = None if ruling is None else Ruling.model_validate(fields)
    one = RuledIssue.model_validate({"id": "q1", "code": "a.b", "message": "m", "ruling": made, **changes})
    assert (answer_of(one), done_about(one)) == (answer, done)


def test_phrases_are_quoted() -> None:
    assert quoted(("at dusk", "in fog")) == "“at dusk”, “in fog”"


def test_what_a_check_says_of_itself_is_not_quoted_as_words_of_the_brief() -> None:
    assert quoted(("at dusk", "KiCad's check did not run: drc is never")) == (
        "“at dusk”, KiCad's check did not run: drc is never"
    )


def test_a_repair_without_a_summary_is_a_new_draft() -> None:
    fields = {"kind": "repair", "ran": True, "retry_count": 0, "errors": (), "approach": "", "index": 1}
    event = Attempted.model_validate({"key": "k", "at": datetime.now(UTC), "summary": "", **fields})
    assert log_lines(event) == ["[ITERATION 1] Repair generated a new draft"]
