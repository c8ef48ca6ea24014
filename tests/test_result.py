"""Scores are the specification's arithmetic."""

import pytest

from redraft.result import (
    MAX_FINDINGS,
    MAX_ISSUES,
    Basis,
    Heuristics,
    Issue,
    Measured,
    Report,
    Severity,
    Usage,
    Verdict,
    gist,
    judged,
    lacking,
    limited,
    outcome_of,
    rest_of,
)

MET = Measured(id="r1", kind="count", words="3 × kite_*", outcome="met")


def report(*severities: Severity, heuristics: Heuristics = "strict", basis: Basis = "heuristic") -> Report:
    issues = tuple(Issue(code="overlap.cover", severity=s, message="m", basis=basis) for s in severities)
    return Report(issues=issues, heuristics=heuristics)


@pytest.mark.parametrize(
    ("found", "score", "valid"),
    [
        (report(), 1.0, True),
        (report("warning"), 0.9, True),
        (report("warning", "warning", "warning"), 0.7, True),
        (report("warning", "warning", "warning", "warning"), 0.6, False),
        (report("error"), 0.7, False),
        (report("error", "error"), 0.4, False),
        (report("error", "error", "error", "error"), 0.0, False),
        (report("note", "note", "note", "note"), 1.0, True),
    ],
)
def test_score_and_validity(found: Report, score: float, valid: bool) -> None:
    assert (found.score, found.valid) == (score, valid)


def test_in_a_run_a_low_score_alone_does_not_make_it_not_valid() -> None:
    warned = report("warning", "warning", "warning", "warning", "note", heuristics="default")
    assert (warned.score, warned.valid) == (0.6, True)
    assert not report("error", heuristics="default").valid


def test_a_requirement_that_nothing_was_decided_about_is_a_note_until_it_is_upheld() -> None:
    broken = Issue(code="requirement.count", severity="note", message="m", basis="requirement", requirement="r1")
    pending = Report(issues=(broken,))
    assert (pending.valid, pending.mismatches, pending.upheld().valid) == (True, (broken,), False)
    assert pending.upheld().mismatches == ()


def test_a_heuristic_has_the_severity_in_force() -> None:
    found = [
        Issue(code="a.b", severity="error", message="m", basis="heuristic"),
        Issue(code="c.d", severity="error", message="m"),
    ]
    assert [i.severity for i in judged(found, "strict")] == ["error", "error"]
    assert [i.severity for i in judged(found, "default")] == ["note", "error"]
    assert [i.severity for i in judged(found, "default", {"a.b": "error"})] == ["error", "error"]
    assert [i.code for i in judged(found, "off")] == ["c.d"]


@pytest.mark.parametrize(
    ("found", "verdict", "valid", "outcome"),
    [
        (Report(), Verdict(by="none", satisfied=None), True, "unchecked"),
        (Report(), Verdict(by="critic", satisfied=True), True, "valid"),
        (Report(), Verdict(by="none", satisfied=None), False, "not valid"),
        (report(), Verdict(by="none", satisfied=None), True, "valid"),
        (Report(requirements=(MET,)), Verdict(by="none", satisfied=None), True, "valid"),
        (Report(requirements=(MET,), stand_ins=("dragon",)), Verdict(by="none", satisfied=None), False, "incomplete"),
        (
            report("error").model_copy(update={"stand_ins": ("dragon",)}),
            Verdict(by="none", satisfied=None),
            False,
            "not valid",
        ),
    ],
)
def test_where_nothing_was_measured_and_nobody_looked_the_outcome_is_unchecked(
    found: Report, verdict: Verdict, valid: bool, outcome: str
) -> None:
    assert outcome_of(found, verdict, valid=valid) == outcome


def test_inherited_issues_never_score() -> None:
    old = Issue(code="overlap.cover", severity="error", message="m")
    assert Report(inherited=(old, old)).score == 1.0


def test_the_line_of_the_specification() -> None:
    issue = Issue(code="symmetry.side", severity="error", message="ear_left and ear_right overlap horizontally")
    assert issue.line() == "[ERROR] symmetry: ear_left and ear_right overlap horizontally"


def test_a_report_survives_json() -> None:
    found = report("error", "note")
    assert Report.model_validate_json(found.model_dump_json()) == found


def test_an_unknown_price_makes_the_sum_unknown() -> None:
    assert (Usage(calls=1, cost=0.5) + Usage(calls=1, cost=0.25)).cost == 0.75
    assert (Usage(calls=1, cost=0.5) + Usage(calls=1, cost=None)).cost is None


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("0:2(3): error: `a' undeclared\n0:3(1): error: more", "0:2(3): error: `a' undeclared"),
        (
            'Traceback (most recent call last):\n  File "script.py", line 4, in <module>: f(x)\nNameError: name '
            "'x' is not defined\n\nIn Blender 5.0.1:\n- x is not there",
            "NameError: name 'x' is not defined",
        ),
        (
            'The script is not valid Python; none of it was run.\n  File "script.py", line 7\n    x = = 3\n        ^\n'
            "SyntaxError: invalid syntax\n\nIn Blender 5.0.1:\n- x is not there",
            "line 7: invalid syntax: x = = 3",
        ),
        (
            f'Not valid.\n  File "script.py", line 7\n    {"a + " * 40}\n    ^\nSyntaxError: invalid syntax',
            f"line 7: invalid syntax: {'a + ' * 19}a …",
        ),
        ('Not valid.\n  File "script.py", line 7\nIndentationError: bad indent', "line 7: bad indent"),
        (
            "The script is not valid Python; none of it was run.\nSyntaxError: source code string cannot contain null "
            "bytes",
            "SyntaxError: source code string cannot contain null bytes",
        ),
        ("The script is not valid Python; none of it was run.\nMemoryError", "MemoryError"),
        (
            "It ran longer than 60 s and was stopped. It was then at:\n"
            '  File "script.py", line 3, in build: cube.scale = 2\nMake it do less.',
            "It ran longer than 60 s and was stopped. It was then at line 3, in build: cube.scale = 2",
        ),
        ("It ran longer than 60 s and was stopped.\nMake it do less.", "It ran longer than 60 s and was stopped."),
        ("Traceback (most recent call last):\n  cut off", "Traceback (most recent call last):"),
        ("", "no message"),
    ],
)
def test_the_gist_of_an_error_is_the_line_that_says_what_is_wrong(message: str, said: str) -> None:
    assert gist(message) == said


def test_a_long_thing_that_is_missing_is_cut_between_words() -> None:
    thing = "The light comes from behind, so that every single edge of it glows"
    said = lacking(Report(stand_ins=(thing,)), "sketch")
    assert "placeholders: The light comes from behind, so that every single edge of …;" in said


def _issues(number: int, code: str = "overlap.objects", severity: Severity = "error") -> tuple[Issue, ...]:
    return tuple(Issue(code=code, severity=severity, message=f"{n}", subjects=(f"part_{n}",)) for n in range(number))


def test_a_cut_report_has_the_score_of_the_whole_one() -> None:
    whole = Report(issues=_issues(MAX_ISSUES + 10) + _issues(3, "size.small", "warning"))
    report = whole.cut()
    assert report.issues[:MAX_ISSUES] == whole.issues[:MAX_ISSUES]
    assert [issue.message for issue in report.issues if not issue.subjects] == ["and 10 more of this kind"]
    assert report.count("error") == whole.count("error") == MAX_ISSUES + 10
    assert (report.score, report.valid) == (whole.score, whole.valid)
    assert report.cut() == report


def test_warnings_that_are_only_counted_cost_as_much_as_others() -> None:
    rest = rest_of(_issues(1, severity="warning")[0], 9)
    assert Report(issues=(*_issues(1, "size.small", "warning"), rest)).score == 0.0


def test_a_report_within_the_limits_is_left_alone() -> None:
    whole = Report(issues=_issues(MAX_ISSUES + 1))
    assert whole.cut() is whole


def test_broken_requirements_are_never_cut() -> None:
    stated = tuple(i.model_copy(update={"basis": "requirement", "requirement": i.message}) for i in _issues(200))
    assert Report(issues=stated).cut().issues == stated


def test_a_cut_list_that_is_cut_again_counts_all() -> None:
    found = tuple(limited(_issues(MAX_FINDINGS + 40)))
    assert len(found) == MAX_FINDINGS + 1
    report = (Report(issues=found).cut() + Report(issues=_issues(30))).cut()
    assert report.issues[-1].message == f"and at least {MAX_FINDINGS + 1 + 30 - MAX_ISSUES} more of this kind"


def test_a_name_of_any_length_does_not_make_a_report_long() -> None:
    [issue] = (
        Report(issues=(Issue(code="a.b", severity="error", message="x" * 100_000, hint="y" * 100_000),)).cut().issues
    )
    assert len(issue.message) == len(issue.hint) == 1_000
