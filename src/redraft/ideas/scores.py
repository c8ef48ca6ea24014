"""Replies of judges: one whole number for each card, and nothing else."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, cast

from pydantic import BaseModel, ConfigDict

from redraft.errors import FormatError, JudgeOutputError, SelectionError
from redraft.ideas.cards import object_in
from redraft.ideas.settings import Aggregate, JudgeSettings

_QUOTED = 200
"""Characters of a reply that an error shows, as the seed has it."""
_MOST_NAMED = 12
_SHAPE = '{"scores": [{"id": "A", "score": 78}, …]}'


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Score(_Part):
    """A judge's opinion of one card."""

    id: str
    score: int
    """0 to 100."""


class Scores(_Part):
    """The reply of the step `idea_cards_judge_score`."""

    scores: tuple[Score, ...]


def parse_scores(text: str, ids: Sequence[str]) -> dict[str, int]:
    """Scores by card id, in the order of `ids`.

    Raises:
        JudgeOutputError: `invalid_judge_output: …`, with the first 200 characters of the reply.
        SelectionError: an id is unknown, missing, or there twice; with counts and the ids.
    """
    try:
        scores = [
            _score(number, entry) for number, entry in enumerate(_entries(object_in(text, fenced=False)), start=1)
        ]
    except FormatError as error:
        raise JudgeOutputError(
            f"The judge's reply cannot be used: {error}. Expected exactly {_SHAPE}. "
            f"The reply begins {text[:_QUOTED]!r}."
        ) from error
    _check_ids([score.id for score in scores], ids)
    by_id = {score.id: score.score for score in scores}
    return {card: by_id[card] for card in ids}


def aggregated(
    by_judge: Mapping[str, Mapping[str, int]], judges: Sequence[JudgeSettings], how: Aggregate
) -> dict[str, float]:
    """One score for each card from several judges; weights count for the mean alone.

    Where all judges agree, and with `min`, `max` and the middle one of an odd number, it is a judge's own whole number.

    Raises:
        SelectionError: no judge answered, the answers are not those of `judges`, or two did not score the same cards.
    """
    _check_judges(by_judge, judges)
    names = [judge.name for judge in judges] or list(by_judge)
    weights = [judge.weight for judge in judges] or [1.0]
    return {card: _one([by_judge[name][card] for name in names], weights, how) for card in by_judge[names[0]]}


def _entries(found: Mapping[str, Any]) -> list[Any]:
    _check_keys(found, ("scores",), "the object")
    scores: Any = found["scores"]
    if not isinstance(scores, list):
        raise FormatError(f"scores is {_kind(scores)}; expected a list")
    return cast("list[Any]", scores)


def _score(number: int, entry: Any) -> Score:
    if not isinstance(entry, dict):
        raise FormatError(f"entry {number} of scores is {_kind(entry)}; expected an object with id and score")
    found = cast("dict[str, Any]", entry)
    _check_keys(found, ("id", "score"), f"entry {number} of scores")
    card, score = found["id"], found["score"]
    if not isinstance(card, str):
        raise FormatError(f"the id of entry {number} is {_shown(card)}; expected a string")
    if not isinstance(score, int) or isinstance(score, bool) or not 0 <= score <= 100:
        raise FormatError(f"the score of {_shown(card)} is {_shown(score)}; expected a whole number from 0 to 100")
    return Score(id=card, score=score)


def _check_keys(found: Mapping[str, Any], wanted: Sequence[str], where: str) -> None:
    if missing := [key for key in wanted if key not in found]:
        raise FormatError(f"{where} has no {missing[0]!r}")
    if more := [key for key in found if key not in wanted]:
        others = f" and {len(more) - 1:,} more" if len(more) > 1 else ""
        raise FormatError(f"{where} has the key {_shown(more[0])}{others}; only {' and '.join(wanted)} are allowed")


def _shown(value: Any) -> str:
    """A value as JSON has it, shortened; of what is nested only the kind."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return repr(value) if len(value) <= 30 else f"{value[:30]!r}… ({len(value):,} characters)"
    return str(value)[:30] if isinstance(value, int | float) else _kind(value)


def _kind(value: Any) -> str:
    """Return the kind of a JSON value, in words."""
    if value is None:
        return "null"
    kinds = ((bool, "true or false"), (dict, "an object"), (list, "a list"), (str, "a string"))
    return next((words for kind, words in kinds if isinstance(value, kind)), "a number")


def _check_ids(scored: Sequence[str], ids: Sequence[str]) -> None:
    problems = {
        "unknown": [card for card in dict.fromkeys(scored) if card not in set(ids)],
        "scored twice": [card for card, times in Counter(scored).items() if times > 1],
        "missing": [card for card in ids if card not in set(scored)],
    }
    named = [f"{len(cards)} {what}: {_list(cards)}" for what, cards in problems.items() if cards]
    if named:
        raise SelectionError(
            f"The judge gave {len(scored)} scores for {len(ids)} cards; {'; '.join(named)}. Each of {_list(ids)} is to "
            "be scored once."
        )


def _list(cards: Sequence[str]) -> str:
    more = f" and {len(cards) - _MOST_NAMED} more" if len(cards) > _MOST_NAMED else ""
    return ", ".join(f"{card[:16]!r}" for card in cards[:_MOST_NAMED]) + more


def _check_judges(by_judge: Mapping[str, Mapping[str, int]], judges: Sequence[JudgeSettings]) -> None:
    names = [judge.name for judge in judges] or list(by_judge)
    if not by_judge or sorted(names) != sorted(by_judge) or (not judges and len(by_judge) > 1):
        raise SelectionError(
            f"{len(by_judge)} judges answered ({_list(list(by_judge))}); {len(judges) or 1} were asked"
            f" ({_list([judge.name for judge in judges]) or 'one'})."
        )
    first = by_judge[names[0]]
    for name in names[1:]:
        if differing := [card for card in (*first, *by_judge[name]) if (card in first) != (card in by_judge[name])]:
            raise SelectionError(
                f"The judges {names[0]!r} and {name!r} did not score the same cards: {len(differing)} stand with one "
                f"of them alone, {_list(differing)}."
            )


def _one(scores: Sequence[int], weights: Sequence[float], how: Aggregate) -> float:
    if len(set(scores)) == 1 or how == "min":
        return min(scores)
    if how == "max":
        return max(scores)
    if how == "median":
        return median(scores)
    weighted = math.fsum(weight * score for weight, score in zip(weights, scores, strict=True)) / math.fsum(weights)
    return min(max(weighted, float(min(scores))), float(max(scores)))  # rounding may leave the range by a hair
