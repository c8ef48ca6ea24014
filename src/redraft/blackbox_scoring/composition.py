"""Novelty of composition: layout, light and medium of recent prompts, which repeated words alone do not show."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

__all__ = ["Facets", "cooled_down", "facets_of", "overused", "repetition"]


class Facets(BaseModel):
    """What a text says of each, in the lexicon's own terms (`two-sided`, `backlit`, `watercolour`), sorted."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    layout: tuple[str, ...] = ()
    light: tuple[str, ...] = ()
    medium: tuple[str, ...] = ()


def facets_of(text: str) -> Facets:
    """The facets that a text names."""
    raise NotImplementedError


def repetition(facets: Facets, recent: Sequence[Facets]) -> float:
    """How usual a composition is among recent ones, 0 (all of it new) to 1."""
    raise NotImplementedError


def cooled_down(facets: Facets, recent: Sequence[Facets], cooldown: int) -> bool:
    """Whether a composition may be used again: none of the last `cooldown` (newest last in `recent`) had the same
    layout, light and medium. Facets that say nothing are never on cooldown."""
    raise NotImplementedError


def overused(recent: Sequence[Facets]) -> tuple[str, ...]:
    """For a judge: `layout “centred” in 9 of 25`, most frequent first; what stands in less than a quarter is left
    out."""
    raise NotImplementedError
