"""Events as log lines."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from asked_run import COVER, FINAL, HIDDEN, MISSING, STATED, asked_run
from run_writer import RunWriter

from redraft.record.events import Attempted, Validated
from redraft.record.log import MAX_NOTES, answer_line, issue_line, log_lines, quoted, statements
from redraft.record.transcript import Record
from redraft.result import Issue, Mismatch, Report


@pytest.fixture
def lines(tmp_path: Path) -> list[str]:
    writer = RunWriter(tmp_path / "run")
    with writer.journal:
        asked_run(writer)
    return [line for event in Record.load(writer.folder).events for line in log_lines(event)]


def test_a_draft_lists_errors_then_warnings_then_notes(lines: list[str]) -> None:
    assert lines[:11] == [
        "[ITERATION 0] Validation score: 0.60, valid: False",
        "  4 of 5 statements measured: 2 hold, broken: r2 (exactly 3 × book_* within each of shelf_*), r4 (equal gaps "
        "between shelf_1, shelf_2, shelf_3, ground)",
        '  set aside: r5 (color, "warm evening light"): no part matches "lamp_*"',
        "  not measured: “A bookshelf with”, “and a cat sleeping”, “in warm evening light”",
        "  [ERROR] overlap: book_2 is hidden behind book_3",
        "  [WARNING] size: book_1 and book_5 differ in height by a factor of 1.4",
        "  [NOTE] r2 count: shelf_2 has 2 × book_*; “three books on each” asks for 3",
        "  [NOTE] r4 spacing: the gaps are 0.142, 0.145, 0.220",
        "  [NOTE] overlap: cat and bookshelf overlap by 8 % of the smaller one",
        "[ITERATION 0] Validation FAILED - attempting repair (iteration 1/2)",
        "[ITERATION 1] Repair generated 14 strokes",
    ]


def test_few_notes_are_listed_and_every_error_before_them() -> None:
    notes = tuple(COVER.model_copy(update={"message": f"note {n}"}) for n in range(MAX_NOTES + 3))
    fields = {"iteration": 1, "candidate": None, "index": 0, "source": "draft", "picture": "", "next": "keep_best"}
    report = Report(issues=(*notes, HIDDEN))
    event = Validated.model_validate({"key": "k", "at": datetime.now(UTC), "report": report, **fields})
    lines = log_lines(event)
    assert lines[1:3] == ["  [ERROR] overlap: book_2 is hidden behind book_3", "  [NOTE] overlap: note 0"]
    assert lines[-2:] == ["  … and 3 more notes", "[ITERATION 0] Validation FAILED - using the best candidate"]
    assert len(lines) == MAX_NOTES + 4


def test_what_a_draft_does_not_measure_is_said_once(lines: list[str]) -> None:
    assert sum(line.startswith("  not measured:") for line in lines) == 2  # the draft's and the edit's


def test_a_verdict_with_its_answers_and_what_is_not_used(lines: list[str]) -> None:
    assert lines[-1] == "[DISCARDED] the edit of turn 2, because the critic prefers the earlier one"
    at = lines.index("[CRITIC] prefers the later of the two")
    assert lines[at + 1 : at + 5] == [
        "[CRITIC] not satisfied (0.7): Everything is there, but nothing says evening.",
        "  [MUST] The light: the wall is plain; evening light needs a warm glow from one side.",
        "  [MINOR] The cat's tail is hidden; a curled tail would read better.",
        "[CRITIC] r4 withdrawn: The ground is no shelf.",
    ]
    assert "[CRITIC] r2: the result is wrong (The lowest shelf lost two books.)" in lines
    assert "  [NOTE] r2 count: shelf_4 has 1 × book_*; “three books on each” asks for 3" in lines


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (Report(), ""),
        (Report(requirements=FINAL[:3]), "3 of 3 statements measured: all hold"),
        (Report(requirements=FINAL), "3 of 3 statements measured: all hold, withdrawn: r4 (equal gaps between shelf_1, "
         "shelf_2, shelf_3, ground): The ground is no shelf."),
        (Report(requirements=FINAL[3:]), "no statement left, withdrawn: r4 (equal gaps between shelf_1, shelf_2, "
         "shelf_3, ground): The ground is no shelf."),
        (Report(requirements=FINAL[:1]), "1 of 1 statement measured: all hold"),
        (Report(set_aside=("r1: no",)), "0 of 1 statement measured"),
        (Report(requirements=STATED[1:2]), "1 of 1 statement measured: 0 hold, broken: r2 (exactly 3 × book_* within "
         "each of shelf_*)"),
    ],
)  # fmt: skip
def test_statements_in_a_line(report: Report, said: str) -> None:
    assert statements(report) == said


def test_only_a_requirement_has_its_id_in_the_line() -> None:
    issue = Issue(code="symmetry.gap", severity="error", message="ear_left and ear_right overlap horizontally")
    assert issue_line(issue) == "[ERROR] symmetry: ear_left and ear_right overlap horizontally"
    assert issue_line(MISSING).startswith("[NOTE] r2 count: shelf_2")
    assert issue_line(COVER).startswith("[NOTE] overlap: cat")


@pytest.mark.parametrize(
    ("wrong", "reason", "line"),
    [
        ("drawing", "", "r1: the result is wrong"),
        ("drawing", "it leans", "r1: the result is wrong (it leans)"),
        ("statement", "", "r1 withdrawn: no reason given"),
        ("statement", "an arc", "r1 withdrawn: an arc"),
    ],
)
def test_answers_in_words(wrong: str, reason: str, line: str) -> None:
    assert answer_line(Mismatch.model_validate({"id": "r1", "wrong": wrong, "reason": reason})) == line


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
