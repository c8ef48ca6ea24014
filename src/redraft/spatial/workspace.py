"""A layout under the hand: actions carried out exactly and whole or not at all, with undo, redo and what became of it.

This is what tools, boards and people work with; the functions of `spatial.solve` compute, this keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict

from redraft.spatial.actions import Action
from redraft.spatial.layout import Layout, Move, Point

__all__ = ["Clearance", "Collision", "Moved", "Outcome", "Workspace"]


class _Fact(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Moved(_Fact):
    """Where a part was and is: middles of its box, in the layout's unit."""

    ref: str
    before: Point
    after: Point
    rotation: float = 0.0
    """Degrees, after."""
    layer: str = ""
    """The layer that it lies on now, when the action changed it."""


class Clearance(_Fact):
    """The clear distance from a moved part to a neighbour, of the shapes that they claim."""

    between: tuple[str, str]
    distance: float


class Collision(_Fact):
    """Two things in one place, or one where it may not be. `other` may be a part, `board edge`, or a keep-out."""

    ref: str
    other: str
    depth: float
    """The shortest way out, in units."""


class Outcome(_Fact):
    """What an action did."""

    action: str
    """In words: `place_relative C1 0.5 mm right of U1.4 (pad)`."""
    moved: tuple[Moved, ...] = ()
    clearances: tuple[Clearance, ...] = ()
    """To the nearest neighbours of each moved part, the tightest first, at most eight."""
    collisions: tuple[Collision, ...] = ()
    """Those of the moved parts that were not there before; empty unless `allow_overlap`."""
    note: str = ""


@dataclass
class Workspace:
    """A layout and its past. Not safe to share between threads."""

    layout: Layout
    moves: tuple[Move, ...] = ()
    """All moves in force since the beginning, in order."""
    locked: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """Locks that were set or taken off since the beginning."""

    def do(self, action: Action) -> Outcome:
        """Carry out one action, or nothing of it.

        Raises:
            BriefError: an unknown part or pad (the closest names are given), or arguments that make no sense.
            InfeasibleError: a locked part would move, or no layout satisfies it (an irreducible set is named).
            CollisionError: parts would collide; has the nearest free place.
        """
        raise NotImplementedError

    def undo(self) -> Outcome:
        """Take back the last action. Raises `BriefError` when there is none."""
        raise NotImplementedError

    def redo(self) -> Outcome:
        """Do again what was last taken back. Raises `BriefError` when there is nothing."""
        raise NotImplementedError
