"""`blackbox_scoring` in a transcript: the whole of one choice, so that it can be checked and shown."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, JsonValue, TypeAdapter, ValidationError

from redraft.errors import IdeaError, RunFormatError
from redraft.scoring.cards import IdeaCard
from redraft.scoring.novelty import Motif
from redraft.scoring.selection import Selection
from redraft.scoring.settings import ScoringSettings

__all__ = ["NoveltyUsed", "Scoring", "scoring_of", "was_no_use"]


class NoveltyUsed(BaseModel):
    """What recent generations took part in the choice."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool
    """In force in this run."""
    off_because: str = ""
    """Why not, when it is not."""
    prompts: int = 0
    """How many recent prompts there were."""
    motifs: tuple[Motif, ...] = ()
    composition: tuple[str, ...] = ()
    """What recent compositions have in common."""
    summary: str = ""
    """As the judge was told."""


class Scoring(Selection):
    """A selection, and all that it came from."""

    seed: int
    """Of the generator that rolled."""
    config_snapshot: ScoringSettings
    judges: dict[str, dict[str, int]]
    """Each judge's scores by card; one judge is called `judge`."""
    novelty: NoveltyUsed
    generator_profile_hints: str = ""
    """What the generator knew of the profile; empty without one."""
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
            "by another redraft."
        ) from error


def was_no_use(error: Mapping[str, JsonValue] | None) -> bool:
    """Whether a run ended with ideas or scores that were no use: such a run is not gone on with, a new one is begun."""
    said = str((error or {}).get("message", ""))
    return any(said.startswith(f"{kind.prefix}:") for kind in IdeaError.__subclasses__())
