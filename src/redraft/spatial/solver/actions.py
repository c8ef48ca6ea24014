"""Exact actions: place, align, distribute, stack. Each is pure and answers with moves.

Distances are edge to edge, on the boxes of real shapes with all their parts. Shifts are whole multiples of the
frame's quantum, so that a file written in that quantum holds exactly what was asked. Locked items never move.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Literal

from redraft.errors import BriefError, InfeasibleError
from redraft.spatial.layout import Bounds, Layout, Move
from redraft.spatial.solver.problem import Axis
from redraft.spatial.solver.refs import known, locked_in, movable

__all__ = ["Alignment", "Direction", "Side", "align", "distribute", "place_component", "place_relative", "stack"]

Side = Literal["left", "right", "above", "below"]
Direction = Literal["left", "right", "up", "down"]
Alignment = Literal["center", "start", "end"]
"""Across the direction: centres, or the lower (left, top on paper) or higher edges, in line."""

_WAYS: dict[str, tuple[Axis, bool]] = {
    "left": (0, False),
    "right": (0, True),
    "above": (1, True),
    "up": (1, True),
    "below": (1, False),
    "down": (1, False),
}
"""Word → axis, and whether it is the positive direction where *above* is positive."""


def place_relative(
    layout: Layout,
    ref: str,
    target: str,
    side: Side = "right",
    clearance: float = 0.5,
    align: Alignment = "center",
) -> tuple[Move, ...]:
    """Put an item at a side of another one, `clearance` units away, edge to edge.

    Raises:
        BriefError: an unknown item or side, a clearance that is no number. InfeasibleError: the item is locked.
    """
    known(layout, (ref, target))
    if ref == target:
        raise BriefError(f"{ref} cannot be placed relative to itself")
    movable(layout, (ref,), "place_relative")
    _finite("clearance", clearance)
    axis, positive = _way(layout, side)
    box, other = layout.bounds(ref), layout.bounds(target)
    step = other[axis + 2] + clearance - box[axis] if positive else other[axis] - clearance - box[axis + 2]
    across: Axis = 0 if axis else 1
    return _moves(
        layout, [(ref, _vector(axis, step, _line(other, across, align) - _line(box, across, align)))], "place_relative"
    )


def place_component(layout: Layout, ref: str, x: float, y: float) -> tuple[Move, ...]:
    """Put the centre of an item's box at a point.

    Raises:
        BriefError: an unknown item, or a coordinate that is no number. InfeasibleError: the item is locked.
    """
    known(layout, (ref,))
    movable(layout, (ref,), "place_component")
    _finite("x", x)
    _finite("y", y)
    x0, y0, x1, y1 = layout.bounds(ref)
    return _moves(layout, [(ref, (x - (x0 + x1) / 2, y - (y0 + y1) / 2))], "place_component")


def align(
    layout: Layout, refs: Sequence[str], axis: Literal["x", "y"] = "x", edge: Alignment = "center"
) -> tuple[Move, ...]:
    """Bring items in line: in a row for axis "x" (same y), in a column for "y" (same x).

    The line is that of a locked item when there is one, of the first otherwise.

    Raises:
        BriefError: fewer than two items, or an unknown one. InfeasibleError: two locked ones are not in line.
    """
    names = _several(layout, refs, "align")
    across: Axis = 1 if _axis(axis) == 0 else 0
    held = [name for name in names if locked_in(layout, name)]
    lines = {name: _line(layout.bounds(name), across, edge) for name in names}
    _agree(held, [lines[name] for name in held], layout, "align")
    level = lines[held[0] if held else names[0]]
    steps = [(name, _vector(across, level - lines[name], 0.0)) for name in names if name not in held]
    movable(layout, [name for name, _ in steps], "align")
    return _moves(layout, steps, "align")


def distribute(
    layout: Layout, refs: Sequence[str], spacing: float | None = None, axis: Literal["x", "y"] = "x"
) -> tuple[Move, ...]:
    """Space items evenly along an axis, edge to edge, in the order in which they lie.

    With a `spacing` the locked item stays, or else the first; with None the two ends stay and the gaps between
    become equal (to one quantum, where the space does not divide).

    Raises:
        BriefError: too few items (two, or three for equal gaps), or an unknown one. InfeasibleError: a locked item
            would have to move.
    """
    along = _axis(axis)
    names = sorted(
        _several(layout, refs, "distribute", 2 if spacing is not None else 3), key=lambda n: _middle(layout, n, along)
    )
    boxes = [layout.bounds(name) for name in names]
    if spacing is None:
        sizes = sum(b[along + 2] - b[along] for b in boxes)
        spacing, anchor = (boxes[-1][along + 2] - boxes[0][along] - sizes) / (len(names) - 1), 0
    else:
        _finite("spacing", spacing)
        anchor = next((i for i, name in enumerate(names) if locked_in(layout, name)), 0)
    starts = _starts(boxes, along, spacing, anchor)
    steps = [(n, _vector(along, s - b[along], 0.0)) for n, s, b in zip(names, starts, boxes, strict=True)]
    return _moves(layout, _needed(layout, steps, "distribute"), "distribute")


def stack(layout: Layout, refs: Sequence[str], direction: Direction = "down", spacing: float = 0.0) -> tuple[Move, ...]:
    """Put items one after another in the given order, `spacing` apart, centres in line; the first stays.

    Raises:
        BriefError: fewer than two items, an unknown one or direction. InfeasibleError: a locked one would move.
    """
    names = _several(layout, refs, "stack")
    _finite("spacing", spacing)
    axis, positive = _way(layout, direction)
    across: Axis = 0 if axis else 1
    boxes = [layout.bounds(name) for name in names]
    steps: list[tuple[str, tuple[float, float]]] = []
    edge = boxes[0][axis + 2] if positive else boxes[0][axis]
    for name, box in zip(names[1:], boxes[1:], strict=True):
        size = box[axis + 2] - box[axis]
        start = edge + spacing if positive else edge - spacing - size
        edge = start + size if positive else start
        steps.append(
            (name, _vector(axis, start - box[axis], _line(boxes[0], across, "center") - _line(box, across, "center")))
        )
    return _moves(layout, _needed(layout, steps, "stack"), "stack")


def _starts(boxes: Sequence[Bounds], axis: Axis, spacing: float, anchor: int) -> list[float]:
    """Where each box begins when `spacing` lies between any two and the anchor stays."""
    strides = [a[axis + 2] - a[axis] + spacing for a, _ in pairwise(boxes)]
    offsets = list(accumulate(strides, initial=0.0))
    return [boxes[anchor][axis] + offset - offsets[anchor] for offset in offsets]


def _vector(axis: Axis, step: float, across: float) -> tuple[float, float]:
    return (step, across) if axis == 0 else (across, step)


def _line(box: Bounds, axis: Axis, edge: Alignment) -> float:
    match edge:
        case "center":
            return (box[axis] + box[axis + 2]) / 2
        case "start":
            return box[axis]
        case "end":
            return box[axis + 2]


def _middle(layout: Layout, name: str, axis: Axis) -> tuple[float, str]:
    return (_line(layout.bounds(name), axis, "center"), name)


def _way(layout: Layout, word: str) -> tuple[Axis, bool]:
    if word not in _WAYS:
        raise BriefError(f"{word!r} is no direction; one of {', '.join(sorted(_WAYS))} is")
    axis, positive = _WAYS[word]
    return (axis, positive if axis == 0 else positive == (layout.frame.up[1] > 0))


def _axis(axis: str) -> Axis:
    if axis not in {"x", "y"}:
        raise BriefError(f"{axis!r} is no axis; 'x' (in a row) or 'y' (in a column) is")
    return 0 if axis == "x" else 1


def _finite(name: str, value: float) -> None:
    if not math.isfinite(value):
        raise BriefError(f"{name} must be a finite number, found {value}")


def _several(layout: Layout, refs: Sequence[str], action: str, least: int = 2) -> tuple[str, ...]:
    names = known(layout, refs)
    if len(names) < least:
        raise BriefError(f"{action} needs at least {least} different items, found {len(names)}: {', '.join(names)}")
    return names


def _agree(held: Sequence[str], lines: Sequence[float], layout: Layout, action: str) -> None:
    if lines and max(lines) - min(lines) > layout.frame.quantum:
        words = tuple(f"{name} is locked" for name in held)
        raise InfeasibleError(f"{action}: {'; '.join(words)}, and they are not in line", words)


def _needed(
    layout: Layout, steps: Sequence[tuple[str, tuple[float, float]]], action: str
) -> list[tuple[str, tuple[float, float]]]:
    """The steps that move something by half a quantum or more; the items of these must be free."""
    half = layout.frame.quantum / 2
    needed = [(name, step) for name, step in steps if max(abs(step[0]), abs(step[1])) >= half]
    movable(layout, [name for name, _ in needed], action)
    return needed


def _moves(layout: Layout, steps: Sequence[tuple[str, tuple[float, float]]], reason: str) -> tuple[Move, ...]:
    quantum = layout.frame.quantum
    rounded = [(name, round(dx / quantum) * quantum, round(dy / quantum) * quantum) for name, (dx, dy) in steps]
    return tuple(Move.shift(name, dx, dy, reason) for name, dx, dy in rounded if dx or dy)
