"""Zones of a board and its footprints: what they fill, and the rule areas that bar footprints (keep-outs)."""

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
    """One zone, as its outline says; what KiCad filled in it is not read. The shape is in millimeters."""

    name: str
    shape: BaseGeometry
    layers: tuple[str, ...]
    net: str
    is_keepout: bool
    """A rule area: it has no copper of its own."""
    bars_footprints: bool
    bars_pads: bool
    footprint: int | None = None
    """The list of the footprint that it is part of."""


def zones_of(file: BoardFile) -> Iterator[Zone]:
    """The board's zones and those within its footprints, which KiCad places on the board too, in the file's order.

    Zones without an outline that encloses anything are left out.

    Raises:
        BoardFormatError: an outline has something else than numbers.
    """
    yield from _read(file, [i for i in file.index.around(b"zone") if _is_zone(file, i)])


def rule_areas_of(file: BoardFile) -> Iterator[Zone]:
    """Those of `zones_of` that are rule areas; of other zones, a board with teardrops has hundreds. Raises likewise."""
    rules = [i for i in file.index.around(b"keepout") if file.index.head(i) == b"keepout"]
    around = [enclosing(file.index, i) for i in rules]
    yield from _read(file, [i for i in around if i is not None and _is_zone(file, i)])


def _is_zone(file: BoardFile, i: int) -> bool:
    return bool(file.index.depth[i] in {1, 2}) and file.index.head(i) == b"zone"


def _read(file: BoardFile, lists: Sequence[int]) -> Iterator[Zone]:
    """The zones in these lists, without those that enclose nothing."""
    nets, renamed = net_names(file) if lists else {}, dict(file.renamed_copper)
    for i in lists:
        zone = _zone(file, i, nets, renamed)
        if not zone.shape.is_empty:
            yield replace(zone, footprint=enclosing(file.index, i)) if file.index.depth[i] == 2 else zone


def keepout_of(zone: Zone) -> Keepout | None:
    """The zone as room without footprints, or without pads; None where both may lie, or only on inner layers."""
    front, back = (not outer.isdisjoint(zone.layers) for outer in (_FRONT, _BACK))
    if not (zone.bars_footprints or zone.bars_pads) or not (front or back):
        return None
    name, layers = zone.name or _by_place(zone.shape), (1,) * front + (0,) * back
    return Keepout(name, zone.shape, layers, ports_only=not zone.bars_footprints)


def zone_fixture(zone: Zone) -> Fixture:
    """The zone as something that a window shows."""
    return Fixture("keepout" if zone.is_keepout else "zone", zone.shape, ", ".join(zone.layers), zone.net)


def _by_place(shape: BaseGeometry) -> str:
    x0, y0, x1, y1 = shape.bounds
    return f"keep-out at ({(x0 + x1) / 2:.6g}, {(y0 + y1) / 2:.6g})"


def _zone(file: BoardFile, i: int, nets: dict[bytes, str], renamed: dict[str, str]) -> Zone:
    parts = file.index.by_head(i)
    try:
        rules = _rules(file, parts.get(b"keepout", ()))
        shape = _shape(file, parts.get(b"polygon", ()))
    except MalformedError as wrong:
        where = file.index.line(int(file.index.start[i]))
        raise BoardFormatError(f"{file.path}, line {where}, zone: {wrong}") from None
    layers = [renamed.get(layer, layer) for layer in _words(file, parts, b"layer") + _words(file, parts, b"layers")]
    name = _words(file, parts, b"name")
    return Zone(
        name[0] if name else "",
        shape,
        tuple(layers),
        _net(file, parts, nets),
        b"keepout" in parts,
        rules.get("footprints") == "not_allowed",
        rules.get("pads") == "not_allowed",
    )


def _rules(file: BoardFile, keepouts: Sequence[int]) -> dict[str, str]:
    """What a rule area says of tracks, vias, pads, copperpour, footprints: `allowed` or `not_allowed`."""
    rows = [row for i in keepouts for row in read_list(file, i)[1:] if isinstance(row, list)]
    return {text(row, 0): text(row, 1) for row in rows}


def _shape(file: BoardFile, polygons: Sequence[int]) -> BaseGeometry:
    """The first polygon without the later ones, which are holes; one that crosses itself as its lines enclose it."""
    drawn = [graphic([b"gr_poly", *read_list(file, i)[1:]]) for i in polygons]  # the two hold the same
    rings = [path(one) for one in drawn if one is not None]
    areas = [shapely.make_valid(Polygon(ring)) for ring in rings if len(ring) > 3]
    return areas[0].difference(shapely.union_all(areas[1:])) if areas else Polygon()


def _words(file: BoardFile, parts: dict[bytes, list[int]], head: bytes) -> list[str]:
    return words(read_list(file, parts[head][0])) if head in parts else []


def _net(file: BoardFile, parts: dict[bytes, list[int]], nets: dict[bytes, str]) -> str:
    named = _words(file, parts, b"net_name")
    if named:
        return named[0]
    number = _words(file, parts, b"net")[-1:]
    return nets.get(number[0].encode(), number[0]) if number else ""
