"""The solver of scenes: what geometry alone can put right, exactly.

What floats is set down on what is under it, what sinks is raised, what reaches into another thing is slid out of it
along the shortest level way that is free, and stated distances are made exact. Each thing takes along what stands on
it; scenery never moves. Whether the scene is better for it is found out by running it again: one pass for each call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from redraft.brief import Brief
from redraft.result import Report
from redraft.studios.scene.bodies import Body
from redraft.studios.scene.rules.asked import stated
from redraft.studios.scene.rules.gravity import Hanging, hanging, sunk
from redraft.studios.scene.rules.measured import Distance, distances, stated_distances
from redraft.studios.scene.rules.meeting import clashes
from redraft.studios.scene.rules.situation import Situation
from redraft.studios.scene.shifts import shifts_of, with_shifts, without_shifts
from redraft.studios.scene.slide import free_way
from redraft.studios.scene.space import Space
from redraft.studios.scene.spec import Scene, Shift, Thing, Vector
from redraft.studios.scene.validate import situation_of
from redraft.studios.scene.words import is_among

__all__ = ["mend", "shifts_of", "with_shifts", "without_shifts"]

LEAST = 1e-6
"""Metres: less than this is no move."""
MOST = 0.5
"""Of a thing's longest side, that it is slid at most; beyond it the model is asked."""


@dataclass
class _Plan:
    """Steps so far, by body; nothing is moved twice but what is carried."""

    space: Space
    steps: dict[str, Vector] = field(default_factory=dict[str, Vector])
    reasons: dict[str, str] = field(default_factory=dict[str, str])

    def move(self, names: Iterable[str], by: Vector, reason: str) -> None:
        """Move bodies, and all that stands on them."""
        every = set(names)
        for name in sorted(every | _carried(self.space, every)):
            before = self.steps.get(name, (0.0, 0.0, 0.0))
            self.steps[name] = (before[0] + by[0], before[1] + by[1], before[2] + by[2])
            self.reasons.setdefault(name, reason if name in every else f"stands on {sorted(every)[0]}")


def mend(artifact: Scene, base: Scene | None, report: Report, brief: Brief, seed: int) -> tuple[tuple[Shift, ...], str]:
    """What puts right what the report finds, and a note about it; no shifts, when geometry alone cannot.

    `seed` decides nothing: every answer is in closed form.

    Raises:
        ContradictionError: the brief's words exclude each other.
    """
    at = situation_of(artifact, base, brief)
    plan, wrong = _Plan(at.space), _Wrong(report)
    for step in (_lower, _raise, _part, _keep_distances):
        step(at, wrong, plan)
    moved = {name: by for name, by in plan.steps.items() if any(abs(value) > LEAST for value in by)}
    shifts = tuple(
        Shift(name=root, by=_rounded(by), reason=plan.reasons[name])
        for name, by in moved.items()
        for root in at.space.bodies[name].roots
    )
    return shifts, f"{len(moved)} thing{'s' * (len(moved) != 1)} moved" if moved else ""


def _rounded(by: Vector) -> Vector:
    """To a thousandth of a millimetre, and without a negative nothing."""
    x, y, z = (round(value, 6) + 0.0 for value in by)
    return (x, y, z)


class _Wrong:
    """What the report finds, by code."""

    def __init__(self, report: Report) -> None:
        self.issues = [issue for issue in report.issues if issue.severity != "hint"]

    def names(self, *codes: str) -> set[frozenset[str]]:
        return {frozenset(issue.subjects) for issue in self.issues if issue.code in codes}


def _lower(at: Situation, wrong: _Wrong, plan: _Plan) -> None:
    """Each group that floats falls onto what is under it, and further when that falls, too."""
    accused = wrong.names("gravity.floating")
    groups = [g for g in hanging(at.space) if any(set(g.names) <= names for names in accused)]
    by_name = {name: group for group in groups for name in group.names}
    for group in groups:
        fall = _fall(group, by_name, ())
        plan.steps |= dict.fromkeys(group.names, (0.0, 0.0, -fall))
        plan.reasons |= dict.fromkeys(
            group.names, f"onto {group.on}" if group.on else "down to the level of the others"
        )


def _fall(group: Hanging, by_name: dict[str, Hanging], above: Sequence[str]) -> float:
    """Its own drop, and that of what it lands on."""
    drop, lower = group.drop or 0.0, by_name.get(group.on)
    if lower is None or group.on in above:
        return drop
    return drop + _fall(lower, by_name, (*above, *group.names))


def _raise(at: Situation, wrong: _Wrong, plan: _Plan) -> None:
    """Out of what is firm: how far something should be in water or sand is for whoever built it to say."""
    accused = wrong.names("gravity.sinking", "gravity.buried")
    for sink in sunk(at.space):
        if is_among(at.space.bodies[sink.into].label, "water", "loose"):
            continue
        if frozenset((sink.name, sink.into)) in accused and sink.name not in plan.steps:
            plan.move([sink.name], (0.0, 0.0, sink.depth), f"out of {sink.into}")


def _part(at: Situation, wrong: _Wrong, plan: _Plan) -> None:
    """The smaller of two that reach into each other slides out, unless that makes other things worse."""
    accused = wrong.names("overlap.interpenetration")
    space = at.space
    for met in sorted(clashes(space), key=lambda met: (-met.depth, met.a, met.b)):
        if frozenset((met.a, met.b)) not in accused or {met.a, met.b} & set(plan.steps):
            continue
        for mover, other in _smaller_first(space, met.a, met.b):
            along = _carried(space, {mover.name}) | {mover.name}
            way = free_way(space, along, other.name, most=MOST * max(_sides(mover)))
            if way is not None and other.name not in along and _keeps_relations(at, along, (*way, 0.0)):
                plan.move([mover.name], (*way, 0.0), f"out of {other.name}")
                break


def _smaller_first(space: Space, a: str, b: str) -> list[tuple[Body, Body]]:
    one, other = space.bodies[a], space.bodies[b]
    pairs = [(one, other), (other, one)]
    return sorted(pairs, key=lambda pair: (max(_sides(pair[0])), pair[0].name))


def _sides(body: Body) -> tuple[float, float]:
    return body.box[3] - body.box[0], body.box[4] - body.box[1]


def _keeps_relations(at: Situation, names: set[str], by: Vector) -> bool:
    """Nothing that the brief states is broken by a step that it was not broken by before."""
    moved = {part.name for name in names for part in at.space.bodies[name].parts}
    things = tuple(_shifted(thing, by) if thing.name in moved else thing for thing in at.facts.things)
    after = Situation(Space(at.facts.model_copy(update={"things": things})), at.exposure, at.reading)
    return _broken(after) <= _broken(at)


def _broken(at: Situation) -> set[tuple[str, tuple[str, ...]]]:
    return {(issue.code, issue.subjects) for rule in (stated, distances) for issue in rule(at)}


def _shifted(thing: Thing, by: Vector) -> Thing:
    (x, y, z), box = by, thing.box
    rings = tuple(tuple((px + x, py + y) for px, py in ring) for ring in thing.footprint)
    moved = None if box is None else (box[0] + x, box[1] + y, box[2] + z, box[3] + x, box[4] + y, box[5] + z)
    return thing.model_copy(update={"box": moved, "footprint": rings})


def _keep_distances(at: Situation, wrong: _Wrong, plan: _Plan) -> None:
    """Stated gaps, edge to edge, along the direction that the words give."""
    accused = wrong.names("distance.metres")
    for distance in stated_distances(at):
        subject, other = distance.subject.name, distance.other.name
        if frozenset((subject, other)) in accused and subject in at.space.bodies and subject not in plan.steps:
            by = _toward(at, distance)
            if by is not None and not at.space.bodies[subject].scenery:
                plan.move([subject], by, distance.relation.phrase)


def _toward(at: Situation, distance: Distance) -> Vector | None:
    a, b = at.box(distance.subject.name), at.box(distance.other.name)
    word = distance.relation.relation
    if distance.vertical:
        step = b[5] + distance.want - a[2] if word == "above" else b[2] - distance.want - a[5]
        return (0.0, 0.0, step)
    if distance.axis is None:
        return None
    body, fixed = (at.space.bodies[at.space.body_of[n]] for n in (distance.subject.name, distance.other.name))
    (a0, a1), (b0, b1) = at.space.along(body, distance.axis), at.space.along(fixed, distance.axis)
    lower = word in {"left_of", "in_front_of"}
    step = b0 - distance.want - a1 if lower else b1 + distance.want - a0
    return (distance.axis[0] * step, distance.axis[1] * step, 0.0)


def _carried(space: Space, names: set[str]) -> set[str]:
    """What stands on these, and on that, and so on; scenery stays."""
    carried = set(names)
    waiting = True
    while waiting:
        more = {
            name
            for name, rests in space.rests.items()
            if name not in carried
            and not space.bodies[name].scenery
            and any(
                space.body_of.get(rest.on, "") in carried and (rest.drop or 0.0) <= space.slack(space.bodies[name])
                for rest in rests
            )
        }
        carried |= more
        waiting = bool(more)
    return carried - names
