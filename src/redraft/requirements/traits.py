"""Measures of what is shown: counts, directions, colors, texts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np
import shapely
from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from redraft.requirements.names import bound, named, others_of
from redraft.requirements.quotes import Folded
from redraft.requirements.space import RESTS, Check, Space, ancestors, middle
from redraft.requirements.statement import CANVAS, Requirement, in_short
from redraft.spatial import colours
from redraft.spatial.layout import Layout

__all__ = ["angle_fault", "color_fault", "colored", "count_fault", "counted", "pointing", "shows", "text_fault"]


def counted(read: Requirement, space: Space) -> Iterator[Check]:
    """The number of visible parts that match. With `each`, in each of these: the parts of it; else those whose center
    lies on it, or within its silhouette; else those that stand on it."""
    parts, wanted = bound(read.parts, space.layout), float(read.number or 0)
    if not read.each:
        hidden = [name for name in named(read.parts, space.layout) if name not in parts]
        words = f"there {'is' if len(parts) == 1 else 'are'} {len(parts)}"
        words += f" ({', '.join(hidden[:3])} cannot be seen)" if hidden else ""
        yield Check(parts, len(parts), wanted, 0.5, words, limit=read.limit)
        return
    wholes = named(read.each, space.layout)
    members: dict[str, list[str]] = {whole: [] for whole in wholes}
    for part in parts:
        for whole in _homes(part, [w for w in wholes if w != part], space):
            members[whole].append(part)
    for whole, held in members.items():
        words = f"{whole} has {len(held)}"
        yield Check((whole, *held), len(held), wanted, 0.5, words, limit=read.limit)


def _homes(part: str, wholes: Sequence[str], space: Space) -> Sequence[str]:
    """Which of several things a part is in or on."""
    kin = set(ancestors(space.layout, part))
    if found := [whole for whole in wholes if whole in kin]:
        return found
    seen = [whole for whole in wholes if whole in space.layout.visible]
    x, y, z = map(middle, space.box(part))
    spot = Point(x, y)
    level = [w for w in seen if not space.plan or space.rise(w)[0] - space.slack <= z <= space.rise(w)[1] + space.slack]
    if found := [whole for whole in level if space.shape(whole).distance(spot) <= space.slack]:
        return found
    if found := [whole for whole in level if space.solid(whole).distance(spot) <= space.slack]:
        return found
    (x0, x1), low, _ = space.box(part)
    foot = space.rise(part)[0] if space.plan else -low[1]
    held: list[tuple[float, str]] = []
    for whole in seen:
        (a0, a1), (top, _), rise = space.box(whole)
        gap = foot - (rise[1] if space.plan else -top)
        if abs(gap) <= RESTS * space.extent and x0 < a1 and a0 < x1:
            held.append((abs(gap), whole))
    return [min(held)[1]] if held else []


def pointing(read: Requirement, space: Space) -> Iterator[Check]:
    """The direction from the pivot (the center of `of`, else of its parent) to the part's far end, in degrees clockwise
    from up; in a scene as seen from above, up being away from the camera."""
    wanted = (read.degrees or 0.0) % 360
    for name in bound(read.parts, space.layout):
        parent = space.layout[name].parent
        pivots = others_of(read, space.layout) or ((parent,) if parent is not None else (CANVAS,))
        spans = space.box(pivots[0])
        found = _direction(space.shape(name), (middle(spans[0]), middle(spans[1])), wanted)
        off = (found - wanted + 180) % 360 - 180
        yield Check((name,), wanted + off, wanted, 2.0, f"{name} points to {found:.1f}°", 0.05)


def _direction(shape: BaseGeometry, pivot: tuple[float, float], wanted: float) -> float:
    """Where the far end lies; of two ends that reach as far, the one nearer to what is wanted."""
    away = shapely.get_coordinates(shape) - np.array(pivot)
    reach = float(np.hypot(away[:, 0], away[:, 1]).max())
    ends = shapely.get_parts(shape.difference(Point(pivot).buffer(0.97 * reach, quad_segs=64)))
    found = [
        math.degrees(math.atan2(e.centroid.x - pivot[0], pivot[1] - e.centroid.y)) % 360 for e in ends if not e.is_empty
    ]
    if not found:
        x, y = away[int(np.hypot(away[:, 0], away[:, 1]).argmax())]
        found = [math.degrees(math.atan2(x, -y)) % 360]
    return min(found, key=lambda d: abs((d - wanted + 180) % 360 - 180))


def angle_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    for name in parts if layout.frame.plan else ():
        (_, _), (y0, y1), (z0, z1) = Space(layout).box(name)
        if z1 - z0 > y1 - y0:
            return f"{name} stands upright, and a scene's directions are measured from above"
    return None


def colored(read: Requirement, space: Space) -> Iterator[Check]:
    """A fill that may be called so, or is near the `#rrggbb`, of the part itself, of its largest part, or of parts with
    at least 30 % of its painted area; pens where nothing is filled."""
    for name in bound(read.parts, space.layout):
        family = [i for i in space.layout.family(name) if i.style.fills or i.style.strokes]
        hits = {i.name for i in family if any(colours.matches(c, read.color) for c in i.style.fills or i.style.strokes)}
        area = sum(i.shape.area for i in family)
        share = sum(i.shape.area for i in family if i.name in hits) / max(area, 1e-12)
        largest = max(family, key=lambda i: i.shape.area).name if family else ""
        good = name in hits or largest in hits
        shown = list(dict.fromkeys(c for i in family for c in i.style.fills or i.style.strokes))[:4]
        words = f"{name} is painted {', '.join(shown) or 'in nothing'}"
        yield Check((name,), 1.0 if good else share, 0.3, 1e-9, words, limit="at_least")


def color_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if colours.known(read.color):
        return None
    return f"color is {in_short(read.color)}; it is #rrggbb or one of {', '.join(colours.TERMS)}"


def shows(read: Requirement, space: Space) -> Iterator[Check]:
    """Each part shows the text, it or its parts, however it is broken into lines and whatever its case."""
    wanted = _solid_text(read.text)
    for name in bound(read.parts, space.layout):
        texts = [text for item in space.layout.family(name) for text in item.texts]
        good = wanted in _solid_text("".join(texts)) or any(wanted in _solid_text(t) for t in texts)
        shown = ", ".join(in_short(text, 40) for text in texts[:4])
        yield Check((name,), float(good), 1.0, 0.5, f"{name} shows {shown or 'no text'}", limit="at_least")


def _solid_text(text: str) -> str:
    return Folded.of(text).folded.replace(" ", "")


def text_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if not _solid_text(read.text):
        return "text is empty"
    unread = layout.frame.plan and not any(item.texts for item in layout)
    return "the text of these parts cannot be read here" if unread else None


def count_fault(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    number, found = cast("int", read.number), len(parts)
    if read.limit == "at_least" and number == 0:
        return "there are always at least 0"
    if read.each or any("*" in pattern for pattern in read.parts) or not layout.visible.issuperset(parts):
        return None
    low = (
        number <= found if read.limit == "at_least" else number >= found if read.limit == "at_most" else number == found
    )
    return "it counts its own list: use a pattern with * or say what else it needs" if low else None
