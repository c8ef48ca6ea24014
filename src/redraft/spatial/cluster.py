"""Parts around another one, each at the free place nearest to what it connects to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from redraft.errors import BriefError, InfeasibleError
from redraft.spatial.collisions import new_collisions
from redraft.spatial.free_place import limits, walls
from redraft.spatial.layout import Bounds, Layout, Move
from redraft.spatial.solver.problem import down, scaled, up
from redraft.spatial.solver.refs import known, movable
from redraft.spatial.solver.spots import Limits, ranked
from redraft.spatial.solver.steps import Side, finite, way

__all__ = ["cluster_around"]

TRIES = 200
"""Places that are looked at with true shapes, for each part."""

Numbers = NDArray[np.float64]


def cluster_around(
    layout: Layout, refs: Sequence[str], target: str, clearance: float = 0.5, side: Side | None = None
) -> tuple[Move, ...]:
    """Put items around a target, each where its pads are nearest to the target's on the same nets.

    Those with the most connections choose first. Items without any go to the place that is nearest to the target.
    None is turned. `clearance` is kept between the boxes of all.

    Raises:
        BriefError: an unknown item, the target among the refs, or a clearance below 0.
        InfeasibleError: one is locked, or no free place was found for one.
    """
    names = known(layout, (*refs, target))
    if target in refs or len(names) < 2:
        raise BriefError(f"cluster_around needs other parts than the target {target}, found {', '.join(refs)}")
    finite("clearance", clearance)
    if clearance < 0:
        raise BriefError(f"cluster_around: the clearance must be 0 or more, found {clearance:g}")
    waiting = [name for name in names if name != target]
    movable(layout, waiting, "cluster_around")
    after, moves = layout, tuple[Move, ...]()
    while waiting:
        name = max(waiting, key=lambda n: (len(_links(layout, n, target)), -waiting.index(n)))
        waiting.remove(name)
        move = _place(_Task(layout, after, name, target, clearance, side, frozenset(waiting)))
        after, moves = after.moved((move,)), (*moves, move)
    return moves


@dataclass(frozen=True)
class _Task:
    before: Layout
    after: Layout
    name: str
    target: str
    clearance: float
    side: Side | None
    waiting: frozenset[str]
    """Not placed yet, and so in nobody's way."""


def _links(layout: Layout, name: str, target: str) -> list[tuple[int, int]]:
    """Pads of an item and of the target on the same net, as places among their ports."""
    theirs = [(i, port.net) for i, port in enumerate(layout[target].ports) if port.net]
    return [(i, j) for i, port in enumerate(layout[name].ports) for j, net in theirs if port.net == net]


def _place(task: _Task) -> Move:
    layout, quantum = task.after, task.after.frame.quantum
    box = scaled(layout.bounds(task.name), quantum)
    start = _beside(task, box)
    moved = (box[0] + start[0], box[1] + start[1], box[2] + start[0], box[3] + start[1])
    low_x, high_x, low_y, high_y = _limits(task, box)
    limit = (low_x - start[0], high_x - start[0], low_y - start[1], high_y - start[1])
    wish = _Wish.of(task, start)
    near = walls(layout, task.name, task.waiting) / quantum
    for dx, dy in islice(ranked(moved, near, task.clearance / quantum, limit, cost=wish.cost, tries=wish.tries), TRIES):
        move = Move.shift(task.name, (start[0] + dx) * quantum, (start[1] + dy) * quantum, "cluster_around")
        found = new_collisions(task.before, layout.moved((move,)), (task.name,))
        if not any(other not in task.waiting for _, other in found):
            return move
    raise InfeasibleError(
        f"cluster_around: no free place was found for {task.name} around {task.target} "
        f"with {task.clearance:g} {layout.frame.unit} to all others",
        (f"{task.name} lies near {task.target}", f"it keeps {task.clearance:g} {layout.frame.unit} from all others"),
    )


def _beside(task: _Task, box: Bounds) -> tuple[int, int]:
    """The shift that brings the middle of the box to that of the target: places are ranked outwards from there."""
    a0, b0, a1, b1 = scaled(task.after.bounds(task.target), task.after.frame.quantum)
    return (round((a0 + a1 - box[0] - box[2]) / 2), round((b0 + b1 - box[1] - box[3]) / 2))


def _limits(task: _Task, box: Bounds) -> Limits:
    """Within the board, and at the side that was asked for."""
    limit = list(limits(task.after, task.name))
    if task.side is not None:
        axis, positive = way(task.after, task.side)
        target = scaled(task.after.bounds(task.target), task.after.frame.quantum)
        gap = task.clearance / task.after.frame.quantum
        if positive:
            limit[2 * axis] = max(limit[2 * axis], up(target[axis + 2] + gap - box[axis]))
        else:
            limit[2 * axis + 1] = min(limit[2 * axis + 1], down(target[axis] - gap - box[axis + 2]))
    return (limit[0], limit[1], limit[2], limit[3])


@dataclass(frozen=True)
class _Wish:
    """How far pads that belong together would be apart: (n, 2) ways from a pad of the item to one of the target."""

    ways: Numbers
    nets: tuple[tuple[int, ...], ...]
    """Rows of `ways` that begin at the same pad: the nearest of them counts."""

    @classmethod
    def of(cls, task: _Task, start: tuple[int, int]) -> _Wish:
        links = _links(task.after, task.name, task.target)
        if not links:  # the middles, which lie on each other at the start
            return cls(np.zeros((1, 2)), ((0,),))
        mine, theirs = task.after[task.name].ports, task.after[task.target].ports
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
