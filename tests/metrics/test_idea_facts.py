"""The benchmark's reader of prompts: what is stated is found in other words for it, and a change is seen."""

from __future__ import annotations

import pytest

from idea_facts import Fact, content_words, facts_of, forms, kept

BUS, SINKS = Fact("color", "bus", "green"), Fact("count", "sink", "4")
LEFT = Fact("position", "laptop", "left of", "cow")
BELOW = Fact("position", "bird", "below", "skateboard")


def test_the_facts_of_a_case_are_what_it_states() -> None:
    case = {
        "include": [
            {"class": "cow", "count": 1, "color": "blue"},
            {"class": "laptop", "count": 3, "position": ["left of", 0]},
        ]
    }
    assert facts_of(case) == [
        Fact("class", "cow"),
        Fact("color", "cow", "blue"),
        Fact("class", "laptop"),
        Fact("count", "laptop", "3"),
        Fact("position", "laptop", "left of", "cow"),
    ]


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (Fact("class", "wine glass"), "Two tall wine glasses, seen from above."),
        (Fact("class", "bear"), "A teddy bear beside a bear."),
        (Fact("class", "knife"), "Knives on a board."),
        (Fact("class", "tv"), "An old television glows."),
        (SINKS, "Four white sinks under a window."),
        (SINKS, "A wall with 4 sinks; every sink drips."),
        (BUS, "A small green bus waits."),
        (BUS, "A bus waits in the rain. The bus is green, the road is gray."),
        (Fact("color", "vase", "gray"), "A grey vase."),
        (LEFT, "A laptop left of a cow."),
        (LEFT, "An open laptop stands to the left of the brown cow, under a large sky."),
        (LEFT, "A cow to the right of a laptop."),
        (LEFT, "A cow with a laptop to its left."),
        (LEFT, "To the left of a quiet cow stands a silver laptop."),
        (LEFT, "A laptop left of a cow, a tree to the left of the laptop, and a pink sky."),
        (BELOW, "A skateboard above a bird."),
        (BELOW, "A bird sits underneath a skateboard."),
        (BELOW, "A skateboard hangs with a bird beneath it."),
    ],
)
def test_a_fact_is_kept_in_other_words(fact: Fact, text: str) -> None:
    assert kept(fact, text)


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (Fact("class", "bear"), "A teddy bear on a chair."),
        (Fact("class", "car"), "A carpet."),
        (SINKS, "Sinks along a wall."),
        (SINKS, "Three sinks. Four taps."),
        (SINKS, "Four windows and sinks."),
        (SINKS, "Four sinks, then five sinks."),
        (BUS, "A bus and a green car."),
        (BUS, "A green car beside a bus."),
        (BUS, "A green bus and a red bus."),
        (LEFT, "A laptop to the right of a cow."),
        (LEFT, "A laptop and a cow."),
        (LEFT, "A cow to the left of a laptop."),
        (LEFT, "A laptop beside a cow with a tree to its left."),
        (LEFT, "A laptop. A dog left of a cow."),
        (LEFT, "A laptop left of a cow. The cow stands left of the laptop."),
        (BELOW, "A bird above a skateboard."),
    ],
)
def test_a_fact_that_was_changed_or_lost_is_not_kept(fact: Fact, text: str) -> None:
    assert not kept(fact, text)


def test_plurals_of_nouns() -> None:
    assert forms("bus") == {"bus", "buses", "buss"}
    assert forms("knife") == {"knife", "knives", "knifes"}
    assert forms("toy") == {"toy", "toys"}
    assert forms("berry") == {"berry", "berries", "berrys"}


def test_content_words_are_what_is_not_grammar() -> None:
    assert content_words("The robot's hat is on a red T-shirt") == ["robot", "hat", "red", "t", "shirt"]
