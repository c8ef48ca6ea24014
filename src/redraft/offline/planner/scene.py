"""What the planner answers: placed objects, as data, and the strokes that paint them."""

from __future__ import annotations

from dataclasses import dataclass, field

from redraft.spatial.layout import Bounds

__all__ = ["PlacedObject", "PlacedScene"]


@dataclass(frozen=True)
class PlacedObject:
    """One thing to draw in `box` (x0, y0, x1, y1, canvas units)."""

    name: str
    """The part's name in the drawing, unique in the scene and in what was there before."""
    noun: str
    """What it is looked up by."""
    box: Bounds
    layer: int = 0
    colour: str | None = None
    counts: dict[str, int] = field(default_factory=dict[str, int])
    """How many of a part, by the part's noun."""
    angles: dict[str, float] = field(default_factory=dict[str, float])
    """Degrees clockwise from up of its hands, by noun."""
    part_colours: dict[str, str] = field(default_factory=dict[str, str])
    parent: str | None = None
    opening: bool = False
    """A door or window in plan: a gap in the wall of its parent, on its `side`."""
    side: str = "bottom"
    wall: float = 0.0
    """Thickness of that wall."""


@dataclass(frozen=True)
class PlacedScene:
    """Everything new in a drawing, in painting order."""

    objects: tuple[PlacedObject, ...]
    unmet: tuple[str, ...] = ()
    """Phrases of the brief that this plan does not keep, each in the words of the brief."""
