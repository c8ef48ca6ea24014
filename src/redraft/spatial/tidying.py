"""Legalising within a session: what may move, what is in the way, and what earlier actions set."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.spatial.layout import Layout, Move
from redraft.spatial.solver.ties import Tie

__all__ = ["tidy"]


EFFORT = 0.1
"""Deterministic seconds: about one of the clock in each window, so that one may wait for it."""


def tidy(layout: Layout, refs: Sequence[str], clearance: float, ties: Sequence[Tie]) -> tuple[tuple[Move, ...], str]:
    """Moves after which nothing that was named collides, and what is to be said of them.

    Raises:
        InfeasibleError: nothing satisfies this; names an irreducible set of the demands. BriefError: an unknown part.
    """
    from redraft.spatial.solver.legal import Demands, legalise  # OR-tools takes a while to load

    if not layout.frame.solid:
        found = legalise(layout, refs or None, gap=clearance, effort=EFFORT)
        return found.moves, found.note
    from redraft.spatial.solver.onboard import legalise_board

    found = legalise_board(layout, refs, Demands(gap=clearance, effort=EFFORT, ties=tuple(ties)))
    return found.moves, found.note
