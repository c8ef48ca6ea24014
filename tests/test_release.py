"""What a release refuses, its notes, and the files that hosts read."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / "scripts" / "release_notes.py"


def notes(tag: str, folder: Path, changes: str) -> subprocess.CompletedProcess[str]:
    (folder / "scripts").mkdir()
    (folder / "scripts" / PROGRAM.name).write_text(PROGRAM.read_text("utf-8"), "utf-8")
    (folder / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\n', "utf-8")
    (folder / "CHANGELOG.md").write_text(changes, "utf-8")
    command = [sys.executable, folder / "scripts" / PROGRAM.name, tag]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_notes_are_the_section_of_the_version(tmp_path: Path) -> None:
    ran = notes("v1.2.0", tmp_path, "# Changelog\n\n## 1.2.0 (2026-11-30)\n\n- New: a\n\n## 1.1.0\n\n- Old\n")
    assert (ran.returncode, ran.stdout) == (0, "- New: a\n")


@pytest.mark.parametrize(
    ("tag", "changes", "said"),
    [
        ("v1.3.0", "## 1.3.0\n\n- New\n", "error: the tag is v1.3.0, the version in pyproject.toml 1.2.0."),
        ("v1.2.0", "## Unreleased\n\n- New\n", 'error: CHANGELOG.md has no section "## 1.2.0".'),
        ("v1.2.0", "## 1.2.0\n\n## 1.1.0\n\n- Old\n", 'error: CHANGELOG.md has no section "## 1.2.0".'),
    ],
)
def test_a_release_that_does_not_fit_is_refused(tag: str, changes: str, said: str, tmp_path: Path) -> None:
    ran = notes(tag, tmp_path, changes)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith(said)


def test_the_container_gets_the_files_that_it_copies() -> None:
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Containerfile").read_text("utf-8"), re.MULTILINE)
    named = {name for line in copied for name in line.split()}
    let_in = {line[1:] for line in (ROOT / ".containerignore").read_text("utf-8").split() if line.startswith("!")}
    assert let_in == named
    assert all((ROOT / name).exists() for name in named)
