"""Measures of what is shown: counts, directions, colors, texts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import cast

import numpy as np
import shapely
from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from redraft.layout import colors
from redraft.layout.items import Layout
from redraft.layout.requirements.space import (
    RESTS,
    Check,
    Space,
    bound,
    gap_between,
    middle,
    named,
    others_of,
    sides_of,
)
from redraft.layout.requirements.statement import CANVAS, Folded, Requirement, in_short

LONG = 1.25
"""A part so many times as long as wide has a direction of its own."""
HAND = 2.0
"""A part so many times as long as wide points by its far end, others by their center, too."""
BESIDE = 0.5
"""Cosine of the angle to the pivot's direction, below which a part lies beside the pivot and points neither way."""


def counted(read: Requirement, space: Space) -> Iterator[Check]:
    """The number of visible parts that match. With `each`, in each of these: the parts of it; else those whose center
    lies on it, or within its silhouette; else those that stand on it; else those that touch it. Each is counted once,
    for the nearest; only where two cross, as lines at a station, for both. What lies on its own whole is not counted
    for what merely is beside or below that whole, and what is part of something else not for what has such parts
    itself."""
    parts, wanted = bound(read.parts, space.layout), float(read.number or 0)
    if not read.each:
        hidden = [name for name in named(read.parts, space.layout) if name not in parts]
        words = f"there {'is' if len(parts) == 1 else 'are'} {len(parts)}"
        words += f" ({', '.join(hidden[:3])} cannot be seen)" if hidden else ""
        yield Check(parts, len(parts), wanted, 0.5, words, limit=read.limit)
        return
    wholes = named(read.each, space.layout)
    members: dict[str, list[str]] = {whole: [] for whole in wholes}
    above = {part: tuple(space.layout.ancestors(part)) for part in (*parts, *wholes)}
    furnished = [whole for whole in wholes if any(whole in above[part] for part in parts)]
    for part in parts:
        parent = space.layout[part].parent
        elsewhere = [w for w in furnished if parent is not None and w not in above[part] and parent not in above[w]]
        for whole in _homes(part, [w for w in wholes if w != part and w not in elsewhere], space):
            members[whole].append(part)
    for whole, held in members.items():
        counted = ", ".join([*held[:3], *(["…"] if len(held) > 3 else [])])
        words = f"{whole} has {len(held)}" + (f" ({counted})" if held else "")
        yield Check((whole, *held), len(held), wanted, 0.5, words, limit=read.limit)


def _homes(part: str, wholes: Sequence[str], space: Space) -> Sequence[str]:
    """Return the things that a part is of, in, on or at: one, or several that cross."""
    if kin := [above for above in space.layout.ancestors(part) if above in wholes]:
        return kin[:1]
    seen = [whole for whole in wholes if whole in space.layout.visible]
    x, y, z = map(middle, space.box(part))
    spot = Point(x, y)
    level = [w for w in seen if not space.plan or space.rise(w)[0] - space.slack <= z <= space.rise(w)[1] + space.slack]
    for outline in (space.shape, space.solid):
        gaps = [(outline(whole).distance(spot), _off(space, whole, spot), whole) for whole in level]
        if near := [whole for _, _, whole in sorted(gap for gap in gaps if gap[0] <= space.slack)]:
            crossing = all(_cross(space.shape(a), space.shape(b)) for a, b in combinations(near, 2))
            return near if crossing else near[:1]
    parent = space.layout[part].parent
    if parent is not None and space.shape(parent, without=part).distance(spot) <= space.slack:
        seen = [whole for whole in seen if parent in space.layout.ancestors(whole)]
    (x0, x1), low, _ = space.box(part)
    foot = space.rise(part)[0] if space.plan else -low[1]
    held: list[tuple[float, float, str]] = []
    for whole in seen:
        (a0, a1), (top, _), rise = space.box(whole)
        gap = foot - (rise[1] if space.plan else -top)
        if abs(gap) <= RESTS * space.extent and x0 < a1 and a0 < x1:
            held.append((abs(gap), _off(space, whole, spot), whole))
    if not held:
        gaps = [(gap_between(space, part, whole, None), _off(space, whole, spot), whole) for whole in seen]
        held = [gap for gap in gaps if gap[0] <= space.slack]
    return [min(held)[2]] if held else []


def _cross(one: BaseGeometry, other: BaseGeometry) -> bool:
    """Return whether two things share little of either, as lines do at a station."""
    return one.intersection(other).area < 0.25 * min(one.area, other.area)


def _off(space: Space, whole: str, spot: Point) -> float:
    """Return the distance of a part's middle from a point; of two at one distance, the smaller one is nearer."""
    x, y, _ = map(middle, space.box(whole))
    return round(float(spot.distance(Point(x, y))), 3) + 1e-4 * space.shape(whole).area / space.extent**2


def pointing(read: Requirement, space: Space) -> Iterator[Check]:
    """The direction from the pivot (the center of `of`, else of its parent) to the part's far end, in degrees clockwise
    from up, or to the center of a compact part; without `of` that of a long part itself will do. In a scene as seen
    from above, up being away from the camera."""
    wanted = (read.degrees or 0.0) % 360
    for name in bound(read.parts, space.layout):
        parent = space.layout[name].parent
        pivots = others_of(read, space.layout) or ((parent,) if parent is not None else (CANVAS,))
        spans = space.box(pivots[0])
        pivot = (middle(spans[0]), middle(spans[1]))
        ways = [_direction(space.shape(name), pivot, wanted), *_slants(space.shape(name), pivot, alone=not read.of)]
        found = min(ways, key=lambda way: abs((way - wanted + 180) % 360 - 180))
        off = (found - wanted + 180) % 360 - 180
        yield Check((name,), wanted + off, wanted, 2.0, f"{name} points to {found:.1f}°", 0.05)


def _direction(shape: BaseGeometry, pivot: tuple[float, float], wanted: float) -> float:
    """Return the far end; of two ends at one distance, the one nearer to the wanted direction."""
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


def _slants(shape: BaseGeometry, pivot: tuple[float, float], *, alone: bool) -> Iterator[float]:
    """The direction of the center of a compact part; `alone` that of a long part itself, as of the rails of a ladder:
    away from the pivot, or both ways where it lies beside that."""
    if not (sides := sides_of(shape)):
        return
    (short, _), (long, along_it) = sides
    away = np.array([shape.centroid.x - pivot[0], shape.centroid.y - pivot[1]])
    if long < HAND * short and np.hypot(*away) > short / 2:
        yield math.degrees(math.atan2(away[0], -away[1])) % 360
    if not alone or long < LONG * short:
        return
    x, y = along_it / long
    along = float(away @ np.array([x, y])) / max(float(np.hypot(*away)), 1e-12)
    for sign in (1.0, -1.0):
        if sign * along > -BESIDE:
            yield math.degrees(math.atan2(sign * x, -sign * y)) % 360


def angle_problem(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
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
        hits = {i.name for i in family if any(colors.matches(c, read.color) for c in i.style.fills or i.style.strokes)}
        area = sum(i.shape.area for i in family)
        share = sum(i.shape.area for i in family if i.name in hits) / max(area, 1e-12)
        largest = max(family, key=lambda i: i.shape.area).name if family else ""
        good = name in hits or largest in hits
        painted = dict.fromkeys(c for i in family for c in i.style.fills or i.style.strokes)
        shown = sorted(painted, key=lambda c: not colors.matches(c, read.color))[:4]
        words = f"{name} is painted {', '.join(shown) or 'in nothing'}"
        yield Check((name,), 1.0 if good else share, 0.3, 1e-9, words, limit="at_least")


def color_problem(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if colors.known(read.color):
        return None
    return f"color is {in_short(read.color)}; it is #rrggbb or one of {', '.join(colors.TERMS)}"


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


def text_problem(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    if not _solid_text(read.text):
        return "text is empty"
    unread = layout.frame.plan and not any(item.texts for item in layout)
    return "the text of these parts cannot be read here" if unread else None


def count_problem(read: Requirement, layout: Layout, parts: Sequence[str]) -> str | None:
    number, found = cast("int", read.number), len(parts)
    if read.limit == "at_least" and number == 0:
        return "there are always at least 0"
    if read.each or any("*" in pattern for pattern in read.parts) or not layout.visible.issuperset(parts):
        return None
    low = (
        number <= found if read.limit == "at_least" else number >= found if read.limit == "at_most" else number == found
    )
    stems = {name.rstrip("_0123456789") for name in parts}
    pattern = f'"{stems.pop()}_*"' if len(stems) == 1 < found else "one with *"
    return f"it counts the names that it lists itself; a count needs a pattern, such as {pattern}" if low else None
