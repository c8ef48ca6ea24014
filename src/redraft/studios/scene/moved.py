"""A scene's facts as they would be after some things were moved, without running Blender again.

Boxes and footprints move exactly. How two things meet was measured on their surfaces, and is changed by what their
parts' boxes and footprints say of the step: an estimate, which a later run replaces.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product

from redraft.studios.scene.bodies import Body
from redraft.studios.scene.layout import footprint
from redraft.studios.scene.space import Space, gap_between
from redraft.studios.scene.spec import Contact, Rest, Scene, SceneFacts, Thing, Vector

__all__ = ["moved", "moved_scene", "shifted"]

STILL: Vector = (0.0, 0.0, 0.0)
MOST = 600
"""Pairs of parts that are looked at; of more the bodies' boxes are taken."""
REACH = 0.05
"""Metres up to which two things are near each other."""
NEW_SHARE = 0.1
"""Of its points, that a thing is taken to have in another that it did not meet before."""
CLOSE = 1e-6


def moved_scene(scene: Scene, steps: Mapping[str, Vector]) -> Scene:
    """A scene after steps in the world's axes, in metres; each takes a thing's parts along."""
    return scene.model_copy(update={"facts": moved(scene.facts, steps)})


def moved(facts: SceneFacts, steps: Mapping[str, Vector]) -> SceneFacts:
    """Facts after steps of things by name, each with its parts."""
    parents = {thing.name: thing.parent for thing in facts.things}
    things = tuple(_stepped(thing, steps, parents) for thing in facts.things)
    before, after = Space(facts), Space(facts.model_copy(update={"things": things}))
    by = {name: steps.get(name, STILL) for name in before.bodies}
    rests = {rest.name: _rest(before, after, rest, by) for rest in facts.rests}
    known = {frozenset((c.a, c.b)): c for c in facts.contacts}
    contacts: list[Contact] = []
    names = sorted(after.bodies)
    for index, one in enumerate(names):
        for other in names[index + 1 :]:
            met = known.get(frozenset((one, other)))
            if _relative(by, one, other) == STILL:
                contacts += [met] if met is not None else []
            elif (then := _contact(before, after, (one, other), met, by)) is not None:
                contacts.append(then)
    return after.facts.model_copy(update={"contacts": tuple(contacts), "rests": tuple(rests.values())})


def shifted(thing: Thing, by: Vector) -> Thing:
    """One object by itself, after a step."""
    (x, y, z), box = by, thing.box
    rings = tuple(tuple((px + x, py + y) for px, py in ring) for ring in thing.footprint)
    there = None if box is None else (box[0] + x, box[1] + y, box[2] + z, box[3] + x, box[4] + y, box[5] + z)
    at = thing.location
    return thing.model_copy(update={"box": there, "footprint": rings, "location": (at[0] + x, at[1] + y, at[2] + z)})


def _stepped(thing: Thing, steps: Mapping[str, Vector], parents: Mapping[str, str | None]) -> Thing:
    total, at, seen = [0.0, 0.0, 0.0], thing.name, set[str]()
    while at and at not in seen:
        seen.add(at)
        total = [a + b for a, b in zip(total, steps.get(at, STILL), strict=True)]
        at = parents.get(at) or ""
    return shifted(thing, (total[0], total[1], total[2])) if any(total) else thing


def _relative(by: Mapping[str, Vector], one: str, other: str) -> Vector:
    x, y, z = (a - b for a, b in zip(by.get(one, STILL), by.get(other, STILL), strict=True))
    return (x, y, z)


def _contact(
    before: Space, after: Space, pair: tuple[str, str], met: Contact | None, by: Mapping[str, Vector]
) -> Contact | None:
    """How two lie to each other after one moved past the other; None where they are not near."""
    one, other = pair
    gap, depth = _room(after.bodies[one], after.bodies[other])
    if gap > REACH:
        return None
    was_apart, was = _room(before.bodies[one], before.bodies[other])
    old, share = (met.depth, met.share) if met is not None else (0.0, NEW_SHARE)
    if _falls_free(before, pair, by):
        depth = old
    elif depth <= was + CLOSE:
        depth = old * depth / was if was > 0.0 else 0.0
    else:
        depth, share = old + depth - was, max(share, NEW_SHARE)
    if _lands(before, pair, by) or depth > 0.0:
        gap = 0.0
    elif met is not None:  # boxes of hills and trees meet where their surfaces do not
        gap = max(0.0, met.gap + gap - was_apart)
    return Contact(a=one, b=other, gap=gap, depth=depth, share=share if depth > 0.0 else 0.0)


def _falls_free(space: Space, pair: tuple[str, str], by: Mapping[str, Vector]) -> bool:
    """Whether one comes straight down on the other by no more than it was measured to fall freely."""
    for name, other in (pair, pair[::-1]):
        x, y, z = _relative(by, name, other)
        rest = space.rests.get(name)
        if x == y == 0.0 and z < 0.0 and rest is not None and rest.drop is not None and -z <= rest.drop + CLOSE:
            return True
    return False


def _lands(space: Space, pair: tuple[str, str], by: Mapping[str, Vector]) -> bool:
    for name, other in (pair, pair[::-1]):
        rest = space.rests.get(name)
        if rest is not None and rest.on == other and rest.drop is not None:
            x, y, z = _relative(by, name, other)
            if x == y == 0.0 and abs(rest.drop + z) <= CLOSE:
                return True
    return False


def _room(one: Body, other: Body) -> tuple[float, float]:
    """Clear distance of two bodies, and how deep their parts share room, by boxes and footprints."""
    if gap_between(one.box, other.box) > REACH:
        return gap_between(one.box, other.box), 0.0
    pairs = list(product(one.parts, other.parts)) if len(one.parts) * len(other.parts) <= MOST else []
    found = [_shared(a, b) for a, b in pairs]
    return min((gap for gap, _ in found), default=0.0), max((depth for _, depth in found), default=0.0)


def _shared(a: Thing, b: Thing) -> tuple[float, float]:
    assert a.box is not None
    assert b.box is not None
    gap = gap_between(a.box, b.box)
    if gap > REACH:
        return gap, 0.0
    one, other = footprint(a), footprint(b)
    over = min(a.box[5], b.box[5]) - max(a.box[2], b.box[2])
    aside = float(one.distance(other))
    if aside > 0.0 or over <= 0.0:
        return math.hypot(aside, max(-over, 0.0)), 0.0
    x0, y0, x1, y1 = one.intersection(other).bounds
    return 0.0, min(over, x1 - x0, y1 - y0)


def _rest(before: Space, after: Space, rest: Rest, by: Mapping[str, Vector]) -> Rest:
    """What is under a thing after the steps: the same while its middle stays over it, else what is there by boxes."""
    x, y, z = _relative(by, rest.name, rest.on)
    body = after.bodies.get(rest.name)
    if body is None or rest.on not in after.bodies or rest.drop is None:
        return rest
    if x == y == 0.0:
        return rest.model_copy(update={"drop": max(0.0, round(rest.drop + z, 6))})
    mx, my, _ = body.center
    box = after.bodies[rest.on].box
    if box[0] <= mx <= box[3] and box[1] <= my <= box[4]:
        return rest.model_copy(update={"drop": max(0.0, round(rest.drop + z, 6))})
    under = [
        (other.box[5], other.name)
        for other in after.bodies.values()
        if other is not body
        and other.box[0] <= mx <= other.box[3]
        and other.box[1] <= my <= other.box[4]
        and other.box[5] <= body.box[2] + after.slack(body)
    ]
    top, on = max(under, default=(0.0, ""))
    return rest.model_copy(update={"on": on, "drop": max(0.0, body.box[2] - top) if on else None})
