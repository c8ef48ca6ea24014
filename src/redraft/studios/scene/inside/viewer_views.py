"""The fast views of a scene: drawn by Workbench, lit from a studio, framed on what matters.

They show form and place and the colours of materials, not the scene's own light.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from redraft.studios.scene.inside.measure_paint import base_colour, is_clear
from redraft.studios.scene.inside.viewer_arrays import Array
from redraft.studios.scene.inside.viewer_frame import Stand, focus, stand
from redraft.studios.scene.inside.viewer_open import way_cleared
from redraft.studios.scene.inside.viewer_render import picture, shown_as
from redraft.studios.scene.inside.viewer_shapes import Shape, box_of
from redraft.studios.scene.inside.viewer_versions import set_if_there

__all__ = ["fast_view", "focused", "placed_camera", "workbench"]

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


def focused(groups: Mapping[str, Sequence[Shape]], eye: Any) -> tuple[Array, set[str]]:
    """`focus` of shapes by top-level thing; `eye` is the scene's own camera, or None."""
    place = np.array(eye.matrix_world.translation) if eye is not None else None
    return focus({name: box_of(members) for name, members in groups.items()}, place)


def fast_view(scene: Any, view: str, groups: Mapping[str, Sequence[Shape]], eye: Any, size: int) -> bytes:
    """One of the fast views as a square PNG, of what a render shows, by top-level thing."""
    box, chosen = focused(groups, eye)
    where = stand(view, box, 1.0)
    with way_cleared(scene, view, where, box, groups, chosen), placed_camera(scene, where) as camera:
        return picture(scene, camera, size, size)
