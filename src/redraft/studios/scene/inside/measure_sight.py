"""What the scene's camera sees of each thing.

`pixels` are counted in a small flat picture in which every object has a colour of its own. Glass and other clear things
are drawn in a second one, so that they hide nothing. `bare` is what the thing would cover in the same picture if it
were alone, and `outside` the share of points spread over its surface that are not within the picture or not within
the camera's clip distances. All are of the object itself, without its parts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy
import numpy as np

from redraft.studios.scene.inside.measure_bodies import spread
from redraft.studios.scene.inside.measure_paint import see_through
from redraft.studios.scene.inside.viewer_arrays import Array
from redraft.studios.scene.inside.viewer_open import switched_off
from redraft.studios.scene.inside.viewer_raster import covered, projected
from redraft.studios.scene.inside.viewer_render import picture, pixels_of, shown_as
from redraft.studios.scene.inside.viewer_shapes import Shape
from redraft.studios.scene.inside.viewer_versions import set_if_there

__all__ = ["add_sight"]

WIDTH = 192
"""Of the small picture; its height follows from the shape of the real one."""
LEVELS = 32
"""Steps of each channel that tell objects apart: 8 of 256, so that rounding does no harm."""
POINTS = 200


def add_sight(scene: Any, shapes: list[Shape], things: list[dict[str, Any]], width: int, height: int) -> None:
    """Fill `pixels`, `bare` and `outside` of things (in the order of shapes) for a picture of this shape."""
    tall = max(8, round(WIDTH * height / width))
    seen = _counted(scene, shapes, WIDTH, tall)
    matrix = _matrix(scene.camera, width, height)
    total = WIDTH * tall
    for shape, thing in zip(shapes, things, strict=True):
        if shape.hidden or not len(shape.triangles):
            continue
        flat = (projected(shape.points, shape.triangles, matrix) + 1) / 2 * [WIDTH, tall]
        pixels = seen.get(shape.name, 0) / total
        bare = float(covered(flat, WIDTH, tall).sum()) / total
        thing["pixels"], thing["bare"] = round(pixels, 5), round(max(bare, pixels), 5)
        thing["outside"] = round(_outside(shape, matrix), 4)


def _matrix(camera: Any, width: int, height: int) -> Array:
    graph = bpy.context.evaluated_depsgraph_get()
    lens = camera.evaluated_get(graph).calc_matrix_camera(graph, x=width, y=height)
    return np.array(lens @ camera.matrix_world.normalized().inverted())


def _outside(shape: Shape, matrix: Array) -> float:
    points = spread(shape.points, shape.triangles, POINTS)
    if not len(points):
        return 0.0
    seen = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ matrix.T
    within = (np.abs(seen[:, :3]) <= seen[:, 3:]).all(axis=1) & (seen[:, 3] > 0)
    return 1.0 - float(within.mean())


def _counted(scene: Any, shapes: list[Shape], width: int, height: int) -> dict[str, int]:
    """Cells of the picture by object."""
    _flat_colours(scene)
    kept = [(thing, tuple(thing.color)) for thing in bpy.data.objects]
    numbers = {shape.name: index + 1 for index, shape in enumerate(shapes)}
    for thing, _ in kept:
        thing.color = _colour(numbers.get(_counts_for(thing, numbers), 0))
    clear = [shape for shape in shapes if not shape.hidden and see_through(shape)]
    try:
        solid = _numbers(scene, [shape.thing for shape in clear], width, height)
        found = {name: int((solid == number).sum()) for name, number in numbers.items()}
        if clear:
            every = _numbers(scene, (), width, height)
            found |= {shape.name: int((every == numbers[shape.name]).sum()) for shape in clear}
    finally:
        for thing, colour in kept:
            thing.color = colour
    return found


def _counts_for(thing: Any, numbers: dict[str, int]) -> str:
    """Whose copy an object is that lies in no scene: that of the first thing that shows its collection."""
    if str(thing.name) in numbers:
        return str(thing.name)
    for collection in thing.users_collection:
        for maker in sorted(numbers):
            if bpy.data.objects[maker].instance_collection == collection:
                return maker
    return ""


def _flat_colours(scene: Any) -> None:
    """Every object in its own colour, exactly, without light."""
    scene.render.engine = "BLENDER_WORKBENCH"
    shown_as(scene, "Raw")
    scene.display.render_aa = "OFF"
    scene.render.dither_intensity = 0.0
    scene.render.film_transparent = False
    scene.world = bpy.data.worlds.new("redraft nothing")
    scene.world.color = (0.0, 0.0, 0.0)
    shading = scene.display.shading
    shading.type, shading.light, shading.color_type = "SOLID", "FLAT", "OBJECT"
    set_if_there(shading, show_shadows=False, show_cavity=False, show_object_outline=False, show_xray=False)
    set_if_there(shading, show_specular_highlight=False, use_dof=False, show_backface_culling=False)


def _colour(number: int) -> tuple[float, float, float, float]:
    steps = (number % LEVELS, number // LEVELS % LEVELS, number // LEVELS**2)
    red, green, blue = ((step * 8 + 4) / 255 if number else 0.0 for step in steps)
    return red, green, blue, 1.0


def _numbers(scene: Any, without: Iterable[Any], width: int, height: int) -> Array:
    with switched_off(without):
        pixels = pixels_of(picture(scene, scene.camera, width, height))
    steps = np.round(pixels * 255).astype(np.int64) // 8
    numbers = steps[:, :, 0] + steps[:, :, 1] * LEVELS + steps[:, :, 2] * LEVELS**2
    return np.asarray(np.where(pixels.max(axis=2) > 0, numbers, 0))
