"""Stated sizes, ratios and proportions, made exact by scaling each part about the point that should stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median, median_low

from redraft.requirements import CANVAS, KINDS, Requirement, Space, badness
from redraft.spatial.layout import Bounds, Move, Point
from redraft.spatial.solver.site import FINE, Site, center, flat, scaled_to, snap

__all__ = ["compared", "foot", "proportional", "sized"]

MARGIN = 0.02
LEVEL, IN_LINE = 0.012, 0.003
"""Things whose feet or centers differ by less stay on these; else on another edge, if it differs by less than that."""
GROWTH = 1.15
"""Ratio of neighbors in a row of growing things, where the drawn ones do not grow."""


def foot(site: Site, box: Bounds) -> Point:
    """The middle of the edge that a thing stands on."""
    x, _ = center(box)
    return (x, box[3] if site.layout.frame.up[1] < 0 else box[1])


def extent(box: Bounds, dimension: str) -> float:
    width, height = box[2] - box[0], box[3] - box[1]
    match dimension:
        case "width":
            return width
        case "height":
            return height
        case _:
            return (width * height) ** 0.5


def _resized(name: str, box: Bounds, dimension: str, factor: float, about: Point) -> Move:
    """One dimension scaled, or both alike."""
    sx, sy = (1.0 if dimension == "height" else factor), (1.0 if dimension == "width" else factor)
    return Move.scale(name, sx, sy, about, "made as large as stated")


def sized(site: Site, read: Requirement) -> Iterator[Move]:
    """Stated widths and heights, where each stands."""
    space = site.view(read)
    for name in site.names(read.parts):
        box = flat(space, name)
        wanted = [_bounded(read, extent(box, d), v, space.scale) for d, v in _stated(read)]
        yield scaled_to(name, box, wanted[0], wanted[1], foot(site, box), "made as large as stated")


def _stated(read: Requirement) -> tuple[tuple[str, float | None], ...]:
    return (("width", read.width), ("height", read.height))


def _bounded(read: Requirement, found: float, stated: float | None, scale: float) -> float | None:
    """What a length should be; None where it is right."""
    if stated is None:
        return None
    wanted = stated * scale
    right = {"exactly": False, "at_least": found >= wanted, "at_most": found <= wanted}[read.limit]
    return None if right else wanted


def compared(site: Site, read: Requirement) -> Iterator[Move]:
    """Each part to the factor of the others' median; all of them smaller, where the canvas has no room for it."""
    space, dimension, factor = site.view(read), read.dimension or "size", read.factor or 1.0
    names, others = site.names(read.parts), site.others(read.of)
    boxes = {name: flat(space, name) for name in (*names, *others)}
    wrong = [name for name in names if _compared(read, boxes, name, others, factor)]
    if dimension == "aspect":
        for name in wrong:
            height = boxes[name][3] - boxes[name][1]
            yield scaled_to(name, boxes[name], factor * height, None, foot(site, boxes[name]), "made as wide as stated")
        return
    if dimension == "area":
        areas = {name: space.solid(name).area for name in boxes}
        for name in wrong:
            unit = median(areas[o] for o in others if o != name)
            scale = (factor * unit / max(areas[name], 1e-12)) ** 0.5
            yield _resized(name, boxes[name], "size", scale, foot(site, boxes[name]))
        return
    references = [n for n in others if n not in names and n != CANVAS]
    room = _room(site, [boxes[n] for n in (*wrong, *references)], dimension)
    for name in wrong:
        unit = median(extent(boxes[o], dimension) for o in others if o != name)
        shrink = 1.0 if factor * unit <= room or not references else room / (factor * unit)
        target = factor * (unit if shrink == 1.0 else snap(unit * shrink, FINE))
        yield _resized(name, boxes[name], dimension, target / extent(boxes[name], dimension), foot(site, boxes[name]))
        if shrink != 1.0 and len(wrong) == 1:
            for other in references:
                yield _resized(other, boxes[other], dimension, target / factor / unit, foot(site, boxes[other]))


def _compared(read: Requirement, boxes: dict[str, Bounds], name: str, others: Sequence[str], factor: float) -> bool:
    """Whether a part is not as large as stated."""
    rest = [o for o in others if o != name]
    if read.limit == "exactly" or read.dimension == "area" or not rest:
        return bool(rest) or read.dimension == "aspect"
    ratio = extent(boxes[name], read.dimension or "size") / median(
        extent(boxes[o], read.dimension or "size") for o in rest
    )
    return ratio < factor if read.limit == "at_least" else ratio > factor


def _room(site: Site, boxes: Sequence[Bounds], dimension: str) -> float:
    """How large things that stand where these do can be within the canvas."""
    x0, y0, x1, y1 = site.layout.frame.bounds
    tall = min(b[3] - y0 if site.layout.frame.up[1] < 0 else y1 - b[1] for b in boxes) - MARGIN
    wide = min(2 * min(center(b)[0] - x0, x1 - center(b)[0]) for b in boxes) - MARGIN
    return tall if dimension == "height" else wide if dimension == "width" else min(tall, wide)


def proportional(site: Site, read: Requirement) -> Iterator[Move]:
    """Sizes in the stated proportions, the usual one kept; in an order by the sizes there are, else by even growth."""
    names, space = site.names(read.parts), site.view(read)
    if len(read.values) not in (0, 1, len(names)) or 0 in read.values:
        return
    boxes = [flat(space, name) for name in names]
    dimension = read.dimension or _dimension(read, names, space)
    sizes = [extent(box, dimension) for box in boxes]
    if dimension == "area":
        sizes = [space.solid(name).area ** 0.5 for name in names]
    if min(sizes, default=0.0) <= 0:
        return
    targets = _targets(read, sizes, area=dimension == "area")
    for name, box, size, target in zip(names, boxes, sizes, targets, strict=True):
        if abs(target - size) > site.layout.frame.quantum / 4:
            about = _anchor(site, boxes, box)
            yield _resized(name, box, "size" if dimension == "area" else dimension, target / size, about)


def _dimension(read: Requirement, names: Sequence[str], space: Space) -> str:
    """The one in which they are nearest to what is stated, as it is measured."""

    def off(dimension: str) -> tuple[float, float]:
        return badness(list(KINDS["proportion"].measure(read.model_copy(update={"dimension": dimension}), space)))

    return min(("height", "width", "size"), key=off)


def _targets(read: Requirement, sizes: Sequence[float], *, area: bool) -> list[float]:
    if not read.values:
        return _growing(sizes, read.order == "increasing")
    values = [v**0.5 if area else v for v in (read.values * len(sizes) if len(read.values) == 1 else read.values)]
    unit = median_low(sorted(size / value for size, value in zip(sizes, values, strict=True)))
    return [unit * value for value in values]


def _anchor(site: Site, boxes: Sequence[Bounds], box: Bounds) -> Point:
    """The point of a box that stays: on the edge at which all are in line, else where it stands."""
    x, y = foot(site, box)
    left, center_x, right = (_spread([(1 - e) * b[0] + e * b[2] for b in boxes]) for e in (0.0, 0.5, 1.0))
    if center_x > LEVEL:
        x = box[0] if left <= IN_LINE else box[2] if right <= IN_LINE else x
    top, center_y, feet = (_spread([(1 - e) * b[1] + e * b[3] for b in boxes]) for e in (0.0, 0.5, 1.0))
    if feet > LEVEL:
        y = box[1] if top <= IN_LINE else center(box)[1] if center_y <= IN_LINE else y
    return (x, y)


def _spread(values: Sequence[float]) -> float:
    return max(values) - min(values)


def _grows(sizes: Sequence[float]) -> bool:
    return all(b > 1.02 * a for a, b in pairwise(sizes))


def _growing(sizes: Sequence[float], increasing: bool) -> list[float]:
    order = sorted(sizes)
    if not _grows(order):
        largest, count = order[-1], len(order)
        order = [largest / GROWTH ** (count - 1 - i) for i in range(count)]
    return order if increasing else order[::-1]
