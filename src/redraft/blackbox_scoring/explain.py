"""The arithmetic of a finished selection, in lines that a person can check with a pencil."""

from __future__ import annotations

from redraft.blackbox_scoring.record import Scoring

__all__ = ["explained"]


def explained(scoring: Scoring) -> list[str]:
    """The judges' scores, the aggregate, each penalty, the roll against the rate, the pool with its weights, the draw,
    and the card that won; the arithmetic is done again from what is recorded, and a difference is said."""
    raise NotImplementedError
