"""A sentence as data: the things mentioned, and constraints between them.

`grammar.read` makes a `Reading` from English; the offline planner builds from one, and `stating` writes one
as requirements. Every constraint keeps the words that it was read from. What was not understood stays in `unchecked`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Relation = Literal[
    "left_of", "right_of", "above", "below", "beside", "inside", "on", "between", "in_front_of", "behind", "near", "far"
]
Dimension = Literal["width", "height", "size"]
Spot = Literal["center", "left", "right", "top", "bottom", "top_left", "top_right", "bottom_left", "bottom_right"]


@dataclass(frozen=True)
class Mention:
    """One noun phrase: "two small red flowers". `whole` is what it is a part of ("a house *with two windows*")."""

    id: str
    noun: str
    """Singular, lower-case, the words as used: "teddy bear"."""
    count: int | None = 1
    """None for a plural without a number: at least two."""
    whole: str | None = None
    colour: str | None = None
    """A name as written: "dark blue"."""
    size: float = 1.0
    """Linear: "big" 1.5, "tiny" 0.5."""
    adjectives: tuple[str, ...] = ()
    exact: bool = True
    """False for "a few", "some", and for nouns whose number the sentence leaves open."""
    phrase: str = ""
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Selector:
    """Some instances of a mention: all, or the n-th ones (from 1, left to right, then top to bottom; −1 last)."""

    mention: str
    ordinals: tuple[int, ...] = ()
    others: bool = False
    """True: all but the ordinals."""


@dataclass(frozen=True)
class Measure:
    """A length. Unit `canvas` is a share of the canvas; all real lengths (m, cm, mm, ft, in) share one scale."""

    value: float
    unit: str = "canvas"


@dataclass(frozen=True, kw_only=True)
class _Stated:
    phrase: str = ""
    """The words of the brief, as written."""
    certain: bool = True
    """False: understood only by guessing; listed as unchecked, never an error."""


@dataclass(frozen=True, kw_only=True)
class Count(_Stated):
    """There are `number` of the mention; within each instance of its whole, when it has one."""

    mention: str
    number: int
    at_least: bool = False


@dataclass(frozen=True, kw_only=True)
class Relate(_Stated):
    """Every subject stands in `relation` to the objects: one object, two for *between*."""

    relation: Relation
    subjects: Selector
    objects: tuple[Selector, ...]
    distance: Measure | None = None
    """An explicit gap ("0.5 mm right of", "0.02 apart")."""
    degree: Literal["touching", "near", "plain", "far", "much_further"] = "plain"
    """Hints of distance; `much_further` is read as the specification's 0.3."""
    vertical: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Align(_Stated):
    """In a row (axis "x": same y) or a column (axis "y": same x), by centers or by an edge."""

    selectors: tuple[Selector, ...]
    axis: Literal["x", "y"]
    edge: Literal["center", "left", "right", "top", "bottom"] = "center"


@dataclass(frozen=True, kw_only=True)
class EqualSpacing(_Stated):
    """Equal gaps, edge to edge, along an axis; `gap` when stated."""

    selector: Selector
    axis: Literal["x", "y"] = "x"
    gap: Measure | None = None


@dataclass(frozen=True, kw_only=True)
class Grid(_Stated):
    """`columns` across and `rows` down, with equal cells; `gap` when stated."""

    selector: Selector
    rows: int
    columns: int
    gap: Measure | None = None


@dataclass(frozen=True, kw_only=True)
class Compare(_Stated):
    """Every one of `subjects` is `factor` times the reference in one dimension; `size` is the linear size."""

    subjects: Selector
    reference: Selector
    dimension: Dimension
    factor: float
    at_least: bool = False
    """True for "taller", "much bigger": the factor is a lower bound (or an upper one, below 1)."""


@dataclass(frozen=True, kw_only=True)
class Size(_Stated):
    """Stated measures: "a 5 m by 4 m room", "a 0.9 m door"."""

    selector: Selector
    width: Measure | None = None
    height: Measure | None = None


@dataclass(frozen=True, kw_only=True)
class Place(_Stated):
    """At a spot of the canvas, or of another thing ("in the middle of the south wall")."""

    selector: Selector
    spot: Spot
    within: Selector | None = None
    side: Literal["top", "bottom", "left", "right"] | None = None
    """A side of `within`: the south wall of a room is its bottom edge."""
    group: bool = False
    """The group as a whole ("a grid of windows, centred"), not each one."""


@dataclass(frozen=True, kw_only=True)
class Angle(_Stated):
    """A hand or needle (a part with this noun) points `degrees` clockwise from up, seen from its whole's center."""

    selector: Selector
    degrees: float


Constraint = Count | Relate | Align | EqualSpacing | Grid | Compare | Size | Place | Angle


@dataclass(frozen=True)
class Reading:
    """A brief as data."""

    text: str
    mentions: tuple[Mention, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    unchecked: tuple[str, ...] = ()
    """Phrases of the text that no constraint covers."""
    edit: bool = field(default=False)
    """It speaks of a drawing that is already there ("make the roof red", "now add a tree")."""

    def mention(self, ref: str) -> Mention:
        """Return the mention of this id."""
        return next(m for m in self.mentions if m.id == ref)
