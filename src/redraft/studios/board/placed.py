"""Footprints as items of a layout: every shape turned and put where its footprint lies, all parts in one pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

from redraft.spatial.layout import Item, Keepout, Port
from redraft.studios.board.model import MM, Footprint, Pad, Pose
from redraft.studios.board.shapes import turned

__all__ = ["LAYERS", "items_of"]

Floats = NDArray[np.float64]

_POINT = box(-0.005, -0.005, 0.005, 0.005)
"""The room of a footprint that draws and drills nothing: so that it can be found, seen and moved nevertheless."""
LAYERS = {"front": 1, "back": 0}


class _Shapes(NamedTuple):
    """Those of one footprint on the side where it lies now: room, body, room on the other side, pad cores."""

    room: BaseGeometry
    body: BaseGeometry | None
    opposite: BaseGeometry | None
    pads: tuple[Pad, ...]

    def all(self) -> list[BaseGeometry | None]:
        return [self.room, self.body, self.opposite, *(pad.core for pad in self.pads)]


def items_of(
    names: Sequence[str],
    footprints: Sequence[Footprint],
    poses: Mapping[int, Pose],
    nouns: Sequence[str],
    keepouts: Mapping[int, Sequence[Keepout]] | None = None,
) -> tuple[Item, ...]:
    """The items, in the order of the footprints.

    Args:
        poses: where a footprint lies that is not where its file has it, by its place.
        nouns: what each is.
        keepouts: those that belong to a footprint, by its place, where the file has them.
    """
    if not names:
        return ()
    now = [poses.get(i, footprint.pose) for i, footprint in enumerate(footprints)]
    flipped = [pose.side != footprint.pose.side for footprint, pose in zip(footprints, now, strict=True)]
    shapes = [_shapes(footprint) for footprint in footprints]
    turns, shifts = _matrices(now, flipped)
    rows = zip(
        names, nouns, footprints, now, _geometries(shapes, turns, shifts), _pins(shapes, turns, shifts), strict=True
    )
    items = [_item(*row) for row in rows]
    for place, kept in (keepouts or {}).items():
        moved = tuple(_carried(keepout, footprints[place].pose, now[place]) for keepout in kept)
        items[place] = replace(items[place], keepouts=tuple(replace(k, item=names[place]) for k in moved))
    return tuple(items)


def _shapes(footprint: Footprint) -> _Shapes:
    own, other = footprint.front, footprint.back
    if footprint.pose.side == "back":
        own, other = other, own
    pads = tuple(pad for pad in footprint.pads if pad.front or pad.back)  # an opening in the paste connects nothing
    return _Shapes(_POINT if own is None else own, footprint.body, other, pads)


def _matrices(poses: Sequence[Pose], flipped: Sequence[bool]) -> tuple[Floats, Floats]:
    """For row vectors: (n, 2, 2) to turn, y first mirrored where a part is on the other side, and (n, 2) to shift."""
    turns = np.array([turned(pose.angle) for pose in poses])
    turns[np.array(flipped, dtype=bool), 1] *= -1
    return turns, np.array([(pose.x, pose.y) for pose in poses]) / MM


def _geometries(shapes: Sequence[_Shapes], turns: Floats, shifts: Floats) -> list[Sequence[BaseGeometry | None]]:
    """All shapes of each footprint, in the order of `_Shapes.all`, on the board."""
    many = [one.all() for one in shapes]
    flat = np.array([shape for one in many for shape in one], dtype=object)
    sizes: NDArray[np.int32] = shapely.get_num_coordinates(flat)  # pyright: ignore[reportUnknownMemberType]
    owner = np.repeat(np.repeat(np.arange(len(many)), [len(one) for one in many]), sizes)
    moved = shapely.transform(flat, lambda xy: np.einsum("ni,nij->nj", xy, turns[owner]) + shifts[owner]).tolist()
    ends = [0, *accumulate(len(one) for one in many)]
    return [moved[a:b] for a, b in pairwise(ends)]


def _pins(shapes: Sequence[_Shapes], turns: Floats, shifts: Floats) -> list[list[tuple[float, float]]]:
    """Where the pads of each footprint are."""
    return [
        list(map(tuple, (np.array([pad.at for pad in one.pads]).reshape(-1, 2) @ turn + shift).tolist()))
        for one, turn, shift in zip(shapes, turns, shifts, strict=True)
    ]


def _item(
    name: str,
    noun: str,
    footprint: Footprint,
    pose: Pose,
    shapes: Sequence[BaseGeometry | None],
    pins: Sequence[tuple[float, float]],
) -> Item:
    room, body, opposite, *cores = shapes
    assert room is not None
    pads = [pad for pad in footprint.pads if pad.front or pad.back]
    return Item(
        name=name,
        label=noun,
        shape=room,
        layer=LAYERS[pose.side],
        ports=tuple(_port(pad, at, core, footprint, pose) for pad, at, core in zip(pads, pins, cores, strict=True)),
        locked=footprint.locked,
        body=body,
        opposite=opposite,
        origin=(pose.x / MM, pose.y / MM),
        rotation=pose.angle,
        value=footprint.value,
    )


def _port(pad: Pad, at: tuple[float, float], core: BaseGeometry | None, footprint: Footprint, pose: Pose) -> Port:
    assert core is not None
    through = pad.kind in {"through", "hole"} or (pad.front and pad.back)
    away = not through and pad.front != (footprint.pose.side == "front")
    layer = 1 - LAYERS[pose.side] if away else None
    return Port(pad.number, at, core, pad.radius, pad.net, through, layer)


def _carried(keepout: Keepout, before: Pose, now: Pose) -> Keepout:
    """A keep-out of a footprint that has gone from one pose to another."""
    if before == now:
        return keepout
    flips = before.side != now.side
    (back, turn), (start, end) = _matrices([before, now], [False, flips])
    shape = shapely.transform(keepout.shape, lambda xy: (xy - start) @ back.T @ turn + end)
    layers = keepout.layers and tuple(1 - layer if flips else layer for layer in keepout.layers)
    return replace(keepout, shape=shape, layers=layers)
