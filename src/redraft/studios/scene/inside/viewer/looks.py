"""Looks at a scene as requested in the words of `look_syntax`: close up, from below, cut open."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from redraft.errors import ExecutionError
from redraft.studios.scene.inside.viewer.contact import spread
from redraft.studios.scene.inside.viewer.framing import CORNERS, Stand, stand, turned
from redraft.studios.scene.inside.viewer.look_syntax import Look, LookError, parse_look, with_names
from redraft.studios.scene.inside.viewer.occlusion import camera_matrix, switched_off, way_cleared
from redraft.studios.scene.inside.viewer.raster import Array, projected
from redraft.studios.scene.inside.viewer.render import Grading, picture
from redraft.studios.scene.inside.viewer.shapes import Shape, box_of, groups_of, joined
from redraft.studios.scene.inside.viewer.views import cycles, focused, placed_camera, workbench

POINTS = 60
"""Points of an object that are tried for being seen."""
SAMPLES = 16
"""Samples of a look in the scene's own light."""
CLOSE_UP = 1.6
"""Sizes of an object that a look at it shows, so that what is around it is seen too."""
AXES = {"x": 0, "y": 1, "z": 2}


def look_at(scene: Any, text: str, shapes: list[Shape], eye: Any, grading: Grading, size: tuple[int, int]) -> bytes:
    """Return one picture as a PNG.

    Raises:
        ExecutionError: the words are not understood, or speak of what is not in the scene.
    """
    try:
        look = with_names(parse_look(text), (str(thing.name) for thing in scene.objects))
        if look.seen_from == "camera" and eye is None:
            raise LookError(f"{text!r} looks through the camera; the scene has none.")
        if look.at and not _parts(look, shapes):
            raise LookError(f"{text!r} looks at {look.at!r}, which has no surface.")
    except LookError as error:
        raise ExecutionError(str(error)) from error
    if look.lit:
        grading.restore(scene)
        cycles(scene, SAMPLES, 0)
    else:
        workbench(scene)
    off = [thing for thing in scene.objects if thing.type != "LIGHT" and _left_out(thing, look)]
    with ExitStack() as stack:
        stack.enter_context(switched_off(off))
        if look.seen_from == "camera":
            camera = stack.enter_context(_own_camera(scene, look, eye, shapes, size))
        else:
            camera = stack.enter_context(_aimed_camera(scene, look, shapes, eye, size))
        return picture(scene, camera, *size)


@contextmanager
def _aimed_camera(scene: Any, look: Look, shapes: list[Shape], eye: Any, size: tuple[int, int]) -> Generator[Any]:
    """A camera for a look from a side, with the way cleared for it."""
    groups = groups_of(shape for shape in shapes if not _left_out(shape.thing, look))
    box, chosen = focused(groups, eye)
    if look.at:
        close = box_of(_parts(look, shapes))
        middle, half = close.mean(0), (close[1] - close[0]) / 2
        half = np.maximum(half, 0.1 * half.max()) * CLOSE_UP
        box = np.array([middle - half, middle + half])
        chosen |= {
            name for name, members in groups.items() if any(_belongs(each.thing, (look.at,)) for each in members)
        }
    view = look.seen_from.replace("-", "_")
    if look.at and not (look.view or look.section or look.turn):
        # The corner that most of the object is seen from
        points = spread(*joined(_parts(look, shapes)), POINTS)
        seen = {each: _count_seen(scene, look, _stand(look, each, box, size).place, points) for each in CORNERS}
        view = max(CORNERS, key=lambda each: seen[each])
    where = _stand(look, view, box, size)
    with way_cleared(scene, view, where, box, groups, chosen), placed_camera(scene, where) as camera:
        yield camera


def _belongs(thing: Any, names: tuple[str, ...]) -> bool:
    while thing is not None:
        if thing.name in names:
            return True
        thing = thing.parent
    return False


def _left_out(thing: Any, look: Look) -> bool:
    return _belongs(thing, look.hide) or (bool(look.only) and not _belongs(thing, look.only))


def _parts(look: Look, shapes: list[Shape]) -> list[Shape]:
    """Return the shapes that the look is at."""
    return [shape for shape in shapes if len(shape.triangles) and _belongs(shape.thing, (look.at,))]


def _count_seen(scene: Any, look: Look, eye: Array, points: Array) -> int:
    """Return how many points of an object rays from an eye reach."""
    graph = bpy.context.evaluated_depsgraph_get()
    count = 0
    for point in points:
        start, ray = Vector(eye), Vector(point - eye)
        hit, _, _, _, thing, _ = scene.ray_cast(graph, start, ray.normalized(), distance=ray.length * 1.001)
        count += bool(hit) and _belongs(thing.original, (look.at,))
    return count


def _stand(look: Look, view: str, box: Array, size: tuple[int, int]) -> Stand:
    if look.turn:
        return turned(view, box, size[0] / size[1], look.zoom, look.turn)
    where = stand(view, box, size[0] / size[1], look.zoom)
    if look.section is None:
        return where
    axis, value = AXES[look.section[0]], look.section[1]
    away = (value - float(where.place[axis])) * float(np.sign(where.forward[axis]))
    back = max(0.0, where.near - away)  # a plane behind the camera: step back
    return replace(where, place=where.place - where.forward * back, near=max(away + back, 1e-4), far=where.far + back)


@contextmanager
def _own_camera(scene: Any, look: Look, eye: Any, shapes: list[Shape], size: tuple[int, int]) -> Generator[Any]:
    """A copy of the scene's camera, for a part of its picture: from the same place, with a longer lens, shifted."""
    camera = eye.copy()
    camera.data = data = eye.data.copy()
    scene.collection.objects.link(camera)
    try:
        bpy.context.view_layer.update()
        middle, zoom = np.zeros(2), look.zoom
        if look.at:
            low, high = _box_in_picture(camera, _parts(look, shapes), size)
            middle, zoom = (low + high) / 2, zoom * min(8.0, 2 / (CLOSE_UP * max(float((high - low).max()), 1e-3)))
            zoom = max(zoom, look.zoom)
        width, height = size
        larger = max(width, height)
        data.shift_x = (data.shift_x + middle[0] / 2 * width / larger) * zoom
        data.shift_y = (data.shift_y + middle[1] / 2 * height / larger) * zoom
        data.lens *= zoom
        data.ortho_scale /= zoom
        yield camera
    finally:
        bpy.data.objects.remove(camera)
        bpy.data.cameras.remove(data)


def _box_in_picture(camera: Any, parts: list[Shape], size: tuple[int, int]) -> tuple[Array, Array]:
    """Return where in the picture an object is, −1 to 1; the whole picture where it is not seen."""
    flat = projected(*joined(parts), camera_matrix(camera, *size)).reshape(-1, 2)
    flat = flat[(np.abs(flat) <= 1.5).all(axis=1)]
    if not len(flat):
        return np.array([-1.0, -1.0]), np.array([1.0, 1.0])
    return flat.min(0), flat.max(0)
