"""Sizes: of things of one name, of left and right parts, and of the scene as a whole."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from redraft.result import Issue
from redraft.studios.scene.rules.issues import Situation, found, length
from redraft.studios.scene.space import Body, extent, side_of, size_of
from redraft.studios.scene.spec import Thing

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
        sizes = sorted(extent(body.box) for body in bodies)
        for body in bodies if len(bodies) > ENOUGH else ():
            usual = _median_without(sizes, extent(body.box))
            ratio = extent(body.box) / max(usual, 1e-9)
            if max(ratio, 1 / max(ratio, 1e-9)) > OFF:
                yield found(
                    "ratio.proportion",
                    f"{body.name} measures {length(extent(body.box))}, the others of its name {length(usual)}",
                    (body.name,),
                    numbers={"found": extent(body.box), "expected": usual},
                    hint=f"scale {body.name} by {1 / ratio:.2g}, and set it down again",
                )


def _median_without(sizes: Sequence[float], size: float) -> float:
    """The median of sorted sizes without one of them."""
    at, many = bisect_left(sizes, size), len(sizes) - 1
    low, high = (sizes[i + (i >= at)] for i in ((many - 1) // 2, many // 2))
    return low if many % 2 else (low + high) / 2


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
            f"{left.name} and {right.name} differ in size by {ratio:.1f} times; a pair is alike",
            (left.name, right.name),
            numbers={"found": ratio, "expected": 1.0},
            hint=f"make {least.name} as large as its counterpart: scale it by {ratio**0.5:.2f}",
        )


def _surface(thing: Thing) -> float:
    assert thing.box is not None
    x, y, z = size_of(thing.box)
    return max(x * y + y * z + z * x, 1e-12)


SMALLEST, LARGEST = 0.01, 1000.0
"""Meters, of a whole scene."""


def empty(at: Situation) -> Iterator[Issue]:
    """Nothing with a surface is to be seen."""
    if not at.space.bodies:
        switched_off = sum(thing.hidden and thing.box is not None for thing in at.facts.things)
        more = f" ({switched_off} objects are switched off for rendering)" if switched_off else ""
        yield found(
            "scene.empty",
            f"there is nothing to see in the scene{more}",
            numbers={"found": 1.0, "expected": 0.0},
            hint="build what the brief asks for, link it to the scene's collection, and leave hide_render off",
        )


def endless(at: Situation) -> Iterator[Issue]:
    """Coordinates that are not numbers, or that have no end."""
    for body in at.space.bodies.values():
        parts = [part.name for part in body.parts if part.endless]
        if parts:
            yield found(
                "scene.endless",
                f"{parts[0]} has coordinates that are not numbers, or endless ones",
                (body.name,),
                hint=f"look for a division by zero or an overflow in what makes {parts[0]}",
            )


def left_out(at: Situation) -> Iterator[Issue]:
    """More objects than are measured."""
    if at.facts.left_out:
        yield found(
            "scene.left_out",
            f"{at.facts.left_out} objects were not measured: there are too many",
            numbers={"found": at.facts.left_out, "expected": 0.0},
            hint="make copies by instancing, or join small objects into one",
        )


def scale(at: Situation) -> Iterator[Issue]:
    """Everything within a centimeter, or more than a kilometre across."""
    size = at.space.size
    if at.space.actors and not SMALLEST <= size <= LARGEST:
        yield found(
            "scene.scale",
            f"the whole scene measures {length(size)}; Blender's unit is the metre",
            numbers={"found": size, "expected": SMALLEST if size < SMALLEST else LARGEST},
            hint="build things in metres",
        )
