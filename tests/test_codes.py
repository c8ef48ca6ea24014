"""Tables of findings: the page lists them, the labels agree with them, and quiet notes are not put to models."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from redraft.result import Report, judged
from redraft.studios.board.codes import CODES as BOARDS
from redraft.studios.codes import Code, Codes
from redraft.studios.image.check import CODES as PROMPTS
from redraft.studios.scene.rules.issues import CODES as SCENES
from redraft.studios.shader.check import CODES as SHADERS
from redraft.studios.sketch.rules.issues import CODES as DRAWINGS
from redraft.studios.wording import findings_of

ROOT = Path(__file__).parent.parent
TABLES = {"Drawings": DRAWINGS, "Scenes": SCENES, "Shaders": SHADERS, "Prompts": PROMPTS, "Boards": BOARDS}


def row(name: str, code: Code) -> str:
    strict = ", ".join(filter(None, (code.strict, code.mild)))
    default = code.default if code.basis == "heuristic" else "the same"
    faults = "" if code.faults is None else "{} of {}".format(*code.faults)
    return f"| `{name}` | {strict} | {default} | {faults} | {code.meaning} |"


@pytest.mark.parametrize("title", TABLES)
def test_the_page_lists_every_code_with_both_severities(title: str) -> None:
    page = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    section = page.split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `[a-z_.]+` \|.*$", section, re.MULTILINE)
    assert rows == [row(name, code) for name, code in TABLES[title].items()]


def test_the_faults_of_drawings_are_those_of_the_labels() -> None:
    labels = json.loads((ROOT / "benchmarks/data/rule_labels.json").read_text(encoding="utf-8"))["labels"]
    findings, faults = Counter(one["code"] for one in labels), Counter(one["code"] for one in labels if one["true"])
    listed = {name: code.faults for name, code in DRAWINGS.items() if code.faults is not None}
    assert listed == {name: (faults[name], count) for name, count in findings.items()}


def test_a_heuristic_that_is_an_error_by_default_is_right_on_drafts() -> None:
    errors = {(name, code) for table in TABLES.values() for name, code in table.items() if code.basis == "heuristic"}
    errors = {(name, code) for name, code in errors if code.default == "error"}
    assert {name for name, _ in errors} == {"symmetry.stacked"}
    assert not [name for name, code in errors if code.quiet]


def test_a_quiet_note_stays_in_the_report_and_strict_validation_tells_it() -> None:
    table = Codes(
        {
            "a.wrong": Code("", "warning", mild="note", faults=(0, 2)),
            "a.once": Code("", "warning", faults=(0, 1)),
            "a.right": Code("", "warning", faults=(1, 2)),
            "a.new": Code("", "warning"),
        }
    )
    issues = [*(table.finding(name, "words") for name in table), table.finding("a.wrong", "slight", mild=True)]

    def told(report: Report) -> list[str]:
        return [str(finding["code"]) for finding in findings_of(report, notes=True) if isinstance(finding, dict)]

    by_default = Report(issues=judged(issues, "default", table.severities))
    assert len(by_default.notes) == 5
    assert told(by_default) == ["a.once", "a.right", "a.new"]
    strict = Report(issues=judged(issues, "strict", table.severities), heuristics="strict")
    assert sorted(told(strict)) == sorted(issue.code for issue in issues)


def test_a_request_lists_all_notes_of_a_report() -> None:
    issues = tuple(SCENES.finding("light.flat", f"note {n}") for n in range(30))
    report = Report(issues=judged(issues, "default", SCENES.severities)).cut()
    assert len(findings_of(report, notes=True)) == 30
