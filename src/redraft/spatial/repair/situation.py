"""The layout under repair, with its requirements and issues; steps, and lists of moves.

A planner returns steps. Each step has one aim and one or more ways to reach it, the preferred one first; whether one is
taken is decided by measuring the result, never by the planner.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from redraft.layout import Bounds, Layout, Matrix, Move, Point
from redraft.requirements import CANVAS, Requirement
from redraft.requirements.kinds import KINDS, checks_of, view_of
from redraft.requirements.space import Space
from redraft.result import Issue
from redraft.spatial.backdrops import is_backdrop

__all__ = [
    "FINE",
    "Key",
    "Situation",
    "Step",
    "around",
    "center",
    "composed",
    "displacement",
    "effective",
    "flat",
    "moved_share",
    "moved_shares",
    "note",
    "onto",
    "scaled_to",
    "shortened",
    "snap",
]

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
    """Return the summed distance by which the moves shift the corners of their items' boxes, in units."""
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
    relatives = {item.name for item in layout.family(move.item)} | set(layout.ancestors(move.item))
    for index in range(len(found) - 1, -1, -1):
        if found[index].item == move.item:
            return index
        if found[index].item in relatives:
            return None
    return None


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


Key = tuple[str, tuple[str, ...], str]
"""`Issue.key`."""

FINE = 2e-5
"""Lengths that others derive from by short decimal factors (1.2, 0.9) are multiples of this, in canvas units: then
the others, and their halves, are whole quanta too, and what is centered is so exactly."""


@dataclass(frozen=True)
class Step:
    """One aim, in words that stay the same while the drawing changes, and the ways to reach it."""

    words: str
    ways: tuple[tuple[Move, ...], ...]
    parting: bool = False
    """Meant to take parts of one object off each other."""
    placed: frozenset[str] = frozenset()
    """Objects that a requirement arranges."""
    about: frozenset[str] = frozenset()
    """Items whose places relative to each other it is meant to change."""
    shaped: frozenset[str] = frozenset()
    """Items whose proportions it may change, whatever their shape."""


@dataclass(frozen=True)
class Situation:
    """A drawing under repair."""

    layout: Layout
    requirements: tuple[Requirement, ...] = ()
    issues: tuple[Issue, ...] = ()
    """Those to act on, errors first."""
    bindings: Mapping[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict[tuple[str, ...], tuple[str, ...]])
    """The names of parts that patterns stand for: no move changes these."""
    scale: float = 1.0
    """Units of the frame in one real unit."""
    seed: int = 0

    def names(self, patterns: tuple[str, ...]) -> tuple[str, ...]:
        """The visible parts that patterns match; the canvas is none."""
        return self.bindings.get(patterns, ())

    def others(self, patterns: tuple[str, ...]) -> tuple[str, ...]:
        """The same, the canvas one of them."""
        canvas = CANVAS in patterns and CANVAS not in self.layout
        return (*self.names(patterns), CANVAS) if canvas else self.names(patterns)

    def view(self, read: Requirement) -> Space:
        """The boxes to work on where it is not exact in any view: a stated size and a cell of a grid are of what a part
        paints itself, all else with its parts; another way to look, where it fits and this does not."""
        scale = self.scale if read.unit == "real" else 1.0
        usual = [Space(self.layout, scale=scale)]
        if read.kind == "size" or read.edge == "grid":
            usual = [Space(self.layout, own=True, bare=bare, scale=scale) for bare in (False, True)]
        space = min(usual, key=lambda space: self._worst(read, space))
        if self._worst(read, space) <= 1:
            return space
        best = view_of(read, self.layout, scale)
        return space if best.turned or self._worst(read, best) > 1 else best

    @staticmethod
    def _worst(read: Requirement, space: Space) -> float:
        return max((check.deviation for check in KINDS[read.kind].measure(read, space)), default=0.0)

    def broken(self, read: Requirement) -> bool:
        """Return whether a requirement does not hold."""
        return self.deviation(read) > 1 + 1e-9

    def deviation(self, read: Requirement) -> float:
        """Return the distance of a requirement from exact, in tolerances; 0 when it is met.

        0 too where it holds along another line than the axes, in which nothing here moves.
        """
        scale = self.scale if read.unit == "real" else 1.0
        checks = checks_of(read, self.layout, scale)
        off = max((c.deviation for c in checks if c.error > c.exact * (1 + 1e-9) + 1e-12), default=0.0)
        in_plan = self.layout.frame.plan and 0 < off <= 1 + 1e-9
        return 0.0 if in_plan and view_of(read, self.layout, scale).turned else off

    def own(self, name: str) -> Bounds:
        """The box of what an item itself paints; of all its parts when it paints nothing."""
        shape = self.layout[name].shape
        if shape.is_empty:
            return self.layout.bounds(name)
        x0, y0, x1, y1 = shape.bounds
        return (x0, y0, x1, y1)

    def coded(self, *codes: str) -> list[Issue]:
        return [issue for issue in self.issues if issue.code in codes or issue.category in codes]

    @cached_property
    def backdrops(self) -> frozenset[str]:
        """Top-level things that lie behind everything: they move only where a requirement names them."""
        return frozenset(i.name for i in self.layout.roots if is_backdrop(self.layout, i))

    def locked(self, name: str) -> bool:
        return any(i.locked for i in self.layout.family(name))

    def free(self, name: str) -> bool:
        """Return whether an item may move: neither it nor a part of it is locked, and it is not a backdrop."""
        return name not in self.backdrops and not self.locked(name)

    def tops(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names less those that are part of another one of them."""
        among = tuple(dict.fromkeys(names))
        inner = {i.name for name in among for i in self.layout.family(name)[1:]}
        return tuple(name for name in among if name not in inner)


def snap(value: float, step: float) -> float:
    """The nearest multiple of a step."""
    return round(value / step) * step


def center(box: Bounds) -> Point:
    return ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def flat(space: Space, name: str) -> Bounds:
    """The box of a part as a requirement is measured, from above or in front: x0, y0, x1, y1."""
    (x0, x1), (y0, y1), _ = space.box(name)
    return (x0, y0, x1, y1)


def around(boxes: Sequence[Bounds]) -> Bounds:
    """The box that holds all."""
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def scaled_to(name: str, box: Bounds, width: float | None, height: float | None, about: Point, reason: str) -> Move:
    """A scaling that gives a box this width and height (None: as it is), with a point that stays."""
    sx = 1.0 if width is None else width / max(box[2] - box[0], 1e-9)
    sy = 1.0 if height is None else height / max(box[3] - box[1], 1e-9)
    return Move.scale(name, sx, sy, about, reason)


def onto(name: str, box: Bounds, target: Bounds, reason: str) -> Move:
    """The scaling and shift, in one, that takes a box to another."""
    sx, sy = ((target[i + 2] - target[i]) / max(box[i + 2] - box[i], 1e-9) for i in (0, 1))
    return Move(name, (sx, 0.0, 0.0, sy, target[0] - sx * box[0], target[1] - sy * box[1]), reason)


def effective(site: Situation, moves: Iterable[Move]) -> tuple[Move, ...]:
    """The moves that displace by more than a quarter of a quantum; none if one of these would move what is locked."""
    least = site.layout.frame.quantum / 4
    real = tuple(m for m in moves if displacement(site.layout, (m,)) > least)
    return real if not any(site.locked(m.item) for m in real) else ()
