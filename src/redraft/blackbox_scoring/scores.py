"""What judges answer: one whole number for each card, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict

from redraft.blackbox_scoring.settings import Aggregate, JudgeSettings

__all__ = ["Score", "Scores", "aggregated", "parse_scores"]


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
    raise NotImplementedError


def aggregated(
    by_judge: Mapping[str, Mapping[str, int]], judges: Sequence[JudgeSettings], how: Aggregate
) -> dict[str, float]:
    """One score for each card from several judges; weights count for the mean alone."""
    raise NotImplementedError
