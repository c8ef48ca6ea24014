"""Image prompts by rule: of the right length, with every concept, nothing disliked, and drawable."""

from __future__ import annotations

import json

import pytest
from by_rule import asking
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from redraft.ideas.cards import IdeaCard
from redraft.ideas.compose import cards_inputs
from redraft.ideas.offline.answers import ANSWERS as IDEAS
from redraft.offline.english.grammar import read
from redraft.offline.lexicon import find
from redraft.studios.image.check import check
from redraft.studios.image.offline.answers import ANSWERS
from redraft.studios.image.parse import parse
from redraft.studios.wording import findings_of

pytestmark = pytest.mark.slow

SETS = [
    ["lighthouse", "storm", "clockwork"],
    ["three red apples", "a blue vase"],
    ["a cat on a chair", "jazz"],
    ["melancholy"],
    ["sea", "solitude"],
    ["whale", "library", "night"],
    ["the passage of time", "fox"],
    ["castle", "a red flag", "joy"],
]


def answer(kind: str, seed: int = 1, **inputs: JsonValue) -> str:
    """A reply of the offline model to a request of the image studio."""
    taste: dict[str, JsonValue] = {name: [] for name in ("loves", "likes", "dislikes", "hates")}
    return ANSWERS[f"image.{kind}"](asking(f"image.{kind}", {**taste, **inputs}, seed))


def prompt_of(concepts: list[str], seed: int = 1, disliked: tuple[str, ...] = ()) -> str:
    """The whole conversation without cards."""
    said: list[JsonValue] = list(concepts)
    hated: list[JsonValue] = list(disliked)
    draft = answer("idea", seed, concepts=said, dislikes=hated)
    for kind in ("enclave", "composition", "enclave"):
        draft = answer(kind, seed, concepts=said, draft=draft)
    return parse(answer("prompt", seed, concepts=said, draft=draft, disliked=hated)).prompt


def card_of(concepts: list[str], seed: int = 1) -> IdeaCard:
    inputs = cards_inputs(concepts, "", 2, instruction="", medium="a picture")
    return IdeaCard.model_validate_json(
        json.dumps(json.loads(IDEAS["ideas.cards"](asking("ideas.cards", inputs, seed)))["ideas"][0])
    )


@pytest.mark.parametrize("concepts", SETS)
def test_a_final_prompt_has_40_to_120_words_and_every_concept(concepts: list[str]) -> None:
    for seed in range(5):
        prompt = prompt_of(concepts, seed)
        assert 40 <= len(prompt.split()) <= 120
        assert check(prompt, concepts, ()).issues == (), prompt


@pytest.mark.parametrize("concepts", SETS)
def test_the_sentences_on_how_it_is_made_name_nothing_to_draw(concepts: list[str]) -> None:
    prompt = prompt_of(concepts)
    unknown = [m.noun for m in read(prompt).mentions if find(m.noun) is None]
    rest = prompt.partition(". ")[2]

    assert unknown == []
    assert read(rest).mentions == (), rest


def test_the_same_seed_gives_the_same_prompt_and_others_give_others() -> None:
    assert prompt_of(SETS[0], 4) == prompt_of(SETS[0], 4)
    assert len({prompt_of(SETS[0], seed) for seed in range(6)}) >= 5


def test_a_chosen_card_is_written_out_with_one_of_each_of_its_options() -> None:
    card = card_of(["fox", "snow"])
    said = answer("final", concepts=["fox", "snow"], idea=card.model_dump(mode="json"))

    assert said.startswith(card.narrative.split(". ")[0])
    for name, entries in card.options.items():
        assert sum(f"The {name} is {entry}." in said for entry in entries) == 1


def test_of_the_options_one_is_taken_by_the_seed_and_never_a_disliked_one() -> None:
    options = {"composition": ("wide", "close"), "palette": ("greens", "greys"), "medium": ("gouache", "felt")}
    idea = card_of(["fox"]).model_copy(update={"options": {**options, "mood": ("gay", "grim")}}).model_dump(mode="json")

    told = [
        answer("final", seed, concepts=["fox"], idea=idea, likes=["gouache"], hates=["grim stories"])
        for seed in range(12)
    ]

    assert all("The mood is gay." in said for said in told)
    assert 0 < sum("The medium is gouache." in said for said in told) < 12


def test_nothing_disliked_is_in_the_final_prompt() -> None:
    for seed in range(8):
        prompt = prompt_of(["house"], seed, ("birds", "clouds", "gouache", "trees"))
        assert check(prompt, ["house"], ("birds", "clouds", "gouache", "trees")).issues == (), prompt


def test_a_disliked_entry_of_a_list_goes_and_the_rest_stays() -> None:
    draft = "A house, a tree to the left of the house, two birds above the house, and a pale sky. The mood is quiet."

    said = answer("prompt", draft=draft, concepts=["house"], disliked=["birds"])

    assert said.startswith("A house, a tree to the left of the house, and a pale sky. The mood is quiet.")


def test_what_is_disliked_and_asked_for_stays() -> None:
    assert "bird" in prompt_of(["a bird"], disliked=("birds",))


def test_a_repair_says_what_is_missing_and_leaves_out_what_is_disliked() -> None:
    prompt = "A house on green grass, a clown beside it. The mood is quiet."
    concepts = ["house", "three kites", "melancholy"]
    report = check(prompt, concepts, ("clowns",))
    assert "taste.disliked" in {issue.code for issue in report.issues}
    assert [issue.code for issue in report.errors] == ["fact.missing", "fact.missing"]

    draft = parse(answer("repair", current=prompt, concepts=list(concepts), findings=findings_of(report, notes=True)))

    assert check(draft.prompt, concepts, ("clowns",)).issues == (), draft
    assert "The mood is quiet." in draft.prompt


def test_a_repair_of_a_wrong_number_says_the_right_one() -> None:
    prompt = "Four red apples in a bowl. The mood is quiet."
    report = check("Four red apples and three pears in a bowl.", ["three red apples"], ())

    reply = answer("repair", current=prompt, concepts=["three red apples"], findings=findings_of(report))
    said = parse(reply).prompt

    assert check(said, ["three red apples"], ()).issues == (), said


@pytest.mark.parametrize(
    ("instruction", "expected", "gone"),
    [
        ("add a moon", "There is a moon.", ""),
        ("make the sky dark red", "The sky is dark red.", ""),
        ("remove the birds", "", "birds"),
        ("It is winter", "It is winter.", ""),
    ],
)
def test_an_edit_adds_changes_or_leaves_out(instruction: str, expected: str, gone: str) -> None:
    prompt = "A house, two birds above the house, and a pale sky."
    said = answer("edit", current=prompt, instruction=instruction, findings=[], concepts=[], idea=None, history="")

    assert said.endswith(expected)
    assert said.startswith("A house")
    assert not gone or gone not in said


def test_a_fix_answers_anew_with_a_prompt_that_can_be_used() -> None:
    said = parse(answer("fix", reply='{"prompt": 1}', error="It is JSON.", concepts=["fox", "snow"])).prompt

    assert check(said, ["fox", "snow"], ()).issues == ()
    assert 40 <= len(said.split()) <= 120


texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=50)


@settings(max_examples=25, deadline=None)
@given(st.lists(texts, min_size=1, max_size=4), st.integers(0, 1_000), st.lists(texts, max_size=3).map(tuple))
def test_any_concepts_give_a_prompt_that_can_be_parsed(
    concepts: list[str], seed: int, disliked: tuple[str, ...]
) -> None:
    assert prompt_of(concepts, seed, disliked)
