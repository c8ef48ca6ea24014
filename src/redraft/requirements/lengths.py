"""Measures of distances, sizes, ratios and proportions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from redraft.requirements.names import bound, others_of
from redraft.requirements.space import Check, Space, badness, gap_between, length_of
from redraft.requirements.statement import Requirement
from redraft.spatial.layout import Layout

__all__ = [
    "apart",
    "compared",
    "distance_fault",
    "length_check",
    "proportion_fault",
    "proportional",
    "ratio_fault",
    "sized",
]


def apart(read: Requirement, space: Space) -> Iterator[Check]:
    """The gap from each part to the nearest of `of`, edge to edge: of the exact shapes, or along `axis` of their boxes.
    Of the canvas: to its edge. Without `length` all of these are equal, each against their mean; of one part alone,
    those to each of `of`."""
    others = others_of(read, space.layout)
    if read.length is None:
        yield from _equally(read, space, others)
        return
    wanted = read.length * space.scale
    for name in bound(read.parts, space.layout):
        gaps = [(gap_between(space, name, other, read.axis), other) for other in others if other != name]
        if gaps:
            gap, other = min(gaps, key=lambda g: abs(g[0]))
            yield length_check(
                (name, other), gap, wanted, space.gap_room(wanted, read.limit), read, space, "from " + other
            )


def _equally(read: Requirement, space: Space, others: Sequence[str]) -> Iterator[Check]:
    names = bound(read.parts, space.layout)
    gaps: list[tuple[float, tuple[str, str]]] = []
    for name in names:
        mine = [(gap_between(space, name, other, read.axis), (name, other)) for other in others if other != name]
        gaps += mine if len(names) == 1 else [min(mine, key=lambda g: abs(g[0]))] if mine else []
    mean = sum(gap for gap, _ in gaps) / max(len(gaps), 1)
    for gap, (name, other) in gaps:
        words = f"{name} is {gap:.4g} from {other}, their mean {mean:.4g}"
        yield Check((name, other), gap, mean, space.gap_room(abs(mean)), words, space.exact)


def distance_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if read.length is not None:
        return None
    if read.limit != "exactly" or read.unit == "real":
        return "length is missing: how far it is to be"
    if len(parts) < 2 and len(others_of(read, layout)) < 2:
        return "one distance needs a length; without it, several parts or several of are to be equally far"
    return None


def length_check(
    names: tuple[str, ...], found: float, wanted: float, room: float, read: Requirement, space: Space, what: str
) -> Check:
    """A length against one that is stated, both in the stated unit."""
    scale = space.scale
    words = f"{names[0]} is {found / scale:.4g} {what}"
    return Check(names, found / scale, wanted / scale, room / scale, words, space.exact / scale, read.limit)


def _size(space: Space, name: str, dimension: str) -> float:
    spans = space.box(name)
    wide, high = length_of(spans[0]), length_of(spans[space.upright])
    match dimension:
        case "width":
            return wide
        case "height":
            return high
        case "depth":
            return length_of(spans[1])
        case "area":
            return space.solid(name).area
        case "aspect":
            return wide / max(high, 1e-9)
        case _:
            return math.sqrt(wide * high)


def sized(read: Requirement, space: Space) -> Iterator[Check]:
    """The width, height and depth of the box of each part. Real lengths share one scale: of all ratios of a drawn to a
    stated real length, the one that most of them agree with."""
    for name in bound(read.parts, space.layout):
        for dimension, word in (("width", "wide"), ("height", "high"), ("depth", "deep")):
            stated = getattr(read, dimension)
            if stated is not None:
                wanted = stated * space.scale
                found = _size(space, name, dimension)
                yield length_check((name,), found, wanted, space.room(wanted), read, space, word)


def compared(read: Requirement, space: Space) -> Iterator[Check]:
    """The dimension of each part, divided by the median of those of `of`: width, height, depth, area, or size, the root
    of width times height. aspect is the width of a part divided by its own height."""
    dimension, factor = read.dimension or "size", read.factor or 1.0
    others = others_of(read, space.layout)
    room = (0.05 if read.limit == "exactly" else 0.01) * factor
    for name in bound(read.parts, space.layout):
        size = _size(space, name, dimension)
        rest = [other for other in others if other != name]
        if dimension == "aspect":
            fine = space.exact * (1 + factor) / max(_size(space, name, "height"), 1e-9)
            yield Check((name,), size, factor, room, f"{name} has {size:.3g}", fine, read.limit)
        elif rest:
            unit = max(median(_size(space, other, dimension) for other in rest), 1e-9)
            fine = space.exact * (1 + factor) / unit
            yield Check((name, *rest), size / unit, factor, room, f"{name} has {size / unit:.3g}", fine, read.limit)


def ratio_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if read.dimension == "aspect":
        return "aspect is of a part itself, and has no of" if read.of else None
    return None if read.of else "of is missing"


def proportional(read: Requirement, space: Space) -> Iterator[Check]:
    """The dimension of each part against its share of their sum by `values`; one value alone means that all are alike.
    With `order` each is larger, or smaller, than the one before. The order is that of the names; the parts of a pattern
    go from left to right, or by rows from the top."""
    names = bound(read.parts, space.layout)
    choices = (read.dimension,) if read.dimension else ("height", "width", "size")
    runs = [list(_run(read, space, names, dimension)) for dimension in choices]
    yield from min(runs, key=badness)


def _run(read: Requirement, space: Space, names: Sequence[str], dimension: str) -> Iterator[Check]:
    sizes = [_size(space, name, dimension) for name in names]
    values = read.values * len(names) if len(read.values) == 1 else read.values
    if values and len(values) != len(names):
        yield Check(
            tuple(names),
            len(names),
            len(values),
            0.5,
            f"there {'is' if len(names) == 1 else 'are'} {len(names)} for {len(values)} values",
        )
    elif values:
        unit = sum(sizes) / max(sum(values), 1e-9)
        for name, size, value in zip(names, sizes, values, strict=True):
            room = 0.05 * value * unit if dimension == "area" else space.room(value * unit)
            words = f"{name} has {size / max(unit, 1e-12):.3g} for {value:g}"
            fine = space.exact * (1 if dimension != "area" else space.extent)
            yield Check((name,), size, value * unit, max(room, space.exact), words, fine)
    if read.order is not None:
        for (first, a), (second, b) in pairwise(zip(names, sizes, strict=True)):
            low, high = (a, b) if read.order == "increasing" else (b, a)
            word = "larger" if read.order == "increasing" else "smaller"
            words = f"{second} is {word} than {first}" if high > low else f"{second} is not {word} than {first}"
            yield Check((first, second), high / max(low, 1e-9), 1.01, 0.005, words, 0.005, "at_least")


def proportion_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if read.values and (min(read.values) < 0 or max(read.values) == 0):
        return "values are below zero, or all are zero"
    exact = not any("*" in pattern for pattern in read.parts)
    if len(read.values) > 1 and exact and len(read.values) != len(parts):
        return f"it has {len(read.values)} values for {len(parts)} parts"
    return "a proportion needs two parts" if len(parts) < 2 and len(read.values) < 2 else None
