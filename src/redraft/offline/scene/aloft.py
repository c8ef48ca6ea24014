"""What floats, or hangs on a wall: over, beside or behind what stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from redraft.offline.scene.build import Build, seen
from redraft.offline.scene.placing import Box, around
from redraft.offline.scene.shapes import bounds
from redraft.offline.scene.stood import Stack, cloud
from redraft.offline.scene.wanted import Tie, Wish, size_of

__all__ = ["hung"]

SLOTS = (-0.3, 0.32, 0.0, 0.6, -0.6, 0.9, -0.9, 1.2, -1.2)
"""Where in the sky a thing goes of which nothing more is said, in widths of the scene from its middle."""
_EMPTY: Box = (-1.0, -1.0, 0.0, 1.0, 1.0, 1.0)


def hung(build: Build, one: str, placed: Mapping[str, Stack], *, indoor: bool) -> Stack:
    """The block of a thing that does not stand, in its place. What belongs on a wall stands where there is none."""
    wish = build.things[one]
    boxes = [b for s in placed.values() for b in s.boxes]
    whole = around(boxes) if boxes else _EMPTY
    wide = max(whole[3] - whole[0], 1.3 * (whole[5] - whole[2]))
    if wish.solid.share and boxes:
        wish.size *= wish.solid.share * wide / max(size_of(wish))
    elif boxes and wish.solid.rests == "floats":
        build.grow(one, seen(max(size_of(wish)) / max(wide, whole[4] - whole[1])))
    stack = build.block(one)
    low = stack.box[2]
    if wish.solid.rests == "wall" and not indoor:
        return stack.moved(whole[3] + 0.2 - stack.box[0] if boxes else 0.0, 0.0, -low)
    ties = [t for t in build.holding.floating if one in (t.a, *t.b) and _has(placed, _other(t, one))]
    x, z = _beside(wish, stack, ties, placed, whole)
    walled = wish.solid.rests == "wall"
    y = whole[4] + (0.02 if walled else 0.25 * wide) - stack.box[1] if walled or wish.solid.share else 0.0
    over = next((t for t in ties if t.a == one and t.relation == "above"), None)
    if over is not None:
        below = _box(placed, over.b[0])
        y = y if walled else (below[1] + below[4]) / 2
        z = max(below[5] + 0.12 * wide, 0.8 * z if walled else 0.0)
    return stack.moved(x, y, z - low)


def _beside(
    wish: Wish, stack: Stack, ties: Sequence[Tie], placed: Mapping[str, Stack], whole: Box
) -> tuple[float, float]:
    """How far along x, and at what height, by its first tie; else in a free slot."""
    width, middle = stack.box[3] - stack.box[0], (stack.box[0] + stack.box[3]) / 2
    wide = whole[3] - whole[0]
    lift = wish.solid.lift / 100 * wish.size
    height = max(lift, whole[5] * 1.08) if wish.solid.share else lift
    for tie in ties:
        box = _box(placed, _other(tie, wish.id))
        sign = {"left_of": -1, "right_of": 1, "beside": 1, "near": 1}.get(tie.relation, 0)
        sign = sign if tie.a == wish.id else -sign
        gap = 0.15 * max(width, 0.3 * wide) + width / 2
        x = {0: (box[0] + box[3]) / 2, 1: box[3] + gap, -1: box[0] - gap}[sign]
        return x - middle, height if wish.solid.share else max(height, (box[2] + box[5]) / 2)
    taken = [s.box for s in placed.values() if s.box[2] > 0.3 * whole[5]]
    for slot in SLOTS:
        x = (whole[0] + whole[3]) / 2 + slot * max(wide, 2.2 * width)
        if not any(b[0] < x + width / 2 and x - width / 2 < b[3] for b in taken):
            return x - middle, height
    return whole[3] + width - middle, height


def _other(tie: Tie, one: str) -> str:
    return tie.b[0] if tie.a == one else tie.a


def _has(placed: Mapping[str, Stack], one: str) -> bool:
    return any(t.group == one for s in placed.values() for t in s.things)


def _box(placed: Mapping[str, Stack], one: str) -> Box:
    """The box of a thing, wherever it stands."""
    return around([bounds(cloud(t)) for s in placed.values() for t in s.things if t.group == one])
