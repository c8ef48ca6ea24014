"""One footprint, from its span of the file: only the lists that placement needs are read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shapely.geometry.base import BaseGeometry

from redraft.errors import BoardFormatError
from redraft.studios.board.courtyard import body_of, courtyard_of, hull_of
from redraft.studios.board.drawn import Graphic, graphic
from redraft.studios.board.model import MM, Footprint, Pad, Pose
from redraft.studios.board.pads import pads_of
from redraft.studios.board.sexpr import Index, atoms, text_of
from redraft.studios.board.tree import Malformed, Tree, angle, first, found, length, said, text, tree, words

__all__ = ["footprint_at"]

_CHILD = re.compile(
    rb"\(\s*(?:(at|layer|uuid|tstamp|locked|attr|pad)(?=[\s()])"
    rb"|(?:property|fp_text)\s+\"?(reference|value)\"?\s"
    rb"|(fp_(?:line|arc|circle|rect|poly|curve))(?=[\s()]))",
    re.IGNORECASE,
)
"""A list that placement needs, by its beginning: a plain one, a name, or a graphic item."""


@dataclass
class _Parts:
    """The lists of one footprint that were kept."""

    name: list[bytes]
    """What it begins with: `footprint`, its library name, and flags of KiCad 4 to 7."""
    single: dict[str, Tree] = field(default_factory=dict[str, "Tree"])
    pads: list[Tree] = field(default_factory=list["Tree"])
    drawn: dict[str, list[Graphic]] = field(default_factory=dict[str, "list[Graphic]"])
    """By layer, courtyards and fabrication outlines only."""


def footprint_at(index: Index, i: int, where: str, renamed: Mapping[str, str]) -> Footprint:
    """The footprint in the i-th list.

    `where` names the file in messages; `renamed` has the board's own names of the outer copper layers, where KiCad 4
    or 5 wrote those.

    Raises:
        BoardFormatError: a list in it lacks a number, or has an unknown word in its place; with the line.
    """
    inside = index.inside(i)
    starts, ends = index.start[inside].tolist(), index.end[inside].tolist()
    parts = _Parts(atoms(index.data, int(index.start[i]), starts[0] if starts else int(index.end[i])))
    at = int(index.start[i])
    try:
        for start, end in zip(starts, ends, strict=True):
            at = start
            _keep(parts, index.data, start, end)
        at = int(index.start[i])
        return _footprint(parts, i, renamed)
    except Malformed as wrong:
        name = parts.single.get("reference", [])
        ref = text_of(name[2]) if len(name) > 2 and isinstance(name[2], bytes) else "without a reference"
        raise BoardFormatError(f"{where}, line {index.line(at)}, footprint {ref}: {wrong}") from None


def _keep(parts: _Parts, data: bytes, start: int, end: int) -> None:
    match = _CHILD.match(data, start, end)
    if match is None:
        return
    plain, name, drawing = match.groups()
    if drawing:
        _keep_drawing(parts, data, start, end)
    elif plain == b"pad":
        parts.pads.append(tree(data, start, end))
    else:
        parts.single.setdefault((plain or name).decode().lower(), tree(data, start, end))


def _keep_drawing(parts: _Parts, data: bytes, start: int, end: int) -> None:
    """Silkscreen and the like is passed over unread."""
    if data.find(b".CrtYd", start, end) < 0 and data.find(b".Fab", start, end) < 0:
        return
    item = tree(data, start, end)
    drawn = graphic(item)
    for layer in words(first(item, b"layer") or first(item, b"layers") or []):
        if drawn and layer.endswith((".CrtYd", ".Fab")):
            parts.drawn.setdefault(layer, []).append(drawn)


def _footprint(parts: _Parts, i: int, renamed: Mapping[str, str]) -> Footprint:
    one = parts.single
    pose = _pose([b"footprint", *one.values()], renamed)
    pads = pads_of(parts.pads, pose.angle, renamed)
    body = body_of(_graphics(parts, _layer(pose, "Fab")))
    rooms = {side: courtyard_of(_graphics(parts, f"{side}.CrtYd")) for side in "FB"}
    own = "F" if pose.side == "front" else "B"
    rooms[own] = rooms[own] or hull_of(body, *_copper(pads, pose))
    return Footprint(
        index=i,
        reference=_word(one, "reference", 2),
        value=_word(one, "value", 2),
        library=text_of(parts.name[1]) if len(parts.name) > 1 else "",
        uuid=_word(one, "uuid", 1) or _word(one, "tstamp", 1),
        pose=pose,
        locked=b"locked" in parts.name[2:] or ("locked" in one and said([b"footprint", one["locked"]], b"locked")),
        attributes=tuple(words(one.get("attr", []))),
        pads=pads,
        front=rooms["F"],
        back=rooms["B"],
        body=body,
    )


def _graphics(parts: _Parts, layer: str) -> tuple[Graphic, ...]:
    return tuple(parts.drawn.get(layer, ()))


def _layer(pose: Pose, name: str) -> str:
    return f"{'F' if pose.side == 'front' else 'B'}.{name}"


def _word(lists: Mapping[str, Tree], head: str, at: int) -> str:
    """A word of a list that may be missing, as may the word."""
    return text(lists[head], at) if len(lists.get(head, [])) > at else ""


def _pose(footprint: Tree, renamed: Mapping[str, str]) -> Pose:
    at, layer = found(footprint, b"at"), text(found(footprint, b"layer"), 1)
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


def _copper(pads: Sequence[Pad], pose: Pose) -> list[BaseGeometry]:
    """The shapes of the pads on the footprint's own side."""
    own = [pad for pad in pads if (pad.front if pose.side == "front" else pad.back)]
    return [pad.core.buffer(pad.radius) if pad.radius else pad.core for pad in own]
