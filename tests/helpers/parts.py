"""Layouts of parts, built by hand for the tests: courtyards, bodies and pads on a board with two sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapely.geometry import Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Frame, Item, Keepout, Layout, Port

BOARD = Frame(
    unit="mm", quantum=1e-6, bounds=(0.0, 0.0, 100.0, 80.0), grid=1.0, solid=True, layers={1: "Top", 0: "Bottom"}
)


def board(
    *items: Item, area: BaseGeometry | None = None, keepouts: Sequence[Keepout] = (), locked: Sequence[str] = ()
) -> Layout:
    """A board of 100 × 80 mm with these parts on it; some of them locked."""
    held = [replace(item, locked=True) if item.name in locked else item for item in items]
    return Layout(tuple(held), BOARD, box(*BOARD.bounds) if area is None else area, tuple(keepouts))


def chip(name: str, x: float, y: float, w: float, h: float, *, side: int = 1, courtyard: float = 0.25) -> Item:
    """A part with its middle at a point, w × h its body, a courtyard around it; no pads."""
    body = box(x - w / 2, y - h / 2, x + w / 2, y + h / 2)
    more = courtyard
    shape = box(x - w / 2 - more, y - h / 2 - more, x + w / 2 + more, y + h / 2 + more)
    return Item(name, "part", shape, layer=side, body=body, origin=(x, y))


def two_pads(name: str, x: float, y: float, nets: tuple[str, str] = ("", ""), *, side: int = 1) -> Item:
    """A capacitor of 2 × 1 mm lying along x: pads 1 (left) and 2, 0.6 × 0.8 mm, 1.4 mm from middle to middle."""
    pads = [
        Port(str(i + 1), (at, y), box(at - 0.3, y - 0.4, at + 0.3, y + 0.4), 0.0, net)
        for i, (at, net) in enumerate(zip((x - 0.7, x + 0.7), nets, strict=True))
    ]
    return replace(chip(name, x, y, 2.0, 1.0, side=side), ports=tuple(pads))


def round_part(name: str, x: float, y: float, radius: float, *, side: int = 1) -> Item:
    """A round part with one round pad through the board in its middle."""
    disc = Point(x, y).buffer(radius, quad_segs=16)
    pad = Port("1", (x, y), Point(x, y), radius / 2, through=True)
    return Item(name, "part", Polygon(disc), layer=side, ports=(pad,), origin=(x, y), opposite=disc)
