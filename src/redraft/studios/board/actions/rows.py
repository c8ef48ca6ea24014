"""Actions that put parts in rows and columns: in line, evenly spaced, or one after another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, ClassVar, Literal

from redraft.errors import InfeasibleError
from redraft.layout.items import Layout
from redraft.studios.board.actions.base import BoardAction, several
from redraft.studios.board.actions.fields import SIDE_OF, Along, Direction, Length, Refs
from redraft.studios.board.actions.measure import (
    NM,
    Reading,
    center,
    figures_of,
    middle_of,
    pitch_figure,
    side_gaps,
    span,
)
from redraft.studios.board.actions.plans import ALONE, Plan, Search, written
from redraft.studios.board.solve.arguments import (
    axis_of,
    known,
    line,
    locked_in,
    movable,
    needed,
    shifts,
    shortlist,
    vector,
    way,
)
from redraft.studios.board.solve.constraints import AXES, Axis, Constraint

if TYPE_CHECKING:
    from redraft.studios.board.spec import Carried


class Align(BoardAction):
    """Bring parts in line: a row for axis "x" (same y), a column for "y" (same x). The first stays, or the locked."""

    action: Literal["align"] = "align"
    refs: Refs
    axis: Literal["x", "y"] = "x"
    edge: Along = "center"

    sets_places: ClassVar[bool | None] = False

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        names = several(layout, self.refs, "align")
        across: Axis = 1 if self.axis == "x" else 0
        lines = {name: line(layout.bounds(name), across, self.edge) for name in names}

        # Locked parts decide the line, so they have to be in line themselves.
        held = [name for name in names if locked_in(layout, name)]
        levels = [lines[name] for name in held]
        if held and max(levels) - min(levels) > layout.frame.quantum:
            reasons = tuple(f"{name} is locked" for name in held)
            raise InfeasibleError(f"align: {'; '.join(reasons)}, and they are not in line", reasons)
        level = lines[held[0] if held else names[0]]
        steps = [(name, vector(across, level - lines[name], 0.0)) for name in names if name not in held]
        movable(layout, [name for name, _ in steps], "align")

        shape = "in a row (same y)" if self.axis == "x" else "in a column (same x)"
        words = f"align {shortlist(self.refs, 12)} {shape}, {self.edge}"
        return Plan(words, shifts(layout, steps, "align"), _chain(names, words, (across,)))

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        off = _out_of_line(layout, self.refs, 1 if self.axis == "x" else 0, self.edge)
        return Reading("" if off else "in line", violations=off)


class Distribute(BoardAction):
    """Space parts evenly, edge to edge, in the order in which they lie. Without `spacing` both ends stay."""

    action: Literal["distribute"] = "distribute"
    refs: Refs
    spacing: Length | None = 0.5
    axis: Literal["x", "y"] | None = None
    """Along which they are spaced; the one along which they spread further, when left out."""

    sets_places: ClassVar[bool | None] = True

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        every = known(layout, self.refs)
        middles = {name: [line(layout.bounds(name), axis, "center") for axis in AXES] for name in every}
        if self.axis is None:
            wide, high = (
                max(m[axis] for m in middles.values()) - min(m[axis] for m in middles.values()) for axis in AXES
            )
            along: Axis = 1 if high > wide else 0
        else:
            along = axis_of(self.axis)
        several(layout, every, "distribute", 2 if self.spacing is not None else 3)
        names = sorted(every, key=lambda name: (middles[name][along], name))
        boxes = [layout.bounds(name) for name in names]
        if self.spacing is None:
            # Both ends stay, and the gaps between become equal (to one quantum, where the space does not divide).
            sizes = sum(b[along + 2] - b[along] for b in boxes)
            spacing, anchor = (boxes[-1][along + 2] - boxes[0][along] - sizes) / (len(names) - 1), 0
        else:
            # The locked one stays, or else the first.
            spacing, anchor = self.spacing, next((i for i, name in enumerate(names) if locked_in(layout, name)), 0)
        strides = [b[along + 2] - b[along] + spacing for b in boxes[:-1]]
        offsets = list(accumulate(strides, initial=0.0))
        starts = [boxes[anchor][along] + offset - offsets[anchor] for offset in offsets]
        steps = [(n, vector(along, s - b[along], 0.0)) for n, s, b in zip(names, starts, boxes, strict=True)]

        gap = "evenly" if self.spacing is None else f"{written(self.spacing)} {layout.frame.unit} apart"
        words = f"distribute {shortlist(self.refs, 12)} along {'xy'[along]} {gap}"
        moves = shifts(layout, needed(layout, steps, "distribute"), "distribute")
        return Plan(words, moves, _chain(every, words, (along,)))

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        middles = [middle_of(layout, ref) for ref in self.refs]
        wide, high = (max(m[k] for m in middles) - min(m[k] for m in middles) for k in (0, 1))
        axis = {"x": 0, "y": 1, None: 1 if high > wide else 0}[self.axis]
        boxes = [layout.bounds(ref) for ref in sorted(self.refs, key=lambda ref: middle_of(layout, ref)[axis])]
        gaps = tuple(b[axis] - a[axis + 2] for a, b in pairwise(boxes))
        pitches = [center(b, axis) - center(a, axis) for a, b in pairwise(boxes)]
        uneven = self.spacing is None and max(gaps) - min(gaps) > 2 * NM and not carried.limited
        figures = (*figures_of(carried, self.spacing, gaps), *pitch_figure(pitches))
        return Reading(f"gaps of {span(gaps)}", figures, ("the gaps are not equal",) if uneven else ())


class Stack(BoardAction):
    """Put parts one after another in the order given, centres in line; the first stays."""

    action: Literal["stack"] = "stack"
    refs: Refs
    direction: Direction = "down"
    spacing: Length = 0.5

    sets_places: ClassVar[bool | None] = True

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        names = several(layout, self.refs, "stack")
        axis, positive = way(layout, self.direction)
        across: Axis = 0 if axis else 1
        first, *others = (layout.bounds(name) for name in names)
        steps: list[tuple[str, tuple[float, float]]] = []
        edge = first[axis + 2] if positive else first[axis]
        for name, box in zip(names[1:], others, strict=True):
            size = box[axis + 2] - box[axis]
            start = edge + self.spacing if positive else edge - self.spacing - size
            edge = start + size if positive else start
            level = line(first, across, "center") - line(box, across, "center")
            steps.append((name, vector(axis, start - box[axis], level)))

        gap = f"{written(self.spacing)} {layout.frame.unit} apart"
        words = f"stack {shortlist(self.refs, 12)} {self.direction}, {gap}"
        moves = shifts(layout, needed(layout, steps, "stack"), "stack")
        return Plan(words, moves, _chain(names, words, (0, 1)))

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        side = SIDE_OF[self.direction]
        axis = 0 if side in {"left", "right"} else 1
        boxes = [layout.bounds(ref) for ref in self.refs]
        gaps = tuple(side_gaps(b, a, side)[0] for a, b in pairwise(boxes))
        pitches = [abs(center(b, axis) - center(a, axis)) for a, b in pairwise(boxes)]
        figures = (*figures_of(carried, self.spacing, gaps), *pitch_figure(pitches))
        return Reading(f"gaps of {span(gaps)}", figures, _out_of_line(layout, self.refs, 1 - axis))


def _chain(names: Sequence[str], words: str, axes: tuple[Axis, ...]) -> tuple[Constraint, ...]:
    """Tie each part to the one before it."""
    return tuple(Constraint(words, b, a, axes) for a, b in pairwise(names))


def _out_of_line(layout: Layout, refs: Sequence[str], axis: int, edge: Along = "center") -> tuple[str, ...]:
    """Say how far the lines of parts that should be one lie apart; nothing where they are one."""
    boxes = [layout.bounds(ref) for ref in refs]
    lines = [{"start": b[axis], "end": b[axis + 2], "center": center(b, axis)}[edge] for b in boxes]
    off = max(lines) - min(lines)
    return (f"out of line by {written(off)} mm",) if off > NM else ()
