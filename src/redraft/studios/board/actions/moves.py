"""Turning and flipping items in place, which actions, the placer and the solver share. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.errors import BriefError
from redraft.layout.items import Layout, Move, Point
from redraft.studios.board.solve.arguments import finite, known, movable


def rotate(layout: Layout, refs: Sequence[str], by: float | None = None, to: float | None = None) -> tuple[Move, ...]:
    """Turn items, each about its own position: by so many degrees, or to an angle. Counterclockwise as seen.

    Raises:
        BriefError: an unknown item, both or neither of `by` and `to`. InfeasibleError: one is locked.
    """
    names = known(layout, refs)
    if (by is None) == (to is None):
        raise BriefError(f"rotate takes either `by` or `to`, found by={by} and to={to}")
    finite("rotation", by if by is not None else to or 0.0)
    movable(layout, names, "rotate")
    turns = {name: by if by is not None else (to or 0.0) - layout[name].rotation for name in names}
    return tuple(Move.turn(n, turn, pivot(layout, n), "rotate") for n, turn in turns.items() if turn % 360.0)


def flip(layout: Layout, refs: Sequence[str]) -> tuple[Move, ...]:
    """Move items to the other layer, mirrored about the horizontal through each item's own position.

    Raises:
        BriefError: an unknown item, or a frame without two layers. InfeasibleError: one is locked.
    """
    names = known(layout, refs)
    if len(layout.frame.layers) != 2:
        raise BriefError("flip needs a board with two sides; this layout's frame has none")
    movable(layout, names, "flip")
    heights = [(name, pivot(layout, name)[1]) for name in names]
    return tuple(Move(name, (1.0, 0.0, 0.0, -1.0, 0.0, 2.0 * y), "flip", flips=True) for name, y in heights)


def pivot(layout: Layout, name: str) -> Point:
    """Return the point an item rotates about: its own position, or the center of its box."""
    if (origin := layout[name].origin) is not None:
        return origin
    x0, y0, x1, y1 = layout.bounds(name)
    return ((x0 + x1) / 2, (y0 + y1) / 2)
