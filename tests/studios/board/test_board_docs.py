"""The page on boards names every code that a report may have."""

from __future__ import annotations

import re
from pathlib import Path

import redraft.studios.board as room

PAGE = (Path(__file__).parents[3] / "docs" / "boards.md").read_text("utf-8")
CODE = r'(?:code=|_issue\(\s*)"((?:board|brief|routing)\.[a-z_]+)"'
SOURCES = Path(str(room.__file__)).parent.rglob("*.py")


def test_every_code_is_explained() -> None:
    codes = set[str]()
    for source in SOURCES:
        codes |= set(re.findall(CODE, source.read_text("utf-8")))
    assert len(codes) > 10
    assert sorted(code for code in codes if f"`{code}`" not in PAGE) == []


def test_every_action_is_explained() -> None:
    from redraft.spatial.actions import ACTIONS

    assert sorted(name for name in ACTIONS if f"`{name}`" not in PAGE) == []


def test_every_field_of_a_reply_is_explained() -> None:
    from redraft.studios.board.spec import Stated, Waiver

    fields = {*Stated.model_fields, *Waiver.model_fields} - {"action"}
    assert sorted(name for name in fields if f"`{name}`" not in PAGE and f'"{name}":' not in PAGE) == []
