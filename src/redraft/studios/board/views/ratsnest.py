"""A whole board as a picture with its ratsnest: the wires that are still to be drawn, each net as a spanning tree.

Ground and other planes are left out: they are areas of copper, and their lines would hide all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import shapely
from shapely.geometry.base import BaseGeometry

from redraft.drawing import glyphs
from redraft.layout.items import Bounds, Item, Layout, Point
from redraft.studios.board.place.circuit import circuit_of
from redraft.studios.board.views.canvas import text
from redraft.studios.board.wires import PLANE, members_of, pads_of, spanning_tree
from redraft.text import clean

SIZE = 1024
MARGIN = 16.0
"""Pixels around the board."""
GROUND, BOARD, EDGE = "#0d1117", "#182420", "#e5c100"
FRONT, BACK, PAD, HOLE = "#c9d1d9", "#58a6ff", "#d29a52", "#484f58"
NET_COLORS = ("#56b4e9", "#e69f00", "#009e73", "#f0e442", "#cc79a7", "#d55e00", "#7fb8ff", "#9be564")
"""Colors of nets in turn, which people with color blindness can distinguish too (Okabe and Ito 2008)."""
MIN_TEXT, MAX_TEXT = 7.0, 15.0
"""The size of the references in pixels; smaller ones are left out."""


def drawn_nets(layout: Layout) -> tuple[str, ...]:
    """Return the nets of which wires are drawn: neither ground, nor supplies of many pads, nor any of more than 40."""
    circuit, members = circuit_of(layout), members_of(layout)
    many = {net for net in members if len(pads_of(layout, members, net)) > PLANE}
    supplies = {net for net in circuit.power if len(pads_of(layout, members, net)) > PLANE / 4}
    return tuple(net for net in members if net not in many | supplies | {*circuit.ground})


def ratsnest_of(layout: Layout, window: Bounds | None = None) -> bytes:
    """Return the picture as PNG, 1024 × 1024 pixels; components beside the board are in it only with a `window`.

    Of components beside the board no wires are drawn.
    """
    x0, y0, x1, y1 = window or layout.frame.bounds
    placed = {item.name for item in layout.roots if layout.area is None or layout.area.intersects(item.shape)}
    items = [item for item in layout.roots if window or item.name in placed]
    scale = (SIZE - 2 * MARGIN) / max(x1 - x0, y1 - y0, 1e-6)
    at = _Window(scale, (SIZE - (x1 - x0) * scale) / 2 - x0 * scale, (SIZE - (y1 - y0) * scale) / 2 - y0 * scale)
    edge = f'fill-rule="evenodd" stroke="{EDGE}" stroke-width="2"'
    body = [
        *([f'<path d="{at.path(layout.area)}" fill="{BOARD}" {edge}/>'] if layout.area is not None else []),
        *(line for layer in (0, 1) for item in items if item.layer == layer for line in _component(at, item)),
        *_wires(at, layout, placed),
        *(line for item in items for line in _reference(at, item)),
    ]
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">{"".join(body)}</svg>'
    return glyphs.svg_to_png(svg, SIZE, GROUND)


class _Window:
    """From millimeters to pixels."""

    def __init__(self, scale: float, x: float, y: float) -> None:
        self.scale, self.x, self.y = scale, x, y

    def at(self, point: Sequence[float]) -> Point:
        return (point[0] * self.scale + self.x, point[1] * self.scale + self.y)

    def path(self, shape: BaseGeometry) -> str:
        """Return closed rings as SVG path data, no finer than can be seen."""
        rings = shapely.get_rings(shapely.get_parts(shape.simplify(0.2 / self.scale)))
        lines = [[self.at(point) for point in shapely.get_coordinates(ring)] for ring in rings]
        return "".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line) + "Z" for line in lines if line)

    def box(self, bounds: Sequence[float]) -> Bounds:
        (x0, y0), (x1, y1) = self.at(bounds[:2]), self.at(bounds[2:])
        return (x0, y0, x1, y1)


def _component(window: _Window, item: Item) -> Iterator[str]:
    color = FRONT if item.layer else BACK
    dashed = "" if item.layer else ' stroke-dasharray="4 2"'
    if not item.shape.is_empty and item.claims:
        width = 1.8 if item.locked else 1.0
        yield (
            f'<path d="{window.path(item.shape)}" fill="{color}" fill-opacity="0.12" stroke="{color}" '
            f'stroke-opacity="0.8" stroke-width="{width}"{dashed}/>'
        )
    for port in item.ports:
        yield f'<path d="{window.path(port.shape)}" fill="{HOLE if port.through and not port.net else PAD}"/>'


def _wires(window: _Window, layout: Layout, shown: set[str]) -> Iterator[str]:
    """Draw each net as the shortest tree of lines between the pads of components in `shown`."""
    members: Mapping[str, Sequence[str]] = {
        net: [name for name in names if name in shown] for net, names in members_of(layout).items()
    }
    for n, net in enumerate(drawn_nets(layout)):
        pads = pads_of(layout, members, net)
        lines = [(window.at(pads[a]), window.at(pads[b])) for a, b in spanning_tree(pads)]
        data = "".join(f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}" for (a, b), (c, d) in lines)
        if data:
            color = NET_COLORS[n % len(NET_COLORS)]
            yield f'<path d="{data}" fill="none" stroke="{color}" stroke-opacity="0.75" stroke-width="1"/>'


def _reference(window: _Window, item: Item) -> Iterator[str]:
    if item.shape.is_empty or not item.claims:
        return
    x0, y0, x1, y1 = window.box(item.shape.bounds)
    name = clean(item.name, 12)
    size = min(MAX_TEXT, (y1 - y0) * 0.8, (x1 - x0) / (0.62 * max(len(name), 1)))
    if size >= MIN_TEXT:
        yield text(name, (x0 + x1) / 2, (y0 + y1) / 2 + size * 0.35, "#ffffff", size, "middle")
