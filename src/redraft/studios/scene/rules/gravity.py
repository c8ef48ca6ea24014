"""Gravity: what stands has something under it, and does not reach into it.

Things that fly, shine, hang or swim are left alone, and so is whatever the brief says does. What touches something
that stands is held by it, at any number of steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from redraft.result import Issue
from redraft.spatial.scenery import is_kind
from redraft.studios.scene.bodies import Body, volume
from redraft.studios.scene.layout import footprint
from redraft.studios.scene.naming import named
from redraft.studios.scene.rules.codes import found, length
from redraft.studios.scene.rules.situation import Situation, steps
from redraft.studios.scene.space import Space
from redraft.studios.scene.spec import Box, Thing
from redraft.studios.scene.words import is_among

__all__ = ["Hanging", "Sunk", "floating", "hanging", "sinking", "sunk"]

WEIGHTLESS = re.compile(
    r"\b(levitat|in (outer )?space\b|underwater|zero.?gravity|mid-?air|explo[ds]|surreal|asteroid|orbit|galaxy|falling|"
    r"floating island|undersea)",
    re.IGNORECASE,
)
"""Nothing has to stand in such a scene."""
ALOFT = re.compile(
    r"\b(jump|leap|fly|flies|flown|float|hover|fall|bounc|hang|hung|suspend|throw|thrown|toss|swing|soar|dangl)",
    re.IGNORECASE,
)
"""What is named nearest to such a word need not stand."""

LEAST_SUNK, MUCH_SUNK = 0.05, 0.1
"""Of its height, that a thing reaches into what is under it: a warning, and an error."""
MOST_ROOTED = 0.6
"""What grows or stands in soft ground may be in it so far."""
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
    """Metres; None where it would fall forever."""


@dataclass(frozen=True)
class Sunk:
    """A body that reaches into what is under it."""

    name: str
    into: str
    depth: float
    """Metres: how far up it has to go."""


def floating(at: Situation) -> Iterator[Issue]:
    """Groups of things in the air that nothing holds."""
    if WEIGHTLESS.search(at.reading.text):
        return
    aloft = _aloft(at)
    for group in hanging(at.space):
        bodies = [at.space.bodies[name] for name in group.names]
        if any(body.name in aloft or _is_held_up(body) for body in bodies):
            continue
        if group.drop is None:
            yield from _unsupported(at, bodies)
        else:
            yield _floats(at, bodies, group.on, group.drop)


def _aloft(at: Situation) -> set[str]:
    """Bodies of the mentions next before and after each word of flying or hanging."""
    found_names: set[str] = set()
    for match in ALOFT.finditer(at.reading.text):
        before = [m for m in at.reading.mentions if m.span[1] <= match.start()]
        after = [m for m in at.reading.mentions if m.span[0] >= match.end()]
        for mention in (*before[-1:], *after[:1]):
            found_names |= {at.space.body_of[name] for name in at.binding.of(mention.id).items}
    return found_names


def _is_held_up(body: Body) -> bool:
    names = " ".join(word for part in (body.name, *(p.name for p in body.parts)) for word in named(part).words)
    return is_kind(body.label, "held_up") or is_among(f"{names} {body.label}", "held_up")


def _floats(at: Situation, bodies: list[Body], on: str, drop: float) -> Issue:
    first, names = bodies[0], tuple(body.name for body in bodies)
    more = f" with {', '.join(names[1:4])}" if len(names) > 1 else ""
    return found(
        "gravity.floating",
        "error" if any(is_kind(b.label, "standing") or at.is_named(b) for b in bodies) else "warning",
        f"{first.name}{more} floats {length(drop)} above {on or 'the level that the others stand on'}",
        (*names, on) if on else names,
        numbers={"found": drop, "expected": 0.0},
        mend=f"lower {' and '.join(names[:3])} by {length(drop)}: "
        + "; ".join(steps(body, 0.0, 0.0, -drop) for body in bodies[:3]),
    )


def _unsupported(at: Situation, bodies: list[Body]) -> Iterator[Issue]:
    """It would fall forever: wrong where there is ground elsewhere."""
    ground = max(at.space.grounds, key=lambda body: volume(body.box), default=None)
    if ground is None:
        return
    first = bodies[0]
    yield found(
        "gravity.unsupported",
        "warning",
        f"{first.name} has nothing under it; {ground.name} ends before it gets there",
        (first.name, ground.name),
        mend=f"move {first.name} onto {ground.name}, or make {ground.name} larger",
    )


def hanging(space: Space) -> Iterator[Hanging]:
    """Groups of bodies that touch one another and nothing that stands, whatever they are."""
    groups = _groups(space)
    lowest = min((body.box[2] for body in space.bodies.values()), default=0.0)
    level = _level(space)
    for group in groups:
        bodies = [space.bodies[name] for name in group]
        if any(body.scenery or body.grouped for body in bodies):
            continue
        falls = [fall for body in bodies for fall in _falls(space, body, group)]
        if any(drop is not None and drop <= space.slack(space.bodies[name]) for name, _, drop in falls):
            continue
        drops = [(drop, name, on) for name, on, drop in falls if drop is not None]
        foot = min(bodies, key=lambda body: (body.box[2], body.name))
        if drops:
            drop, name, on = min(drops)
            yield Hanging((name, *(n for n in sorted(group) if n != name)), on, drop)
        elif falls and not space.grounds and level is not None and foot.box[2] - level > 0.1 * max(foot.height, 1e-6):
            rest = tuple(n for n in sorted(group) if n != foot.name)
            if foot.box[2] - level > space.slack(foot):
                yield Hanging((foot.name, *rest), "", foot.box[2] - level)
        elif falls and foot.box[2] > lowest + space.slack(foot):
            yield Hanging((foot.name, *(n for n in sorted(group) if n != foot.name)), "", None)


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
    """For each of its objects: the body, what it would meet outside its group, and after how far."""
    for rest in space.rests.get(body.name, ()):
        on = space.body_of.get(rest.on, "")
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
    """Things that reach into what they stand on by more than a twentieth of their height."""
    for sink in sunk(at.space):
        body, support = at.space.bodies[sink.name], at.space.bodies[sink.into]
        share = sink.depth / max(body.height, 1e-9)
        if share >= 0.98 and support.scenery and support.is_flat:
            yield _buried(body, support, sink.depth)
        elif share >= LEAST_SUNK and not _may_sink(at, body, support, share):
            yield found(
                "gravity.sinking",
                "error" if share >= MUCH_SUNK else "warning",
                f"{body.name} reaches {length(sink.depth)} into {support.name}, {share:.0%} of its height",
                (body.name, support.name),
                numbers={"found": sink.depth, "expected": 0.0},
                mend=f"raise {body.name} by {length(sink.depth)}: {steps(body, 0.0, 0.0, sink.depth)}",
            )


def _buried(body: Body, support: Body, depth: float) -> Issue:
    return found(
        "gravity.buried",
        "warning",
        f"{body.name} lies below {support.name}, where nobody sees it",
        (body.name, support.name),
        numbers={"found": depth, "expected": 0.0},
        mend=f"raise {body.name} by {length(depth)}: {steps(body, 0.0, 0.0, depth)}",
    )


def _may_sink(at: Situation, body: Body, support: Body, share: float) -> bool:
    if is_among(body.label, "soft") or is_among(support.label, "water"):
        return True
    if is_among(support.label, "yielding", "soft") or is_among(body.label, "rooted"):
        return share < MOST_ROOTED
    return body.scenery or (not support.scenery and at.explained(body, support))


def sunk(space: Space) -> Iterator[Sunk]:
    """Actors that reach down into a flat top under them, with how far up they have to go."""
    bodies = tuple(space.bodies.values())
    boxes = np.array([body.box for body in bodies]).reshape(-1, 6)
    for body in space.actors:
        (x, y, _), foot = body.centre, body.box[2] + space.slack(body)
        under = (boxes[:, 0] <= x) & (boxes[:, 3] >= x) & (boxes[:, 1] <= y) & (boxes[:, 4] >= y) & (boxes[:, 5] > foot)
        for index in np.flatnonzero(under) if not body.grouped else ():
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
    """By what they cover as seen from above; a rope or a beam that only passes below is no floor."""
    ground, (x0, y0, _, x1, y1, _) = footprint(slab), body.box
    plan = shapely.box(x0, y0, x1, y1)
    return ground.intersection(plan).area >= UNDER * min(ground.area, plan.area)


def _stands_in(body: Body, slab: Box) -> bool:
    """It comes out of the upper side, and hardly out of the lower one; else it is beside what it should be beside."""
    return slab[5] < body.box[5] and slab[2] - body.box[2] <= THROUGH * body.height


def _slab(box: Box) -> bool:
    """Flat, as table tops and floors are; of anything else nobody knows where its top is."""
    return box[5] - box[2] <= 0.25 * min(box[3] - box[0], box[4] - box[1])


def _depth(space: Space, body: Body, support: Body, slab: Box) -> float:
    """How far up a body has to go, in metres, as its box and the slab's say, but no farther than was measured.

    A point in the middle of a slab is measured to be half its thickness deep, so the boxes are believed from a share of
    that on.
    """
    met, drop = space.meeting(body.name, support.name), slab[5] - body.box[2]
    if met is None or _is_below(body, support):
        return drop
    solid = min(drop, (slab[5] - slab[2]) / 2)
    return drop if met.depth >= MEASURED * solid else min(met.depth, drop)
