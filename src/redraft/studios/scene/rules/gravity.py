"""Gravity: things have something under them, and do not reach into it.

What touches something that stands is held by it, at any number of steps. What hangs far above everything may be meant
to: a bird, a cloud, a lamp without its cord.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from redraft.result import Issue
from redraft.studios.scene.bodies import Body, Space, extent, volume
from redraft.studios.scene.layout import footprint
from redraft.studios.scene.rules.issues import Situation, finding, length, steps
from redraft.studios.scene.spec import Box

ALOFT = 1.0
"""Share of its height above all else from which a thing may be meant to hang or fly."""
MILD_SUNK, GRAVE_SUNK = 0.05, 0.1
"""Share of its height that a thing reaches into its support: for a warning, and for an error."""
MAX_PLANTED = 0.08
"""Share of its height up to which a thing may stand in the ground, which does not show."""
MAX_THROUGH = 0.25
"""Share of its height up to which a thing that comes out below still stands there."""
MIN_SHARED = 0.5
"""Share of a thing's plan, or of the slab's where that is smaller, that they share where one stands on the other."""
MIN_SOLID = 0.3
"""Share of the depth of a solid slab from which it is one; what sags or has a rim lies lower than its box."""
BURIED = 0.98
"""Share of its height below flat ground from which a thing is out of sight."""


@dataclass(frozen=True)
class Hanging:
    """Bodies that touch each other and nothing that stands."""

    names: tuple[str, ...]
    """Names of the bodies; the one that would meet something first comes first."""
    on: str
    """The body that it would meet first; empty for none."""
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
    """Find groups of things in the air that nothing holds, the lowest first."""
    ground = max(at.space.grounds, key=lambda body: volume(body.box), default=None)
    groups = sorted(hanging(at.space), key=lambda group: (group.drop is None, group.drop or 0.0, group.names))
    for group in groups:
        bodies = [at.space.bodies[name] for name in group.names]
        first, names, drop = bodies[0], group.names, group.drop
        if not any(at.shows(body) for body in bodies) or at.space.akin(first.name, group.on):
            continue
        if drop is not None:
            more = f" with {', '.join(names[1:4])}" if len(names) > 1 else ""
            below = group.on or "the level that the others stand on"
            yield finding(
                "gravity.floating",
                f"{first.name}{more} floats {length(drop)} above {below}",
                (*names, group.on) if group.on else names,
                numbers={"found": drop, "expected": 0.0},
                hint=f"lower {' and '.join(names[:3])} by {length(drop)}: "
                + "; ".join(steps(body, 0.0, 0.0, -drop) for body in bodies[:3]),
                mild=drop > ALOFT * first.height,
            )
        # It would fall forever: odd where there is ground elsewhere, and it does not hang high above that.
        elif ground is not None and first.box[2] - ground.box[5] <= ALOFT * extent(first.box):
            yield finding(
                "gravity.unsupported",
                f"{first.name} has nothing under it; {ground.name} ends before it gets there",
                (first.name, ground.name),
                hint=f"move {first.name} onto {ground.name}, or make {ground.name} larger",
            )


def hanging(space: Space) -> Iterator[Hanging]:
    """Yield groups of bodies that touch one another and nothing that stands, whatever they are."""
    lowest = min((body.box[2] for body in space.bodies.values()), default=0.0)
    level = None if space.grounds else _common_level(space)
    for group in _touching_groups(space):
        bodies = [space.bodies[name] for name in group]
        if any(body.scenery for body in bodies):
            continue

        # What each body would meet outside its group, and after how far; None where it would fall forever.
        falls: list[tuple[str, str, float | None]] = []
        for name in group:
            rest = space.rests.get(name)
            on = "" if rest is None or rest.on not in space.bodies else rest.on
            if rest is not None and on not in group:
                falls.append((name, on, rest.drop if on else None))
        if any(drop is not None and drop <= space.slack(space.bodies[name]) for name, _, drop in falls):
            continue

        drops = [(drop, name, on) for name, on, drop in falls if drop is not None]
        foot = min(bodies, key=lambda body: (body.box[2], body.name))
        others = tuple(name for name in sorted(group) if name != foot.name)
        if drops:
            drop, name, on = min(drops)
            yield Hanging((name, *(n for n in sorted(group) if n != name)), on, drop)
        elif falls and level is not None and foot.box[2] - level > 0.1 * max(foot.height, 1e-6):
            if foot.box[2] - level > space.slack(foot):
                yield Hanging((foot.name, *others), "", foot.box[2] - level)
        elif falls and foot.box[2] > lowest + space.slack(foot):
            yield Hanging((foot.name, *others), "", None)


def _touching_groups(space: Space) -> list[frozenset[str]]:
    """Return the bodies in groups that are joined by touch."""
    group = {name: frozenset((name,)) for name in space.bodies}
    for pair in space.meetings:
        one, other = sorted(pair)
        if space.touches(one, other):
            joined = group[one] | group[other]
            group.update(dict.fromkeys(joined, joined))
    return sorted(set(group.values()), key=sorted)


def _common_level(space: Space) -> float | None:
    """Return the level that two or more things stand on, all of the others above it; None without one."""
    feet = sorted((body.box[2], body.name) for body in space.actors)
    if len(feet) < 3:
        return None
    near = [foot for foot, name in feet if foot - feet[0][0] <= space.slack(space.bodies[name])]
    return feet[0][0] if len(near) > 1 else None


def sinking(at: Situation) -> Iterator[Issue]:
    """Find things that reach into what they stand on by more than a twentieth of their height, the deepest first."""
    for sink in sorted(sunk(at.space), key=lambda sink: (-sink.depth, sink.name)):
        body, support = at.space.bodies[sink.name], at.space.bodies[sink.into]
        share = sink.depth / max(body.height, 1e-9)
        if not at.shows(body):
            continue
        raising = f"raise {body.name} by {length(sink.depth)}: {steps(body, 0.0, 0.0, sink.depth)}"
        if share >= BURIED and support.scenery and support.is_flat:
            yield finding(
                "gravity.buried",
                f"{body.name} lies below {support.name}, out of sight",
                (body.name, support.name),
                numbers={"found": sink.depth, "expected": 0.0},
                hint=raising,
            )
        elif share >= (MAX_PLANTED if support.scenery else MILD_SUNK) and not at.space.akin(body.name, support.name):
            yield finding(
                "gravity.sinking",
                f"{body.name} reaches {length(sink.depth)} into {support.name}, {share:.0%} of its height",
                (body.name, support.name),
                numbers={"found": sink.depth, "expected": 0.0},
                hint=raising,
                mild=share < GRAVE_SUNK,
            )


def sunk(space: Space) -> Iterator[Sunk]:
    """Yield actors that reach down into a flat top under them, with how far up they have to go."""
    bodies = tuple(space.bodies.values())
    boxes = np.array([body.box for body in bodies]).reshape(-1, 6)
    for body in space.actors:
        (x, y, _), foot = body.center, body.box[2] + space.slack(body)
        under = (boxes[:, 0] <= x) & (boxes[:, 3] >= x) & (boxes[:, 1] <= y) & (boxes[:, 4] >= y) & (boxes[:, 5] > foot)
        for index in np.flatnonzero(under):
            support = bodies[int(index)]
            met = space.meeting(body.name, support.name)
            below = support.scenery and support.is_flat and body.box[5] <= support.box[5]
            # They were measured to meet, or it lies wholly below the level ground, which it meets nowhere.
            if support is body or not (below or (met is not None and met.depth > 0.0)):
                continue
            slab = _slab_under(support, body)
            if slab is None:
                continue

            # As far up as its box and the slab's say, but no farther than was measured. A point in the middle of a slab
            # is measured to be half its thickness deep, so the boxes are believed from a share of that on.
            depth = slab[5] - body.box[2]
            if met is not None and not below and met.depth < MIN_SOLID * min(depth, (slab[5] - slab[2]) / 2):
                depth = min(met.depth, depth)
            if depth > space.slack(body):
                yield Sunk(body.name, support.name, depth)


def _slab_under(support: Body, body: Body) -> Box | None:
    """Return the part of another body with the highest flat top that lies under this one, and below its top."""
    sheet = support.scenery and support.is_flat
    x0, y0, z0, x1, y1, z1 = body.box
    plan = shapely.box(x0, y0, x1, y1)
    slabs: list[Box] = []
    for part in support.parts:
        slab = part.box
        if slab is None or not (slab[0] <= (x0 + x1) / 2 <= slab[3] and slab[1] <= (y0 + y1) / 2 <= slab[4]):
            continue
        # Flat, as table tops and floors are; the top of anything else may be anywhere.
        flat = slab[5] - slab[2] <= 0.25 * min(slab[3] - slab[0], slab[4] - slab[1])
        # The body comes out of the upper side, and hardly out of the lower one; else it should be beside it.
        stands_in = slab[5] < z1 and slab[2] - z0 <= MAX_THROUGH * body.height
        if not sheet and not (flat and stands_in):
            continue
        # By what they cover as seen from above; a rope or a beam that only passes below is not a floor.
        ground = footprint(part)
        if ground.intersection(plan).area >= MIN_SHARED * min(ground.area, plan.area):
            slabs.append(slab)
    return max(slabs, key=lambda slab: slab[5], default=None)
