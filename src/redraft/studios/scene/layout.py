"""A scene as a `Layout`: its plan, seen from above with the camera at the foot of the sheet.

x runs to the camera's right and y towards the camera, in meters, so that *left*, *right* and what is farther up the
sheet (*behind*) are what the camera shows; the origin is the world's. For a camera that looks along +y, x is the
world's x and y the world's −y. `to_world` turns steps in the plan into steps in the world.
"""

from __future__ import annotations

import shapely
from shapely import Polygon
from shapely.affinity import affine_transform
from shapely.geometry import GeometryCollection, box
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Frame, Item, Layout, Style
from redraft.studios.scene.bodies import Space, common_start, label_of, words_of
from redraft.studios.scene.spec import Scene, Thing

THIN = 5e-4
"""Meters: half the thickness given to what has none."""


def layout_of(scene: Scene) -> Layout:
    """Return the plan: every thing with its parts, scenery too, with heights. The frame is around all but scenery."""
    space = Space(scene.facts)
    (rx, ry), (fx, fy) = space.right, space.forward

    def item(name: str, label: str, parent: str | None, thing: Thing | None, layer: int) -> Item:
        if thing is None or thing.box is None:  # an empty that holds its parts together
            return Item(name, label, GeometryCollection(), parent, layer)
        # In the plan's axes, to 0.1 mm as it was measured.
        shape = affine_transform(footprint(thing), [rx, ry, -fx, -fy, 0.0, 0.0])
        shape = shapely.transform(shape, lambda points: points.round(4))
        style = Style(fills=tuple(dict.fromkeys(thing.colours)))
        return Item(name, label, shape, parent, layer, (thing.box[2], thing.box[5]), style=style)

    items: list[Item] = []
    for body in space.bodies.values():
        layer, things = int(not body.scenery), {part.name: part for part in body.parts}
        items.append(item(body.name, body.label, None, things.get(body.name), layer))
        for part in body.parts:
            if part.name == body.name:
                continue
            # A part's label is the rest of its name: the `Robot_Arm` of a robot is an arm. `Tree_2` is a tree.
            words = words_of(part.name)
            rest = words[len(common_start((words, words_of(body.name)))) :]
            label = label_of(part.name) if all(word.isdigit() for word in rest) else label_of("_".join(rest))
            items.append(item(part.name, label, part.parent if part.parent in things else body.name, part, layer))

    acting = {part.name for body in space.actors for part in body.parts}
    shapes = [i.shape for i in items if i.name in acting] or [i.shape for i in items if not i.shape.is_empty]
    x0, y0, x1, y1 = shapely.union_all(shapes).bounds if shapes else (0.0, 0.0, 1.0, 1.0)
    frame = Frame("m", bounds=(x0, y0, x1, y1), grid=1.0, layers={1: "thing", 0: "scenery"}, plan=True)

    # A thing that is switched off for rendering has its name in the layout, and covers nothing.
    shown = {each.name for each in items}
    for thing in scene.facts.things:
        if thing.hidden and thing.box is not None and thing.name not in shown:
            parent = thing.parent if thing.parent in shown else None
            items.append(Item(thing.name, label_of(thing.name), GeometryCollection(), parent))
    return Layout(tuple(items), frame)


def footprint(thing: Thing) -> BaseGeometry:
    """Return what a thing covers as seen from above, in the world; never without area."""
    rings = [Polygon(ring) for ring in thing.footprint if len(ring) > 2]
    area = shapely.union_all([ring if ring.is_valid else ring.buffer(0) for ring in rings])
    if area.is_empty or area.area == 0.0:
        assert thing.box is not None
        x0, y0, _, x1, y1, _ = thing.box
        area = box(x0, y0, x1, y1)
    return area if area.area > 0.0 else area.buffer(THIN, cap_style="square", join_style="mitre")
