"""Mirror pairs: one side put where the image of the other one is, in the axis of their whole."""

from __future__ import annotations

from collections.abc import Iterator

from redraft.result import Issue
from redraft.spatial.layout import Bounds, Move
from redraft.spatial.solver.site import Site, centre, displacement

__all__ = ["mirrored"]


def mirrored(site: Site, issue: Issue) -> Iterator[tuple[Move, ...]]:
    """Either side from the other, the shorter way first; both halfway; both alike about the axis.

    The better one of a pair is the one after which the whole report is best: that is for the caller to find out.
    """
    one, other = issue.subjects[:2]
    ways = [way for axis in _axes(site, one, other) for way in _about(site, issue, one, other, axis)]
    ways += [*_resized(site, one, other)] if issue.code == "symmetry.size" else [*_levelled(site, one, other)]
    yield from sorted(ways, key=lambda way: displacement(site.layout, way))


def _about(site: Site, issue: Issue, one: str, other: str, axis: float) -> Iterator[tuple[Move, ...]]:
    for still, mover in ((one, other), (other, one)):
        yield (_image(site, still, mover, axis, resize=issue.code == "symmetry.size"),)
    a, b = site.layout.bounds(one), site.layout.bounds(other)
    off = axis - (centre(a)[0] + centre(b)[0]) / 2
    yield tuple(Move.shift(n, off, 0.0, "mirrored in the axis of its whole") for n in (one, other))


def _axes(site: Site, one: str, other: str) -> list[float]:
    """Of their whole: its own paint, all of it, the object it belongs to. Each once, in this order."""
    parents = {site.layout[n].parent for n in (one, other)}
    parent = parents.pop() if len(parents) == 1 else None
    names = [parent, site.layout.root_of(one).name] if parent is not None else [site.layout.root_of(one).name]
    boxes: list[Bounds] = [box for n in names for box in (site.own(n), site.layout.bounds(n))]
    return list(dict.fromkeys(round(centre(box)[0], 9) for box in boxes))


def _image(site: Site, still: str, mover: str, axis: float, *, resize: bool) -> Move:
    """The move that brings one side onto the mirror image of the other, at its own size or that of the image."""
    a, b = site.layout.bounds(still), site.layout.bounds(mover)
    x, y = 2 * axis - centre(a)[0], centre(a)[1]
    sx = (a[2] - a[0]) / max(b[2] - b[0], 1e-9) if resize else 1.0
    sy = (a[3] - a[1]) / max(b[3] - b[1], 1e-9) if resize else 1.0
    (mx, my) = centre(b)
    return Move(mover, (sx, 0.0, 0.0, sy, x - sx * mx, y - sy * my), f"the mirror image of {still}")


def _resized(site: Site, one: str, other: str) -> Iterator[tuple[Move, ...]]:
    """Either as large as the other, on the spot."""
    for still, mover in ((one, other), (other, one)):
        a, b = site.layout.whole(still).area, site.layout.whole(mover).area
        factor = (a / max(b, 1e-12)) ** 0.5
        yield (Move.scale(mover, factor, factor, centre(site.layout.bounds(mover)), f"as large as {still}"),)


def _levelled(site: Site, one: str, other: str) -> Iterator[tuple[Move, ...]]:
    """Both at one height: that of either, or halfway."""
    (_, y0), (_, y1) = centre(site.layout.bounds(one)), centre(site.layout.bounds(other))
    yield (Move.shift(other, 0.0, y0 - y1, f"at the height of {one}"),)
    yield (Move.shift(one, 0.0, y1 - y0, f"at the height of {other}"),)
    half = (y1 - y0) / 2
    yield (Move.shift(one, 0.0, half, "at one height"), Move.shift(other, 0.0, -half, "at one height"))
