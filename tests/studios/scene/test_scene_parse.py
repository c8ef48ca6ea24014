"""Replies to scene requests: what is a script, and what is sent back with which words."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scene_replies import APPLE, reply_of

from redraft.errors import FormatError
from redraft.studios.scene.parse import as_reply, parse
from redraft.studios.scene.spec import MAX_LINES


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


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(FormatError):
        assert "bpy" in parse(text).code
