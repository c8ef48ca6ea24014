"""Prints the notes of a release, its section of CHANGELOG.md: `python scripts/release_notes.py v1.2.3`.

Refuses a tag that is not the version in pyproject.toml, and a version without a section.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def notes(tag: str, root: Path = ROOT) -> str:
    """Return the section of the version that a tag names. Ends the process with a message if there is none."""
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    if tag != f"v{version}":
        sys.exit(f"error: the tag is {tag}, the version in pyproject.toml {version}. Set one to match the other.")
    text = (root / "CHANGELOG.md").read_text("utf-8")
    found = re.search(rf"^## \[?{re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None or not found[1].strip():
        sys.exit(f'error: CHANGELOG.md has no section "## {version}". Rename "## Unreleased" to it.')
    return found[1].strip() + "\n"


if __name__ == "__main__":
    sys.stdout.write(notes(sys.argv[1]))
