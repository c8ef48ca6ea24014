"""Footprints: position, pads, courtyards and body.

`footprint_at` reads one list of the file. Boards have many like parts, so their shared text is the key of two caches: a
drawing without its identifiers (`_enclosed`), and a pad without its net, identifiers and angle (`_wired`).
"""

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
from redraft.studios.board.kicad.model import Footprint, Pad, Pose, rounded_nanometers
from redraft.studios.board.kicad.pads import Outline, custom, grown, pad_of
from redraft.studios.board.kicad.rings import nested, plain_rings, rings
from redraft.studios.board.kicad.sexpr import (
    Index,
    MalformedError,
    Tree,
    angle,
    atoms,
    first,
    is_set,
    length,
    require,
    text,
    text_of,
    tree,
    unquoted,
    words,
)

TOLERANCE = 0.02
"""Millimeters by which the ends of courtyard lines may miss each other: as much as KiCad's own reader allows."""
MIN_BODY = 0.5
"""Share of its drawing's box that a closed outline must fill to be the body, and not the marks of a few pins."""
AREA_ERROR = 1e-9
"""Share of an area by which sums of the same corners may differ."""


@lru_cache(maxsize=4096)
def courtyard_of(graphics: tuple[Graphic, ...]) -> BaseGeometry | None:
    """Return the area within closed outlines, one within another being a hole, as in KiCad.

    None where there is no outline, or a broken one. Lines have no width here: the edge is the middle of the line.
    """
    closed, strays = rings(map(path, graphics), TOLERANCE)
    if strays or not all(ring.is_valid and ring.area > 0 for ring in closed):
        return None
    return nested(closed)


@lru_cache(maxsize=4096)
def body_of(graphics: tuple[Graphic, ...]) -> BaseGeometry | None:
    """Return the outline of a drawing, holes filled in; the convex hull where it is not closed; None without any."""
    paths = [path(one) for one in graphics]
    hull = _hull(np.concatenate(paths)) if paths else None
    if hull is None:
        return None

    # Where lines that meet end to end enclose all others, their ring is the outline.
    closed, strays = plain_rings(paths)
    largest = max(closed, key=lambda ring: ring.area, default=None)
    alone = len(closed) == 1 and not strays
    if largest is not None and largest.is_valid and (alone or abs(largest.area - hull.area) <= AREA_ERROR * hull.area):
        outline: BaseGeometry = largest
    else:
        # Everything that the lines enclose, wherever they meet or cross: far slower.
        noded = shapely.union_all([LineString(line) for line in paths if len(line) > 1])
        faces = shapely.polygonize([noded]) if noded.length else Polygon()
        outline = shapely.union_all(shapely.get_parts(faces))
    return outline if _box_area(outline) >= MIN_BODY * _box_area(hull) else hull


def hull_of(*parts: BaseGeometry | None) -> BaseGeometry | None:
    """Return the convex hull of several areas; None where they enclose nothing."""
    known = [part for part in parts if part is not None]
    return _hull(shapely.get_coordinates(known)) if known else None


def _hull(points: Points) -> BaseGeometry | None:
    """Return the convex hull of points, by way of a line through them, which is made far faster than so many points."""
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
"""Lists of a pad that differ between like parts."""
_OWN_ONLY = re.compile(_OWN, re.DOTALL)
_OWN_OR_STRING = re.compile(_STRING + rb"|" + _OWN, re.DOTALL)
"""Slower than `_OWN_ONLY`; it also matches strings, so that nothing within one is taken for a list."""
_MARK = re.compile(rb'\((?:uuid|tstamp)\s+"?[\w-]*"?\s*\)')
_AT = re.compile(rb"\(pad\s+%b\s+\w+\s+\w+\s+\(at\s+[^\s()]+\s+[^\s()]+(\s+[^\s()]+)\s*\)" % _WORD, re.DOTALL)
"""The angle of a pad, which contains its footprint's."""


@dataclass
class _Lists:
    """The lists of one footprint that matter for placement."""

    at: int
    """The offset in the file that is being read, for messages."""
    flags: list[bytes]
    """The words that it begins with: `footprint`, its library name, and flags of KiCad 4 to 7."""
    plain: dict[str, Tree] = field(default_factory=dict[str, "Tree"])
    names: dict[str, str] = field(default_factory=dict[str, str])
    """`reference`, `value`, `path` and `sheetname`."""
    pads: list[tuple[int, bytes]] = field(default_factory=list[tuple[int, bytes]])
    """Offset and text of each."""
    drawn: list[tuple[int, bytes]] = field(default_factory=list[tuple[int, bytes]])
    """Offset and text of the graphic items on the courtyard, fabrication and copper layers."""


def footprint_at(index: Index, i: int, where: str, renamed: Renamed = ()) -> Footprint:
    """Read the footprint in the i-th list.

    `where` names the file in messages; `renamed` pairs the board's own names of the outer copper layers, which KiCad 4
    and 5 wrote, with the standard ones.

    Raises:
        BoardFormatError: a list in it lacks a number, or has an unknown word in its place; with the line.
    """
    start, inside, data = int(index.start[i]), index.inside(i), index.data
    spans = list(zip(index.start[inside].tolist(), index.end[inside].tolist(), strict=True))
    lists = _Lists(start, atoms(data, start, spans[0][0] if spans else int(index.end[i])))
    try:
        for begin, end in spans:
            if match := _CHILD.match(data, begin, end):
                _keep(lists, match, data[begin:end])
        lists.at = start
        pose = _pose(lists, dict(renamed))
        rooms = _rooms(lists, "F" if pose.side == "front" else "B")
        pads = _pads(lists, pose.angle, renamed)
        clearance = length(lists.plain["clearance"]) if "clearance" in lists.plain else None
    except MalformedError as error:
        name = lists.names.get("reference", "without a reference")
        raise BoardFormatError(f"{where}, line {index.line(lists.at)}, footprint {name}: {error}") from None

    # Its own side without a courtyard is the hull of body and pads.
    front, back = rooms.front, rooms.back
    own = [grown(pad.core, pad.radius) for pad in pads if (pad.front if pose.side == "front" else pad.back)]
    if pose.side == "front":
        front = front or hull_of(rooms.body, *own)
    else:
        back = back or hull_of(rooms.body, *own)
    plain = lists.plain
    return Footprint(
        index=i,
        reference=lists.names.get("reference", ""),
        value=lists.names.get("value", ""),
        library=text_of(lists.flags[1]) if len(lists.flags) > 1 else "",
        uuid=" ".join(words(plain.get("uuid") or plain.get("tstamp") or [])),
        pose=pose,
        locked=b"locked" in lists.flags[2:] or is_set([b"", b"", plain.get("locked", [])], b"locked"),
        attributes=tuple(words(plain.get("attr", []))),
        pads=pads,
        front=front,
        back=back,
        body=rooms.body,
        copper=tuple(_wired_copper(rooms.copper, pads)),
        clearance=clearance,
        path=tuple(part for part in lists.names.get("path", "").split("/") if part),
        sheet=lists.names.get("sheetname", ""),
    )


def _keep(lists: _Lists, match: re.Match[bytes], span: bytes) -> None:
    """Sort one list of a footprint, of which `_CHILD` matches the beginning."""
    lists.at = match.start()
    plain, name, value, place, where, drawing = match.groups()
    if plain == b"pad":
        lists.pads.append((lists.at, span))
    elif plain:
        lists.plain.setdefault(plain.decode(), tree(span))
    elif name:
        lists.names.setdefault(name.decode().lower(), text_of(unquoted(value)))
    elif place:
        lists.names.setdefault(place.decode().lower(), text_of(unquoted(where)))
    elif drawing and (b".CrtYd" in span or b".Fab" in span or b".Cu" in span):
        lists.drawn.append((lists.at, span))


def _pose(lists: _Lists, renamed: Mapping[str, str]) -> Pose:
    plain: Tree = [b"footprint", *lists.plain.values()]
    at, layer = require(plain, b"at"), text(require(plain, b"layer"), 1)
    return Pose(
        x=rounded_nanometers(length(at, 1)),
        y=rounded_nanometers(length(at, 2)),
        angle=angle(at, 3),
        side="back" if renamed.get(layer, layer) == "B.Cu" else "front",
    )


class _Rooms(NamedTuple):
    """The areas that a footprint's drawing encloses, in its own frame."""

    front: BaseGeometry | None
    back: BaseGeometry | None
    body: BaseGeometry | None
    copper: tuple[Pad, ...]
    """Drawings on the outer copper layers, in pieces that do not meet, on no net."""


def _rooms(lists: _Lists, own: str) -> _Rooms:
    try:
        return _enclosed(_MARK.sub(b"", b"".join(span for _, span in lists.drawn)), own)
    except MalformedError:
        # Read them one by one, so that the message has the line of the one that is damaged.
        for at, span in lists.drawn:
            lists.at = at
            graphic(tree(span))
        raise


@lru_cache(maxsize=4096)
def _enclosed(drawing: bytes, own: str) -> _Rooms:
    """Read the text of all graphic items, without identifiers. Cached, because like parts have the same text."""
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
        # In KiCad the clearance of a footprint is that of its pads alone, so this copper states 0.
        yield Pad("", "smd", (at.x, at.y), piece, 0.0, front=side == "F", back=side == "B", clearance=0.0)


def _wired_copper(copper: Sequence[Pad], pads: Sequence[Pad]) -> Iterator[Pad]:
    """Yield the copper on the nets of the pads that it meets; without net ties, which belong to several."""
    for piece in copper:
        met = [pad for pad in pads if (pad.front and piece.front) or (pad.back and piece.back)]
        nets = {pad.net for pad in met if pad.core.distance(piece.core) <= pad.radius}
        if len(nets) < 2:
            yield replace(piece, net="".join(nets))


class _Pin(NamedTuple):
    """The facts that distinguish a pad from that of a like part."""

    net: str = ""
    function: str = ""
    type: str = ""


def _split(span: bytes) -> tuple[bytes, _Pin]:
    """Return the text of a pad without the lists that are its own, and what those say."""
    strings = b"".join(span.split(b'"')[1::2])
    own: dict[bytes, str] = {}
    shared, at = list[bytes](), 0
    for match in (_OWN_OR_STRING if b"\\" in span or b"(" in strings else _OWN_ONLY).finditer(span):
        head = match[1]
        if head:
            shared.append(span[at : match.start()])
            at = match.end()
            if head in {b"net", b"pinfunction", b"pintype"}:
                own[head] = _last(match[2])
    pin = _Pin(own.get(b"net", ""), own.get(b"pinfunction", ""), own.get(b"pintype", ""))
    return b"".join([*shared, span[at:]]), pin


@lru_cache(maxsize=1 << 14)
def _last(listed: bytes) -> str:
    """Return the name in `3 "GND"` and `"GND"`; empty for `0 ""`."""
    before, quote, name = listed.removesuffix(b'"').rpartition(b'"')
    if quote and b"\\" not in listed and b'"' not in before:
        return text_of(name)
    names = words(tree(b"(net" + listed + b")"))
    return names[-1] if names else ""


def _pads(lists: _Lists, footprint_angle: float, renamed: Renamed) -> tuple[Pad, ...]:
    pads: list[Pad] = []
    for at, span in lists.pads:
        lists.at = at
        shared, pin = _split(span)
        place = _AT.match(shared)
        turn = footprint_angle
        if place:  # without its angle, the pad of like parts that lie differently is the same text
            turn -= angle([b"at", place[1].strip()], 1)
            shared = shared[: place.start(1)] + shared[place.end(1) :]
        pads.append(_wired(shared, turn, renamed, pin))
    return tuple(pads)


@lru_cache(maxsize=1 << 14)
def _wired(span: bytes, footprint_angle: float, renamed: Renamed, pin: _Pin) -> Pad:
    """Read a pad and put it on its net."""
    pad = pad_of(span, footprint_angle, renamed)
    known = any(pin) and pad.kind != "hole"
    return replace(pad, net=pin.net, function=pin.function, type=pin.type) if known else pad
