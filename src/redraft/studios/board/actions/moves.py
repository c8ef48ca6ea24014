"""Exact actions on boxes: place, shift, align, distribute, stack, swap, rotate, flip. Each is pure and returns moves.

Distances are edge to edge, on the boxes of real shapes with all their parts. Shifts are whole multiples of the frame's
quantum, so that a file written in that quantum holds exactly what was asked. Locked items never move.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Literal

from redraft.errors import BriefError, InfeasibleError
from redraft.layout.items import Bounds, Layout, Move, Point
from redraft.studios.board.solve.arguments import (
    Alignment,
    Direction,
    axis_of,
    finite,
    known,
    line,
    locked_in,
    movable,
    needed,
    shifts,
    vector,
    way,
)
from redraft.studios.board.solve.constraints import AXES, Axis


def place_component(layout: Layout, ref: str, x: float, y: float) -> tuple[Move, ...]:
    """Put the center of an item's box at a point.

    Raises:
        BriefError: an unknown item, or a coordinate that is not a number. InfeasibleError: the item is locked.
    """
    known(layout, (ref,))
    movable(layout, (ref,), "place_component")
    finite("x", x)
    finite("y", y)
    x0, y0, x1, y1 = layout.bounds(ref)
    return shifts(layout, [(ref, (x - (x0 + x1) / 2, y - (y0 + y1) / 2))], "place_component")


def move_by(layout: Layout, refs: Sequence[str], dx: float, dy: float) -> tuple[Move, ...]:
    """Shift items by a distance along each axis.

    Raises:
        BriefError: an unknown item, or a distance that is not a number. InfeasibleError: one is locked.
    """
    names = known(layout, refs)
    finite("dx", dx)
    finite("dy", dy)
    movable(layout, names, "move_by")
    return shifts(layout, [(name, (dx, dy)) for name in names], "move_by")


def swap(layout: Layout, ref: str, other: str) -> tuple[Move, ...]:
    """Exchange the places of two items: the middles of their boxes.

    Raises:
        BriefError: an unknown item, or the same twice. InfeasibleError: one is locked.
    """
    names = _several(layout, (ref, other), "swap")
    movable(layout, names, "swap")
    a, b = ([line(layout.bounds(name), axis, "center") for axis in AXES] for name in names)
    step = (b[0] - a[0], b[1] - a[1])
    return shifts(layout, [(ref, step), (other, (-step[0], -step[1]))], "swap")


def align(
    layout: Layout, refs: Sequence[str], axis: Literal["x", "y"] = "x", edge: Alignment = "center"
) -> tuple[Move, ...]:
    """Bring items in line: in a row for axis "x" (same y), in a column for "y" (same x).

    The line is that of a locked item when there is one, of the first otherwise.

    Raises:
        BriefError: fewer than two items, or an unknown one. InfeasibleError: two locked ones are not in line.
    """
    names = _several(layout, refs, "align")
    across: Axis = 1 if axis_of(axis) == 0 else 0
    held = [name for name in names if locked_in(layout, name)]
    lines = {name: line(layout.bounds(name), across, edge) for name in names}
    _agree(held, [lines[name] for name in held], layout, "align")
    level = lines[held[0] if held else names[0]]
    steps = [(name, vector(across, level - lines[name], 0.0)) for name in names if name not in held]
    movable(layout, [name for name, _ in steps], "align")
    return shifts(layout, steps, "align")


def distribute(
    layout: Layout, refs: Sequence[str], spacing: float | None = None, axis: Literal["x", "y"] | None = "x"
) -> tuple[Move, ...]:
    """Space items evenly along an axis, edge to edge, in the order in which they lie.

    Without an axis it is the one along which their middles spread further.

    With a `spacing` the locked item stays, or else the first; with None the two ends stay and the gaps between
    become equal (to one quantum, where the space does not divide).

    Raises:
        BriefError: too few items (two, or three for equal gaps), or an unknown one. InfeasibleError: a locked item
            would have to move.
    """
    along = spread(layout, refs) if axis is None else axis_of(axis)
    names = sorted(
        _several(layout, refs, "distribute", 2 if spacing is not None else 3), key=lambda n: _middle(layout, n, along)
    )
    boxes = [layout.bounds(name) for name in names]
    if spacing is None:
        sizes = sum(b[along + 2] - b[along] for b in boxes)
        spacing, anchor = (boxes[-1][along + 2] - boxes[0][along] - sizes) / (len(names) - 1), 0
    else:
        finite("spacing", spacing)
        anchor = next((i for i, name in enumerate(names) if locked_in(layout, name)), 0)
    starts = _starts(boxes, along, spacing, anchor)
    steps = [(n, vector(along, s - b[along], 0.0)) for n, s, b in zip(names, starts, boxes, strict=True)]
    return shifts(layout, needed(layout, steps, "distribute"), "distribute")


def spread(layout: Layout, refs: Sequence[str]) -> Axis:
    """The axis along which the middles of items spread further; x when neither is."""
    boxes = [layout.bounds(name) for name in known(layout, refs)]
    wide, high = (max(m) - min(m) for m in ([line(b, a, "center") for b in boxes] for a in AXES))
    return 1 if high > wide else 0


def stack(layout: Layout, refs: Sequence[str], direction: Direction = "down", spacing: float = 0.0) -> tuple[Move, ...]:
    """Put items one after another in the given order, `spacing` apart, centers in line; the first stays.

    Raises:
        BriefError: fewer than two items, an unknown one or direction. InfeasibleError: a locked one would move.
    """
    names = _several(layout, refs, "stack")
    finite("spacing", spacing)
    axis, positive = way(layout, direction)
    across: Axis = 0 if axis else 1
    boxes = [layout.bounds(name) for name in names]
    steps: list[tuple[str, tuple[float, float]]] = []
    edge = boxes[0][axis + 2] if positive else boxes[0][axis]
    for name, box in zip(names[1:], boxes[1:], strict=True):
        size = box[axis + 2] - box[axis]
        start = edge + spacing if positive else edge - spacing - size
        edge = start + size if positive else start
        steps.append(
            (name, vector(axis, start - box[axis], line(boxes[0], across, "center") - line(box, across, "center")))
        )
    return shifts(layout, needed(layout, steps, "stack"), "stack")


def _starts(boxes: Sequence[Bounds], axis: Axis, spacing: float, anchor: int) -> list[float]:
    """Where each box begins when `spacing` lies between any two and the anchor stays."""
    strides = [a[axis + 2] - a[axis] + spacing for a, _ in pairwise(boxes)]
    offsets = list(accumulate(strides, initial=0.0))
    return [boxes[anchor][axis] + offset - offsets[anchor] for offset in offsets]


def _middle(layout: Layout, name: str, axis: Axis) -> tuple[float, str]:
    return (line(layout.bounds(name), axis, "center"), name)


def _several(layout: Layout, refs: Sequence[str], action: str, least: int = 2) -> tuple[str, ...]:
    names = known(layout, refs)
    if len(names) < least:
        raise BriefError(f"{action} needs at least {least} different items, found {len(names)}: {', '.join(names)}")
    return names


def _agree(held: Sequence[str], lines: Sequence[float], layout: Layout, action: str) -> None:
    if lines and max(lines) - min(lines) > layout.frame.quantum:
        words = tuple(f"{name} is locked" for name in held)
        raise InfeasibleError(f"{action}: {'; '.join(words)}, and they are not in line", words)


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
