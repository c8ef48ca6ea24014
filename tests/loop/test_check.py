"""Rules that other packages add to a studio, as `docs/own-rules.md` has them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from doc_pages import blocks

import redraft
from redraft import extras

PROJECT, RULE, SHOWN = (
    next(block for block in blocks("docs/own-rules.md") if block.language == language)
    for language in ("toml", "python", "sh")
)
pytestmark = pytest.mark.slow


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package of the page, as an installer leaves it; its module may be changed."""
    metadata = tmp_path / "print_rules-0.1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: print-rules\nVersion: 0.1\n")
    group = PROJECT.text.partition("[project.entry-points.")[2].replace('"', "")
    (metadata / "entry_points.txt").write_text(f"[{group}")
    module = tmp_path / "print_rules.py"
    module.write_text(RULE.text)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.chdir(tmp_path)
    extras.installed.cache_clear()
    yield module
    extras.installed.cache_clear()
    sys.modules.pop("print_rules", None)


def test_an_installed_rule_informs_judges_or_is_off(installed: Path) -> None:
    words = "a red balloon over a blue house"
    asked, strict, off = (redraft.sketch(words, heuristics=heuristics) for heuristics in ("default", "strict", "off"))
    for result, severity in ((asked, "note"), (strict, "warning")):
        (issue,) = [issue for issue in result.report.issues if issue.code == "print.colors"]
        assert (issue.severity, issue.basis) == (severity, "heuristic")
        assert issue.message in SHOWN.shown
    assert (asked.report.score, strict.report.score) == (1.0, 0.9)
    assert [issue.code for issue in off.report.issues] == []


def test_an_edit_inherits_what_its_base_has(installed: Path) -> None:
    first = redraft.sketch("a red balloon over a blue house", out="one")
    second = redraft.run("sketch", "make the house green", on=first.run, out="two")
    assert [issue.code for issue in second.report.inherited] == ["print.colors"]


def test_rules_of_other_studios_are_not_asked(installed: Path) -> None:
    assert not [issue for issue in redraft.image("a cat").report.issues if issue.code == "print.colors"]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero; print_rules.py, line 3)"),
        (
            "redraft.Issue(code='a.b', severity='note', message='', found=1)",
            "ValidationError: found: Extra inputs are not permitted, given 1; ",
        ),
    ],
)
def test_a_rule_that_fails_is_named(installed: Path, fault: str, said: str) -> None:
    installed.write_text(f"import redraft\ndef few_colors(drawing):\n    return [{fault}]\n")
    result = redraft.sketch("a house")
    assert result.error is not None
    assert str(result.error["message"]).startswith(f"The rule print_rules:few_colors for sketch failed ({said}")
