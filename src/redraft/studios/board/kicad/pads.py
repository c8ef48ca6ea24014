"""Pads and the outlines of their copper: a core and the radius by which it grows, so that round ends stay round.

Outlines are in the pad's own frame: millimeters, unturned, the pad's position at the origin."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Literal, NamedTuple, cast

import numpy as np
import shapely
from shapely.geometry import GeometryCollection, LineString, Polygon, box
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry.base import BaseGeometry

from redraft.studios.board.kicad.graphics import CHORD, MOST, Graphic, arc_from_centre, circle, graphic, path
from redraft.studios.board.kicad.model import Pad
from redraft.studios.board.kicad.rings import polygon
from redraft.studios.board.kicad.sexpr import (
    MalformedError,
    Point,
    Tree,
    angle,
    first,
    found,
    length,
    point,
    text,
    text_of,
    tree,
    unquoted,
    words,
)

_NOTHING = 1e-9
"""Millimeters below which a side of a core is none: a thousandth of a nanometer."""


class Outline(NamedTuple):
    """A shape: `core` grown by `radius` on all sides."""

    core: BaseGeometry
    radius: float = 0.0


def oval(width: float, height: float) -> Outline:
    """A circle where both are the same."""
    return rounded(width, height, min(width, height) / 2)


def rounded(width: float, height: float, radius: float) -> Outline:
    """A rectangle with round corners; with radius 0, a plain one."""
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
        points.append(_corner(sx * width / 2, sy * height / 2, cut if name in cuts else 0.0, radius))
    return Outline(Polygon(np.concatenate(points)))


def _corner(x: float, y: float, cut: float, radius: float) -> np.ndarray:
    """The points of one corner, clockwise as seen."""
    sx, sy = math.copysign(1, x), math.copysign(1, y)
    inset = cut or radius
    if inset <= 0:
        return np.array([(x, y)])
    ends = [(x, y - sy * inset), (x - sx * inset, y)]
    start, end = ends if sx == sy else ends[::-1]
    if cut:
        return np.array([start, end])
    return arc_from_centre((x - sx * inset, y - sy * inset), start, 90.0)


def custom(anchor: Outline, primitives: Iterable[Graphic]) -> Outline:
    """A pad drawn by hand: all its primitives and the anchor together."""
    drawn: dict[float, list[BaseGeometry]] = {anchor.radius: [anchor.core]}
    for item in primitives:
        if item.kind == "circle":
            drawn.setdefault(0.0, []).append(_disc(item))
        else:
            drawn.setdefault(item.width / 2, []).append(_drawn(item))
    areas = [area for radius, some in drawn.items() for area in _painted(some, radius)]
    return Outline(shapely.union_all([area if area.is_valid else shapely.make_valid(area) for area in areas]))


def _disc(item: Graphic) -> BaseGeometry:
    """A circle with its pen: no need to go along its many points."""
    centre, pen = item.points[0], item.width / 2
    radius = math.dist(centre, item.points[1])
    if radius + pen <= 0:
        return ShapelyPoint(centre)
    hollow = not item.filled and radius > pen
    return polygon(circle(centre, radius + pen), [circle(centre, radius - pen)] if hollow else None)


def _drawn(item: Graphic) -> BaseGeometry:
    """What one primitive is where its pen has no width."""
    points = path(item)
    if not item.filled or len(points) < 4:
        return cast("LineString", shapely.linestrings(points)) if len(points) > 1 else ShapelyPoint(points[0])
    area = polygon(points)
    return area if area.is_valid else shapely.make_valid(area)


def _painted(some: Sequence[BaseGeometry], radius: float) -> Sequence[BaseGeometry]:
    """What a round pen covers that goes along all these: in one go, which is far sooner than one by one."""
    return [grown(GeometryCollection(some), radius)] if radius > 0 else some


def grown(core: BaseGeometry, radius: float) -> BaseGeometry:
    """The polygon of a core and its radius, its round ends within `CHORD` of the true ones."""
    return core.buffer(radius, quad_segs=_segments(radius)) if radius > 0 else core


def _segments(radius: float) -> int:
    """To a quarter circle, so that its lines stray from it by no more than `CHORD`."""
    return min(MOST, math.ceil(math.pi / 4 * math.sqrt(radius / (2 * CHORD))))


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
"""Of nearly every pad: its number, its kind and shape, and its place."""


class _Plain(NamedTuple):
    """What a pad is without its number and its place."""

    kind: Kind
    outline: Outline
    """Unturned, about the pad's position."""
    front: bool
    back: bool
    drill: float
    clearance: float | None


@lru_cache(maxsize=1 << 14)
def pad_of(span: bytes, footprint_angle: float, renamed: tuple[tuple[str, str], ...] = ()) -> Pad:
    """A pad in its footprint's frame, without its net. The angle in the file contains the footprint's.

    Cached: the pads of like parts are the same text, once their nets and identifiers are left out. `renamed` pairs the
    board's names of layers with the standard ones. Raises `MalformedError`.
    """
    beginning = _BEGINNING.match(span)
    if beginning:
        number, place = text_of(unquoted(beginning[1])), tree(beginning[3])
    else:
        item = tree(span)
        number, place = text(item, 1), found(item, b"at")
    plain, matrix, at = _plain_of(span, beginning, renamed), turned(angle(place, 3) - footprint_angle), point(place)
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


def _plain_of(span: bytes, beginning: re.Match[bytes] | None, renamed: tuple[tuple[str, str], ...]) -> _Plain:
    """Read once for all pads of one shape, wherever they are."""
    if beginning:
        with suppress(MalformedError):  # which would have to name the pad
            return _plain(b'(pad ""' + beginning[2] + span[beginning.end() :], renamed)
    return _plain(span, renamed)


@lru_cache(maxsize=1 << 12)
def _plain(span: bytes, renamed: tuple[tuple[str, str], ...]) -> _Plain:
    item = tree(span)
    kind = _KINDS.get(text(item, 2))
    if kind is None:
        raise MalformedError(f"pad {text(item, 1)!r} is {text(item, 2)[:40]!r}, which is none of {', '.join(_KINDS)}")
    standard = dict(renamed)
    layers = {standard.get(layer, layer) for layer in words(first(item, b"layers") or [])}
    everywhere = kind in {"through", "hole"} or bool(layers & {"*.Cu", "F&B.Cu"})
    clearance = first(item, b"clearance")
    return _Plain(
        kind,
        _outline(item),
        everywhere or "F.Cu" in layers,
        everywhere or "B.Cu" in layers,
        max(_drill(item)),
        length(clearance) if clearance else None,
    )


def _outline(item: Tree) -> Outline:
    """About the pad's position."""
    plain, offset = _unturned(item), np.array(_offset(item))
    return plain._replace(core=shapely.transform(plain.core, lambda xy: xy + offset)) if offset.any() else plain


def _unturned(item: Tree) -> Outline:
    """The shape about the origin."""
    size, shape = found(item, b"size"), text(item, 3)
    width, height = max(0.0, length(size, 1)), max(0.0, length(size, 2))
    if shape == "circle":
        return oval(width, width)
    if shape == "oval":
        return oval(width, height)
    if shape == "rect":
        return rounded(width, height, 0.0)
    if shape == "roundrect":
        return _roundrect(item, width, height)
    if shape == "trapezoid":
        return trapezoid(width, height, _delta(item))
    if shape == "custom":
        return _custom(item, width, height)
    raise MalformedError(f"pad {text(item, 1)!r} has the unknown shape {shape[:40]!r}")


def _roundrect(item: Tree, width: float, height: float) -> Outline:
    least = min(width, height)
    radius, cut = _share(item, b"roundrect_rratio") * least, _share(item, b"chamfer_ratio") * least
    corners = words(first(item, b"chamfer") or [])
    return chamfered(width, height, radius, cut, corners) if cut and corners else rounded(width, height, radius)


def _share(item: Tree, head: bytes) -> float:
    """A ratio of the shorter side, which is at most a half."""
    ratio = first(item, head)
    return min(0.5, max(0.0, length(ratio))) if ratio else 0.0


def _delta(item: Tree) -> Point:
    delta = first(item, b"rect_delta")
    return point(delta) if delta else (0.0, 0.0)


def _custom(item: Tree, width: float, height: float) -> Outline:
    options = first(item, b"options")
    anchor = first(options, b"anchor") if options else None
    square = anchor is not None and text(anchor, 1) == "rect"
    drawn = [graphic(one) for one in first(item, b"primitives") or [] if isinstance(one, list) and one]
    primitives: list[Graphic] = [one for one in drawn if one is not None]
    return custom(rounded(width, height, 0.0) if square else oval(width, width), primitives)


def _offset(item: Tree) -> Point:
    """Of the shape's middle from the pad's position."""
    drill = first(item, b"drill")
    offset = first(drill, b"offset") if drill else None
    return point(offset) if offset else (0.0, 0.0)


def _drill(item: Tree) -> Point:
    """Width and height of the hole; zeros without one."""
    drill = first(item, b"drill")
    sizes = [atom for atom in drill or [] if isinstance(atom, bytes)][1:]
    if drill is None or not sizes:
        return (0.0, 0.0)
    if sizes[0] != b"oval":
        return (length(drill, 1), length(drill, 1))
    return (length(drill, 2), length(drill, 3 if len(sizes) > 2 else 2))
