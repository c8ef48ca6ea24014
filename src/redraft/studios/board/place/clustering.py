"""Parts put around others, each at the free place that is nearest to what it connects to."""

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
from redraft.studios.board.solve.greedy import Limits, ranked
from redraft.studios.board.wires import wire_length

TRIES = 200
"""Places that are looked at with true shapes, for each part."""

Numbers = NDArray[np.float64]


def cluster_around(
    layout: Layout, refs: Sequence[str], targets: Sequence[str], clearance: float = 0.5, side: Side | None = None
) -> tuple[tuple[Move, ...], tuple[str, ...]]:
    """Put items around targets, each where its pads are nearest to the targets' on the same nets; with those that stay.

    Targets are items and pads (`U1.4`). Items with the most connections choose first, and are turned in steps of 90°
    where that is shorter. Those without any go to the place that is nearest to the targets. One that lies as asked
    stays where it would end farther from what it connects to, or where its wires would grow by more than it comes
    nearer. `clearance` is kept between the boxes of all.

    Raises:
        BriefError: an unknown item, a target among the refs, or a clearance below 0.
        InfeasibleError: one is locked, or no free place was found for one.
    """
    names = known(layout, refs)
    goals = [(owner, pads or layout[owner].ports) for owner, pads in (target_of(layout, name) for name in targets)]
    goal = _Goal(", ".join(targets), tuple(p for _, pads in goals for p in pads), _around(layout, targets))
    owners = {owner for owner, _ in goals}
    if owners & set(names) or not names or not targets:
        raise BriefError(f"cluster_around needs other parts than the target {goal.name}, found {', '.join(refs)}")
    finite("clearance", clearance)
    if clearance < 0:
        raise BriefError(f"cluster_around: the clearance must be 0 or more, found {clearance:g}")
    movable(layout, names, "cluster_around")
    stay: list[str] = []
    while True:
        moves, worse = _clustered(layout, [n for n in names if n not in stay], goal, clearance, side)
        if not worse:
            return moves, tuple(name for name in names if name in stay)
        stay += worse


@dataclass(frozen=True)
class _Goal:
    name: str
    ports: tuple[Port, ...]
    box: Bounds


def _around(layout: Layout, targets: Sequence[str]) -> Bounds:
    boxes = np.array([target_box(layout, target)[0] for target in targets])
    (x0, y0), (x1, y1) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    return (x0, y0, x1, y1)


def _clustered(
    layout: Layout, names: Sequence[str], goal: _Goal, clearance: float, side: Side | None
) -> tuple[tuple[Move, ...], list[str]]:
    """All of them moved, with those that had better stay."""
    after, moves, worse, waiting = layout, tuple[Move, ...](), list[str](), list(names)
    while waiting:
        name = max(waiting, key=lambda n: (len(_links(layout, n, goal)), -waiting.index(n)))
        waiting.remove(name)
        own = _near_target(_Clustering(layout, after, name, goal, clearance, side, frozenset(waiting)))
        there = after.moved(own)
        if _as_asked(layout, name, goal, side) and _worse(layout, after, there, name, goal):
            worse.append(name)
        after, moves = there, (*moves, *own)
    return moves, worse


def _as_asked(layout: Layout, name: str, goal: _Goal, side: Side | None) -> bool:
    """Return whether an item may stay: on the board, at the side that was asked for, and collides with nothing."""
    box = layout.bounds(name)
    if side is not None:
        axis, positive = way(layout, side)
        if (box[axis] - goal.box[axis + 2] if positive else goal.box[axis] - box[axis + 2]) < -layout.frame.quantum:
            return False
    placed = layout.area is None or layout.area.intersects(layout[name].shape)
    return placed and not collisions(layout, (name,))


def _worse(layout: Layout, before: Layout, after: Layout, name: str, goal: _Goal) -> bool:
    """Return whether an item lies farther from what it connects to than it first did, or its wires grow by more than
    it comes nearer."""
    nearer = _way(layout, name, goal) - _way(after, name, goal)
    nets = {port.net for port in layout[name].ports if port.net} if _links(layout, name, goal) else set[str]()
    longer = wire_length(after, nets) - wire_length(before, nets) if nets else 0.0
    return nearer < -layout.frame.quantum or longer > max(nearer, 0.0) + layout.frame.quantum


def _way(layout: Layout, name: str, goal: _Goal) -> float:
    """Sum over its pads of the way to the nearest target on the same net; between the middles where there is none."""
    mine, pads = layout[name].ports, dict[int, float]()
    for i, j in _links(layout, name, goal):
        far = math.dist(mine[i].at, goal.ports[j].at)
        pads[i] = min(far, pads.get(i, far))
    return sum(pads.values()) if pads else math.dist(middle(layout.bounds(name)), middle(goal.box))


@dataclass(frozen=True)
class _Clustering:
    before: Layout
    after: Layout
    name: str
    goal: _Goal
    clearance: float
    side: Side | None
    waiting: frozenset[str]
    """Not placed yet; these block nothing."""


def _links(layout: Layout, name: str, goal: _Goal) -> list[tuple[int, int]]:
    """Pads of an item and of the targets on the same net, as places among the ports."""
    theirs = [(i, port.net) for i, port in enumerate(goal.ports) if port.net]
    return [(i, j) for i, port in enumerate(layout[name].ports) for j, net in theirs if port.net == net]


TURNING = 0.01
"""Units: by so much the way has to become shorter for an item to be turned."""


def _near_target(task: _Clustering) -> tuple[Move, ...]:
    """The moves to the nearest place, turned first where that is nearer."""
    best, least = tuple[Move, ...](), math.inf
    turns = (0.0, 90.0, 180.0, 270.0) if _links(task.after, task.name, task.goal) and task.after.frame.solid else (0.0,)
    for turn in turns:
        turned = rotate(task.after, (task.name,), by=turn) if turn else ()
        shift = _nearest_place(replace(task, after=task.after.moved(turned)) if turn else task)
        if shift is not None:
            moves = (*turned, shift)
            far = _way(task.after.moved(moves), task.name, task.goal)
            if far < least - TURNING:
                best, least = moves, far
    if not best:
        raise InfeasibleError(
            f"cluster_around: no free place was found for {task.name} around {task.goal.name} "
            f"with {task.clearance:g} {task.after.frame.unit} to all others",
            (
                f"{task.name} lies near {task.goal.name}",
                f"it keeps {task.clearance:g} {task.after.frame.unit} from all others",
            ),
        )
    return best


def _nearest_place(task: _Clustering) -> Move | None:
    layout, quantum = task.after, task.after.frame.quantum
    box = scaled(layout.bounds(task.name), quantum)
    start = _beside(task, box)
    moved = (box[0] + start[0], box[1] + start[1], box[2] + start[0], box[3] + start[1])
    low_x, high_x, low_y, high_y = _bounded(task, box)
    limit = (low_x - start[0], high_x - start[0], low_y - start[1], high_y - start[1])
    wish = _Pull.of(task, start)
    near = walls(layout, task.name, task.waiting) / quantum
    for dx, dy in islice(ranked(moved, near, task.clearance / quantum, limit, cost=wish.cost, tries=wish.tries), TRIES):
        move = Move.shift(task.name, (start[0] + dx) * quantum, (start[1] + dy) * quantum, "cluster_around")
        found = new_collisions(task.before, layout.moved((move,)), (task.name,))
        if not any(other not in task.waiting for _, other in found):
            return move
    return None


def _beside(task: _Clustering, box: Bounds) -> tuple[int, int]:
    """The shift that brings the middle of the box to that of the target: places are ranked outwards from there."""
    a0, b0, a1, b1 = scaled(task.goal.box, task.after.frame.quantum)
    return (round((a0 + a1 - box[0] - box[2]) / 2), round((b0 + b1 - box[1] - box[3]) / 2))


def _bounded(task: _Clustering, box: Bounds) -> Limits:
    """Within the board, and at the side that was asked for."""
    limit = list(limits(task.after, task.name))
    if task.side is not None:
        axis, positive = way(task.after, task.side)
        target = scaled(task.goal.box, task.after.frame.quantum)
        gap = task.clearance / task.after.frame.quantum
        if positive:
            limit[2 * axis] = max(limit[2 * axis], up(target[axis + 2] + gap - box[axis]))
        else:
            limit[2 * axis + 1] = min(limit[2 * axis + 1], down(target[axis] - gap - box[axis + 2]))
    return (limit[0], limit[1], limit[2], limit[3])


@dataclass(frozen=True)
class _Pull:
    """How far pads that belong together would be apart: (n, 2) ways from a pad of the item to one of the target."""

    ways: Numbers
    nets: tuple[tuple[int, ...], ...]
    """Rows of `ways` that begin at the same pad: the nearest of them counts."""

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
        return (self.ways[:, 0].tolist(), self.ways[:, 1].tolist())

    def cost(self, dx: Numbers, dy: Numbers) -> Numbers:
        """Sum over pads of the way to the nearest pad on the same net, for each shift."""
        total = np.zeros(np.broadcast(dx, dy).shape)
        for rows in self.nets:
            total += np.min([np.hypot(self.ways[r, 0] - dx, self.ways[r, 1] - dy) for r in rows], axis=0)
        return total
