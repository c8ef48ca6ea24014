"""What a reading asks for, as requirements on the parts of one layout: mentions bound by noun, constraints by name.

The offline model states its own reading with it, and strict validation measures one. Only what was understood for
certain, of things bound by more than a guess, is stated.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from redraft.requirements import Requirement
from redraft.spatial.binding import Binding, bind
from redraft.spatial.colours import colours_of, known, paints
from redraft.spatial.layout import Layout
from redraft.spatial.reading import (
    Align,
    Angle,
    Compare,
    Constraint,
    Count,
    EqualSpacing,
    Grid,
    Measure,
    Place,
    Progression,
    Reading,
    Relate,
    Selector,
    Size,
)

__all__ = ["selectors_of", "stated"]

METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001, "km": 1000.0, "ft": 0.3048, "in": 0.0254}
NEAR, FAR = 0.5, 0.1
"""What is near is at most so far away, what is far at least so far, in shares of the frame."""
LARGER = 1.01
"""Least factor of what is said to be larger."""

Raw = dict[str, Any]


def stated(reading: Reading, layout: Layout) -> tuple[Requirement, ...]:
    """The certain constraints of a reading as requirements, numbered `r1`, `r2` …, each with its words as quote."""
    binding = bind(reading, layout)
    found = [*_counts(binding), *_colors(binding)]
    for constraint in reading.constraints:
        if constraint.certain and binding.certain(*selectors_of(constraint)):
            for raw in _parts_of(binding, constraint):
                quote = constraint.phrase if _fold(constraint.phrase) in _fold(reading.text) else ""
                found.append({"quote": quote, **raw})
    unique = [raw for index, raw in enumerate(found) if raw not in found[:index]]
    return tuple(Requirement(id=f"r{n}", **raw) for n, raw in enumerate(unique, 1))


def selectors_of(constraint: Constraint) -> tuple[Selector, ...]:
    """Whatever a constraint speaks of."""
    match constraint:
        case Relate():
            return (constraint.subjects, *constraint.objects)
        case Align():
            return constraint.selectors
        case Compare():
            return (constraint.subjects, constraint.reference)
        case Place():
            return (constraint.selector,) if constraint.within is None else (constraint.selector, constraint.within)
        case Count():
            return (Selector(constraint.mention),)
        case EqualSpacing() | Grid() | Progression() | Size() | Angle():
            return (constraint.selector,)


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())


def _named(layout: Layout, names: Sequence[str]) -> tuple[str, ...]:
    """Names of several parts as one pattern, where there is one that matches them and nothing else."""
    prefix = os.path.commonprefix(list(names)).rstrip("0123456789")
    if len(names) > 1 and prefix and sorted(names) == sorted(i.name for i in layout if i.name.startswith(prefix)):
        return (f"{prefix}*",)
    return tuple(names)


def _counts(binding: Binding) -> Iterator[Raw]:
    """Numbers of things that can be told apart, within each of their wholes where there are several."""
    for count in binding.reading.constraints:
        if not isinstance(count, Count) or not count.certain or not _countable(binding, count.mention):
            continue
        mention = binding.reading.mention(count.mention)
        groups = binding.groups(count.mention)
        names = [name for _, group in groups for name in group]
        raw: Raw = {
            "kind": "count",
            "quote": "" if mention.phrase == "it" else count.phrase,
            "parts": _named(binding.layout, names) or (f"{re.sub(r'[^a-z0-9]+', '_', mention.noun)}*",),
            "number": count.number,
        }
        if count.at_least or binding.reading.edit or _is_article(count):
            raw["limit"] = "at_least"
        wholes = tuple(owner for owner, _ in groups if owner is not None)
        if wholes and len(names) != count.number:  # as many in all: "each" may not be meant
            raw["each"] = wholes
        yield raw


def _is_article(count: Count) -> bool:
    """An article is no number: a second tree beside "a tree" breaks nothing."""
    return count.number == 1 and not re.search(r"\b(one|single|only|lone|1)\b", count.phrase, re.IGNORECASE)


def _countable(binding: Binding, mention: str) -> bool:
    """Bound by more than a guess and not lumped; or not there at all, and nothing is left that it could be."""
    bound = binding.of(mention)
    if bound.items:
        return bound.certain and not bound.lumped
    whole = binding.reading.mention(mention).whole
    return binding.certain_of(whole) if whole is not None else not binding.left_over


def _colors(binding: Binding) -> Iterator[Raw]:
    for mention in binding.reading.mentions:
        bound = binding.of(mention.id)
        if mention.colour is None or not known(mention.colour) or not bound.certain:
            continue
        names = [name for name in bound.items if colours_of(binding.layout, name)]
        if names:
            quote = "" if mention.phrase == "it" else mention.phrase
            yield {"kind": "color", "quote": quote, "parts": _named(binding.layout, names), "color": mention.colour}


def _parts_of(binding: Binding, constraint: Constraint) -> Iterator[Raw]:
    """What one constraint says, as fields of requirements."""
    match constraint:
        case Relate():
            yield from _relations(binding, constraint)
        case Align(axis=axis, edge=edge):
            items = _names(binding, *constraint.selectors)
            if len(items) > 1:
                edges = {"left": "left", "right": "right", "top": "top", "bottom": "bottom"}
                said = edges.get(edge) if edge in constraint.phrase.lower() else None  # "in a row" names no edge
                yield {"kind": "alignment", "parts": _named(binding.layout, items), "axis": axis} | (
                    {"edge": said} if said else {}
                )
        case EqualSpacing(axis=axis, gap=gap):
            items = _names(binding, constraint.selector)
            if len(items) > 2 or (len(items) == 2 and gap is not None):
                yield {"kind": "spacing", "parts": _named(binding.layout, items), "axis": axis} | _length(gap)
        case Grid(rows=rows, columns=columns, gap=gap):
            for _, items in binding.groups(constraint.selector.mention):
                if len(items) == rows * columns:
                    grid = {"kind": "alignment", "edge": "grid", "rows": rows, "columns": columns}
                    yield grid | {"parts": _named(binding.layout, items)} | _length(gap)
        case Compare():
            yield from _ratios(binding, constraint)
        case Progression(dimension=dimension, increasing=increasing):
            items = _names(binding, constraint.selector)
            if len(items) > 1:
                order = "increasing" if increasing else "decreasing"
                yield {"kind": "proportion", "parts": items, "dimension": dimension, "order": order}
        case Size():
            for name in _names(binding, constraint.selector):
                yield {"kind": "size", "parts": (name,)} | _extents(constraint)
        case Place():
            yield from _places(binding, constraint)
        case Angle(degrees=degrees):
            items = _names(binding, constraint.selector)
            yield {"kind": "angle", "parts": _named(binding.layout, items), "degrees": degrees}
        case Count():
            return  # counts are stated with their wholes, all at once


def _names(binding: Binding, *selectors: Selector) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.name for s in selectors for item in binding.items(s)))


def _length(measure: Measure | None, limit: str = "exactly") -> Raw:
    """A length in the frame's unit, or a real one in metres."""
    if measure is None:
        return {}
    if measure.unit not in METRES:
        return {"length": measure.value, "limit": limit}
    return {"length": measure.value * METRES[measure.unit], "unit": "real", "limit": limit}


def _extents(size: Size) -> Raw:
    sides = {"width": size.width, "height": size.height}
    raw: Raw = {key: m.value * METRES.get(m.unit, 1.0) for key, m in sides.items() if m is not None}
    real = any(m is not None and m.unit in METRES for m in sides.values())
    return raw | ({"unit": "real"} if real else {})


def _relations(binding: Binding, relation: Relate) -> Iterator[Raw]:
    """Subjects by the objects that each may mean: those within its own whole first, as each house has its own door."""
    objects = _names(binding, *relation.objects)
    shares: dict[tuple[str, ...], list[str]] = {}
    for subject in _names(binding, relation.subjects):
        others = tuple(o for o in _nearby(binding.layout, subject, objects) if o != subject)
        if others:
            shares.setdefault(others, []).append(subject)
    for others, subjects in shares.items():
        raw: Raw = {"parts": _named(binding.layout, subjects), "of": _named(binding.layout, others)}
        if relation.relation == "near":
            yield {"kind": "distance", "length": NEAR, "limit": "at_most", **raw}
        elif relation.relation == "far":
            yield {"kind": "distance", "length": FAR, "limit": "at_least", **raw}
        else:
            yield {"kind": "relation", "relation": relation.relation, **raw}
        if relation.degree == "touching" and relation.relation not in {"on", "inside"}:
            yield {"kind": "relation", "relation": "touches", **raw}
        if relation.distance is not None:
            yield {"kind": "distance", **raw, **_length(relation.distance)}


def _nearby(layout: Layout, subject: str, objects: Sequence[str]) -> Sequence[str]:
    if layout[subject].parent is None:
        return objects
    return [o for o in objects if layout[o].parent == layout[subject].parent] or objects


def _ratios(binding: Binding, compare: Compare) -> Iterator[Raw]:
    subjects = _names(binding, compare.subjects)
    references = [n for n in _names(binding, compare.reference) if n not in subjects]
    if not subjects or not references:
        return
    factor, limit = compare.factor, "exactly"
    if compare.at_least:
        grows = compare.factor >= 1
        factor, limit = (LARGER, "at_least") if grows else (1 / LARGER, "at_most")
    parts = {"parts": _named(binding.layout, subjects), "of": _named(binding.layout, references)}
    yield {"kind": "ratio", "dimension": compare.dimension, "factor": factor, "limit": limit, **parts}


def _places(binding: Binding, place: Place) -> Iterator[Raw]:
    """At a spot of the canvas or of its whole; on a side of a whole, on that edge of it."""
    holders = [] if place.within is None else list(_names(binding, place.within))
    items = _names(binding, place.selector)
    for name in items if not place.group or len(items) == 1 else ():  # a group has no name to place it by
        families = [h for h in holders if any(i.name == name for i in binding.layout.family(h))]
        whole = (families or holders)[:1]
        if place.side is None:
            yield {"kind": "place", "parts": (name,), "of": tuple(whole), "spot": place.spot}
        elif whole:
            yield {"kind": "relation", "relation": "touches", "parts": (name,), "of": tuple(whole)}
            yield {"kind": "place", "parts": (name,), "of": tuple(whole), "spot": place.side}
            if place.spot == "center":
                edge = "center_x" if place.side in {"top", "bottom"} else "center_y"
                yield {"kind": "alignment", "parts": (name, whole[0]), "edge": edge}
