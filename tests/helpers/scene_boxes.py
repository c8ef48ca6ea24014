"""A reader of relations that knows nothing of the planner: it takes boxes, and says which words hold of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Box = Sequence[float]
"""x0, y0, z0, x1, y1, z1; x is the camera's right, y away from it."""
SLACK = 0.003


def named(boxes: Mapping[str, Box], noun: str) -> list[Box]:
    """The boxes of the objects that a noun names, by the last word of it."""
    word = noun.rsplit(maxsplit=1)[-1].lower()
    return [box for name, box in boxes.items() if word in name.lower().split()]


def holds(relation: str, a: Box, b: Box) -> bool:
    """Whether a is so to b."""
    over = _shared(a, b, 0) > 0 and _shared(a, b, 1) > 0
    match relation:
        case "left of":
            return a[3] <= b[0] + SLACK
        case "right of":
            return a[0] >= b[3] - SLACK
        case "in front of":
            return a[4] <= b[1] + SLACK and _shared(a, b, 0) > 0
        case "behind":
            return a[1] >= b[4] - SLACK and _shared(a, b, 0) > 0
        case "on":
            return over and b[2] + SLACK < a[2] <= b[5] + SLACK
        case "in":
            return over and b[2] - SLACK <= a[2] < b[5]
        case "under":
            return over and a[2] + a[5] < b[2] + b[5] and a[2] <= b[2] + SLACK
        case "above":
            return _shared(a, b, 0) > 0 and a[2] >= b[5] - SLACK  # as the camera sees it: a clock is on the wall
        case "next to":
            gap = max(b[0] - a[3], a[0] - b[3])
            return -SLACK <= gap <= 1.2 * max(a[3] - a[0], b[3] - b[0]) and _shared(a, b, 1) > 0
        case _:
            raise ValueError(f"no reader for {relation!r}")


def apart(a: Box, b: Box) -> bool:
    """Whether two boxes share no room."""
    return any(_shared(a, b, axis) <= SLACK for axis in range(3))


def _shared(a: Box, b: Box, axis: int) -> float:
    return min(a[axis + 3], b[axis + 3]) - max(a[axis], b[axis])
