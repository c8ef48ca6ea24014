"""Zones of a board and its footprints: copper areas, and the rule areas that bar footprints (keep-outs)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import shapely
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from redraft.errors import BoardFormatError
from redraft.layout.items import Fixture, Keepout
from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.graphics import graphic, path
from redraft.studios.board.kicad.outline import enclosing, read_list
from redraft.studios.board.kicad.sexpr import MalformedError, text, words
from redraft.studios.board.kicad.tracks import net_names

_FRONT, _BACK = {"F.Cu", "*.Cu", "F&B.Cu"}, {"B.Cu", "*.Cu", "F&B.Cu"}


@dataclass(frozen=True)
class Zone:
    """One zone by its outline, in millimeters; the copper that KiCad filled into it is not read."""

    name: str
    shape: BaseGeometry
    layers: tuple[str, ...]
    net: str
    is_keepout: bool
    """A rule area: it has no copper of its own."""
    bars_footprints: bool
    bars_pads: bool
    footprint: int | None = None
    """The list of the footprint that it is part of, where it is."""


def zones_of(file: BoardFile) -> Iterator[Zone]:
    """Yield the zones of the board and its footprints (they too are in the board's frame), in the file's order.

    Zones without an outline that encloses anything are left out.

    Raises:
        BoardFormatError: an outline has something else than numbers.
    """
    yield from _read(file, [i for i in file.index.around(b"zone") if _is_zone(file, i)])


def rule_areas_of(file: BoardFile) -> Iterator[Zone]:
    """Yield those of `zones_of` that are rule areas: of other zones a board with teardrops has hundreds.

    Raises:
        BoardFormatError: as for `zones_of`.
    """
    rules = [i for i in file.index.around(b"keepout") if file.index.head(i) == b"keepout"]
    zones = [enclosing(file.index, i) for i in rules]
    yield from _read(file, [i for i in zones if i is not None and _is_zone(file, i)])


def _is_zone(file: BoardFile, i: int) -> bool:
    return bool(file.index.depth[i] in {1, 2}) and file.index.head(i) == b"zone"


def _read(file: BoardFile, lists: Sequence[int]) -> Iterator[Zone]:
    """Yield the zones in these lists, without those that enclose nothing."""
    nets, renamed = net_names(file) if lists else {}, dict(file.renamed_copper)
    for i in lists:
        zone = _zone(file, i, nets, renamed)
        if not zone.shape.is_empty:
            yield replace(zone, footprint=enclosing(file.index, i)) if file.index.depth[i] == 2 else zone


def keepout_of(zone: Zone) -> Keepout | None:
    """Return a zone that bars footprints or pads as a keep-out; None for others, and for those on inner layers only."""
    front, back = (not outer.isdisjoint(zone.layers) for outer in (_FRONT, _BACK))
    if not (zone.bars_footprints or zone.bars_pads) or not (front or back):
        return None
    x0, y0, x1, y1 = zone.shape.bounds
    name = zone.name or f"keep-out at ({(x0 + x1) / 2:.6g}, {(y0 + y1) / 2:.6g})"
    return Keepout(name, zone.shape, (1,) * front + (0,) * back, ports_only=not zone.bars_footprints)


def zone_fixture(zone: Zone) -> Fixture:
    """Return a zone as something that a window shows."""
    return Fixture("keepout" if zone.is_keepout else "zone", zone.shape, ", ".join(zone.layers), zone.net)


def _zone(file: BoardFile, i: int, nets: dict[bytes, str], renamed: dict[str, str]) -> Zone:
    parts = file.index.by_head(i)
    try:
        # A rule area says `allowed` or `not_allowed` for each of tracks, vias, pads, copperpour and footprints.
        rows = [row for j in parts.get(b"keepout", ()) for row in read_list(file, j)[1:] if isinstance(row, list)]
        rules = {text(row, 0): text(row, 1) for row in rows}

        # The first polygon is the area, later ones are holes; one that crosses itself counts as its lines enclose it.
        polygons = [[b"gr_poly", *read_list(file, j)[1:]] for j in parts.get(b"polygon", ())]  # the two hold the same
        rings = [path(drawn) for polygon in polygons if (drawn := graphic(polygon)) is not None]
        areas = [shapely.make_valid(Polygon(ring)) for ring in rings if len(ring) > 3]
        shape = areas[0].difference(shapely.union_all(areas[1:])) if areas else Polygon()
    except MalformedError as error:
        line = file.index.line(int(file.index.start[i]))
        raise BoardFormatError(f"{file.path}, line {line}, zone: {error}") from None

    def values(head: bytes) -> list[str]:
        return words(read_list(file, parts[head][0])) if head in parts else []

    number = values(b"net")[-1:]
    net = (*values(b"net_name"), *(nets.get(n.encode(), n) for n in number), "")[0]
    return Zone(
        (*values(b"name"), "")[0],
        shape,
        tuple(renamed.get(layer, layer) for layer in values(b"layer") + values(b"layers")),
        net,
        b"keepout" in parts,
        rules.get("footprints") == "not_allowed",
        rules.get("pads") == "not_allowed",
    )
