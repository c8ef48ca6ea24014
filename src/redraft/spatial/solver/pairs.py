"""Mirror pairs: one side put where the image of the other one is, or both put apart; and stated symmetry."""

from __future__ import annotations

from collections.abc import Iterator

import shapely
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from redraft.requirements import CANVAS, Requirement
from redraft.result import Issue
from redraft.spatial.layout import Bounds, Move
from redraft.spatial.solver.moves import displacement
from redraft.spatial.solver.site import Site, around, center, flat, onto
from redraft.spatial.solver.slide import closing

__all__ = ["BITE", "image", "mirrored", "parted", "symmetric"]

BITE = 0.003
"""Parts that are brought together overlap by so much of the canvas: touching alone shows a hairline."""

CLEAR = 0.02
"""Between two that were on each other."""

NATURAL = 0.28
"""Share of its width at which a pair sits on each side of the middle of what holds it."""

DEEP = 0.97
"""Share of a part that lies on what holds it, from which on it is wholly there."""


def mirrored(site: Site, issue: Issue) -> Iterator[tuple[Move, ...]]:
    """Either side from the other, the shorter way first; both halfway; both alike about the axis; both aside.

    The better one of a pair is the one after which the whole report is best: that is for the caller to find out.
    """
    one, other = issue.subjects[:2]
    ways = [way for axis in _axes(site, one, other) for way in _about(site, issue, one, other, axis)]
    ways += [*_resized(site, one, other)] if issue.code == "symmetry.size" else [*_levelled(site, one, other)]
    first, second = sorted((one, other))

    def cost(way: tuple[Move, ...]) -> tuple[float, bool]:
        after = site.layout.moved(way)
        return round(displacement(site.layout, way), 6), center(after.bounds(first))[0] > center(after.bounds(second))[
            0
        ]

    yield from sorted(ways, key=cost)
    if issue.code != "symmetry.size":
        yield from parted(site, one, other)


def parted(site: Site, one: str, other: str) -> Iterator[tuple[Move, ...]]:
    """Both aside by the same from the axis of their whole, each as deep in what holds it as it was."""
    first, second = sorted((one, other), key=lambda n: (round(center(site.layout.bounds(n))[0], 4), n))
    holder = _holder(site, one, other)
    if holder is None:
        return
    x0, _, x1, _ = holder.bounds
    widths = [b[2] - b[0] for b in (site.layout.bounds(first), site.layout.bounds(second))]
    close = (sum(widths) / 2 + CLEAR) / 2
    natural = NATURAL * (x1 - x0)
    share = sum(_share(site.layout.whole(name), holder) for name in (first, second)) / 2
    for aside in dict.fromkeys([natural, close] if close < natural < 0.5 * (x1 - x0) else [close]):
        for axis in _axes(site, one, other):
            sides = ((first, axis - aside), (second, axis + aside))
            yield tuple(_beside(site, name, x, holder, share) for name, x in sides)


def _holder(site: Site, one: str, other: str) -> BaseGeometry | None:
    """The shape of what both are parts of: its own paint, or else all of it but the two."""
    parents = {site.layout[n].parent for n in (one, other)}
    parent = parents.pop() if len(parents) == 1 else None
    if parent is None:
        return None
    own = site.layout[parent].shape
    inner = {i.name for n in (one, other) for i in site.layout.family(n)}
    rest = [i.shape for i in site.layout.family(parent) if i.name not in inner and not i.shape.is_empty]
    return own if not own.is_empty else shapely.union_all(rest) if rest else None


def _beside(site: Site, name: str, x: float, holder: BaseGeometry, share: float) -> Move:
    """To a new place across, up or down until such a share of it lies on its holder."""
    shape = site.layout.whole(name)
    dx = x - center(site.layout.bounds(name))[0]
    dy = 0.0
    if 0 < share < DEEP:
        y = center(site.layout.bounds(name))[1]
        middle = (holder.bounds[1] + holder.bounds[3]) / 2
        off, on = 0.0, middle - y  # at `on` it lies as deep as it can
        reach = (holder.bounds[3] - holder.bounds[1]) / 2 * (1 if on < 0 else -1)
        if _share(translate(shape, dx, 0.0), holder) > share:
            off, on = reach, 0.0
        for _ in range(24):
            dy = (off + on) / 2
            off, on = (dy, on) if _share(translate(shape, dx, dy), holder) < share else (off, dy)
    elif share == 0 and shape.distance(holder) < BITE:
        back = closing(name, translate(shape, dx, 0.0), holder, BITE, "")
        dx, dy = (dx + back.matrix[4], back.matrix[5]) if back is not None else (dx, dy)
    return Move.shift(name, dx, dy, "parted, as deep as before in what holds it")


def _share(shape: BaseGeometry, holder: BaseGeometry) -> float:
    return shape.intersection(holder).area / max(shape.area, 1e-12)


def _about(site: Site, issue: Issue, one: str, other: str, axis: float) -> Iterator[tuple[Move, ...]]:
    for still, mover in ((one, other), (other, one)):
        yield (image(site, still, mover, axis, resize=issue.code == "symmetry.size"),)
    a, b = site.layout.bounds(one), site.layout.bounds(other)
    off = axis - (center(a)[0] + center(b)[0]) / 2
    yield tuple(Move.shift(n, off, 0.0, "mirrored in the axis of its whole") for n in (one, other))


def _axes(site: Site, one: str, other: str) -> list[float]:
    """Of their whole: its own paint, all of it, the object it belongs to. Each once, in this order."""
    parents = {site.layout[n].parent for n in (one, other)}
    parent = parents.pop() if len(parents) == 1 else None
    names = [parent, site.layout.root_of(one).name] if parent is not None else [site.layout.root_of(one).name]
    boxes: list[Bounds] = [box for n in names for box in (site.own(n), site.layout.bounds(n))]
    return list(dict.fromkeys(round(center(box)[0], 9) for box in boxes))


def image(site: Site, still: str, mover: str, axis: float, *, resize: bool) -> Move:
    """The move that brings one side onto the mirror image of the other, at its own size or that of the image."""
    a, b = site.layout.bounds(still), site.layout.bounds(mover)
    x, y = 2 * axis - center(a)[0], center(a)[1]
    sx = (a[2] - a[0]) / max(b[2] - b[0], 1e-9) if resize else 1.0
    sy = (a[3] - a[1]) / max(b[3] - b[1], 1e-9) if resize else 1.0
    (mx, my) = center(b)
    return Move(mover, (sx, 0.0, 0.0, sy, x - sx * mx, y - sy * my), f"the mirror image of {still}")


def _resized(site: Site, one: str, other: str) -> Iterator[tuple[Move, ...]]:
    """Either as large as the other, on the spot."""
    for still, mover in ((one, other), (other, one)):
        a, b = site.layout.whole(still).area, site.layout.whole(mover).area
        factor = (a / max(b, 1e-12)) ** 0.5
        yield (Move.scale(mover, factor, factor, center(site.layout.bounds(mover)), f"as large as {still}"),)


def _levelled(site: Site, one: str, other: str) -> Iterator[tuple[Move, ...]]:
    """Both at one height: that of either, or halfway."""
    (_, y0), (_, y1) = center(site.layout.bounds(one)), center(site.layout.bounds(other))
    yield (Move.shift(other, 0.0, y0 - y1, f"at the height of {one}"),)
    yield (Move.shift(one, 0.0, y1 - y0, f"at the height of {other}"),)
    half = (y1 - y0) / 2
    yield (Move.shift(one, 0.0, half, "at one height"), Move.shift(other, 0.0, -half, "at one height"))


def symmetric(site: Site, read: Requirement) -> Iterator[Move]:
    """Each part and its mirror image halfway to each other; what mirrors itself onto the axis."""
    space, names = site.view(read), site.names(read.parts)
    if not names or (len(names) == 1 and not read.of) or (site.layout.frame.plan and read.axis != "y"):
        return
    x = 1 if read.axis == "y" else 0
    boxes = {name: flat(space, name) for name in names}
    others = [flat(space, n) for n in site.names(read.of)]
    frame = flat(space, CANVAS) if read.of and not others else around(others or list(boxes.values()))
    twice = frame[x] + frame[x + 2]
    images = {n: _in_axis(box, x, twice) for n, box in boxes.items()}

    def off(name: str, other: str) -> float:
        return max(abs(a - b) for a, b in zip(images[name], boxes[other], strict=True))

    twins = {name: min(boxes, key=lambda other: off(name, other)) for name in boxes}
    for name, twin in twins.items():
        if twins[twin] == name:
            target = [(a + b) / 2 for a, b in zip(boxes[name], images[twin], strict=True)]
            yield onto(name, boxes[name], (target[0], target[1], target[2], target[3]), "mirrored")


def _in_axis(box: Bounds, x: int, twice: float) -> Bounds:
    """The mirror image of a box along an axis."""
    x0, y0, x1, y1 = box
    return (twice - x1, y0, twice - x0, y1) if x == 0 else (x0, twice - y1, x1, twice - y0)
