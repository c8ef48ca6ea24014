"""Pads, from the text of `(pad …)` lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from redraft.studios.board.drawn import Graphic, graphic
from redraft.studios.board.model import Pad
from redraft.studios.board.shapes import Outline, chamfered, custom, oval, rounded, trapezoid, turned
from redraft.studios.board.tree import Malformed, Point, Tree, angle, first, found, length, point, text, words

__all__ = ["pads_of"]

Kind = Literal["smd", "through", "hole", "connector"]
_KINDS: Mapping[str, Kind] = {"smd": "smd", "thru_hole": "through", "np_thru_hole": "hole", "connect": "connector"}
_SHAPES = {"circle", "rect", "oval", "roundrect", "trapezoid", "custom"}


class _Spec(NamedTuple):
    """All that decides a pad's shape. A board has a few dozen of them for thousands of pads."""

    shape: str
    size: Point
    radius: float
    cut: float
    corners: tuple[str, ...]
    delta: Point
    anchor: str
    primitives: tuple[Graphic, ...]
    offset: Point
    turn: float
    """Degrees, in the footprint's frame."""


def pads_of(items: Sequence[Tree], footprint_angle: float, renamed: Mapping[str, str]) -> tuple[Pad, ...]:
    """The pads of a footprint, whose angle is contained in each of theirs.

    `renamed` has the board's own names of the outer copper layers, where KiCad 4 or 5 wrote those. Raises `Malformed`.
    """
    if not items:
        return ()
    specs = [_spec(item, footprint_angle) for item in items]
    places = [point(found(item, b"at")) for item in items]
    outlines = [_outline(spec) for spec in specs]
    cores = _shifted([outline.core for outline in outlines], places)
    return tuple(
        _pad(item, at, Outline(core, outline.radius), renamed)
        for item, at, core, outline in zip(items, places, cores, outlines, strict=True)
    )


def _shifted(cores: Sequence[BaseGeometry], places: Sequence[Point]) -> Sequence[BaseGeometry]:
    geometries = np.array(cores, dtype=object)
    shifts = np.repeat(np.array(places), shapely.get_num_coordinates(geometries), axis=0)
    return shapely.transform(geometries, lambda xy: xy + shifts)


def _pad(item: Tree, at: Point, outline: Outline, renamed: Mapping[str, str]) -> Pad:
    kind = _KINDS.get(text(item, 2))
    if kind is None:
        raise Malformed(
            f"pad {text(item, 1)!r} is of the unknown kind {text(item, 2)[:40]!r}; known: {', '.join(_KINDS)}"
        )
    layers = {renamed.get(name, name) for name in words(first(item, b"layers") or [])}
    through, both = kind in {"through", "hole"}, bool(layers & {"*.Cu", "F&B.Cu"})
    net = first(item, b"net")
    return Pad(
        number=text(item, 1),
        kind=kind,
        at=at,
        core=outline.core,
        radius=outline.radius,
        net=text(net, len(net) - 1) if net and len(net) > 1 else "",
        front=through or both or "F.Cu" in layers,
        back=through or both or "B.Cu" in layers,
        drill=max(_drill(item)),
    )


def _drill(item: Tree) -> Point:
    """Width and height of the hole; zeros without one."""
    drill = first(item, b"drill")
    sizes = [atom for atom in drill or [] if isinstance(atom, bytes)]
    if drill is None or len(sizes) < 2:
        return (0.0, 0.0)
    if text(drill, 1) != "oval":
        return (length(drill, 1), length(drill, 1))
    return (length(drill, 2), length(drill, 3 if len(sizes) > 3 else 2))


def _spec(item: Tree, footprint_angle: float) -> _Spec:
    size = found(item, b"size")
    width, height = length(size, 1), length(size, 2)
    shape, drill, least = text(item, 3), first(item, b"drill"), min(width, height)
    if shape not in _SHAPES:
        raise Malformed(
            f"pad {text(item, 1)!r} has the unknown shape {shape[:40]!r}; known: {', '.join(sorted(_SHAPES))}"
        )
    offset, delta = first(drill, b"offset") if drill else None, first(item, b"rect_delta")
    corners = words(first(item, b"chamfer") or [])
    options = first(item, b"options")
    anchor = first(options, b"anchor") if options else None
    return _Spec(
        shape=shape,
        size=(max(0.0, width), max(0.0, height)),
        radius=_share(item, b"roundrect_rratio") * least if shape == "roundrect" else 0.0,
        cut=_share(item, b"chamfer_ratio") * least if corners else 0.0,
        corners=tuple(corners),
        delta=(length(delta, 2), length(delta, 1)) if delta else (0.0, 0.0),
        anchor=text(anchor, 1) if anchor else "",
        primitives=_primitives(item) if shape == "custom" else (),
        offset=point(offset) if offset else (0.0, 0.0),
        turn=angle(found(item, b"at"), 3) - footprint_angle,
    )


def _share(item: Tree, head: bytes) -> float:
    """A ratio of the shorter side, which is at most a half."""
    ratio = first(item, head)
    return min(0.5, max(0.0, length(ratio))) if ratio else 0.0


def _primitives(item: Tree) -> tuple[Graphic, ...]:
    drawn = [graphic(one) for one in first(item, b"primitives") or [] if isinstance(one, list)]
    return tuple(one for one in drawn if one is not None)


@lru_cache(maxsize=4096)
def _outline(spec: _Spec) -> Outline:
    """Turned and offset, the pad's position at the origin."""
    plain, matrix, offset = _unturned(spec), turned(spec.turn), np.array(spec.offset)
    return Outline(shapely.transform(plain.core, lambda xy: (xy + offset) @ matrix), plain.radius)


def _unturned(spec: _Spec) -> Outline:
    width, height = spec.size
    if spec.shape == "circle":
        return oval(width, width)
    if spec.shape == "oval":
        return oval(width, height)
    if spec.shape == "trapezoid":
        return trapezoid(width, height, spec.delta)
    if spec.shape == "custom":
        return custom(oval(width, width) if spec.anchor != "rect" else rounded(width, height, 0.0), spec.primitives)
    if spec.cut > 0:
        return chamfered(width, height, spec.radius, spec.cut, spec.corners)
    return rounded(width, height, spec.radius)
