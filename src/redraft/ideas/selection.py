"""The choice among scored cards, ε-greedy with a seeded generator, and its record. No model is asked."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue, TypeAdapter, ValidationError

from redraft.errors import IdeaError, RunFormatError, SelectionError
from redraft.ideas.cards import IdeaCard
from redraft.ideas.novelty import Motif
from redraft.ideas.settings import ScoringSettings


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


class Selection(_Part):
    """A choice, and the way it was made."""

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
) -> Selection:
    """Choose one card.

    With probability `1 − exploration_rate` the best adjusted score, the earliest of equals; otherwise one of the top
    quartile (at least two where there are two), drawn with weights proportional to the adjusted scores.
    `exploration_rate` may be anything in [0, 1] here; the configuration allows 0.5 at most.

    Of `rng` one number is taken for the roll, always; a second one only when the choice explores.

    Raises:
        SelectionError: no card, a rate or a penalty out of range, a penalty for an id that has no score.
    """
    _check(scores, exploration_rate, penalties or {})
    table = _table(scores, penalties or {})
    roll = rng.random()
    explores = roll < exploration_rate
    pool = pool_of(table, explores=explores)
    chosen = _drawn(pool, rng.random()) if explores else pool[0]
    return Selection(
        selected_id=chosen.id,
        selected_score=chosen.score,
        exploration_rate=exploration_rate,
        exploration_roll=roll,
        selection_mode="explore" if explores else "exploit",
        score_table=table,
        pool=tuple(row.id for row in pool),
    )


def pool_of(table: Sequence[Row], *, explores: bool) -> tuple[Row, ...]:
    """The rows that could win, best adjusted score first, earlier cards first among equals.

    The best alone; or, when the choice explores, the top quartile: `max(2, ceil(n / 4))` of `n` rows.
    """
    ranked = sorted(table, key=lambda row: -row.adjusted_score)  # stable: equals stay in the order of the cards
    return tuple(ranked[: max(2, math.ceil(len(ranked) / 4))] if explores else ranked[:1])


def weights_of(pool: Sequence[Row]) -> tuple[float, ...]:
    """The chance of each row of a pool: its share of all adjusted scores; equal shares where all are 0."""
    top = max(row.adjusted_score for row in pool)
    if top == 0:
        return tuple(1 / len(pool) for _ in pool)
    shares = [row.adjusted_score / top for row in pool]  # by the largest first, so that no sum is too large
    return tuple(share / math.fsum(shares) for share in shares)


def _table(scores: Mapping[str, float], penalties: Mapping[str, float]) -> tuple[Row, ...]:
    return tuple(
        Row(
            id=card,
            score=score,
            penalty=float(penalties.get(card, 0.0)),
            adjusted_score=max(0.0, float(score - penalties.get(card, 0.0))),
        )
        for card, score in scores.items()
    )


def _drawn(pool: Sequence[Row], draw: float) -> Row:
    """The row on whose share of [0, 1) the draw falls."""
    reached = accumulate(weights_of(pool))
    return next((row for row, end in zip(pool, reached, strict=True) if draw < end), _last_that_can(pool))


def _last_that_can(pool: Sequence[Row]) -> Row:
    """For a draw beyond the sum of the shares, which rounding may leave a hair below 1."""
    return [row for row, weight in zip(pool, weights_of(pool), strict=True) if weight > 0][-1]


def _check(scores: Mapping[str, float], rate: float, penalties: Mapping[str, float]) -> None:
    if not scores:
        raise SelectionError("There are 0 scored cards; at least 1 is needed to choose from.")
    if not 0 <= rate <= 1:  # also refuses NaN
        raise SelectionError(f"exploration_rate is {rate!r}; expected a number from 0 to 1.")
    if odd := [f"{card!r}: {score!r}" for card, score in scores.items() if not math.isfinite(score)]:
        raise SelectionError(f"{len(odd)} of {len(scores)} scores are not finite numbers: {', '.join(odd[:8])}.")
    if odd := [f"{card!r}: {lost!r}" for card, lost in penalties.items() if not 0 <= lost < math.inf]:
        raise SelectionError(
            f"{len(odd)} of {len(penalties)} penalties are out of range: {', '.join(odd[:8])}; expected 0 or more."
        )
    if unknown := [card for card in sorted(penalties) if card not in scores]:
        raise SelectionError(
            f"penalties names {len(unknown)} of {len(penalties)} cards that have no score: "
            f"{', '.join(map(repr, unknown[:8]))}; scored are {', '.join(map(repr, list(scores)[:30]))}."
        )


class NoveltyUsed(BaseModel):
    """The part of recent generations in the choice."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool
    """In force in this run."""
    off_because: str = ""
    """The reason when it is not."""
    prompts: int = 0
    """Number of recent prompts."""
    motifs: tuple[Motif, ...] = ()
    summary: str = ""
    """The lines for the judge."""


class Scoring(Selection):
    """A selection, and all that it came from."""

    seed: int
    """Of the generator that rolled."""
    config_snapshot: ScoringSettings
    judges: dict[str, dict[str, int]]
    """Each judge's scores by card; one judge is called `judge`."""
    novelty: NoveltyUsed
    generator_profile_hints: str = ""
    """The generator's summary of the profile; empty without one."""
    cards: tuple[IdeaCard, ...]

    @property
    def selected_card(self) -> IdeaCard:
        return next(card for card in self.cards if card.id == self.selected_id)


_scoring: TypeAdapter[Scoring] = TypeAdapter(Scoring)


def scoring_of(recorded: JsonValue) -> Scoring | None:
    """The record in a transcript's `blackbox_scoring`; None when no idea was chosen. Raises `RunFormatError`."""
    if recorded is None:
        return None
    try:
        return _scoring.validate_json(json.dumps(recorded))  # as JSON: strict models take lists for tuples only there
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RunFormatError(
            f"blackbox_scoring of the transcript cannot be read ({where}: {first['msg']}); it was changed, or written "
            "by another version of redraft."
        ) from error


def was_unusable(error: Mapping[str, JsonValue] | None) -> bool:
    """Whether a run ended with ideas or scores that could not be used."""
    said = str((error or {}).get("message", ""))
    return any(said.startswith(f"{kind.prefix}:") for kind in IdeaError.__subclasses__())
