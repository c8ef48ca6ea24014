"""Geometry of a scene as arrays: every object's triangles in the world, modifiers applied.

Objects are measured whether they are switched on in the viewport or not: what counts is what a render shows.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np

from redraft.studios.scene.inside.viewer.raster import Array

MAX_TRIANGLES = 100_000
"""Triangles of a surface that is measured; a finer one is taken coarser, by at most a four-hundredth of its size."""
WELDED = 30_000
"""Points up to which a surface with open edges is looked at again, with points in one place taken as one."""
FARTHEST = 1e7
"""Meters from the origin."""


def _no_points() -> Array:
    return np.zeros((0, 3))


def _no_triangles() -> Array:
    return np.zeros((0, 3), np.int64)


@dataclass(eq=False)
class Mesh:
    """Points (n × 3) and triangles (m × 3), as they are and as they are measured."""

    points: Array = field(default_factory=_no_points)
    triangles: Array = field(default_factory=_no_triangles)
    slots: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    """The material slot of each triangle."""
    faces: int = 0
    rough_points: Array = field(default_factory=_no_points)
    rough_triangles: Array = field(default_factory=_no_triangles)
    """Of a closed surface all look outwards."""
    closed: bool = True
    endless: bool = False
    """Some coordinate was not a number, or was endless, and has been put back."""


def mesh_of(points: Array, triangles: Array, slots: Array, faces: int) -> Mesh:
    """Return a mesh with what is to be known of its surface."""
    rough, corners = (points, triangles) if len(triangles) <= MAX_TRIANGLES else _coarser(points, triangles)
    closed = is_closed(rough, corners)
    if closed and len(corners):  # a negative volume says that the faces look inwards
        places = rough[corners] - rough.mean(0)
        volume = float(np.einsum("ij,ij->i", places[:, 0], np.cross(places[:, 1], places[:, 2])).sum())
        corners = corners[:, ::-1] if volume < 0 else corners
    return Mesh(points, triangles, slots, faces, rough, corners, closed)


def finite(points: Array) -> Array:
    """Put back what is NaN or farther away than any scene reaches."""
    return np.nan_to_num(points, nan=0.0, posinf=FARTHEST, neginf=-FARTHEST).clip(-FARTHEST, FARTHEST)


def is_closed(points: Array, triangles: Array) -> bool:
    """Whether a surface has an inside: every edge lies between two faces. What has no face has no edge that is open."""
    if not len(triangles):
        return True
    if _edges_meet(triangles):
        return True
    if len(points) > WELDED:
        return False
    size = max(float(np.ptp(points, axis=0).max()), 1e-9)
    _, same = np.unique(np.round(points / (size * 1e-5)).astype(np.int64), axis=0, return_inverse=True)
    welded = same.reshape(-1)[triangles]
    real = (welded != np.roll(welded, 1, axis=1)).all(axis=1)
    return _edges_meet(welded[real])


def _edges_meet(triangles: Array) -> bool:
    if not len(triangles):
        return False
    ends = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    _, counts = np.unique(ends[:, 0] * (int(ends.max()) + 1) + ends[:, 1], return_counts=True)
    return bool((counts % 2 == 0).all())


def crosses(points: Array, triangles: Array) -> Array:
    """Return the normal of each triangle, as long as twice its area."""
    corners = points[triangles]
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def _coarser(points: Array, triangles: Array) -> tuple[Array, Array]:
    """Return a surface with the points in one cell of a fine grid taken as one."""
    low = np.asarray(points.min(0), np.float64)
    size = float(np.ptp(points, axis=0).max()) or 1.0
    cells = np.asarray(np.round((np.asarray(points, np.float64) - low) / (size / 200)), np.int64)
    keys = np.asarray((cells[:, 0] * 1_000 + cells[:, 1]) * 1_000 + cells[:, 2], np.int64)
    _, first, same = np.unique(keys, return_index=True, return_inverse=True)
    moved = same.reshape(-1)[triangles]
    real = (moved != np.roll(moved, 1, axis=1)).all(axis=1)
    return points[first], moved[real]


MAX_OBJECTS = 2_000
"""Objects that are measured, the largest first."""
MAX_COPIES = 2_000
"""Copies of other geometry that count towards the shape of what makes them."""
SOLID = {"MESH", "CURVE", "SURFACE", "FONT", "META", "CURVES", "POINTCLOUD"}
APART = {"LIGHT", "CAMERA"}


@dataclass
class Shape:
    """One object of the scene that is not a light or a camera."""

    thing: Any
    points: Array = field(default_factory=lambda: np.zeros((0, 3)))
    triangles: Array = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    slots: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    """The material slot of each triangle."""
    rough_points: Array = field(default_factory=lambda: np.zeros((0, 3)))
    rough_triangles: Array = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    """As they are measured: a very fine surface is taken coarser, and a closed one looks outwards."""
    closed: bool = True
    model: tuple[Mesh, bytes] | None = None
    """Its mesh and how that is turned and scaled, which copies share."""
    place: Array = field(default_factory=lambda: np.zeros(3))
    """Where the origin of the mesh is."""
    faces: int = 0
    copies: int = 0
    hidden: bool = False
    endless: bool = False
    """Some coordinate was not a number, or was endless, and has been put back."""

    @property
    def name(self) -> str:
        return str(self.thing.name)

    @property
    def box(self) -> Array | None:
        """Lowest and highest corner (2 × 3); None without points."""
        return np.array([self.points.min(0), self.points.max(0)]) if len(self.points) else None

    @property
    def extent(self) -> float:
        box = self.box
        return float(np.linalg.norm(box[1] - box[0])) if box is not None else 0.0


def show_all(scene: Any) -> set[str]:
    """Show all in the viewport, with the modifiers that a render has; return the names of what a render hides."""
    layer = bpy.context.view_layer
    hidden = _left_out(layer.layer_collection, False)
    for thing in scene.objects:
        if thing.hide_render:
            hidden.add(str(thing.name))
        if thing.hide_viewport:  # with thousands of objects each setting takes milliseconds
            thing.hide_viewport = False
        for modifier in thing.modifiers:
            modifier.show_viewport = modifier.show_render
            if modifier.type in {"SUBSURF", "MULTIRES"}:
                modifier.levels = min(modifier.render_levels, max(modifier.levels, 2))
    for thing in layer.objects:
        if thing.hide_get():
            thing.hide_set(False)
    layer.update()
    return hidden


def _left_out(entry: Any, above: bool) -> set[str]:
    """Return objects of collections that no render shows; the collections are switched on in the viewport."""
    off = above or entry.exclude or entry.collection.hide_render or entry.holdout
    names = {str(thing.name) for thing in entry.collection.objects} if off else set[str]()
    if entry.exclude:
        entry.exclude = False
        entry.collection.hide_render = True
    entry.hide_viewport = False
    entry.collection.hide_viewport = False
    for child in entry.children:
        names |= _left_out(child, off)
    return names


def shapes_of(scene: Any, hidden: Iterable[str]) -> tuple[list[Shape], int]:
    """Return all shapes by name, at most `MAX_OBJECTS`, and how many were left out."""
    shapes = {str(thing.name): Shape(thing) for thing in scene.objects if thing.type not in APART}
    for name in hidden:
        if name in shapes:
            shapes[name].hidden = True

    known: dict[int, Mesh] = {}
    copies: dict[str, list[tuple[Mesh, Array]]] = {}
    for instance in bpy.context.evaluated_depsgraph_get().object_instances:
        maker = instance.parent if instance.is_instance else instance.object
        shape = shapes.get(str(maker.name)) if maker else None
        if shape is None or instance.object.type not in SOLID:
            continue
        mesh = _mesh(instance.object, known)
        matrix = np.array(instance.matrix_world)
        if instance.is_instance:
            shape.copies += 1
            if shape.copies <= MAX_COPIES:
                copies.setdefault(shape.name, []).append((mesh, matrix))
        else:
            _set(shape, [(mesh, matrix)])
            shape.faces = mesh.faces
    for name, placed in copies.items():
        if not len(shapes[name].points):  # it is nothing but its copies: an instanced collection, geometry nodes
            _set(shapes[name], placed)

    kept = sorted(shapes.values(), key=lambda shape: (-shape.extent, shape.name))[:MAX_OBJECTS]
    return sorted(kept, key=lambda shape: shape.name), len(shapes) - len(kept)


def _set(shape: Shape, placed: list[tuple[Mesh, Array]]) -> None:
    """Give a shape the geometry of one or more meshes, each at its place."""
    if len(placed) == 1:
        (mesh, at), *_ = placed
        shape.model, shape.place = (mesh, at[:3, :3].tobytes()), at[:3, 3]
    shape.points, shape.triangles = _together((_moved(mesh.points, at), mesh.triangles) for mesh, at in placed)
    rough: list[tuple[Array, Array]] = []
    for mesh, at in placed:
        mirrors = np.linalg.det(np.nan_to_num(at[:3, :3])) < 0
        corners = mesh.rough_triangles[:, ::-1] if mirrors else mesh.rough_triangles
        rough.append((_moved(mesh.rough_points, at), corners))
    shape.rough_points, shape.rough_triangles = _together(rough)
    shape.slots = np.concatenate([mesh.slots for mesh, _ in placed])
    shape.closed = all(mesh.closed for mesh, _ in placed)
    shape.endless = any(mesh.endless or not np.isfinite(at).all() for mesh, at in placed)


def _mesh(thing: Any, known: dict[int, Mesh]) -> Mesh:
    """Return the mesh of an evaluated object; objects that share one read it once."""
    key = thing.data.as_pointer() if thing.type == "MESH" else 0
    if key and key in known:
        return known[key]
    data = thing.to_mesh()
    mesh = Mesh()
    if data is not None:
        points = np.empty(len(data.vertices) * 3, np.float32)
        data.vertices.foreach_get("co", points)
        data.calc_loop_triangles()
        corners = np.empty(len(data.loop_triangles) * 3, np.int32)
        data.loop_triangles.foreach_get("vertices", corners)
        slots = np.empty(len(data.loop_triangles), np.int32)
        data.loop_triangles.foreach_get("material_index", slots)
        places = finite(points.reshape(-1, 3).astype(np.float64))
        mesh = mesh_of(places, corners.reshape(-1, 3).astype(np.int64), slots.astype(np.int64), len(data.polygons))
        mesh.endless = not np.isfinite(points).all()
    thing.to_mesh_clear()
    if key:
        known[key] = mesh
    return mesh


def _moved(points: Array, matrix: Array) -> Array:
    return finite(points @ matrix[:3, :3].T + matrix[:3, 3])


def _together(parts: Iterable[tuple[Array, Array]]) -> tuple[Array, Array]:
    points: list[Array] = []
    triangles: list[Array] = []
    count = 0
    for places, corners in parts:
        points.append(places)
        triangles.append(corners + count)
        count += len(places)
    if not points:
        return np.zeros((0, 3)), np.zeros((0, 3), np.int64)
    return np.concatenate(points), np.concatenate(triangles)


def joined(shapes: Iterable[Shape]) -> tuple[Array, Array]:
    """Return points and triangles of several shapes as of one."""
    return _together((shape.points, shape.triangles) for shape in shapes)


def box_of(shapes: Iterable[Shape]) -> Array:
    """Return the box around several shapes that have points."""
    points, _ = joined(shapes)
    return np.array([points.min(0), points.max(0)])


def groups_of(shapes: Iterable[Shape]) -> dict[str, list[Shape]]:
    """Return the shapes that a render shows, by top-level thing.

    An empty that holds most of the scene is a holder, not a thing.
    """
    shown = [shape for shape in shapes if not shape.hidden and len(shape.points)]
    holders: set[str] = set()
    while True:
        groups: dict[str, list[Shape]] = {}
        for shape in shown:
            groups.setdefault(str(root_of(shape.thing, holders).name), []).append(shape)
        large = {name for name, members in groups.items() if 3 * len(members) > 2 * len(shown) > 4}
        large = {
            name
            for name in large
            if any(each.name == name and each.type == "EMPTY" for each in _above(groups[name][0].thing))
        }
        if not large:
            return groups
        holders |= large


def root_of(thing: Any, holders: Container[str] = ()) -> Any:
    """Return the top-level thing of an object: its highest ancestor that is not a light, camera or holder."""
    root = thing
    for above in _above(thing):
        if above.type not in APART and above.name not in holders:
            root = above
    return root


def _above(thing: Any) -> Iterator[Any]:
    seen = 0
    while thing.parent is not None and seen < 1_000:
        thing, seen = thing.parent, seen + 1
        yield thing
