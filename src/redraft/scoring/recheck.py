"""A recorded choice worked out again: where the record does not agree with itself.

Each figure is compared with what follows from those recorded before it, so one changed number is one difference.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping

from redraft.errors import SelectionError
from redraft.scoring.record import Scoring
from redraft.scoring.scores import aggregated
from redraft.scoring.selection import Row, Selection, select

__all__ = ["differences"]


def differences(scoring: Scoring) -> list[str]:
    """What is recorded, and what the arithmetic gives instead; empty when all agrees."""
    return [
        *_in_cards(scoring),
        *_in_scores(scoring),
        *_in_penalties(scoring),
        *(fault for row in scoring.score_table for fault in _in_row(row)),
        *_in_choice(scoring),
    ]


def _in_cards(scoring: Scoring) -> Iterator[str]:
    cards, rows = [card.id for card in scoring.cards], [row.id for row in scoring.score_table]
    if cards != rows:
        yield f"the cards are {', '.join(cards)}; the table has {', '.join(rows)}"


def _in_scores(scoring: Scoring) -> Iterator[str]:
    try:
        scores = _scores(scoring)
    except SelectionError as error:
        yield str(error)
        return
    for row in scoring.score_table:
        if row.id not in scores:
            yield f"{row.id} is in the table, and no judge scored it"
        elif not _same(row.score, scores[row.id]):
            yield f"the score of {row.id} is recorded as {row.score:g}; the judges' numbers give {scores[row.id]:g}"


def _scores(scoring: Scoring) -> Mapping[str, float]:
    settings = scoring.config_snapshot
    return aggregated(scoring.judges, settings.judges, settings.aggregate)


def _in_penalties(scoring: Scoring) -> Iterator[str]:
    most = scoring.config_snapshot.novelty.max_penalty if scoring.novelty.enabled else 0.0
    for row in scoring.score_table:
        if not 0 <= row.penalty <= most:
            why = "at most as configured" if scoring.novelty.enabled else "for novelty is off"
            yield f"the penalty of {row.id} is recorded as {row.penalty:g}; it can be {most:g} {why}"


def _in_row(row: Row) -> Iterator[str]:
    adjusted = max(0.0, row.score - row.penalty)
    if not _same(row.adjusted_score, adjusted):
        yield (
            f"the adjusted score of {row.id} is recorded as {row.adjusted_score:g}; "
            f"{row.score:g} − {row.penalty:g} gives {adjusted:g}"
        )


def _in_choice(scoring: Scoring) -> Iterator[str]:
    rate = scoring.config_snapshot.exploration_rate
    if scoring.exploration_rate != rate:
        yield f"exploration_rate is recorded as {scoring.exploration_rate:g}; the configuration has {rate:g}"
    try:
        again = _chosen_again(scoring)
    except SelectionError as error:
        yield str(error)
        return
    for field in ("exploration_roll", "selection_mode", "pool", "selected_id", "selected_score"):
        recorded, found = getattr(scoring, field), getattr(again, field)
        if recorded != found:
            yield f"{field} is recorded as {_shown(recorded)}; seed {scoring.seed} and the table give {_shown(found)}"


def _chosen_again(scoring: Scoring) -> Selection:
    """The choice, from the adjusted scores as recorded."""
    table = scoring.score_table
    again = select(
        {row.id: row.adjusted_score for row in table},
        exploration_rate=scoring.exploration_rate,
        rng=random.Random(scoring.seed),  # noqa: S311  a choice among ideas, not a secret
        barred=frozenset(row.id for row in table if row.barred),
    )
    judged = next(row.score for row in table if row.id == again.selected_id)
    return again.model_copy(update={"selected_score": judged})


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=0.0, abs_tol=1e-9)


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)  # pyright: ignore
