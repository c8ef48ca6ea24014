"""The choice among scored cards: ε-greedy with a seeded generator, less what novelty takes off. No model is asked."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

__all__ = ["Row", "Selection", "select"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Row(_Part):
    """One card in the table of scores."""

    id: str
    score: int | float
    """The judge's, or the aggregate of several."""
    penalty: float = 0.0
    adjusted_score: float
    """`score` less `penalty`, floor 0."""
    barred: bool = False
    """On cooldown: it cannot win while another card can."""


class Selection(_Part):
    """What was chosen, and how."""

    selected_id: str
    selected_score: int | float
    """As judged, before any penalty."""
    exploration_rate: float
    exploration_roll: float
    """Uniform in [0, 1); below the rate the choice explores."""
    selection_mode: Literal["exploit", "explore"]
    score_table: tuple[Row, ...]
    """In the order of the cards."""
    pool: tuple[str, ...]
    """Ids that could win: the best alone, or the top quartile."""


def select(
    scores: Mapping[str, float],
    *,
    exploration_rate: float,
    rng: random.Random,
    penalties: Mapping[str, float] | None = None,
    barred: frozenset[str] = frozenset(),
) -> Selection:
    """Choose one card.

    With probability `1 − exploration_rate` the best adjusted score, the earliest of equals; otherwise one of the top
    quartile (at least two where there are two), drawn with weights proportional to the adjusted scores.
    `exploration_rate` may be anything in [0, 1] here; the configuration allows 0.5 at most.

    Raises:
        SelectionError: no card, a rate or a penalty out of range, a penalty for an id that has no score.
    """
    raise NotImplementedError
