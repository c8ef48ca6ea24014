"""Text: letters that run over a line, an outline or other letters, and letters at the edge of the canvas."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from redraft.result import Issue
from redraft.spatial.layout import Item
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import box, found

__all__ = ["crossed_text", "text_at_edge"]

ROOM = 0.01
"""Text nearer than this to the edge of the canvas looks cut off."""

INSET = 0.1
"""Of the height of a line of text, at each of its sides: letters do not fill the corners of their box."""

CROSSED = 0.02
"""Share of the letters that other letters may cover."""

RUNS = 0.35
"""How far a line may run into the letters, as a share of their height."""

LEAST, MOST = 0.04, 0.92
"""Share of the letters on a thing below which they are beside it, and from which they are on it."""

PLATE = 0.003
"""What reaches so far beyond the letters on all sides is a plate that they stand on."""


def crossed_text(scene: Scene) -> Iterator[Issue]:
    """Letters over a line, over the edge of a thing, or over other letters: each text part once for each other."""
    texts = [item for item in scene.parts if item.letters]
    shapes = np.array([item.shape for item in scene.parts], dtype=object)
    for item in texts:
        yield from _doubled(scene, item)
        worst: dict[int, tuple[float, int]] = {}
        for place, letters in enumerate(item.letters):
            core = _core(letters)
            for index in np.flatnonzero(shapely.intersects(shapes, core)).tolist():
                share = _crossing(scene, item, scene.parts[index], core, letters)
                if share > worst.get(index, (0.0, 0))[0]:
                    worst[index] = (share, place)
        for index, (share, place) in worst.items():
            yield _crossed(scene, item, place, scene.parts[index], share)


def _core(letters: BaseGeometry) -> BaseGeometry:
    """The box of a line of text without its rim."""
    x0, y0, x1, y1 = letters.bounds
    inset = INSET * (y1 - y0)
    return shapely.box(x0 + inset, y0 + inset, x1 - inset, y1 - inset) if x1 - x0 > 2 * inset else letters


def _doubled(scene: Scene, item: Item) -> Iterator[Issue]:
    """Two texts of one part on each other."""
    for place, letters in enumerate(item.letters):
        core = _core(letters)
        share = max((_shared(core, _core(other)) for other in item.letters[:place]), default=0.0)
        if share > CROSSED:
            yield _crossed(scene, item, place, item, share)
            return


def _shared(one: BaseGeometry, other: BaseGeometry) -> float:
    return one.intersection(other).area / max(min(one.area, other.area), 1e-12)


def _crossing(scene: Scene, item: Item, other: Item, core: BaseGeometry, letters: BaseGeometry) -> float:
    """The share of a line of text that another part runs through; 0 where it is beside it, or a ground for it."""
    if other.name == item.name or scene.joined(item.name, other.name) or _plated(scene, item, other, letters):
        return 0.0
    if other.letters:
        own = max(_shared(core, _core(theirs)) for theirs in other.letters)
        return own if own > CROSSED and scene.parts.index(item) < scene.parts.index(other) else 0.0
    if scene.object_of[other.name] in scene.backdrops and not other.is_line:
        return 0.0
    both = core.intersection(other.shape)
    share = both.area / max(core.area, 1e-12)
    if other.is_line:
        x0, y0, x1, y1 = both.bounds if not both.is_empty else (0.0, 0.0, 0.0, 0.0)
        _, top, _, foot = core.bounds
        return share if max(x1 - x0, y1 - y0) > RUNS * (foot - top) and share > CROSSED / 4 else 0.0
    return share if LEAST < share < MOST else 0.0


def _plated(scene: Scene, item: Item, other: Item, letters: BaseGeometry) -> bool:
    """Whether something painted between covers the other part behind the letters."""
    room = letters.buffer(PLATE, join_style="mitre")
    first = item.layer if item.lowest is None else item.lowest
    if other.layer < first and item.shape.covers(room):
        return True
    between = [p for p in scene.parts if other.layer < p.layer <= first and not p.letters and p.name != item.name]
    return any(not part.is_line and part.shape.covers(letters) for part in between)


def _crossed(scene: Scene, item: Item, place: int, other: Item, share: float) -> Issue:
    what = f"the text of {item.name}" if len(item.texts) == 1 else f"a text of {item.name}"
    over = "another text of it" if other is item else f"the text of {other.name}" if other.letters else other.name
    x0, y0, x1, y1 = item.letters[place].bounds
    return found(
        "text.crossed",
        "warning",
        f"{what} runs over {over}",
        (item.name,) if other is item else (item.name, other.name),
        numbers={"found": share, "expected": 0.0},
        mend=f"move the text clear of {over}",
        marks=(box((x0, y0, x1, y1), item.name),),
    )


def text_at_edge(scene: Scene) -> Iterator[Issue]:
    """Letters on the canvas, but hardly: the nearest of a part."""
    x0, y0, x1, y1 = scene.layout.frame.bounds
    for item in scene.parts:
        rooms: list[tuple[float, float, float, BaseGeometry]] = []
        for letters in item.letters:
            a, b, c, d = letters.bounds
            dx = max(x0 + ROOM - a, 0.0) - max(c - x1 + ROOM, 0.0)
            dy = max(y0 + ROOM - b, 0.0) - max(d - y1 + ROOM, 0.0)
            rooms.append((min(a - x0, b - y0, x1 - c, y1 - d), dx, dy, letters))
        room, dx, dy, letters = min(rooms, key=lambda r: r[0], default=(ROOM, 0.0, 0.0, item.shape))
        if room < ROOM:
            a, b, c, d = letters.bounds
            where = f"is {room:.3f} from" if room > 0 else "reaches"
            yield found(
                "text.edge",
                "warning",
                f"{'the' if len(item.letters) == 1 else 'a'} text of {item.name} {where} the edge of the canvas",
                (item.name,),
                numbers={"found": room, "expected": ROOM},
                mend=scene.way(item.name, 2 * dx, 2 * dy),
                marks=(box((a, b, c, d), item.name),),
            )
