"""What a drawing is held to: what is asked for to the letter, the description of a picture not at all."""

from __future__ import annotations

import json

import pytest

from redraft.brief import Brief
from redraft.conversation import ChatStep
from redraft.errors import ContradictionError
from redraft.spatial.grammar.describe import describe
from redraft.studios.base import Facts
from redraft.studios.sketch.asked import reading_of
from redraft.studios.sketch.spec import Drawing
from redraft.studios.sketch.studio import studio
from redraft.studios.sketch.validate import check

BIRDS = (
    "Long-legged birds cross a storm in one broken line, each carrying a part of a lighthouse's clockwork in its beak. "
    "Seen from the gallery, whose wet iron rail, very near, cuts the lower right corner; rain leans from the left. "
    "A thin orange slit under the cloud is the only light. Brushed ink with a single wash on rough paper."
)


def test_a_brief_is_held_to_the_letter_however_long_it_is() -> None:
    text = "Three red houses stand to the left of a tree. A sun is above the tree. " * 4
    reading = reading_of(Brief.of(text))
    assert len(text.split()) > 50
    assert describe(reading)
    assert any(constraint.certain for constraint in reading.constraints)
    assert any(mention.colour for mention in reading.mentions)


def test_of_a_description_nothing_is_held_for_certain_and_all_of_it_is_unchecked() -> None:
    reading = reading_of(Brief.of(BIRDS, described=True))
    assert describe(reading) == []
    assert not any(constraint.certain for constraint in reading.constraints)
    assert not any(mention.colour for mention in reading.mentions)
    assert "orange slit" in reading.unchecked


def test_whoever_draws_a_description_is_not_told_that_it_will_be_measured() -> None:
    block = studio.compose("draft", Facts[Drawing](Brief.of(BIRDS, described=True)))
    (step,) = block.nodes
    assert isinstance(step, ChatStep)
    assert not callable(step.inputs)
    assert step.inputs["checks"] == []


def test_a_description_that_seems_to_contradict_itself_stops_nothing() -> None:
    text = "a cat left of a dog, the dog left of the cat"
    with pytest.raises(ContradictionError):
        reading_of(Brief.of(text))
    assert reading_of(Brief.of(text, described=True)).unchecked


def test_in_a_description_how_large_things_are_and_what_covers_what_is_the_pictures_own() -> None:
    wall = {
        "part": "wall",
        "kind": "rect",
        "x": 0.1,
        "y": 0.3,
        "w": 0.8,
        "h": 0.65,
        "fill": "#222222",
        "stroke": "none",
    }
    crow = {
        "part": "crow",
        "kind": "ellipse",
        "cx": 0.5,
        "cy": 0.5,
        "rx": 0.01,
        "ry": 0.01,
        "fill": "#eeeeee",
        "stroke": "none",
    }
    away = {
        "part": "moon",
        "kind": "ellipse",
        "cx": 1.1,
        "cy": 0.2,
        "rx": 0.2,
        "ry": 0.2,
        "fill": "#eeeeee",
        "stroke": "none",
    }
    plan = [{"name": name, "label": name, "parent": None} for name in ("wall", "crow", "moon")]
    drawing = Drawing.model_validate_json(json.dumps({"plan": plan, "strokes": [wall, crow, away]}))
    literal = {issue.code for issue in check(drawing, None, Brief.of("a crow, a wall and a moon")).errors}
    free = {issue.code for issue in check(drawing, None, Brief.of(BIRDS, described=True)).issues}
    assert {"size.small", "ratio.objects", "bounds.outside"} <= literal
    assert free == set()
