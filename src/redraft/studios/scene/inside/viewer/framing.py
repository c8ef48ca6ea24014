"""Framing of a picture: a box around the things that matter.

Pure geometry. A ground, a backdrop or a sky many times larger than the rest, and a thing far away from everything else,
would make all that matters tiny; so they are left out of the box, and are seen behind it as far as they reach.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from redraft.studios.scene.inside.viewer.raster import Array

LARGER = 30.0
"""A thing this many times larger than all smaller ones together is where they are: hills, a sky."""
GROUND = 1.5
"""A flat thing this many times larger than all smaller ones that are not flat is a ground or a backdrop."""
PLATE = 4.0
"""The same, where only one thing is not flat: an apple on a plate."""
ROOM = 1.5
"""A thing that holds all smaller ones and is so many times larger is a room; any that holds the camera is, too."""
FLAT = 0.08
"""Share of a box's second side that the shortest may have for a wall, a floor, a backdrop."""
WALL = 0.55
"""Share of the whole scene's side that a wall's must have."""
STRAY = 4.0
"""Diagonals of all other things' box that a thing must be away to be left out."""
MARGIN = 1.08
"""The picture's side for one of what it shows."""

VIEW_AXES: dict[str, tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    "front": ((0, 1, 0), (0, 0, 1)),
    "back": ((0, -1, 0), (0, 0, 1)),
    "side": ((-1, 0, 0), (0, 0, 1)),
    "right": ((-1, 0, 0), (0, 0, 1)),
    "left": ((1, 0, 0), (0, 0, 1)),
    "top": ((0, 0, -1), (0, 1, 0)),
    "below": ((0, 0, 1), (0, 1, 0)),
    "three_quarter": ((-0.6124, 0.6124, -0.5), (0, 0, 1)),
    "three_quarter_left": ((0.6124, 0.6124, -0.5), (0, 0, 1)),
    "three_quarter_back": ((-0.6124, -0.6124, -0.5), (0, 0, 1)),
    "three_quarter_back_left": ((0.6124, -0.6124, -0.5), (0, 0, 1)),
}
"""The direction of each view, and what is up in it."""

CORNERS = tuple(view for view in VIEW_AXES if view.startswith("three_quarter"))
"""The views in perspective."""


@dataclass(frozen=True)
class Stand:
    """The place of a camera for a view."""

    place: Array
    forward: Array
    right: Array
    up: Array
    scale: float
    """For parallel projection the longer side of the picture in meters; 0 for perspective."""
    angle: float
    """For perspective, the angle of the picture's longer side in radians."""
    near: float
    far: float


def _diagonal(box: Array) -> float:
    return float(np.linalg.norm(box[1] - box[0]))


def _union(boxes: Array) -> Array:
    return np.array([boxes[:, 0].min(0), boxes[:, 1].max(0)])


def is_flat(box: Array) -> bool:
    """Whether a box is that of a wall, a floor, a sheet."""
    sides = np.sort(box[1] - box[0])
    return bool(sides[0] <= FLAT * sides[1])


def focus(boxes: Mapping[str, Array], eye: Array | None = None) -> tuple[Array, set[str]]:
    """Return the box of what matters, and the names of what is in it. An empty scene has one meter around the origin.

    `eye` is where the scene's own camera stands.
    """
    if not boxes:
        return np.array([[-0.5, -0.5, 0.0], [0.5, 0.5, 1.0]]), set()
    names = sorted(boxes, key=lambda name: (_diagonal(boxes[name]), name))
    while len(names) > 1 and _is_setting(boxes[names[-1]], [boxes[name] for name in names[:-1]], eye):
        names.pop()

    # Without what strays far from all the rest: at most a quarter of the things, the farthest first
    for _ in range(len(names) // 4):
        if len(names) < 3:
            break
        middles = np.array([boxes[name].mean(0) for name in names])
        away = np.linalg.norm(middles - np.median(middles, 0), axis=1)
        last = int(away.argmax())
        rest = _union(np.array([boxes[name] for index, name in enumerate(names) if index != last]))
        if away[last] < STRAY * _diagonal(rest) + _diagonal(boxes[names[last]]):
            break
        names.pop(last)

    # Without floors, walls and ceilings of a room: flat things as long and wide as the whole of what there is, not all
    # in one direction. One flat thing alone is a plate or a table's top.
    whole = _union(np.array([boxes[name] for name in names]))
    sides = np.maximum(whole[1] - whole[0], 1e-9)
    walls: dict[str, int] = {}
    for name in names if len(names) > 1 else ():
        size = boxes[name][1] - boxes[name][0]
        long = np.argsort(size)[1:]
        if is_flat(boxes[name]) and (size[long] >= WALL * sides[long]).all():
            walls[name] = int(size.argmin())
    if len(set(walls.values())) > 1:
        names = [name for name in names if name not in walls] or names
    return _union(np.array([boxes[name] for name in names])), set(names)


def _is_setting(box: Array, others: list[Array], eye: Array | None) -> bool:
    """Whether a thing is the place where all smaller things are: a sky, a ground, a room."""
    rest = _union(np.array(others))
    size = _diagonal(box)
    if size >= LARGER * _diagonal(rest):
        return True
    if is_flat(box):
        thick = [each for each in others if not is_flat(each)] or others
        return size >= (GROUND if len(thick) > 1 else PLATE) * _diagonal(_union(np.array(thick)))
    if not _holds(box, rest):
        return False
    return size >= ROOM * _diagonal(rest) or (eye is not None and _holds(box, np.array([eye, eye])))


def _holds(box: Array, other: Array) -> bool:
    least = 0.02 * _diagonal(box)
    return bool((other[0] >= box[0] - least).all() and (other[1] <= box[1] + least).all())


def stand(view: str, box: Array, aspect: float, zoom: float = 1.0) -> Stand:
    """Return where a camera stands to see a box whole. `aspect` is the picture's width by its height.

    All views but the `CORNERS` are parallel, and see nothing of what lies in front of the box.
    """
    forward, up_word = (np.array(axis, float) for axis in VIEW_AXES[view])
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, up_word)
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    middle = box.mean(0)
    corners = np.array([[box[i][0], box[j][1], box[k][2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]) - middle
    across, tall, deep = corners @ right, corners @ up, corners @ forward
    size = max(float(np.linalg.norm(box[1] - box[0])), 1e-3)

    if view in CORNERS:  # in perspective, from where all corners are just in the picture
        half = np.tan(np.radians(16.0))
        wide, high = (half, half / aspect) if aspect >= 1 else (half * aspect, half)
        away = float(max((np.abs(across) / wide - deep).max(), (np.abs(tall) / high - deep).max())) * MARGIN
        near = max((away + float(deep.min())) * 0.2, size * 0.01)
        angle = 2 * float(np.arctan(half / zoom))
        return Stand(middle - forward * away, forward, right, up, 0.0, angle, near, away + size * 50)

    wide, high = (1.0, 1 / aspect) if aspect >= 1 else (aspect, 1.0)
    scale = max(np.ptp(across) / wide, np.ptp(tall) / high, size * 0.002) * MARGIN / zoom
    away = float(-deep.min()) + size
    return Stand(middle - forward * away, forward, right, up, float(scale), 0.0, size * 0.99, away + size * 50)


def turned(view: str, box: Array, aspect: float, zoom: float, degrees: float) -> Stand:
    """Return where a camera stands for a view that is turned around the vertical axis through the middle of a box.

    The distance is the same at all angles, so that a picture for each of them makes a turntable.
    """
    middle, half = box.mean(0), (box[1] - box[0]) / 2
    half[:2] = float(np.hypot(*half[:2]))
    where = stand(view, np.array([middle - half, middle + half]), aspect, zoom)
    sine, cosine = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    axes = {name: turn @ getattr(where, name) for name in ("forward", "right", "up")}
    return replace(where, place=middle + turn @ (where.place - middle), **axes)
