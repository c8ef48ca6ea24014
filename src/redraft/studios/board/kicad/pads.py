"""Pads and the outlines of their copper: a core and the radius by which it grows, so that round ends stay round.

Outlines are in the pad's own frame: millimeters, unturned, the pad's position at the origin.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Literal, NamedTuple, cast

import numpy as np
import shapely
from shapely.geometry import GeometryCollection, LineString, Polygon, box
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry.base import BaseGeometry

from redraft.studios.board.kicad.graphics import CHORD, MAX_PIECES, Graphic, arc_from_center, circle, graphic, path
from redraft.studios.board.kicad.model import Pad
from redraft.studios.board.kicad.rings import polygon
from redraft.studios.board.kicad.sexpr import (
    MalformedError,
    Tree,
    angle,
    first,
    length,
    point,
    require,
    text,
    text_of,
    tree,
    unquoted,
    words,
)

_NOTHING = 1e-9
"""Millimeters: a side of a core that is shorter, a thousandth of a nanometer, counts as none."""


class Outline(NamedTuple):
    """A shape: `core` grown by `radius` on all sides."""

    core: BaseGeometry
    radius: float = 0.0


def oval(width: float, height: float) -> Outline:
    """Return an oval; a circle where width and height are the same."""
    return rounded(width, height, min(width, height) / 2)


def rounded(width: float, height: float, radius: float) -> Outline:
    """Return a rectangle with round corners; with radius 0, a plain one."""
    radius = max(0.0, min(radius, width / 2, height / 2))
    x, y = width / 2 - radius, height / 2 - radius
    if x > _NOTHING and y > _NOTHING:
        return Outline(box(-x, -y, x, y), radius)
    if x <= _NOTHING and y <= _NOTHING:
        return Outline(ShapelyPoint(0.0, 0.0), radius)
    return Outline(LineString([(-x, 0.0), (x, 0.0)] if x > y else [(0.0, -y), (0.0, y)]), radius)


def trapezoid(width: float, height: float, delta: tuple[float, float]) -> Outline:
    """A rectangle with unlike sides: by `2 delta[0]` the left is longer than the right, by `2 delta[1]` the lower."""
    x, y, dx, dy = width / 2, height / 2, delta[0] / 2, delta[1] / 2
    return Outline(Polygon([(-x - dy, y + dx), (x + dy, y - dx), (x - dy, -y + dx), (-x + dy, -y - dx)]))


def chamfered(width: float, height: float, radius: float, cut: float, corners: Iterable[str]) -> Outline:
    """A rectangle with some corners cut off by so much along both sides, the others round.

    Corners are named as in the file: `top_left`, `bottom_right`; top is −y.
    """
    cuts = set(corners)
    points: list[np.ndarray] = []
    for name, sx, sy in (("top_left", -1, -1), ("top_right", 1, -1), ("bottom_right", 1, 1), ("bottom_left", -1, 1)):
        x, y = sx * width / 2, sy * height / 2
        inset = cut if name in cuts and cut else radius
        if inset <= 0:
            points.append(np.array([(x, y)]))
            continue
        ends = [(x, y - sy * inset), (x - sx * inset, y)]
        start, end = ends if sx == sy else ends[::-1]  # clockwise as seen
        if name in cuts and cut:
            points.append(np.array([start, end]))
        else:
            points.append(arc_from_center((x - sx * inset, y - sy * inset), start, 90.0))
    return Outline(Polygon(np.concatenate(points)))


def custom(anchor: Outline, primitives: Iterable[Graphic]) -> Outline:
    """Return the outline of a pad drawn by hand: all its primitives and the anchor together."""
    by_pen: dict[float, list[BaseGeometry]] = {anchor.radius: [anchor.core]}
    for item in primitives:
        if item.kind == "circle":
            by_pen.setdefault(0.0, []).append(_disc(item))
            continue
        points = path(item)
        if not item.filled or len(points) < 4:
            shape = cast("LineString", shapely.linestrings(points)) if len(points) > 1 else ShapelyPoint(points[0])
        else:
            area = polygon(points)
            shape = area if area.is_valid else shapely.make_valid(area)
        by_pen.setdefault(item.width / 2, []).append(shape)

    # All that one pen draws is grown in one go, which is far faster than one by one.
    areas: list[BaseGeometry] = []
    for radius, shapes in by_pen.items():
        areas += [grown(GeometryCollection(shapes), radius)] if radius > 0 else shapes
    return Outline(shapely.union_all([area if area.is_valid else shapely.make_valid(area) for area in areas]))


def _disc(item: Graphic) -> BaseGeometry:
    """Return a circle with its pen, which is two circles: growing a line of so many points would take longer."""
    center, pen = item.points[0], item.width / 2
    radius = math.dist(center, item.points[1])
    if radius + pen <= 0:
        return ShapelyPoint(center)
    hollow = not item.filled and radius > pen
    return polygon(circle(center, radius + pen), [circle(center, radius - pen)] if hollow else None)


def grown(core: BaseGeometry, radius: float) -> BaseGeometry:
    """Return the polygon of a core and its radius, its round ends within `CHORD` of the true ones."""
    if radius <= 0:
        return core
    pieces = math.ceil(math.pi / 4 * math.sqrt(radius / (2 * CHORD)))
    return core.buffer(radius, quad_segs=min(MAX_PIECES, pieces))


def turned(degrees: float) -> np.ndarray:
    """The matrix that turns row vectors: `points @ turned(90)`. Counter-clockwise as seen; quarter turns are exact."""
    quarters, rest = divmod(degrees % 360.0, 90.0)
    cos, sin = math.cos(math.radians(rest)), math.sin(math.radians(rest))
    for _ in range(int(quarters)):
        cos, sin = -sin, cos
    return np.array([[cos, -sin], [sin, cos]])


Kind = Literal["smd", "through", "hole", "connector"]
_KINDS: Mapping[str, Kind] = {"smd": "smd", "thru_hole": "through", "np_thru_hole": "hole", "connect": "connector"}


_BEGINNING = re.compile(
    rb'\(pad\s+("(?:[^"\\]++|\\.)*+"|[^\s()"]+)(\s+\w+\s+\w+\s*)(\(at(?:\s+[^\s()"]+){2,3}\s*\))', re.DOTALL
)
"""The beginning of nearly every pad: its number, its kind and shape, and its place."""


class _Plain(NamedTuple):
    """A pad without its number and its place."""

    kind: Kind
    outline: Outline
    """Unturned, about the pad's position."""
    front: bool
    back: bool
    drill: float
    clearance: float | None


@lru_cache(maxsize=1 << 14)
def pad_of(span: bytes, footprint_angle: float, renamed: tuple[tuple[str, str], ...] = ()) -> Pad:
    """Read a pad into its footprint's frame, without its net. The angle in the file contains the footprint's.

    Cached: the pads of like parts are the same text, once their nets and identifiers are left out. `renamed` pairs the
    board's names of layers with the standard ones. Raises `MalformedError`.
    """
    beginning = _BEGINNING.match(span)
    if beginning:
        number, place = text_of(unquoted(beginning[1])), tree(beginning[3])
    else:
        item = tree(span)
        number, place = text(item, 1), require(item, b"at")

    # All pads of one shape are read once, wherever they are. One that is malformed is read whole, for the message.
    plain: _Plain | None = None
    if beginning:
        with suppress(MalformedError):
            plain = _plain(b'(pad ""' + beginning[2] + span[beginning.end() :], renamed)
    if plain is None:
        plain = _plain(span, renamed)

    matrix, at = turned(angle(place, 3) - footprint_angle), point(place)
    where = np.array(at)
    return Pad(
        number="" if plain.kind == "hole" else number,  # a bare hole has none in KiCad, whatever is written
        kind=plain.kind,
        at=at,
        core=shapely.transform(plain.outline.core, lambda xy: xy @ matrix + where),
        radius=plain.outline.radius,
        front=plain.front,
        back=plain.back,
        drill=plain.drill,
        clearance=plain.clearance,
    )


@lru_cache(maxsize=1 << 12)
def _plain(span: bytes, renamed: tuple[tuple[str, str], ...]) -> _Plain:
    item = tree(span)
    kind = _KINDS.get(text(item, 2))
    if kind is None:
        raise MalformedError(f"pad {text(item, 1)!r} is {text(item, 2)[:40]!r}, which is none of {', '.join(_KINDS)}")
    standard = dict(renamed)
    layers = {standard.get(layer, layer) for layer in words(first(item, b"layers") or [])}
    everywhere = kind in {"through", "hole"} or bool(layers & {"*.Cu", "F&B.Cu"})

    # The shape may lie off the pad's position: the offset stands with the hole, even where there is none.
    outline, drill = _outline(item), first(item, b"drill")
    stated = first(drill, b"offset") if drill else None
    offset = np.array(point(stated) if stated else (0.0, 0.0))
    if offset.any():
        outline = outline._replace(core=shapely.transform(outline.core, lambda xy: xy + offset))

    # `(drill 0.8)` is round, `(drill oval 0.8 1.2)` a slot, of which the larger side counts.
    sizes = [atom for atom in drill or [] if isinstance(atom, bytes)][1:]
    diameter = 0.0
    if drill is not None and sizes:
        places = (2, 3 if len(sizes) > 2 else 2) if sizes[0] == b"oval" else (1,)
        diameter = max(length(drill, place) for place in places)

    clearance = first(item, b"clearance")
    return _Plain(
        kind,
        outline,
        everywhere or "F.Cu" in layers,
        everywhere or "B.Cu" in layers,
        diameter,
        length(clearance) if clearance else None,
    )


def _outline(item: Tree) -> Outline:
    """Return the shape of a pad about the origin."""
    size, shape = require(item, b"size"), text(item, 3)
    width, height = max(0.0, length(size, 1)), max(0.0, length(size, 2))
    if shape == "circle":
        return oval(width, width)
    if shape == "oval":
        return oval(width, height)
    if shape == "rect":
        return rounded(width, height, 0.0)
    if shape == "roundrect":
        shorter = min(width, height)
        radius, cut = _ratio(item, b"roundrect_rratio") * shorter, _ratio(item, b"chamfer_ratio") * shorter
        corners = words(first(item, b"chamfer") or [])
        return chamfered(width, height, radius, cut, corners) if cut and corners else rounded(width, height, radius)
    if shape == "trapezoid":
        delta = first(item, b"rect_delta")
        return trapezoid(width, height, point(delta) if delta else (0.0, 0.0))
    if shape == "custom":
        options = first(item, b"options")
        anchor = first(options, b"anchor") if options else None
        square = anchor is not None and text(anchor, 1) == "rect"
        drawn = [graphic(one) for one in first(item, b"primitives") or [] if isinstance(one, list) and one]
        primitives: list[Graphic] = [one for one in drawn if one is not None]
        return custom(rounded(width, height, 0.0) if square else oval(width, width), primitives)
    raise MalformedError(f"pad {text(item, 1)!r} has the unknown shape {shape[:40]!r}")


def _ratio(item: Tree, head: bytes) -> float:
    """Return a share of the shorter side, which is at most a half; 0 where the pad states none."""
    ratio = first(item, head)
    return min(0.5, max(0.0, length(ratio))) if ratio else 0.0
