"""Perspective: of two like things that stand on one ground, the farther (higher) one is not the larger. A warning."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from redraft.result import Issue
from redraft.spatial.labels import head
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import box, found, height, scale_words
from redraft.spatial.scenery import is_kind

__all__ = ["farther_is_larger"]

DEEPER = 0.08
"""Feet must differ by so much of the canvas for one thing to be farther away."""
LARGER = 1.5
LIMIT = 60
"""Kinds with more members are patterns, and would cost a square."""


def farther_is_larger(scene: Scene) -> Iterator[Issue]:
    """Only where there is ground to stand on, and the brief says nothing of the sizes."""
    kinds: dict[str, list[str]] = {}
    for name in scene.actors if scene.grounds else ():
        if is_kind(scene.layout[name].label, "standing") and not _sized(scene, name):
            kinds.setdefault(head(scene.layout[name].label), []).append(name)
    for names in kinds.values():
        for near, far in combinations(names, 2) if len(names) <= LIMIT else ():
            yield from _compare(scene, *sorted((near, far), key=lambda n: -scene.box(n)[3]))


def _sized(scene: Scene, name: str) -> bool:
    constrained = {
        getattr(c, field).mention
        for c in scene.binding.reading.constraints
        for field in ("subjects", "selector")
        if type(c).__name__ in {"Compare", "Progression", "Size"} and hasattr(c, field)
    }
    mentions = scene.binding.mentions_of.get(name, ())
    return any(m in constrained or scene.binding.reading.mention(m).size != 1 for m in mentions)


def _compare(scene: Scene, near: str, far: str) -> Iterator[Issue]:
    a, b = scene.box(near), scene.box(far)
    factor = height(b) / max(height(a), 1e-9)
    if a[3] - b[3] > DEEPER and factor > LARGER:
        yield found(
            "perspective.size",
            "warning",
            f"{far} stands farther back than {near} and is {factor:.1f} times as tall",
            (far, near),
            numbers={"found": factor, "expected": 1.0},
            mend=scale_words(far, 1 / factor),
            marks=(box(a, near), box(b, far)),
        )
