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
    """Find clusters of parts that touch no other part of their object, one issue for each."""
    clusters_by_root = _components(len(scene.parts), scene.all_joints)
    members: dict[int, dict[int, list[int]]] = {}
    for index, owner in enumerate(scene.owners.tolist()):
        members.setdefault(owner, {}).setdefault(int(clusters_by_root[index]), []).append(index)
    for owner, clusters in members.items():
        if len(clusters) > 1:
            yield from _loose_clusters(scene, scene.objects[owner], list(clusters.values()))


def _components(count: int, links: Indices) -> Indices:
    """Return for each of n nodes the least node that it is linked to: label propagation with pointer jumping."""
    label = np.arange(count, dtype=np.intp)
    while True:
        before = label.copy()
        np.minimum.at(label, links[:, 0], label[links[:, 1]])
        np.minimum.at(label, links[:, 1], label[links[:, 0]])
        label = label[label]
        if (label == before).all():
            return label


def _loose_clusters(scene: Scene, owner: str, clusters: Sequence[Sequence[int]]) -> Iterator[Issue]:
    """Attach the clusters one by one to the object's main one, and report those that are too far from it."""
    main = next((c for c in clusters if any(scene.parts[i].name == owner for i in c)), max(clusters, key=len))
    attached = list(main)
    rest = [c for c in clusters if c is not main]
    shapes = np.array([shapely.union_all(scene.solids[c]) for c in rest], dtype=object)
    gaps = distances(shapes, shapely.union_all(scene.solids[attached]))
    done: list[int] = []

    for _ in rest:  # the nearest first, so that what hangs on a loose part is measured from there
        scene.spend(1 + (len(rest) + len(attached)) // 10)
        nearest = int(np.argmin(gaps))
        cluster, gap = rest[nearest], float(gaps[nearest])
        in_the_air = all(scene.parts[i].texts or pieces(scene.parts[i].shape) > 1 for i in cluster)
        allowed = LOOSE if in_the_air else TOUCH

        if gap > allowed and not any(scene.joined(scene.parts[i].name, owner) for i in cluster):
            # The largest part speaks for its cluster.
            name = scene.parts[max(cluster, key=lambda i: float(scene.solids[i].area))].name
            own, others = (shapely.union_all(scene.solids[list(group)]) for group in (cluster, attached))
            (x0, y0), (x1, y1) = closest(own, others)
            yield finding(
                "attachment.apart",
                f"{name} is part of {owner} and does not touch the rest of it: {gap:.3f} apart",
                tuple(dict.fromkeys([name, *(scene.parts[i].name for i in cluster), owner])),
                numbers={"found": gap, "expected": 0.0},
                hint=scene.way(name, _past_touching(x1 - x0), _past_touching(y1 - y0)),
                mild=gap <= SLIT,
                marks=(arrow((x0, y0), (x1, y1), f"{gap:.3f}"),),
            )

        attached.extend(cluster)
        gaps = np.minimum(gaps, distances(shapes, shapes[nearest]))
        done.append(nearest)
        gaps[done] = np.inf


def _past_touching(step: float) -> float:
    """Return a step a little longer than to the touch, so that the parts join visibly."""
    return step + (0.005 if step > 0 else -0.005 if step < 0 else 0.0)


def sticking_out(scene: Scene) -> Iterator[Issue]:
    """Find parts drawn over their whole and partly outside of it: unlike their likes, or panels that have none."""
    shares = _shares_outside(scene)
    best: dict[str, tuple[float, str]] = {}

    def held(name: str) -> tuple[float, str]:
        """Return the least share of a part that lies outside of a larger one, and which one that is."""
        if name not in best:
            fallback = shares[name], scene.layout[name].parent or ""
            best[name] = min(_shares_by_holder(scene, scene.layout[name]), default=fallback)
        return best[name]

    kinds: dict[tuple[str, str], list[str]] = {}
    for name in shares:
        kinds.setdefault(_role(scene, name), []).append(name)

    for name in (n for n, share in shares.items() if share > PANEL):
        likes = [n for n in kinds[_role(scene, name)] if n != name]
        scene.spend(1 + len(likes) // 500)
        item, shape = scene.layout[name], silhouette(scene.layout[name])
        if likes:
            suspicious = all(shares[n] <= INSIDE or held(n)[0] <= INSIDE for n in likes)
        else:
            # Doors, windows and screens fill their box.
            suspicious = shape.area > 0.9 * shape.envelope.area
        if not suspicious:
            continue

        share, holder = held(name)
        painted_over = scene.layout[holder].layer < item.layer and not scene.joined(name, holder)
        if not painted_over or share <= PANEL:
            continue
        if not likes:
            # A scarf, eaves or a sill reach over both sides of what holds them.
            a, b = shape.bounds, silhouette(scene.layout[holder]).bounds
            across = any(a[axis] < b[axis] and a[axis + 2] > b[axis + 2] for axis in (0, 1))
            if share >= STRADDLING or across:
                continue

        a, b = scene.box(name), scene.layout[holder].shape.bounds
        dx = max(b[0] - a[0], 0.0) - max(a[2] - b[2], 0.0)
        dy = max(b[1] - a[1], 0.0) - max(a[3] - b[3], 0.0)
        if dx == dy == 0:  # within the box and yet outside: toward the middle
            (ax, ay), (bx, by) = center(a), ((b[0] + b[2]) / 2, (b[1] + b[3]) / 2)
            dx, dy = (bx - ax) / 2, (by - ay) / 2
        yield finding(
            "containment.outside",
            f"{name} sticks out of {holder}: {share:.0%} of it is outside",
            (name, holder),
            numbers={"found": share, "expected": 0.0},
            hint=scene.way(name, dx, dy),
            marks=(box(a, name), box((b[0], b[1], b[2], b[3]), holder)),
        )


def _shares_outside(scene: Scene) -> dict[str, float]:
    """Return the parts with an area, and the share of each that lies outside of its whole."""
    rows = {item.name: row for row, item in enumerate(scene.parts)}
    parts = [i for i in scene.parts if i.parent is not None and not i.is_line and not i.texts]
    within = [i for i in parts if i.parent in rows]
    shapes = scene.solids[[rows[i.name] for i in within]]
    outside = areas(differences(shapes, scene.solids[[rows[i.parent or ""] for i in within]]))
    shares = dict.fromkeys((i.name for i in parts), 1.0)
    shares.update(zip((i.name for i in within), (outside / np.maximum(areas(shapes), 1e-12)).tolist(), strict=True))
    return shares


def _shares_by_holder(scene: Scene, item: Item) -> Iterator[tuple[float, str]]:
    """Yield the share of a part outside of each larger one that may hold it: its parent, its siblings, and so on."""
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
    """Return the kinds of a part and of its whole."""
    item = scene.layout[name]
    return kind_of(item), kind_of(scene.layout[item.parent]) if item.parent is not None else ""
