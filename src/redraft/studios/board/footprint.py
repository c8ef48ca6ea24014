"""One footprint, from its span of the file: only the lists that placement needs are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from shapely.geometry.base import BaseGeometry

from redraft.errors import BoardFormatError
from redraft.studios.board.courtyard import body_of, courtyard_of, hull_of
from redraft.studios.board.drawn import Graphic, graphic, leading_lines
from redraft.studios.board.model import MM, Footprint, Pad, Pose
from redraft.studios.board.pads import pad_of
from redraft.studios.board.sexpr import Index, atoms, text_of
from redraft.studios.board.shapes import grown
from redraft.studios.board.tree import (
    MalformedError,
    Tree,
    angle,
    first,
    found,
    length,
    said,
    text,
    tree,
    unquoted,
    words,
)

__all__ = ["Renamed", "footprint_at"]

Renamed = tuple[tuple[str, str], ...]

_STRING = rb'"(?:[^"\\]++|\\.)*+"'
_WORD = rb'(?:%b|[^\s()"]+)' % _STRING
_CHILD = re.compile(
    rb"\(\s*(?:(at|layer|uuid|tstamp|locked|attr|pad)(?=[\s()])"
    rb'|(?:property|fp_text)\s+"?(reference|value)"?\s+(%b)'
    rb"|(fp_(?:line|arc|circle|rect|poly|curve))(?=[\s()]))" % _WORD,
    re.DOTALL | re.IGNORECASE,
)
"""A list that placement needs, by its beginning: a plain one, a name with its text, or a graphic item."""
_OWN = rb"\((uuid|tstamp|net|pinfunction|pintype)((?:\s+%b)*)\s*\)" % _WORD
"""What tells a pad from those of like parts."""
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
    """`reference` and `value`."""
    pads: list[tuple[int, bytes]] = field(default_factory=list[tuple[int, bytes]])
    """Where in the file, and the text."""
    drawn: list[tuple[int, bytes]] = field(default_factory=list[tuple[int, bytes]])
    """Graphic items on the courtyard and fabrication layers, likewise."""


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
    except MalformedError as wrong:
        name = parts.names.get("reference", "without a reference")
        raise BoardFormatError(f"{where}, line {index.line(parts.at)}, footprint {name}: {wrong}") from None
    return _footprint(parts, i, pose, pads, rooms)


def _keep(parts: _Parts, match: re.Match[bytes], span: bytes) -> None:
    parts.at = match.start()
    plain, name, value, drawing = match.groups()
    if plain == b"pad":
        parts.pads.append((parts.at, span))
    elif plain:
        parts.plain.setdefault(plain.decode(), tree(span))
    elif name:
        parts.names.setdefault(name.decode().lower(), text_of(unquoted(value)))
    elif drawing and (b".CrtYd" in span or b".Fab" in span):
        parts.drawn.append((parts.at, span))


class _Rooms(NamedTuple):
    """The areas that a footprint's drawing encloses, in its own frame."""

    front: BaseGeometry | None
    back: BaseGeometry | None
    body: BaseGeometry | None


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
    return _Rooms(front, back, body_of(tuple(drawn.get(f"{own}.Fab", ()))))


def _common(span: bytes) -> tuple[bytes, str]:
    """The text of a pad without what is its own, and its net."""
    strings = b"".join(span.split(b'"')[1::2])
    net, shared, at = "", list[bytes](), 0
    for match in (_OWN_OR_STRING if b"\\" in span or b"(" in strings else _OWN_ONLY).finditer(span):
        if match[1]:
            shared.append(span[at : match.start()])
            at = match.end()
        if match[1] == b"net":
            net = _net(match[0])
    return b"".join([*shared, span[at:]]), net


@lru_cache(maxsize=1 << 14)
def _net(span: bytes) -> str:
    """The name in `(net 3 "GND")` and `(net "GND")`; empty in `(net 0 "")`."""
    said = words(tree(span))
    return said[-1] if said else ""


def _pads(parts: _Parts, footprint_angle: float, renamed: Renamed) -> tuple[Pad, ...]:
    pads: list[Pad] = []
    for at, span in parts.pads:
        parts.at = at
        shared, net = _common(span)
        place = _AT.match(shared)
        turn = footprint_angle
        if place:  # of like parts that lie differently, the pads are then the same text
            turn -= angle([b"at", place[1].strip()], 1)
            shared = shared[: place.start(1)] + shared[place.end(1) :]
        pads.append(_wired(shared, turn, renamed, net))
    return tuple(pads)


@lru_cache(maxsize=1 << 14)
def _wired(span: bytes, footprint_angle: float, renamed: Renamed, net: str) -> Pad:
    """A pad on its net."""
    pad = pad_of(span, footprint_angle, renamed)
    return replace(pad, net=net) if net and pad.kind != "hole" else pad


def _footprint(parts: _Parts, i: int, pose: Pose, pads: tuple[Pad, ...], rooms: _Rooms) -> Footprint:
    plain, front, back, body = parts.plain, *rooms
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
