"""What is said of an action that would make things collide: with what, how deep, and where there is room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from redraft.errors import CollisionError
from redraft.spatial.actions import Action, PlaceRelative
from redraft.spatial.free_place import nearest_free
from redraft.spatial.layout import Layout
from redraft.spatial.other_ways import other_ways

if TYPE_CHECKING:
    from redraft.spatial.plans import Plan

__all__ = ["refusal"]

TOLD = 6
"""Pairs that the message names."""


def refusal(
    before: Layout, after: Layout, planned: Plan, found: Mapping[tuple[str, str], float], action: Action
) -> CollisionError:
    """The error, with the nearest free place of the first thing that collides, the others being where they would be.

    Where a distance was asked for, it says too where that distance can be had.
    """
    unit, ref = after.frame.unit, next(iter(found))[0]
    pairs = tuple(f"{a} would be in {b} by {depth:.6g} {unit}" for (a, b), depth in found.items())
    alone = len({move.item for move in planned.moves}) == 1
    place = nearest_free(before, after, ref, planned.line if alone else None)
    if place is None:
        where = f"no free place was found for {ref}"
    else:
        x, y = (f"{v:.7f}".rstrip("0").rstrip(".") for v in place)
        where = f"the nearest free place for {ref} has its middle at ({x}, {y}): place_component {ref} there"
    if isinstance(action, PlaceRelative) and before.frame.solid:
        where = f"{other_ways(before, action)}; {where}"
    told = "; ".join(pairs[:TOLD]) + (f"; and {len(pairs) - TOLD} more" if len(pairs) > TOLD else "")
    return CollisionError(f"{planned.words}: {told}. Nothing was moved; {where}, or set allow_overlap", pairs, place)
