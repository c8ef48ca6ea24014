"""`prompt.*` in the configuration: ideas made and chosen before a draft."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from redraft.trust import Trusted

MAX_IDEAS = 1_000
"""No model proposes more; a larger number is a typing error."""
SCORING = "blackbox_scoring"
"""The topic of the note about the choice of ideas, and the field of the transcript."""
SOLE = "judge"
"""The name of a judge that is the only one."""

Aggregate = Literal["mean", "median", "min", "max"]
Rubric = Literal["default", "strict", "novelty_heavy"]


class _Section(BaseModel):
    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True
    )


class NoveltySettings(_Section):
    """`prompt.scoring.novelty`: ideas like recent generations are less likely to win."""

    enabled: bool = True
    window: int = Field(default=25, ge=0, le=2**31 - 1)
    """Number of recent generations to consider; 0 disables the history."""
    max_penalty: float = Field(default=20.0, ge=0, le=100)
    """Maximum penalty, in points, for words that recent prompts overuse."""


class JudgeSettings(_Section):
    """One of several judges."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")
    """Its step is recorded as `idea_cards_judge_score/<name>`."""
    weight: float = Field(default=1.0, gt=0, le=1_000)
    model: Annotated[str | None, Trusted("chooses who gets the ideas", harmless=(None, "offline"))] = None
    """Another model than `judge_model`."""
    rubric: Rubric = "default"


class ScoringSettings(_Section):
    """`prompt.scoring`: idea cards, scored by a judge in numbers alone, one chosen by a seeded rule."""

    enabled: bool = False
    """Choose among ideas first, scored blind in numbers."""
    num_ideas: int = Field(default=6, ge=2, le=MAX_IDEAS)
    """Number of ideas to choose among; giving one enables the choice."""
    exploration_rate: float = Field(default=0.15, ge=0.0, le=0.5)
    """Chance of choosing a good idea other than the best, from 0 to 0.5."""
    retries: int = Field(default=0, ge=0, le=20)
    """Retries for each step whose reply cannot be used (default 0)."""
    judge_temperature: float = Field(default=0.0, ge=0.0, le=2.0)
    """Temperature of the judge; other than 0 gives a warning, since the choice cannot be reproduced."""
    judge_model: Annotated[str | None, Trusted("chooses who gets the ideas", harmless=(None, "offline"))] = None
    """Model that scores the ideas (default: the run's own)."""
    generator_profile_abstraction: bool = True
    """Show the generator of cards a summary of the profile, never its own words."""
    novelty: NoveltySettings = Field(default_factory=NoveltySettings)
    judges: tuple[JudgeSettings, ...] = Field(default=(), max_length=9, strict=False)
    """Several judges, asked at once; empty: one."""
    aggregate: Aggregate = "mean"
    """How to combine the scores of several judges; weights apply to the mean only."""

    @property
    def uses_history(self) -> bool:
        """True if ideas are compared with recent generations."""
        return self.enabled and self.novelty.enabled and self.novelty.window > 0

    @model_validator(mode="after")
    def _names_differ(self) -> ScoringSettings:
        names = [judge.name for judge in self.judges]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"judges: the name {twice[0]!r} is given twice; each judge needs its own")
        return self


class PromptSettings(_Section):
    """`prompt`: what happens before a draft is asked for."""

    scoring: ScoringSettings = Field(default_factory=ScoringSettings)
    generations_path: Annotated[str | None, Trusted("reads and writes elsewhere", harmless=(None,), inside=True)] = None
    """List of generations (CSV). Null: `generations.csv` in `out` for images, and no history for other studios."""
