"""What the exact actions share: words for directions, lines of boxes, and steps as whole quanta."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from redraft.errors import BriefError
from redraft.spatial.layout import Bounds, Layout, Move
from redraft.spatial.solver.problem import ROUNDING, Axis
from redraft.spatial.solver.refs import movable

__all__ = [
    "Alignment",
    "Direction",
    "Side",
    "axis_of",
    "finite",
    "line",
    "needed",
    "outward",
    "shifts",
    "vector",
    "way",
    "whole",
]

Side = Literal["left", "right", "above", "below", "top", "bottom"]
Direction = Literal["left", "right", "up", "down"]
Alignment = Literal["center", "start", "end"]
"""Across the direction: centres, or the lower (left, top on paper) or higher edges, in line."""

_WAYS: dict[str, tuple[Axis, bool]] = {
    "left": (0, False),
    "right": (0, True),
    "above": (1, True),
    "top": (1, True),
    "up": (1, True),
    "below": (1, False),
    "bottom": (1, False),
    "down": (1, False),
}
"""Word → axis, and whether it is the positive direction where *above* is positive."""


def whole(layout: Layout, value: float) -> float:
    """A length as the nearest whole number of quanta."""
    return round(value / layout.frame.quantum) * layout.frame.quantum


def outward(layout: Layout, value: float, sign: int) -> float:
    """A shift as whole quanta, never beyond: a gap that it leaves is at most one quantum larger."""
    steps = math.floor(sign * value / layout.frame.quantum + ROUNDING)
    return sign * steps * layout.frame.quantum


def vector(axis: Axis, step: float, across: float) -> tuple[float, float]:
    return (step, across) if axis == 0 else (across, step)


def line(box: Bounds, axis: Axis, edge: Alignment) -> float:
    match edge:
        case "center":
            return (box[axis] + box[axis + 2]) / 2
        case "start":
            return box[axis]
        case "end":
            return box[axis + 2]


def way(layout: Layout, word: str) -> tuple[Axis, bool]:
    if word not in _WAYS:
        raise BriefError(f"{word!r} is no direction; one of {', '.join(sorted(_WAYS))} is")
    axis, positive = _WAYS[word]
    return (axis, positive if axis == 0 else positive == (layout.frame.up[1] > 0))


def axis_of(axis: str) -> Axis:
    if axis not in {"x", "y"}:
        raise BriefError(f"{axis!r} is no axis; 'x' (in a row) or 'y' (in a column) is")
    return 0 if axis == "x" else 1


def finite(name: str, value: float) -> None:
    if not math.isfinite(value):
        raise BriefError(f"{name} must be a finite number, found {value}")


def shifts(layout: Layout, steps: Sequence[tuple[str, tuple[float, float]]], reason: str) -> tuple[Move, ...]:
    quantum = layout.frame.quantum
    rounded = [(name, round(dx / quantum) * quantum, round(dy / quantum) * quantum) for name, (dx, dy) in steps]
    return tuple(Move.shift(name, dx, dy, reason) for name, dx, dy in rounded if dx or dy)


def needed(
    layout: Layout, steps: Sequence[tuple[str, tuple[float, float]]], action: str
) -> list[tuple[str, tuple[float, float]]]:
    """The steps that move something by half a quantum or more; the items of these must be free."""
    half = layout.frame.quantum / 2
    needed = [(name, step) for name, step in steps if max(abs(step[0]), abs(step[1])) >= half]
    movable(layout, [name for name, _ in needed], action)
    return needed
