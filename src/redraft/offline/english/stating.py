"""Requirements on the parts of one layout, from a reading: mentions bound by noun, constraints by name.

The offline model states its own reading with it, and strict validation measures one. Only what was understood for
certain, of things bound by more than a guess, is stated.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from redraft.layout.backdrops import is_backdrop, is_ground
from redraft.layout.colors import colours_of, known
from redraft.layout.items import Layout
from redraft.layout.requirements import Requirement
from redraft.layout.requirements.space import bound, named
from redraft.offline.english.binding import Binding, bind
from redraft.offline.english.reading import (
    Align,
    Angle,
    Compare,
    Constraint,
    Count,
    EqualSpacing,
    Grid,
    Measure,
    Place,
    Reading,
    Relate,
    Selector,
    Size,
)

METERS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "km": 1000.0, "ft": 0.3048, "in": 0.0254}
NEAR, FAR = 0.5, 0.1
"""What is near is at most so far away, what is far at least so far, in shares of the frame."""
MAX_NAMES = 100
"""Names in one requirement, and its subjects and objects apart: the limit of `Requirement`."""
MAX_QUOTE = 400
"""Characters that a requirement's quote may have; a longer one is left out."""
LARGER = 1.02
"""Least factor of what is said to be larger."""

Raw = dict[str, Any]
"""Fields of a requirement."""


def stated(
    reading: Reading, layout: Layout, *, guesses: bool = False, added: Collection[str] = ()
) -> tuple[Requirement, ...]:
    """Return the certain constraints of a reading as requirements `r1`, `r2` …, each with its words as quote.

    `guesses`: also what was understood by guessing, which may explain a drawing and never judges one. `added`: parts
    that an edit adds; what it says of their kind it says of them, not of those that were there.
    """
    binding = bind(reading, layout)
    raws = [*_counts(binding), *_colors(binding)]
    whole_text = _folded(reading.text)
    for constraint in reading.constraints:
        if (constraint.certain or guesses) and binding.certain(*selectors_of(constraint)):
            quote = constraint.phrase if _folded(constraint.phrase) in whole_text else ""
            raws += [{"quote": quote, **raw} for raw in _requirements_of(binding, constraint)]
    for raw in raws:
        names = named(raw["parts"], layout) if added and raw["kind"] != "count" else ()
        if mine := tuple(name for name in names if name in added):
            raw["parts"] = mine

    unique = [raw for index, raw in enumerate(raws) if raw not in raws[:index]]
    fitting = [raw for raw in unique if max(len(raw["parts"]), len(raw.get("of", ()))) <= MAX_NAMES]
    quoted: list[Raw] = [raw if len(raw["quote"]) <= MAX_QUOTE else {**raw, "quote": ""} for raw in fitting]
    return tuple(Requirement(id=f"r{n}", **raw) for n, raw in enumerate(quoted, 1))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def selectors_of(constraint: Constraint) -> tuple[Selector, ...]:
    """Return whatever a constraint speaks of."""
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
        case EqualSpacing() | Grid() | Size() | Angle():
            return (constraint.selector,)


def _pattern(layout: Layout, names: Sequence[str], *, least: int = 2) -> tuple[str, ...]:
    """Return the names of several parts as one pattern, where there is one that matches them and nothing else."""
    first, last = min(names, default=""), max(names, default="")
    common = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    prefix = first[:common].rstrip("0123456789")
    pattern = f"{prefix}*"
    if len(names) >= least and prefix and sorted(bound((pattern,), layout)) == sorted(names):
        return (pattern,)
    return tuple(names)


def _counts(binding: Binding) -> Iterator[Raw]:
    """Yield the numbers of things that can be told apart, within each of their wholes where there are several."""
    for count in binding.reading.constraints:
        if not isinstance(count, Count) or not count.certain:
            continue
        mention, bound_to = binding.reading.mention(count.mention), binding.of(count.mention)
        if bound_to.items:
            countable = bound_to.certain and not bound_to.lumped
        elif mention.whole is not None:
            countable = binding.certain_of(mention.whole)
        else:  # not there at all, and nothing is left that it could be
            countable = not binding.left_over
        if not countable:
            continue

        groups = binding.groups(count.mention)
        names = [name for _, group in groups for name in group]
        number = count.number if mention.count is not None else 1  # "waves": one may be drawn for many
        parts = _pattern(binding.layout, names, least=1) or (f"{re.sub(r'[^a-z0-9]+', '_', mention.noun)}*",)
        raw: Raw = {
            "kind": "count",
            "quote": "" if mention.phrase == "it" else count.phrase,
            "parts": parts,
            "number": number,
        }
        # An article is not a number: a second tree beside "a tree" breaks nothing.
        exact = re.search(r"\b(one|single|only|lone|1)\b", count.phrase, re.IGNORECASE) or count.number != 1
        if count.at_least or binding.reading.edit or not exact:
            raw["limit"] = "at_least"
        wholes = tuple(owner for owner, _ in groups if owner is not None)
        if wholes and len(names) != number:  # as many in all: "each" is possibly not meant
            raw["each"] = wholes
        if "each" in raw or len(names) != number or "*" in parts[0]:  # a list is not counted against itself
            yield raw


def _colors(binding: Binding) -> Iterator[Raw]:
    for mention in binding.reading.mentions:
        bound_to = binding.of(mention.id)
        if mention.colour is None or not known(mention.colour) or not bound_to.certain:
            continue
        names = [name for name in bound_to.items if colours_of(binding.layout, name)]
        if names:
            quote = "" if mention.phrase == "it" else mention.phrase
            yield {"kind": "color", "quote": quote, "parts": _pattern(binding.layout, names), "color": mention.colour}


def _requirements_of(binding: Binding, constraint: Constraint) -> Iterator[Raw]:
    """Yield one constraint as fields of requirements; counts are stated with their wholes, all at once."""
    match constraint:
        case Relate():
            yield from _relations(binding, constraint)
        case Compare():
            yield from _ratios(binding, constraint)
        case Place():
            yield from _places(binding, constraint)
        case Align() | EqualSpacing() | Grid():
            yield from _arranged(binding, constraint)
        case Size(width=width, height=height):
            sides = {side: m for side, m in (("width", width), ("height", height)) if m is not None}
            extents = {side: m.value * METERS.get(m.unit, 1.0) for side, m in sides.items()}
            real = {"unit": "real"} if any(m.unit in METERS for m in sides.values()) else {}
            for name in _names(binding, constraint.selector):
                yield {"kind": "size", "parts": (name,)} | extents | real
        case Angle(degrees=degrees):
            names = _names(binding, constraint.selector)
            yield {"kind": "angle", "parts": _pattern(binding.layout, names), "degrees": degrees}
        case Count():
            return


def _arranged(binding: Binding, constraint: Align | EqualSpacing | Grid) -> Iterator[Raw]:
    """Yield the arrangement of things of one kind, as many as such an arrangement needs."""
    names = _names(binding, *selectors_of(constraint))
    parts = _pattern(binding.layout, names)
    match constraint:
        case Align(axis=axis, edge=edge) if len(names) > 1:
            line = "row" if axis == "x" else "column"  # "in a row" names no edge
            spoken = edge != "center" and edge in constraint.phrase.lower()
            yield {"kind": "alignment", "parts": parts, "edge": edge if spoken else line}
        case EqualSpacing(axis=axis, gap=gap) if len(names) > 2 or (len(names) == 2 and gap is not None):
            yield {"kind": "spacing", "parts": parts, "axis": axis} | _length(gap)
        case Grid(rows=rows, columns=columns, gap=gap):
            grid = {"kind": "alignment", "edge": "grid", "rows": rows, "columns": columns} | _length(gap)
            for _, cells in binding.groups(constraint.selector.mention):
                if len(cells) == rows * columns:
                    yield grid | {"parts": _pattern(binding.layout, cells)}
        case _:
            return


def _ratios(binding: Binding, compare: Compare) -> Iterator[Raw]:
    subjects = _names(binding, compare.subjects)
    references = [n for n in _names(binding, compare.reference) if n not in subjects]
    if not subjects or not references:
        return
    factor, limit = compare.factor, "exactly"
    if compare.at_least:
        factor, limit = (LARGER, "at_least") if factor >= 1 else (1 / LARGER, "at_most")
    parts = {"parts": _pattern(binding.layout, subjects), "of": _pattern(binding.layout, references)}
    yield {"kind": "ratio", "dimension": compare.dimension, "factor": factor, "limit": limit, **parts}


def _names(binding: Binding, *selectors: Selector) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.name for s in selectors for item in binding.items(s)))


def _length(measure: Measure | None) -> Raw:
    """Return a length in the frame's unit, or a real one in meters."""
    if measure is None:
        return {}
    if measure.unit not in METERS:
        return {"length": measure.value}
    return {"length": measure.value * METERS[measure.unit], "unit": "real"}


_AXES = {"left_of": "x", "right_of": "x", "beside": "x", "above": "y", "below": "y"}


def _relations(binding: Binding, relation: Relate) -> Iterator[Raw]:
    """Yield subjects with the objects that each may mean: those within its own whole first, as a house has its door."""
    layout, objects = binding.layout, _names(binding, *relation.objects)
    shares: dict[tuple[str, ...], list[str]] = {}
    for subject in _names(binding, relation.subjects):
        whole = layout[subject].parent
        siblings = [name for name in objects if layout[name].parent == whole] if whole is not None else []
        others = tuple(name for name in siblings or objects if name != subject)
        if others:
            shares.setdefault(others, []).append(subject)

    for others, subjects in shares.items():
        raw: Raw = {"parts": _pattern(layout, subjects), "of": _pattern(layout, others)}
        word = _toward_backdrops(layout, subjects, relation.relation, others)
        if word == "near":
            yield {"kind": "distance", "length": NEAR, "limit": "at_most", **raw}
        elif word == "far":
            yield {"kind": "distance", "length": FAR, "limit": "at_least", **raw}
        else:
            yield {"kind": "relation", "relation": word, **raw}
        if relation.degree == "touching" and word not in {"on", "inside", "touches"}:
            yield {"kind": "relation", "relation": "touches", **raw}
        if relation.distance is not None:
            axis = _AXES.get(word)
            yield {"kind": "distance", **raw, **_length(relation.distance)} | ({"axis": axis} if axis else {})


def _toward_backdrops(layout: Layout, subjects: Sequence[str], word: str, others: Sequence[str]) -> str:
    """Return what a relation to a backdrop means: in a meadow is somewhere on it, under the sky is in front of it."""

    def lie_behind(names: Sequence[str], *, ground: bool) -> bool:
        items = [layout[name] for name in names]
        return all(is_backdrop(layout, i) and (ground or not is_ground(layout, layout.bounds(i.name))) for i in items)

    if word in {"on", "inside"} and lie_behind(others, ground=True):
        return "touches"
    if word == "below" and lie_behind(others, ground=False):
        return "in_front_of"
    return "behind" if word == "above" and lie_behind(subjects, ground=False) else word


def _places(binding: Binding, place: Place) -> Iterator[Raw]:
    """Yield places at a spot of the canvas or of a whole; on a side of a whole, on that edge of it."""
    holders = [] if place.within is None else list(_names(binding, place.within))
    items = _names(binding, place.selector)
    if place.side is None and (place.group or not holders):
        yield {"kind": "place", "parts": _pattern(binding.layout, items), "of": tuple(holders[:1]), "spot": place.spot}
        return
    for name in items if holders else ():
        families = [h for h in holders if any(i.name == name for i in binding.layout.family(h))]
        whole = (families or holders)[0]
        yield {"kind": "place", "parts": (name,), "of": (whole,), "spot": place.side or place.spot}
        if place.side is not None:
            yield {"kind": "relation", "relation": "touches", "parts": (name,), "of": (whole,)}
        if place.side is not None and place.spot == "center":
            edge = "center_x" if place.side in {"top", "bottom"} else "center_y"
            yield {"kind": "alignment", "parts": (name, whole), "edge": edge}
