"""Solver of scenes: what geometry alone can put right, exactly, found out on the measured facts.

What floats is set down on what is under it, what sinks is raised, what reaches into another thing is slid out of it
along the shortest level way that is free, what an edit moved unasked is moved back, and what was stated is made to
hold. Each thing takes along what stands on it; scenery never moves. A way is taken only if nothing else appears or
grows in a copy of the facts.

Parts are slid only past parts at their own height, by the hulls of their footprints: for two convex shapes the way out
along a direction is exact, the far edge of their Minkowski difference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPoint, Polygon
from shapely.geometry.base import BaseGeometry

from redraft.brief import Brief
from redraft.layout import Layout, Move
from redraft.result import Issue, Report
from redraft.spatial.repair.search import polish
from redraft.spatial.repair.search import prepare as prepared
from redraft.spatial.solver.legalize import Solution
from redraft.studios.base import UNASKED
from redraft.studios.scene.layout import footprint, layout_of, to_world
from redraft.studios.scene.rules.edits import moved_back
from redraft.studios.scene.rules.gravity import Hanging, hanging, sunk
from redraft.studios.scene.rules.issues import length
from redraft.studios.scene.rules.overlap import clashes
from redraft.studios.scene.shifts import moved_scene
from redraft.studios.scene.space import Body, Flat, Space, size_of
from redraft.studios.scene.spec import Scene, Thing, Vector
from redraft.studios.scene.validate import check, statements_of

__all__ = ["prepare", "repair"]

DIRECTIONS = 16
AIR = 0.002
"""Meters left between two things that were parted, at a size of the scene of 1 m; in proportion at others."""


def free_way(space: Space, movers: set[str], other: str, *, most: float) -> Flat | None:
    """The shortest step, in the world's x and y, after which the movers are clear of the other; None for none.

    Args:
        most: no longer than this, in meters.
    """
    mine = _solids(space, movers)
    ways = sorted(_slides(space, mine, _solids(space, {other})), key=lambda way: (round(math.hypot(*way), 9), way))
    others = _solids(space, {b.name for b in space.actors} - movers)
    for way in ways:
        if math.hypot(*way) <= most and not _hits(mine, others, way) and _stays_up(space, movers, way):
            return way
    return None


_Solid = tuple[BaseGeometry, float, float]
"""A footprint's hull, and from where to where it reaches in height."""


def _solids(space: Space, names: set[str]) -> list[_Solid]:
    return [_solid(thing) for name in sorted(names) for thing in space.bodies[name].parts]


def _solid(thing: Thing) -> _Solid:
    assert thing.box is not None
    return footprint(thing).convex_hull, thing.box[2], thing.box[5]


def _slides(space: Space, mine: list[_Solid], theirs: list[_Solid]) -> Iterator[Flat]:
    """For each direction how far it is until all parts are clear."""
    air = AIR * min(space.size, 1.0)
    pairs = [_difference(a[0], b[0]) for a in mine for b in theirs if _level(a, b)]
    for number in range(DIRECTIONS):
        angle = 2 * math.pi * number / DIRECTIONS
        direction = (math.cos(angle), math.sin(angle))
        reach = max((_exit(shape, direction) for shape in pairs), default=0.0)
        if reach > 0.0:
            yield (direction[0] * (reach + air), direction[1] * (reach + air))


def _level(a: _Solid, b: _Solid) -> bool:
    """They are at one height, by more than a touch."""
    shared = min(a[2], b[2]) - max(a[1], b[1])
    return shared > 0.01 * min(a[2] - a[1], b[2] - b[1])


def _difference(a: BaseGeometry, b: BaseGeometry) -> BaseGeometry:
    """All steps of `a` that make it meet `b`, for convex shapes."""
    mine, theirs = (shapely.get_coordinates(shape) for shape in (a, b))
    return MultiPoint((theirs[None, :, :] - mine[:, None, :]).reshape(-1, 2)).convex_hull


def _exit(steps: BaseGeometry, direction: Flat) -> float:
    """How far along a direction the last step lies that still meets."""
    x0, y0, x1, y1 = steps.bounds
    far = 2 * (abs(x0) + abs(x1) + abs(y0) + abs(y1)) + 1.0
    ray = LineString([(0.0, 0.0), (direction[0] * far, direction[1] * far)])
    met = shapely.get_coordinates(steps.intersection(ray)) if isinstance(steps, Polygon) else np.zeros((0, 2))
    return float((met @ np.array(direction)).max()) if len(met) else 0.0


def _hits(mine: list[_Solid], others: list[_Solid], way: Flat) -> bool:
    """A part that was clear of another is not any more."""
    for shape, low, high in mine:
        moved = shapely.transform(shape, lambda points: points + np.array(way))
        for other in others:
            before, after = (place.intersection(other[0]).area for place in (shape, moved))
            if after > before + 1e-9 and _level((shape, low, high), other):
                return True
    return False


def _stays_up(space: Space, movers: set[str], way: Flat) -> bool:
    """The middle of each stays over what it stands on."""
    for name in movers:
        x, y = space.bodies[name].center[0] + way[0], space.bodies[name].center[1] + way[1]
        rest = space.rests.get(name)
        if rest is None or rest.on in movers or rest.on not in space.bodies:
            continue
        box = space.bodies[rest.on].box
        stands = (rest.drop or 0.0) <= space.slack(space.bodies[name])
        if stands and not (box[0] <= x <= box[3] and box[1] <= y <= box[4]):
            return False
    return True


LEAST = 1e-6
"""Meters: less than this is not a move."""
MOST = 0.5
"""Of a thing's longest side, that it is slid at most; beyond it the model is asked."""
SLACK = 1e-3
"""Of its own measure, that an issue may grow by rounding."""

Steps = Mapping[str, Vector]


@dataclass(frozen=True)
class _Way:
    """Steps of things in the world's axes, and what they do in words."""

    steps: Steps
    words: str


@dataclass(frozen=True)
class _Work:
    """One scene, and how it is judged."""

    scene: Scene
    base: Scene | None
    report: Report
    brief: Brief

    @property
    def space(self) -> Space:
        return Space(self.scene.facts)

    def checked(self, steps: Steps) -> Report:
        """The report on the facts after steps."""
        return check(moved_scene(self.scene, steps), self.base, self.brief, self.report.heuristics)

    def helps(self, way: _Way, targets: Iterable[Issue], before: Report) -> bool:
        """Whether a target is gone or smaller afterwards, and nothing else is new or larger."""
        after, wanted = _extents(self.checked(way.steps)), {issue.key for issue in targets}
        known = _extents(before)
        worse = [key for key, extent in after.items() if extent > known.get(key, -1.0) * (1 + SLACK) + LEAST]
        return not worse and any(after.get(key, -1.0) < known[key] - LEAST for key in wanted & known.keys())


def _extents(report: Report) -> dict[tuple[str, tuple[str, ...], str], float]:
    found: dict[tuple[str, tuple[str, ...], str], float] = {}
    for issue in (*report.issues, *report.inherited):
        if issue.severity != "hint" or issue.basis != "heuristic":
            found[issue.key] = max(issue.extent, found.get(issue.key, 0.0))
    return found


def prepare(scene: Scene, base: Scene | None, report: Report, brief: Brief, seed: int, issue: Issue) -> Solution:
    """Moves that put right one issue and make no other appear or grow; none, when there are none."""
    work = _Work(scene, base, report, brief)
    if issue.basis == "requirement" and (found := _stated(work, partial(prepared, issue=issue, seed=seed))).moves:
        return found
    before = work.checked({})
    way = next((way for way in _ways(work.space, issue) if work.helps(way, [issue], before)), None)
    return Solution() if way is None else _solution(way)


def repair(scene: Scene, base: Scene | None, report: Report, brief: Brief, seed: int) -> Solution:
    """Moves that need no asking; of a strict report, whatever geometry can put right.

    Upheld requirements and inexact ones by small moves; what an edit moved unasked goes back where it was.
    """
    work = _Work(scene, base, report, brief)
    strict = report.heuristics == "strict"
    issues = [i for i in report.issues if i.severity != "hint" and (strict or moved_back(i) is not None)]
    before, done = work.checked({}), _Way({}, "")
    for issue in issues:
        for way in _ways(work.space, issue):
            if set(way.steps) & set(done.steps):
                continue
            both = _Way({**done.steps, **way.steps}, "; ".join(filter(None, (done.words, way.words))))
            if work.helps(both, issues, before):
                done, before = both, work.checked(both.steps)
                break
    if done.steps:
        return _solution(done)
    return _stated(work, partial(polish, limit=1.0 if strict else UNASKED, seed=seed))


def _solution(way: _Way) -> Solution:
    moves = [(name, tuple(round(v, 6) + 0.0 for v in by)) for name, by in way.steps.items()]
    found = tuple(
        Move(name, (1.0, 0.0, 0.0, 1.0, by[0], by[1]), way.words, lift=by[2])
        for name, by in moves
        if any(abs(value) > LEAST for value in by)
    )
    return Solution(moves=found, note=way.words if found else "")


def _ways(space: Space, issue: Issue) -> Iterator[_Way]:
    """What may put right one issue, the best first."""
    match issue.code:
        case "gravity.floating":
            yield from _lower(space, issue)
        case "gravity.sinking" | "gravity.buried":
            yield from _raise(space, issue)
        case "overlap.interpenetration":
            yield from _part(space, issue)
        case "edit.unlisted":
            by = moved_back(issue)
            if by is not None:
                yield _Way({issue.subjects[0]: by}, f"move {issue.subjects[0]} back to where it was")
        case "requirement.relation":  # what is to stand on something may float above it, or sink into it
            yield from _lower(space, issue)
            yield from _raise(space, issue)
        case _:
            return


def _along(space: Space, names: Iterable[str], by: Vector, words: str) -> _Way:
    """A step of bodies with all that stands on them."""
    every = set(names)
    return _Way(dict.fromkeys(sorted(every | _carried(space, every)), by), words)


def _lower(space: Space, issue: Issue) -> Iterator[_Way]:
    """The group falls onto what is under it, and takes along what floats above it."""
    groups = list(hanging(space))
    for group in groups:
        if set(group.names) <= set(issue.subjects):
            drop = group.drop or 0.0
            onto = f" onto {group.on}" if group.on else " to the level of the others"
            names = ", ".join(group.names[:3]) + (" and others" if len(group.names) > 3 else "")
            every = _with_those_above(groups, group)
            yield _along(space, every, (0.0, 0.0, -drop), f"lower {names} by {length(drop)}{onto}")


def _with_those_above(groups: Sequence[Hanging], group: Hanging) -> set[str]:
    names = set(group.names)
    while more := {n for g in groups if g.on in names for n in g.names} - names:
        names |= more
    return names


def _raise(space: Space, issue: Issue) -> Iterator[_Way]:
    for sink in sunk(space):
        if {sink.name, sink.into} == set(issue.subjects):
            words = f"raise {sink.name} by {length(sink.depth)} out of {sink.into}"
            yield _along(space, [sink.name], (0.0, 0.0, sink.depth), words)


def _part(space: Space, issue: Issue) -> Iterator[_Way]:
    """The smaller of two that reach into each other slides out; else the larger one does."""
    for met in clashes(space):
        if {met.a, met.b} != set(issue.subjects):
            continue
        for mover, other in _smaller_first(space, met.a, met.b):
            along = _carried(space, {mover.name}) | {mover.name}
            way = free_way(space, along, other.name, most=MOST * max(_sides(mover)))
            if way is not None and other.name not in along:
                words = f"move {mover.name} by ({way[0]:+.3f}, {way[1]:+.3f}) m out of {other.name}"
                yield _Way(dict.fromkeys(sorted(along), (*way, 0.0)), words)


def _smaller_first(space: Space, a: str, b: str) -> list[tuple[Body, Body]]:
    one, other = space.bodies[a], space.bodies[b]
    pairs = [(one, other), (other, one)]
    return sorted(pairs, key=lambda pair: (max(_sides(pair[0])), pair[0].name))


def _sides(body: Body) -> tuple[float, float]:
    x, y, _ = size_of(body.box)
    return x, y


def _carried(space: Space, names: set[str]) -> set[str]:
    """What stands on these, and on that, and so on; scenery stays."""
    carried = set(names)
    while more := {
        name
        for name, rest in space.rests.items()
        if name not in carried
        and not space.bodies[name].scenery
        and rest.on in carried
        and (rest.drop or 0.0) <= space.slack(space.bodies[name])
    }:
        carried |= more
    return carried - names


def _stated(work: _Work, solve: Callable[..., Solution]) -> Solution:
    """What the solver of layouts finds on the plan, as steps in the world; none where it would do more than move."""
    layout = layout_of(work.scene)
    stated = statements_of(work.scene, layout, work.brief, work.report.heuristics).requirements
    if not stated:
        return Solution()

    def check_plan(plan: Layout) -> Report:
        steps = _steps_to(work.space, layout, plan)
        return _refused(work.report) if steps is None else work.checked(steps)

    found = solve(layout, stated, work.report, check=check_plan)
    steps = _steps_to(work.space, layout, layout.moved(found.moves)) if found.moves else None
    if steps is None:
        return Solution(unsolved=found.unsolved)
    made = _solution(_Way(steps, found.note))
    reasons = {move.item: move.reason for move in found.moves}
    return replace(made, moves=tuple(replace(m, reason=reasons.get(m.item, "") or m.reason) for m in made.moves))


def _refused(report: Report) -> Report:
    """A report that no step is good enough for: the scene cannot be turned or scaled by moving things."""
    issue = Issue(code="solver.refused", severity="error", message="things can only be moved")
    return report.model_copy(update={"issues": (*report.issues, issue)})


def _steps_to(space: Space, before: Layout, after: Layout) -> Steps | None:
    """The steps of top-level things that lead from one plan to another; None where something else changed.

    What stands on a thing moves along, unless it has a step of its own.
    """
    steps: dict[str, Vector] = {}
    for item in before.roots:
        a, b = before.bounds(item.name), after.bounds(item.name)
        dz = _low(after, item.name) - _low(before, item.name)
        if item.name not in space.bodies or (a == b and dz == 0.0):
            continue
        dx, dy = (b[0] + b[2] - a[0] - a[2]) / 2, (b[1] + b[3] - a[1] - a[3]) / 2
        same = abs((b[2] - b[0]) - (a[2] - a[0])) < 1e-5 and abs((b[3] - b[1]) - (a[3] - a[1])) < 1e-5
        if not same or space.bodies[item.name].scenery:
            return None
        steps[item.name] = (*to_world(space, dx, dy), dz)
    if any(_parts_moved(before, after, name) for name in before.rows):
        return None
    for name, by in list(steps.items()):
        steps |= {other: by for other in _carried(space, {name}) if other not in steps}
    return steps


def _low(layout: Layout, name: str) -> float:
    """The height of the lowest part."""
    return min((part.height[0] for part in layout.family(name) if part.height is not None), default=0.0)


def _parts_moved(before: Layout, after: Layout, name: str) -> bool:
    """Whether parts of a thing moved against each other: contacts of parts were not measured."""
    a, b = before.bounds(name), after.bounds(name)
    for part in before.family(name):
        one, two = part.shape.bounds, after[part.name].shape.bounds
        if part.shape.is_empty:
            continue
        if any(abs((two[i] - b[i % 2]) - (one[i] - a[i % 2])) > 1e-5 for i in range(4)):
            return True
    return False
