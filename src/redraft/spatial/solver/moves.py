"""Lists of moves: consecutive moves of one item joined, and how far all of them take anything."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from redraft.spatial.layout import Bounds, Layout, Matrix, Move

__all__ = ["composed", "displacement", "moved_share", "moved_shares", "shortened"]

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def composed(first: Matrix, then: Matrix) -> Matrix:
    """One matrix that does what two do, one after the other."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (p * a + r * b, q * a + s * b, p * c + r * d, q * c + s * d, p * e + r * f + t, q * e + s * f + u)


def moved_share(layout: Layout, moves: Sequence[Move]) -> float:
    """The farthest that any corner of an item's box is taken in the end, as a share of the frame's larger side."""
    return max(moved_shares(layout, moves).values(), default=0.0)


def moved_shares(layout: Layout, moves: Sequence[Move]) -> dict[str, float]:
    """The same for each item that is moved, its parts not included."""
    steps: dict[str, Matrix] = {}
    lifts: dict[str, float] = {}
    for move in moves:
        for item in layout.family(move.item):
            steps[item.name] = composed(steps.get(item.name, IDENTITY), move.matrix)
            lifts[item.name] = lifts.get(item.name, 0.0) + (move.lift or 0.0)
    x0, y0, x1, y1 = layout.frame.bounds
    side = max(x1 - x0, y1 - y0)
    boxes = {name: layout[name].shape.bounds for name in steps if not layout[name].shape.is_empty}
    return {name: math.hypot(_farthest(box, steps[name]), lifts[name]) / side for name, box in boxes.items()}


def displacement(layout: Layout, moves: Iterable[Move]) -> float:
    """How far the moves take the corners of their items' boxes, summed, in units."""
    return sum(_farthest(layout.bounds(m.item), m.matrix) for m in moves if not layout.whole(m.item).is_empty)


def _farthest(box: Bounds | tuple[float, ...], matrix: Matrix) -> float:
    a, b, c, d, e, f = matrix
    corners = [(x, y) for x in (box[0], box[2]) for y in (box[1], box[3])]
    return max(math.hypot(a * x + c * y + e - x, b * x + d * y + f - y) for x, y in corners)


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
    return tuple(move for move in found if move.matrix != IDENTITY or move.lift or move.flips)


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
