"""From units to pixels: the square that a picture shows, its grid, its axes and its scale."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from redraft.drawing import glyphs
from redraft.layout.items import Bounds, Frame, Point

SIZE = 512
PLOT: Bounds = (42.0, 34.0, 504.0, 496.0)
"""Where the layout is drawn; the axes stand left of it and below, scale and legend above."""
SMALL = 11.0
"""The size of the smallest text."""
MIN_GRID, MIN_LABELS = 7.0, 46.0
"""Pixels between grid lines and between numbers on an axis, at least."""


@dataclass(frozen=True)
class Canvas:
    """A square window of a layout on the plot."""

    view: Bounds
    """In units: at least the window that was asked for."""
    scale: float
    """Pixels a unit."""
    upward: bool = False

    def at(self, x: float, y: float) -> Point:
        """Return a point of the layout in pixels."""
        down = self.view[3] - y if self.upward else y - self.view[1]
        return (PLOT[0] + (x - self.view[0]) * self.scale, PLOT[1] + down * self.scale)

    def box(self, box: Bounds) -> Bounds:
        """Return a box of the layout in pixels."""
        (ax, ay), (bx, by) = self.at(box[0], box[1]), self.at(box[2], box[3])
        return (ax, min(ay, by), bx, max(ay, by))

    def path(self, shape: BaseGeometry) -> str:
        """Return a geometry as SVG path data, no finer than can be seen."""
        coarse = shape.simplify(0.1 / self.scale, preserve_topology=False) if shape.geom_type != "Point" else shape
        lines: list[str] = []
        for part in _parts(shape if coarse.is_empty else coarse):
            closed = part.geom_type == "Polygon"
            for ring in shapely.get_rings(part) if closed else [part]:
                points: NDArray[np.float64] = shapely.get_coordinates(ring)
                pixels = [self.at(float(x), float(y)) for x, y in points]
                lines.append("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in pixels) + "Z" * closed)
        return "".join(lines)


def _parts(shape: BaseGeometry) -> Iterator[BaseGeometry]:
    """Yield the single geometries in a shape, at any depth."""
    for part in shapely.get_parts(shape):
        if part.geom_type.startswith(("Multi", "Geometry")):
            yield from _parts(part)
        elif not part.is_empty:
            yield part


def canvas_of(window: Bounds, frame: Frame) -> Canvas:
    """Return the smallest square around a window, which is in its middle."""
    x0, y0, x1, y1 = window
    side = max(x1 - x0, y1 - y0)
    x, y = (x0 + x1 - side) / 2, (y0 + y1 - side) / 2
    return Canvas((x, y, x + side, y + side), (PLOT[2] - PLOT[0]) / side, frame.up[1] > 0)


def _nice(least: float, base: float = 1.0) -> float:
    """Return the smallest of base × 1, 2, 5, 10 … that is at least `least`."""
    power = 10.0 ** math.floor(math.log10(max(least / base, 1e-12)))
    return base * next(power * step for step in (1, 2, 5, 10, 20) if power * step * base >= least * (1 - 1e-9))


def grid_step(canvas: Canvas, frame: Frame) -> float:
    """Return 1 mm (on a canvas a tenth of it) where its lines can be distinguished, more on large windows."""
    step = 1.0 if frame.unit == "mm" else frame.grid
    return step if step * canvas.scale >= MIN_GRID else _nice(MIN_GRID / canvas.scale)


def _steps(low: float, high: float, step: float) -> list[float]:
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]


def _label_step(canvas: Canvas, step: float) -> float:
    return max(_nice(MIN_LABELS / canvas.scale), min(step, _nice(100.0 / canvas.scale)))


def grid(canvas: Canvas, frame: Frame) -> Iterator[str]:
    """Yield the lines of the grid, brighter where the axes have numbers; tenths too where they are far apart."""
    step = grid_step(canvas, frame)
    if step / 10 * canvas.scale >= MIN_GRID:
        yield _lines(canvas, step / 10, "#181c21")
    yield _lines(canvas, step, "#323a42" if step * canvas.scale >= 2 * MIN_GRID else "#22282e")
    yield _lines(canvas, _label_step(canvas, step), "#47525d")


def _lines(canvas: Canvas, step: float, color: str) -> str:
    x0, y0, x1, y1 = canvas.view
    across = [f"M{canvas.at(x, y0)[0]:.1f} {PLOT[1]}V{PLOT[3]}" for x in _steps(x0, x1, step)]
    down = [f"M{PLOT[0]} {canvas.at(x0, y)[1]:.1f}H{PLOT[2]}" for y in _steps(y0, y1, step)]
    return f'<path d="{"".join(across + down)}" stroke="{color}" stroke-width="1" fill="none"/>'


def axes(canvas: Canvas, frame: Frame) -> Iterator[str]:
    """Yield the numbers along the left and the lower edge, and the frame."""
    step = _label_step(canvas, grid_step(canvas, frame))
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    x0, y0, x1, y1 = canvas.view
    for x in _steps(x0, x1, step):
        yield text(f"{x + 0.0:.{digits}f}", canvas.at(x, y0)[0], SIZE - 4, "#c9d1d9", anchor="middle")
    for y in _steps(y0, y1, step):
        yield text(f"{y + 0.0:.{digits}f}", PLOT[0] - 5, canvas.at(x0, y)[1] + 4, "#c9d1d9", anchor="end")
    yield f'<path d="M{PLOT[0]} {PLOT[1]}H{PLOT[2]}V{PLOT[3]}H{PLOT[0]}Z" fill="none" stroke="#8b949e"/>'


def scale(canvas: Canvas, frame: Frame) -> str:
    """Return the size of a square of the grid in words."""
    unit = f" {frame.unit}" if frame.unit != "canvas" else " of the canvas"
    return f"1 square = {grid_step(canvas, frame):g}{unit}"


def text(words: str, x: float, y: float, color: str, size: float = SMALL, anchor: glyphs.Anchor = "start") -> str:
    """Return a line of text; x is its start, middle or end, y its baseline."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="{glyphs.FAMILY}" font-size="{size:g}" fill="{color}" '
        f'text-anchor="{anchor}" xml:space="preserve">{escape(words)}</text>'
    )


def text_width(words: str, size: float = SMALL) -> float:
    """Return the width of a text in pixels."""
    return glyphs.advance(words, size)
