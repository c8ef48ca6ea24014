"""Parts and their whole: what does not hang together with it, and what sticks out of it.

A part hangs together with its object through parts that touch, not necessarily with its declared parent: a hat may sit
on the hair. Texts, and parts in several pieces (rays, smoke), may be a little apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import shapely

from redraft.layout.items import Item
from redraft.result import Issue
from redraft.studios.sketch.rules.geometry import (
    TOUCH,
    Indices,
    Scene,
    areas,
    closest,
    differences,
    distances,
    kind_of,
    pieces,
    silhouette,
)
from redraft.studios.sketch.rules.issues import arrow, box, center, finding

SLIT = 0.02
"""A gap up to here is a slit between parts, a warning; beyond it a part is off."""

LOOSE = 0.06
"""How far parts that hang in the air may be from the rest."""

INSIDE = 0.05
"""Share of a part that may lie outside of the one that holds it."""

PANEL, STRADDLING = 0.08, 0.6
"""Shares between which a part drawn over its whole was perhaps meant to lie within it."""


def detached(scene: Scene) -> Iterator[Issue]:
    """One issue for each cluster of parts that touches no other part of its object."""
    links = scene.all_joints
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
    shapes = np.array([shapely.union_all(scene.solids[c]) for c in rest], dtype=object)
    done: list[int] = []
    gaps = distances(shapes, shapely.union_all(scene.solids[placed]))
    for _ in rest:  # the nearest first, so that what hangs on a loose part is measured from there
        scene.spend(1 + (len(rest) + len(placed)) // 10)
        nearest = int(np.argmin(gaps))
        cluster, gap = rest[nearest], float(gaps[nearest])
        if gap > _allowed(scene, cluster) and not _joined(scene, owner, cluster):
            yield _apart(scene, owner, placed, cluster, gap)
        placed.extend(cluster)
        gaps = np.minimum(gaps, distances(shapes, shapes[nearest]))
        done.append(nearest)
        gaps[done] = np.inf


def _allowed(scene: Scene, cluster: Sequence[int]) -> float:
    free = all(scene.parts[i].texts or pieces(scene.parts[i].shape) > 1 for i in cluster)
    return LOOSE if free else TOUCH


def _joined(scene: Scene, owner: str, cluster: Sequence[int]) -> bool:
    return any(scene.joined(scene.parts[i].name, owner) for i in cluster)


def _apart(scene: Scene, owner: str, placed: Sequence[int], cluster: Sequence[int], gap: float) -> Issue:
    part = max(cluster, key=lambda i: float(scene.solids[i].area))
    own, rest = (shapely.union_all(scene.solids[list(group)]) for group in (cluster, placed))
    (x0, y0), (x1, y1) = closest(own, rest)
    name = scene.parts[part].name
    names = tuple(dict.fromkeys([name, *(scene.parts[i].name for i in cluster)]))
    return finding(
        "attachment.apart",
        f"{name} is part of {owner} and does not touch the rest of it: {gap:.3f} apart",
        (*names, owner) if owner not in names else names,
        numbers={"found": gap, "expected": 0.0},
        hint=scene.way(name, _beyond(x1 - x0), _beyond(y1 - y0)),
        mild=gap <= SLIT,
        marks=(arrow((x0, y0), (x1, y1), f"{gap:.3f}"),),
    )


def _beyond(step: float) -> float:
    """A little further than touching, so that the parts join visibly."""
    return step + (0.005 if step > 0 else -0.005 if step < 0 else 0.0)


def sticking_out(scene: Scene) -> Iterator[Issue]:
    """Parts drawn over their whole and partly outside of it: unlike their likes, or panels that have none."""
    out = _shares(scene)
    best: dict[str, tuple[float, str]] = {}

    def held(name: str) -> tuple[float, str]:
        if name not in best:
            best[name] = min(_held(scene, scene.layout[name]), default=(out[name], scene.layout[name].parent or ""))
        return best[name]

    kinds: dict[tuple[str, str], list[str]] = {}
    for name in out:
        kinds.setdefault(_role(scene, name), []).append(name)
    for name in (n for n, share in out.items() if share > PANEL):
        likes = [n for n in kinds[_role(scene, name)] if n != name]
        scene.spend(1 + len(likes) // 500)
        if not (all(out[n] <= INSIDE or held(n)[0] <= INSIDE for n in likes) if likes else _is_panel(scene, name)):
            continue
        share, holder = held(name)
        over = scene.layout[holder].layer < scene.layout[name].layer and not scene.joined(name, holder)
        if over and share > PANEL and (likes or (share < STRADDLING and not _across(scene, name, holder))):
            yield _outside(scene, scene.layout[name], holder, share)


def _shares(scene: Scene) -> dict[str, float]:
    """Parts with an area, and the share of each that lies outside of its whole."""
    rows = {item.name: row for row, item in enumerate(scene.parts)}
    parts = [i for i in scene.parts if i.parent is not None and not i.is_line and not i.texts]
    within = [i for i in parts if i.parent in rows]
    shapes = scene.solids[[rows[i.name] for i in within]]
    left = areas(differences(shapes, scene.solids[[rows[i.parent or ""] for i in within]]))
    found = dict.fromkeys((i.name for i in parts), 1.0)
    found.update(zip((i.name for i in within), (left / np.maximum(areas(shapes), 1e-12)).tolist(), strict=True))
    return found


def _held(scene: Scene, item: Item) -> Iterator[tuple[float, str]]:
    """The share of a part outside of each larger one that may hold it: its parent, its siblings, and so on."""
    shape = silhouette(item)
    parent = item.parent
    while parent is not None:
        siblings = [c for c in scene.layout.children(parent) if c.name != item.name and not c.is_line]
        for other in (scene.layout[parent], *siblings):
            solid = silhouette(other)
            if solid.area > shape.area:
                scene.spend()
                yield shape.difference(solid).area / max(shape.area, 1e-12), other.name
        parent = scene.layout[parent].parent


def _role(scene: Scene, name: str) -> tuple[str, str]:
    item = scene.layout[name]
    return kind_of(item), kind_of(scene.layout[item.parent]) if item.parent is not None else ""


def _is_panel(scene: Scene, name: str) -> bool:
    """It fills its box, as doors, windows and screens do."""
    shape = silhouette(scene.layout[name])
    return shape.area > 0.9 * shape.envelope.area


def _across(scene: Scene, name: str, holder: str) -> bool:
    """It reaches over both sides of what holds it: a scarf, eaves, a sill."""
    a, b = silhouette(scene.layout[name]).bounds, silhouette(scene.layout[holder]).bounds
    return any(a[axis] < b[axis] and a[axis + 2] > b[axis + 2] for axis in (0, 1))


def _outside(scene: Scene, item: Item, holder: str, out: float) -> Issue:
    a, b = scene.box(item.name), scene.layout[holder].shape.bounds
    dx = max(b[0] - a[0], 0.0) - max(a[2] - b[2], 0.0)
    dy = max(b[1] - a[1], 0.0) - max(a[3] - b[3], 0.0)
    if dx == dy == 0:  # within the box and yet outside: toward the middle
        (ax, ay), (bx, by) = center(a), ((b[0] + b[2]) / 2, (b[1] + b[3]) / 2)
        dx, dy = (bx - ax) / 2, (by - ay) / 2
    return finding(
        "containment.outside",
        f"{item.name} sticks out of {holder}: {out:.0%} of it is outside",
        (item.name, holder),
        numbers={"found": out, "expected": 0.0},
        hint=scene.way(item.name, dx, dy),
        marks=(box(a, item.name), box((b[0], b[1], b[2], b[3]), holder)),
    )
