"""What the offline model answers: scripts that compile, edits that change what they name, honest words."""

from __future__ import annotations

import ast
import json

import pytest
from pydantic import JsonValue

from redraft.models.base import Message, Request
from redraft.offline.scene.answers import ANSWERS, written
from redraft.studios.scene.parse import parse

pytestmark = pytest.mark.slow

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
    return ANSWERS[request.kind](request)


def _code(reply: str) -> str:
    return parse(reply).code


@pytest.mark.parametrize("text", SENTENCES)
def test_a_draft_compiles_and_is_the_same_twice(text: str) -> None:
    reply = _asked("draft", instruction=text, target=[])
    compile(_code(reply), "draft", "exec")
    assert reply == _asked("draft", instruction=text, target=[])
    assert "offline model" in reply.splitlines()[0]


@pytest.mark.parametrize("text", SENTENCES)
def test_every_function_of_a_script_is_used(text: str) -> None:
    tree = ast.parse(written(text, [], 1)[0])
    made = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    used = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert made <= used


def test_a_script_neither_renders_nor_saves() -> None:
    code = written(APPLES, [], 1)[0]
    assert "bpy.ops" not in code


def test_what_it_does_not_know_is_said() -> None:
    reply = _asked("draft", instruction="a zorblatt flumming a teapot", target=[])
    assert "zorblatt" in _code(reply)
    assert "No solid is known" in _code(reply)


def _colours(code: str, function: str) -> list[str]:
    """The materials that the calls of a function are given first."""
    tree = ast.parse(code)
    calls = [
        n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == function
    ]
    return [ast.unparse(call.args[1]) for call in calls]


def test_make_the_bowl_blue_changes_the_bowl_and_nothing_else() -> None:
    before = _code(_asked("draft", instruction=APPLES, target=[]))
    after = _code(_asked("edit", instruction="make the bowl blue", script=before, target=[], issues="", critique=""))
    assert _colours(before, "make_bowl") == ["white_gloss"]
    assert _colours(after, "make_bowl") == ["blue_gloss"]
    calls = [code.split("# Things\n")[1] for code in (before, after)]
    assert calls[0].replace("white_gloss", "blue_gloss") == calls[1]


@pytest.mark.parametrize(
    ("text", "gone", "there"),
    [
        ("remove the bowl", "make_bowl", "make_apple"),
        ("add a pear left of the bowl", "", "make_pear"),
        ("make it night", "", "stars("),
        ("make the apples bigger", "", "size="),
    ],
)
def test_an_edit_rebuilds_its_own_scene(text: str, gone: str, there: str) -> None:
    before = _code(_asked("draft", instruction=APPLES, target=[]))
    after = _code(_asked("edit", instruction=text, script=before, target=[], issues="", critique=""))
    compile(after, "edit", "exec")
    assert there in after
    assert not gone or gone not in after
    assert json.loads(after.splitlines()[1].removeprefix("# scene: "))["edits"] == [text]


def test_a_second_edit_keeps_the_first() -> None:
    first = written(APPLES, ["make the bowl blue"], 1)[0]
    second = _code(_asked("edit", instruction="add a pear left of the bowl", script=first, target=[], issues=""))
    assert _colours(second, "make_bowl") == ["blue_gloss"]
    assert "make_pear" in second


def test_another_models_script_gets_a_block_at_its_end() -> None:
    inputs: dict[str, JsonValue] = {
        "things": ["'Table': 1 × 1 × 1 at (0, 0)", "'Apple.001': 0.2"],
        "target": [],
        "issues": "",
    }
    reply = _asked("edit", instruction="make the apple green", script=FOREIGN, **inputs)
    code = _code(reply)
    assert code.startswith(FOREIGN.rstrip())
    assert "named('apple')" in code
    compile(code, "edit", "exec")


def test_a_repair_carries_out_the_mends_that_are_code() -> None:
    findings: list[JsonValue] = [{"message": "Cup floats", "mend": "bpy.data.objects['Cup'].location.z -= 0.031"}]
    code = _code(_asked("repair", instruction="a cup", script=FOREIGN, findings=findings, things=[]))
    assert code.rstrip().endswith("bpy.data.objects['Cup'].location.z -= 0.031")


def test_a_repair_takes_no_code_but_assignments_of_places() -> None:
    mend = "bpy.data.objects['Cup'].location.z = __import__('os').system('x'); bpy.ops.wm.quit_blender()"
    reply = _asked("repair", instruction="a cup", script=FOREIGN, findings=[{"mend": mend}], things=[])
    assert parse(reply, FOREIGN).code == FOREIGN


def test_every_prepared_fix_is_accepted() -> None:
    questions: list[JsonValue] = [{"id": "q1", "fix": "lower it"}, {"id": "q2", "fix": ""}]
    draft = parse(_asked("repair", instruction="a cup", script=FOREIGN, questions=questions), FOREIGN)
    assert draft.code == FOREIGN
    assert [(r.id, r.accept) for r in draft.rulings] == [("q1", True)]


def test_a_draft_states_what_it_reads_where_that_is_wanted() -> None:
    text = "three red apples in a bowl"
    assert not parse(_asked("draft", instruction=text, target=[])).requirements
    stated = parse(_asked("draft", instruction=text, target=[], kinds=["count"])).requirements
    kinds = {(one["kind"], one["quote"]) for one in stated if isinstance(one, dict)}
    assert {("count", text[:16]), ("relation", "in")} <= kinds


def test_a_change_of_an_earlier_scene_lists_what_it_changes_and_nothing_else() -> None:
    before = _code(_asked("draft", instruction=APPLES, target=[]))
    things: list[JsonValue] = [f"{name!r}: 1 × 1 × 1" for name in ("Wooden table", "Bowl", "Apple 1", "Floor")]
    inputs: dict[str, JsonValue] = {"script": before, "target": [], "things": things, "on": True}
    changes = parse(_asked("edit", instruction="make the bowl blue", **inputs)).changes
    assert {(change.part, change.quote) for change in changes} == {
        ("Bowl", "make the bowl blue"), ("Floor", "make the bowl blue"),
    }  # fmt: skip


def test_a_repair_of_its_own_scene_takes_another_seed() -> None:
    before = written("five cats", [], 1)[0]
    after = _code(_asked("repair", instruction="five cats", script=before, findings=["dull"], things=[]))
    assert '"seed": 2' in after


def test_a_fix_does_what_the_hint_says() -> None:
    reply = "APPROACH: x\n\n```python\nimport bpy\nbpy.context.scene.objects.link(bpy.data.objects[0])\n```\n"
    error = (
        "AttributeError: bpy_prop_collection has no attribute 'link' (line 2)\n\nIn Blender 5.0.1:\n"
        "- `Scene` has no `objects.link`; use `collection.objects.link`\n"
        "- `scene.objects.link` is gone; use `scene.collection.objects.link`"
    )
    code = _code(_asked("fix", instruction="a cube", reply=reply, error=error, script="", of="draft"))
    assert "scene.collection.objects.link(" in code


def test_a_reply_without_a_script_is_answered_anew() -> None:
    code = _code(_asked("fix", instruction="an apple", reply="I cannot.", error="no fence", script="", target=[]))
    assert "make_apple" in code


def test_a_critique_says_that_nobody_looked() -> None:
    reply = _asked("critique", instruction="x")
    assert json.loads(reply.split("```json\n")[1].split("\n```")[0])["satisfied"] is False


def test_toward_a_target_each_turn_is_finer() -> None:
    grid: list[JsonValue] = [[f"{x * 12:02x}{y * 16:02x}80" for x in range(20)] for y in range(15)]
    inputs: dict[str, JsonValue] = {"instruction": "", "target": grid, "width": 768, "height": 576}
    codes = [_code(_asked("draft", **inputs))]
    for _ in range(5):
        codes.append(_code(_asked("edit", script=codes[-1], issues="", **inputs)))
    cells = [len(code.split('COLOURS = """')[1].split('"""')[0].split()) for code in codes]
    assert cells == sorted(cells)
    assert cells[0] < 10
    assert cells[-1] == 20 * 15
    for code in codes:
        compile(code, "target", "exec")
