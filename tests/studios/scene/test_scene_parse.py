"""Replies to scene requests: what is a script, and what is sent back with which words."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scene_replies import APPLE, reply_of

from redraft.errors import FormatError
from redraft.studios.scene.parse import as_reply, parse
from redraft.studios.scene.spec import MAX_LINES, Change, Draft


def test_a_reply_is_read_and_written() -> None:
    draft = parse(reply_of())
    assert draft.approach == "an apple under the sun"
    assert draft.code == APPLE.removesuffix("\n") or draft.code == APPLE
    assert parse(as_reply(draft)) == draft


@pytest.mark.parametrize("word", ["python", "py", "Python", "", "python3"])
def test_the_word_behind_the_fence_may_be_any(word: str) -> None:
    assert parse(f"APPROACH: x\n```{word}\nimport bpy\n```").code == "import bpy"


def test_only_code_as_a_fix_is_asked_for() -> None:
    draft = parse(f"```python\n# a fixed script\n{APPLE}```")
    assert draft.approach == ""


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("I would build a table first, and then…", "no Blender script"),
        ("```python\n```", "empty"),
        ("```python\nx = 1\n```", "never imports bpy"),
        ("```python\ncamera.location = (1, 2, 3)\n```", "leave nothing out"),
        ("```python\nimport bpy\nx = 1\n```\nor\n```python\nimport bpy\nx = 2\n```", "2 different Blender scripts"),
        ("```python\nimport bpy\n", "```"),
        ("```python\nimport bpy\n" + "x = 1\n" * MAX_LINES + "```", f"at most {MAX_LINES:,}"),
    ],
)
def test_what_is_no_script_is_sent_back(reply: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        parse(reply)


def test_an_illustration_beside_the_script_does_not_confuse() -> None:
    assert parse(f"As in\n```python\nx = radians(3)\n```\n\n{reply_of()}").code == parse(reply_of()).code


def test_the_same_script_twice_is_one() -> None:
    assert parse(reply_of() + reply_of()).code == parse(reply_of()).code


@pytest.mark.parametrize(
    "first", ["import bpy", "import math, bpy", "import bpy, math", "from bpy import data", " import bpy.ops"]
)
def test_every_way_to_import_blender_counts(first: str) -> None:
    assert parse(f"```python\n{first}\n```").code.strip() == first.strip()


SAID = """```json
{"requirements": [{"kind": "count", "parts": ["Apple*"], "number": 1}],
 "mismatches": [{"id": "r1", "wrong": "statement"}, {"id": 7}, "what"],
 "changes": [{"part": "Apple", "reason": "green", "quote": "make it green"}, "Ground", {"reason": "none"}]}
```
"""


def test_what_is_said_beside_the_script_is_kept() -> None:
    draft = parse(reply_of() + SAID)
    assert draft.requirements == ({"kind": "count", "parts": ["Apple*"], "number": 1},)
    assert [(m.id, m.wrong) for m in draft.mismatches] == [("r1", "statement")]
    assert draft.changes == (Change(part="Apple", reason="green", quote="make it green"), Change(part="Ground"))
    assert parse(as_reply(draft)) == draft


def test_a_json_block_that_is_broken_costs_no_script() -> None:
    draft = parse(reply_of() + '```json\n{"requirements": [,]}\n```\n')
    assert draft.code == parse(reply_of()).code
    assert "the json block" in str(draft.requirements[0])


@pytest.mark.parametrize("reply", [f"APPROACH: all is well\n\n{SAID}", SAID, "APPROACH: nothing has to change"])
def test_a_reply_may_change_nothing_where_there_is_a_script(reply: str) -> None:
    assert parse(reply, APPLE).code == APPLE
    with pytest.raises(FormatError, match="no Blender script"):
        parse(reply)


def edit(search: str, replace: str) -> str:
    return f"<<<<<<< SEARCH\n{search}\n=======\n{replace}{replace and chr(10)}>>>>>>> REPLACE\n"


@pytest.mark.parametrize("word", ["edit", "python", ""])
def test_edits_change_the_script_and_nothing_else(word: str) -> None:
    blocks = edit("radius = 0.2", "radius = 0.3") + edit("radius = 0.3", "radius = 0.4\nstem = 0.1")
    draft = parse(f"APPROACH: larger\n```{word}\n{blocks}```\n", APPLE)
    assert draft.code == APPLE.replace("radius = 0.2", "radius = 0.4\nstem = 0.1")


def test_an_edit_takes_lines_away_and_may_name_part_of_a_line() -> None:
    draft = parse(f"```edit\n{edit('lamp.energy = 3', '')}```", APPLE)
    assert draft.code == APPLE.replace("lamp.energy = 3\n", "")
    part = parse(f"```edit\n{edit('(0.9, -1.4, 0.8)', '(0.5, -1.4, 0.8)')}```", APPLE)
    assert part.code == APPLE.replace("(0.9, -1.4, 0.8)", "(0.5, -1.4, 0.8)")


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        (edit("radius = 0.25", "radius = 0.3"), r"Edit 1 fits nowhere.*radius = 0\.25.*line 26: 'radius = 0\.2'"),
        (edit("scene = bpy.context.scene", "x = 1") + edit("", "x"), "Edit 2 searches for nothing"),
        (edit("paint(", "x("), "fits nowhere"),
        ("<<<<<<< SEARCH\nradius = 0.2\n>>>>>>> REPLACE\n", "Edit 1 is not complete"),
        (edit("import bpy", "x = 1"), "never imports bpy"),
    ],
)
def test_an_edit_that_does_not_fit_once_is_sent_back_with_its_place(blocks: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        parse(f"APPROACH: x\n```edit\n{blocks}```\n", APPLE)


def test_an_edit_that_fits_twice_is_told_where() -> None:
    twice = "import bpy\nx = 1\nx = 1\n"
    with pytest.raises(FormatError, match="Edit 1 fits 2 times, at the lines 2, 3"):
        parse(f"```edit\n{edit('x = 1', 'x = 2')}```", twice)


def test_edits_need_a_script_and_exclude_a_whole_one() -> None:
    blocks = f"```edit\n{edit('radius = 0.2', 'radius = 0.3')}```\n"
    with pytest.raises(FormatError, match="no Blender script to edit"):
        parse(blocks)
    with pytest.raises(FormatError, match="one or the other"):
        parse(reply_of() + blocks, APPLE)


def test_a_draft_says_no_more_than_it_has() -> None:
    assert "json" not in as_reply(Draft(approach="x", code="import bpy"))


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(FormatError):
        assert "bpy" in parse(text).code
