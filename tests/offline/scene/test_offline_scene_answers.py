"""What the offline model answers: scripts that compile, edits that change what they name, honest words."""

from __future__ import annotations

import json

import pytest
from asking import text_of
from pydantic import JsonValue

from redraft.brief import TOWARD
from redraft.errors import ModelRefusedError
from redraft.models.base import Message, Reply, Request
from redraft.offline.lexicon import hex_of
from redraft.studios.scene.offline.answers import ANSWERS, written
from redraft.studios.scene.parse import parse

APPLES = "a wooden table with three red apples in a white bowl, soft morning light"
SENTENCES = (
    APPLES,
    "a red car in front of a house, a tree to its left",
    "five books on a shelf",
    "a vase of flowers on a table",
    "a crab and an octopus on the beach",
    "a blue zorblatt beside a teapot",
    "a chess board with three pieces",
    "an astronaut next to a rocket in space",
    "zwei Katzen auf einem Sofa",
    "nothing at all",
    'a "quoted" thing\\ on a shelf',
    "",
)
FOREIGN = """import bpy
bpy.ops.mesh.primitive_cube_add(size=1)
bpy.context.object.name = "Table"
bpy.ops.mesh.primitive_uv_sphere_add(radius=0.1)
bpy.context.object.name = "Apple.001"
"""


def _asked(kind: str, **inputs: JsonValue) -> str:
    request = Request(kind=f"scene.{kind}", path="x", inputs=inputs, messages=(Message(role="user", text="x"),), seed=1)
    return text_of(ANSWERS[request.kind](request))


@pytest.mark.parametrize(
    ("brief", "named"),
    [
        ("a table with three red apples", ()),
        ("a wizard on a wooden table", ("wizard",)),
        (
            "eine Katze neben einem Hund",
            ("“eine Katze neben einem Hund” (only English is read)",),
        ),
    ],
)
def test_things_that_are_only_blocks_are_named(brief: str, named: tuple[str, ...]) -> None:
    inputs: dict[str, JsonValue] = {"instruction": brief, "kinds": ["count"]}
    reply = ANSWERS["scene.draft"](Request(kind="scene.draft", path="x", inputs=inputs, messages=(), seed=1))
    assert isinstance(reply, Reply)
    assert reply.stand_ins == named


def _code(reply: str) -> str:
    return parse(reply).code


@pytest.mark.parametrize("text", SENTENCES)
def test_a_draft_compiles_and_is_the_same_twice(text: str) -> None:
    reply = _asked("draft", instruction=text, target=[])
    compile(_code(reply), "draft", "exec")
    assert reply == _asked("draft", instruction=text, target=[])
    assert "offline model" in reply.splitlines()[0]


def test_a_script_neither_renders_nor_saves() -> None:
    code = written(APPLES)[0]
    assert "bpy.ops" not in code


def test_what_it_does_not_know_is_said() -> None:
    reply = _asked("draft", instruction="a zorblatt flumming a teapot", target=[])
    assert "zorblatt" in _code(reply)


def test_make_the_bowl_blue_changes_the_bowl_and_nothing_else() -> None:
    before = _code(_asked("draft", instruction=APPLES, target=[]))
    after = _code(_asked("edit", instruction="make the bowl blue", current=before, target=[], issues="", critique=""))
    pairs = zip(before.splitlines(), after.splitlines(), strict=True)
    changed = [(old, new) for old, new in pairs if old != new and not old.startswith("# scene: ")]
    assert [(old.split("(")[1].split(",")[1].strip(), old.split("'")[3]) for old, _ in changed] == [("'body'", "bowl")]
    assert all(old.replace(str(hex_of("white")), str(hex_of("blue"))) == new for old, new in changed)


@pytest.mark.parametrize(
    ("text", "gone", "there"),
    [
        ("remove the bowl", "make_bowl", "make_apple"),
        ("add a pear left of the bowl", "", "make_pear"),
        ("make it night", "", 'sky("#243566"'),
        ("make the apples bigger", "", "size="),
    ],
)
def test_an_edit_rebuilds_its_own_scene(text: str, gone: str, there: str) -> None:
    before = _code(_asked("draft", instruction=APPLES, target=[]))
    after = _code(_asked("edit", instruction=text, current=before, target=[], issues="", critique=""))
    compile(after, "edit", "exec")
    assert there in after
    assert not gone or gone not in after
    assert json.loads(after.splitlines()[1].removeprefix("# scene: "))["edits"] == [text]


def test_a_second_edit_keeps_the_first() -> None:
    first = written(APPLES, ["make the bowl blue"])[0]
    second = _code(_asked("edit", instruction="add a pear left of the bowl", current=first, target=[], issues=""))
    assert str(hex_of("blue")) in second
    assert "make_pear" in second


def test_another_models_script_is_refused() -> None:
    with pytest.raises(ModelRefusedError, match="wrote itself"):
        _asked("edit", instruction="make the apple green", current=FOREIGN, target=[])


def test_words_that_the_scene_has_already_change_nothing() -> None:
    before = written(APPLES, ["make the bowl blue"])[0]
    for text in (APPLES, "make the bowl blue"):
        assert parse(_asked("edit", instruction=text, current=before, target=[]), before).code == before


def test_an_edit_states_the_new_color_and_takes_back_what_it_breaks() -> None:
    before = _code(_asked("draft", instruction=APPLES, target=[]))
    inputs: dict[str, JsonValue] = {"current": before, "target": [], "kinds": ["color"], "on": True, "things": []}
    blue = parse(_asked("edit", instruction="make the bowl blue", **inputs)).requirements
    (color,) = [r for r in blue if isinstance(r, dict) and r["kind"] == "color"]
    assert (color["parts"], color["color"], color["quote"]) == (["Bowl"], "blue", "make the bowl blue")
    assert color["reason"], "it takes the place of the white one"
    gone = parse(_asked("edit", instruction="remove the bowl", **inputs)).requirements
    assert [(r["kind"], r["number"]) for r in gone if isinstance(r, dict) and r.get("reason")] == [("count", 0)]


def test_a_third_edit_may_remove_what_the_first_repainted() -> None:
    before = written(APPLES, ["make the bowl blue", "add a pear left of the bowl"])[0]
    inputs: dict[str, JsonValue] = {"current": before, "target": [], "kinds": ["color"], "on": True, "things": []}
    assert "make_bowl" not in _code(_asked("edit", instruction="remove the bowl", **inputs))


def test_a_repair_leaves_the_script() -> None:
    reply = _asked("repair", instruction="a cup", current=FOREIGN, findings=[{"hint": "lower it"}], things=[])
    assert parse(reply, FOREIGN).code == FOREIGN


def test_a_draft_states_what_it_reads_where_that_is_wanted() -> None:
    text = "three red apples in a bowl"
    assert not parse(_asked("draft", instruction=text, target=[])).requirements
    stated = parse(_asked("draft", instruction=text, target=[], kinds=["count"])).requirements
    kinds = {(one["kind"], one["quote"]) for one in stated if isinstance(one, dict)}
    assert {("count", text[:16]), ("relation", "in")} <= kinds


def test_a_change_of_an_earlier_scene_lists_what_it_changes_and_nothing_else() -> None:
    before = _code(_asked("draft", instruction=APPLES, target=[]))
    things: list[JsonValue] = [f"{name!r}: 1 × 1 × 1" for name in ("Wooden table", "Bowl", "Apple 1", "Ground")]
    inputs: dict[str, JsonValue] = {"current": before, "target": [], "things": things, "on": True}
    changes = parse(_asked("edit", instruction="make the bowl blue", **inputs)).changes
    assert [(change.part, change.quote) for change in changes] == [("Bowl", "make the bowl blue")]


def test_a_fix_writes_its_own_scene_again() -> None:
    code = written(APPLES, ["make the bowl blue"])[0]
    reply = f"APPROACH: x\n\n```python\n{code}```\n"
    assert _code(_asked("fix", instruction="x", reply=reply, error="", current="", of="edit")) == code.rstrip()


def test_a_reply_without_a_script_is_answered_anew() -> None:
    code = _code(_asked("fix", instruction="an apple", reply="I cannot.", error="no fence", current="", target=[]))
    assert "make_apple" in code


def test_a_critique_says_that_nobody_looked() -> None:
    reply = _asked("critique", instruction="x")
    assert json.loads(reply.split("```json\n")[1].split("\n```")[0])["satisfied"] is False


def test_a_target_without_words_is_refused() -> None:
    with pytest.raises(ModelRefusedError, match="not toward a target"):
        _asked("draft", instruction=TOWARD, target=[["102030"]])


@pytest.mark.parametrize("text", ["move the bowl to the left", "remove the zorblatt"])
def test_an_edit_that_it_cannot_carry_out_is_named(text: str) -> None:
    before = _code(_asked("draft", instruction=APPLES, target=[]))
    inputs: dict[str, JsonValue] = {"instruction": text, "current": before}
    reply = ANSWERS["scene.edit"](Request(kind="scene.edit", path="x", inputs=inputs, messages=(), seed=1))
    assert isinstance(reply, Reply)
    assert reply.stand_ins == (text,)


@pytest.mark.parametrize(
    ("text", "left_out"), [("four chairs around a table", "around the table"), ("a grid of 3 by 4 cups", "grid")]
)
def test_an_arrangement_that_it_cannot_make_is_not_claimed(text: str, left_out: str) -> None:
    request = Request(kind="scene.draft", path="x", inputs={"instruction": text}, messages=(), seed=1)
    reply = ANSWERS["scene.draft"](request)
    assert isinstance(reply, Reply)
    assert reply.stand_ins == (left_out,)
