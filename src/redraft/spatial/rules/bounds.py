"""Bounds: things cut off by the edge of the canvas. Scenery and what runs across the canvas may be."""

from __future__ import annotations

from collections.abc import Iterator

from redraft.result import Issue
from redraft.spatial.layout import Bounds
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import PEN, box, found, height, scale_words, shift_words, width
from redraft.spatial.scenery import is_kind

__all__ = ["outside"]


def outside(scene: Scene) -> Iterator[Issue]:
    """An object whose box leaves the frame; an error when a tenth of its extent or more is outside."""
    x0, y0, x1, y1 = scene.layout.frame.bounds
    for name in scene.actors:
        a = scene.box(name)
        over = max(x0 - a[0], a[2] - x1), max(y0 - a[1], a[3] - y1)
        if max(over) <= PEN or (over[1] <= PEN and _runs_across(scene, name)):
            continue
        share = max(over[0] / max(width(a), 1e-9), over[1] / max(height(a), 1e-9))
        dx = max(x0 - a[0], 0.0) - max(a[2] - x1, 0.0)
        dy = max(y0 - a[1], 0.0) - max(a[3] - y1, 0.0)
        fit = min((x1 - x0) / max(width(a), 1e-9), (y1 - y0) / max(height(a), 1e-9))
        yield found(
            "bounds.outside",
            "error" if share >= 0.1 else "warning",
            f"{name} reaches {max(over):.3f} over the edge of the canvas",
            _beyond(scene, name),
            numbers={"found": max(over), "expected": 0.0},
            mend=shift_words(name, dx, dy)
            if fit >= 1
            else f"{scale_words(name, 0.96 * fit)} and move it onto the canvas",
            marks=(box(a, name),),
        )


def _beyond(scene: Scene, name: str) -> tuple[str, ...]:
    """The object, and those of its parts that are over the edge themselves."""
    frame = scene.layout.frame.bounds
    parts = [i.name for i in scene.layout.family(name)[1:] if scene.paints(i.name)]
    over = [n for n in parts if _reach(scene.box(n), frame) > PEN]
    return (name, *over)


def _reach(a: Bounds, frame: Bounds) -> float:
    return max(frame[0] - a[0], frame[1] - a[1], a[2] - frame[2], a[3] - frame[3])


def _runs_across(scene: Scene, name: str) -> bool:
    """From the left edge to the right one: a branch, a bridge, a rope; but nothing that stands is so wide."""
    a, frame = scene.box(name), scene.layout.frame.bounds
    return a[0] <= frame[0] + PEN and a[2] >= frame[2] - PEN and not is_kind(scene.layout[name].label, "standing")
