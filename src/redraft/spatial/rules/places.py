"""Places: at a spot of the canvas, of another thing, or of one side of it."""

from __future__ import annotations

from collections.abc import Iterator

from redraft.result import Issue
from redraft.spatial.layout import Bounds, Item
from redraft.spatial.reading import Place
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import arrow, centre, found, height, shift_words, width

__all__ = ["placed"]

CENTRED = 0.02
"""What is centred may be off by so much of the extent it is centred in."""


def placed(scene: Scene, place: Place) -> Iterator[Issue]:
    """Each thing, or the group as a whole, where the brief puts it."""
    items = scene.binding.items(place.selector)
    if place.within is None:
        frames = {i.name: scene.layout.frame.bounds for i in items}
    else:
        holders = list(scene.binding.items(place.within))
        frames = {i.name: scene.own_box(_holder(scene, i, holders)) for i in items}
    if place.group:
        boxes = [scene.box(i.name) for i in items]
        yield from _place(scene, place, items[0].name, _around(boxes), frames[items[0].name], len(items) > 1)
    else:
        for item in items:
            yield from _place(scene, place, item.name, scene.box(item.name), frames[item.name], False)


def _holder(scene: Scene, item: Item, holders: list[Item]) -> Item:
    """The one that the item is part of, or the first."""
    family = [h for h in holders if any(i.name == item.name for i in scene.layout.family(h.name))]
    return (family or holders)[0]


def _around(boxes: list[Bounds]) -> Bounds:
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def _place(scene: Scene, place: Place, name: str, a: Bounds, frame: Bounds, group: bool) -> Iterator[Issue]:
    dx, dy = _along_side(place, a, frame) if place.side is not None else _to_spot(place, a, frame)
    if dx or dy:
        at = centre(a)
        who = f"the group of {name}" if group else name
        words = place.spot.replace("_", " ") if place.side is None else f"{place.spot} of the {place.side} side"
        yield found(
            "place.spot",
            "error",
            f"{who} is not at the {words}: off by {abs(dx):.3f} across and {abs(dy):.3f} down",
            (name,),
            numbers={"dx": dx, "dy": dy},
            mend=shift_words(who, dx, dy),
            marks=(arrow(at, (at[0] + dx, at[1] + dy)),),
            phrase=place.phrase,
        )


def _to_spot(place: Place, a: Bounds, frame: Bounds) -> tuple[float, float]:
    """How far it has to go: to the middle where the spot is central, into the right half where it is not."""
    spot = place.spot
    across = -1 if "left" in spot else 1 if "right" in spot else 0
    down = -1 if "top" in spot else 1 if "bottom" in spot else 0
    (x, y), (mx, my) = centre(a), centre(frame)
    if spot == "center":
        return _beyond(mx - x, CENTRED * width(frame)), _beyond(my - y, CENTRED * height(frame))
    return _into(x - mx, across, width(frame)), _into(y - my, down, height(frame))


def _beyond(step: float, room: float) -> float:
    return step if abs(step) > room else 0.0


def _into(offset: float, sign: int, extent: float) -> float:
    """Into the outer two fifths on the side of the sign."""
    want = 0.1 * extent
    return sign * want - offset if sign and sign * offset < want else 0.0


def _along_side(place: Place, a: Bounds, frame: Bounds) -> tuple[float, float]:
    """On the edge that the side names, at the spot along it."""
    (x, y), (mx, my) = centre(a), centre(frame)
    if place.side in {"top", "bottom"}:
        edge = frame[1] if place.side == "top" else frame[3]
        return _at(place, mx - x, frame[0] - a[0], frame[2] - a[2], width(frame)), _beyond(
            edge - y, height(a) / 2 + 0.01
        )
    edge = frame[0] if place.side == "left" else frame[2]
    return _beyond(edge - x, width(a) / 2 + 0.01), _at(place, my - y, frame[1] - a[1], frame[3] - a[3], height(frame))


def _at(place: Place, middle: float, low: float, high: float, extent: float) -> float:
    if place.spot in {"left", "top"}:
        return _beyond(low, 0.25 * extent)
    if place.spot in {"right", "bottom"}:
        return _beyond(high, 0.25 * extent)
    return _beyond(middle, CENTRED * extent)
