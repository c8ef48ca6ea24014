"""Contradictions: words of a brief that no drawing can satisfy together."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from redraft.errors import ContradictionError
from redraft.spatial.reading import Compare, Count, Reading, Relate

__all__ = ["Edge", "check_consistent", "circle"]

_AXES = {"left_of": ("x", 1), "right_of": ("x", -1), "above": ("y", 1), "below": ("y", -1), "on": ("y", 1)}
_HOLDS = {"inside": ("in", 1), "in_front_of": ("z", 1), "behind": ("z", -1)}

Edge = tuple[str, str, str]
"""From one mention to another, with the words that say so."""


def check_consistent(reading: Reading, *, conflicts: Sequence[tuple[str, str]] = ()) -> None:
    """Check that the certain constraints do not exclude each other: no circle of left and right, of above and below,
    of in and in front; no thing with two numbers.

    Raises:
        ContradictionError: naming the words that conflict.
    """
    for first, second in conflicts:
        _refuse(reading, [first, second], "they give two numbers for the same thing")
    _check_counts(reading)
    for axis in ("x", "y", "z", "in"):
        found = circle(_edges(reading, axis))
        if found:
            steps = [f"{words} ({_noun(reading, a)}, {_noun(reading, b)})" for a, b, words in found]
            why = "each puts one thing before the next, and the last before the first"
            _refuse(reading, steps, why, phrases=[words for _, _, words in found])
    larger = circle(_larger(reading))
    if larger:
        _refuse(
            reading,
            [words for _, _, words in larger],
            "each makes one thing larger than the next, and the last than the first",
        )


def _refuse(reading: Reading, said: Sequence[str], why: str, *, phrases: Sequence[str] | None = None) -> None:
    quoted = " and ".join(f"“{p}”" for p in said)
    raise ContradictionError(
        f"These words of the instruction exclude each other: {quoted}; {why}. Leave one of them out. "
        f"The instruction begins {reading.text[:80]!r}.",
        said if phrases is None else phrases,
    )


def _noun(reading: Reading, ref: str) -> str:
    return reading.mention(ref).noun


def _check_counts(reading: Reading) -> None:
    seen: dict[str, Count] = {}
    for count in reading.constraints:
        if not isinstance(count, Count) or count.at_least or not count.certain:
            continue
        before = seen.setdefault(count.mention, count)
        if before.number != count.number:
            _refuse(
                reading, [before.phrase, count.phrase], f"they say {before.number} and {count.number} of the same thing"
            )


def _edges(reading: Reading, axis: str) -> list[Edge]:
    """Who comes before whom on an axis."""
    found: list[Edge] = []
    for fact in reading.constraints:
        if (
            not isinstance(fact, Relate)
            or not fact.certain
            or fact.subjects.ordinals
            or any(o.ordinals for o in fact.objects)
        ):
            continue
        on, sign = (_AXES | _HOLDS).get(fact.relation, ("", 0))
        if on == axis:
            a, b = fact.subjects.mention, fact.objects[0].mention
            found.append((a, b, fact.phrase) if sign > 0 else (b, a, fact.phrase))
    return found


def _larger(reading: Reading) -> list[Edge]:
    found: list[Edge] = []
    for fact in reading.constraints:
        if (
            not isinstance(fact, Compare)
            or fact.factor == 1
            or fact.subjects.mention == fact.reference.mention
            or fact.dimension != "height"
        ):
            continue
        a, b = fact.subjects.mention, fact.reference.mention
        found.append((a, b, fact.phrase) if fact.factor > 1 else (b, a, fact.phrase))
    return found


def circle(edges: Sequence[Edge]) -> list[Edge]:
    """The edges of a circle, in order; empty when there is none."""
    words = {(a, b): said for a, b, said in reversed(edges)}
    order = TopologicalSorter[str]()
    for a, b in words:
        order.add(b, a)
    try:
        order.prepare()
    except CycleError as error:
        nodes: list[str] = error.args[1]  # each comes right before the next; the last is the first again
        return [(a, b, words[a, b]) for a, b in pairwise(nodes)]
    return []
