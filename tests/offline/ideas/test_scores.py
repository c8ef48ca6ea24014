"""The judge by rule: whole numbers, no two alike, and higher for what was asked for and liked."""

from __future__ import annotations

from by_rule import asking
from hypothesis import given
from hypothesis import strategies as st

from redraft.ideas.cards import IdeaCard, IdeaCards
from redraft.ideas.compose import ids_of, judge_inputs
from redraft.ideas.offline.answers import ANSWERS
from redraft.ideas.profile import TasteProfile
from redraft.ideas.scores import parse_scores
from redraft.ideas.settings import Rubric


def card(id_: str, narrative: str, **options: tuple[str, ...]) -> IdeaCard:
    """A card that says this."""
    usual = {"composition": ("wide", "close"), "palette": ("warm", "cool"), "medium": ("ink",), "mood": ("calm",)}
    return IdeaCard(id=id_, hook="A picture.", narrative=narrative, options={**usual, **options})


def scores(
    *cards: IdeaCard,
    concepts: tuple[str, ...] = (),
    profile: TasteProfile | None = None,
    recent: str = "",
    rubric: Rubric = "default",
    seed: int = 1,
) -> dict[str, int]:
    """The offline judge's scores, by way of its reply."""
    ids = [one.id for one in cards]
    inputs = judge_inputs(
        concepts,
        profile or TasteProfile(),
        IdeaCards(ideas=cards).model_dump_json(),
        recent,
        ids=ids,
        instruction="",
        rubric=rubric,
    )
    reply = ANSWERS["ideas.judge"](asking("ideas.judge", inputs, seed))
    return parse_scores(reply, ids)


PLAIN = card("A", "A lighthouse in a storm."), card("B", "A boat on a lake.")


def test_what_keeps_the_concepts_scores_higher_whatever_the_seed() -> None:
    for seed in range(20):
        found = scores(*PLAIN, concepts=("lighthouse", "storm"), seed=seed)
        assert found["A"] > found["B"] + 10


def test_what_is_liked_counts_and_what_is_hated_counts_more() -> None:
    liking, hating = TasteProfile(likes=("boats",)), TasteProfile(likes=("boats",), hates=("lakes",))

    assert scores(*PLAIN, profile=liking)["B"] > scores(*PLAIN)["B"]
    assert scores(*PLAIN, profile=hating)["B"] < scores(*PLAIN)["B"]


def test_many_likes_met_are_worth_no_more_than_a_few() -> None:
    everything = TasteProfile(loves=("a", "boat", "lake", "ink", "wide", "warm", "calm", "close"))
    few = TasteProfile(loves=("boat", "lake", "ink"))

    assert scores(*PLAIN, profile=everything)["B"] == scores(*PLAIN, profile=few)["B"]


def test_motifs_of_late_cost_points_and_more_where_novelty_is_weighed() -> None:
    recent = "Of the last 9 prompts, these words stand in several:\n- “boat” in 7\n- “lake” in 5"

    plain, told, heavy = (
        scores(*PLAIN)["B"],
        scores(*PLAIN, recent=recent)["B"],
        scores(*PLAIN, recent=recent, rubric="novelty_heavy")["B"],
    )

    assert plain > told > heavy


def test_what_a_card_avoids_counts_neither_way() -> None:
    spoilt = PLAIN[0].model_copy(update={"avoid": ("boats", "lakes")})

    assert scores(spoilt, PLAIN[1], profile=TasteProfile(hates=("boats",)))["A"] == scores(*PLAIN)["A"]


def test_a_strict_judge_gives_less() -> None:
    assert scores(*PLAIN, rubric="strict")["A"] < scores(*PLAIN)["A"]


@given(st.integers(2, 26), st.integers(0, 2**31 - 1), st.sampled_from(["", "- “house” in 3"]))
def test_any_number_of_like_cards_gets_that_many_different_scores(number: int, seed: int, recent: str) -> None:
    cards = [card(id_, "A house.") for id_ in ids_of(number)]

    found = scores(*cards, concepts=("house",), recent=recent, seed=seed)

    assert len(set(found.values())) == number
    assert all(0 <= score <= 100 for score in found.values())


def test_the_worst_cards_still_differ() -> None:
    hates = TasteProfile(hates=tuple(f"house {n}" for n in range(40)))
    found = scores(*(card(id_, "A house.") for id_ in ids_of(26)), profile=hates, concepts=("kite",))

    assert len(set(found.values())) == 26
