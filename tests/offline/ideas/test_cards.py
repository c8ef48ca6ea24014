"""Ideas by rule: strict JSON, unlike each other, other with another seed, and nothing of the request lost."""

from __future__ import annotations

from itertools import combinations

import pytest
from by_rule import asking
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.ideas.cards import IdeaCard, parse_idea_cards
from redraft.ideas.compose import cards_inputs
from redraft.ideas.offline.answers import ANSWERS
from redraft.offline.english import grammar
from redraft.offline.english.grammar import read
from redraft.offline.lexicon import find
from redraft.studios.image.check import check
from redraft.studios.sketch.offline import planner

pytestmark = pytest.mark.slow

SKETCH = "a vector drawing of flat shapes on a square canvas"
PICTURE = "a picture that an image model paints from one paragraph of prose"

SETS = [
    ["lighthouse", "storm", "clockwork"],
    ["three red apples", "a blue vase"],
    ["a cat on a chair", "jazz"],
    ["melancholy"],
    ["sea", "solitude"],
    ["wombat", "bicycle"],
    ["whale", "library", "night"],
    ["two dogs chasing a ball", "rain"],
    ["the passage of time"],
    ["castle", "dragon", "a red flag"],
]
BRIEFS = [
    "a house",
    "a small red house with a tall chimney, a big tree to its right",
    "Draw a house with two windows. The door is red.",
    "three cats to the left of a dog",
    "a photo of a purple suitcase and an orange pizza",
    "a robot reading a book in a library",
    "a cow and a horse",
    "five birds above a boat on the sea",
]


def read_nouns(text: str) -> list[str]:
    """The nouns that the grammar of drawings finds in a text."""
    return [mention.noun for mention in grammar.read(text).mentions]


def cards(
    concepts: list[str], instruction: str = "", *, made: str = PICTURE, hints: str = "", number: int = 6, seed: int = 1
) -> tuple[IdeaCard, ...]:
    """The offline model's cards, by way of its reply."""
    inputs = cards_inputs(concepts, hints, number, instruction=instruction, medium=made)
    reply = ANSWERS["ideas.cards"](asking("ideas.cards", inputs, seed))
    return parse_idea_cards(reply, number)


@pytest.mark.parametrize("number", [2, 6, 26])
def test_the_reply_is_strict_json_with_one_letter_each(number: int) -> None:
    assert "".join(card.id for card in cards(SETS[0], number=number)) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:number]


@pytest.mark.slow
@pytest.mark.parametrize("concepts", SETS)
def test_the_same_seed_gives_the_same_cards_and_another_gives_others(concepts: list[str]) -> None:
    assert cards(concepts, seed=5) == cards(concepts, seed=5)
    assert cards(concepts, seed=5) != cards(concepts, seed=6)


@pytest.mark.parametrize("concepts", SETS)
def test_no_two_cards_share_a_layout_a_first_palette_or_what_is_seen(concepts: list[str]) -> None:
    for a, b in combinations(cards(concepts), 2):
        assert a.options["composition"][0] != b.options["composition"][0]
        assert a.options["palette"][0] != b.options["palette"][0]
        assert a.options["medium"] != b.options["medium"]
        assert a.narrative != b.narrative


@pytest.mark.parametrize("concepts", SETS)
def test_every_word_of_every_concept_stands_in_every_narrative(concepts: list[str]) -> None:
    for card in cards(concepts, number=12):
        assert check(card.narrative, concepts, ()).issues == (), card.narrative


@pytest.mark.parametrize("instruction", BRIEFS)
def test_a_narrative_begins_with_the_instruction(instruction: str) -> None:
    for card in cards([], instruction, made=SKETCH, number=10):
        assert card.narrative.lower().startswith(instruction.rstrip(".").lower())


@pytest.mark.parametrize("instruction", BRIEFS)
def test_most_narratives_add_company_that_the_lexicon_can_draw(instruction: str) -> None:
    own = set(read_nouns(instruction))
    added = [set(read_nouns(card.narrative)) - own for card in cards([], instruction, made=SKETCH, number=10)]

    assert sum(bool(nouns) for nouns in added) >= 8
    assert all(find(noun) is not None for nouns in added for noun in nouns)


@pytest.mark.slow
@pytest.mark.parametrize("concepts", SETS)
def test_every_scene_can_be_placed_with_all_its_relations(concepts: list[str]) -> None:
    for card in cards(concepts, number=8):
        reading = read(card.narrative)
        assert planner.plan(reading, seed=1).unmet == (), card.narrative


def test_what_a_taste_avoids_is_in_no_card_but_among_what_it_avoids() -> None:
    for card in cards(["house"], hints="Overall quiet.\nAvoid: birds, trees, gouache, lavender.", number=12):
        said = " ".join((card.hook, card.narrative, *(t for texts in card.options.values() for t in texts))).lower()
        assert not [word for word in ("bird", "tree", "gouache", "lavender") if word in said]
        assert {"birds", "trees"} <= set(card.avoid)


def test_a_concept_that_is_to_be_avoided_too_is_kept() -> None:
    assert all("bird" in card.narrative for card in cards(["a bird"], hints="Avoid: birds."))


@pytest.mark.parametrize("instruction", ["make the roof red", "now add a tree", "remove the door"])
def test_a_change_of_what_is_there_gets_no_company(instruction: str) -> None:
    assert {card.narrative.split(" The light ")[0] for card in cards([], instruction, made=SKETCH)} == {instruction}


def test_a_board_has_no_mood_lighting_and_keeps_the_instruction_to_the_letter() -> None:
    text = "put C1 0.5 mm left of U1"

    found = cards([], text, made="a placement of components on a circuit board")

    assert {card.narrative for card in found} == {text}
    assert len({card.options["composition"] for card in found}) > 1
    assert not any(card.avoid for card in found)


words = st.text(st.characters(codec="utf-8"), min_size=1, max_size=60)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.lists(words, min_size=1, max_size=5), words, st.integers(0, 2**31 - 1))
def test_any_concepts_and_any_summary_give_cards_that_pass(concepts: list[str], hints: str, seed: int) -> None:
    assert len(cards(concepts, hints=hints, seed=seed)) == 6


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=3_000), st.sampled_from([SKETCH, "a 3D scene", "a placement of components on a circuit board"]))
def test_any_instruction_gives_cards_that_pass(instruction: str, made: str) -> None:
    assert len(cards([], instruction or "a house", made=made, number=3)) == 3


def test_company_never_doubles_what_was_asked_for() -> None:
    for card in cards(["a tree", "a bird", "a cloud"], number=12):
        nouns = read_nouns(card.narrative)
        assert [nouns.count(noun) for noun in ("tree", "bird", "cloud")] == [1, 1, 1]
