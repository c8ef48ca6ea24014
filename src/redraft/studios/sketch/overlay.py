"""A drawing with its issues drawn on it: dashed boxes, gap arrows with their numbers, and numbered labels.

Labels stand where they cover neither each other nor, if there is room, the canvas's edge.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from redraft import glyphs
from redraft.result import Issue, Mark, Severity
from redraft.studios.sketch.spec import Drawing
from redraft.studios.sketch.svg import document, number, strokes

__all__ = ["overlay"]

COLOURS: dict[Severity, str] = {"error": "#d0021b", "question": "#8a2be2", "warning": "#b25d00", "hint": "#0b62c4"}

_SIZE = 0.026
_PAD = 0.007
_HEAD = 0.016
_PALE = 0.5
"""How much of the drawing shows through under the marks."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class _Label:
    text: str
    colour: str
    box: Box


def overlay(drawing: Drawing, issues: Sequence[Issue], *, by_id: bool = False) -> str:
    """The drawing, paler, under the marks of the issues, numbered from 1 as in their list or named by their ids."""
    under = [f'<g opacity="{_PALE}">', *(f"  {line}" for line in strokes(drawing)), "</g>"]
    shapes: list[str] = []
    labels: list[_Label] = []
    for i, issue in enumerate(issues, start=1):
        for k, mark in enumerate(issue.marks):
            colour = COLOURS[issue.severity]
            shapes += _shape(mark, colour)
            text = _text(issue.id if by_id else str(i), mark, first=k == 0)
            if text:
                labels.append(_placed(text, colour, mark, [label.box for label in labels]))
    return document(drawing, [*under, '<g fill="none" stroke-linecap="round">', *shapes, "</g>", *map(_drawn, labels)])


def _text(name: str, mark: Mark, *, first: bool) -> str:
    """The issue's number or id on its first mark, the mark's own words on each."""
    own = mark.text if len(mark.text) <= 40 else mark.text[:39] + "…"
    return f"{name}  {own}".strip() if first else own


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
    reach = min(_HEAD, length / 3)
    ux, uy = dx / length * reach, dy / length * reach
    corners = [end, (end[0] - ux - uy / 2, end[1] - uy + ux / 2), (end[0] - ux + uy / 2, end[1] - uy - ux / 2)]
    points = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
    return f'<polygon points="{points}" fill="{colour}"/>'


def _placed(text: str, colour: str, mark: Mark, taken: Sequence[Box]) -> _Label:
    """The first free place around the mark; the one with the least overlap when all are taken."""
    width, height = glyphs.advance(text, _SIZE) + 2 * _PAD, _SIZE + 2 * _PAD
    places = [_inside(x, y, width, height) for x, y in _places(mark, width, height)]
    best = min(places, key=lambda box: sum(_common(box, other) for other in taken))
    return _Label(text, colour, best)


def _places(mark: Mark, width: float, height: float) -> Iterator[tuple[float, float]]:
    """Top left corners of a label, the best first: at a box's corners, beside an arrow's middle, then farther out."""
    x0, x1 = sorted(mark.at[::2])
    y0, y1 = sorted(mark.at[1::2])
    xm, ym = (x0 + x1) / 2, (y0 + y1) / 2
    if mark.kind == "box":
        yield from ((x0, y0 - height), (x1 - width, y0 - height), (x0, y1), (x1 - width, y1), (x0, y0), (x1, y0))
    if x1 - x0 >= y1 - y0:
        yield from ((xm - width / 2, ym - height - _HEAD), (xm - width / 2, ym + _HEAD))
    for step in range(1, 9):
        reach = step * _HEAD
        yield from ((xm + reach, ym - height / 2), (xm - reach - width, ym - height / 2))
        yield from ((xm - width / 2, y0 - height - reach), (xm - width / 2, y1 + reach))


def _inside(x: float, y: float, width: float, height: float) -> Box:
    x, y = max(0.004, min(x, 0.996 - width)), max(0.004, min(y, 0.996 - height))
    return (x, y, x + width, y + height)


def _common(a: Box, b: Box) -> float:
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
