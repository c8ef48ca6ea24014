"""A window as a picture: 512 × 512 pixels, black ground, white parts, a 1 mm grid, and the gaps with their lengths.

For people and for models with vision. Axes are numbered; named parts have an amber frame and airwires; the near side is
solid and the far one dashed, the front white and the back blue; bodies are outlines, so that tracks under them are
seen; labels cover neither each other nor what they name. A legend names what occurs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from shapely.geometry.base import BaseGeometry

from redraft.drawing import glyphs
from redraft.layout.items import Bounds, Fixture, Item, Keepout, Layout, Port, bounds_of
from redraft.studios.board.views.canvas import PLOT, SIZE, Canvas, axes, canvas_of, grid, scale, text, text_width
from redraft.studios.board.views.facts import View
from redraft.studios.board.views.labels import GAP_COLOR, Dimension, Label, Placed, arrow, dimensions_of, place
from redraft.studios.board.views.pads import first_pin
from redraft.studios.board.views.window import Boxes, Window, meets, region
from redraft.studios.board.views.wires import airwires
from redraft.text import clean

WHITE, ROOM, NAMED, DRAWN = "#ffffff", "#59616b", "#ffc53d", "#6e7681"
PIN1, EDGE, NOGO, WIRE, LOCK = "#ff5a36", "#e5c100", "#e5484d", "#c792ea", "#ff9d5c"
FILL = 0.1
"""Opacity of bodies: what lies under one is seen."""
FRONT_COPPER, BACK_COPPER, INNER_COPPER, VIA = "#b5483c", "#4373bd", "#6c7f3c", "#3f9c8f"
LEAST_PAD = 1.6
"""Pixels: smaller pads are not drawn."""
FIXTURES = 2500
"""So many tracks and vias are drawn at most; a picture of more would show none."""


def board(canvas: Canvas, area: BaseGeometry | None) -> Iterator[str]:
    """Gray ground outside of it, and its edge."""
    if area is not None and not area.is_empty:
        x0, y0, x1, y1 = PLOT
        yield f'<path d="M{x0} {y0}H{x1}V{y1}H{x0}Z{canvas.path(area)}" fill="#20242a" fill-rule="evenodd"/>'
        yield f'<path d="{canvas.path(area)}" fill="none" stroke="{EDGE}" stroke-width="1.6"/>'


def keepouts(canvas: Canvas, found: Sequence[Keepout]) -> Iterator[str]:
    """Hatched in red."""
    for keepout in found:
        yield f'<path d="{canvas.path(keepout.shape)}" fill="url(#nogo)" stroke="{NOGO}" stroke-dasharray="6 3"/>'


def fixtures(canvas: Canvas, found: Sequence[Fixture]) -> Iterator[str]:
    """Copper in the color of its layer, the front last: zones, then tracks, then vias."""
    if len(found) > FIXTURES:
        return
    layers = (INNER_COPPER, BACK_COPPER, FRONT_COPPER, VIA)
    order = {kind: i for i, kind in enumerate(("zone", "track", "via"))}
    shown = [fixture for fixture in found if fixture.kind in order and _copper(fixture)]
    for fixture in sorted(shown, key=lambda f: (order[f.kind], layers.index(_copper(f)))):
        opacity = 0.1 if fixture.kind == "zone" else 0.7
        yield f'<path d="{canvas.path(fixture.shape)}" fill="{_copper(fixture)}" fill-opacity="{opacity}"/>'


def _copper(fixture: Fixture) -> str:
    """The color of what it lies on; none for a zone that is not on copper."""
    if fixture.kind == "via":
        return VIA
    if fixture.kind == "zone" and ".Cu" not in fixture.layer:
        return ""
    return {"F": FRONT_COPPER, "B": BACK_COPPER}.get(fixture.layer[:1], INNER_COPPER)


@dataclass(frozen=True)
class Look:
    """How parts of one side are painted."""

    body: str
    pads: str
    dashed: str = ""
    """The color of the dashed outline, where the side is not the one looked at."""


LOOKS = {
    (True, True): Look("#ffffff", "#9aa2ac"),
    (True, False): Look("#ffffff", "#59616b", dashed="#8f98a3"),
    (False, True): Look("#c9d9f5", "#6f8fc4"),
    (False, False): Look("#7f9fd0", "#466293", dashed="#5f8be0"),
}
"""By whether a part is on the front, and whether that is the side looked at."""


def look_of(layout: Layout, item: Item, near: int) -> Look:
    """Return the style of an item when the layer `near` faces the viewer."""
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
    if not item.claims:
        yield f'<path d="{body}" fill="none" stroke="{DRAWN}" stroke-width="0.7"/>'
    elif look.dashed:
        yield f'<path d="{body}" fill="{look.body}" fill-opacity="{FILL / 2}"/>'
    else:
        if item.shape is not body_of(item):
            yield f'<path d="{canvas.path(item.shape)}" fill="none" stroke="{ROOM}" stroke-width="0.8"/>'
        pen = f'stroke="{look.body}" stroke-width="1.4"'
        yield f'<path d="{body}" fill="{look.body}" fill-opacity="{FILL}" {pen}/>'
    yield from _pads(canvas, item, look)
    if item.locked and item.claims:
        _, y, x, _ = canvas.box(bounds_of(body_of(item)))
        yield padlock(x, y)


def padlock(x: float, y: float) -> str:
    """A padlock of nine pixels around a point."""
    size = 'width="7" height="5"'
    body = f'<rect x="{x - 3.5:.1f}" y="{y - 1:.1f}" {size} fill="{LOCK}" stroke="#000000" stroke-width="0.5"/>'
    bow = f"M{x - 2.2:.1f} {y - 1:.1f}v-2a2.2 2.2 0 0 1 4.4 0v2"
    return f'{body}<path d="{bow}" fill="none" stroke="{LOCK}" stroke-width="1.2"/>'


def outline(canvas: Canvas, layout: Layout, item: Item, look: Look, *, named: bool) -> Iterator[str]:
    """Return the outlines drawn on top: of the far side, which the near one may hide, and amber frames."""
    if layout.frame.solid and look.dashed and item.claims:
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
        for pads, opacity in _by_opacity(canvas, here, look):
            pen = f'fill-opacity="{opacity}" stroke="#30363d" stroke-width="0.7"'
            yield f'<path d="{_paths(canvas, pads)}" fill="{look.pads}" {pen}/>'
    if len(here) < len(shown):
        there = [port for port in shown if port not in here]
        yield f'<path d="{_paths(canvas, there)}" fill="none" stroke="{look.pads}" stroke-dasharray="2 2"/>'
    for port in shown:
        x0, y0, x1, y1 = canvas.box(port_box(port))
        if port.through and min(x1 - x0, y1 - y0) >= 5:
            x, y = canvas.at(*port.at)
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.27 * min(x1 - x0, y1 - y0):.1f}" fill="#000000"/>'
    yield from _pin_one(canvas, item, shown)


LARGE_PAD = 0.02
"""Of the plot: what lies under a larger pad is seen."""


def _by_opacity(canvas: Canvas, ports: Sequence[Port], look: Look) -> Iterator[tuple[list[Port], float]]:
    """Pads with how opaque they are: those of the far side and large ones less."""
    most = LARGE_PAD * ((PLOT[2] - PLOT[0]) / canvas.scale) ** 2
    large = [port for port in ports if port.shape.area > most]
    small = [port for port in ports if port.shape.area <= most]
    yield from ((pads, opacity) for pads, opacity in ((large, 0.25), (small, 0.45 if look.dashed else 1.0)) if pads)


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


def _extent(box: Bounds) -> float:
    return min(box[2] - box[0], box[3] - box[1])


LABEL = 12.0
LABELS = 70
"""So many things are labeled at most, the most important first."""
LEAST_LABELLED = 5.0
"""Pixels: smaller things have a label only if they are named."""
FRONT, BACK = "#e6edf3", "#9fbbe8"


def picture_of(window: Window, view: View) -> bytes:
    """PNG, 512 × 512."""
    return glyphs.svg_to_png(svg_of(window, view), SIZE, "#000000")


def svg_of(window: Window, view: View) -> str:
    """The picture as SVG text."""
    canvas = canvas_of(window.bounds, window.layout.frame)
    shown = _shown(window, canvas)
    gaps, colors = dimensions_of(window, view, canvas), _colours(shown)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}">',
        _DEFINITIONS,
        *_ground(canvas, shown),
        *_airwires(canvas, window),
        *_things(canvas, shown),
        *_frame(canvas, window.bounds),
        *(line for gap in gaps for line in arrow(gap)),
        *(line for placed in labels_of(shown, gaps, canvas) for line in _label(placed, colors)),
        _MARGIN,
        *axes(canvas, window.layout.frame),
        *_legend(canvas, shown, gaps=bool(gaps)),
        "</svg>",
    ]
    return "\n".join(lines)


_DEFINITIONS = (
    '<defs><pattern id="nogo" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path d="M0 0V7" stroke="#e5484d" stroke-opacity="0.5" stroke-width="2"/></pattern></defs>'
)
_MARGIN = f'<path d="M0 0H{SIZE}V{SIZE}H0ZM{PLOT[0]} {PLOT[1]}V{PLOT[3]}H{PLOT[2]}V{PLOT[1]}Z" fill="#000000"/>'
"""Over what sticks out of the plot: several times quicker than a clipping path."""


def _shown(window: Window, canvas: Canvas) -> Window:
    """What the square shows, which may be more than the window: the window's things first."""
    wider = region(window.layout, canvas.view)
    mine = {item.name for item in window.items}
    more = [i for i, item in enumerate(wider.items) if item.name not in mine]
    return Window(
        window.layout,
        canvas.view,
        (*window.items, *(wider.items[i] for i in more)),
        _stacked(window, wider, more),
        window.named,
        window.pads,
    )


def _stacked(window: Window, wider: Window, more: Sequence[int]) -> Boxes:
    return np.vstack([window.boxes, wider.boxes[list(more)]]) if more else window.boxes


def _ground(canvas: Canvas, shown: Window) -> Iterator[str]:
    layout = shown.layout
    yield from board(canvas, layout.area)
    yield from grid(canvas, layout.frame)
    yield from fixtures(canvas, _fixtures_in(shown))
    yield from keepouts(canvas, [k for k in layout.barred if meets(k.shape, canvas.view)])


def _fixtures_in(shown: Window) -> Sequence[Fixture]:
    return shown.layout.fixtures(shown.bounds) if shown.layout.fixtures else ()


def _near(shown: Window) -> int:
    """The layer that is looked at: that of all named things, where they share one; else the front."""
    layers = {item.layer for item in shown.items[: shown.named]} or {item.layer for item in shown.items}
    return layers.pop() if len(layers) == 1 else 1


def _things(canvas: Canvas, shown: Window) -> Iterator[str]:
    """The far side before the near one; in drawings as they are painted; outlines of the hidden and named last."""
    layout, near = shown.layout, _near(shown)
    rank = {item.name: i for i, item in enumerate(layout.items)}
    named = {item.name for item in shown.items[: shown.named]}
    last = near if layout.frame.solid else None
    order = sorted(
        shown.items, key=lambda i: (i.layer == last, i.layer, i.name in named and last is not None, rank[i.name])
    )
    looks = [look_of(layout, item, near) for item in order]
    for item, look in zip(order, looks, strict=True):
        yield from part(canvas, layout, item, look)
    for item, look in zip(order, looks, strict=True):
        yield from outline(canvas, layout, item, look, named=item.name in named)


def _frame(canvas: Canvas, window: Bounds) -> Iterator[str]:
    """The window that was asked for, where the picture shows more."""
    x0, y0, x1, y1 = canvas.box(window)
    if x1 - x0 < PLOT[2] - PLOT[0] - 1 or y1 - y0 < PLOT[3] - PLOT[1] - 1:
        size = f'width="{x1 - x0:.1f}" height="{y1 - y0:.1f}"'
        yield f'<rect x="{x0:.1f}" y="{y0:.1f}" {size} fill="none" stroke="#57606a" stroke-dasharray="2 4"/>'


WIRES = 20
"""Airwires that are drawn."""


def _airwires(canvas: Canvas, window: Window) -> Iterator[str]:
    """Thin lines from the pads of named parts to where their nets go nearest."""
    if not window.layout.frame.solid:
        return
    for wire in airwires(window.layout, [item.name for item in window.items[: window.named] if item.ports])[:WIRES]:
        (ax, ay), (bx, by) = canvas.at(*wire.pad.at), canvas.at(*wire.end.at)
        yield f'<path d="M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}" stroke="{WIRE}" stroke-width="0.8" fill="none"/>'


# Legend

ROWS = (13.0, 27.0)
"""Baselines of the two lines above the plot."""
SWATCH = 12.0


def _legend(canvas: Canvas, shown: Window, *, gaps: bool) -> Iterator[str]:
    """The scale, and what the colors and lines mean, as far as they occur."""
    words = scale(canvas, shown.layout.frame)
    yield text(words, PLOT[0], ROWS[0], "#ffffff")
    x, row = PLOT[0] + text_width(words) + 14, 0
    for word, drawn in _entries(shown, gaps=gaps):
        width = text_width(word) + (SWATCH + 4 if drawn else 0)
        if x + width > SIZE - 4:
            x, row = 6.0, row + 1
            if row == len(ROWS):
                return
        middle = ROWS[row] - 4
        if drawn == "lock":
            yield padlock(x + SWATCH / 2, middle)
        elif drawn == "dot":
            yield f'<circle cx="{x + SWATCH / 2:.1f}" cy="{middle}" r="3" fill="{PIN1}"/>'
        elif drawn:
            yield f'<rect x="{x:.1f}" y="{middle - 4}" width="{SWATCH}" height="8" {drawn}/>'
        yield text(word, x + (SWATCH + 4 if drawn else 0), ROWS[row], "#c9d1d9")
        x += width + 12


def _entries(shown: Window, *, gaps: bool) -> Iterator[tuple[str, str]]:
    """Words, and how their swatch is drawn; the most important first."""
    named = shown.named > 0
    entries = [("asked for", f'fill="none" stroke="{NAMED}" stroke-width="2"', named)]
    if shown.layout.frame.solid:
        pen = f'fill="none" stroke="{WIRE}" stroke-dasharray="{SWATCH} 60" stroke-width="1.4"'
        keepouts = any(meets(keepout.shape, shown.bounds) for keepout in shown.layout.barred)
        entries += [
            *_sides(shown),
            ("gap", f'fill="{GAP_COLOR}"', gaps),
            ("airwire", pen, named),
            *_tints(_fixtures_in(shown)),
            ("keep-out", f'fill="url(#nogo)" stroke="{NOGO}"', keepouts),
            ("locked", "lock", any(item.locked and item.claims for item in shown.items)),
            ("pin 1", "dot", any(first_pin(item) is not None for item in shown.items)),
            ("drawing", f'fill="none" stroke="{DRAWN}"', not all(item.claims for item in shown.items)),
        ]
    yield from ((word, drawn) for word, drawn, occurs in entries if occurs)


def _sides(shown: Window) -> Iterator[tuple[str, str, bool]]:
    layers, near = {item.layer for item in shown.items if item.claims}, _near(shown)
    for layer, word in ((1, "front"), (0, "back")):
        look = LOOKS[layer != 0, layer == near]
        pen = f'stroke="{look.dashed or look.body}"' + (' stroke-dasharray="4 2"' if look.dashed else "")
        yield word, f'fill="none" {pen} stroke-width="1.4"', layer in layers


def _tints(found: Sequence[Fixture]) -> Iterator[tuple[str, str, bool]]:
    if len(found) > FIXTURES:
        yield "tracks not shown", "", True
        return
    tints = {_copper(fixture) for fixture in found}
    for tint, word in ((FRONT_COPPER, "F.Cu"), (BACK_COPPER, "B.Cu"), (INNER_COPPER, "inner"), (VIA, "via")):
        yield word, f'fill="{tint}" fill-opacity="0.8"', tint in tints


# Labels


def labels_of(shown: Window, gaps: Sequence[Dimension], canvas: Canvas) -> list[Placed]:
    """Return the places of labels: lengths of gaps first, then named items, then the others."""
    boxes = [canvas.box(shown.box(i)) for i in range(len(shown.items))]
    others = _avoided(shown, boxes) if shown.layout.frame.solid else []  # in drawings things lie on each other
    lengths = place([_length(gap) for gap in gaps], PLOT, [], others)
    taken = [placed.box for placed in lengths] + [box for gap in gaps for box in gap.boxes]
    names = [_name(shown, i, canvas, others) for i in _worth(shown, boxes)]
    return [*lengths, *place(names, PLOT, taken, others)]


LARGE = 0.3
"""Of the plot: things larger than this are no reason for a label to go elsewhere."""


def _avoided(shown: Window, boxes: Sequence[Bounds]) -> list[Bounds]:
    """Boxes that labels avoid: of all but drawings and what fills much of the plot."""
    most = LARGE * (PLOT[2] - PLOT[0]) * (PLOT[3] - PLOT[1])
    small = [(b[2] - b[0]) * (b[3] - b[1]) <= most for b in boxes]
    return [box for box, item, fits in zip(boxes, shown.items, small, strict=True) if fits and item.claims]


def _length(gap: Dimension) -> Label:
    x, y = ((a + b) / 2 for a, b in zip(gap.start, gap.end, strict=True))
    return Label(gap.words, text_width(gap.words, LABEL) + 6, LABEL + 3, (x - 2, y - 2, x + 2, y + 2), must=True)


def _worth(shown: Window, boxes: Sequence[Bounds]) -> list[int]:
    """Which things are labeled: named ones, then the larger ones first."""
    large = [i for i, b in enumerate(boxes) if i >= shown.named and max(b[2] - b[0], b[3] - b[1]) >= LEAST_LABELLED]
    large = [i for i in large if shown.items[i].claims or not shown.layout.frame.solid]
    large.sort(key=lambda i: (-round((boxes[i][2] - boxes[i][0]) * (boxes[i][3] - boxes[i][1]), 3), i))
    return [*range(min(shown.named, LABELS)), *large][:LABELS]


def _name(shown: Window, i: int, canvas: Canvas, others: Sequence[Bounds]) -> Label:
    item = shown.items[i]
    words = clean(item.name, 20)
    body = body_of(item)
    solid = shown.layout.frame.solid and not look_of(shown.layout, item, _near(shown)).dashed
    inner = canvas.box(bounds_of(body)) if solid and not body.is_empty else None
    own = canvas.box(shown.box(i))
    pads = (canvas.box(port_box(port)) for port in item.ports)
    holes = (*pads, *(box for box in others if box != own))
    return Label(words, text_width(words, LABEL) + 4, LABEL + 2, own, inner, holes, must=i < shown.named)


def _label(placed: Placed, colors: Mapping[str, str]) -> Iterator[str]:
    """In the color of what it names; on a dark plate where it is not within it."""
    x0, y0, x1, y1 = placed.box
    color = colors.get(placed.label.text, GAP_COLOR)
    if placed.leader is not None:
        (ax, ay), (bx, by) = placed.leader
        yield f'<path d="M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}" stroke="{color}" stroke-width="0.8"/>'
    if not placed.inside:
        size = f'width="{x1 - x0:.1f}" height="{y1 - y0:.1f}"'
        yield f'<rect x="{x0:.1f}" y="{y0:.1f}" {size} rx="2" fill="#000000" fill-opacity="0.72"/>'
    yield text(placed.label.text, (x0 + x1) / 2, y1 - (y1 - y0 - LABEL) / 2 - 2.4, color, LABEL, "middle")


def _colours(shown: Window) -> dict[str, str]:
    """For each name the color of its label."""
    found: dict[str, str] = {}
    for i, item in enumerate(shown.items):
        back = shown.layout.frame.solid and item.layer == 0
        found[clean(item.name, 20)] = NAMED if i < shown.named else BACK if back else FRONT
    return found
