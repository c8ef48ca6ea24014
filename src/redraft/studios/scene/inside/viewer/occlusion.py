"""Occlusion: which things the scene's camera sees, and clearing the way between a view and what matters.

`pixels` are counted in a small flat picture in which every object has a color of its own. Glass and other clear things
are drawn in a second one, so that they hide nothing. `bare` is what the thing would cover in the same picture if it
were alone, and `outside` the share of points spread over its surface that are not within the picture or not within
the camera's clip distances. All are of the object itself, without its parts.

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

from redraft.studios.scene.inside.viewer.contact import spread
from redraft.studios.scene.inside.viewer.framing import CORNERS, Stand, is_flat
from redraft.studios.scene.inside.viewer.materials import see_through
from redraft.studios.scene.inside.viewer.raster import Array, covered, projected
from redraft.studios.scene.inside.viewer.render import picture, pixels_of, set_if_there, shown_as
from redraft.studios.scene.inside.viewer.shapes import Shape, box_of

EDGE = 0.01
"""Share of the size of what matters: what reaches no further into its box does not count as in it."""
MOSTLY = 0.3
"""Share of a wall's surface: with so much of it in the way, all of it is."""
MAX_TRIANGLES = 200_000
"""Triangles of a place that is opened; a finer one stays as it is."""


@contextmanager
def switched_off(things: Iterable[Any]) -> Generator[None]:
    """Leave things out of what is rendered, for a while; of a lit picture only out of sight.

    There a ceiling that is in the way still shines and casts its shadow, so that the light stays that of the scene.
    """
    changed = [thing for thing in things if not thing.hide_render and thing.visible_camera]
    unseen = [thing for thing in changed if _lit() and thing.instance_type == "NONE"]
    for thing in changed:
        thing.visible_camera, thing.hide_render = thing not in unseen, thing not in unseen
    try:
        yield
    finally:
        for thing in changed:
            thing.visible_camera, thing.hide_render = True, False


def _lit() -> bool:
    return bpy.context.scene.render.engine == "CYCLES"


@contextmanager
def way_cleared(
    scene: Any, view: str, where: Stand, box: Array, groups: Mapping[str, Sequence[Shape]], chosen: Iterable[str]
) -> Generator[None]:
    """Clear the way for a while. `chosen` are the groups that matter, which stay as they are."""
    places = [shape for name in sorted(set(groups) - set(chosen)) for shape in groups[name]]
    with ExitStack() as stack:
        if view in CORNERS:
            for shape in places:
                stack.enter_context(_opened(scene, shape, where, box))
        else:
            # What reaches hardly beyond the nearer side of the box, from the camera's side, is in the way.
            axis = int(np.abs(where.forward).argmax())
            least = EDGE * float(np.linalg.norm(box[1] - box[0]))
            off: list[Any] = []
            for shape in places:
                own = box_of([shape])[:, axis]
                ahead = where.forward[axis] > 0
                if own[1] <= box[0, axis] + least if ahead else own[0] >= box[1, axis] - least:
                    off.append(shape.thing)
            stack.enter_context(switched_off(off))
        yield


@contextmanager
def _opened(scene: Any, shape: Shape, where: Stand, box: Array) -> Generator[None]:
    """Show a place without the triangles whose planes part the camera from the middle of what it looks at."""
    middle = box.mean(0)
    corners = shape.points[shape.triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    to_eye = np.einsum("ij,ij->i", normals, where.place - corners[:, 0])
    to_middle = np.einsum("ij,ij->i", normals, middle - corners[:, 0])
    ahead = ((corners - middle) @ (where.place - middle)).max(axis=1) > 0
    apart = (to_eye * to_middle < 0) & ahead
    if not apart.any() or len(apart) > MAX_TRIANGLES:
        yield
        return

    kept = ~apart
    areas = np.linalg.norm(normals, axis=1)
    if is_flat(box_of([shape])) and areas[apart].sum() > MOSTLY * areas.sum():
        kept[:] = False
    shape.thing.hide_render = True
    copies = [_copy(scene, shape, kept)]
    if _lit():
        copies.append(_copy(scene, shape, ~kept))
        copies[-1].visible_camera = False
    try:
        yield
    finally:
        for copy in copies:
            data = copy.data
            bpy.data.objects.remove(copy)
            bpy.data.meshes.remove(data)
        shape.thing.hide_render = False


def _copy(scene: Any, shape: Shape, kept: Array) -> Any:
    """Return a copy of a shape with some of its triangles, in the world."""
    mesh = bpy.data.meshes.new("redraft opened")
    mesh.from_pydata(shape.points.tolist(), [], shape.triangles[kept].tolist())
    for slot in shape.thing.material_slots:
        mesh.materials.append(slot.material)
    if len(mesh.materials):
        mesh.polygons.foreach_set("material_index", shape.slots[kept].clip(0, len(mesh.materials) - 1).astype(np.int32))
    copy = bpy.data.objects.new("redraft opened", mesh)
    scene.collection.objects.link(copy)
    return copy


WIDTH = 192
"""Cells of the small picture; its height follows from the shape of the real one."""
LEVELS = 32
"""Steps of each channel that distinguish objects: 8 of 256, so that rounding does no harm."""
POINTS = 200
"""Points spread over a thing, for the share of it that lies outside."""


def add_sight(scene: Any, shapes: list[Shape], things: list[dict[str, Any]], width: int, height: int) -> None:
    """Fill `pixels`, `bare` and `outside` of things (in the order of shapes) for a picture of this shape."""
    tall = max(8, round(WIDTH * height / width))
    seen = _count_cells(scene, shapes, WIDTH, tall)
    matrix = camera_matrix(scene.camera, width, height)
    total = WIDTH * tall
    for shape, thing in zip(shapes, things, strict=True):
        if shape.hidden or not len(shape.triangles):
            continue
        flat = (projected(shape.points, shape.triangles, matrix) + 1) / 2 * [WIDTH, tall]
        pixels = seen.get(shape.name, 0) / total
        bare = float(covered(flat, WIDTH, tall).sum()) / total
        thing["pixels"], thing["bare"] = round(pixels, 5), round(max(bare, pixels), 5)

        points = spread(shape.points, shape.triangles, POINTS)
        outside = 0.0
        if len(points):
            places = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ matrix.T
            within = (np.abs(places[:, :3]) <= places[:, 3:]).all(axis=1) & (places[:, 3] > 0)
            outside = 1.0 - float(within.mean())
        thing["outside"] = round(outside, 4)


def camera_matrix(camera: Any, width: int, height: int) -> Array:
    """Return the matrix from the world to a camera's picture, −1 to 1."""
    graph = bpy.context.evaluated_depsgraph_get()
    lens = camera.evaluated_get(graph).calc_matrix_camera(graph, x=width, y=height)
    return np.array(lens @ camera.matrix_world.normalized().inverted())


def _count_cells(scene: Any, shapes: list[Shape], width: int, height: int) -> dict[str, int]:
    """Return how many cells of the picture each object has."""
    _draw_flat_colors(scene)
    kept = [(thing, tuple(thing.color)) for thing in bpy.data.objects]
    numbers = {shape.name: index + 1 for index, shape in enumerate(shapes)}

    # What lies in no scene, and is copied, gets the color of the first thing that shows its collection.
    makers: dict[str, str] = {}
    for thing in sorted(bpy.data.objects, key=lambda each: str(each.name)):
        if thing.instance_collection is not None and str(thing.name) in numbers:
            for each in thing.instance_collection.objects:
                if str(each.name) not in numbers:
                    makers.setdefault(str(each.name), str(thing.name))
    for thing, _ in kept:
        name = str(thing.name)
        number = numbers.get(makers.get(name, name), 0)
        steps = (number % LEVELS, number // LEVELS % LEVELS, number // LEVELS**2)
        thing.color = (*((step * 8 + 4) / 255 if number else 0.0 for step in steps), 1.0)

    clear = [shape for shape in shapes if not shape.hidden and see_through(shape)]
    try:
        solid = _numbers(scene, [shape.thing for shape in clear], width, height)
        cells = {name: int((solid == number).sum()) for name, number in numbers.items()}
        if clear:
            every = _numbers(scene, (), width, height)
            cells |= {shape.name: int((every == numbers[shape.name]).sum()) for shape in clear}
    finally:
        for thing, color in kept:
            thing.color = color
    return cells


def _draw_flat_colors(scene: Any) -> None:
    """Set the scene up to draw every object in its own color, exactly, without light."""
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


def _numbers(scene: Any, without: Iterable[Any], width: int, height: int) -> Array:
    """Return the number of the object at each cell of the picture, 0 for none."""
    with switched_off(without):
        pixels = pixels_of(picture(scene, scene.camera, width, height))
    steps = np.round(pixels * 255).astype(np.int64) // 8
    numbers = steps[:, :, 0] + steps[:, :, 1] * LEVELS + steps[:, :, 2] * LEVELS**2
    return np.asarray(np.where(pixels.max(axis=2) > 0, numbers, 0))
