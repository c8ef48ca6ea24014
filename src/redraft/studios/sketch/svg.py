"""A drawing as SVG text: deterministic, readable, one element a stroke, one group a part.

The canvas is 1000 × 1000 user units. Parts are groups within their parents' groups wherever the painting order lets
them be; a part that is painted in several runs has its id on the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape, quoteattr

from redraft import glyphs
from redraft.studios.sketch import paths
from redraft.studios.sketch.spec import Arc, Drawing, Ellipse, Line, Part, Path, Polyline, Rect, Stroke, Text

__all__ = ["CANVAS", "attributes", "document", "element", "number", "strokes", "svg"]

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
