"""Pads, from the text of `(pad …)` lists."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
import shapely

from redraft.studios.board.drawn import Graphic, graphic
from redraft.studios.board.model import Pad
from redraft.studios.board.sexpr import text_of
from redraft.studios.board.shapes import Outline, chamfered, custom, oval, rounded, trapezoid, turned
from redraft.studios.board.tree import (
    MalformedError,
    Point,
    Tree,
    angle,
    first,
    found,
    length,
    point,
    text,
    tree,
    unquoted,
    words,
)

__all__ = ["pad_of"]

Kind = Literal["smd", "through", "hole", "connector"]
_KINDS: Mapping[str, Kind] = {"smd": "smd", "thru_hole": "through", "np_thru_hole": "hole", "connect": "connector"}


_BEGINNING = re.compile(
    rb'\(pad\s+("(?:[^"\\]++|\\.)*+"|[^\s()"]+)(\s+\w+\s+\w+\s*)(\(at(?:\s+[^\s()"]+){2,3}\s*\))', re.DOTALL
)
"""Of nearly every pad: its number, its kind and shape, and its place."""


class _Plain(NamedTuple):
    """What a pad is without its number and its place."""

    kind: Kind
    outline: Outline
    """Unturned, about the pad's position."""
    front: bool
    back: bool
    drill: float


@lru_cache(maxsize=1 << 14)
def pad_of(span: bytes, footprint_angle: float, renamed: tuple[tuple[str, str], ...] = ()) -> Pad:
    """A pad in its footprint's frame, without its net. The angle in the file contains the footprint's.

    Cached: the pads of like parts are the same text, once their nets and identifiers are left out. `renamed` pairs the
    board's names of layers with the standard ones. Raises `MalformedError`.
    """
    beginning = _BEGINNING.match(span)
    if beginning:
        number, place = text_of(unquoted(beginning[1])), tree(beginning[3])
    else:
        item = tree(span)
        number, place = text(item, 1), found(item, b"at")
    plain, matrix, at = _plain_of(span, beginning, renamed), turned(angle(place, 3) - footprint_angle), point(place)
    where = np.array(at)
    return Pad(
        number="" if plain.kind == "hole" else number,  # a bare hole has none in KiCad, whatever is written
        kind=plain.kind,
        at=at,
        core=shapely.transform(plain.outline.core, lambda xy: xy @ matrix + where),
        radius=plain.outline.radius,
        front=plain.front,
        back=plain.back,
        drill=plain.drill,
    )


def _plain_of(span: bytes, beginning: re.Match[bytes] | None, renamed: tuple[tuple[str, str], ...]) -> _Plain:
    """Read once for all pads of one shape, wherever they are."""
    if beginning:
        with suppress(MalformedError):  # which would have to name the pad
            return _plain(b'(pad ""' + beginning[2] + span[beginning.end() :], renamed)
    return _plain(span, renamed)


@lru_cache(maxsize=1 << 12)
def _plain(span: bytes, renamed: tuple[tuple[str, str], ...]) -> _Plain:
    item = tree(span)
    kind = _KINDS.get(text(item, 2))
    if kind is None:
        raise MalformedError(f"pad {text(item, 1)!r} is {text(item, 2)[:40]!r}, which is none of {', '.join(_KINDS)}")
    standard = dict(renamed)
    layers = {standard.get(layer, layer) for layer in words(first(item, b"layers") or [])}
    everywhere = kind in {"through", "hole"} or bool(layers & {"*.Cu", "F&B.Cu"})
    return _Plain(
        kind, _outline(item), everywhere or "F.Cu" in layers, everywhere or "B.Cu" in layers, max(_drill(item))
    )


def _outline(item: Tree) -> Outline:
    """About the pad's position."""
    plain, offset = _unturned(item), np.array(_offset(item))
    return plain._replace(core=shapely.transform(plain.core, lambda xy: xy + offset)) if offset.any() else plain


def _unturned(item: Tree) -> Outline:
    """The shape about the origin."""
    size, shape = found(item, b"size"), text(item, 3)
    width, height = max(0.0, length(size, 1)), max(0.0, length(size, 2))
    if shape == "circle":
        return oval(width, width)
    if shape == "oval":
        return oval(width, height)
    if shape == "rect":
        return rounded(width, height, 0.0)
    if shape == "roundrect":
        return _roundrect(item, width, height)
    if shape == "trapezoid":
        return trapezoid(width, height, _delta(item))
    if shape == "custom":
        return _custom(item, width, height)
    raise MalformedError(f"pad {text(item, 1)!r} has the unknown shape {shape[:40]!r}")


def _roundrect(item: Tree, width: float, height: float) -> Outline:
    least = min(width, height)
    radius, cut = _share(item, b"roundrect_rratio") * least, _share(item, b"chamfer_ratio") * least
    corners = words(first(item, b"chamfer") or [])
    return chamfered(width, height, radius, cut, corners) if cut and corners else rounded(width, height, radius)


def _share(item: Tree, head: bytes) -> float:
    """A ratio of the shorter side, which is at most a half."""
    ratio = first(item, head)
    return min(0.5, max(0.0, length(ratio))) if ratio else 0.0


def _delta(item: Tree) -> Point:
    delta = first(item, b"rect_delta")
    return point(delta) if delta else (0.0, 0.0)


def _custom(item: Tree, width: float, height: float) -> Outline:
    options = first(item, b"options")
    anchor = first(options, b"anchor") if options else None
    square = anchor is not None and text(anchor, 1) == "rect"
    drawn = [graphic(one) for one in first(item, b"primitives") or [] if isinstance(one, list) and one]
    primitives: list[Graphic] = [one for one in drawn if one is not None]
    return custom(rounded(width, height, 0.0) if square else oval(width, width), primitives)


def _offset(item: Tree) -> Point:
    """Of the shape's middle from the pad's position."""
    drill = first(item, b"drill")
    offset = first(drill, b"offset") if drill else None
    return point(offset) if offset else (0.0, 0.0)


def _drill(item: Tree) -> Point:
    """Width and height of the hole; zeros without one."""
    drill = first(item, b"drill")
    sizes = [atom for atom in drill or [] if isinstance(atom, bytes)][1:]
    if drill is None or not sizes:
        return (0.0, 0.0)
    if sizes[0] != b"oval":
        return (length(drill, 1), length(drill, 1))
    return (length(drill, 2), length(drill, 3 if len(sizes) > 2 else 2))
