"""Clearing the way between a camera and what matters: near walls, a ceiling, a dome, the ground as seen from below.

Parallel views see nothing of what lies in front of the box that they show, so that only what lies on its very edge is
in the way. In perspective, places (what is not itself what matters) are opened: without the faces whose plane has the
camera on one side and the middle of what matters on the other.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import bpy
import numpy as np

from redraft.studios.scene.inside.viewer_arrays import Array
from redraft.studios.scene.inside.viewer_frame import CORNERS, Stand, is_flat
from redraft.studios.scene.inside.viewer_shapes import Shape, box_of

__all__ = ["switched_off", "way_cleared"]

EDGE = 0.01
"""Of the size of what matters: what reaches no further into its box does not count as in it."""
MOSTLY = 0.3
"""Of a wall's surface: with so much of it in the way, all of it is."""
MOST_TRIANGLES = 200_000


@contextmanager
def switched_off(things: Iterable[Any]) -> Generator[None]:
    """Leave things out of what is rendered, for a while."""
    changed = [thing for thing in things if not thing.hide_render]
    for thing in changed:
        thing.hide_render = True
    try:
        yield
    finally:
        for thing in changed:
            thing.hide_render = False


@contextmanager
def way_cleared(
    scene: Any, view: str, where: Stand, box: Array, groups: Mapping[str, Sequence[Shape]], chosen: Iterable[str]
) -> Generator[None]:
    """Make it so for a while. `chosen` are the groups that matter, which stay as they are."""
    places = [shape for name in sorted(set(groups) - set(chosen)) for shape in groups[name]]
    with ExitStack() as stack:
        if view in CORNERS:
            for shape in places:
                stack.enter_context(_opened(scene, shape, where, box))
        else:
            off = [shape.thing for shape in places if _on_the_edge(shape, where, box)]
            stack.enter_context(switched_off(off))
        yield


def _on_the_edge(shape: Shape, where: Stand, box: Array) -> bool:
    """Whether something reaches hardly beyond the nearer side of a box, from the camera's side."""
    axis = int(np.abs(where.forward).argmax())
    least = EDGE * float(np.linalg.norm(box[1] - box[0]))
    own = box_of([shape])[:, axis]
    return bool(own[1] <= box[0, axis] + least) if where.forward[axis] > 0 else bool(own[0] >= box[1, axis] - least)


@contextmanager
def _opened(scene: Any, shape: Shape, where: Stand, box: Array) -> Generator[None]:
    apart = _between(shape, where.place, box.mean(0))
    if not apart.any() or len(apart) > MOST_TRIANGLES:
        yield
        return
    areas = _areas(shape)
    kept = ~apart
    if is_flat(box_of([shape])) and areas[apart].sum() > MOSTLY * areas.sum():
        kept[:] = False
    with switched_off([shape.thing]):
        copy = _copy(scene, shape, kept)
        try:
            yield
        finally:
            data = copy.data
            bpy.data.objects.remove(copy)
            bpy.data.meshes.remove(data)


def _between(shape: Shape, eye: Array, middle: Array) -> Array:
    """The triangles whose planes part an eye from the middle of what it looks at."""
    corners = shape.points[shape.triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    nearer = np.einsum("ij,ij->i", normals, eye - corners[:, 0]) * np.einsum(
        "ij,ij->i", normals, middle - corners[:, 0]
    )
    ahead = ((corners - middle) @ (eye - middle)).max(axis=1) > 0
    return np.asarray((nearer < 0) & ahead)


def _areas(shape: Shape) -> Array:
    corners = shape.points[shape.triangles]
    return np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)


def _copy(scene: Any, shape: Shape, kept: Array) -> Any:
    """A shape in the world with some of its triangles."""
    mesh = bpy.data.meshes.new("redraft opened")
    mesh.from_pydata(shape.points.tolist(), [], shape.triangles[kept].tolist())
    for slot in shape.thing.material_slots:
        mesh.materials.append(slot.material)
    if len(mesh.materials):
        mesh.polygons.foreach_set("material_index", shape.slots[kept].clip(0, len(mesh.materials) - 1).astype(np.int32))
    copy = bpy.data.objects.new("redraft opened", mesh)
    scene.collection.objects.link(copy)
    return copy
