"""SECURITY.md names a test for each line, and the tests exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "SECURITY.md").read_text("utf-8")


def promises() -> list[str]:
    """The lines of what each thing can and cannot do."""
    part = PAGE.partition("## What each thing")[2].partition("\n## ")[0]
    return [" ".join(line.split()) for line in re.split(r"\n- ", part)[1:]]


def test_each_promise_names_its_test() -> None:
    assert not [line for line in promises() if "tests/" not in line and "test_" not in line]


def test_the_tests_that_are_named_exist() -> None:
    sources = {path: path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")}
    for path in re.findall(r"`(tests/[\w/.]+?)(?:::\w+)?`", PAGE):
        assert (ROOT / path).exists(), path
    for name in re.findall(r"\b(test_\w+)(?!\w*\.py)`", PAGE):
        assert any(f"def {name}(" in text for text in sources.values()), name
