"""A scene as a `Layout`: its plan, seen from above with the camera at the foot of the sheet.

x runs to the camera's right and y towards the camera, in meters, so that *left*, *right* and what is farther up the
sheet (*behind*) are what the camera shows; the origin is the world's. For a camera that looks along +y, x is the
world's x and y the world's −y. `to_world` turns steps in the plan into steps in the world.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence

import shapely
from shapely import Polygon
from shapely.affinity import affine_transform
from shapely.geometry import GeometryCollection, box
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Frame, Item, Layout, Style
from redraft.studios.scene.bodies import Body, Space, common_start, label_of, words_of
from redraft.studios.scene.spec import Scene, Thing

THIN = 5e-4
"""Meters: half the thickness given to what has none."""

Shaper = Callable[[Thing], BaseGeometry]


def layout_of(scene: Scene) -> Layout:
    """The plan: every thing with its parts, scenery too, with their heights. The frame is around all but scenery."""
    space = Space(scene.facts)
    layers = {body.name: int(not body.scenery) for body in space.bodies.values()}
    items = tuple(items_of(space, lambda thing: _turned(space, footprint(thing)), layers))
    hidden = _hidden(scene, {item.name for item in items})
    return Layout((*items, *hidden), _frame(space, items))


def _hidden(scene: Scene, shown: Container[str]) -> Iterator[Item]:
    """What is switched off for rendering: it is there by name, and covers nothing."""
    for thing in scene.facts.things:
        if thing.hidden and thing.box is not None and thing.name not in shown:
            parent = thing.parent if thing.parent is not None and thing.parent in shown else None
            yield Item(thing.name, label_of(thing.name), GeometryCollection(), parent)


def _frame(space: Space, items: Sequence[Item]) -> Frame:
    acting = {part.name for body in space.actors for part in body.parts}
    shapes = [i.shape for i in items if i.name in acting] or [i.shape for i in items if not i.shape.is_empty]
    x0, y0, x1, y1 = shapely.union_all(shapes).bounds if shapes else (0.0, 0.0, 1.0, 1.0)
    return Frame("m", bounds=(x0, y0, x1, y1), grid=1.0, layers={1: "thing", 0: "scenery"}, plan=True)


def items_of(space: Space, shape: Shaper, layers: dict[str, int] | None = None) -> Iterator[Item]:
    """The bodies and their parts as items, each body under its chief object; `shape` says what a part covers."""
    for body in space.bodies.values():
        things = {part.name: part for part in body.parts}
        layer = (layers or {}).get(body.name, 0)
        yield _item(body.name, body.label, None, things.get(body.name), shape, layer)
        for part in body.parts:
            if part.name != body.name:
                parent = part.parent if part.parent in things else body.name
                yield _item(part.name, _role(part.name, body), parent, part, shape, layer)


def _role(name: str, body: Body) -> str:
    """What a part is of its whole: the `Robot_Arm` of a robot is an arm. `Tree_2` among trees is a tree."""
    words = words_of(name)
    rest = words[len(common_start((words, words_of(body.name)))) :]
    return label_of(name) if all(word.isdigit() for word in rest) else label_of("_".join(rest))


def _item(name: str, label: str, parent: str | None, thing: Thing | None, shape: Shaper, layer: int) -> Item:
    if thing is None or thing.box is None:  # an empty that holds its parts together
        return Item(name, label, GeometryCollection(), parent, layer)
    style = Style(fills=tuple(dict.fromkeys(thing.colours)))
    return Item(name, label, shape(thing), parent, layer, (thing.box[2], thing.box[5]), style=style)


def footprint(thing: Thing) -> BaseGeometry:
    """What a thing covers as seen from above, in the world; never without area."""
    rings = [Polygon(ring) for ring in thing.footprint if len(ring) > 2]
    area = shapely.union_all([ring if ring.is_valid else ring.buffer(0) for ring in rings])
    if area.is_empty or area.area == 0.0:
        assert thing.box is not None
        x0, y0, _, x1, y1, _ = thing.box
        area = box(x0, y0, x1, y1)
    return area if area.area > 0.0 else area.buffer(THIN, cap_style="square", join_style="mitre")


def _turned(space: Space, shape: BaseGeometry) -> BaseGeometry:
    """In the plan's axes, to 0.1 mm as it was measured."""
    (rx, ry), (fx, fy) = space.right, space.forward
    turned = affine_transform(shape, [rx, ry, -fx, -fy, 0.0, 0.0])
    return shapely.transform(turned, lambda points: points.round(4))
