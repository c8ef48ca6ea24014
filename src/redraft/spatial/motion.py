"""Items after moves: every shape, port and angle that an item has is moved along."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import shapely
from shapely.affinity import affine_transform
from shapely.geometry.base import BaseGeometry

from redraft.spatial.layout import Item, Move, Point, Port

__all__ = ["transformed"]


def transformed(item: Item, moves: Sequence[Move]) -> Item:
    """The item alone, its parts not included."""
    for move in moves:
        item = _once(item, move)
    return item


def _once(item: Item, move: Move) -> Item:
    a, b, c, d, e, f = move.matrix

    def point(at: Point) -> Point:
        x, y = at
        return (a * x + c * y + e, b * x + d * y + f)

    def shape(geometry: BaseGeometry | None) -> BaseGeometry | None:
        return None if geometry is None else affine_transform(geometry, [a, c, b, d, e, f])

    here, there = shape(item.shape), shape(item.opposite)
    assert here is not None
    if move.flips and there is not None:
        here, there = there, here
    return replace(
        item,
        shape=here,
        outline=shape(item.outline),
        body=shape(item.body),
        opposite=there,
        bare=shape(item.bare),
        letters=tuple(affine_transform(box, [a, c, b, d, e, f]) for box in item.letters),
        ports=_ports(item.ports, move),
        keepouts=tuple(
            replace(k, shape=affine_transform(k.shape, [a, c, b, d, e, f]), layers=_layers(k.layers, move))
            for k in item.keepouts
        ),
        origin=None if item.origin is None else point(item.origin),
        rotation=_rotation(item.rotation, move),
        layer=1 - item.layer if move.flips else item.layer,
    )


def _ports(ports: tuple[Port, ...], move: Move) -> tuple[Port, ...]:
    """All at once: a part may have a thousand."""
    if not ports:
        return ()
    a, b, c, d, e, f = move.matrix
    turn, shift = np.array([[a, b], [c, d]]), np.array([e, f])
    cores = shapely.transform(np.array([p.core for p in ports], dtype=object), lambda xy: xy @ turn + shift)
    places = np.array([p.at for p in ports]) @ turn + shift
    scale = math.sqrt(abs(a * d - b * c))
    return tuple(
        Port(p.name, (float(x), float(y)), core, p.radius * scale, p.net, p.through, _layer(p.layer, move))
        for p, core, (x, y) in zip(ports, cores, places, strict=True)
    )


def _layers(layers: tuple[int, ...] | None, move: Move) -> tuple[int, ...] | None:
    return layers if layers is None else tuple(1 - n if move.flips else n for n in layers)


def _layer(layer: int | None, move: Move) -> int | None:
    return 1 - layer if move.flips and layer is not None else layer


def _rotation(before: float, move: Move) -> float:
    """Degrees after the move. A flip about the horizontal (y changes sign) turns the angle's sign over."""
    a, b, *_ = move.matrix
    sign = -1.0 if move.flips else 1.0
    exact = round(sign * before + math.degrees(math.atan2(-b, a)), 9) % 360.0
    return exact - 360.0 if exact > 180.0 else exact
