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
from redraft.studios.sketch.spec import Drawing, Part, Stroke
from redraft.studios.sketch.strokes import Arc, Ellipse, Line, Path, Polyline, Rect, Text

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
    """The drawing on white."""
    return document(drawing, strokes(drawing))


def document(drawing: Drawing, body: Sequence[str], *, style: str = "") -> str:
    """An SVG file around lines of markup; its title and description are made from the labels."""
    lines = [
        _HEAD,
        f"  <title>{escape(_title(drawing))}</title>",
        f"  <desc>{escape(_description(drawing))}</desc>",
        *([f"  <style>{escape(style)}</style>"] if style else []),
        f'  <rect width="{CANVAS}" height="{CANVAS}" fill="#ffffff"/>',
        *(f"  {line}" for line in body),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _title(drawing: Drawing) -> str:
    things = [p.label for p in drawing.plan if p.parent is None]
    return ", ".join(things) if things else "An empty canvas"


def _description(drawing: Drawing) -> str:
    return f"A drawing with {len(drawing.plan)} parts: {', '.join(p.label for p in drawing.plan)}."


def strokes(drawing: Drawing, extra: Extra | None = None) -> list[str]:
    """The strokes in painting order as indented lines of markup, grouped by part."""
    parts = {p.name: p for p in drawing.plan}
    lines, open_groups, seen = [_DRAWN], list[str](), set[str]()
    for rank, stroke in enumerate(drawing.painted):
        chain = _chain(parts, stroke.part)
        keep = _common(open_groups, chain)
        lines += ["  " * (depth + 1) + "</g>" for depth in reversed(range(keep, len(open_groups)))]
        for depth, name in enumerate(chain[keep:], start=keep):
            lines.append("  " * (depth + 1) + _group(parts[name], again=name in seen))
            seen.add(name)
        open_groups = chain
        lines.append("  " * (len(chain) + 1) + element(stroke, extra(rank, stroke) if extra else {}))
    lines += ["  " * (depth + 1) + "</g>" for depth in reversed(range(len(open_groups)))]
    return [*lines, "</g>"]


def _chain(parts: dict[str, Part], name: str) -> list[str]:
    chain = [name]
    while (parent := parts[chain[-1]].parent) is not None:
        chain.append(parent)
    return chain[::-1]


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _group(part: Part, *, again: bool) -> str:
    name = "data-part" if again else "id"
    return f"<g {name}={quoteattr(part.name)} data-label={quoteattr(part.label)}>"


def element(stroke: Stroke, extra: Attributes | None = None) -> str:
    """One stroke as one element."""
    tag, place = attributes(stroke)
    paint = {"fill": stroke.fill} if stroke.has_fill and tag != "line" else {}
    if stroke.has_pen:
        paint |= {"stroke": stroke.stroke, "stroke-width": number(stroke.width)}
    listed = " ".join(f"{k}={quoteattr(v)}" for k, v in (place | paint | (extra or {})).items())
    if isinstance(stroke, Text):
        return f"<text {listed}>{escape(stroke.text)}</text>"
    return f"<{tag} {listed}/>"


def attributes(stroke: Stroke) -> tuple[str, Attributes]:
    """The element's tag and its geometry, in user units."""
    match stroke:
        case Line():
            (x1, y1), (x2, y2) = stroke.points
            return "line", _numbers(x1=x1, y1=y1, x2=x2, y2=y2)
        case Polyline():
            return "polyline", {"points": " ".join(f"{number(x)},{number(y)}" for x, y in stroke.points)}
        case Path() | Arc():
            return "path", {"d": _arc(stroke) if isinstance(stroke, Arc) else _path(stroke)}
        case Rect():
            corner = _numbers(rx=stroke.r) if stroke.r else {}
            return "rect", _numbers(x=stroke.x, y=stroke.y, width=stroke.w, height=stroke.h) | corner
        case Ellipse():
            return "ellipse", _ellipse(stroke)
        case Text():
            return "text", _text(stroke)


def number(value: float) -> str:
    """A length of the unit canvas in user units, to a thousandth of one (10⁻⁶ of the canvas)."""
    return _short(value * CANVAS)


def _short(value: float) -> str:
    return f"{round(value, 3) + 0.0:.3f}".rstrip("0").rstrip(".")


def _numbers(**values: float) -> Attributes:
    return {k: number(v) for k, v in values.items()}


def _path(path: Path) -> str:
    return " ".join(_segment(s) for s in paths.parse(path.d))


def _segment(segment: paths.Segment) -> str:
    n = segment.numbers
    if segment.command == "A":
        flags = [_short(n[2]), "1" if n[3] else "0", "1" if n[4] else "0"]
        return " ".join(["A", number(n[0]), number(n[1]), *flags, number(n[5]), number(n[6])])
    return " ".join([segment.command, *(number(v) for v in n)])


def _ellipse(ellipse: Ellipse) -> Attributes:
    place = _numbers(cx=ellipse.cx, cy=ellipse.cy, rx=ellipse.rx, ry=ellipse.ry)
    if ellipse.angle:
        place["transform"] = f"rotate({_short(ellipse.angle)} {number(ellipse.cx)} {number(ellipse.cy)})"
    return place


def _arc(arc: Arc) -> str:
    """As two halves, so that a whole turn has two different ends."""
    start, half, end = (f"{number(x)} {number(y)}" for x, y in (arc.at(0), arc.at(0.5), arc.at(1)))
    radii = f"{number(arc.rx)} {number(arc.ry)}"
    return f"M {start} A {radii} 0 0 1 {half} A {radii} 0 0 1 {end}"


def _text(text: Text) -> Attributes:
    # Kerning and ligatures off, and the length stated: any font then fills what the layout measured with ours.
    length = {"textLength": number(glyphs.advance(text.text, text.size)), "lengthAdjust": "spacingAndGlyphs"}
    return {
        **_numbers(x=text.x, y=text.y),
        "font-family": f"{glyphs.FAMILY}, sans-serif",
        "font-size": number(text.size),
        "text-anchor": text.anchor,
        **length,
        "style": "font-kerning:none;font-variant-ligatures:none",
        "xml:space": "preserve",
    }


SPEED = 1.6
"""Canvas widths a second, as long as the whole stays under `LONGEST`."""

SHORTEST_STROKE, LONGEST_STROKE = 0.12, 1.2
"""Seconds."""

LONGEST = 20.0
FADE = 0.4

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
    """The drawing as a self-drawing SVG."""
    painted = drawing.painted
    lengths = [_seconds(stroke) for stroke in painted]
    pace = min(1.0, LONGEST / sum(lengths)) if lengths else 1.0
    starts: list[float] = [0.0]
    for seconds in lengths:
        starts.append(starts[-1] + seconds * pace)

    def timing(rank: int, stroke: Stroke) -> dict[str, str]:
        start, end = starts[rank], starts[rank + 1]
        if not _has_line(stroke):
            return {"class": "fade", "style": f"{_kept(stroke)}--f:{_time(end - start)};--on:{_time(start)}"}
        when = f"--at:{_time(start)};--t:{_time(end - start)};--on:{_time(end)};--f:{_time(FADE * pace)}"
        return {"class": "pen", "pathLength": "1", "style": when}

    return document(drawing, strokes(drawing, timing), style=_STYLE)


def _has_line(stroke: Stroke) -> bool:
    return stroke.has_pen and not isinstance(stroke, Text)


def _kept(stroke: Stroke) -> str:
    """A text's own style, which an extra attribute of the same name would replace."""
    return "font-kerning:none;font-variant-ligatures:none;" if isinstance(stroke, Text) else ""


def _seconds(stroke: Stroke) -> float:
    if not _has_line(stroke) or isinstance(stroke, Text):
        return FADE
    length = 0.0
    for run in subpaths_of(stroke):
        points = (*run.points, run.points[0]) if run.closed else run.points
        length += sum(_distance(a, b) for a, b in pairwise(points))
    return min(LONGEST_STROKE, max(SHORTEST_STROKE, length / SPEED))


def _distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    return ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5


def _time(seconds: float) -> str:
    return f"{seconds:.3f}s"


COLORS: dict[Severity, str] = {"error": "#d0021b", "warning": "#b25d00", "note": "#0b62c4"}

_SIZE = 0.026
_PAD = 0.007
_ARROW = 0.016
_MOST = 60
"""Issues that are marked; more would hide the drawing, and their labels take longest to place."""
_PALE = 0.5
"""How much of the drawing shows through under the marks."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class _Label:
    text: str
    colour: str
    box: Box


def overlay(drawing: Drawing, issues: Sequence[Issue]) -> str:
    """The drawing, paler, under the marks of the first issues, numbered as in their list."""
    under = [f'<g opacity="{_PALE}">', *(f"  {line}" for line in strokes(drawing)), "</g>"]
    shapes: list[str] = []
    labels: list[_Label] = []
    for i, issue in enumerate(issues[:_MOST], start=1):
        for k, mark in enumerate(issue.marks):
            colour = COLORS[issue.severity]
            shapes += _shape(mark, colour)
            text = _label_text(i, mark, first=k == 0)
            if text:
                labels.append(_placed(text, colour, mark, [label.box for label in labels]))
    return document(drawing, [*under, '<g fill="none" stroke-linecap="round">', *shapes, "</g>", *map(_drawn, labels)])


def _label_text(rank: int, mark: Mark, *, first: bool) -> str:
    """The issue's number on its first mark, the mark's own words on each."""
    own = mark.text if len(mark.text) <= 40 else mark.text[:39] + "…"
    return f"{rank}  {own}".strip() if first else own


def _shape(mark: Mark, colour: str) -> list[str]:
    x0, y0, x1, y1 = mark.at
    pen = f'stroke="{colour}" stroke-width="4"'
    match mark.kind:
        case "box":
            corner = f'x="{number(min(x0, x1))}" y="{number(min(y0, y1))}"'
            size = f'width="{number(abs(x1 - x0))}" height="{number(abs(y1 - y0))}"'
            return [f'<rect {corner} {size} {pen} stroke-dasharray="10 8"/>']
        case "arrow":
            return [
                f'<line x1="{number(x0)}" y1="{number(y0)}" x2="{number(x1)}" y2="{number(y1)}" {pen}/>',
                *(_head(a, b, colour) for a, b in (((x0, y0), (x1, y1)), ((x1, y1), (x0, y0))) if a != b),
            ]
        case "point":
            at = f'cx="{number(x0)}" cy="{number(y0)}"'
            return [f'<circle {at} r="12" {pen}/>', f'<circle {at} r="3" fill="{colour}"/>']


def _head(start: tuple[float, float], end: tuple[float, float], colour: str) -> str:
    """An arrow head at `end`, no longer than a third of the way, so that small gaps keep both of theirs."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    reach = min(_ARROW, length / 3)
    ux, uy = dx / length * reach, dy / length * reach
    corners = [end, (end[0] - ux - uy / 2, end[1] - uy + ux / 2), (end[0] - ux + uy / 2, end[1] - uy - ux / 2)]
    points = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
    return f'<polygon points="{points}" fill="{colour}"/>'


def _placed(text: str, colour: str, mark: Mark, taken: Sequence[Box]) -> _Label:
    """The first free place around the mark; the one with the least overlap when all are taken."""
    width, height = glyphs.advance(text, _SIZE) + 2 * _PAD, _SIZE + 2 * _PAD
    places = [_inside(x, y, width, height) for x, y in _places(mark, width, height)]
    free = (box for box in places if not any(_shared_area(box, other) for other in taken))
    best = next(free, None) or min(places, key=lambda box: sum(_shared_area(box, other) for other in taken))
    return _Label(text, colour, best)


def _places(mark: Mark, width: float, height: float) -> Iterator[tuple[float, float]]:
    """Top left corners of a label, the best first: at a box's corners, beside an arrow's middle, then farther out."""
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


def _inside(x: float, y: float, width: float, height: float) -> Box:
    x, y = max(0.004, min(x, 0.996 - width)), max(0.004, min(y, 0.996 - height))
    return (x, y, x + width, y + height)


def _shared_area(a: Box, b: Box) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def _drawn(label: _Label) -> str:
    x0, y0, x1, y1 = label.box
    plate = (
        f'<rect x="{number(x0)}" y="{number(y0)}" width="{number(x1 - x0)}" height="{number(y1 - y0)}" rx="6" '
        f'fill="#ffffff" stroke="{label.colour}" stroke-width="2"/>'
    )
    place = f'x="{number(x0 + _PAD)}" y="{number(y1 - _PAD - 0.2 * _SIZE)}"'
    text = (
        f'<text {place} font-family="{glyphs.FAMILY}, sans-serif" '
        f'font-size="{number(_SIZE)}" fill="{label.colour}" xml:space="preserve">{escape(label.text)}</text>'
    )
    return plate + text


STANDARD = 512


def png(svg: str, size: int = STANDARD) -> bytes:
    """Square PNG bytes of an SVG made here, `size` pixels a side, on white."""
    return glyphs.svg_to_png(svg, size, "#ffffff")
