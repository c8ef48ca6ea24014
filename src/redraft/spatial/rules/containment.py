"""Containment: parts that belong within their whole and stick out of it."""

from __future__ import annotations

from collections.abc import Iterator

from shapely.geometry.base import BaseGeometry

from redraft.result import Issue
from redraft.spatial.layout import Item
from redraft.spatial.rules.scene import Scene, silhouette
from redraft.spatial.rules.words import box, centre, found
from redraft.spatial.scenery import is_kind

__all__ = ["sticking_out"]

PANEL = 0.08
"""Share of a door's, window's or button's area that may lie outside; pens take some."""

FEATURE = 0.45
"""Eyes may bulge over the edge of a head (a frog's do), and mouths hang over it."""


def sticking_out(scene: Scene) -> Iterator[Issue]:
    """Doors, windows, screens, features of a face: how much of them lies outside of the part that holds them best."""
    for index, item in enumerate(scene.parts):
        limit = _limit(scene, item)
        if limit is None or item.is_line:
            continue
        shape: BaseGeometry = scene.solids[index]
        holder, out = _best_holder(scene, item, shape)
        if holder is not None and out > limit:
            yield _issue(scene, item, holder, out)


def _limit(scene: Scene, item: Item) -> float | None:
    if item.parent is None or is_kind(scene.layout[item.parent].label, "plan"):
        return None
    if is_kind(item.label, "feature"):
        return FEATURE
    return PANEL if is_kind(item.label, "inside") else None


def _best_holder(scene: Scene, item: Item, shape: BaseGeometry) -> tuple[str | None, float]:
    """Of its ancestors and their parts, the one that it lies in most, and the share of it that is outside."""
    best: tuple[str | None, float] = (None, 1.0)
    for other in _holders(scene, item):
        solid = silhouette(other)
        if solid.area > shape.area:
            out = 0.0 if solid.covers(shape) else shape.difference(solid).area / max(shape.area, 1e-12)
            best = min(best, (other.name, out), key=lambda b: b[1])
            if out == 0.0:
                break
    parent = item.parent
    return best if best[0] is not None else (parent, 1.0) if _is_solid(scene, parent) else best


def _holders(scene: Scene, item: Item) -> Iterator[Item]:
    """Its parent first, then that parent's other parts and ancestors."""
    parent = item.parent
    while parent is not None:
        yield scene.layout[parent]
        yield from (c for c in scene.layout.children(parent) if c.name != item.name and not c.is_line)
        parent = scene.layout[parent].parent


def _is_solid(scene: Scene, name: str | None) -> bool:
    return name is not None and not scene.layout[name].shape.is_empty and not scene.layout[name].is_line


def _issue(scene: Scene, item: Item, holder: str, out: float) -> Issue:
    a, b = scene.box(item.name), scene.layout[holder].shape.bounds
    dx = max(b[0] - a[0], 0.0) - max(a[2] - b[2], 0.0)
    dy = max(b[1] - a[1], 0.0) - max(a[3] - b[3], 0.0)
    if dx == dy == 0:  # within the box and yet outside: toward the middle
        (ax, ay), (bx, by) = centre(a), ((b[0] + b[2]) / 2, (b[1] + b[3]) / 2)
        dx, dy = (bx - ax) / 2, (by - ay) / 2
    return found(
        "containment.outside",
        "error",
        f"{item.name} sticks out of {holder}: {out:.0%} of it is outside",
        (item.name, holder),
        numbers={"found": out, "expected": 0.0},
        mend=scene.way(item.name, dx, dy),
        marks=(box(a, item.name), box((b[0], b[1], b[2], b[3]), holder)),
    )
