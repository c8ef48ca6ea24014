"""The statistics of the variety benchmarks, where a wrong sign would go unseen in a table."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resampling import halves, interval, partial, ranks, resampled, spearman
from variety import answers, counted_cosine, plain_vendi

numbers = st.lists(st.integers(-5, 5), min_size=3, max_size=12)


def test_ranks_share_the_mean_of_ties() -> None:
    assert list(ranks([10, 20, 20, 5])) == [2, 3.5, 3.5, 1]


def test_values_that_differ_by_rounding_are_ties() -> None:
    assert list(ranks([0.3, 0.1 + 0.2])) == [1.5, 1.5]


def test_spearman_by_hand() -> None:
    # without ties: 1 − 6 Σd² / (n (n² − 1)), with d = 0, 1, 1, 0
    assert spearman([1, 2, 3, 4], [10, 30, 20, 40]) == pytest.approx(1 - 6 * 2 / (4 * 15))
    assert spearman([1, 2, 3], [9, 5, 1]) == pytest.approx(-1)


@given(values=numbers)
def test_spearman_sees_only_the_order(values: list[int]) -> None:
    other = [7, 1, 3, 3, 9, 2, 8, 0, 4, 6, 5, 1][: len(values)]
    assert spearman(values, other) == pytest.approx(spearman([math.exp(v) for v in values], other))
    assert spearman(values, other) == pytest.approx(spearman(other, values))


def test_what_only_follows_length_has_no_partial_correlation() -> None:
    rng = np.random.default_rng(0)
    length = rng.normal(size=4000)
    a, b = length + 0.5 * rng.normal(size=4000), length + 0.5 * rng.normal(size=4000)
    assert spearman(a, b) > 0.7
    assert abs(partial(a, b, length)) < 0.05
    assert partial(length, a, length) == 0


def test_a_measure_that_is_the_same_everywhere_has_no_correlation() -> None:
    assert spearman([1, 1, 1], [1, 2, 3]) == 0


def test_draws_and_halves_are_the_same_again_and_cover_what_they_should() -> None:
    assert resampled(5, 3, 1) == resampled(5, 3, 1) != resampled(5, 3, 2)
    for one, other in halves(7, 20, 0):
        assert sorted([*one, *other]) == list(range(7))
        assert len(one) == 3


def test_an_interval_holds_the_middle_share() -> None:
    low, high = interval(lambda draw: draw[0], [[n] for n in range(101)], share=0.9)
    assert (low, high) == pytest.approx((5, 95))


def test_groups_are_counted_by_their_numbers() -> None:
    line = json.dumps({"prompt": "p", "generations": ["a", "b", "c"], "partition": [0, 3, 0]})
    assert [case.groups for case in answers([line, ""])] == [2]


def test_the_plain_vendi_is_that_of_plain_counts() -> None:
    alike = counted_cosine([{"a": 2, "b": 1}, {"a": 1, "c": 3}, {}])
    assert alike[0, 1] == pytest.approx(2 / math.sqrt(5 * 10))
    assert list(alike[2]) == [0, 0, 1]
    assert plain_vendi(["one two", "One, two!", "three"]) == pytest.approx(math.exp(math.log(3) - 2 / 3 * math.log(2)))
