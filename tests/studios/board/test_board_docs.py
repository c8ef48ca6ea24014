"""The page on boards explains every action and every field of a reply."""

from __future__ import annotations

from pathlib import Path

PAGE = (Path(__file__).parents[3] / "docs" / "boards.md").read_text("utf-8")


def test_every_action_is_explained() -> None:
    from redraft.studios.board.actions.registry import ACTIONS

    assert sorted(name for name in ACTIONS if f"`{name}`" not in PAGE) == []


def test_every_field_of_a_reply_is_explained() -> None:
    from redraft.studios.board.spec import Stated, Waiver

    fields = {*Stated.model_fields, *Waiver.model_fields} - {"action"}
    assert sorted(name for name in fields if f"`{name}`" not in PAGE and f'"{name}":' not in PAGE) == []
