"""Novelty by counting: which words recent prompts use again and again, and what a card loses for using them too."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from redraft.blackbox_scoring.cards import IdeaCard

__all__ = ["Motif", "Recent", "penalty", "recent_motifs", "summary"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Motif(_Part):
    """A word, or a pair of words, and in how many of the prompts it stands."""

    term: str
    prompts: int


class Recent(_Part):
    """What recent prompts have in common."""

    prompts: int
    """How many were looked at."""
    motifs: tuple[Motif, ...]
    """Those in several of them, most frequent first, then by alphabet."""


def recent_motifs(prompts: Sequence[str], concepts: Sequence[str] = ()) -> Recent:
    """Words beyond stop words that stand in at least three of the prompts (two, of five or fewer). What is asked for
    now, `concepts`, is no motif: it must not count against a card that keeps it."""
    raise NotImplementedError


def summary(recent: Recent) -> str:
    """For a judge: a few lines on what is overused; empty when nothing is."""
    raise NotImplementedError


def penalty(card: IdeaCard, recent: Recent, most: float) -> float:
    """Points that a card loses, 0 to `most`: how much of what it says is overused."""
    raise NotImplementedError
