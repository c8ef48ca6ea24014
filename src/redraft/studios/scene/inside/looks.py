"""Looks at a scene as somebody asks for them, in the words of `look_words`: close up, from below, cut open."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from redraft.errors import ExecutionError
from redraft.studios.scene.inside.look_words import Look, LookError, parse_look, with_names
from redraft.studios.scene.inside.measure_bodies import spread
from redraft.studios.scene.inside.viewer_cycles import cycles
from redraft.studios.scene.inside.viewer_frame import CORNERS, Stand, focus, stand
from redraft.studios.scene.inside.viewer_raster import projected
from redraft.studios.scene.inside.viewer_render import Grading, picture
from redraft.studios.scene.inside.viewer_shapes import Array, Shape, joined, root_of
from redraft.studios.scene.inside.viewer_views import in_the_way, placed_camera, switched_off, workbench

__all__ = ["look_at"]

POINTS = 60
"""Of an object, that are tried for being seen."""
SAMPLES = 16
"""Of a look in the scene's own light."""
CLOSE_UP = 1.6
"""How much of what is around an object is seen with it: its size times this."""
AXES = {"x": 0, "y": 1, "z": 2}


def look_at(scene: Any, text: str, shapes: list[Shape], eye: Any, grading: Grading, size: tuple[int, int]) -> bytes:
    """One picture as a PNG.

    Raises:
        ExecutionError: the words are not understood, or speak of what is not in the scene.
    """
    try:
        look = with_names(parse_look(text), (str(thing.name) for thing in scene.objects))
        if look.seen_from == "camera" and eye is None:
            raise LookError(f"{text!r} looks through the camera; the scene has none.")
        if look.at and _box_of(look.at, shapes) is None:
            raise LookError(f"{text!r} looks at {look.at!r}, which has no surface.")
    except LookError as error:
        raise ExecutionError(str(error)) from error
    if look.lit:
        grading.restore(scene)
        cycles(scene, SAMPLES, 0)
    else:
        workbench(scene)
    shown = _shown(look, shapes)
    off = [thing for thing in _off(scene, look) if thing.type != "LIGHT"]
    where = None
    if look.seen_from != "camera":
        box = _aim(look, shown, shapes)
        view = _view(look) if look.view or look.section or not look.at else _clearest(scene, look, box, shapes, size)
        where = _stand(look, view, box, size)
        away = set[str]() if look.only else in_the_way(view, where, box, shown)
        off += [scene.objects[name] for name in sorted(away) if name != look.at]
    with switched_off(off), _camera(scene, look, where, eye, shapes, size) as camera:
        return picture(scene, camera, *size)


def _view(look: Look) -> str:
    return look.seen_from.replace("-", "_")


def _belongs(thing: Any, names: tuple[str, ...]) -> bool:
    while thing is not None:
        if thing.name in names:
            return True
        thing = thing.parent
    return False


def _off(scene: Any, look: Look) -> list[Any]:
    """What the look leaves out."""
    left = [thing for thing in scene.objects if _belongs(thing, look.hide)]
    if look.only:
        left += [thing for thing in scene.objects if not _belongs(thing, look.only)]
    return left


def _shown(look: Look, shapes: list[Shape]) -> dict[str, Array]:
    """The boxes of top-level things that are in the picture."""
    groups: dict[str, list[Shape]] = {}
    for shape in shapes:
        left = _belongs(shape.thing, look.hide) or (look.only and not _belongs(shape.thing, look.only))
        if not shape.hidden and len(shape.points) and not left:
            groups.setdefault(str(root_of(shape.thing).name), []).append(shape)
    return {name: _box(members) for name, members in groups.items()}


def _box(shapes: list[Shape]) -> Array:
    points, _ = joined(shapes)
    return np.array([points.min(0), points.max(0)])


def _box_of(name: str, shapes: list[Shape]) -> Array | None:
    parts = [shape for shape in shapes if len(shape.points) and _belongs(shape.thing, (name,))]
    return _box(parts) if parts else None


def _aim(look: Look, shown: dict[str, Array], shapes: list[Shape]) -> Array:
    """The box that the look is to show."""
    close = _box_of(look.at, shapes) if look.at else None
    if close is None:
        return focus(shown)[0]
    middle, half = close.mean(0), (close[1] - close[0]) / 2
    half = np.maximum(half, 0.1 * half.max()) * CLOSE_UP
    return np.array([middle - half, middle + half])


def _clearest(scene: Any, look: Look, box: Array, shapes: list[Shape], size: tuple[int, int]) -> str:
    """The corner that most of an object is seen from."""
    parts = [shape for shape in shapes if len(shape.triangles) and _belongs(shape.thing, (look.at,))]
    points = spread(*joined(parts), POINTS)
    seen = {view: _seen(scene, look, _stand(look, view, box, size).place, points) for view in CORNERS}
    return max(CORNERS, key=lambda view: seen[view])


def _seen(scene: Any, look: Look, eye: Array, points: Array) -> int:
    """How many points of an object rays from an eye reach."""
    graph = bpy.context.evaluated_depsgraph_get()
    found = 0
    for point in points:
        start, ray = Vector(eye), Vector(point - eye)
        hit, _, _, _, thing, _ = scene.ray_cast(graph, start, ray.normalized(), distance=ray.length * 1.001)
        found += bool(hit) and _belongs(thing.original, (look.at,))
    return found


def _stand(look: Look, view: str, box: Array, size: tuple[int, int]) -> Stand:
    where = stand(view, box, size[0] / size[1], look.zoom)
    if look.section is None:
        return where
    axis, value = AXES[look.section[0]], look.section[1]
    away = (value - float(where.place[axis])) * float(np.sign(where.forward[axis]))
    back = max(0.0, where.near - away)  # a plane behind the camera: step back
    return replace(where, place=where.place - where.forward * back, near=max(away + back, 1e-4), far=where.far + back)


@contextmanager
def _camera(
    scene: Any, look: Look, where: Stand | None, eye: Any, shapes: list[Shape], size: tuple[int, int]
) -> Generator[Any]:
    if where is not None:
        with placed_camera(scene, where) as camera:
            yield camera
        return
    copy = eye.copy()
    copy.data = eye.data.copy()
    scene.collection.objects.link(copy)
    try:
        _closer(copy, look, shapes, size)
        yield copy
    finally:
        data = copy.data
        bpy.data.objects.remove(copy)
        bpy.data.cameras.remove(data)


def _closer(camera: Any, look: Look, shapes: list[Shape], size: tuple[int, int]) -> None:
    """Show a part of the camera's own picture, from the same place: a longer lens, shifted."""
    bpy.context.view_layer.update()
    middle, zoom = np.zeros(2), look.zoom
    if look.at:
        low, high = _seen_box(camera, look.at, shapes, size)
        middle, zoom = (low + high) / 2, zoom * min(8.0, 2 / (CLOSE_UP * max(float((high - low).max()), 1e-3)))
        zoom = max(zoom, look.zoom)
    width, height = size
    data, larger = camera.data, max(width, height)
    data.shift_x = (data.shift_x + middle[0] / 2 * width / larger) * zoom
    data.shift_y = (data.shift_y + middle[1] / 2 * height / larger) * zoom
    data.lens *= zoom
    data.ortho_scale /= zoom


def _seen_box(camera: Any, name: str, shapes: list[Shape], size: tuple[int, int]) -> tuple[Array, Array]:
    """Where in the picture an object is, −1 to 1; the whole picture where it is not seen."""
    graph = bpy.context.evaluated_depsgraph_get()
    lens = camera.evaluated_get(graph).calc_matrix_camera(graph, x=size[0], y=size[1])
    matrix = np.array(lens @ camera.matrix_world.normalized().inverted())
    points, triangles = joined(shape for shape in shapes if _belongs(shape.thing, (name,)))
    flat = projected(points, triangles, matrix).reshape(-1, 2)
    flat = flat[(np.abs(flat) <= 1.5).all(axis=1)]
    if not len(flat):
        return np.array([-1.0, -1.0]), np.array([1.0, 1.0])
    return flat.min(0), flat.max(0)
