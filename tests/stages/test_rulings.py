"""What is asked, what is carried over, and when one candidate is worse than another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.result import Issue, Measured, Report, Ruling
from redraft.rulings import MOST, Rulings, grown, worse


def doubt(code: str, *subjects: str, found: float = 1.0) -> Issue:
    return Issue(
        code=code,
        severity="question",
        basis="heuristic",
        status="open",
        message=f"{code} of {', '.join(subjects)}",
        subjects=subjects,
        numbers={"found": found, "expected": 0.0},
    )


def broken(name: str) -> Issue:
    return Issue(
        code="requirement.count",
        severity="question",
        basis="requirement",
        status="open",
        message=name,
        id=name,
        requirement=name,
    )


def stated(name: str, kind: str = "count", words: str = "", subjects: tuple[str, ...] = ()) -> Measured:
    return Measured(id=name, kind=kind, words=words or name, outcome="met", subjects=subjects)


def asked(report: Report) -> list[str]:
    return [issue.id for issue in report.questions]


def test_one_question_for_each_rule_and_sort_of_part() -> None:
    issues = (
        doubt("gravity.floating", "tree_1"),
        doubt("gravity.floating", "tree_2"),
        doubt("gravity.floating", "cat"),
    )
    report = Rulings().applied(Report(issues=issues))
    assert asked(report) == ["q1", "q2"]
    assert [(i.severity, i.status) for i in report.issues] == [
        ("question", "open"),
        ("warning", "unasked"),
        ("question", "open"),
    ]


@given(st.lists(st.sampled_from(["overlap.objects", "size.small", "gravity.floating"]), max_size=20))
def test_never_more_than_the_most(codes: list[str]) -> None:
    issues = tuple(doubt(code, f"part {'abcdefghijklmnopqrstuvwxyz'[i]}") for i, code in enumerate(codes))
    report = Rulings().applied(Report(issues=issues))
    assert len(asked(report)) == min(MOST, len(codes))
    assert len(report.issues) == len(codes)  # nothing is lost
    assert report.valid
    assert report.score == 1.0


@pytest.mark.parametrize(
    ("kind", "subjects", "left"),
    [
        ("symmetry", ("ear_left", "ear_right", "head"), 0),
        ("symmetry", ("ear_left",), 1),
        ("count", ("ear_left", "ear_right"), 1),
    ],
)
def test_nothing_is_asked_that_a_requirement_measures(kind: str, subjects: tuple[str, ...], left: int) -> None:
    report = Report(
        issues=(doubt("symmetry.size", "ear_left", "ear_right"),), requirements=(stated("r1", kind, "", subjects),)
    )
    assert len(Rulings().applied(report).questions) == left


@pytest.mark.parametrize(
    ("word", "severity", "status"),
    [("must", "error", "upheld"), ("minor", "warning", "minor"), ("intended", "hint", "intended")],
)
def test_a_ruling_carries_over_by_code_and_subjects(word: str, severity: str, status: str) -> None:
    rulings = Rulings()
    first = rulings.applied(Report(issues=(doubt("size.small", "key"),)))
    rulings.answer(first.questions, [Ruling.model_validate({"id": "q1", "ruling": word})], "critic")
    again = rulings.applied(Report(issues=(doubt("size.small", "key", found=1.4), doubt("size.small", "coin"))))
    assert [(i.id, i.severity, i.status) for i in again.issues] == [
        ("q1", severity, status),
        ("q2", "question", "open"),
    ]
    reopened = rulings.applied(Report(issues=(doubt("size.small", "key", found=1.6),)))
    assert asked(reopened) == ["q1"]


def test_silence_is_a_warning_that_is_not_asked_again() -> None:
    rulings = Rulings()
    first = rulings.applied(Report(issues=(doubt("size.small", "key"),)))
    rulings.answer(first.questions, [], "critic")
    again = rulings.applied(Report(issues=(doubt("size.small", "key"),)))
    assert [(i.severity, i.status) for i in again.issues] == [("warning", "open")]


def test_an_answer_to_what_was_not_asked_changes_nothing() -> None:
    rulings = Rulings()
    first = rulings.applied(Report(issues=(doubt("size.small", "key"),)))
    rulings.answer(first.questions, [Ruling(id="q7", ruling="must"), Ruling(id="r1", ruling="intended")], "critic")
    assert not rulings.upheld
    assert [i.severity for i in rulings.applied(first).issues] == ["warning"]


def test_a_requirement_cannot_be_waived() -> None:
    rulings = Rulings()
    first = rulings.applied(Report(issues=(broken("r1"),)))
    rulings.answer(first.questions, [Ruling(id="r1", ruling="intended")], "model")
    assert [(i.severity, i.status) for i in rulings.applied(Report(issues=(broken("r1"),))).issues] == [
        ("error", "upheld")
    ]


def test_only_shared_requirements_make_a_candidate_worse() -> None:
    both = (stated("r1"), stated("r2"))
    earlier = Report(issues=(broken("r1"),), requirements=both)
    later = Report(issues=(broken("r2"), broken("r3")), requirements=(*both, stated("r3")))
    assert worse(earlier, later) == (1, 1)
    reworded = Report(issues=(), requirements=(stated("r1", words="another"), stated("r2")))
    assert worse(earlier, reworded) == (0, 0)


def test_what_has_grown() -> None:
    before = Report(issues=(doubt("size.small", "key"), doubt("size.small", "coin", found=2.0)))
    after = Report(
        issues=(doubt("size.small", "key", found=1.1), doubt("size.small", "coin"), doubt("size.large", "sea"))
    )
    assert [i.message for i in grown(before, after)] == ["size.small of key", "size.large of sea"]
    assert grown(before, before) == []


def test_what_was_not_among_the_most_is_not_asked_once_others_are_answered() -> None:
    issues = tuple(doubt("size.small", f"part {'abcde'[i]}") for i in range(5))
    rulings = Rulings()
    first = rulings.applied(Report(issues=issues))
    rulings.answer(first.questions, [Ruling(id="q1", ruling="intended")], "critic")
    again = rulings.applied(first)
    assert again.questions == ()
    assert [issue.status for issue in again.issues] == ["intended", "open", "open", "unasked", "unasked"]


def test_what_was_intended_of_one_is_not_asked_of_its_likes() -> None:
    rulings = Rulings()
    first = rulings.applied(Report(issues=(doubt("symmetry.lonely", "window_1"),)))
    rulings.answer(first.questions, [Ruling(id="q1", ruling="intended")], "critic")
    later = rulings.applied(Report(issues=(doubt("symmetry.lonely", "window_2"), doubt("symmetry.lonely", "door_1"))))
    assert [(i.status, i.severity) for i in later.issues] == [("intended", "hint"), ("open", "question")]
