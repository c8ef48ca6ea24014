"""Legalising within a session: what may move, what is in the way, and what earlier actions set."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.spatial.layout import Layout, Move
from redraft.spatial.solver.ties import Tie

__all__ = ["tidy"]


def tidy(layout: Layout, refs: Sequence[str], clearance: float, ties: Sequence[Tie]) -> tuple[tuple[Move, ...], str]:
    """Moves after which nothing that was named collides, and what is to be said of them."""
    from redraft.spatial.solver.legal import legalise  # OR-tools is slow to load

    solution = legalise(layout, refs or None, gap=clearance)
    return solution.moves, solution.note
