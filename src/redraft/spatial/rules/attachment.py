"""Attachment: every part hangs together with its object's root through parts that touch.

Not necessarily with its declared parent: a hat may sit on the hair. Parts that hang in the air by nature (rays,
smoke) may be a little apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import shapely

from redraft.result import Issue
from redraft.spatial.rules.arrays import Indices, closest, distance
from redraft.spatial.rules.scene import TOUCH, Scene
from redraft.spatial.rules.words import arrow, found
from redraft.spatial.scenery import is_kind

__all__ = ["detached"]

SLIT = 0.02
"""A gap up to here is a slit between parts, a warning; beyond it a part is off."""

LOOSE = 0.06
"""How far parts that hang in the air may be from the rest."""


def detached(scene: Scene) -> Iterator[Issue]:
    """One issue for each cluster of parts that touches no other part of its object."""
    links = scene.joints
    roots = _components(len(scene.parts), links)
    members: dict[int, dict[int, list[int]]] = {}
    for index, owner in enumerate(scene.owners.tolist()):
        members.setdefault(owner, {}).setdefault(int(roots[index]), []).append(index)
    for owner, clusters in members.items():
        if len(clusters) > 1:
            yield from _loose(scene, scene.objects[owner], list(clusters.values()))


def _components(count: int, links: Indices) -> Indices:
    """For each of n nodes the least node that it is linked to: label propagation with pointer jumping."""
    label = np.arange(count, dtype=np.intp)
    while True:
        before = label.copy()
        np.minimum.at(label, links[:, 0], label[links[:, 1]])
        np.minimum.at(label, links[:, 1], label[links[:, 0]])
        label = label[label]
        if (label == before).all():
            return label


def _loose(scene: Scene, owner: str, clusters: Sequence[Sequence[int]]) -> Iterator[Issue]:
    main = next((c for c in clusters if any(scene.parts[i].name == owner for i in c)), max(clusters, key=len))
    placed = list(main)
    rest = [c for c in clusters if c is not main]
    while rest:  # the nearest first, so that what hangs on a loose part is measured from there
        shape = shapely.union_all(scene.solids[placed])
        gaps = [distance(shapely.union_all(scene.solids[c]), shape) for c in rest]
        nearest = int(np.argmin(gaps))
        cluster = rest.pop(nearest)
        if gaps[nearest] > _allowed(scene, cluster):
            yield _apart(scene, owner, placed, cluster, gaps[nearest])
        placed.extend(cluster)


def _allowed(scene: Scene, cluster: Sequence[int]) -> float:
    free = all(is_kind(scene.parts[i].label, "loose") for i in cluster)
    return LOOSE if free else TOUCH


def _apart(scene: Scene, owner: str, placed: Sequence[int], cluster: Sequence[int], gap: float) -> Issue:
    part = max(cluster, key=lambda i: float(scene.solids[i].area))
    own, rest = (shapely.union_all(scene.solids[list(group)]) for group in (cluster, placed))
    (x0, y0), (x1, y1) = closest(own, rest)
    name = scene.parts[part].name
    names = tuple(dict.fromkeys([name, *(scene.parts[i].name for i in cluster)]))
    return found(
        "attachment.apart",
        "error" if gap > SLIT else "warning",
        f"{name} is part of {owner} and does not touch the rest of it: {gap:.3f} apart",
        (*names, owner) if owner not in names else names,
        numbers={"found": gap, "expected": 0.0},
        mend=scene.way(name, _beyond(x1 - x0), _beyond(y1 - y0)),
        marks=(arrow((x0, y0), (x1, y1), f"{gap:.3f}"),),
    )


def _beyond(step: float) -> float:
    """A little further than touching, so that the parts join visibly."""
    return step + (0.005 if step > 0 else -0.005 if step < 0 else 0.0)
