"""A drawing as SVG text: still, drawing itself, or with its issues marked; and as pixels.

The canvas is 1000 × 1000 user units, one element a stroke, one group a part. Parts are groups within their parents'
groups wherever the painting order allows; a part that is painted in several runs has its id on the first. The
self-drawing SVG is plain SVG and CSS: each stroke's line runs out after the last one's, then its fill fades in; where
the viewer asks for reduced motion, the finished drawing is shown from the beginning.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from redraft.drawing import glyphs
from redraft.result import Issue, Mark, Severity
from redraft.studios.sketch import paths
from redraft.studios.sketch.geometry import subpaths_of
from redraft.studios.sketch.spec import Drawing, Stroke
from redraft.studios.sketch.strokes import Arc, Ellipse, Line, Path, Polyline, Rect, Text
from redraft.text import number as plain_number
from redraft.text import shorten

CANVAS = 1000

Attributes = dict[str, str]
Extra = Callable[[int, Stroke], Attributes]
"""More attributes for a stroke, by its rank in the painting order."""

_HEAD = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CANVAS} {CANVAS}" width="{CANVAS}" height="{CANVAS}" '
    'role="img">'
)
_DRAWN = '<g fill="none" stroke="none" stroke-linecap="round" stroke-linejoin="round">'


def svg(drawing: Drawing) -> str:
    """Return the drawing on white."""
    return document(drawing, strokes(drawing))


def document(drawing: Drawing, body: Sequence[str], *, style: str = "") -> str:
    """Return an SVG file around lines of markup; its title and description are made from the labels."""
    things = [part.label for part in drawing.plan if part.parent is None]
    title = ", ".join(things) if things else "An empty canvas"
    labels = ", ".join(part.label for part in drawing.plan)
    lines = [
        _HEAD,
        f"  <title>{escape(title)}</title>",
        f"  <desc>{escape(f'A drawing with {len(drawing.plan)} parts: {labels}.')}</desc>",
        *([f"  <style>{escape(style)}</style>"] if style else []),
        f'  <rect width="{CANVAS}" height="{CANVAS}" fill="#ffffff"/>',
        *(f"  {line}" for line in body),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def strokes(drawing: Drawing, extra: Extra | None = None) -> list[str]:
    """Return the strokes in painting order as indented lines of markup, grouped by part."""
    parts = {p.name: p for p in drawing.plan}
    lines, open_groups, seen = [_DRAWN], list[str](), set[str]()
    for rank, stroke in enumerate(drawing.painted):
        groups = [stroke.part]
        while (parent := parts[groups[0]].parent) is not None:
            groups.insert(0, parent)

        # Close the groups that the stroke is not in, and open those that it is in.
        pairs = enumerate(zip(open_groups, groups, strict=False))
        keep = next((i for i, (a, b) in pairs if a != b), min(len(open_groups), len(groups)))
        lines += ["  " * (depth + 1) + "</g>" for depth in reversed(range(keep, len(open_groups)))]
        for depth, name in enumerate(groups[keep:], start=keep):
            key, label = "data-part" if name in seen else "id", quoteattr(parts[name].label)
            lines.append("  " * (depth + 1) + f"<g {key}={quoteattr(name)} data-label={label}>")
            seen.add(name)
        open_groups = groups
        lines.append("  " * (len(groups) + 1) + element(stroke, extra(rank, stroke) if extra else {}))
    lines += ["  " * (depth + 1) + "</g>" for depth in reversed(range(len(open_groups)))]
    return [*lines, "</g>"]


def element(stroke: Stroke, extra: Attributes | None = None) -> str:
    """Return one stroke as one element."""
    tag, place = attributes(stroke)
    paint = {"fill": stroke.fill} if stroke.has_fill and tag != "line" else {}
    if stroke.has_pen:
        paint |= {"stroke": stroke.stroke, "stroke-width": number(stroke.width)}
    listed = " ".join(f"{k}={quoteattr(v)}" for k, v in (place | paint | (extra or {})).items())
    if isinstance(stroke, Text):
        return f"<text {listed}>{escape(stroke.text)}</text>"
    return f"<{tag} {listed}/>"


def attributes(stroke: Stroke) -> tuple[str, Attributes]:
    """Return the element's tag and its geometry, in user units."""
    match stroke:
        case Line():
            (x1, y1), (x2, y2) = stroke.points
            return "line", _numbers(x1=x1, y1=y1, x2=x2, y2=y2)
        case Polyline():
            return "polyline", {"points": " ".join(f"{number(x)},{number(y)}" for x, y in stroke.points)}
        case Path() | Arc():
            return "path", {"d": _path_data(stroke)}
        case Rect():
            corner = _numbers(rx=stroke.r) if stroke.r else {}
            return "rect", _numbers(x=stroke.x, y=stroke.y, width=stroke.w, height=stroke.h) | corner
        case Ellipse():
            place = _numbers(cx=stroke.cx, cy=stroke.cy, rx=stroke.rx, ry=stroke.ry)
            turn = f"rotate({plain_number(stroke.angle, 3)} {place['cx']} {place['cy']})"
            return "ellipse", place | ({"transform": turn} if stroke.angle else {})
        case Text():
            # Kerning and ligatures off, and the length stated: any font then fills what the layout measured with ours.
            return "text", {
                **_numbers(x=stroke.x, y=stroke.y),
                "font-family": f"{glyphs.FAMILY}, sans-serif",
                "font-size": number(stroke.size),
                "text-anchor": stroke.anchor,
                "textLength": number(glyphs.advance(stroke.text, stroke.size)),
                "lengthAdjust": "spacingAndGlyphs",
                "style": _TEXT_STYLE,
                "xml:space": "preserve",
            }


_TEXT_STYLE = "font-kerning:none;font-variant-ligatures:none"


def number(value: float) -> str:
    """Return a length of the unit canvas in user units, to a thousandth of one (10⁻⁶ of the canvas)."""
    return plain_number(value * CANVAS, 3)


def _numbers(**values: float) -> Attributes:
    return {k: number(v) for k, v in values.items()}


def _path_data(stroke: Path | Arc) -> str:
    if isinstance(stroke, Arc):
        # Two halves, so that a whole turn has two different ends.
        start, half, end = (f"{number(x)} {number(y)}" for x, y in map(stroke.at, (0, 0.5, 1)))
        radii = f"{number(stroke.rx)} {number(stroke.ry)}"
        return f"M {start} A {radii} 0 0 1 {half} A {radii} 0 0 1 {end}"
    words: list[str] = []
    for command, n in ((segment.command, segment.numbers) for segment in paths.parse(stroke.d)):
        words.append(command)
        if command == "A":
            flags = [plain_number(n[2], 3), "1" if n[3] else "0", "1" if n[4] else "0"]
            words += [number(n[0]), number(n[1]), *flags, number(n[5]), number(n[6])]
        else:
            words += map(number, n)
    return " ".join(words)


SPEED = 1.6
"""Canvas widths a second, as long as the whole stays under `MAX_SECONDS`."""

MIN_STROKE_SECONDS, MAX_STROKE_SECONDS = 0.12, 1.2
"""For one stroke's line."""

MAX_SECONDS = 20.0
"""For the whole drawing."""

FADE = 0.4
"""Seconds in which a fill or a text appears."""

# A dash of the whole path's length is pushed out of the way and let in, and taken off at the end, where the drawing is
# the still one again. With round caps a dash of length 0 would show as a dot: the pen is invisible until it starts.
_STYLE = """
@keyframes line {
  from { stroke-dasharray: 1; stroke-dashoffset: 1; stroke-opacity: 0 }
  1% { stroke-dasharray: 1; stroke-opacity: 1 }
  99.9% { stroke-dasharray: 1; stroke-dashoffset: 0.001 }
  to { stroke-dasharray: none; stroke-dashoffset: 0; stroke-opacity: 1 }
}
@keyframes fill { from { fill-opacity: 0 } to { fill-opacity: 1 } }
@keyframes show { from { opacity: 0 } to { opacity: 1 } }
.pen { animation: line var(--t) var(--at) linear both, fill var(--f) var(--on) ease-out both }
.fade { animation: show var(--f) var(--on) ease-out both }
@media (prefers-reduced-motion: reduce) { .pen, .fade { animation: none } }
"""


def animated(drawing: Drawing) -> str:
    """Return the drawing as a self-drawing SVG."""
    lengths = [_seconds(stroke) for stroke in drawing.painted]
    pace = min(1.0, MAX_SECONDS / sum(lengths)) if lengths else 1.0
    starts: list[float] = [0.0]
    for seconds in lengths:
        starts.append(starts[-1] + seconds * pace)

    def timing(rank: int, stroke: Stroke) -> dict[str, str]:
        start, end = starts[rank], starts[rank + 1]
        if not _has_line(stroke):
            # An extra attribute replaces the text's own style, so it is repeated.
            own = f"{_TEXT_STYLE};" if isinstance(stroke, Text) else ""
            return {"class": "fade", "style": f"{own}--f:{end - start:.3f}s;--on:{start:.3f}s"}
        when = f"--at:{start:.3f}s;--t:{end - start:.3f}s;--on:{end:.3f}s;--f:{FADE * pace:.3f}s"
        return {"class": "pen", "pathLength": "1", "style": when}

    return document(drawing, strokes(drawing, timing), style=_STYLE)


def _has_line(stroke: Stroke) -> bool:
    return stroke.has_pen and not isinstance(stroke, Text)


def _seconds(stroke: Stroke) -> float:
    """Return how long a stroke is drawn, before all is fitted into `MAX_SECONDS`."""
    if not _has_line(stroke) or isinstance(stroke, Text):
        return FADE
    length = 0.0
    for run in subpaths_of(stroke):
        points = (*run.points, run.points[0]) if run.closed else run.points
        length += sum(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 for (x0, y0), (x1, y1) in pairwise(points))
    return min(MAX_STROKE_SECONDS, max(MIN_STROKE_SECONDS, length / SPEED))


COLORS: dict[Severity, str] = {"error": "#d0021b", "warning": "#b25d00", "note": "#0b62c4"}

_SIZE = 0.026
"""Of the text of a label, and room around it."""
_PAD = 0.007
_ARROW = 0.016
"""Length of an arrow's head, and distance of labels from arrows."""
_MAX_MARKED = 60
"""Issues that are marked; more would hide the drawing, and their labels take longest to place."""
_MAX_WORDS = 40
"""Characters of a mark's own words."""
_PALE = 0.5
"""How much of the drawing shows through under the marks."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class _Label:
    text: str
    color: str
    box: Box


def overlay(drawing: Drawing, issues: Sequence[Issue]) -> str:
    """Return the drawing, paler, under the marks of the first issues, numbered as in their list."""
    under = [f'<g opacity="{_PALE}">', *(f"  {line}" for line in strokes(drawing)), "</g>"]
    shapes: list[str] = []
    labels: list[_Label] = []
    for i, issue in enumerate(issues[:_MAX_MARKED], start=1):
        color = COLORS[issue.severity]
        for k, mark in enumerate(issue.marks):
            shapes += _shape(mark, color)
            # The issue's number stands on its first mark, the mark's own words on each.
            own = shorten(mark.text, _MAX_WORDS)
            text = own if k else f"{i}  {own}".strip()
            if text:
                labels.append(_Label(text, color, _place_label(text, mark, [label.box for label in labels])))
    return document(drawing, [*under, '<g fill="none" stroke-linecap="round">', *shapes, "</g>", *map(_drawn, labels)])


def _shape(mark: Mark, color: str) -> list[str]:
    x0, y0, x1, y1 = mark.at
    pen = f'stroke="{color}" stroke-width="4"'
    match mark.kind:
        case "box":
            corner = f'x="{number(min(x0, x1))}" y="{number(min(y0, y1))}"'
            size = f'width="{number(abs(x1 - x0))}" height="{number(abs(y1 - y0))}"'
            return [f'<rect {corner} {size} {pen} stroke-dasharray="10 8"/>']
        case "arrow":
            return [
                f'<line x1="{number(x0)}" y1="{number(y0)}" x2="{number(x1)}" y2="{number(y1)}" {pen}/>',
                *(_head(a, b, color) for a, b in (((x0, y0), (x1, y1)), ((x1, y1), (x0, y0))) if a != b),
            ]
        case "point":
            at = f'cx="{number(x0)}" cy="{number(y0)}"'
            return [f'<circle {at} r="12" {pen}/>', f'<circle {at} r="3" fill="{color}"/>']


def _head(start: tuple[float, float], end: tuple[float, float], color: str) -> str:
    """Return an arrow head at `end`, no longer than a third of the way, so that small gaps keep both of theirs."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    reach = min(_ARROW, length / 3)
    ux, uy = dx / length * reach, dy / length * reach
    corners = [end, (end[0] - ux - uy / 2, end[1] - uy + ux / 2), (end[0] - ux + uy / 2, end[1] - uy - ux / 2)]
    points = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
    return f'<polygon points="{points}" fill="{color}"/>'


def _place_label(text: str, mark: Mark, taken: Sequence[Box]) -> Box:
    """Return the first free place around the mark; the one with the least overlap when all are taken."""
    width, height = glyphs.advance(text, _SIZE) + 2 * _PAD, _SIZE + 2 * _PAD
    boxes: list[Box] = []
    for x, y in _places(mark, width, height):
        left, top = max(0.004, min(x, 0.996 - width)), max(0.004, min(y, 0.996 - height))  # on the canvas
        boxes.append((left, top, left + width, top + height))
    free = (box for box in boxes if not any(_shared_area(box, other) for other in taken))
    return next(free, None) or min(boxes, key=lambda box: sum(_shared_area(box, other) for other in taken))


def _places(mark: Mark, width: float, height: float) -> Iterator[tuple[float, float]]:
    """Yield top left corners of a label, the best first: at a box's corners, beside an arrow, then farther out."""
    x0, x1 = sorted(mark.at[::2])
    y0, y1 = sorted(mark.at[1::2])
    xm, ym = (x0 + x1) / 2, (y0 + y1) / 2
    if mark.kind == "box":
        yield from ((x0, y0 - height), (x1 - width, y0 - height), (x0, y1), (x1 - width, y1), (x0, y0), (x1, y0))
    if x1 - x0 >= y1 - y0:
        yield from ((xm - width / 2, ym - height - _ARROW), (xm - width / 2, ym + _ARROW))
    for step in range(1, 9):
        reach = step * _ARROW
        yield from ((xm + reach, ym - height / 2), (xm - reach - width, ym - height / 2))
        yield from ((xm - width / 2, y0 - height - reach), (xm - width / 2, y1 + reach))


def _shared_area(a: Box, b: Box) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def _drawn(label: _Label) -> str:
    x0, y0, x1, y1 = label.box
    plate = (
        f'<rect x="{number(x0)}" y="{number(y0)}" width="{number(x1 - x0)}" height="{number(y1 - y0)}" rx="6" '
        f'fill="#ffffff" stroke="{label.color}" stroke-width="2"/>'
    )
    place = f'x="{number(x0 + _PAD)}" y="{number(y1 - _PAD - 0.2 * _SIZE)}"'
    text = (
        f'<text {place} font-family="{glyphs.FAMILY}, sans-serif" '
        f'font-size="{number(_SIZE)}" fill="{label.color}" xml:space="preserve">{escape(label.text)}</text>'
    )
    return plate + text


STANDARD = 512
"""Pixels a side of the picture that a model sees."""


def png(svg: str, size: int = STANDARD) -> bytes:
    """Return square PNG bytes of an SVG made here, `size` pixels a side, on white."""
    return glyphs.svg_to_png(svg, size, "#ffffff")
