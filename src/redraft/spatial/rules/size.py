"""Size: top-level things that are hardly there, or that fill the canvas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from redraft.result import Issue
from redraft.spatial.labels import head
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import box, found, height, scale_words, width
from redraft.spatial.scenery import is_kind

__all__ = ["sizes"]


CROWD = 8
"""So many of a kind are a pattern, and each may be tiny."""


def sizes(scene: Scene) -> Iterator[Issue]:
    """Area below the least share of the frame (lines and things small by nature left out), or above the greatest."""
    limits = scene.thresholds
    many = Counter(head(scene.layout[n].label) for n in scene.actors)
    for name in (n for n in scene.actors if n not in scene.measured):
        bounds = scene.box(name)
        frame = scene.layout.frame.area
        if limits.min_size < width(bounds) * height(bounds) / frame < limits.max_size and _surely(scene, name):
            continue
        share = limits.min_size if _tiny_by_nature(scene, name, many) else scene.whole(name).area / frame
        if share < limits.min_size:
            yield _size(scene, "size.small", name, share, limits.min_size)
        elif share > limits.max_size:
            yield _size(scene, "size.large", name, share, limits.max_size)


def _surely(scene: Scene, name: str) -> bool:
    """A solid part fills at least a tenth of its box; only then does the box decide alone."""
    bounds = scene.box(name)
    area = width(bounds) * height(bounds)
    return area > 10 * scene.thresholds.min_size * scene.layout.frame.area


def _tiny_by_nature(scene: Scene, name: str, many: Counter[str]) -> bool:
    """Lines, small things, and what comes in crowds."""
    item = scene.layout[name]
    lines = all(part.is_line or part.shape.is_empty for part in scene.layout.family(name))
    return (
        lines
        or not scene.asked_for(name)
        or many[head(item.label)] >= CROWD
        or is_kind(item.label, "small")
        or is_kind(item.label, "fine")
    )


def _size(scene: Scene, code: str, name: str, share: float, limit: float) -> Issue:
    small = share < limit
    factor = (limit / max(share, 1e-9)) ** 0.5 * (1.05 if small else 0.95)
    return found(
        code,
        "error",
        f"{name} covers {share:.2%} of the canvas; {'at least' if small else 'at most'} {limit:.1%} is sensible",
        (name,),
        numbers={"found": share, "expected": limit},
        mend=scale_words(name, min(factor, 100.0)),
        marks=(box(scene.box(name), name),),
    )
