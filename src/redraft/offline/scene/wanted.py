"""What is asked for, as data: things, and ties between them."""

from __future__ import annotations

from dataclasses import dataclass, field

from redraft.offline.scene.shapes import bounds, points_of
from redraft.offline.scene.solids import Solid

__all__ = ["Tie", "Wish", "Wishes", "same_noun", "size_of"]


@dataclass
class Wish:
    """Some things of one kind."""

    id: str
    noun: str
    solid: Solid
    count: int = 1
    size: float = 1.0
    colour: str = ""
    """`#rrggbb`."""
    look: str = "paint"
    parts: dict[str, str] = field(default_factory=dict[str, str])
    """Colours asked for, by part."""
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Moved by an edit: in shares of the scene's width."""
    rows: int = 0
    """Of a grid, when the words say so."""
    in_row: str = ""
    """`x` or `y`, when the words say so."""
    note: str = ""


@dataclass(frozen=True)
class Tie:
    """Where some things are to be, relative to others."""

    relation: str
    a: str
    b: tuple[str, ...]
    degree: str = "plain"
    phrase: str = ""
    certain: bool = True


@dataclass
class Wishes:
    """All that is asked for."""

    brief: str
    things: dict[str, Wish] = field(default_factory=dict[str, Wish])
    ties: list[Tie] = field(default_factory=list[Tie])
    grounds: list[str] = field(default_factory=list[str])
    """Kinds of ground that nouns stand for, in order."""
    words: str = ""
    """All texts, in order: what light and scenery are chosen by."""
    unmet: list[str] = field(default_factory=list[str])


def size_of(wish: Wish) -> tuple[float, float, float]:
    """Width, depth, height in metres of one of them."""
    x0, y0, z0, x1, y1, z1 = bounds(points_of(wish.solid))
    return ((x1 - x0) * wish.size, (y1 - y0) * wish.size, (z1 - z0) * wish.size)


def same_noun(a: str, b: str) -> bool:
    """Whether one noun may stand for the other: "table" for "wooden table"."""
    return a == b or a.endswith(f" {b}") or b.endswith(f" {a}")
