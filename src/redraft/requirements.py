"""Requirements: what a drawing or scene was agreed to show, stated by whoever draws it and measured by code.

One table of kinds with parameters, formula and tolerance for every studio. It knows no medium and no language: names,
patterns and numbers are bound to a `Layout`, and quotes are only compared with the brief.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from redraft.result import Issue, Measured, Ruling
from redraft.spatial.layout import Layout

__all__ = [
    "KINDS",
    "Kind",
    "Relation",
    "Requirement",
    "Statements",
    "bound",
    "corrected",
    "issues_of",
    "measure",
    "merged",
    "statements",
    "unmeasured",
]

Kind = Literal[
    "count", "relation", "distance", "angle", "size", "ratio", "proportion", "spacing", "alignment", "symmetry",
    "color", "text", "place",
]  # fmt: skip
Relation = Literal[
    "left_of", "right_of", "above", "below", "inside", "on", "between", "beside", "in_front_of", "behind", "touches"
]
Dimension = Literal["width", "height", "depth", "size", "aspect"]
Edge = Literal["left", "right", "top", "bottom", "center_x", "center_y", "grid"]
Spot = Literal["center", "left", "right", "top", "bottom", "top_left", "top_right", "bottom_left", "bottom_right"]


class Requirement(BaseModel):
    """One checkable statement. Which fields a kind needs and may have, and how it is measured, is in `KINDS`.

    `parts`, `of` and `each` name parts exactly or by patterns with `*` ("book_*"); `canvas` names the whole picture.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)

    id: str = Field(default="", max_length=40)
    kind: Kind
    quote: str = Field(default="", max_length=400)
    """The words of the brief, verbatim; empty for an intention of the plan."""
    parts: tuple[str, ...] = Field(min_length=1, max_length=100)
    of: tuple[str, ...] = Field(default=(), max_length=100)
    """What the parts are compared with, placed by, or parts of."""
    each: tuple[str, ...] = Field(default=(), max_length=100)
    """For a count: within each of these."""
    number: int | None = Field(default=None, ge=0, le=10_000)
    limit: Literal["exactly", "at_least", "at_most"] = "exactly"
    """How a number, factor or length is meant."""
    relation: Relation | None = None
    dimension: Dimension | None = None
    factor: float | None = Field(default=None, gt=0, le=1e6)
    length: float | None = Field(default=None, ge=0, le=1e6)
    """Of a distance or gap, in the frame's unit."""
    width: float | None = Field(default=None, gt=0, le=1e6)
    height: float | None = Field(default=None, gt=0, le=1e6)
    unit: Literal["frame", "real"] = "frame"
    """Of sizes and lengths: the frame's own, or real ones, all of which share one scale."""
    values: tuple[float, ...] = Field(default=(), max_length=100)
    order: Literal["increasing", "decreasing"] | None = None
    axis: Literal["x", "y", "z"] | None = None
    edge: Edge | None = None
    rows: int | None = Field(default=None, ge=1, le=1000)
    columns: int | None = Field(default=None, ge=1, le=1000)
    degrees: float | None = Field(default=None, ge=-360, le=360)
    color: str = Field(default="", max_length=40)
    text: str = Field(default="", max_length=400)
    spot: Spot | None = None
    reason: str = Field(default="", max_length=400)
    """For a change of an earlier statement: why it changed."""


@dataclass(frozen=True)
class Statements:
    """What was stated, read: the requirements that can be measured, and why others cannot."""

    requirements: tuple[Requirement, ...] = ()
    set_aside: tuple[str, ...] = ()
    """`r4 (count, "three kites"): no part matches "kite_*"`, one line each."""


@dataclass(frozen=True)
class KindSpec:
    """A row of the table: what a kind says, needs and may have."""

    says: str
    needs: tuple[str, ...]
    may: tuple[str, ...] = ()
    example: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])


KINDS: Mapping[Kind, KindSpec] = {}


def merged(before: Sequence[JsonValue], new: Sequence[JsonValue]) -> tuple[JsonValue, ...]:
    """Raw statements after an edit's or a repair's: one with a known id takes that one's place; ids are given here."""
    raise NotImplementedError


def corrected(raw: Sequence[JsonValue], rulings: Iterable[Ruling]) -> tuple[JsonValue, ...]:
    """Raw statements with the corrections of rulings in place, each with its reason."""
    raise NotImplementedError


def statements(raw: Sequence[JsonValue], brief: str, layout: Layout) -> Statements:
    """Raw statements, read against the words of the brief and the parts that are there. Never raises."""
    raise NotImplementedError


def bound(patterns: Sequence[str], layout: Layout) -> tuple[str, ...]:
    """The names of the parts that patterns match, in the layout's order of reading; only what is visible."""
    raise NotImplementedError


def measure(requirements: Sequence[Requirement], layout: Layout) -> tuple[Measured, ...]:
    """Each requirement measured on the layout."""
    raise NotImplementedError


def issues_of(measured: Sequence[Measured], layout: Layout) -> tuple[Issue, ...]:
    """An open issue for each broken requirement: basis `requirement`, severity `question`, code `requirement.KIND`."""
    raise NotImplementedError


def unmeasured(brief: str, requirements: Sequence[Requirement]) -> tuple[str, ...]:
    """The stretches of the brief that no quote covers, as written; nothing that is only punctuation."""
    raise NotImplementedError
