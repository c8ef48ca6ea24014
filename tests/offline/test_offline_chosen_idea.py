"""A chosen idea in the offline drafts: other pictures for other ideas, and what was asked for kept."""

from __future__ import annotations

import json

import pytest
from asking import text_of
from by_rule import asking
from pydantic import JsonValue

from redraft.brief import Brief
from redraft.ideas.offline.cards import idea_cards
from redraft.ideas.offline.chosen import LEFT_OUT, narrative_of, palette_and_mood
from redraft.models.base import Request
from redraft.studios.scene.offline.answers import ANSWERS as SCENES
from redraft.studios.shader.offline.answers import ANSWERS as SHADERS
from redraft.studios.sketch.check import check
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.offline.answers import ANSWERS as SKETCHES
from redraft.studios.sketch.parse import parse
from redraft.studios.sketch.patch import draw
from redraft.studios.sketch.spec import Draft, Drawing

pytestmark = pytest.mark.slow

BRIEFS = [
    "a house",
    "three red apples to the left of a teapot",
    "a small red house with a tall chimney, a big tree to its right",
    "a cow and a horse",
    "two dogs and a ball",
]


def request(kind: str, instruction: str, idea: JsonValue, seed: int = 1) -> Request:
    """A draft's request, with an idea or without."""
    inputs: dict[str, JsonValue] = {"instruction": instruction, "idea": idea, "history": ""}
    return asking(kind, inputs, seed)


def ideas(instruction: str, number: int = 6, seed: int = 1) -> list[JsonValue]:
    return [card.model_dump(mode="json") for card in idea_cards([], instruction, "a vector drawing", "", number, seed)]


def drawing(instruction: str, idea: JsonValue) -> tuple[str, Drawing]:
    """What the offline model says of its draft, and the drawing."""
    found = parse("draft", text_of(SKETCHES["sketch.draft"](request("sketch.draft", instruction, idea))), None)
    assert isinstance(found, Draft)
    return found.approach, draw(found, None)


@pytest.mark.parametrize("instruction", BRIEFS)
def test_a_drawing_of_an_idea_keeps_the_brief(instruction: str) -> None:
    for idea in ideas(instruction):
        _, drawn = drawing(instruction, idea)
        assert not check(drawn, None, Brief.of(instruction)).errors


@pytest.mark.parametrize("instruction", BRIEFS)
def test_other_ideas_give_other_drawings_of_the_same_brief(instruction: str) -> None:
    shown = {
        tuple(sorted(i.label for i in layout_of(drawing(instruction, idea)[1]).roots)) for idea in ideas(instruction)
    }

    assert len(shown) >= 4


def test_without_an_idea_a_drawing_is_as_before() -> None:
    plain = SKETCHES["sketch.draft"](asking("sketch.draft", {"instruction": "a house", "history": ""}))

    assert SKETCHES["sketch.draft"](request("sketch.draft", "a house", None)) == plain


def test_an_idea_that_tells_the_brief_otherwise_is_left_out_and_that_is_said() -> None:
    other: JsonValue = {"narrative": "A castle under a red sky.", "hook": "-", "options": {}, "avoid": []}

    approach, drawn = drawing("a house", other)

    assert LEFT_OUT in approach
    assert [i.label for i in layout_of(drawn).roots] == ["house"]


def test_only_a_narrative_that_says_all_of_the_brief_is_taken() -> None:
    def taken(narrative: str) -> str:
        idea: JsonValue = {"narrative": narrative, "hook": "-", "options": {}, "avoid": []}
        return narrative_of(request("sketch.draft", "two cats to the left of a red house", idea))

    full = "Two cats to the left of a red house, under a grey sky. The mood is quiet."
    assert taken(full) == full
    assert taken("Three cats to the left of a red house.") == ""
    assert taken("Two cats to the right of a red house.") == ""
    assert taken("Two cats to the left of a blue house.") == ""
    assert taken("Two cats asleep.") == ""


def test_a_scene_of_an_idea_has_its_company() -> None:
    idea: JsonValue = {"narrative": "A house, a tree to the left of the house, and green grass.", "options": {}}

    code = text_of(SCENES["scene.draft"](request("scene.draft", "a house", idea)))

    assert "Tree" in code
    assert "Tree" not in text_of(SCENES["scene.draft"](request("scene.draft", "a house", None)))


def test_the_next_turn_of_a_scene_knows_its_own_script_again_though_it_was_made_from_an_idea() -> None:
    idea: JsonValue = {"narrative": "A house, a tree to the left of the house, and green grass.", "options": {}}
    reply = text_of(SCENES["scene.draft"](request("scene.draft", "a house", idea)))
    code = reply.partition("```python\n")[2].rpartition("```")[0]
    inputs: dict[str, JsonValue] = {
        "instruction": "a house", "idea": idea, "history": "", "current": code, "issues": "", "things": [],
    }  # fmt: skip

    again = text_of(SCENES["scene.edit"](asking("scene.edit", inputs)))

    assert "nothing to add" in again


def test_shaders_of_different_ideas_differ_and_the_same_idea_gives_the_same() -> None:
    made = [text_of(SHADERS["shader.draft"](request("shader.draft", "plasma", idea))) for idea in ideas("plasma")]

    assert len(set(made)) >= 5
    assert made[0] == text_of(SHADERS["shader.draft"](request("shader.draft", "plasma", ideas("plasma")[0])))


def test_manners_are_one_palette_and_one_mood() -> None:
    idea: JsonValue = {"narrative": "-", "options": {"palette": ["a", "b"], "mood": ["c"], "medium": ["d"]}}

    assert palette_and_mood(request("shader.draft", "plasma", idea)) in (["a", "c"], ["b", "c"])
    assert palette_and_mood(request("shader.draft", "plasma", None)) == []
    assert json.dumps(palette_and_mood(request("x", "y", idea, 7))) == json.dumps(
        palette_and_mood(request("x", "y", idea, 7))
    )
