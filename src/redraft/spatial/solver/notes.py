"""What a solver did, in one short line: how much each thing was moved, how sure that is, and what cannot be had."""

from __future__ import annotations

import math
from collections.abc import Sequence

from redraft.spatial.layout import Layout, Matrix, Move
from redraft.spatial.solver.moves import composed, displacement

__all__ = ["note"]

SHOWN = 3
"""So many things are named, those that changed most."""

SAME = 1e-3
"""A factor nearer to 1, or a sine nearer to 0, is none."""


def note(layout: Layout, moves: Sequence[Move], sure: str = "", conflicts: Sequence[str] = ()) -> str:
    """`moved ball by 0.12, resized box_2 to 120 % and 4 more; the nearest`.

    Args:
        layout: before the moves.
        sure: how near the answer is to the least movement, in words.
        conflicts: what cannot all hold.
    """
    matrices: dict[str, Matrix] = {}
    for move in moves:
        known = matrices.get(move.item)
        matrices[move.item] = move.matrix if known is None else composed(known, move.matrix)
    far = {name: displacement(layout, (Move(name, matrix),)) for name, matrix in matrices.items()}
    order = sorted(matrices, key=lambda name: (-far[name], name))
    return "; ".join(part for part in (_done(matrices, far, order), sure, *conflicts) if part)


def _done(matrices: dict[str, Matrix], far: dict[str, float], order: Sequence[str]) -> str:
    if not order:
        return "nothing that geometry alone can fix"
    said, words = "", list[str]()
    for name in order[:SHOWN]:
        verb, amount = _change(matrices[name], far[name])
        words.append(f"{name} {amount}" if verb == said else f"{verb} {name} {amount}")
        said = verb
    more = f" and {len(order) - SHOWN} more" if len(order) > SHOWN else ""
    return ", ".join(words) + more


def _change(matrix: Matrix, far: float) -> tuple[str, str]:
    """The verb and the amount: turned by degrees, resized to percent, or moved by the way of the farthest corner."""
    a, b, c, d, _, _ = matrix
    if abs(b) > SAME or abs(c) > SAME:
        return "turned", f"by {abs(math.degrees(math.atan2(b, a))):.1f}°"
    if abs(a - 1) > SAME or abs(d - 1) > SAME:
        return "resized", f"to {100 * a:.3g} %" if abs(a - d) < SAME else f"to {100 * a:.3g} by {100 * d:.3g} %"
    return "moved", f"by {far:.2g}" if far >= SAME else f"by less than {SAME:g}"
