"""The drawing that a planner of repairs looks at: as it stands, what it was agreed to show, and what is wrong.

A planner answers with steps. Each step has one aim and one or more ways to reach it, the preferred one first; whether
any of them is taken is decided by measuring the result, never by the planner.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from redraft.requirements import CANVAS, KINDS, Requirement, Space, checks_of, view_of
from redraft.result import Issue
from redraft.spatial.layout import Bounds, Layout, Move, Point
from redraft.spatial.scenery import is_backdrop
from redraft.spatial.solver.moves import displacement

__all__ = ["FINE", "Key", "Site", "Step", "around", "center", "effective", "flat", "onto", "scaled_to", "snap"]

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
class Site:
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
        """Whether a requirement does not hold."""
        return self.deviation(read) > 1 + 1e-9

    def deviation(self, read: Requirement) -> float:
        """How far a requirement is from being exact, in tolerances; 0 when it is met.

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
        """Whether an item may move: neither it nor a part of it is locked, and it is not a backdrop."""
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


def effective(site: Site, moves: Iterable[Move]) -> tuple[Move, ...]:
    """The moves that displace by more than a quarter of a quantum; none if one of these would move what is locked."""
    least = site.layout.frame.quantum / 4
    real = tuple(m for m in moves if displacement(site.layout, (m,)) > least)
    return real if not any(site.locked(m.item) for m in real) else ()
