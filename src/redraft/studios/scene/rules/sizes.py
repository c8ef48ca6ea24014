"""Sizes: things of one name, left and right parts, and the scene as a whole."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from redraft.result import Issue
from redraft.studios.scene.bodies import Body, extent, side_of, size_of
from redraft.studios.scene.rules.issues import Situation, finding, length
from redraft.studios.scene.spec import Thing

MIN_OTHERS = 3
"""Others of the name from which there is a usual size."""
MAX_RATIO = 3.5
"""Factor by which a thing may be larger or smaller than the usual size."""
MAX_PAIR_RATIO = 2.0
"""Ratio of the surfaces of a left and a right part."""


def out_of_proportion(at: Situation) -> Iterator[Issue]:
    """Find things that are much larger or smaller than the others of their name."""
    alike: dict[str, list[Body]] = {}
    for body in at.space.actors:
        alike.setdefault(body.label, []).append(body)
    for bodies in alike.values():
        sizes = sorted(extent(body.box) for body in bodies)
        for body in bodies if len(bodies) > MIN_OTHERS else ():
            # The median of the others: of the sorted sizes without its own.
            size, count = extent(body.box), len(sizes) - 1
            own = bisect_left(sizes, size)
            usual = sum(sizes[i + (i >= own)] for i in ((count - 1) // 2, count // 2)) / 2
            ratio = size / max(usual, 1e-9)
            if max(ratio, 1 / max(ratio, 1e-9)) > MAX_RATIO:
                yield finding(
                    "ratio.proportion",
                    f"{body.name} measures {length(size)}, the others of its name {length(usual)}",
                    (body.name,),
                    numbers={"found": size, "expected": usual},
                    hint=f"scale {body.name} by {1 / ratio:.2g}, and set it down again",
                )


def pairs_differ(at: Situation) -> Iterator[Issue]:
    """Find left and right parts of one thing that differ in size."""
    for body in at.space.actors:
        sides: dict[str, dict[str, list[Thing]]] = {}
        for part in body.parts:
            side, role = side_of(part.name)
            if side:
                sides.setdefault(role, {}).setdefault(side, []).append(part)
        for both in sides.values():
            lefts, rights = both.get("left", []), both.get("right", [])
            if len(lefts) != 1 or len(rights) != 1:
                continue
            left, right = lefts[0], rights[0]
            ratio = max(_surface(left), _surface(right)) / max(min(_surface(left), _surface(right)), 1e-12)
            if ratio <= MAX_PAIR_RATIO:
                continue
            smaller = left if _surface(left) < _surface(right) else right
            yield finding(
                "symmetry.size",
                f"{left.name} and {right.name} differ in size by {ratio:.1f} times; a pair is alike",
                (left.name, right.name),
                numbers={"found": ratio, "expected": 1.0},
                hint=f"make {smaller.name} as large as its counterpart: scale it by {ratio**0.5:.2f}",
            )


def _surface(thing: Thing) -> float:
    assert thing.box is not None
    x, y, z = size_of(thing.box)
    return max(x * y + y * z + z * x, 1e-12)


MIN_SCENE, MAX_SCENE = 0.01, 1000.0
"""Meters that a whole scene measures."""


def empty(at: Situation) -> Iterator[Issue]:
    """Find a scene in which nothing with a surface is to be seen."""
    if not at.space.bodies:
        switched_off = sum(thing.hidden and thing.box is not None for thing in at.facts.things)
        more = f" ({switched_off} objects are switched off for rendering)" if switched_off else ""
        yield finding(
            "scene.empty",
            f"there is nothing to see in the scene{more}",
            numbers={"found": 1.0, "expected": 0.0},
            hint="build what the brief asks for, link it to the scene's collection, and leave hide_render off",
        )


def endless(at: Situation) -> Iterator[Issue]:
    """Find coordinates that are not numbers, or that are infinite."""
    for body in at.space.bodies.values():
        parts = [part.name for part in body.parts if part.endless]
        if parts:
            yield finding(
                "scene.endless",
                f"{parts[0]} has coordinates that are not numbers, or endless ones",
                (body.name,),
                hint=f"look for a division by zero or an overflow in what makes {parts[0]}",
            )


def left_out(at: Situation) -> Iterator[Issue]:
    """Find objects beyond the number that is measured."""
    if at.facts.left_out:
        yield finding(
            "scene.left_out",
            f"{at.facts.left_out} objects were not measured: there are too many",
            numbers={"found": at.facts.left_out, "expected": 0.0},
            hint="make copies by instancing, or join small objects into one",
        )


def scale(at: Situation) -> Iterator[Issue]:
    """Find a scene that lies within a centimeter, or is more than a kilometer across."""
    size = at.space.size
    if at.space.actors and not MIN_SCENE <= size <= MAX_SCENE:
        yield finding(
            "scene.scale",
            f"the whole scene measures {length(size)}; Blender's unit is the metre",
            numbers={"found": size, "expected": MIN_SCENE if size < MIN_SCENE else MAX_SCENE},
            hint="build things in metres",
        )
