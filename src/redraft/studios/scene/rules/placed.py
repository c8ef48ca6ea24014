"""Where things lie to each other in ways that no elevation tells: over something in the picture, or beside it."""

from __future__ import annotations

import math

import shapely
from shapely.geometry.base import BaseGeometry

from redraft.spatial.reading import Relate
from redraft.studios.scene.bodies import Body
from redraft.studios.scene.layout import footprint
from redraft.studios.scene.rules.situation import Situation
from redraft.studios.scene.space import Space
from redraft.studios.scene.spec import Camera, Vector

__all__ = ["is_so"]

HIGHER = 0.05
"""Of the picture's width, that a thing is clearly higher in it than another."""
WITHIN = 0.5
"""Of the plan of a thing: when more of it lies over or under another, it is not beside that."""


def is_so(at: Situation, relation: Relate, name: str) -> bool:
    """Whether a thing is so to one that the relation names: flies over it, or lies beside it, if only at a slant."""
    one = at.space.body_of[name]
    others = {at.space.body_of[item.name] for item in at.items(relation.objects)} - {one}
    match relation.relation:
        case "above":
            return any(_is_over(at.space, one, other) for other in others)
        case "below":
            return any(_is_over(at.space, other, one) for other in others)
        case "beside":
            return any(_is_aside(at.space, one, other) for other in others)
        case _:
            return False


def _is_over(space: Space, one: str, other: str) -> bool:
    """Whether a thing in the air is clearly higher in the camera's picture than another: by their middles."""
    eye = space.facts.camera
    if eye is None or eye.angle <= 0.0 or not _is_in_the_air(space, one):
        return False
    upper, lower = (_height(eye, space.bodies[name].centre) for name in (one, other))
    return upper is not None and lower is not None and upper - lower >= HIGHER * _width(eye)


def _is_in_the_air(space: Space, name: str) -> bool:
    """It stands on nothing and touches nothing."""
    slack = space.slack(space.bodies[name])
    rests = space.rests.get(name, ())
    return bool(rests) and all(not rest.held and (rest.drop is None or rest.drop > slack) for rest in rests)


def _height(eye: Camera, point: Vector) -> float | None:
    """How high a point is shown, at a distance of 1 m from the camera; None behind it."""
    away = [a - b for a, b in zip(point, eye.location, strict=True)]
    depth, rise = (sum(a * b for a, b in zip(away, axis, strict=True)) for axis in (eye.forward, eye.up))
    return rise / depth if depth > 0.0 else None


def _width(eye: Camera) -> float:
    """Of the picture, at the same distance."""
    return 2 * math.tan(math.radians(eye.angle) / 2)


def _is_aside(space: Space, one: str, other: str) -> bool:
    """Whether a thing lies mostly outside another's plan, and no farther from it than the larger one is long."""
    mine, other_plan = (_plan(space.bodies[name]) for name in (one, other))
    shared = mine.intersection(other_plan).area
    reach = max(_longest(mine), _longest(other_plan))
    return shared <= WITHIN * min(mine.area, other_plan.area) and mine.distance(other_plan) <= reach


def _plan(body: Body) -> BaseGeometry:
    return shapely.union_all([footprint(part) for part in body.parts])


def _longest(shape: BaseGeometry) -> float:
    x0, y0, x1, y1 = shape.bounds
    return max(x1 - x0, y1 - y0)
