"""What a drawing is held to: a short brief to the letter, prose about a picture not at all."""

from __future__ import annotations

import pytest

from redraft.brief import Brief
from redraft.conversation import ChatStep
from redraft.errors import ContradictionError
from redraft.spatial.grammar.describe import describe
from redraft.studios.base import Facts
from redraft.studios.sketch.asked import is_prose, reading_of
from redraft.studios.sketch.spec import Drawing
from redraft.studios.sketch.studio import studio

BIRDS = (
    "Long-legged birds cross a storm in one broken line, each carrying a part of a lighthouse's clockwork in its beak. "
    "Seen from the gallery, whose wet iron rail, very near, cuts the lower right corner; rain leans from the left. "
    "A thin orange slit under the cloud is the only light. Brushed ink with a single wash on rough paper."
)


def test_a_short_brief_is_held_to_the_letter() -> None:
    reading = reading_of("three red houses to the left of a tree. A sun above the tree.")
    assert describe(reading)
    assert all(constraint.certain for constraint in reading.constraints)


def test_one_long_list_is_no_prose() -> None:
    things = ", ".join(f"{count} red boxes left of a {noun}" for count, noun in enumerate("abcdefgh", start=2))
    assert len(things.split()) > 35
    assert not is_prose(things)


def test_of_prose_nothing_is_held_for_certain_and_all_of_it_is_unchecked() -> None:
    assert is_prose(BIRDS)
    reading = reading_of(BIRDS)
    assert describe(reading) == []
    assert not any(constraint.certain for constraint in reading.constraints)
    assert not any(mention.colour for mention in reading.mentions)
    assert "orange slit" in reading.unchecked


def test_whoever_draws_prose_is_not_told_that_it_will_be_measured() -> None:
    block = studio.compose("draft", Facts[Drawing](Brief.of(BIRDS)))
    (step,) = block.nodes
    assert isinstance(step, ChatStep)
    assert not callable(step.inputs)
    assert step.inputs["checks"] == []


def test_prose_that_seems_to_contradict_itself_stops_nothing() -> None:
    short = "a cat left of a dog, the dog left of the cat"
    with pytest.raises(ContradictionError):
        reading_of(short)
    long = f"{short}. " + "Mist lies over the field and the road. " * 5
    assert reading_of(long).unchecked
