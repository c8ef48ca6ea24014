"""The board's outline and cut-outs: what is drawn on Edge.Cuts, by the board and its footprints, joined into areas."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry import MultiLineString, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.validation import explain_validity

from redraft.errors import BoardFormatError
from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.graphics import Points, graphic, path
from redraft.studios.board.kicad.rings import gaps, nested, polygons, rings
from redraft.studios.board.kicad.sexpr import Index, MalformedError, Tree, angle, point, tree

TOLERANCE = 0.01
"""How far the ends of two lines may miss each other and still meet, in millimeters: KiCad's own."""
TOLD = 3
"""Gaps that a warning names; of more, the number."""


@dataclass(frozen=True)
class Outline:
    """The board's area in millimeters, None where there is none for certain, and why in words."""

    area: BaseGeometry | None
    warnings: tuple[str, ...] = ()


def joined(curves: Sequence[Points]) -> Outline:
    """The area that lines enclose, in any order and direction; ends within `TOLERANCE` of each other meet.

    Open lines within closed rings are reported and left out; where they reach beyond all rings, or there are none, the
    outline itself is open, and there is no area.
    """
    closed, strays = rings([np.round(curve, 6) for curve in curves], TOLERANCE)
    area = nested([part for ring in closed for part in _sound(ring)])
    if area is not None and strays and not _within(strays, area):
        area = None
    return Outline(area, (*_crossings(closed), *_gaps(strays, area is None)))


def _sound(ring: Polygon) -> list[Polygon]:
    """A ring as areas that do not cross themselves, together what is painted inside."""
    if ring.is_valid:
        return polygons([ring])
    faces = shapely.polygonize([shapely.union_all([ring.exterior])])
    return polygons(faces.geoms)


def _within(strays: Sequence[Points], area: BaseGeometry) -> bool:
    """Whether all these lines lie in the board or its cut-outs."""
    outer = [Polygon(part.exterior) for part in polygons(shapely.get_parts(area))]
    return shapely.union_all(outer).buffer(TOLERANCE).covers(MultiLineString(strays))


def _crossings(rings: Sequence[Polygon]) -> Iterator[str]:
    for ring in rings:
        if not ring.is_valid:
            place = re.sub(r".*\[(\S+) (\S+)\].*", r"(\1, \2)", explain_validity(ring))
            yield (
                f"The board's outline on Edge.Cuts crosses or touches itself at {place} mm; its area is taken as "
                "all that it surrounds. Fix the outline in KiCad's board editor, which refuses it."
            )


def _gaps(strays: Sequence[Points], unknown: bool) -> Iterator[str]:
    """What is open, by its loose ends, each with the nearest other one."""
    if not strays:
        return
    what = "is not closed, so the board's area is unknown" if unknown else "has lines that bound nothing, left out"
    found = gaps(strays)
    places = [f"{gap.apart:.6g} mm from {_at(gap.one)} to {_at(gap.other)}" for gap in found[:TOLD]]
    more = f" and {len(found) - TOLD} more" if len(found) > TOLD else ""
    where = f"; gaps: {', '.join(places)}{more}" if places else ""
    yield f"The outline on Edge.Cuts {what}{where}. Fix the outline in KiCad's board editor."


def _at(place: tuple[float, float]) -> str:
    return f"({place[0]:.6g}, {place[1]:.6g})"


_EDGE = re.compile(rb'\(\s*layers?\s+"?Edge\.Cuts"?\s*\)')
_DRAWN = re.compile(rb"(gr|fp)_")


def edges_of(file: BoardFile) -> Iterator[Points]:
    """Everything drawn on Edge.Cuts, in the file's order, each (n, 2) in millimeters on the board.

    Raises:
        BoardFormatError: a line there lacks an end, or has one that is not a number.
    """
    for layer in file.index.around(b"Edge.Cuts"):
        if _EDGE.fullmatch(file.index.text(layer)):
            yield from _drawn(file, layer)


def enclosing(index: Index, i: int) -> int | None:
    """The list that the i-th one stands in; None for the outermost."""
    shallower = (j for j in range(i - 1, -1, -1) if index.depth[j] < index.depth[i])
    return next(shallower, None)


def read_list(file: BoardFile, i: int) -> Tree:
    """The i-th list, whole."""
    return tree(file.index.text(i))


def _drawn(file: BoardFile, layer: int) -> Iterator[Points]:
    """The line that a `(layer …)` list belongs to, placed on the board; nothing where it belongs to something else."""
    line = enclosing(file.index, layer)
    if line is None or not _DRAWN.match(file.index.head(line)):
        return
    try:
        item = graphic(read_list(file, line))
        if item is not None:
            yield path(item) if file.index.depth[line] == 1 else _placed(file, line, path(item))
    except MalformedError as wrong:
        where = file.index.line(int(file.index.start[line]))
        raise BoardFormatError(f"{file.path}, line {where}, board outline: {wrong}") from None


def _placed(file: BoardFile, line: int, points: Points) -> Points:
    """From its footprint's frame to the board's: turned counter-clockwise as seen, then shifted."""
    footprint = enclosing(file.index, line)
    place = None if footprint is None else file.index.child(footprint, b"at")
    if place is None:
        return points
    at = read_list(file, place)
    turn = math.radians(angle(at, 3))
    cos, sin = math.cos(turn), math.sin(turn)
    return points @ np.array([[cos, -sin], [sin, cos]]) + np.array(point(at))
