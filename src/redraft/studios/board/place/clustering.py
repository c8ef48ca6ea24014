"""Components put around others, each at the free place that is nearest to what it connects to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from redraft.errors import BriefError, InfeasibleError
from redraft.layout.items import Bounds, Layout, Move, Port
from redraft.studios.board.actions.moves import rotate
from redraft.studios.board.place.blocks import target_box
from redraft.studios.board.solve.arguments import Side, finite, known, movable, target_of, way
from redraft.studios.board.solve.collisions import collisions, new_collisions
from redraft.studios.board.solve.constraints import down, scaled, up
from redraft.studios.board.solve.free_places import limits, middle, walls
from redraft.studios.board.solve.greedy import ranked
from redraft.studios.board.wires import wire_length

MAX_TRIES = 200
"""Places that are looked at with true shapes, for each component."""

MIN_GAIN = 0.01
"""Units by which the way has to become shorter for an item to be turned."""

Numbers = NDArray[np.float64]


def cluster_around(
    layout: Layout, refs: Sequence[str], targets: Sequence[str], clearance: float = 0.5, side: Side | None = None
) -> tuple[tuple[Move, ...], tuple[str, ...]]:
    """Put items around targets, each where its pads are nearest to the targets' on the same nets.

    Targets are items and pads (`U1.4`). Items with the most connections choose first, and are turned in steps of 90°
    where that is shorter. Those without any go to the place that is nearest to the targets. One that lies as asked
    stays where it would end farther from what it connects to, or where its wires would grow by more than it comes
    nearer. `clearance` is kept between the boxes of all. Returns the moves, and the items that stay.

    Raises:
        BriefError: an unknown item, a target among the refs, or a clearance below 0.
        InfeasibleError: one is locked, or no free place was found for one.
    """
    names = known(layout, refs)
    goals = [(owner, pads or layout[owner].ports) for owner, pads in (target_of(layout, name) for name in targets)]
    boxes = np.array([target_box(layout, target)[0] for target in targets])
    (x0, y0), (x1, y1) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    goal = _Goal(", ".join(targets), tuple(p for _, pads in goals for p in pads), (x0, y0, x1, y1), clearance, side)
    owners = {owner for owner, _ in goals}
    if owners & set(names) or not names or not targets:
        raise BriefError(f"cluster_around needs other parts than the target {goal.name}, found {', '.join(refs)}")
    finite("clearance", clearance)
    if clearance < 0:
        raise BriefError(f"cluster_around: the clearance must be 0 or more, found {clearance:g}")
    movable(layout, names, "cluster_around")

    # Those that had better stay are in the way of the others, which are placed again then.
    stay: list[str] = []
    while True:
        moves, worse = _place_in_turn(layout, [n for n in names if n not in stay], goal)
        if not worse:
            return moves, tuple(name for name in names if name in stay)
        stay += worse


@dataclass(frozen=True)
class _Goal:
    """The targets, their pads and the box around them, and how items are to lie there."""

    name: str
    ports: tuple[Port, ...]
    box: Bounds
    clearance: float
    side: Side | None


def _place_in_turn(layout: Layout, names: Sequence[str], goal: _Goal) -> tuple[tuple[Move, ...], list[str]]:
    """Move all items, those with the most connections first; return the moves, and those that had better stay."""
    after, moves, worse, waiting = layout, tuple[Move, ...](), list[str](), list(names)
    while waiting:
        name = max(waiting, key=lambda n: (len(_links(layout, n, goal)), -waiting.index(n)))
        waiting.remove(name)
        own = _near_target(_Clustering(layout, after, name, goal, frozenset(waiting)))
        there = after.moved(own)
        if _may_stay(layout, name, goal) and _is_worse(layout, after, there, name, goal):
            worse.append(name)
        after, moves = there, (*moves, *own)
    return moves, worse


def _may_stay(layout: Layout, name: str, goal: _Goal) -> bool:
    """Return whether an item lies on the board, at the side that was asked for, and collides with nothing."""
    box = layout.bounds(name)
    if goal.side is not None:
        axis, positive = way(layout, goal.side)
        gap = box[axis] - goal.box[axis + 2] if positive else goal.box[axis] - box[axis + 2]
        if gap < -layout.frame.quantum:
            return False
    placed = layout.area is None or layout.area.intersects(layout[name].shape)
    return placed and not collisions(layout, (name,))


def _is_worse(layout: Layout, before: Layout, after: Layout, name: str, goal: _Goal) -> bool:
    """Return whether an item lies farther from what it connects to than it first did.

    Or its wires grow by more than it comes nearer.
    """
    nearer = _way(layout, name, goal) - _way(after, name, goal)
    nets = {port.net for port in layout[name].ports if port.net} if _links(layout, name, goal) else set[str]()
    longer = wire_length(after, nets) - wire_length(before, nets) if nets else 0.0
    return nearer < -layout.frame.quantum or longer > max(nearer, 0.0) + layout.frame.quantum


def _way(layout: Layout, name: str, goal: _Goal) -> float:
    """Return the sum over an item's pads of the way to the nearest target on the same net.

    Between the middles, where there is no such net.
    """
    mine, pads = layout[name].ports, dict[int, float]()
    for i, j in _links(layout, name, goal):
        far = math.dist(mine[i].at, goal.ports[j].at)
        pads[i] = min(far, pads.get(i, far))
    return sum(pads.values()) if pads else math.dist(middle(layout.bounds(name)), middle(goal.box))


@dataclass(frozen=True)
class _Clustering:
    """The search for a place of one item."""

    before: Layout
    after: Layout
    name: str
    goal: _Goal
    waiting: frozenset[str]
    """Items that are not placed yet; these block nothing."""


def _links(layout: Layout, name: str, goal: _Goal) -> list[tuple[int, int]]:
    """Return the pads of an item and of the targets on the same net, as places among the ports."""
    theirs = [(i, port.net) for i, port in enumerate(goal.ports) if port.net]
    return [(i, j) for i, port in enumerate(layout[name].ports) for j, net in theirs if port.net == net]


def _near_target(task: _Clustering) -> tuple[Move, ...]:
    """Return the moves to the nearest place, turned first where that is nearer."""
    best, least = tuple[Move, ...](), math.inf
    turns = (0.0, 90.0, 180.0, 270.0) if _links(task.after, task.name, task.goal) and task.after.frame.solid else (0.0,)
    for turn in turns:
        turned = rotate(task.after, (task.name,), by=turn) if turn else ()
        shift = _nearest_place(replace(task, after=task.after.moved(turned)) if turn else task)
        if shift is not None:
            moves = (*turned, shift)
            far = _way(task.after.moved(moves), task.name, task.goal)
            if far < least - MIN_GAIN:
                best, least = moves, far
    if not best:
        gap = f"{task.goal.clearance:g} {task.after.frame.unit}"
        raise InfeasibleError(
            f"cluster_around: no free place was found for {task.name} around {task.goal.name} with {gap} to all others",
            (f"{task.name} lies near {task.goal.name}", f"it keeps {gap} from all others"),
        )
    return best


def _nearest_place(task: _Clustering) -> Move | None:
    """Return the shift to the nearest free place, the cheapest by the ways from pad to pad first."""
    layout, goal, quantum = task.after, task.goal, task.after.frame.quantum
    x0, y0, x1, y1 = scaled(layout.bounds(task.name), quantum)
    target, gap = scaled(goal.box, quantum), goal.clearance / quantum

    # Places are ranked outwards from where the middle of the box is on that of the target.
    dx = round((target[0] + target[2] - x0 - x1) / 2)
    dy = round((target[1] + target[3] - y0 - y1) / 2)

    # Within the board, and at the side that was asked for.
    limit = list(limits(layout, task.name))
    if goal.side is not None:
        axis, positive = way(layout, goal.side)
        if positive:
            limit[2 * axis] = max(limit[2 * axis], up(target[axis + 2] + gap - (x0, y0)[axis]))
        else:
            limit[2 * axis + 1] = min(limit[2 * axis + 1], down(target[axis] - gap - (x1, y1)[axis]))

    pull = _Pull.of(task, (dx, dy))
    shifts = ranked(
        (x0 + dx, y0 + dy, x1 + dx, y1 + dy),
        walls(layout, task.name, task.waiting) / quantum,
        gap,
        (limit[0] - dx, limit[1] - dx, limit[2] - dy, limit[3] - dy),
        cost=pull.cost,
        tries=pull.tries,
    )
    for u, v in islice(shifts, MAX_TRIES):
        move = Move.shift(task.name, (dx + u) * quantum, (dy + v) * quantum, "cluster_around")
        met = new_collisions(task.before, layout.moved((move,)), (task.name,))
        if all(other in task.waiting for _, other in met):
            return move
    return None


@dataclass(frozen=True)
class _Pull:
    """The ways between pads that belong together: (n, 2), from a pad of the item to one of the target."""

    ways: Numbers
    nets: tuple[tuple[int, ...], ...]
    """Rows of `ways` that begin at the same pad; the nearest of them counts."""

    @classmethod
    def of(cls, task: _Clustering, start: tuple[int, int]) -> _Pull:
        links = _links(task.after, task.name, task.goal)
        if not links:  # the middles, which lie on each other at the start
            return cls(np.zeros((1, 2)), ((0,),))
        mine, theirs = task.after[task.name].ports, task.goal.ports
        ways = np.array([np.subtract(theirs[j].at, mine[i].at) for i, j in links]) / task.after.frame.quantum
        pads = dict.fromkeys(i for i, _ in links)
        rows = tuple(tuple(row for row, (i, _) in enumerate(links) if i == pad) for pad in pads)
        return cls(np.round(ways - np.array(start)), rows)

    @property
    def tries(self) -> tuple[Sequence[float], Sequence[float]]:
        """Shifts that are worth trying along x and y: those with a pad on its target."""
        return (self.ways[:, 0].tolist(), self.ways[:, 1].tolist())

    def cost(self, dx: Numbers, dy: Numbers) -> Numbers:
        """Return the sum over pads of the way to the nearest pad on the same net, for each shift."""
        total = np.zeros(np.broadcast(dx, dy).shape)
        for rows in self.nets:
            total += np.min([np.hypot(self.ways[r, 0] - dx, self.ways[r, 1] - dy) for r in rows], axis=0)
        return total
