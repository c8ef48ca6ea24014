"""Things in a picture: the near side solid, the far one dashed; the front white, the back blue; named ones in amber."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shapely.geometry.base import BaseGeometry

from redraft.spatial.key_pads import first_pin
from redraft.spatial.layout import Bounds, Fixture, Item, Keepout, Layout, Port
from redraft.spatial.picture_canvas import PLOT, Canvas

__all__ = [
    "FIXTURES",
    "NAMED",
    "Look",
    "board",
    "body_of",
    "boundary",
    "fixtures",
    "keepouts",
    "look_of",
    "outline",
    "part",
    "port_box",
]

WHITE, ROOM, NAMED = "#ffffff", "#aab4c0", "#ffc53d"
PIN1, EDGE, NOGO = "#ff5a36", "#e5c100", "#e5484d"
LEAST_PAD = 1.6
"""Pixels: smaller pads are not drawn."""
FIXTURES = 2500
"""So many tracks and vias are drawn at most; a picture of more would show none."""


def board(canvas: Canvas, area: BaseGeometry | None) -> Iterator[str]:
    """Grey ground outside of it, and its edge."""
    if area is not None and not area.is_empty:
        x0, y0, x1, y1 = PLOT
        yield f'<path d="M{x0} {y0}H{x1}V{y1}H{x0}Z{canvas.path(area)}" fill="#20242a" fill-rule="evenodd"/>'
        yield f'<path d="{canvas.path(area)}" fill="none" stroke="{EDGE}" stroke-width="1.6"/>'


def keepouts(canvas: Canvas, found: Sequence[Keepout]) -> Iterator[str]:
    """Hatched in red."""
    for keepout in found:
        yield f'<path d="{canvas.path(keepout.shape)}" fill="url(#nogo)" stroke="{NOGO}" stroke-dasharray="6 3"/>'


def fixtures(canvas: Canvas, found: Sequence[Fixture]) -> Iterator[str]:
    """Copper, so dark that parts stand out: zones, then tracks, then vias."""
    if len(found) > FIXTURES:
        return
    for kind in ("zone", "track", "via"):
        for fixture in found:
            if fixture.kind == kind:
                yield f'<path d="{canvas.path(fixture.shape)}" {_copper(fixture)}/>'


def _copper(fixture: Fixture) -> str:
    if fixture.kind == "via":
        return 'fill="#57606a"'
    tint = "#7a4a42" if fixture.layer.startswith("F") else "#3f5680" if fixture.layer.startswith("B") else "#4a4f57"
    return f'fill="{tint}" fill-opacity="{0.16 if fixture.kind == "zone" else 0.75}"'


@dataclass(frozen=True)
class Look:
    """How parts of one side are painted."""

    body: str
    pads: str
    dashed: str = ""
    """The colour of the dashed outline, where the side is not the one looked at."""


LOOKS = {
    (True, True): Look("#ffffff", "#9aa2ac"),
    (True, False): Look("#ffffff", "#59616b", dashed="#8f98a3"),
    (False, True): Look("#c9d9f5", "#6f8fc4"),
    (False, False): Look("#7f9fd0", "#466293", dashed="#5f8be0"),
}
"""By whether a part is on the front, and whether that is the side looked at."""


def look_of(layout: Layout, item: Item, near: int) -> Look:
    """How an item is painted where the layer looked at is `near`."""
    return LOOKS[item.layer != 0, not layout.frame.layers or item.layer == near]


def part(canvas: Canvas, layout: Layout, item: Item, look: Look) -> Iterator[str]:
    """One thing with what is part of it."""
    if not layout.frame.solid:
        for piece in layout.family(item.name):
            if not piece.shape.is_empty:
                pen = f'stroke="{WHITE}" stroke-width="1"'
                yield f'<path d="{canvas.path(piece.shape)}" fill="{WHITE}" fill-opacity="0.14" {pen}/>'
        return
    body = canvas.path(body_of(item))
    if look.dashed:
        yield f'<path d="{body}" fill="{look.body}" fill-opacity="0.12"/>'
    else:
        if item.shape is not body_of(item):
            yield f'<path d="{canvas.path(item.shape)}" fill="none" stroke="{ROOM}" stroke-width="1"/>'
        yield f'<path d="{body}" fill="{look.body}" stroke="{look.body}" stroke-width="0.6"/>'
    yield from _pads(canvas, item, look)


def outline(canvas: Canvas, layout: Layout, item: Item, look: Look, *, named: bool) -> Iterator[str]:
    """What is drawn over everything: outlines of the far side, which the near one may hide, and amber frames."""
    if layout.frame.solid and look.dashed:
        yield f'<path d="{canvas.path(body_of(item))}" fill="none" stroke="{look.dashed}" stroke-dasharray="5 3"/>'
    if named:
        yield f'<path d="{canvas.path(layout.whole(item.name))}" fill="none" stroke="{NAMED}" stroke-width="2.4"/>'


def body_of(item: Item) -> BaseGeometry:
    """The thing itself, or the room that it claims where no more is known."""
    return item.body if item.body is not None and not item.body.is_empty else item.shape


def _pads(canvas: Canvas, item: Item, look: Look) -> Iterator[str]:
    shown = [port for port in item.ports if _extent(canvas.box(port_box(port))) >= LEAST_PAD]
    here = [port for port in shown if item.layer_of(port) in {None, item.layer}]
    if here:
        yield f'<path d="{_paths(canvas, here)}" fill="{look.pads}" stroke="#30363d" stroke-width="0.7"/>'
    if len(here) < len(shown):
        there = [port for port in shown if port not in here]
        yield f'<path d="{_paths(canvas, there)}" fill="none" stroke="{look.pads}" stroke-dasharray="2 2"/>'
    for port in shown:
        x0, y0, x1, y1 = canvas.box(port_box(port))
        if port.through and min(x1 - x0, y1 - y0) >= 5:
            x, y = canvas.at(*port.at)
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.27 * min(x1 - x0, y1 - y0):.1f}" fill="#000000"/>'
    yield from _pin_one(canvas, item, shown)


def _paths(canvas: Canvas, ports: Sequence[Port]) -> str:
    return "".join(canvas.path(port.shape) for port in ports)


def _pin_one(canvas: Canvas, item: Item, shown: Sequence[Port]) -> Iterator[str]:
    first = first_pin(item)
    if first is not None and first in shown:
        x0, y0, x1, y1 = canvas.box(port_box(first))
        radius = max(1.5, min(3.5, 0.3 * min(x1 - x0, y1 - y0)))
        x, y = canvas.at(*first.at)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{PIN1}"/>'


def port_box(port: Port) -> Bounds:
    """The box of a port's shape."""
    x0, y0, x1, y1 = port.core.bounds
    return (x0 - port.radius, y0 - port.radius, x1 + port.radius, y1 + port.radius)


def boundary(shape: BaseGeometry) -> Bounds:
    """The box of a shape."""
    x0, y0, x1, y1 = shape.bounds
    return (x0, y0, x1, y1)


def _extent(box: Bounds) -> float:
    return min(box[2] - box[0], box[3] - box[1])
