"""FR5: the choice is made in code, by a seeded generator, and is the same again."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.errors import SelectionError
from redraft.ideas.selection import Row, Selection, pool_of, select, weights_of

SCORES = {"A": 74, "B": 81, "C": 60, "D": 40, "E": 81, "F": 10}

TABLES = st.dictionaries(st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), st.integers(0, 100), min_size=1)
SEEDS = st.integers(0, 2**31 - 1)
RATES = st.floats(0, 1)


class Rolls(random.Random):
    """A generator whose numbers are given."""

    def __init__(self, *numbers: float) -> None:
        super().__init__(0)
        self.left = list(numbers)

    def random(self) -> float:
        return self.left.pop(0)


def chosen(
    scores: dict[str, int],
    rate: float,
    *rolls: float,
    penalties: dict[str, float] | None = None,
) -> Selection:
    rng = Rolls(*rolls)
    found = select(scores, exploration_rate=rate, rng=rng, penalties=penalties)
    assert rng.left == [], "another number of draws than expected"
    return found


def test_fr5_without_exploration_the_best_score_wins_and_the_earlier_of_equals() -> None:
    found = chosen(SCORES, 0.15, 0.15)
    assert (found.selected_id, found.selected_score, found.selection_mode) == ("B", 81, "exploit")
    assert found.pool == ("B",)


def test_fr5_below_the_rate_it_explores_the_top_quartile() -> None:
    found = chosen(SCORES, 0.15, 0.1499, 0.0)
    assert (found.selection_mode, found.pool, found.exploration_roll) == ("explore", ("B", "E"), 0.1499)


def test_fr5_the_record_has_the_fields_of_the_specification() -> None:
    data = chosen(SCORES, 0.15, 0.07, 0.9).model_dump(mode="json")
    assert data["selected_id"] == "E"
    assert data["selected_score"] == 81
    assert data["exploration_rate"] == 0.15
    assert data["exploration_roll"] == 0.07
    assert data["selection_mode"] == "explore"
    assert [(row["id"], row["score"]) for row in data["score_table"]] == list(SCORES.items())
    assert all(type(row["score"]) is int for row in data["score_table"])


@pytest.mark.parametrize(("many", "size"), [(1, 1), (2, 2), (3, 2), (8, 2), (9, 3), (12, 3), (13, 4), (26, 7)])
def test_the_pool_is_a_quarter_rounded_up_and_two_at_least(many: int, size: int) -> None:
    scores = {chr(65 + n): 100 - n for n in range(many)}
    found = chosen(scores, 1.0, 0.0, 0.0)
    assert found.pool == tuple(scores)[:size]


@pytest.mark.parametrize(("draw", "wins"), [(0.0, "A"), (0.74, "A"), (0.75, "B"), (0.999999, "B")])
def test_exploring_draws_in_proportion_to_the_adjusted_scores(draw: float, wins: str) -> None:
    assert chosen({"A": 60, "B": 30}, 1.0, 0.0, draw, penalties={"B": 10.0}).selected_id == wins


@pytest.mark.parametrize(("draw", "wins"), [(0.49, "A"), (0.51, "B")])
def test_where_all_adjusted_scores_are_0_the_chances_are_equal(draw: float, wins: str) -> None:
    assert chosen({"A": 0, "B": 5}, 1.0, 0.0, draw, penalties={"B": 5.0}).selected_id == ("A" if wins == "A" else "B")


def test_a_card_of_weight_0_is_never_drawn_beside_one_that_has_some() -> None:
    for draw in (0.0, 0.5, math.nextafter(1.0, 0.0)):
        assert chosen({"A": 1, "B": 0}, 1.0, 0.0, draw).selected_id == "A"


def test_fr5_a_penalty_lets_another_card_win_and_the_judged_score_is_kept() -> None:
    found = chosen(SCORES, 0.0, 0.0, penalties={"B": 20.0, "E": 10.0})
    assert (found.selected_id, found.selected_score) == ("A", 74)
    assert found.score_table[1] == Row(id="B", score=81, penalty=20.0, adjusted_score=61.0)


def test_no_adjusted_score_is_below_0() -> None:
    found = chosen({"A": 5, "B": 3}, 0.0, 0.5, penalties={"A": 20.0})
    assert [row.adjusted_score for row in found.score_table] == [0.0, 3.0]


def test_with_rate_1_the_roll_always_explores_and_with_rate_0_never() -> None:
    assert chosen(SCORES, 1.0, math.nextafter(1.0, 0.0), 0.0).selection_mode == "explore"
    assert chosen(SCORES, 0.0, 0.0).selection_mode == "exploit"


@given(TABLES, RATES, SEEDS)
def test_fr5_the_same_seed_gives_the_same_selection(scores: dict[str, int], rate: float, seed: int) -> None:
    one, other = (select(scores, exploration_rate=rate, rng=random.Random(seed)) for _ in range(2))
    assert one == other
    assert one.exploration_roll == random.Random(seed).random()


@given(TABLES, RATES, SEEDS, st.data())
def test_what_wins_is_in_the_pool_and_exploiting_is_the_maximum(
    scores: dict[str, int], rate: float, seed: int, data: st.DataObject
) -> None:
    penalties = data.draw(st.dictionaries(st.sampled_from(sorted(scores)), st.floats(0, 100)))
    found = select(scores, exploration_rate=rate, rng=random.Random(seed), penalties=penalties)
    table = {row.id: row for row in found.score_table}
    free = [row.adjusted_score for row in found.score_table]
    assert found.selected_id in found.pool
    assert found.selected_score == scores[found.selected_id]
    assert (found.selection_mode == "explore") == (found.exploration_roll < rate)
    if found.selection_mode == "exploit":
        assert table[found.selected_id].adjusted_score == max(free)
    else:
        assert min(table[id_].adjusted_score for id_ in found.pool) >= sorted(free, reverse=True)[len(found.pool) - 1]


@given(TABLES, SEEDS)
def test_a_higher_rate_changes_the_roll_of_no_seed(scores: dict[str, int], seed: int) -> None:
    rolls = {select(scores, exploration_rate=r, rng=random.Random(seed)).exploration_roll for r in (0.0, 0.5, 1.0)}
    assert len(rolls) == 1


@given(st.lists(st.floats(0, 1e308), min_size=1, max_size=26))
def test_weights_are_shares_of_one(adjusted: list[float]) -> None:
    pool = [Row(id=str(n), score=value, adjusted_score=value) for n, value in enumerate(adjusted)]
    weights = weights_of(pool)
    assert math.isclose(math.fsum(weights), 1.0, abs_tol=1e-9)
    assert all(weight >= 0 for weight in weights)


def test_equals_at_the_edge_of_the_quartile_go_by_the_order_of_the_cards() -> None:
    rows = [Row(id=id_, score=50, adjusted_score=50.0) for id_ in "DCBA"]
    assert [row.id for row in pool_of(rows, explores=True)] == ["D", "C"]


@pytest.mark.slow
def test_explorations_come_as_often_as_the_rate_says_and_winners_as_their_weights() -> None:
    runs = [select(SCORES, exploration_rate=0.15, rng=random.Random(seed)) for seed in range(4_000)]
    explored = sum(run.selection_mode == "explore" for run in runs)
    assert abs(explored - 600) < 4 * math.sqrt(4_000 * 0.15 * 0.85)
    won = Counter(
        select({"A": 90, "B": 30}, exploration_rate=1.0, rng=random.Random(seed)).selected_id for seed in range(4_000)
    )
    assert abs(won["A"] - 3_000) < 4 * math.sqrt(4_000 * 0.75 * 0.25)


@pytest.mark.parametrize(
    ("scores", "rate", "penalties", "told"),
    [
        ({}, 0.1, {}, "0 scored cards"),
        ({"A": 1}, 1.01, {}, "exploration_rate is 1.01"),
        ({"A": 1}, -0.1, {}, "exploration_rate is -0.1"),
        ({"A": 1}, math.nan, {}, "exploration_rate is nan"),
        ({"A": 1}, math.inf, {}, "exploration_rate is inf"),
        ({"A": math.nan, "B": 1}, 0.1, {}, "1 of 2 scores are not finite numbers: 'A': nan"),
        ({"A": 1}, 0.1, {"A": -1.0}, "1 of 1 penalties are out of range: 'A': -1.0"),
        ({"A": 1}, 0.1, {"A": math.nan}, "'A': nan"),
        ({"A": 1}, 0.1, {"A": math.inf}, "'A': inf"),
        ({"A": 1}, 0.1, {"A": 1.0, "Z": 1.0}, "penalties names 1 of 2 cards that have no score: 'Z'"),
    ],
)
def test_fr5_what_does_not_belong_together_is_refused(
    scores: dict[str, float], rate: float, penalties: dict[str, float], told: str
) -> None:
    with pytest.raises(SelectionError) as caught:
        select(
            scores,
            exploration_rate=rate,
            rng=random.Random(0),
            penalties=penalties,
        )
    assert str(caught.value).startswith("invalid_selection: ")
    assert told in str(caught.value)
