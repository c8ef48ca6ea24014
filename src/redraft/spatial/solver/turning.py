"""Parts turned about their own positions, or flipped to the other side of the board."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.errors import BriefError
from redraft.spatial.layout import Layout, Move, Point
from redraft.spatial.solver.refs import known, movable
from redraft.spatial.solver.steps import finite

__all__ = ["flip", "pivot", "rotate"]


def rotate(layout: Layout, refs: Sequence[str], by: float | None = None, to: float | None = None) -> tuple[Move, ...]:
    """Turn items, each about its own position: by so many degrees, or to an angle. Counter-clockwise as seen.

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
    """To the other layer, mirrored about the horizontal through each item's own position.

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
    """What an item turns about: its own position, or the middle of its box."""
    if (origin := layout[name].origin) is not None:
        return origin
    x0, y0, x1, y1 = layout.bounds(name)
    return ((x0 + x1) / 2, (y0 + y1) / 2)
