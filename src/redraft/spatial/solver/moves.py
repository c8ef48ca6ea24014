"""Lists of moves, made short: consecutive moves of one item become one."""

from __future__ import annotations

from collections.abc import Iterable

from redraft.spatial.layout import Layout, Matrix, Move

__all__ = ["composed", "shortened"]


def composed(first: Matrix, then: Matrix) -> Matrix:
    """One matrix that does what two do, one after the other."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (p * a + r * b, q * a + s * b, p * c + r * d, q * c + s * d, p * e + r * f + t, q * e + s * f + u)


def shortened(layout: Layout, moves: Iterable[Move]) -> tuple[Move, ...]:
    """The same moves, those of one item joined unless a part or a whole of it was moved in between."""
    found: list[Move] = []
    for move in moves:
        at = _joins(layout, found, move)
        if at is None:
            found.append(move)
        else:
            reasons = dict.fromkeys((*found[at].reason.split("; "), move.reason))
            found[at] = Move(move.item, composed(found[at].matrix, move.matrix), "; ".join(r for r in reasons if r))
    return tuple(move for move in found if move.matrix != (1.0, 0.0, 0.0, 1.0, 0.0, 0.0))


def _joins(layout: Layout, found: list[Move], move: Move) -> int | None:
    """The index of the last move of the same item, when nothing after it touches a relative."""
    relatives = {item.name for item in layout.family(move.item)} | _ancestors(layout, move.item)
    for index in range(len(found) - 1, -1, -1):
        if found[index].item == move.item:
            return index
        if found[index].item in relatives:
            return None
    return None


def _ancestors(layout: Layout, name: str) -> set[str]:
    found: set[str] = set()
    parent = layout[name].parent
    while parent is not None:
        found.add(parent)
        parent = layout[parent].parent
    return found
