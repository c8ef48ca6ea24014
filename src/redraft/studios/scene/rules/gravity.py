"""Gravity: what stands has something under it, and does not reach into it.

What touches something that stands is held by it, at any number of steps. What hangs far above everything may be meant
to: a bird, a cloud, a lamp without its cord.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from redraft.result import Issue
from redraft.studios.scene.layout import footprint
from redraft.studios.scene.rules.issues import Situation, found, length, steps
from redraft.studios.scene.space import Body, Space, extent, volume
from redraft.studios.scene.spec import Box, Thing

ALOFT = 1.0
"""Of its height: what is farther above all else may be meant to hang or fly."""
LEAST_SUNK, MUCH_SUNK = 0.05, 0.1
"""Of its height, that a thing reaches into what is under it: a warning, and an error."""
PLANTED = 0.08
"""What stands in the ground may be in it so far, and shows nothing of it."""
THROUGH = 0.25
"""What comes out below by more of its height does not stand there."""
UNDER = 0.5
"""Of the plan of a thing, or of the slab where that is smaller, that they share where one stands on the other."""
MEASURED = 0.3
"""Of the depth that a solid slab would make, from which it is one; what sags or has a rim lies lower than its box."""


@dataclass(frozen=True)
class Hanging:
    """Bodies that touch each other and nothing that stands."""

    names: tuple[str, ...]
    """The one that would meet something first, first."""
    on: str
    """The body that it would meet; empty for none."""
    drop: float | None
    """Meters; None where it would fall forever."""


@dataclass(frozen=True)
class Sunk:
    """A body that reaches into what is under it."""

    name: str
    into: str
    depth: float
    """Meters: how far up it has to go."""


def floating(at: Situation) -> Iterator[Issue]:
    """Groups of things in the air that nothing holds, the lowest first."""
    groups = sorted(hanging(at.space), key=lambda group: (group.drop is None, group.drop or 0.0, group.names))
    for group in groups:
        bodies = [at.space.bodies[name] for name in group.names]
        if not any(at.shows(body) for body in bodies) or at.space.akin(bodies[0].name, group.on):
            continue
        if group.drop is None:
            yield from _unsupported(at, bodies)
        else:
            yield _floats(bodies, group.on, group.drop)


def _floats(bodies: list[Body], on: str, drop: float) -> Issue:
    first, names = bodies[0], tuple(body.name for body in bodies)
    more = f" with {', '.join(names[1:4])}" if len(names) > 1 else ""
    return found(
        "gravity.floating",
        f"{first.name}{more} floats {length(drop)} above {on or 'the level that the others stand on'}",
        (*names, on) if on else names,
        numbers={"found": drop, "expected": 0.0},
        hint=f"lower {' and '.join(names[:3])} by {length(drop)}: "
        + "; ".join(steps(body, 0.0, 0.0, -drop) for body in bodies[:3]),
        mild=drop > ALOFT * first.height,
    )


def _unsupported(at: Situation, bodies: list[Body]) -> Iterator[Issue]:
    """It would fall forever: odd where there is ground elsewhere, and it does not hang high above that."""
    ground = max(at.space.grounds, key=lambda body: volume(body.box), default=None)
    first = bodies[0]
    if ground is None or first.box[2] - ground.box[5] > ALOFT * extent(first.box):
        return
    yield found(
        "gravity.unsupported",
        f"{first.name} has nothing under it; {ground.name} ends before it gets there",
        (first.name, ground.name),
        hint=f"move {first.name} onto {ground.name}, or make {ground.name} larger",
    )


def hanging(space: Space) -> Iterator[Hanging]:
    """Groups of bodies that touch one another and nothing that stands, whatever they are."""
    lowest = min((body.box[2] for body in space.bodies.values()), default=0.0)
    level = _level(space)
    for group in _groups(space):
        bodies = [space.bodies[name] for name in group]
        if any(body.scenery for body in bodies):
            continue
        falls = [fall for body in bodies for fall in _falls(space, body, group)]
        if any(drop is not None and drop <= space.slack(space.bodies[name]) for name, _, drop in falls):
            continue
        drops = [(drop, name, on) for name, on, drop in falls if drop is not None]
        foot = min(bodies, key=lambda body: (body.box[2], body.name))
        rest = tuple(name for name in sorted(group) if name != foot.name)
        if drops:
            drop, name, on = min(drops)
            yield Hanging((name, *(n for n in sorted(group) if n != name)), on, drop)
        elif falls and not space.grounds and level is not None and foot.box[2] - level > 0.1 * max(foot.height, 1e-6):
            if foot.box[2] - level > space.slack(foot):
                yield Hanging((foot.name, *rest), "", foot.box[2] - level)
        elif falls and foot.box[2] > lowest + space.slack(foot):
            yield Hanging((foot.name, *rest), "", None)


def _groups(space: Space) -> list[frozenset[str]]:
    """Bodies joined by touch."""
    group = {name: frozenset((name,)) for name in space.bodies}
    for pair in space.meetings:
        one, other = sorted(pair)
        if space.touches(one, other):
            joined = group[one] | group[other]
            group.update(dict.fromkeys(joined, joined))
    return sorted(set(group.values()), key=sorted)


def _falls(space: Space, body: Body, group: frozenset[str]) -> Iterator[tuple[str, str, float | None]]:
    """The body, what it would meet outside its group, and after how far."""
    rest = space.rests.get(body.name)
    if rest is not None:
        on = rest.on if rest.on in space.bodies else ""
        if on not in group:
            yield body.name, on, rest.drop if on else None


def _level(space: Space) -> float | None:
    """Without ground, the level that two or more things stand on, all of the others above it."""
    feet = sorted((body.box[2], body.name) for body in space.actors)
    if len(feet) < 3:
        return None
    near = [foot for foot, name in feet if foot - feet[0][0] <= space.slack(space.bodies[name])]
    return feet[0][0] if len(near) > 1 else None


def sinking(at: Situation) -> Iterator[Issue]:
    """Things that reach into what they stand on by more than a twentieth of their height, the deepest first."""
    for sink in sorted(sunk(at.space), key=lambda sink: (-sink.depth, sink.name)):
        body, support = at.space.bodies[sink.name], at.space.bodies[sink.into]
        share = sink.depth / max(body.height, 1e-9)
        if not at.shows(body):
            continue
        if share >= 0.98 and support.scenery and support.is_flat:
            yield _buried(body, support, sink.depth)
        elif share >= (PLANTED if support.scenery else LEAST_SUNK) and not at.space.akin(body.name, support.name):
            yield found(
                "gravity.sinking",
                f"{body.name} reaches {length(sink.depth)} into {support.name}, {share:.0%} of its height",
                (body.name, support.name),
                numbers={"found": sink.depth, "expected": 0.0},
                hint=f"raise {body.name} by {length(sink.depth)}: {steps(body, 0.0, 0.0, sink.depth)}",
                mild=share < MUCH_SUNK,
            )


def _buried(body: Body, support: Body, depth: float) -> Issue:
    return found(
        "gravity.buried",
        f"{body.name} lies below {support.name}, out of sight",
        (body.name, support.name),
        numbers={"found": depth, "expected": 0.0},
        hint=f"raise {body.name} by {length(depth)}: {steps(body, 0.0, 0.0, depth)}",
    )


def sunk(space: Space) -> Iterator[Sunk]:
    """Actors that reach down into a flat top under them, with how far up they have to go."""
    bodies = tuple(space.bodies.values())
    boxes = np.array([body.box for body in bodies]).reshape(-1, 6)
    for body in space.actors:
        (x, y, _), foot = body.center, body.box[2] + space.slack(body)
        under = (boxes[:, 0] <= x) & (boxes[:, 3] >= x) & (boxes[:, 1] <= y) & (boxes[:, 4] >= y) & (boxes[:, 5] > foot)
        for index in np.flatnonzero(under):
            support = bodies[int(index)]
            slab = _slab_under(support, body) if _may_be_in(space, body, support) else None
            depth = _depth(space, body, support, slab) if slab is not None else 0.0
            if depth > space.slack(body):
                yield Sunk(body.name, support.name, depth)


def _may_be_in(space: Space, body: Body, support: Body) -> bool:
    """They were measured to meet, or one lies wholly below the level ground, which it meets nowhere."""
    met = space.meeting(body.name, support.name)
    return support is not body and ((met is not None and met.depth > 0.0) or _is_below(body, support))


def _is_below(body: Body, support: Body) -> bool:
    return support.scenery and support.is_flat and body.box[5] <= support.box[5]


def _slab_under(support: Body, body: Body) -> Box | None:
    """The part of another body with the highest flat top that lies under this one, and below its top."""
    sheet = support.scenery and support.is_flat
    slabs = [
        part.box
        for part in support.parts
        if part.box is not None
        and ((_slab(part.box) and _stands_in(body, part.box)) or sheet)
        and _covers(part.box, body.box)
        and _is_under(part, body)
    ]
    return max(slabs, key=lambda slab: slab[5], default=None)


def _covers(slab: Box, over: Box) -> bool:
    middle = ((over[0] + over[3]) / 2, (over[1] + over[4]) / 2)
    return slab[0] <= middle[0] <= slab[3] and slab[1] <= middle[1] <= slab[4]


def _is_under(slab: Thing, body: Body) -> bool:
    """By what they cover as seen from above; a rope or a beam that only passes below is not a floor."""
    ground, (x0, y0, _, x1, y1, _) = footprint(slab), body.box
    plan = shapely.box(x0, y0, x1, y1)
    return ground.intersection(plan).area >= UNDER * min(ground.area, plan.area)


def _stands_in(body: Body, slab: Box) -> bool:
    """It comes out of the upper side, and hardly out of the lower one; else it is beside what it should be beside."""
    return slab[5] < body.box[5] and slab[2] - body.box[2] <= THROUGH * body.height


def _slab(box: Box) -> bool:
    """Flat, as table tops and floors are; the top of anything else may be anywhere."""
    return box[5] - box[2] <= 0.25 * min(box[3] - box[0], box[4] - box[1])


def _depth(space: Space, body: Body, support: Body, slab: Box) -> float:
    """How far up a body has to go, in meters, as its box and the slab's say, but no farther than was measured.

    A point in the middle of a slab is measured to be half its thickness deep, so the boxes are believed from a share of
    that on.
    """
    met, drop = space.meeting(body.name, support.name), slab[5] - body.box[2]
    if met is None or _is_below(body, support):
        return drop
    solid = min(drop, (slab[5] - slab[2]) / 2)
    return drop if met.depth >= MEASURED * solid else min(met.depth, drop)
