"""Likeness: things of one name are of like size, and a left part is as large as its right one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from redraft.result import Issue
from redraft.studios.scene.bodies import Body, extent, size_of
from redraft.studios.scene.naming import side_of
from redraft.studios.scene.rules.codes import found, length
from redraft.studios.scene.rules.situation import Situation
from redraft.studios.scene.spec import Thing

__all__ = ["out_of_proportion", "pairs_differ"]

ENOUGH = 3
"""Others of the name, from which there is a usual size."""
OFF = 3.5
"""So many times too large or small."""
PAIR = 2.0
"""Of the areas of a left and a right part."""


def out_of_proportion(at: Situation) -> Iterator[Issue]:
    """Things that are much larger or smaller than the others of their name."""
    alike: dict[str, list[Body]] = {}
    for body in at.space.actors:
        alike.setdefault(body.label, []).append(body)
    for bodies in alike.values():
        for body in bodies if len(bodies) > ENOUGH else ():
            usual = median(extent(other.box) for other in bodies if other is not body)
            ratio = extent(body.box) / max(usual, 1e-9)
            if max(ratio, 1 / max(ratio, 1e-9)) > OFF:
                yield found(
                    "ratio.proportion",
                    "warning",
                    f"{body.name} measures {length(extent(body.box))}, the others of its name {length(usual)}",
                    (body.name,),
                    numbers={"found": extent(body.box), "expected": usual},
                    mend=f"scale {body.name} by {1 / ratio:.2g}, and set it down again",
                )


def pairs_differ(at: Situation) -> Iterator[Issue]:
    """Left and right parts of one thing that differ in size."""
    for body in at.space.actors:
        for left, right in _pairs(body.parts):
            yield from _sizes(left, right)


def _pairs(parts: Sequence[Thing]) -> Iterator[tuple[Thing, Thing]]:
    sides: dict[str, dict[str, list[Thing]]] = {}
    for part in parts:
        side, role = side_of(part.name)
        if side:
            sides.setdefault(role, {}).setdefault(side, []).append(part)
    for both in sides.values():
        if len(both.get("left", ())) == 1 and len(both.get("right", ())) == 1:
            yield both["left"][0], both["right"][0]


def _sizes(left: Thing, right: Thing) -> Iterator[Issue]:
    areas = [_surface(thing) for thing in (left, right)]
    ratio = max(areas) / max(min(areas), 1e-12)
    if ratio > PAIR:
        least = left if areas[0] < areas[1] else right
        yield found(
            "symmetry.size",
            "warning",
            f"{left.name} and {right.name} differ in size by {ratio:.1f} times; a pair is alike",
            (left.name, right.name),
            numbers={"found": ratio, "expected": 1.0},
            mend=f"make {least.name} as large as its counterpart: scale it by {ratio**0.5:.2f}",
        )


def _surface(thing: Thing) -> float:
    assert thing.box is not None
    x, y, z = size_of(thing.box)
    return max(x * y + y * z + z * x, 1e-12)
