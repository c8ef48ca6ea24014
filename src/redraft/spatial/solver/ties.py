"""What actions set between boxes, so that later legalising keeps it: how one lies to another along some axes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from redraft.spatial.layout import Layout, Point
from redraft.spatial.solver.problem import Axis, Linear, Rule

__all__ = ["Tie", "holding", "measured", "tie_rule"]


@dataclass(frozen=True)
class Tie:
    """An item keeps its place to another one along these axes; to the ground where `other` is None."""

    words: str
    ref: str
    other: str | None
    axes: tuple[Axis, ...]
    offset: Point = (0.0, 0.0)
    """From the other's box to the item's, upper left corners, when it was set."""
    sizes: tuple[float, ...] = ()
    """Of the boxes then: a part that was turned since keeps nothing."""

    @property
    def refs(self) -> tuple[str, ...]:
        return (self.ref,) if self.other is None else (self.ref, self.other)


def measured(layout: Layout, tie: Tie) -> Tie:
    """The tie with how its items lie in this layout."""
    x0, y0, x1, y1 = layout.bounds(tie.ref)
    a0, b0, a1, b1 = (0.0, 0.0, 0.0, 0.0) if tie.other is None else layout.bounds(tie.other)
    return replace(tie, offset=(x0 - a0, y0 - b0), sizes=(x1 - x0, y1 - y0, a1 - a0, b1 - b0))


def holding(layout: Layout, ties: Iterable[Tie]) -> list[Tie]:
    """Those whose items still lie as they did when it was set; what was undone by a later action is forgotten."""
    return [tie for tie in ties if _holds(layout, tie)]


def _holds(layout: Layout, tie: Tie) -> bool:
    if any(ref not in layout for ref in tie.refs):
        return False
    now, slack = measured(layout, tie), layout.frame.quantum / 2
    same = all(abs(a - b) <= slack for a, b in zip(now.sizes, tie.sizes, strict=True))
    return same and all(abs(now.offset[axis] - tie.offset[axis]) <= slack for axis in tie.axes)


def tie_rule(tie: Tie) -> Rule:
    """Over shifts: along its axes both move by the same, or the one not at all."""
    others = [] if tie.other is None else [tie.other]
    lines = (Linear(((1, tie.ref, a), *((-1, other, a) for other in others)), 0, 0) for a in tie.axes)
    return Rule(f"{tie.ref} keeps its place: {tie.words}", (tuple(lines),))
