"""Corrections of the offline model: the plain move, scale or mirror image that each error of a repair request asks for.

Nothing here judges the result: the loop measures the drawing again and keeps the better one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from shapely import box, union_all
from shapely.affinity import affine_transform, translate
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from redraft.layout.backdrops import is_backdrop
from redraft.layout.items import Layout, Point, anchors_of
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.patch import family
from redraft.studios.sketch.spec import Drawing
from redraft.studios.sketch.transform import transformed

Fields = dict[str, list[Any]]
"""Fields of a patch, as JSON."""

SPREAD = 0.28
"""Distance of each of a pair from the middle, as a share of the width of what holds it: about halfway to its edge."""
WITHIN = 0.9
"""Share of a limit at which a corrected size is set, so that rounding does not leave it beyond the limit."""


def corrections(errors: Iterable[Mapping[str, Any]], drawing: Drawing, *, redraws: bool) -> Fields:
    """Return the fields of a patch for findings of a repair request; with `redraws`, strokes may change too."""
    layout, patch, changed = layout_of(drawing), Fields(), set[str]()
    for error in sorted(errors, key=lambda error: not error["code"].startswith("symmetry.")):
        names = [name for name in error["subjects"] if name in layout][:2]
        if changed.isdisjoint(names) and (fields := _correction(error, names, layout, drawing, redraws)):
            changed.update(names)
            for key, entries in fields.items():
                patch.setdefault(key, []).extend(entries)
    return patch


def _correction(
    error: Mapping[str, Any], names: Sequence[str], layout: Layout, drawing: Drawing, redraws: bool
) -> Fields:
    code, limits = str(error["code"]), layout.frame.thresholds
    category = code.partition(".")[0]
    if category == "size" and len(names) == 1:
        share = _area(layout, names[0]) / layout.frame.area
        limit = limits.min_size / WITHIN if share < limits.min_size else limits.max_size * WITHIN
        return _scaled(layout, names[0], (limit / share) ** 0.5)
    if len(names) != 2 or category not in ("symmetry", "overlap", "ratio", "spacing"):
        return {}
    one, other = sorted(names, key=lambda name: _area(layout, name)) if category == "overlap" else names
    parents = {layout[one].parent, layout[other].parent}
    if category == "ratio" or code == "symmetry.size":
        # The smaller of two grows up to a ratio of their areas; where it holds the larger one, that one shrinks.
        ratio = limits.max_ratio * WITHIN if category == "ratio" else 1.0
        small, large = sorted((one, other), key=lambda name: _area(layout, name))
        factor = (_area(layout, large) / _area(layout, small) / ratio) ** 0.5
        holds = small in layout.ancestors(large)
        return _scaled(layout, large, 1 / factor) if holds else _scaled(layout, small, factor)
    if category == "symmetry" or (code == "overlap.duplicate" and len(parents) == 1 and None not in parents):
        return _mirrored(layout, drawing, names, redraws)
    expected: float | None = error["expected"] if category == "spacing" else None
    return _spaced(layout, one, other, expected or limits.min_spacing)


def _mirrored(layout: Layout, drawing: Drawing, names: Sequence[str], redraws: bool) -> Fields:
    """Mirror one side about the middle of what holds both; move both aside, where they lie on the middle."""
    # The holder is the part of their whole, or of the drawing, that they lie on most; else their whole, or the canvas.
    own = {item.name for name in names for item in layout.family(name)}
    pair, parent = union_all([layout.whole(name) for name in names]), layout[names[0]].parent
    around = [i for i in (layout if parent is None else layout.family(parent)) if not is_backdrop(layout, i)]
    shapes = [item.shape for item in around if item.name not in own and item.shape.intersects(pair)]
    whole = box(*layout.frame.bounds) if parent is None else layout.whole(parent)
    holder = max(shapes, key=lambda shape: shape.intersection(pair).area, default=whole)

    x0, _, x1, _ = holder.bounds
    axis, (kept, mover) = (x0 + x1) / 2, names
    if min(_center(layout, name)[0] for name in names) > axis:  # both lie on the right: the left one goes over
        kept, mover = mover, kept
    still, shape = layout.whole(kept), layout.whole(mover)
    (x, y), (mover_x, mover_y) = _center(layout, kept), _center(layout, mover)
    width = (still.bounds[2] - still.bounds[0] + shape.bounds[2] - shape.bounds[0]) / 2
    if 2 * abs(x - axis) < width:
        aside = max(SPREAD * (x1 - x0), (width + layout.frame.thresholds.min_spacing) / 2)
        sides = zip(names, (axis - aside, axis + aside), strict=True)
        return {"move": [_aside(layout, name, side, holder) for name, side in sides]}

    # A mere step does where the part is its own mirror image, or nothing may be redrawn.
    dx, dy = 2 * axis - x - mover_x, y - mover_y
    target = affine_transform(still, [-1, 0, 0, 1, 2 * axis, 0])
    image = affine_transform(shape, [-1, 0, 0, 1, 2 * mover_x + dx, dy])
    if not redraws or image.intersection(target).area <= 1.01 * translate(shape, dx, dy).intersection(target).area:
        return {"move": [_step(mover, dx, dy)]}
    parts, matrix = family(drawing.plan, [mover]), (-1.0, 0.0, 0.0, 1.0, 2 * mover_x + dx, dy)
    strokes = [transformed(stroke, matrix) for stroke in drawing.strokes if stroke.part in parts]
    redrawn = list(dict.fromkeys(stroke.part for stroke in strokes))
    return {"redraw": redrawn, "strokes": [stroke.model_dump(mode="json") for stroke in strokes]}


def _aside(layout: Layout, name: str, x: float, holder: BaseGeometry) -> dict[str, object]:
    """Return the step that takes a part's middle to x, and back onto what it lay on, by a fifth of its height."""
    shape, dx, dy = layout.whole(name), x - _center(layout, name)[0], 0.0
    there = translate(shape, dx)
    if shape.intersects(holder) and not there.intersects(holder):
        start, end = nearest_points(there, holder)
        deep = 1 + (shape.bounds[3] - shape.bounds[1]) / 5 / start.distance(end)
        dx, dy = dx + deep * (end.x - start.x), deep * (end.y - start.y)
    return _step(name, dx, dy)


def _spaced(layout: Layout, one: str, other: str, expected: float) -> Fields:
    """Move the first of two to the expected distance from the other: up or down if it is above or below, else aside."""
    a, b = layout.bounds(one), layout.bounds(other)
    gaps = [max(b[i] - a[i + 2], a[i] - b[i + 2]) for i in (0, 1)]
    axis = 1 if gaps[1] > max(gaps[0], 0.0) else 0
    ways = [b[axis] - expected - a[axis + 2], b[axis + 2] + expected - a[axis]]  # before the other, and after it
    low, high = layout.frame.bounds[axis], layout.frame.bounds[axis + 2]
    fitting = [way for way in ways if low <= a[axis] + way and a[axis + 2] + way <= high]
    way = min(fitting or ways, key=abs)
    return {"move": [_step(one, way * (1 - axis), way * axis)]}


def _scaled(layout: Layout, name: str, factor: float) -> Fields:
    """Scale to the size of the canvas at most. A thing stands on its foot while it grows; a part keeps its middle."""
    x0, y0, x1, y1 = layout.bounds(name)
    factor = min(factor, max(1.0, 1 / max(x1 - x0, y1 - y0)), 50.0)
    about = "bottom" if layout[name].parent is None else "center"
    return {"scale": [{"part": name, "factor": round(max(0.02, factor), 6), "about": about}]}


def _step(name: str, dx: float, dy: float) -> dict[str, object]:
    return {"part": name, "dx": round(dx, 6), "dy": round(dy, 6)}


def _area(layout: Layout, name: str) -> float:
    """Return the area of what an item itself paints; of all its parts where it paints nothing."""
    own = layout[name].shape
    return max(1e-9, (layout.whole(name) if own.is_empty else own).area)


def _center(layout: Layout, name: str) -> Point:
    return anchors_of(layout.bounds(name))["center"]
