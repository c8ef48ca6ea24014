"""FR4: a judge answers in whole numbers and nothing else; several judges become one score."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.errors import IdeaError, JudgeOutputError, SelectionError
from redraft.ideas.scores import aggregated, parse_scores
from redraft.ideas.settings import Aggregate, JudgeSettings


def reply(*pairs: tuple[Any, Any]) -> str:
    return json.dumps({"scores": [{"id": id_, "score": score} for id_, score in pairs]})


def refusal(text: str) -> str:
    with pytest.raises(JudgeOutputError) as caught:
        parse_scores(text, ["A", "B"])
    assert str(caught.value).startswith("invalid_judge_output: ")
    assert isinstance(caught.value, ValueError)
    return str(caught.value)


def mismatch(text: str, *ids: str) -> str:
    with pytest.raises(SelectionError) as caught:
        parse_scores(text, ids)
    assert str(caught.value).startswith("invalid_selection: ")
    assert isinstance(caught.value, ValueError)
    return str(caught.value)


def test_fr4_valid_scores_are_read_in_the_order_of_the_cards() -> None:
    found = parse_scores(reply(("B", 100), ("A", 0)), ["A", "B"])
    assert list(found.items()) == [("A", 0), ("B", 100)]


@pytest.mark.parametrize(
    ("score", "shown"),
    [
        ('"78"', "'78'"), ("78.0", "78.0"), ("7.5", "7.5"), ("1e1", "10.0"), ("true", "true"), ("false", "false"),
        ("null", "null"), ("-1", "-1"), ("101", "101"), ("[78]", "a list"), ('{"value": 78}', "an object"),
        ('""', "''"),
    ],
)  # fmt: skip
def test_fr4_a_score_that_is_no_whole_number_from_0_to_100_is_refused(score: str, shown: str) -> None:
    said = refusal('{"scores": [{"id": "A", "score": 5}, {"id": "B", "score": ' + score + "}]}")
    assert f"the score of 'B' is {shown}; expected a whole number from 0 to 100" in said


@pytest.mark.parametrize("score", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_fr4_numbers_that_json_has_not_are_refused(score: str) -> None:
    assert score.removesuffix(".0") in refusal('{"scores": [{"id": "A", "score": ' + score + "}]}")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        ("A is best.", "does not begin with {"),
        (f"```json\n{reply(('A', 1))}\n```", "it is fenced"),
        (f"```\n{reply(('A', 1))}\n```", "it is fenced"),
        ("Scores:\n" + reply(("A", 1)), "does not begin with {"),
        (reply(("A", 1)) + " because it is bright", "follow the JSON"),
        ('{"scores": [{"id": "A", "score": 1, "score": 2}]}', "the key 'score' twice"),
        ('{"scores": [], "scores": []}', "the key 'scores' twice"),
        ('{"scores": [{"id": "A", "score": 1, "why": "bright"}]}', "has the key 'why'"),
        ('{"scores": [], "best": "A"}', "has the key 'best'"),
        ('{"scores": [{"id": "A"}]}', "entry 1 of scores has no 'score'"),
        ('{"scores": [{"score": 1}]}', "entry 1 of scores has no 'id'"),
        ('{"scores": [{"id": 1, "score": 1}]}', "the id of entry 1 is 1"),
        ('{"scores": {"A": 1, "B": 2}}', "scores is an object"),
        ('{"scores": [["A", 1]]}', "entry 1 of scores is a list"),
        ('{"A": 1, "B": 2}', "has no 'scores'"),
        ("[]", "does not begin with {"),
        ('{"scores": [' + " " * 2_000_000 + "]}", "at most 2,000,000 are read"),
    ],
)
def test_fr4_a_reply_that_is_not_exactly_scores_is_refused(text: str, why: str) -> None:
    assert why in refusal(text)


def test_the_error_shows_the_first_200_characters_of_the_reply_and_no_more() -> None:
    text = "".join(chr(0x4E00 + n) for n in range(1_000))
    said = refusal(text)
    assert repr(text[:200]) in said
    assert text[200] not in said


def test_nothing_of_a_long_reply_slips_out_by_way_of_the_reason() -> None:
    said = refusal('{"scores": [' + " " * 300 + '{"id": "A", "score": 1, "' + "secret" * 50 + '": 1}]}')
    assert "secret" * 6 not in said
    assert len(said) < 600


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        ((("A", 1),), "1 scores for 2 cards; 1 missing: 'B'"),
        ((), "0 scores for 2 cards; 2 missing: 'A', 'B'"),
        ((("A", 1), ("B", 2), ("Z", 3)), "1 unknown: 'Z'"),
        ((("A", 1), ("B", 2), ("A", 1)), "1 scored twice: 'A'"),
        ((("A", 1), ("a", 2)), "1 unknown: 'a'; 1 missing: 'B'"),
    ],
)
def test_ids_that_are_unknown_missing_or_there_twice_are_told_with_counts(
    pairs: tuple[tuple[str, int], ...], told: str
) -> None:
    assert told in mismatch(reply(*pairs), "A", "B")


@given(st.dictionaries(st.text(max_size=5), st.integers(0, 100), min_size=1, max_size=26))
def test_every_table_of_whole_numbers_comes_back_as_it_is(table: dict[str, int]) -> None:
    table = {id_.encode("utf-8", "replace").decode(): score for id_, score in table.items()}
    assert parse_scores(reply(*reversed(table.items())), list(table)) == table


@given(st.text(max_size=100))
def test_any_other_text_is_an_idea_error(text: str) -> None:
    with pytest.raises(IdeaError):
        parse_scores(text, ["A"])


# Several judges


def judges(*weights: float) -> tuple[JudgeSettings, ...]:
    return tuple(JudgeSettings(name=f"j{n}", weight=weight) for n, weight in enumerate(weights))


def by_judge(*scores: int) -> dict[str, dict[str, int]]:
    return {f"j{n}": {"A": score} for n, score in enumerate(scores)}


@pytest.mark.parametrize(
    ("how", "scores", "weights", "expected"),
    [
        ("mean", (70, 80), (1, 1), 75.0),
        ("mean", (70, 80), (3, 1), 72.5),
        ("mean", (0, 100, 100), (1, 1, 0.5), 60.0),
        ("median", (10, 90, 20), (1, 1, 9), 20),
        ("median", (10, 21), (1, 5), 15.5),
        ("min", (30, 20, 90), (1, 9, 1), 20),
        ("max", (30, 20, 90), (1, 9, 0.1), 90),
    ],
)
def test_scores_of_several_judges_become_one(
    how: Aggregate, scores: tuple[int, ...], weights: tuple[float, ...], expected: float
) -> None:
    assert aggregated(by_judge(*scores), judges(*weights), how) == {"A": pytest.approx(expected, abs=1e-12)}


@pytest.mark.parametrize("how", ["mean", "median", "min", "max"])
def test_one_judge_keeps_whole_numbers(how: Aggregate) -> None:
    found = aggregated({"judge": {"B": 81, "A": 74}}, (), how)
    assert list(found.items()) == [("B", 81), ("A", 74)]
    assert all(type(score) is int for score in found.values())


def test_judges_who_agree_give_that_very_number() -> None:
    assert repr(aggregated(by_judge(77, 77, 77), judges(0.1, 0.2, 0.3), "mean")["A"]) == "77"


@given(st.lists(st.tuples(st.integers(0, 100), st.floats(1e-6, 1_000)), min_size=1, max_size=9))
def test_every_aggregate_lies_between_the_lowest_and_the_highest(given_: list[tuple[int, float]]) -> None:
    scores, weights = zip(*given_, strict=True)
    for how in ("mean", "median", "min", "max"):
        found = aggregated(by_judge(*scores), judges(*weights), how)["A"]
        assert min(scores) <= found <= max(scores)
        assert math.isfinite(found)


@pytest.mark.parametrize(
    ("scores", "weights", "told"),
    [
        ({}, (), "0 judges answered"),
        ({"j0": {"A": 1}}, (1, 1), "1 judges answered ('j0'); 2 were asked ('j0', 'j1')"),
        ({"j0": {"A": 1}, "x": {"A": 1}}, (1, 1), "'x'"),
        ({"j0": {"A": 1}, "j1": {"B": 1}}, (1, 1), "'j0' and 'j1' did not score the same cards: 2"),
        ({"j0": {"A": 1}, "j1": {"A": 1}}, (), "2 judges answered"),
    ],
)
def test_answers_that_do_not_belong_together_are_refused(
    scores: dict[str, dict[str, int]], weights: tuple[float, ...], told: str
) -> None:
    with pytest.raises(SelectionError) as caught:
        aggregated(scores, judges(*weights), "mean")
    assert told in str(caught.value)
