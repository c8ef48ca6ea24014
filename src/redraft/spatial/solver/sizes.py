"""Sizes that the brief states: measures on one scale, "20 % taller", growing rows. Scaled about what should stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from redraft.spatial.layout import Bounds, Move, Point
from redraft.spatial.reading import Compare, Dimension, Progression, Size
from redraft.spatial.solver.site import FINE, Site, Step, centre, effective, scaled_to, snap

__all__ = ["compared", "foot", "measured", "progressing"]

SPREAD = 0.25
"""References that differ by less are meant to be equal."""
MARGIN = 0.02
GROWTH = 1.15
"""Ratio of neighbours in a row of growing things, where the drawn ones do not grow."""


def foot(site: Site, box: Bounds) -> Point:
    """The middle of the edge that a thing stands on."""
    x, _ = centre(box)
    return (x, box[3] if site.layout.frame.up[1] < 0 else box[1])


def extent(box: Bounds, dimension: Dimension) -> float:
    width, height = box[2] - box[0], box[3] - box[1]
    return width if dimension == "width" else height if dimension == "height" else (width * height) ** 0.5


def _resized(site: Site, name: str, dimension: Dimension, target: float, reason: str) -> Move:
    """One dimension scaled, or both alike, on the spot where the thing stands."""
    box = site.layout.bounds(name)
    factor = target / max(extent(box, dimension), 1e-9)
    sx, sy = (1.0 if dimension == "height" else factor), (1.0 if dimension == "width" else factor)
    return Move.scale(name, sx, sy, foot(site, box), reason)


def measured(site: Site) -> Iterator[Step]:
    """Stated widths and heights; parts of a scaled thing come along and are then measured themselves."""
    for size in (c for c in site.reading.constraints if isinstance(c, Size) and c.certain):
        for name in site.names(size.selector):
            width, height = site.length(size.width), site.length(size.height)
            moves = effective(site, _fitted(site, name, width, height, size.phrase))
            if moves:
                yield Step(f"{name}: {size.phrase}", (moves,))


def _fitted(site: Site, name: str, width: float | None, height: float | None, reason: str) -> list[Move]:
    if width is None and height is None:
        return []
    box = site.own(name)
    return [scaled_to(name, box, width, height, centre(box), reason)]


def compared(site: Site) -> Iterator[Step]:
    """Each subject a factor of its references, which become equal where they nearly are."""
    for compare in (c for c in site.reading.constraints if isinstance(c, Compare) and c.certain):
        subjects = site.names(compare.subjects)
        references = tuple(n for n in site.names(compare.reference) if n not in subjects)
        if subjects and references:
            moves = effective(site, _compared(site, compare, subjects, references))
            if moves:
                yield Step(f"{', '.join(subjects)}: {compare.phrase}", (moves,))


def _compared(site: Site, compare: Compare, subjects: Sequence[str], references: Sequence[str]) -> list[Move]:
    dimension, factor = compare.dimension, compare.factor
    sizes = [extent(site.layout.bounds(n), dimension) for n in references]
    if compare.at_least:
        return _bounded(site, compare, subjects, sizes)
    usual = median(sizes)
    alike = compare.subjects.mention == compare.reference.mention and max(sizes) - min(sizes) < SPREAD * usual
    target = min(usual, _room(site, (*subjects, *references), dimension) / max(factor, 1.0))
    if max(sizes) - min(sizes) > site.layout.frame.quantum or target < usual:
        target = snap(target, FINE)
    moves = [_resized(site, n, dimension, target, compare.phrase) for n in references] if alike else []
    return moves + [_resized(site, n, dimension, factor * target, compare.phrase) for n in subjects]


def _bounded(site: Site, compare: Compare, subjects: Sequence[str], sizes: Sequence[float]) -> list[Move]:
    """A bound ("taller than") changes only what breaks it."""
    want = median(sizes) * compare.factor
    drawn = {n: extent(site.layout.bounds(n), compare.dimension) for n in subjects}
    grows = compare.factor >= 1
    wrong = [n for n, size in drawn.items() if (size < 1.02 * median(sizes) if grows else size > 0.98 * median(sizes))]
    return [_resized(site, n, compare.dimension, want, compare.phrase) for n in wrong]


def _room(site: Site, names: Sequence[str], dimension: Dimension) -> float:
    """How large things that stand where these do can be within the canvas."""
    x0, y0, x1, y1 = site.layout.frame.bounds
    boxes = [site.layout.bounds(n) for n in names]
    tall = min(b[3] - y0 if site.layout.frame.up[1] < 0 else y1 - b[1] for b in boxes) - MARGIN
    wide = min(2 * min(centre(b)[0] - x0, x1 - centre(b)[0]) for b in boxes) - MARGIN
    return tall if dimension == "height" else wide if dimension == "width" else min(tall, wide)


def progressing(site: Site) -> Iterator[Step]:
    """Growing or shrinking rows: sorted sizes first (nothing new is invented), else an even growth."""
    for rule in (c for c in site.reading.constraints if isinstance(c, Progression) and c.certain):
        names = site.names(rule.selector)
        sizes = [extent(site.layout.bounds(n), rule.dimension) for n in names]
        if len(names) > 1 and not _grows(sizes if rule.increasing else sizes[::-1]):
            moves = [
                _resized(site, n, rule.dimension, target, rule.phrase)
                for n, target in zip(names, _growing(sizes, rule.increasing), strict=True)
            ]
            if real := effective(site, moves):
                yield Step(f"{', '.join(names)}: {rule.phrase}", (real,))


def _grows(sizes: Sequence[float]) -> bool:
    return all(b > 1.02 * a for a, b in pairwise(sizes))


def _growing(sizes: Sequence[float], increasing: bool) -> list[float]:
    order = sorted(sizes)
    if not _grows(order):
        largest, count = order[-1], len(order)
        order = [largest / GROWTH ** (count - 1 - i) for i in range(count)]
    return order if increasing else order[::-1]
