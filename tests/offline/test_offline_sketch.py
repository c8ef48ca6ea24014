"""The offline model's answers, through the studio's own parser."""

from __future__ import annotations

import pytest
from asking import text_of
from pydantic import JsonValue

from redraft.brief import Brief
from redraft.layout.items import Layout
from redraft.layout.requirements import agreed
from redraft.models.base import Reply, Request
from redraft.offline.english.grammar import read
from redraft.studios.requests import Kind
from redraft.studios.sketch.check import check
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.offline.answers import ANSWERS
from redraft.studios.sketch.parse import parse
from redraft.studios.sketch.patch import draw
from redraft.studios.sketch.rules.validator import SemanticValidator
from redraft.studios.sketch.spec import Drawing

pytestmark = pytest.mark.slow


def answer(kind: Kind, instruction: str, base: Drawing | None = None, **more: JsonValue) -> str:
    inputs: dict[str, JsonValue] = {"instruction": instruction, "history": "", "critique": "", "kinds": ["count"]}
    if base is not None:
        inputs |= {"current": base.source, "on": bool(base.protected), "agreed": [*base.requirements]}
    return text_of(answered(kind, inputs | more))


def answered(kind: Kind, inputs: dict[str, JsonValue]) -> str | Reply:
    return ANSWERS[f"sketch.{kind}"](Request(kind=f"sketch.{kind}", path="t", inputs=inputs, messages=(), seed=5))


def stand_ins(instruction: str, base: Drawing | None = None) -> tuple[str, ...]:
    """What the reply to an instruction says it cannot draw."""
    inputs: dict[str, JsonValue] = {"instruction": instruction, "history": "", "critique": "", "kinds": ["count"]}
    if base is not None:
        inputs |= {"current": base.source, "on": True, "agreed": [*base.requirements]}
    reply = answered("draft" if base is None else "edit", inputs)
    return reply.stand_ins if isinstance(reply, Reply) else ()


def drawing(instruction: str) -> Drawing:
    return draw(parse("draft", answer("draft", instruction), None), None)


def edited(drawn: Drawing, instruction: str) -> Drawing:
    """By a run that continues the drawing."""
    names = tuple(part.name for part in drawn.plan)
    stated = agreed(drawn.requirements)
    base = drawn.model_copy(update={"protected": names, "asked": instruction, "requirements": stated})
    return draw(parse("edit", answer("edit", instruction, base), base), base)


def labelled(layout: Layout, label: str) -> list[str]:
    return [i.name for i in layout if i.label == label]


BASE = "a house with two windows, a tree to the right of it, the sun above"


@pytest.mark.parametrize(
    "instruction",
    [
        BASE,
        "two flowers to the left of a house, and a tree much further right",
        "seven columns, equally spaced, the fourth 20 % taller",
        "a 3 by 4 grid of windows, 0.02 apart, centred",
        "a clock showing 10:10",
        "a floor plan: a 5 m by 4 m room with a 0.9 m door in the middle of the south wall",
        "five balloons in a row",
        "a snowman between two pine trees",
        "a cat inside a box",
    ],
)
def test_drafts_are_valid_at_once(instruction: str) -> None:
    drawn = drawing(instruction)
    report = SemanticValidator().validate(layout_of(drawn), reading=read(instruction))
    assert not [i.message for i in report.errors if i.basis == "requirement"]
    report = check(drawn, None, Brief.of(instruction))
    assert report.requirements
    assert not report.set_aside
    assert {m.outcome for m in report.requirements} <= {"met", "inexact"}


def test_a_draft_says_what_it_is_and_what_it_left_open() -> None:
    text = answer("draft", "a happy cat on a rainy day")
    assert "rule-based offline model" in text
    assert "rainy day" in text


def test_the_same_request_gets_the_same_answer() -> None:
    assert answer("draft", BASE) == answer("draft", BASE)


def test_recolouring_changes_the_named_part_only() -> None:
    base = drawing(BASE)
    after = edited(base, "make the roof blue")
    roofs = labelled(layout_of(base), "roof")
    changed = {a.part for a, b in zip(base.strokes, after.strokes, strict=True) if a != b}
    assert roofs
    assert changed <= {i.name for r in roofs for i in layout_of(base).family(r)}
    assert changed


def test_moving_leaves_the_rest() -> None:
    base = drawing(BASE)
    before, after = layout_of(base), layout_of(edited(base, "move the tree up"))
    (tree,), (house,) = labelled(before, "tree"), labelled(before, "house")
    assert after.bounds(house) == before.bounds(house)
    assert after.bounds(tree)[3] < before.bounds(tree)[3]


def test_an_earlier_statement_is_restated_where_the_instruction_changes_it() -> None:
    base = drawing("a house with a red roof")
    report = check(edited(base, "make the roof blue"), None, Brief.of("make the roof blue"))
    (color,) = [m for m in report.requirements if m.kind == "color"]
    assert "blue" in color.words
    assert color.outcome == "met"
    assert color.changed == "the instruction changes it"


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("delete the tree", "tree*: 0 expected"),
        ("delete one flower", "flower_*: 1 expected"),
        ("add a flower to the right of the house", "flower_*: 3 expected"),
    ],
)
def test_an_earlier_count_is_restated_where_parts_go_or_come(instruction: str, expected: str) -> None:
    base = drawing("two flowers to the left of a house, and a tree")
    report = check(edited(base, instruction), None, Brief.of(instruction))
    words = [m.words for m in report.requirements if m.kind == "count"]
    assert expected in words
    assert report.errors == ()
    assert report.mismatches == ()


def test_a_statement_of_what_was_there_is_not_one_of_what_is_added() -> None:
    base = drawing("two flowers to the left of a house")
    instruction = "add a flower to the right of the house"
    report = check(edited(base, instruction), None, Brief.of(instruction))
    sides = {m.words for m in report.requirements if m.kind == "relation"}
    assert sides == {
        "flower_1, flower_2: to the left of house expected",
        "flower_new: to the right of house expected",
    }


def test_removing_and_resizing() -> None:
    base = drawing(BASE)
    assert labelled(layout_of(edited(base, "remove the sun")), "sun") == []
    before, after = layout_of(base), layout_of(edited(base, "make the tree bigger"))
    (tree,) = labelled(before, "tree")
    assert after[tree].shape.area > before[tree].shape.area


def test_adding_beside_what_is_there() -> None:
    base = drawing("a house")
    after = edited(base, "now add a tree to the left of it")
    assert after.strokes[: len(base.strokes)] == base.strokes or set(base.strokes) <= set(after.strokes)
    layout = layout_of(after)
    (tree,), (house,) = labelled(layout, "tree"), labelled(layout, "house")
    assert layout.bounds(tree)[2] < layout.bounds(house)[0]


@pytest.mark.parametrize("instruction", ["make the house nicer", "paint the dragon red", "move the moon closer", "…"])
def test_an_edit_that_means_nothing_changes_nothing(instruction: str) -> None:
    base = drawing(BASE)
    assert [s for s in edited(base, instruction).strokes if s.part in {p.name for p in base.plan}] == list(base.strokes)


def test_a_fix_answers_anew() -> None:
    text = answer("fix", "a cat", of="draft", reply="prose", error="E2", drawing="", examples="")
    assert draw(parse("draft", text, None), None).strokes


def test_the_critic_does_not_claim_to_see() -> None:
    text = answer("critique", "a cat", parts=["cat"])
    assert "cannot see" in text
    assert '"satisfied": false' in text


@pytest.mark.parametrize("instruction", ["一只猫", "zorb", "…", "and the of", "a " * 40, "1000 cats", "not not not"])
def test_odd_briefs_get_a_drawing(instruction: str) -> None:
    assert drawing(instruction).strokes


@pytest.mark.parametrize(
    ("instruction", "named"),
    [
        ("a dragon fighting a knight on a bridge", ("dragon", "knight")),
        ("a logo for a coffee shop", ("logo",)),
        ("a cat with a crown", ("crown",)),
        ("a house in the rain", ("rain",)),
        ("a happy striped cat beside a melancholic dog", ()),
        ("a house with two windows and a door, a tree to its left, the sun above", ()),
        ("eine Katze neben einem Hund", ("“eine Katze neben einem Hund” (only English is read)",)),
        ("freedom", ("freedom",)),
    ],
)
def test_what_is_only_a_placeholder_or_left_out_is_named(instruction: str, named: tuple[str, ...]) -> None:
    assert stand_ins(instruction) == named


def test_an_edit_names_what_is_still_a_placeholder_and_what_is_not_there() -> None:
    dragon = drawing("a dragon beside a house")
    assert stand_ins("add a tree", dragon) == ("dragon",)
    assert stand_ins("remove the dragon", dragon) == ()
    assert stand_ins("make the castle red", drawing("a house")) == ("castle",)
    assert stand_ins("add a wizard", drawing("a house")) == ("wizard",)
    assert stand_ins("make it nicer", drawing("a house")) == ("make it nicer",)
