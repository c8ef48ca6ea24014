"""Pictures of the whole scene: fast views drawn by Workbench, and the scene's own camera rendered by Cycles.

Fast views are lit from a studio and framed on what matters. They show form, place and the colors of materials, not the
scene's own light.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from redraft.studios.scene.inside.viewer.framing import Stand, focus, stand
from redraft.studios.scene.inside.viewer.materials import base_colour, is_clear, shines
from redraft.studios.scene.inside.viewer.occlusion import way_cleared
from redraft.studios.scene.inside.viewer.raster import Array
from redraft.studios.scene.inside.viewer.render import has_denoiser, picture, pixels_of, set_if_there, shown_as
from redraft.studios.scene.inside.viewer.shapes import Shape, box_of

FEW = 64
"""Samples up to which the denoiser works in its fast way."""
FEW_LIGHTS = 4
"""Lamps up to which choosing among lights takes half as long again, for the same picture."""
BLACK = 0.02
"""Brightness up to which a pixel counts as black."""
WHITE = 0.98
"""Level of all channels from which a pixel counts as blown out."""


def cycles(scene: Any, samples: int, seed: int) -> None:
    """Set the scene up for a picture by Cycles that is the same each time."""
    scene.render.engine = "CYCLES"
    scene.render.film_transparent = False
    scene.render.dither_intensity = 0.0
    scene.render.threads_mode = "AUTO"
    quality = "FAST" if samples <= FEW else "HIGH"
    prefilter = "FAST" if samples <= FEW else "ACCURATE"
    set_if_there(scene.cycles, device="CPU", samples=samples, seed=seed % (1 << 31), use_adaptive_sampling=False)
    set_if_there(scene.cycles, use_denoising=has_denoiser(), denoising_quality=quality)
    if has_denoiser():
        set_if_there(scene.cycles, denoiser="OPENIMAGEDENOISE")
    set_if_there(scene.cycles, denoising_prefilter=prefilter, denoising_use_gpu=False, use_animated_seed=False)
    set_if_there(scene.cycles, max_bounces=6, time_limit=0.0, use_sample_subset=False, use_auto_tile=False)
    lamps = sum(thing.type == "LIGHT" for thing in scene.objects)
    many_lights = lamps > FEW_LIGHTS or any(shines(material) for material in bpy.data.materials)
    set_if_there(scene.cycles, use_light_tree=many_lights)
    set_if_there(scene.cycles, shading_system=False, use_guiding=False, use_layer_samples="IGNORE")


def camera_picture(scene: Any, camera: Any, width: int, height: int, samples: int, seed: int) -> bytes:
    """Return a PNG through a camera, in the scene's own light, with the script's view transform and exposure."""
    cycles(scene, samples, seed)
    return picture(scene, camera, width, height)


def exposure_of(png: bytes) -> dict[str, float]:
    """Return the fields of `spec.Exposure` for a picture."""
    pixels = pixels_of(png)
    bright = pixels @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    low, high = np.percentile(bright, [5, 95])
    numbers = {
        "mean": bright.mean(),
        "black": (bright <= BLACK).mean(),
        "blown": (pixels.min(axis=2) >= WHITE).mean(),
        "spread": high - low,
    }
    return {name: round(float(number), 4) for name, number in numbers.items()}


BEHIND = (0.5, 0.52, 0.55)
"""Linear color behind everything."""
SAMPLES = "5"
"""Blender's name for five samples of anti-aliasing."""
BRIGHTER = 0.35
"""Stops of exposure: white stays white, and dark wood is seen."""
LIGHT = "paint.sl"
"""The one of Blender's studio lights that changes colors least."""


def workbench(scene: Any) -> None:
    """Set the scene up for views in material colors under a studio light."""
    scene.render.engine = "BLENDER_WORKBENCH"
    shown_as(scene, "Standard")
    scene.view_settings.exposure = BRIGHTER
    scene.display.render_aa = SAMPLES
    scene.render.film_transparent = False
    scene.render.dither_intensity = 0.0
    # Workbench shows the viewport's colors, which scripts seldom set: give it those that the shaders have.
    for material in bpy.data.materials:
        material.diffuse_color = (*base_colour(material), 0.35 if is_clear(material) else 1.0)
        material.metallic, material.roughness = 0.0, 0.6
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
    axes = np.eye(4)
    axes[:3, 0], axes[:3, 1], axes[:3, 2], axes[:3, 3] = where.right, where.up, -where.forward, where.place
    camera.matrix_world = Matrix(axes.tolist())
    try:
        yield camera
    finally:
        bpy.data.objects.remove(camera)
        bpy.data.cameras.remove(data)


def focused(groups: Mapping[str, Sequence[Shape]], eye: Any) -> tuple[Array, set[str]]:
    """Return the `focus` of shapes by top-level thing; `eye` is the scene's own camera, or None."""
    place = np.array(eye.matrix_world.translation) if eye is not None else None
    return focus({name: box_of(members) for name, members in groups.items()}, place)


def fast_view(scene: Any, view: str, groups: Mapping[str, Sequence[Shape]], eye: Any, size: int) -> bytes:
    """Return one of the fast views as a square PNG, of what a render shows, by top-level thing."""
    box, chosen = focused(groups, eye)
    where = stand(view, box, 1.0)
    with way_cleared(scene, view, where, box, groups, chosen), placed_camera(scene, where) as camera:
        return picture(scene, camera, size, size)
