"""The board's outline and cut-outs: the lines on Edge.Cuts, of the board and its footprints, joined into areas."""

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
"""Millimeters by which the ends of two lines may miss each other and still meet: as much as KiCad allows."""
MAX_GAPS = 3
"""Gaps that a warning names; further ones are counted."""


@dataclass(frozen=True)
class Outline:
    """The board's area in millimeters, None where it is not certain, and what is wrong with the outline."""

    area: BaseGeometry | None
    warnings: tuple[str, ...] = ()


def joined(curves: Sequence[Points]) -> Outline:
    """Return the area that lines enclose, in any order and direction; ends within `TOLERANCE` of each other meet.

    Open lines within closed rings are reported and left out; where they reach beyond all rings, or there are none, the
    outline itself is open, and there is no area.
    """
    closed, strays = rings([np.round(curve, 6) for curve in curves], TOLERANCE)
    area = nested([part for ring in closed for part in _valid_parts(ring)])
    if area is not None and strays:
        outer = [Polygon(part.exterior) for part in polygons(shapely.get_parts(area))]
        if not shapely.union_all(outer).buffer(TOLERANCE).covers(MultiLineString(strays)):
            area = None
    return Outline(area, (*_crossings(closed), *_gap_warning(strays, unknown=area is None)))


def _valid_parts(ring: Polygon) -> list[Polygon]:
    """Return a ring as areas that do not cross themselves and together are all that it surrounds."""
    if ring.is_valid:
        return polygons([ring])
    faces = shapely.polygonize([shapely.union_all([ring.exterior])])
    return polygons(faces.geoms)


def _crossings(rings: Sequence[Polygon]) -> Iterator[str]:
    for ring in rings:
        if not ring.is_valid:
            place = re.sub(r".*\[(\S+) (\S+)\].*", r"(\1, \2)", explain_validity(ring))
            yield (
                f"The board's outline on Edge.Cuts crosses or touches itself at {place} mm; its area is taken as "
                "all that it surrounds. Fix the outline in KiCad's board editor, which refuses it."
            )


def _gap_warning(strays: Sequence[Points], *, unknown: bool) -> Iterator[str]:
    """Name the loose ends, each with the nearest other one."""
    if not strays:
        return
    what = "is not closed, so the board's area is unknown" if unknown else "has lines that bound nothing, left out"
    all_gaps = gaps(strays)
    places = [f"{gap.apart:.6g} mm from {_spot(gap.one)} to {_spot(gap.other)}" for gap in all_gaps[:MAX_GAPS]]
    more = f" and {len(all_gaps) - MAX_GAPS} more" if len(all_gaps) > MAX_GAPS else ""
    where = f"; gaps: {', '.join(places)}{more}" if places else ""
    yield f"The outline on Edge.Cuts {what}{where}. Fix the outline in KiCad's board editor."


def _spot(place: tuple[float, float]) -> str:
    return f"({place[0]:.6g}, {place[1]:.6g})"


_EDGE = re.compile(rb'\(\s*layers?\s+"?Edge\.Cuts"?\s*\)')
_DRAWN = re.compile(rb"(gr|fp)_")


def edges_of(file: BoardFile) -> Iterator[Points]:
    """Yield the lines on Edge.Cuts, in the file's order, each (n, 2) in millimeters on the board.

    Raises:
        BoardFormatError: a line there lacks an end, or has one that is not a number.
    """
    for layer in file.index.around(b"Edge.Cuts"):
        line = enclosing(file.index, layer) if _EDGE.fullmatch(file.index.text(layer)) else None
        if line is None or not _DRAWN.match(file.index.head(line)):
            continue
        try:
            item = graphic(read_list(file, line))
            if item is not None:
                yield path(item) if file.index.depth[line] == 1 else _on_board(file, line, path(item))
        except MalformedError as error:
            where = file.index.line(int(file.index.start[line]))
            raise BoardFormatError(f"{file.path}, line {where}, board outline: {error}") from None


def enclosing(index: Index, i: int) -> int | None:
    """Return the list that the i-th one stands in; None for the outermost."""
    shallower = (j for j in range(i - 1, -1, -1) if index.depth[j] < index.depth[i])
    return next(shallower, None)


def read_list(file: BoardFile, i: int) -> Tree:
    """Return the i-th list as a tree."""
    return tree(file.index.text(i))


def _on_board(file: BoardFile, line: int, points: Points) -> Points:
    """Take points from their footprint's frame to the board's: turned counter-clockwise as seen, then shifted."""
    footprint = enclosing(file.index, line)
    place = None if footprint is None else file.index.child(footprint, b"at")
    if place is None:
        return points
    at = read_list(file, place)
    turn = math.radians(angle(at, 3))
    cos, sin = math.cos(turn), math.sin(turn)
    return points @ np.array([[cos, -sin], [sin, cos]]) + np.array(point(at))
