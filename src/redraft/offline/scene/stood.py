"""One thing where it stands, and several that move as one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from redraft.offline.scene.placing import Block
from redraft.offline.scene.shapes import Points, points_of, rotation
from redraft.offline.scene.solids import Solid

__all__ = ["Stack", "Stood", "cloud"]


@dataclass(frozen=True)
class Stood:
    """One thing where it stands: metres, degrees about z, linear size, colour `#rrggbb`, and its group's id."""

    name: str
    solid: Solid
    at: tuple[float, float, float]
    turn: float = 0.0
    size: float = 1.0
    colour: str = "#808080"
    look: str = "paint"
    group: str = ""
    parts: tuple[tuple[str, str], ...] = ()
    """Colours of its parts that were asked for: name of the part, `#rrggbb`."""
    note: str = ""
    """What is to be said of it in the script: that it stands for an unknown word."""


def cloud(one: Stood) -> Points:
    """The points that a thing covers where it stands."""
    return points_of(one.solid) * one.size @ rotation((0, 0, one.turn)).T + np.array(one.at)


@dataclass
class Stack(Block):
    """A block with its things, around its own origin."""

    things: list[Stood] = field(default_factory=list[Stood])

    def moved(self, x: float, y: float, z: float) -> Stack:
        """The same, elsewhere."""
        boxes = [(b[0] + x, b[1] + y, b[2] + z, b[3] + x, b[4] + y, b[5] + z) for b in self.boxes]
        things = [replace(t, at=(t.at[0] + x, t.at[1] + y, t.at[2] + z)) for t in self.things]
        return Stack(self.id, boxes, things)

    def add(self, other: Stack) -> None:
        """Take in what another holds."""
        self.boxes += other.boxes
        self.things += other.things
