"""The fast views of a scene: drawn by Workbench, lit from a studio, framed on what matters.

They show form and place and the colours of materials, not the scene's own light.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from redraft.studios.scene.inside.measure_paint import base_colour, is_clear
from redraft.studios.scene.inside.viewer_frame import CORNERS, Stand, focus, shells, stand
from redraft.studios.scene.inside.viewer_render import picture, shown_as
from redraft.studios.scene.inside.viewer_shapes import Array
from redraft.studios.scene.inside.viewer_versions import set_if_there

__all__ = ["fast_view", "in_the_way", "placed_camera", "switched_off", "workbench"]

BEHIND = (0.5, 0.52, 0.55)
"""Linear, behind everything."""
SAMPLES = "5"
BRIGHTER = 0.35
"""Stops: so that white stays white, and dark wood is seen."""
LIGHT = "paint.sl"
"""Of Blender's studio lights the one that leaves colours most like themselves."""


def workbench(scene: Any) -> None:
    """Set the scene up for views in material colours under a studio light."""
    scene.render.engine = "BLENDER_WORKBENCH"
    shown_as(scene, "Standard")
    scene.view_settings.exposure = BRIGHTER
    scene.display.render_aa = SAMPLES
    scene.render.film_transparent = False
    scene.render.dither_intensity = 0.0
    _paint_materials()
    scene.world = bpy.data.worlds.new("redraft view")
    scene.world.color = BEHIND
    shading = scene.display.shading
    shading.type, shading.light, shading.color_type = "SOLID", "STUDIO", "MATERIAL"
    if LIGHT in bpy.context.preferences.studio_lights:
        shading.studio_light = LIGHT
    set_if_there(shading, show_shadows=True, shadow_intensity=0.35, show_cavity=True, cavity_type="BOTH")
    set_if_there(shading, show_object_outline=True, object_outline_color=(0.1, 0.1, 0.12))
    set_if_there(shading, show_specular_highlight=True, show_xray=False, use_dof=False, show_backface_culling=False)
    set_if_there(scene.display, light_direction=(-0.35, 0.45, 0.82))


def _paint_materials() -> None:
    """Workbench shows the viewport's colours, which scripts seldom set: give it those that the shaders have."""
    for material in bpy.data.materials:
        clear = 0.35 if is_clear(material) else 1.0
        material.diffuse_color = (*base_colour(material), clear)
        material.metallic, material.roughness = 0.0, 0.6


@contextmanager
def placed_camera(scene: Any, where: Stand) -> Generator[Any]:
    """A camera of redraft's own, gone afterwards."""
    data = bpy.data.cameras.new("redraft view")
    camera = bpy.data.objects.new("redraft view", data)
    scene.collection.objects.link(camera)
    data.sensor_fit = "AUTO"
    data.clip_start, data.clip_end = where.near, where.far
    if where.scale:
        data.type, data.ortho_scale = "ORTHO", where.scale
    else:
        data.type, data.angle = "PERSP", where.angle
    camera.matrix_world = _matrix(where)
    try:
        yield camera
    finally:
        bpy.data.objects.remove(camera)
        bpy.data.cameras.remove(data)


def _matrix(where: Stand) -> Any:
    axes = np.eye(4)
    axes[:3, 0], axes[:3, 1], axes[:3, 2], axes[:3, 3] = where.right, where.up, -where.forward, where.place
    return Matrix(axes.tolist())


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


def fast_view(scene: Any, view: str, boxes: dict[str, Array], size: int) -> bytes:
    """One of the fast views as a square PNG. `boxes` are those of the top-level things that a render shows."""
    box, _ = focus(boxes)
    where = stand(view, box, 1.0)
    off = in_the_way(view, where, box, boxes)
    with placed_camera(scene, where) as camera, switched_off(scene.objects[name] for name in sorted(off)):
        return picture(scene, camera, size, size)


def in_the_way(view: str, where: Stand, box: Array, boxes: dict[str, Array]) -> set[str]:
    """What stands between the camera and what matters: walls and ceilings; in parallel views, which see nothing of what
    lies in front of the box, only what lies on that very plane, such as the ground as seen from below."""
    if view in CORNERS:
        middle = box.mean(0)
        return {name for name in shells(boxes) if _between(boxes[name], middle, where.place)}
    axis = int(np.abs(where.forward).argmax())
    side = 0 if where.forward[axis] > 0 else 1
    edge, least = box[side, axis], 0.01 * float(np.linalg.norm(box[1] - box[0]))
    return {name for name, each in boxes.items() if _is_before(each[:, axis], edge, least, side)}


def _is_before(span: Array, edge: float, least: float, side: int) -> bool:
    """Whether something reaches hardly beyond the plane of the box's nearer side, from the camera's."""
    return bool(span[1] <= edge + least) if side == 0 else bool(span[0] >= edge - least)


def _between(wall: Array, middle: Array, eye: Array) -> bool:
    axis = int((wall[1] - wall[0]).argmin())
    place = wall.mean(0)[axis]
    return bool((eye[axis] - place) * (middle[axis] - place) < 0)
