"""One footprint, from its span of the file: only the lists that placement needs are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from shapely.geometry.base import BaseGeometry

from redraft.errors import BoardFormatError
from redraft.studios.board.courtyard import body_of, courtyard_of, hull_of
from redraft.studios.board.drawn import Graphic, graphic
from redraft.studios.board.model import MM, Footprint, Pad, Pose
from redraft.studios.board.pads import pad_of
from redraft.studios.board.sexpr import Index, atoms, text_of
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

_STRING = rb'"(?:[^"\\]|\\.)*+"'
_WORD = rb'(?:%b|[^\s()"]+)' % _STRING
_CHILD = re.compile(
    rb"\(\s*(?:(at|layer|uuid|tstamp|locked|attr|pad)(?=[\s()])"
    rb'|(?:property|fp_text)\s+"?(reference|value)"?\s+(%b)'
    rb"|(fp_(?:line|arc|circle|rect|poly|curve))(?=[\s()]))" % _WORD,
    re.DOTALL | re.IGNORECASE,
)
"""A list that placement needs, by its beginning: a plain one, a name with its text, or a graphic item."""
_OWN = re.compile(rb"%b|\((uuid|tstamp|net|pinfunction|pintype)((?:\s+%b)*)\s*\)" % (_STRING, _WORD), re.DOTALL)
"""What tells a pad from those of like parts; strings are matched so that nothing within one is."""
_MARK = re.compile(rb'\((?:uuid|tstamp)\s+"?[\w-]*"?\s*\)')


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
    drawn: dict[str, list[Graphic]] = field(default_factory=dict[str, "list[Graphic]"])
    """By layer, courtyards and fabrication outlines only."""


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
        pads = _pads(parts, pose.angle, renamed)
    except MalformedError as wrong:
        name = parts.names.get("reference", "without a reference")
        raise BoardFormatError(f"{where}, line {index.line(parts.at)}, footprint {name}: {wrong}") from None
    return _footprint(parts, i, pose, pads)


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
        _keep_drawing(parts, _unmarked(span))


def _keep_drawing(parts: _Parts, span: bytes) -> None:
    layers, drawn = _drawing(span)
    for layer in layers:
        if drawn and layer.endswith((".CrtYd", ".Fab")):
            parts.drawn.setdefault(layer, []).append(drawn)


@lru_cache(maxsize=1 << 14)
def _drawing(span: bytes) -> tuple[tuple[str, ...], Graphic | None]:
    """A graphic item and its layers. Cached, for like parts have the same ones."""
    item = tree(span)
    return tuple(words(first(item, b"layer") or first(item, b"layers") or [])), graphic(item)


def _unmarked(span: bytes) -> bytes:
    """The text of a graphic item without its identifier."""
    at = max(span.rfind(b"(uuid"), span.rfind(b"(tstamp"))
    mark = _MARK.match(span, at) if at >= 0 else None
    return span[:at] + span[mark.end() :] if mark else span


def _common(span: bytes) -> tuple[bytes, str]:
    """The text of a pad without what is its own, and its net."""
    net, shared, at = "", list[bytes](), 0
    for match in _OWN.finditer(span):
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
        pad = pad_of(shared, footprint_angle, renamed)
        pads.append(replace(pad, net=net) if net and pad.kind != "hole" else pad)
    return tuple(pads)


def _footprint(parts: _Parts, i: int, pose: Pose, pads: tuple[Pad, ...]) -> Footprint:
    own, plain = ("F" if pose.side == "front" else "B"), parts.plain
    body = body_of(_graphics(parts, f"{own}.Fab"))
    rooms = {side: courtyard_of(_graphics(parts, f"{side}.CrtYd")) for side in "FB"}
    rooms[own] = rooms[own] or hull_of(body, *_copper(pads, pose))
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
        front=rooms["F"],
        back=rooms["B"],
        body=body,
    )


def _graphics(parts: _Parts, layer: str) -> tuple[Graphic, ...]:
    return tuple(parts.drawn.get(layer, ()))


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
    return [pad.core.buffer(pad.radius) if pad.radius else pad.core for pad in own]
