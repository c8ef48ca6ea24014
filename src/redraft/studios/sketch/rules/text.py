"""Text: letters that run over a line, an outline or other letters, and letters at the edge of the canvas."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Item, bounds_of
from redraft.result import Issue
from redraft.studios.sketch.rules.geometry import Scene, tree_pairs
from redraft.studios.sketch.rules.issues import box, finding

ROOM = 0.01
"""Text nearer than this to the edge of the canvas looks cut off."""

INSET = 0.1
"""Of the height of a line of text, at each of its sides: letters do not fill the corners of their box."""

CROSSED = 0.02
"""Share of the letters that other letters may cover."""

CROSSED_BY_LINE = CROSSED / 4
"""The same of a line, which is thin."""

RUNS = 0.2
"""How far a line may run into the letters, as a share of their height."""

BESIDE, UPON = 0.04, 0.92
"""Share of the letters on a thing up to which they are beside it, and from which they are on it."""

PLATE = 0.003
"""What reaches so far beyond the letters on all sides is a plate that they stand on."""


def crossed_text(scene: Scene) -> Iterator[Issue]:
    """Find letters over a line, over the edge of a thing, or over other letters: one issue for each part with text."""
    for item in (item for item in scene.parts if item.letters):
        # Index of the other part → the worst share of a line of text, and which of the item's lines that is.
        worst: dict[int, tuple[float, int]] = {}

        # Two texts of the part itself on each other.
        cores = [_core(letters) for letters in item.letters]
        limit = (scene.comparisons - scene.spent) // 2
        first, second, _ = tree_pairs(np.array(cores, dtype=object), 0.0, limit)
        touching = zip(map(int, first), map(int, second), strict=True)
        shares = [(_share_of_smaller(cores[i], cores[j]), j) for i, j in touching]
        scene.spend(len(shares))
        doubled = max(shares, default=(0.0, 0))
        if doubled[0] > CROSSED:
            worst[scene.rank[item.name]] = doubled

        for place, (letters, core) in enumerate(zip(item.letters, cores, strict=True)):
            for index in scene.parts_at(core):
                scene.spend()
                share = _crossing(scene, item, scene.parts[index], core)
                known = worst.get(index, (0.0, 0))[0]
                if share > known and not _is_plated(scene, item, scene.parts[index], letters):
                    worst[index] = (share, place)

        if worst:
            others = [scene.parts[index] for index in sorted(worst, key=lambda i: (-worst[i][0], i))]
            over = " and ".join("another text of it" if o is item else o.name for o in others[:3])
            places = dict.fromkeys(worst[scene.rank[o.name]][1] for o in others)
            yield finding(
                "text.crossed",
                f"{'the' if len(item.letters) == 1 else 'a'} text of {item.name} runs over {over}",
                (item.name, *(o.name for o in others[:3] if o is not item)),
                numbers={"found": max(share for share, _ in worst.values()), "expected": 0.0},
                hint=f"move the text off {over}",
                marks=tuple(box(bounds_of(item.letters[place]), item.name) for place in places),
            )


def _core(letters: BaseGeometry) -> BaseGeometry:
    """Return the box of a line of text without its rim."""
    x0, y0, x1, y1 = letters.bounds
    inset = INSET * (y1 - y0)
    return shapely.box(x0 + inset, y0 + inset, x1 - inset, y1 - inset) if x1 - x0 > 2 * inset else letters


def _share_of_smaller(one: BaseGeometry, other: BaseGeometry) -> float:
    return one.intersection(other).area / max(min(one.area, other.area), 1e-12)


def _crossing(scene: Scene, item: Item, other: Item, core: BaseGeometry) -> float:
    """Return the share of a line of text that another part runs through; 0 where it is beside it, or a ground for it.

    What lies between the two is not looked at: `_is_plated` does.
    """
    if other.name == item.name or scene.joined(item.name, other.name):
        return 0.0
    if other.layer > item.layer and scene.object_of[other.name] == scene.object_of[item.name]:
        return 0.0  # the hand of a clock over its numerals
    if other.letters:
        scene.spend(len(other.letters))
        shared = max(_share_of_smaller(core, _core(theirs)) for theirs in other.letters)
        # Of two parts with texts on each other the first one is reported.
        return shared if shared > CROSSED and scene.rank[item.name] < scene.rank[other.name] else 0.0
    if scene.object_of[other.name] in scene.backdrops and not other.is_line:
        return 0.0
    both = core.intersection(other.shape)
    share = both.area / max(core.area, 1e-12)
    if other.is_line:
        x0, y0, x1, y1 = both.bounds if not both.is_empty else (0.0, 0.0, 0.0, 0.0)
        _, top, _, foot = core.bounds
        return share if max(x1 - x0, y1 - y0) > RUNS * (foot - top) and share > CROSSED_BY_LINE else 0.0
    return share if BESIDE < share < UPON else 0.0


def _is_plated(scene: Scene, item: Item, other: Item, letters: BaseGeometry) -> bool:
    """Return whether something painted between covers the other part behind the letters."""
    room = letters.buffer(PLATE, join_style="mitre")
    first = item.layer if item.lowest is None else item.lowest
    if other.layer < first and item.shape.covers(room):
        return True
    near = [scene.parts[index] for index in scene.parts_at(letters)]
    scene.spend(1 + len(near) // 10)
    between = [p for p in near if other.layer < p.layer <= first and not p.letters and p.name != item.name]
    return any(not part.is_line and part.shape.covers(letters) for part in between)


def text_at_edge(scene: Scene) -> Iterator[Issue]:
    """Find letters on the canvas, but hardly: the nearest of a part."""
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
            where = f"is {room:.3f} from" if room > 0 else "reaches"
            yield finding(
                "text.edge",
                f"{'the' if len(item.letters) == 1 else 'a'} text of {item.name} {where} the edge of the canvas",
                (item.name,),
                numbers={"found": room, "expected": ROOM},
                hint=scene.way(item.name, 2 * dx, 2 * dy),
                marks=(box(bounds_of(letters), item.name),),
            )
