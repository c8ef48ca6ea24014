"""The scene as a whole: that there is something, in numbers that mean something, and its scale."""

from __future__ import annotations

from collections.abc import Iterator

from redraft.result import Issue
from redraft.studios.scene.rules.codes import found, length
from redraft.studios.scene.rules.situation import Situation

__all__ = ["empty", "endless", "left_out", "scale"]

SMALLEST, LARGEST = 0.01, 1000.0
"""Metres, of a whole scene."""


def empty(at: Situation) -> Iterator[Issue]:
    """Nothing with a surface is to be seen."""
    if not at.space.bodies:
        switched_off = sum(thing.hidden and thing.box is not None for thing in at.facts.things)
        more = f" ({switched_off} objects are switched off for rendering)" if switched_off else ""
        yield found(
            "scene.empty",
            "error",
            f"there is nothing to see in the scene{more}",
            numbers={"found": 1.0, "expected": 0.0},
            mend="build what the brief asks for, link it to the scene's collection, and leave hide_render off",
            basis="defect",
        )


def endless(at: Situation) -> Iterator[Issue]:
    """Coordinates that are not numbers, or that have no end."""
    for body in at.space.bodies.values():
        parts = [part.name for part in body.parts if part.endless]
        if parts:
            yield found(
                "scene.endless",
                "error",
                f"{parts[0]} has coordinates that are not numbers, or endless ones",
                (body.name,),
                mend=f"look for a division by zero or an overflow in what makes {parts[0]}",
                basis="defect",
            )


def left_out(at: Situation) -> Iterator[Issue]:
    """More objects than are measured."""
    if at.facts.left_out:
        yield found(
            "scene.left_out",
            "hint",
            f"{at.facts.left_out} objects were not measured: there are too many",
            numbers={"found": at.facts.left_out, "expected": 0.0},
            mend="make copies by instancing, or join small objects into one",
        )


def scale(at: Situation) -> Iterator[Issue]:
    """Everything within a centimetre, or more than a kilometre across."""
    size = at.space.size
    if at.space.actors and not SMALLEST <= size <= LARGEST:
        yield found(
            "scene.scale",
            "hint",
            f"the whole scene measures {length(size)}; Blender's unit is the metre",
            numbers={"found": size, "expected": SMALLEST if size < SMALLEST else LARGEST},
            mend="build things in metres",
        )
