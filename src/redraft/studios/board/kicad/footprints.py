"""Footprints: position, pads, courtyards and body."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple, cast

import numpy as np
import shapely
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from redraft.errors import BoardFormatError
from redraft.studios.board.kicad.graphics import Graphic, Points, graphic, leading_lines, path
from redraft.studios.board.kicad.model import MM, Footprint, Pad, Pose
from redraft.studios.board.kicad.pads import Outline, custom, grown, pad_of
from redraft.studios.board.kicad.rings import nested, plain_rings, rings
from redraft.studios.board.kicad.sexpr import (
    Index,
    MalformedError,
    Tree,
    angle,
    atoms,
    first,
    found,
    length,
    said,
    text,
    text_of,
    tree,
    unquoted,
    words,
)

TOLERANCE = 0.02
"""How far the ends of courtyard lines may miss each other, in millimeters: as much as KiCad's own reader allows."""
_MOST = 0.5
"""Share of its drawing's box that a closed outline must fill to be the body, and not the marks of a few pins."""
_SAME = 1e-9
"""Share of an area by which sums of the same corners may differ."""


@lru_cache(maxsize=4096)
def courtyard_of(graphics: tuple[Graphic, ...]) -> BaseGeometry | None:
    """The area within closed outlines; one within another is a hole, as in KiCad. None: no outline, or a broken one.

    Lines have no width here: a courtyard's edge is the middle of its line.
    """
    closed, strays = rings(map(path, graphics), TOLERANCE)
    if strays or not all(ring.is_valid and ring.area > 0 for ring in closed):
        return None
    return nested(closed)


@lru_cache(maxsize=4096)
def body_of(graphics: tuple[Graphic, ...]) -> BaseGeometry | None:
    """The outline of what is drawn, holes filled in; the convex hull where the outline is not closed. None: nothing."""
    paths = [path(one) for one in graphics]
    hull = _hull(np.concatenate(paths)) if paths else None
    if hull is None:
        return None
    outline = _plain_outline(paths, hull)
    if outline is None:
        outline = _outline(paths)
    return outline if _box_area(outline) >= _MOST * _box_area(hull) else hull


def hull_of(*parts: BaseGeometry | None) -> BaseGeometry | None:
    """The convex hull of several areas; None where they enclose nothing."""
    given = [part for part in parts if part is not None]
    return _hull(shapely.get_coordinates(given)) if given else None


def _plain_outline(paths: list[Points], hull: BaseGeometry) -> BaseGeometry | None:
    """Where lines that meet end to end enclose all others: what `_outline` finds, far sooner. None: unsure."""
    closed, strays = plain_rings(paths)
    found = max(closed, key=lambda ring: ring.area, default=None)
    alone = len(closed) == 1 and not strays
    if found is None or not found.is_valid or not (alone or abs(found.area - hull.area) <= _SAME * hull.area):
        return None
    return found


def _outline(paths: list[Points]) -> BaseGeometry:
    """Everything that the lines enclose, wherever they meet or cross."""
    noded = shapely.union_all([LineString(line) for line in paths if len(line) > 1])
    faces = shapely.polygonize([noded]) if noded.length else Polygon()
    return shapely.union_all(shapely.get_parts(faces))


def _hull(points: Points) -> BaseGeometry | None:
    """By way of a line through all points, which is made far sooner than so many points."""
    hull = cast("LineString", shapely.linestrings(points)).convex_hull if len(points) > 2 else Polygon()
    return hull if hull.area > 0 else None


def _box_area(area: BaseGeometry) -> float:
    if area.is_empty:
        return 0.0
    x0, y0, x1, y1 = area.bounds
    return (x1 - x0) * (y1 - y0)


Renamed = tuple[tuple[str, str], ...]

_STRING = rb'"(?:[^"\\]++|\\.)*+"'
_WORD = rb'(?:%b|[^\s()"]+)' % _STRING
_CHILD = re.compile(
    rb"\(\s*(?:(at|layer|uuid|tstamp|locked|attr|clearance|pad)(?=[\s()])"
    rb'|(?:property|fp_text)\s+"?(reference|value|sheetname)"?\s+(%b)'
    rb"|(path|sheetname)\s+(%b)"
    rb"|(fp_(?:line|arc|circle|rect|poly|curve))(?=[\s()]))" % (_WORD, _WORD),
    re.DOTALL | re.IGNORECASE,
)
"""A list that placement needs, by its beginning: a plain one, a name with its text, or a graphic item."""
_OWN = rb"\((uuid|tstamp|net|pinfunction|pintype)((?:\s+%b)*)\s*\)" % _WORD
"""Identifies a pad among those of similar parts."""
_OWN_ONLY = re.compile(_OWN, re.DOTALL)
_OWN_OR_STRING = re.compile(_STRING + rb"|" + _OWN, re.DOTALL)
"""Slower; strings are matched so that nothing within one is."""
_MARK = re.compile(rb'\((?:uuid|tstamp)\s+"?[\w-]*"?\s*\)')
_AT = re.compile(rb"\(pad\s+%b\s+\w+\s+\w+\s+\(at\s+[^\s()]+\s+[^\s()]+(\s+[^\s()]+)\s*\)" % _WORD, re.DOTALL)
"""The angle of a pad, which has its footprint's in it."""


@dataclass
class _Parts:
    """The lists of one footprint that were kept."""

    at: int
    """Where in the file reading is; for messages."""
    flags: list[bytes]
    """What it begins with: `footprint`, its library name, and flags of KiCad 4 to 7."""
    plain: dict[str, Tree] = field(default_factory=dict[str, "Tree"])
    names: dict[str, str] = field(default_factory=dict[str, str])
    """`reference`, `value`, `path` and `sheetname`."""
    pads: list[tuple[int, bytes]] = field(default_factory=list[tuple[int, bytes]])
    """Where in the file, and the text."""
    drawn: list[tuple[int, bytes]] = field(default_factory=list[tuple[int, bytes]])
    """Graphic items on the courtyard, fabrication and copper layers, likewise."""


def footprint_at(index: Index, i: int, where: str, renamed: Renamed = ()) -> Footprint:
    """The footprint in the i-th list.

    `where` names the file in messages; `renamed` pairs the board's own names of the outer copper layers, which KiCad 4
    and 5 wrote, with the standard ones.

    Raises:
        BoardFormatError: a list in it lacks a number, or has an unknown word in its place; with the line.
    """
    start, inside, data = int(index.start[i]), index.inside(i), index.data
    spans = list(zip(index.start[inside].tolist(), index.end[inside].tolist(), strict=True))
    parts = _Parts(start, atoms(data, start, spans[0][0] if spans else int(index.end[i])))
    try:
        for begin, end in spans:
            if match := _CHILD.match(data, begin, end):
                _keep(parts, match, data[begin:end])
        parts.at = start
        pose = _pose(parts, dict(renamed))
        rooms = _rooms(parts, "F" if pose.side == "front" else "B")
        pads = _pads(parts, pose.angle, renamed)
        clearance = length(parts.plain["clearance"]) if "clearance" in parts.plain else None
    except MalformedError as wrong:
        name = parts.names.get("reference", "without a reference")
        raise BoardFormatError(f"{where}, line {index.line(parts.at)}, footprint {name}: {wrong}") from None
    return _footprint(parts, i, pose, pads, rooms, clearance)


def _keep(parts: _Parts, match: re.Match[bytes], span: bytes) -> None:
    parts.at = match.start()
    plain, name, value, place, where, drawing = match.groups()
    if plain == b"pad":
        parts.pads.append((parts.at, span))
    elif plain:
        parts.plain.setdefault(plain.decode(), tree(span))
    elif name:
        parts.names.setdefault(name.decode().lower(), text_of(unquoted(value)))
    elif place:
        parts.names.setdefault(place.decode().lower(), text_of(unquoted(where)))
    elif drawing and (b".CrtYd" in span or b".Fab" in span or b".Cu" in span):
        parts.drawn.append((parts.at, span))


class _Rooms(NamedTuple):
    """The areas that a footprint's drawing encloses, in its own frame."""

    front: BaseGeometry | None
    back: BaseGeometry | None
    body: BaseGeometry | None
    copper: tuple[Pad, ...]
    """What is drawn on the outer copper layers, in pieces that do not meet, on no net."""


def _rooms(parts: _Parts, own: str) -> _Rooms:
    try:
        return _enclosed(_MARK.sub(b"", b"".join(span for _, span in parts.drawn)), own)
    except MalformedError:
        for at, span in parts.drawn:
            parts.at = at  # of the one that is damaged
            graphic(tree(span))
        raise


@lru_cache(maxsize=4096)
def _enclosed(drawing: bytes, own: str) -> _Rooms:
    """By the text of all graphic items, without identifiers. Cached, for like parts have the same one."""
    drawn: dict[str, list[Graphic]] = {}
    lines, rest = leading_lines(drawing)
    for layer, one in lines:
        drawn.setdefault(layer, []).append(one)
    for item in tree(b"(" + rest + b")"):
        assert isinstance(item, list)
        one = graphic(item)
        if one:
            for layer in words(first(item, b"layer") or first(item, b"layers") or []):
                drawn.setdefault(layer, []).append(one)
    front, back = (courtyard_of(tuple(drawn.get(f"{side}.CrtYd", ()))) for side in "FB")
    copper = [pad for side in "FB" for pad in _drawn_copper(drawn.get(f"{side}.Cu", ()), side)]
    return _Rooms(front, back, body_of(tuple(drawn.get(f"{own}.Fab", ()))), tuple(copper))


def _drawn_copper(drawn: Sequence[Graphic], side: str) -> Iterator[Pad]:
    for piece in shapely.get_parts(custom(Outline(Polygon()), drawn).core) if drawn else ():
        at = piece.representative_point()
        # To KiCad, what its footprint states is for pads alone: hence a clearance that is none.
        yield Pad("", "smd", (at.x, at.y), piece, 0.0, front=side == "F", back=side == "B", clearance=0.0)


def _wired_copper(copper: Sequence[Pad], pads: Sequence[Pad]) -> Iterator[Pad]:
    """The copper on the nets of the pads that it meets; without net ties, which belong to several."""
    for piece in copper:
        met = [pad for pad in pads if (pad.front and piece.front) or (pad.back and piece.back)]
        nets = {pad.net for pad in met if pad.core.distance(piece.core) <= pad.radius}
        if len(nets) < 2:
            yield replace(piece, net="".join(nets))


class _Pin(NamedTuple):
    """What distinguishes a pad from that of a like part."""

    net: str = ""
    function: str = ""
    type: str = ""


def _common(span: bytes) -> tuple[bytes, _Pin]:
    """The text of a pad without what is its own, and what that says."""
    strings = b"".join(span.split(b'"')[1::2])
    net = function = kind = ""
    shared, at = list[bytes](), 0
    for match in (_OWN_OR_STRING if b"\\" in span or b"(" in strings else _OWN_ONLY).finditer(span):
        head = match[1]
        if head:
            shared.append(span[at : match.start()])
            at = match.end()
        if head == b"net":
            net = _last(match[2])
        elif head == b"pinfunction":
            function = _last(match[2])
        elif head == b"pintype":
            kind = _last(match[2])
    return b"".join([*shared, span[at:]]), _Pin(net, function, kind)


@lru_cache(maxsize=1 << 14)
def _last(listed: bytes) -> str:
    """The name in `3 "GND"` and `"GND"`; empty in `0 ""`."""
    before, quote, name = listed.removesuffix(b'"').rpartition(b'"')
    if quote and b"\\" not in listed and b'"' not in before:
        return text_of(name)
    said = words(tree(b"(net" + listed + b")"))
    return said[-1] if said else ""


def _pads(parts: _Parts, footprint_angle: float, renamed: Renamed) -> tuple[Pad, ...]:
    pads: list[Pad] = []
    for at, span in parts.pads:
        parts.at = at
        shared, pin = _common(span)
        place = _AT.match(shared)
        turn = footprint_angle
        if place:  # of like parts that lie differently, the pads are then the same text
            turn -= angle([b"at", place[1].strip()], 1)
            shared = shared[: place.start(1)] + shared[place.end(1) :]
        pads.append(_wired(shared, turn, renamed, pin))
    return tuple(pads)


@lru_cache(maxsize=1 << 14)
def _wired(span: bytes, footprint_angle: float, renamed: Renamed, pin: _Pin) -> Pad:
    """A pad on its net."""
    pad = pad_of(span, footprint_angle, renamed)
    known = any(pin) and pad.kind != "hole"
    return replace(pad, net=pin.net, function=pin.function, type=pin.type) if known else pad


def _footprint(
    parts: _Parts, i: int, pose: Pose, pads: tuple[Pad, ...], rooms: _Rooms, clearance: float | None
) -> Footprint:
    plain, (front, back, body, copper) = parts.plain, rooms
    if pose.side == "front":
        front = front or hull_of(body, *_copper(pads, pose))
    else:
        back = back or hull_of(body, *_copper(pads, pose))
    return Footprint(
        index=i,
        reference=parts.names.get("reference", ""),
        value=parts.names.get("value", ""),
        library=text_of(parts.flags[1]) if len(parts.flags) > 1 else "",
        uuid=" ".join(words(plain.get("uuid") or plain.get("tstamp") or [])),
        pose=pose,
        locked=b"locked" in parts.flags[2:] or said([b"", b"", plain.get("locked", [])], b"locked"),
        attributes=tuple(words(plain.get("attr", []))),
        pads=pads,
        front=front,
        back=back,
        body=body,
        copper=tuple(_wired_copper(copper, pads)),
        clearance=clearance,
        path=tuple(part for part in parts.names.get("path", "").split("/") if part),
        sheet=parts.names.get("sheetname", ""),
    )


def _pose(parts: _Parts, renamed: Mapping[str, str]) -> Pose:
    lists: Tree = [b"footprint", *parts.plain.values()]
    at, layer = found(lists, b"at"), text(found(lists, b"layer"), 1)
    return Pose(
        x=_nanometres(length(at, 1)),
        y=_nanometres(length(at, 2)),
        angle=angle(at, 3),
        side="back" if renamed.get(layer, layer) == "B.Cu" else "front",
    )


def _nanometres(millimetres: float) -> int:
    """Rounded as KiCad rounds, halves away from zero."""
    whole = int(abs(millimetres) * MM + 0.5)
    return whole if millimetres >= 0 else -whole


def _copper(pads: tuple[Pad, ...], pose: Pose) -> list[BaseGeometry]:
    """The shapes of the pads on the footprint's own side."""
    own = [pad for pad in pads if (pad.front if pose.side == "front" else pad.back)]
    return [grown(pad.core, pad.radius) for pad in own]
