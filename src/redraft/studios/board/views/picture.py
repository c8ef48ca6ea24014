"""A window as a picture: 512 × 512 pixels, black ground, white parts, a 1 mm grid, and the gaps with their lengths.

For people and for models with vision. Axes are numbered; named parts have an amber frame and airwires; the near side is
solid and the far one dashed, the front white and the back blue; bodies are outlines, so that tracks under them are
seen; labels cover neither each other nor what they name. A legend names what occurs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from shapely.geometry.base import BaseGeometry

from redraft.drawing import glyphs
from redraft.layout.items import Bounds, Fixture, Item, Keepout, Layout, Port, bounds_of
from redraft.studios.board.views.canvas import PLOT, SIZE, Canvas, axes, canvas_of, grid, scale, text, text_width
from redraft.studios.board.views.facts import View
from redraft.studios.board.views.labels import GAP_COLOR, Dimension, Label, Placed, arrow, dimensions_of, place
from redraft.studios.board.views.pads import first_pin
from redraft.studios.board.views.window import Window, meets, region
from redraft.studios.board.views.wires import airwires
from redraft.text import clean

WHITE, COURTYARD, NAMED, DRAWN = "#ffffff", "#59616b", "#ffc53d", "#6e7681"
PIN1, EDGE, NOGO, WIRE, LOCK = "#ff5a36", "#e5c100", "#e5484d", "#c792ea", "#ff9d5c"
FILL = 0.1
"""Opacity of bodies, so that what lies under one is seen."""
FRONT_COPPER, BACK_COPPER, INNER_COPPER, VIA = "#b5483c", "#4373bd", "#6c7f3c", "#3f9c8f"
MIN_PAD = 1.6
"""Pixels: smaller pads are not drawn."""
MAX_FIXTURES = 2500
"""Tracks and vias that are drawn; of more than these none is, since they would cover each other."""
LARGE_PAD = 0.02
"""The share of the plot from which on a pad is transparent, so that what lies under it is seen."""


def board(canvas: Canvas, area: BaseGeometry | None) -> Iterator[str]:
    """Draw gray ground outside of the board, and its edge."""
    if area is not None and not area.is_empty:
        x0, y0, x1, y1 = PLOT
        yield f'<path d="M{x0} {y0}H{x1}V{y1}H{x0}Z{canvas.path(area)}" fill="#20242a" fill-rule="evenodd"/>'
        yield f'<path d="{canvas.path(area)}" fill="none" stroke="{EDGE}" stroke-width="1.6"/>'


def keepouts(canvas: Canvas, barred: Sequence[Keepout]) -> Iterator[str]:
    """Draw keep-outs hatched in red."""
    for keepout in barred:
        yield f'<path d="{canvas.path(keepout.shape)}" fill="url(#nogo)" stroke="{NOGO}" stroke-dasharray="6 3"/>'


def fixtures(canvas: Canvas, met: Sequence[Fixture]) -> Iterator[str]:
    """Draw copper in the color of its layer: zones, then tracks, then vias, the front last."""
    if len(met) > MAX_FIXTURES:
        return
    layers = (INNER_COPPER, BACK_COPPER, FRONT_COPPER, VIA)
    order = {kind: i for i, kind in enumerate(("zone", "track", "via"))}
    shown = [fixture for fixture in met if fixture.kind in order and _copper(fixture)]
    for fixture in sorted(shown, key=lambda f: (order[f.kind], layers.index(_copper(f)))):
        opacity = 0.1 if fixture.kind == "zone" else 0.7
        yield f'<path d="{canvas.path(fixture.shape)}" fill="{_copper(fixture)}" fill-opacity="{opacity}"/>'


def _copper(fixture: Fixture) -> str:
    """Return the color of its layer; none for a zone that is not on copper."""
    if fixture.kind == "via":
        return VIA
    if fixture.kind == "zone" and ".Cu" not in fixture.layer:
        return ""
    return {"F": FRONT_COPPER, "B": BACK_COPPER}.get(fixture.layer[:1], INNER_COPPER)


@dataclass(frozen=True)
class Style:
    """The colors of the parts of one side."""

    body: str
    pads: str
    dashed: str = ""
    """The color of the dashed outline of parts on the far side."""


STYLES = {
    (True, True): Style("#ffffff", "#9aa2ac"),
    (True, False): Style("#ffffff", "#59616b", dashed="#8f98a3"),
    (False, True): Style("#c9d9f5", "#6f8fc4"),
    (False, False): Style("#7f9fd0", "#466293", dashed="#5f8be0"),
}
"""The style of parts by two facts: they are on the front; that is the side looked at."""


def style_of(layout: Layout, item: Item, near: int) -> Style:
    """Return the style of an item when the layer `near` faces the viewer."""
    return STYLES[item.layer != 0, not layout.frame.layers or item.layer == near]


def part(canvas: Canvas, layout: Layout, item: Item, style: Style) -> Iterator[str]:
    """Draw one thing with its parts."""
    if not layout.frame.solid:
        for piece in layout.family(item.name):
            if not piece.shape.is_empty:
                pen = f'stroke="{WHITE}" stroke-width="1"'
                yield f'<path d="{canvas.path(piece.shape)}" fill="{WHITE}" fill-opacity="0.14" {pen}/>'
        return
    body = canvas.path(body_of(item))
    if not item.claims:
        yield f'<path d="{body}" fill="none" stroke="{DRAWN}" stroke-width="0.7"/>'
    elif style.dashed:
        yield f'<path d="{body}" fill="{style.body}" fill-opacity="{FILL / 2}"/>'
    else:
        if item.shape is not body_of(item):
            yield f'<path d="{canvas.path(item.shape)}" fill="none" stroke="{COURTYARD}" stroke-width="0.8"/>'
        pen = f'stroke="{style.body}" stroke-width="1.4"'
        yield f'<path d="{body}" fill="{style.body}" fill-opacity="{FILL}" {pen}/>'
    yield from _pads(canvas, item, style)
    if item.locked and item.claims:
        _, y, x, _ = canvas.box(bounds_of(body_of(item)))
        yield padlock(x, y)


def padlock(x: float, y: float) -> str:
    """Draw a padlock of nine pixels around a point."""
    size = 'width="7" height="5"'
    body = f'<rect x="{x - 3.5:.1f}" y="{y - 1:.1f}" {size} fill="{LOCK}" stroke="#000000" stroke-width="0.5"/>'
    bow = f"M{x - 2.2:.1f} {y - 1:.1f}v-2a2.2 2.2 0 0 1 4.4 0v2"
    return f'{body}<path d="{bow}" fill="none" stroke="{LOCK}" stroke-width="1.2"/>'


def outline(canvas: Canvas, layout: Layout, item: Item, style: Style, *, named: bool) -> Iterator[str]:
    """Draw the outlines on top: of the far side, which the near one may hide, and the amber frames of named things."""
    if layout.frame.solid and style.dashed and item.claims:
        yield f'<path d="{canvas.path(body_of(item))}" fill="none" stroke="{style.dashed}" stroke-dasharray="5 3"/>'
    if named:
        yield f'<path d="{canvas.path(layout.whole(item.name))}" fill="none" stroke="{NAMED}" stroke-width="2.4"/>'


def body_of(item: Item) -> BaseGeometry:
    """Return the thing itself, or the area that it claims where no more is known."""
    return item.body if item.body is not None and not item.body.is_empty else item.shape


def _pads(canvas: Canvas, item: Item, style: Style) -> Iterator[str]:
    boxes = {id(port): canvas.box(port_box(port)) for port in item.ports}
    sizes = {key: min(box[2] - box[0], box[3] - box[1]) for key, box in boxes.items()}
    shown = [port for port in item.ports if sizes[id(port)] >= MIN_PAD]

    # Those on its own side, large ones more transparent; then those on the other side as dashed outlines.
    here = [port for port in shown if item.layer_of(port) in {None, item.layer}]
    limit = LARGE_PAD * ((PLOT[2] - PLOT[0]) / canvas.scale) ** 2
    large, small = [port for port in here if port.shape.area > limit], [p for p in here if p.shape.area <= limit]
    for pads, opacity in ((large, 0.25), (small, 0.45 if style.dashed else 1.0)):
        if pads:
            pen = f'fill-opacity="{opacity}" stroke="#30363d" stroke-width="0.7"'
            yield f'<path d="{_paths(canvas, pads)}" fill="{style.pads}" {pen}/>'
    if len(here) < len(shown):
        there = [port for port in shown if port not in here]
        yield f'<path d="{_paths(canvas, there)}" fill="none" stroke="{style.pads}" stroke-dasharray="2 2"/>'

    for port in shown:
        if port.through and sizes[id(port)] >= 5:
            x, y = canvas.at(*port.at)
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.27 * sizes[id(port)]:.1f}" fill="#000000"/>'
    first = first_pin(item)
    if first is not None and first in shown:
        radius = max(1.5, min(3.5, 0.3 * sizes[id(first)]))
        x, y = canvas.at(*first.at)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{PIN1}"/>'


def _paths(canvas: Canvas, ports: Sequence[Port]) -> str:
    return "".join(canvas.path(port.shape) for port in ports)


def port_box(port: Port) -> Bounds:
    """Return the box of a port's shape."""
    x0, y0, x1, y1 = port.core.bounds
    return (x0 - port.radius, y0 - port.radius, x1 + port.radius, y1 + port.radius)


LABEL = 12.0
"""The size of the text of labels."""
MAX_LABELS = 70
"""Things that are labeled, the most important first."""
LABEL_NAME = 20
"""Characters of a name in a label."""
MIN_LABELLED = 5.0
"""Pixels: smaller things have a label only if they are named."""
LARGE = 0.3
"""The share of the plot from which on a thing is no reason for a label to go elsewhere."""
FRONT, BACK = "#e6edf3", "#9fbbe8"
MAX_WIRES = 20
"""Airwires that are drawn."""


def picture_of(window: Window, view: View) -> bytes:
    """Return the picture of a window as PNG, 512 × 512."""
    return glyphs.svg_to_png(svg_of(window, view), SIZE, "#000000")


def svg_of(window: Window, view: View) -> str:
    """Return the picture of a window as SVG text: each layer of drawing covers those before it."""
    layout = window.layout
    canvas = canvas_of(window.bounds, layout.frame)
    shown = _shown(window, canvas)
    met = layout.fixtures(shown.bounds) if layout.fixtures else ()
    gaps = dimensions_of(window, view, canvas)
    labels = labels_of(shown, gaps, canvas)
    colors: dict[str, str] = {}
    for i, item in enumerate(shown.items):
        back = layout.frame.solid and item.layer == 0
        colors[clean(item.name, LABEL_NAME)] = NAMED if i < shown.named else BACK if back else FRONT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}">',
        _DEFINITIONS,
        *board(canvas, layout.area),
        *grid(canvas, layout.frame),
        *fixtures(canvas, met),
        *keepouts(canvas, [keepout for keepout in layout.barred if meets(keepout.shape, canvas.view)]),
        *_airwires(canvas, window),
        *_things(canvas, shown),
        *_asked_window(canvas, window.bounds),
        *(line for gap in gaps for line in arrow(gap)),
        *(line for placed in labels for line in _label(placed, colors.get(placed.label.text, GAP_COLOR))),
        _MARGIN,
        *axes(canvas, layout.frame),
        *_legend(canvas, shown, met, gaps=bool(gaps)),
        "</svg>",
    ]
    return "\n".join(lines)


_DEFINITIONS = (
    '<defs><pattern id="nogo" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path d="M0 0V7" stroke="#e5484d" stroke-opacity="0.5" stroke-width="2"/></pattern></defs>'
)
_MARGIN = f'<path d="M0 0H{SIZE}V{SIZE}H0ZM{PLOT[0]} {PLOT[1]}V{PLOT[3]}H{PLOT[2]}V{PLOT[1]}Z" fill="#000000"/>'
"""Covers what sticks out of the plot: several times faster than a clipping path."""


def _shown(window: Window, canvas: Canvas) -> Window:
    """Return the window that the square shows, which may be larger than the one asked for: its things come first."""
    wider = region(window.layout, canvas.view)
    mine = {item.name for item in window.items}
    more = [i for i, item in enumerate(wider.items) if item.name not in mine]
    return Window(
        window.layout,
        canvas.view,
        (*window.items, *(wider.items[i] for i in more)),
        np.vstack([window.boxes, wider.boxes[more]]) if more else window.boxes,
        window.named,
        window.pads,
    )


def _near(shown: Window) -> int:
    """Return the layer that is looked at: that of all named things, where they share one; else the front."""
    layers = {item.layer for item in shown.items[: shown.named]} or {item.layer for item in shown.items}
    return layers.pop() if len(layers) == 1 else 1


def _things(canvas: Canvas, shown: Window) -> Iterator[str]:
    """Draw the far side, then the near one, in drawings things in order; outlines of hidden and named ones last."""
    layout, near = shown.layout, _near(shown)
    rank = {item.name: i for i, item in enumerate(layout.items)}
    named = {item.name for item in shown.items[: shown.named]}
    last = near if layout.frame.solid else None
    order = sorted(
        shown.items, key=lambda i: (i.layer == last, i.layer, i.name in named and last is not None, rank[i.name])
    )
    styles = [style_of(layout, item, near) for item in order]
    for item, style in zip(order, styles, strict=True):
        yield from part(canvas, layout, item, style)
    for item, style in zip(order, styles, strict=True):
        yield from outline(canvas, layout, item, style, named=item.name in named)


def _asked_window(canvas: Canvas, window: Bounds) -> Iterator[str]:
    """Frame the window that was asked for, where the picture shows more."""
    x0, y0, x1, y1 = canvas.box(window)
    if x1 - x0 < PLOT[2] - PLOT[0] - 1 or y1 - y0 < PLOT[3] - PLOT[1] - 1:
        size = f'width="{x1 - x0:.1f}" height="{y1 - y0:.1f}"'
        yield f'<rect x="{x0:.1f}" y="{y0:.1f}" {size} fill="none" stroke="#57606a" stroke-dasharray="2 4"/>'


def _airwires(canvas: Canvas, window: Window) -> Iterator[str]:
    """Draw thin lines from the pads of named parts to where their nets go nearest."""
    if not window.layout.frame.solid:
        return
    names = [item.name for item in window.items[: window.named] if item.ports]
    for wire in airwires(window.layout, names)[:MAX_WIRES]:
        (ax, ay), (bx, by) = canvas.at(*wire.pad.at), canvas.at(*wire.end.at)
        yield f'<path d="M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}" stroke="{WIRE}" stroke-width="0.8" fill="none"/>'


# Legend

ROWS = (13.0, 27.0)
"""Baselines of the two lines above the plot."""
SWATCH = 12.0


def _legend(canvas: Canvas, shown: Window, met: Sequence[Fixture], *, gaps: bool) -> Iterator[str]:
    """Write the scale, and the meaning of colors and lines that occur, as far as two rows hold them."""
    words = scale(canvas, shown.layout.frame)
    yield text(words, PLOT[0], ROWS[0], "#ffffff")
    x, row = PLOT[0] + text_width(words) + 14, 0
    for word, drawn in _entries(shown, met, gaps=gaps):
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


def _entries(shown: Window, met: Sequence[Fixture], *, gaps: bool) -> Iterator[tuple[str, str]]:
    """Yield words and the drawing of their swatch, for what occurs, the most important first."""
    named = shown.named > 0
    entries = [("asked for", f'fill="none" stroke="{NAMED}" stroke-width="2"', named)]
    if shown.layout.frame.solid:
        layers, near = {item.layer for item in shown.items if item.claims}, _near(shown)
        for layer, word in ((1, "front"), (0, "back")):
            style = STYLES[layer != 0, layer == near]
            pen = f'stroke="{style.dashed or style.body}"' + (' stroke-dasharray="4 2"' if style.dashed else "")
            entries.append((word, f'fill="none" {pen} stroke-width="1.4"', layer in layers))
        entries.append(("gap", f'fill="{GAP_COLOR}"', gaps))
        pen = f'fill="none" stroke="{WIRE}" stroke-dasharray="{SWATCH} 60" stroke-width="1.4"'
        entries.append(("airwire", pen, named))
        if len(met) > MAX_FIXTURES:
            entries.append(("tracks not shown", "", True))
        else:
            tints = {_copper(fixture) for fixture in met}
            for tint, word in ((FRONT_COPPER, "F.Cu"), (BACK_COPPER, "B.Cu"), (INNER_COPPER, "inner"), (VIA, "via")):
                entries.append((word, f'fill="{tint}" fill-opacity="0.8"', tint in tints))
        barred = any(meets(keepout.shape, shown.bounds) for keepout in shown.layout.barred)
        entries += [
            ("keep-out", f'fill="url(#nogo)" stroke="{NOGO}"', barred),
            ("locked", "lock", any(item.locked and item.claims for item in shown.items)),
            ("pin 1", "dot", any(first_pin(item) is not None for item in shown.items)),
            ("drawing", f'fill="none" stroke="{DRAWN}"', not all(item.claims for item in shown.items)),
        ]
    yield from ((word, drawn) for word, drawn, occurs in entries if occurs)


# Labels


def labels_of(shown: Window, gaps: Sequence[Dimension], canvas: Canvas) -> list[Placed]:
    """Return the places of labels: lengths of gaps first, then named items, then the others."""
    boxes = [canvas.box(shown.box(i)) for i in range(len(shown.items))]
    areas = [(b[2] - b[0]) * (b[3] - b[1]) for b in boxes]

    # On boards labels avoid other things, except drawings and what fills much of the plot.
    others: list[Bounds] = []
    if shown.layout.frame.solid:
        limit = LARGE * (PLOT[2] - PLOT[0]) * (PLOT[3] - PLOT[1])
        rows = zip(boxes, areas, shown.items, strict=True)
        others = [box for box, area, item in rows if area <= limit and item.claims]

    lengths: list[Label] = []
    for gap in gaps:
        x, y = ((a + b) / 2 for a, b in zip(gap.start, gap.end, strict=True))
        size = (text_width(gap.words, LABEL) + 6, LABEL + 3)
        lengths.append(Label(gap.words, *size, (x - 2, y - 2, x + 2, y + 2), must=True))
    placed = place(lengths, PLOT, [], others)
    taken = [one.box for one in placed] + [box for gap in gaps for box in gap.boxes]

    # Named things, then the larger ones first.
    large = [i for i, b in enumerate(boxes) if i >= shown.named and max(b[2] - b[0], b[3] - b[1]) >= MIN_LABELLED]
    large = [i for i in large if shown.items[i].claims or not shown.layout.frame.solid]
    large.sort(key=lambda i: (-round(areas[i], 3), i))
    order = [*range(min(shown.named, MAX_LABELS)), *large][:MAX_LABELS]
    names = [_name_label(shown, i, canvas, others) for i in order]
    return [*placed, *place(names, PLOT, taken, others)]


def _name_label(shown: Window, i: int, canvas: Canvas, others: Sequence[Bounds]) -> Label:
    item = shown.items[i]
    name = clean(item.name, LABEL_NAME)
    body = body_of(item)
    solid = shown.layout.frame.solid and not style_of(shown.layout, item, _near(shown)).dashed
    inner = canvas.box(bounds_of(body)) if solid and not body.is_empty else None
    own = canvas.box(shown.box(i))
    pads = (canvas.box(port_box(port)) for port in item.ports)
    holes = (*pads, *(box for box in others if box != own))
    return Label(name, text_width(name, LABEL) + 4, LABEL + 2, own, inner, holes, must=i < shown.named)


def _label(placed: Placed, color: str) -> Iterator[str]:
    """Draw a label in the color of what it names, on a dark plate where it is not within it."""
    x0, y0, x1, y1 = placed.box
    if placed.leader is not None:
        (ax, ay), (bx, by) = placed.leader
        yield f'<path d="M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}" stroke="{color}" stroke-width="0.8"/>'
    if not placed.inside:
        size = f'width="{x1 - x0:.1f}" height="{y1 - y0:.1f}"'
        yield f'<rect x="{x0:.1f}" y="{y0:.1f}" {size} rx="2" fill="#000000" fill-opacity="0.72"/>'
    yield text(placed.label.text, (x0 + x1) / 2, y1 - (y1 - y0 - LABEL) / 2 - 2.4, color, LABEL, "middle")
