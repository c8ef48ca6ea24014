"""The benchmark of selections: its pool, its selectors and its figures on cases small enough to work out."""

from __future__ import annotations

import math

import pytest

from idea_facts import Fact
from idea_figures import Figures, common_lengths, compared, cut, figures, run
from idea_pool import Candidate, Session, Slot, Task, geneval, less, parti
from idea_selectors import Redraft, by_chance, cosine, mmr, top_score
from redraft.ideas.cards import IdeaCard

FOUR = Task("four green sinks", (Fact("class", "sink"), Fact("count", "sink", "4"), Fact("color", "sink", "green")))


def candidate(id_: str, score: int, text: str) -> Candidate:
    options = {"composition": ("wide", "tall"), "palette": ("warm", "cool"), "medium": ("ink",), "mood": ("calm",)}
    return Candidate(IdeaCard(id=id_, hook=f"{text}.", narrative=text, options=options), score, text)


def slot(*texts: str, task: Task = FOUR, seed: int = 1, scores: tuple[int, ...] = (70, 80, 60)) -> Slot:
    return Slot(task, seed, tuple(candidate("ABC"[n], scores[n], text) for n, text in enumerate(texts)))


def test_geneval_is_asked_without_its_medium() -> None:
    line = '{"include": [{"class": "cow", "count": 1, "color": "blue"}], "prompt": "a photo of a blue cow"}'
    assert geneval([line, ""]) == [Task("a blue cow", (Fact("class", "cow"), Fact("color", "cow", "blue")))]


def test_parti_prompts_are_short_say_something_and_ask_for_no_style() -> None:
    rows = [
        "Prompt\tCategory\tChallenge\tNote",
        "a half-peeled banana.\tA\tSimple Detail\t",
        "bond\tA\tBasic\t",
        "a horse in ink\tA\tStyle & Format\t",
        'a sign that says "STOP"\tA\tWriting & Symbols\t',
        "a very long prompt about a cow in a field of flowers at night\tA\tBasic\t",
    ]
    assert parti(rows) == [Task("a half-peeled banana")]


def test_a_brief_loses_each_fact_that_it_can() -> None:
    assert less(Task("two red cups", (Fact("count", "cup", "2"),))) == ["red cups"]
    two = (Fact("class", "bus"), Fact("color", "bus", "green"), Fact("class", "cat"))
    assert less(Task("a green bus and a cat", two)) == ["a green bus", "a bus and a cat"]
    assert less(Task("a cow left of a tv", (Fact("position", "cow", "left of", "tv"),))) == ["a cow beside a tv"]
    assert less(Task("a bench", (Fact("class", "bench"),))) == []


def test_the_best_score_wins_and_the_first_of_equals() -> None:
    assert top_score(slot("a", "b", "c"), [], 0).card.id == "B"
    assert top_score(slot("a", "b", scores=(80, 80)), [], 0).card.id == "A"


def test_chance_is_even_and_the_same_again() -> None:
    texts = ("a", "b", "c")
    ids = [by_chance(slot(*texts, seed=seed), [], 0).card.id for seed in range(300)]
    assert all(70 <= ids.count(id_) <= 130 for id_ in "ABC")
    assert ids == [by_chance(slot(*texts, seed=seed), [], 0).card.id for seed in range(300)]


def test_mmr_leaves_the_best_for_what_is_unlike_the_past() -> None:
    before = [candidate("A", 50, "a lighthouse in a storm")]
    here = slot("a quiet wood", "a lighthouse in a storm", scores=(70, 80))
    assert mmr(1.0)(here, before, 0).card.id == "B"
    assert mmr(0.5)(here, before, 0).card.id == "A"
    assert mmr(0.5)(here, [], 0).card.id == "B"


def test_cosine_by_hand() -> None:
    assert cosine("a a b", "a b c") == pytest.approx(3 / math.sqrt(5 * 3))
    assert cosine("", "a") == 0


def test_redraft_without_exploration_and_novelty_takes_the_best() -> None:
    assert Redraft()(slot("a", "b", "c"), [], 0).card.id == "B"


def test_novelty_takes_points_off_what_recent_prompts_repeat() -> None:
    past = [candidate("A", 50, "a lighthouse in a storm, ink") for _ in range(6)]
    here = slot("a quiet wood of birches", "a lighthouse in a storm", scores=(78, 80))
    taken = Redraft(novelty=True).weighed(here, [c.text for c in past]).penalties
    assert taken["B"] > taken["A"] + 2
    assert Redraft(novelty=True)(here, past, 0).card.id == "A"


KITE = Task("a red kite")
"""Of PartiPrompts: nothing is known that it states."""


def test_figures_of_a_session_by_hand() -> None:
    slots = (
        slot("Four green sinks under rain"),
        slot("Four red sinks over snow"),
        slot("Kites beyond fog", task=KITE),
    )
    session = Session("quiet", slots)
    lengths = common_lengths([session])
    assert (lengths.all, lengths.content) == (2, 1)  # under rain, red over snow, beyond fog
    assert cut(slots[1], slots[1].candidates[0], lengths) == "red over"
    assert cut(slots[1], slots[1].candidates[0], lengths, content=True) == "red"
    found = figures(session, run(session, top_score, 0), lengths)
    assert (found.variety, found.content) == (pytest.approx(3), pytest.approx(3))
    assert found.facts == pytest.approx(5 / 6)  # the second has no green sink
    assert found.words == 1 / 2  # a kite that is not said to be red
    assert found.score == 70


def test_a_comparison_is_paired_over_sessions() -> None:
    def of(variety: float) -> Figures:
        return Figures(variety, variety, 0.5, 1.0, 1.0, 70.0)

    ours, base = [of(2), of(6)], [of(1), of(2)]
    draws = [[0, 0], [1, 1]]
    assert compared(ours, base, "variety", draws, ratio=True) == pytest.approx((8 / 3, 2.025, 2.975))
    assert compared(ours, base, "variety", draws, ratio=False) == pytest.approx((2.5, 1.075, 3.925))
