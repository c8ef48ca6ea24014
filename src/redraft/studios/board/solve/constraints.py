"""A placement problem as data: boxes that may be shifted, and rules over the shifts.

Every variable is the shift of one box along one axis, in whole units. So only the right-hand side of a rule is ever
rounded, always to the strict side, and a box that need not move keeps its exact coordinates. Relations between items
(left of, between, inside) and constraints set by earlier actions become rules here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from redraft.layout.items import Bounds, Frame, Layout, Point

Axis = Literal[0, 1]
AXES: tuple[Axis, Axis] = (0, 1)
Shifts = Mapping[str, tuple[int, int]]

SAFE = 2**40
"""Coordinates stay below this, so that CP-SAT's 64-bit sums over thousands of boxes cannot overflow."""

ROUNDING = 1e-3
"""The share of a unit that floating point may add to a coordinate without counting as an overlap."""


@dataclass(frozen=True)
class Linear:
    """lower ≤ Σ coefficient · shift(ref, axis) ≤ upper, in units; None is unbounded."""

    terms: tuple[tuple[int, str, Axis], ...]
    lower: int | None = None
    upper: int | None = None

    def holds(self, shifts: Shifts) -> bool:
        """Return whether the shifts keep it."""
        total = sum(c * shifts[ref][axis] for c, ref, axis in self.terms)
        return (self.lower is None or total >= self.lower) and (self.upper is None or total <= self.upper)


@dataclass(frozen=True)
class Rule:
    """A requirement, in words: it holds when every line of at least one option holds."""

    words: str
    options: tuple[tuple[Linear, ...], ...]

    @cached_property
    def refs(self) -> frozenset[str]:
        """The boxes that it speaks of."""
        return frozenset(ref for option in self.options for line in option for _, ref, _ in line.terms)

    def holds(self, shifts: Shifts) -> bool:
        """Return whether the shifts keep it."""
        return any(all(line.holds(shifts) for line in option) for option in self.options)


@dataclass(frozen=True)
class ShiftProblem:
    """Boxes in units, some of them fixed, and the rules over their shifts."""

    unit: float
    boxes: Mapping[str, Bounds]
    fixed: frozenset[str] = frozenset()
    rules: tuple[Rule, ...] = ()
    gap: float = 0.0
    """The least distance of every pair of solids, in units."""
    free_pairs: frozenset[frozenset[str]] = frozenset()
    """Pairs that may overlap."""
    weights: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    """Cost of one unit of movement along x and y; 1 by default."""
    layers: Mapping[str, int] = field(default_factory=dict[str, int])
    """Layers on which a box claims room, one bit each; all by default."""
    owners: Mapping[str, str] = field(default_factory=dict[str, str])
    """The obstacle that a box is a piece of, where its name is not that."""
    reach: int | None = None
    """The farthest that a box has to move, where that is known."""

    @cached_property
    def movable(self) -> tuple[str, ...]:
        """The boxes that are not fixed."""
        return tuple(name for name in self.boxes if name not in self.fixed)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all boxes, in the order of the rows of `table`."""
        return tuple(self.boxes)

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """The row of each box in `table`."""
        return {name: row for row, name in enumerate(self.names)}

    @cached_property
    def table(self) -> NDArray[np.float64]:
        """The boxes, (n, 4)."""
        return np.array(list(self.boxes.values()), dtype=np.float64).reshape(-1, 4)

    @cached_property
    def masks(self) -> NDArray[np.int64]:
        """The layers of each box, one bit each."""
        return np.array([self.layers.get(name, -1) for name in self.names], dtype=np.int64)

    @cached_property
    def _partners(self) -> Mapping[str, frozenset[str]]:
        """The boxes that each one may overlap by name."""
        partners: dict[str, set[str]] = {}
        for pair in self.free_pairs:
            for name in pair:
                partners.setdefault(name, set()).update(pair - {name})
        return {name: frozenset(others) for name, others in partners.items()}

    def placed(self, shifts: Shifts) -> NDArray[np.float64]:
        """Return the boxes where these shifts take them, (n, 4)."""
        boxes = self.table.copy()
        for name in self.movable:
            dx, dy = shifts[name]
            if dx or dy:
                boxes[self.rows[name]] += (dx, dy, dx, dy)
        return boxes

    def excluding(self, name: str) -> NDArray[np.bool_]:
        """Return for each box whether it must not overlap this one: `may_overlap` for all at once."""
        excludes = (self.masks & self.masks[self.rows[name]]) != 0
        excludes[[self.rows[other] for other in self._partners.get(name, ()) if other in self.rows]] = False
        excludes[self.rows[name]] = False
        return excludes

    def weight(self, name: str) -> tuple[int, int]:
        """Return the cost of one unit of movement along x and y."""
        return self.weights.get(name, (1, 1))

    def cost(self, shifts: Shifts) -> int:
        """Return the weighted sum of absolute moves, in units."""
        return sum(w * abs(d) for name in self.movable for w, d in zip(self.weight(name), shifts[name], strict=True))

    def separation(self, a: str, b: str) -> tuple[int, int, int, int]:
        """Return the ways of b against a until it lies to its right, left, below and above; 0 or less where it does."""
        ax0, ay0, ax1, ay1 = self.boxes[a]
        bx0, by0, bx1, by1 = self.boxes[b]
        return (up(ax1 + self.gap - bx0), up(bx1 + self.gap - ax0), up(ay1 + self.gap - by0), up(by1 + self.gap - ay0))

    def may_overlap(self, a: str, b: str) -> bool:
        """Return whether two boxes share no layer, or may overlap by name."""
        return frozenset((a, b)) in self.free_pairs or not self.layers.get(a, -1) & self.layers.get(b, -1)

    def said(self, name: str) -> str:
        """Return the name of a box, in words."""
        return self.owners.get(name, name)


def up(value: float) -> int:
    """Return the least whole number of units that is not less, rounding errors aside."""
    return math.ceil(value - ROUNDING)


def down(value: float) -> int:
    """Return the greatest whole number of units that is not more, rounding errors aside."""
    return math.floor(value + ROUNDING)


def unit_of(frame: Frame) -> float:
    """Return the frame's quantum, coarsened by powers of ten until every coordinate is a safe integer."""
    unit = frame.quantum
    reach = max(abs(v) for v in frame.bounds)
    while reach / unit > SAFE:
        unit *= 10
    return unit


def shift_problem(layout: Layout, refs: Sequence[str], *, unit: float | None = None) -> ShiftProblem:
    """Return boxes of items with all their parts, in units. Locked items, and those with locked parts, are fixed."""
    unit = unit or unit_of(layout.frame)
    boxes = {ref: scaled(layout.bounds(ref), unit) for ref in refs if not layout.whole(ref).is_empty}
    fixed = frozenset(ref for ref in boxes if any(item.locked for item in layout.family(ref)))
    return ShiftProblem(unit, boxes, fixed)


def scaled(bounds: Bounds, unit: float) -> Bounds:
    """Return a box in units."""
    x0, y0, x1, y1 = bounds
    return (x0 / unit, y0 / unit, x1 / unit, y1 / unit)


def apart(problem: ShiftProblem, a: str, b: str) -> Rule:
    """Return the rule that two boxes do not overlap, and keep the problem's gap."""
    right, left, below, above = problem.separation(a, b)
    return Rule(
        f"{problem.said(a)} and {problem.said(b)} do not overlap",
        (
            (Linear(((1, b, 0), (-1, a, 0)), right),),
            (Linear(((1, a, 0), (-1, b, 0)), left),),
            (Linear(((1, b, 1), (-1, a, 1)), below),),
            (Linear(((1, a, 1), (-1, b, 1)), above),),
        ),
    )


def beyond(problem: ShiftProblem, a: str, b: str, axis: Axis, gap: float = 0.0, most: float | None = None) -> Linear:
    """Return the line by which b starts at least `gap` units after the end of a along an axis, and at most `most`."""
    distance = problem.boxes[b][axis] - problem.boxes[a][axis + 2]
    upper = None if most is None else down(most - distance)
    lower = up(gap - distance)
    if upper is not None and upper < lower:  # an exact gap that falls between two units
        lower = upper = round(gap - distance)
    return Linear(((1, b, axis), (-1, a, axis)), lower, upper)


def within(problem: ShiftProblem, ref: str, outer: Bounds, words: str) -> Rule:
    """Return the rule that a box stays in a fixed outer box, given in units."""
    box = problem.boxes[ref]
    lines = (Linear(((1, ref, a),), up(outer[a] - box[a]), down(outer[a + 2] - box[a + 2])) for a in AXES)
    return Rule(words, (tuple(lines),))


def restricted(problem: ShiftProblem, names: frozenset[str]) -> ShiftProblem:
    """Return the problem of these boxes and the fixed ones alone."""
    boxes = {n: box for n, box in problem.boxes.items() if n in names or n in problem.fixed}
    rules = tuple(rule for rule in problem.rules if rule.refs <= boxes.keys())
    return replace(problem, boxes=boxes, rules=rules)


def linked(rules: Iterable[Rule], names: frozenset[str]) -> list[Rule]:
    """Return the rules that speak of any of the names."""
    return [rule for rule in rules if rule.refs & names]


Relation = Literal[
    "left_of", "right_of", "above", "below", "beside", "inside", "on", "between", "in_front_of", "behind", "near", "far"
]


@dataclass(frozen=True)
class Stated:
    """A relation between items. `gap` and `most` bound the clear distance of the boxes, in the frame's unit."""

    relation: Relation
    subject: str
    objects: tuple[str, ...]
    gap: float = 0.0
    most: float | None = None
    words: str = ""

    @property
    def text(self) -> str:
        """The relation in words."""
        return self.words or f"{self.subject} {self.relation.replace('_', ' ')} {' and '.join(self.objects)}"


def sides(frame: Frame) -> dict[str, tuple[Axis, int]]:
    """Return for each direction its axis, and 1 where the subject has the larger coordinate."""
    up_is_larger = 1 if frame.up[1] > 0 else -1
    return {"left_of": (0, -1), "right_of": (0, 1), "above": (1, up_is_larger), "below": (1, -up_is_larger)}


def rule_of(problem: ShiftProblem, stated: Stated, frame: Frame) -> Rule:
    """Return a relation as a rule over shifts.

    Raises:
        ValueError: boxes in a plane cannot keep it (in front of, behind).
    """
    direction = sides(frame)
    s, (o, *others) = stated.subject, stated.objects
    box, outer = problem.boxes[s], problem.boxes[o]
    low, high = stated.gap / problem.unit, None if stated.most is None else stated.most / problem.unit
    match stated.relation:
        case "left_of" | "right_of" | "above" | "below":
            options = [[_side(problem, s, o, *direction[stated.relation], low, high)]]
        case "beside":  # they overlap in height
            options = [[_side(problem, s, o, 0, sign, low, high), facing(problem, s, o, 0)] for sign in (-1, 1)]
        case "near":
            options = [[_side(problem, s, o, a, sign, low, high), facing(problem, s, o, a)] for a, sign in _COMPASS]
        case "far":
            options = [[_side(problem, s, o, axis, sign, low, high)] for axis, sign in _COMPASS]
        case "inside":
            options = [
                [Linear(((1, s, a), (-1, o, a)), up(outer[a] - box[a]), down(outer[a + 2] - box[a + 2])) for a in AXES]
            ]
        case "on":  # with its center within the other's extent
            axis, sign = direction["above"]
            middle = (box[0] + box[2]) / 2
            centered = Linear(((1, s, 0), (-1, o, 0)), up(outer[0] - middle), down(outer[2] - middle))
            options = [[_side(problem, s, o, axis, sign, 0.0, 0.0), centered]]
        case "between":  # along an axis, in either order, and facing both across it
            options = [
                [
                    beyond(problem, first, s, axis, low),
                    beyond(problem, s, last, axis, low),
                    facing(problem, s, o, axis),
                    facing(problem, s, others[0], axis),
                ]
                for axis in AXES
                for first, last in ((o, others[0]), (others[0], o))
            ]
        case "in_front_of" | "behind":
            raise ValueError(f"{stated.text!r} speaks of depth: painting order keeps it, no place does")
    return Rule(stated.text, tuple(tuple(lines) for lines in options))


_COMPASS: tuple[tuple[Axis, int], ...] = ((0, -1), (0, 1), (1, -1), (1, 1))


def _side(
    problem: ShiftProblem, subject: str, other: str, axis: Axis, sign: int, low: float, high: float | None
) -> Linear:
    first, second = (subject, other) if sign < 0 else (other, subject)
    return beyond(problem, first, second, axis, low, high)


def facing(problem: ShiftProblem, subject: str, other: str, axis: Axis) -> Linear:
    """Return the line by which two boxes share some extent across an axis."""
    across: Axis = 0 if axis else 1
    a, b = problem.boxes[subject], problem.boxes[other]
    return Linear(
        ((1, subject, across), (-1, other, across)), up(b[across] - a[across + 2]), down(b[across + 2] - a[across])
    )


@dataclass(frozen=True)
class Constraint:
    """An item keeps its place to another one along these axes; to the ground where `other` is None."""

    words: str
    ref: str
    other: str | None
    axes: tuple[Axis, ...]
    offset: Point = (0.0, 0.0)
    """The way from the other's box to the item's, upper left corners, when it was set."""
    sizes: tuple[float, ...] = ()
    """The sizes of the boxes then: an item that was turned since keeps nothing."""

    @property
    def refs(self) -> tuple[str, ...]:
        """The items that it ties."""
        return (self.ref,) if self.other is None else (self.ref, self.other)


def measured(layout: Layout, constraint: Constraint) -> Constraint:
    """Return the constraint as its items lie in this layout."""
    x0, y0, x1, y1 = layout.bounds(constraint.ref)
    a0, b0, a1, b1 = (0.0, 0.0, 0.0, 0.0) if constraint.other is None else layout.bounds(constraint.other)
    return replace(constraint, offset=(x0 - a0, y0 - b0), sizes=(x1 - x0, y1 - y0, a1 - a0, b1 - b0))


def holding(layout: Layout, constraints: Iterable[Constraint]) -> list[Constraint]:
    """Return the constraints whose items still lie as they did when they were set.

    A later action that undid one has made it void.
    """
    slack = layout.frame.quantum / 2
    valid: list[Constraint] = []
    for constraint in constraints:
        if all(ref in layout for ref in constraint.refs):
            now = measured(layout, constraint)
            same = all(abs(a - b) <= slack for a, b in zip(now.sizes, constraint.sizes, strict=True))
            if same and all(abs(now.offset[axis] - constraint.offset[axis]) <= slack for axis in constraint.axes):
                valid.append(constraint)
    return valid


def constraint_rule(constraint: Constraint) -> Rule:
    """Return a constraint as a rule over shifts: along its axes both move by the same, or the one not at all."""
    others = [] if constraint.other is None else [constraint.other]
    lines = (Linear(((1, constraint.ref, a), *((-1, other, a) for other in others)), 0, 0) for a in constraint.axes)
    return Rule(f"{constraint.ref} keeps its place: {constraint.words}", (tuple(lines),))
