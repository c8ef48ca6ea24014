"""The board's edge: lines on Edge.Cuts joined into rings, and the area that they enclose.

Lines come in any order and direction. A ring within another one is a cut-out, one within that is board again, and
several side by side are a panel. Lengths are millimetres.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry import MultiLineString, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.validation import explain_validity

from redraft.studios.board.arcs import Points
from redraft.studios.board.rings import gaps, nested, polygons, rings

__all__ = ["TOLERANCE", "Outline", "joined"]

TOLERANCE = 0.01
"""How far the ends of two lines may miss each other and still meet, in millimetres: KiCad's own."""
TOLD = 3
"""Gaps that a warning names; of more, the number."""


@dataclass(frozen=True)
class Outline:
    """The board's area in millimetres, None where there is none for certain, and why in words."""

    area: BaseGeometry | None
    warnings: tuple[str, ...] = ()


def joined(curves: Sequence[Points]) -> Outline:
    """The area that lines enclose, in any order and direction; ends within `TOLERANCE` of each other meet.

    Open lines within closed rings are told and left out; where they reach beyond all rings, or there are none, the
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
                "all that it surrounds. Mend the outline in KiCad's board editor, which refuses it."
            )


def _gaps(strays: Sequence[Points], unknown: bool) -> Iterator[str]:
    """What is open, by its loose ends, each with the nearest other one."""
    if not strays:
        return
    what = "is not closed, so the board's area is unknown" if unknown else "has lines that bound nothing, left out"
    found = gaps(strays)
    told = [f"{gap.apart:.6g} mm from {_at(gap.one)} to {_at(gap.other)}" for gap in found[:TOLD]]
    more = f" and {len(found) - TOLD} more" if len(found) > TOLD else ""
    where = f"; gaps: {', '.join(told)}{more}" if told else ""
    yield f"The outline on Edge.Cuts {what}{where}. Mend the outline in KiCad's board editor."


def _at(place: tuple[float, float]) -> str:
    return f"({place[0]:.6g}, {place[1]:.6g})"
