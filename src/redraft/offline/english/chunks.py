"""The kinds of chunk that a line is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from redraft.offline.english.reading import Dimension, Measure, Relation, Spot

Degree = Literal["touching", "near", "plain", "far", "much_further"]
Side = Literal["top", "bottom", "left", "right"]
Determiner = Literal["a", "the", "another", "each", "no", "its", ""]
Kind = Literal["thing", "setting", "abstract"]


@dataclass(frozen=True)
class Chunk:
    """The words i to j (exclusive) of a line."""

    i: int
    j: int


@dataclass(frozen=True, kw_only=True)
class NounPhrase(Chunk):
    """A noun with all that describes it. `noun` is singular."""

    noun: str
    kind: Kind = "thing"
    plural: bool = False
    determiner: Determiner = ""
    number: int | None = None
    at_least: bool = False
    same_number: bool = False
    """ "the same number of": as many as of the noun before."""
    exactly: bool = False
    ordinal: int | None = None
    colour: str | None = None
    size: float = 1.0
    adjectives: tuple[str, ...] = ()
    loose: tuple[int, ...] = ()
    """Indices of the words that no constraint can stand for: "happy"."""
    width: Measure | None = None
    height: Measure | None = None
    owner: NounPhrase | None = None
    """The house of "the house's roof"; always with `noun` as its part or belonging."""
    owned: bool = False
    """With a possessive pronoun: "its roof"."""
    contents: NounPhrase | None = None
    """The apples of "a bowl of three apples"."""
    arrangement: Arrangement | None = None
    """The row of "a row of four houses"."""
    bare: bool = False
    """Without determiner, number or known noun: a guess."""


@dataclass(frozen=True, kw_only=True)
class Relator(Chunk):
    """A relation word, and what kind of object it takes."""

    relation: Relation
    object: Literal["phrase", "pronoun", "each other", "implied"] = "phrase"
    degree: Degree = "plain"
    distance: Measure | None = None
    certain: bool = True


@dataclass(frozen=True, kw_only=True)
class Arrangement(Chunk):
    """How several of a kind stand: a row, equal gaps, a grid."""

    kind: Literal["row", "column", "even", "grid", "gap"]
    rows: int = 0
    columns: int = 0
    gap: Measure | None = None
    certain: bool = True


@dataclass(frozen=True, kw_only=True)
class Placement(Chunk):
    """A spot: of the canvas, of the next phrase ("in the middle of"), or of a named side of what was spoken of."""

    spot: Spot
    within: Literal["canvas", "phrase", "side"] = "canvas"
    side: Side | None = None
    certain: bool = True


@dataclass(frozen=True, kw_only=True)
class Comparison(Chunk):
    """A size against another: "twice as wide as", "20 % taller", "bigger than"."""

    dimension: Dimension
    factor: float
    at_least: bool = False
    reference: Literal["phrase", "others"] = "others"


@dataclass(frozen=True, kw_only=True)
class Time(Chunk):
    """A time that a clock shows."""

    hour: int
    minute: int


@dataclass(frozen=True, kw_only=True)
class Glue(Chunk):
    """Everything between: conjunctions, verbs, marks, pronouns, and words that nothing understood."""

    kind: Literal[
        "and",
        "comma",
        "stop",
        "with",
        "without",
        "verb",
        "be",
        "that",
        "pronoun",
        "quality",
        "frame",
        "unknown",
    ]
    """`frame`: words that ask for nothing ("a photo of"); `quality`: an adjective after "is"."""
    word: str = ""
    relation: str = ""
    """For a verb: holding, containing, wearing, riding, eating, topped, filled."""


@dataclass(frozen=True, kw_only=True)
class CountComparison(Chunk):
    """Two numbers compared, "the number of cars is more than that of buses": `more` is 1, and −1 for less."""

    subject: NounPhrase
    reference: NounPhrase
    more: int
