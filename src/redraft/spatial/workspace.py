"""A layout with a history: actions are carried out exactly, entirely or not at all, with undo and redo.

Tools, boards and people work with a `Workspace`; the functions of `spatial.solve` only compute.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from pydantic import BaseModel, ConfigDict
from shapely.geometry.base import BaseGeometry

from redraft.errors import BriefError, CollisionError
from redraft.layout import Item, Layout, Move, Point
from redraft.spatial.actions import Action, PlaceRelative
from redraft.spatial.collisions import EDGE, new_collisions, rooms, worsened
from redraft.spatial.free_places import alternatives, middle, nearest_free, nearest_shift
from redraft.spatial.solver.problem import Constraint, holding, measured
from redraft.spatial.wires import members_of, wire_lengths

if TYPE_CHECKING:
    from redraft.spatial.plans import Plan

__all__ = [
    "MOST",
    "Clearance",
    "Collision",
    "Moved",
    "Outcome",
    "Wires",
    "Workspace",
    "clearances",
    "distance",
    "merged",
    "refusal",
]


class _Fact(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Moved(_Fact):
    """Where a part was and is: middles of its box, in the layout's unit."""

    ref: str
    before: Point
    after: Point
    rotation: float = 0.0
    """Degrees, after."""
    layer: str = ""
    """The layer that it lies on now, when the action changed it."""


class Clearance(_Fact):
    """The clear distance from a moved part to a neighbor, of the shapes that they claim."""

    between: tuple[str, str]
    distance: float


class Collision(_Fact):
    """Two things in one place, or one in a forbidden place. `other` may be a part, `board edge`, or a keep-out."""

    ref: str
    other: str
    depth: float
    """The shortest way out, in units."""


class Wires(_Fact):
    """The length that the wires of all nets have at least, in units: half the perimeter of the box around the pads of
    each net."""

    before: float
    after: float

    @property
    def words(self) -> str:
        """`wires 120.5 → 100.2 (-17%)`."""
        return self.said()

    def said(self, unit: str = "") -> str:
        """`wires 120.5 → 100.2 mm (-17%)`."""
        change = self.after / self.before - 1 if self.before > 0 else 0.0
        share = f" ({change:+.{0 if abs(change) >= 0.01 else 1}%})" if change else ""
        return f"wires {self.before:,.1f} → {self.after:,.1f}{unit and f' {unit}'}{share}"


class Outcome(_Fact):
    """What an action did."""

    action: str
    """In words: `place_relative C1 0.5 mm right of U1.4 (pad)`."""
    moved: tuple[Moved, ...] = ()
    clearances: tuple[Clearance, ...] = ()
    """To the nearest neighbors of each moved part, the tightest first, at most eight."""
    collisions: tuple[Collision, ...] = ()
    """Those of the moved parts that were not there before, nor in the beginning; empty unless `allow_overlap`."""
    wires: Wires | None = None
    """Of the whole layout; None where it has no nets."""
    complete: bool = True
    """False where a search was stopped, and this is the best so far."""
    note: str = ""


@dataclass(frozen=True)
class _Step:
    """One action that was carried out, and what it takes to undo and to do it again."""

    words: str
    before: tuple[Item, ...]
    after: tuple[Item, ...]
    moves: tuple[Move, ...]
    locks: Mapping[str, bool]
    constraints: tuple[Constraint, ...]


@dataclass
class Workspace:
    """A layout and its past. Not safe to share between threads."""

    layout: Layout
    moves: tuple[Move, ...] = ()
    """All moves in force since the beginning, in order."""
    locked: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """Locks that were set or taken off since the beginning."""
    _done: list[_Step] = field(default_factory=list[_Step])
    _undone: list[_Step] = field(default_factory=list[_Step])

    def __post_init__(self) -> None:
        self.layout = _with_locks(self.layout, self.locked)
        self._first = (self.moves, dict(self.locked))
        self._beginning = self.layout

    def do(
        self, action: Action, *, notify: Callable[[str], None] | None = None, stop: Callable[[], bool] | None = None
    ) -> Outcome:
        """Carry out one action, or nothing of it.

        Args:
            notify: called with a line about what takes long: placing a whole board.
            stop: asked often by what takes long; when it returns True, the best so far is carried out.

        Raises:
            BriefError: an unknown part or pad (the closest names are given), or arguments that make no sense.
            InfeasibleError: a locked part would move, or no layout satisfies it (an irreducible set is named).
            CollisionError: parts would collide; has the nearest free place.
        """
        from redraft.spatial.plans import ignore, never, plan  # with what plans need, which takes a moment to load

        before = self.layout
        planned = plan(before, action, lambda: self.constraints, notify=notify or ignore, stop=stop or never)
        after = _with_locks(before.moved(planned.moves) if planned.moves else before, planned.locks)
        names = tuple(dict.fromkeys(move.item for move in planned.moves))
        # A part may go back to where it collided when all began.
        found = worsened(self._beginning, after, new_collisions(before, after, names))
        found = {pair: depth for pair, depth in found.items() if pair[1] != EDGE or pair[0] not in planned.overhanging}
        if found and not action.allow_overlap:
            raise refusal(before, after, planned, found, action)
        step = _step(before, after, planned)
        self._done.append(step)
        self._undone.clear()
        wires = self._settle(after, names)
        outcome = _outcome(planned.words, before, after, names, found, planned.note)
        return outcome.model_copy(update={"wires": wires, "complete": planned.complete})

    def copy(self) -> Workspace:
        """Return a workspace with the same past, on which actions leave this one as it is."""
        other = copy.copy(self)
        other._done, other._undone = [*self._done], [*self._undone]
        return other

    def undo(self) -> Outcome:
        """Take back the last action. Raises `BriefError` when there is none."""
        if not self._done:
            raise BriefError("There is nothing to undo: no action was carried out since the board was opened")
        step = self._done.pop()
        self._undone.append(step)
        return self._replaced("undo", step, step.before)

    def redo(self) -> Outcome:
        """Do again what was last taken back. Raises `BriefError` when there is nothing."""
        if not self._undone:
            raise BriefError("There is nothing to redo: nothing was undone since the last action")
        step = self._undone.pop()
        self._done.append(step)
        return self._replaced("redo", step, step.after)

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Constraints that the actions in force set and no later one has changed."""
        return tuple(holding(self.layout, [constraint for step in self._done for constraint in step.constraints]))

    def _replaced(self, verb: str, step: _Step, items: tuple[Item, ...]) -> Outcome:
        before, after = self.layout, self.layout.with_items(items)
        names = tuple(dict.fromkeys(move.item for move in step.moves))
        wires = self._settle(after, names)
        outcome = _outcome(f"{verb}: {step.words}", before, after, names, {}, "")
        return outcome.model_copy(update={"wires": wires})

    @cached_property
    def _members(self) -> dict[str, tuple[str, ...]]:
        """The items on each net, which no action changes."""
        return members_of(self.layout)

    @cached_property
    def _lengths(self) -> dict[str, float]:
        """Of the wires of each net, as the layout is now."""
        return wire_lengths(self.layout, members=self._members)

    @property
    def wire_length(self) -> float:
        """Of all nets, in units."""
        return math.fsum(self._lengths.values())

    def _settle(self, layout: Layout, moved: Iterable[str]) -> Wires | None:
        """Make the layout the current one; only the nets of what has moved are measured anew."""
        before = self.wire_length
        touched = dict.fromkeys(port.net for n in moved for item in layout.family(n) for port in item.ports if port.net)
        self._lengths = {**self._lengths, **wire_lengths(layout, touched, self._members)}  # `copy` shares the old ones
        moves, locks = self._first
        self.layout = layout
        self.moves = moves + tuple(move for step in self._done for move in step.moves)
        self.locked = {**locks, **{name: lock for step in self._done for name, lock in step.locks.items()}}
        return Wires(before=round(before, 6), after=round(self.wire_length, 6)) if self._lengths else None


def _with_locks(layout: Layout, locks: Mapping[str, bool]) -> Layout:
    changed = [replace(layout[n], locked=lock) for n, lock in locks.items() if layout[n].locked != lock]
    return layout.with_items(changed) if changed else layout


def _step(before: Layout, after: Layout, planned: Plan) -> _Step:
    touched = {item.name for move in planned.moves for item in before.family(move.item)} | planned.locks.keys()
    names = [name for name in sorted(touched) if before[name] is not after[name]]
    return _Step(
        planned.words,
        tuple(before[name] for name in names),
        tuple(after[name] for name in names),
        planned.moves,
        planned.locks,
        tuple(measured(after, constraint) for constraint in planned.constraints),
    )


def _outcome(
    words: str, before: Layout, after: Layout, names: Sequence[str], found: Mapping[tuple[str, str], float], note: str
) -> Outcome:
    moved = tuple(_moved(before, after, name) for name in names)
    return Outcome(
        action=words,
        moved=moved,
        clearances=tuple(Clearance(between=pair, distance=_exact(after, d)) for pair, d in clearances(after, names)),
        collisions=tuple(Collision(ref=a, other=b, depth=_exact(after, d)) for (a, b), d in found.items()),
        note=note or ("" if moved or before is not after else "nothing moved: it was so already"),
    )


def merged(words: str, outcomes: Sequence[Outcome], before: Layout, after: Layout) -> Outcome:
    """Return the outcomes of several actions as one: each part from where it was first to where it is at last."""
    names = tuple(dict.fromkeys(moved.ref for outcome in outcomes for moved in outcome.moved))
    kept = {(hit.ref, hit.other) for outcome in outcomes for hit in outcome.collisions}
    found = new_collisions(before, after, names) if kept else {}
    found = {pair: depth for pair, depth in found.items() if pair in kept or pair[::-1] in kept}
    several = len(outcomes) > 1
    notes = [f"{n}: {o.note}" if several else o.note for n, o in enumerate(outcomes, start=1) if o.note]
    wires = [outcome.wires for outcome in outcomes if outcome.wires is not None]
    return _outcome(words, before, after, names, found, "; ".join(notes)).model_copy(
        update={
            "wires": Wires(before=wires[0].before, after=wires[-1].after) if wires else None,
            "complete": all(outcome.complete for outcome in outcomes),
        }
    )


def _moved(before: Layout, after: Layout, name: str) -> Moved:
    (x0, y0), (x1, y1) = (middle(layout.bounds(name)) for layout in (before, after))
    was, now = before[name], after[name]
    return Moved(
        ref=name,
        before=(_exact(before, x0), _exact(before, y0)),
        after=(_exact(after, x1), _exact(after, y1)),
        rotation=now.rotation,
        layer=after.frame.layers.get(now.layer, "") if now.layer != was.layer else "",
    )


def _exact(layout: Layout, value: float) -> float:
    """To a tenth of a quantum: without the noise of binary fractions; a middle may lie half way between two."""
    return round(value, 1 - round(math.log10(layout.frame.quantum))) + 0.0


def _slide(layout: Layout, ref: str, place: Point) -> str:
    """`0.003 mm left and 1 mm up`: the way from where a part would be to a place for its middle."""
    dx, dy = (there - here for there, here in zip(place, middle(layout.bounds(ref)), strict=True))
    up = dy * layout.frame.up[1] > 0
    ways = ((dx, "right" if dx > 0 else "left"), (dy, "up" if up else "down"))
    return " and ".join(
        f"{abs(d):.6g} {layout.frame.unit} {word}" for d, word in ways if abs(d) >= layout.frame.quantum
    )


MOST = 8
"""How many are listed: the tightest."""

NEAR = 12
"""Neighbors whose true shapes are measured, the nearest by their boxes."""


def clearances(layout: Layout, names: Iterable[str]) -> list[tuple[tuple[str, str], float]]:
    """The clear distances from items to their nearest neighbors, each pair once, the tightest first."""
    found: dict[frozenset[str], tuple[tuple[str, str], float]] = {}
    for name in dict.fromkeys(layout.root_of(n).name for n in names):
        for other in _nearest(layout, name):
            if frozenset((name, other)) not in found and (far := distance(layout, name, other)) is not None:
                found[frozenset((name, other))] = ((name, other), far)
    return sorted(found.values(), key=lambda pair: (pair[1], pair[0]))[:MOST]


def distance(layout: Layout, a: str, b: str) -> float | None:
    """The clear distance of what two items claim on the same layer; None where they share none."""
    mine, theirs = _claimed(layout, a), _claimed(layout, b)
    return min((float(mine[layer].distance(theirs[layer])) for layer in mine if layer in theirs), default=None)


def _claimed(layout: Layout, name: str) -> dict[int, BaseGeometry]:
    return rooms(layout[name]) if layout.frame.solid else {0: layout.whole(name)}


def _nearest(layout: Layout, name: str) -> list[str]:
    """The nearest other items by their boxes."""
    row, boxes = layout.rows[name], layout.boxes
    x0, y0, x1, y1 = boxes[row]
    aside = np.maximum(np.maximum(boxes[:, 0] - x1, x0 - boxes[:, 2]), 0.0)
    along = np.maximum(np.maximum(boxes[:, 1] - y1, y0 - boxes[:, 3]), 0.0)
    far = aside * aside + along * along
    far[row] = np.nan
    order = np.argsort(far, kind="stable")[:NEAR]
    return [layout.roots[int(i)].name for i in order if np.isfinite(far[i])]


TOLD = 6
"""Pairs that the message names."""


def _meets(other: str) -> str:
    return "cross the board edge" if other == "board edge" else f"be in {other}"


def refusal(
    before: Layout, after: Layout, planned: Plan, found: Mapping[tuple[str, str], float], action: Action
) -> CollisionError:
    """The error, with the nearest free place of the first thing that collides, the others being where they would be.

    Where a distance was asked for, it says too where that distance can be had.
    """
    unit, ref = after.frame.unit, next(iter(found))[0]
    pairs = tuple(f"{a} would {_meets(b)} by {depth:.6g} {unit}" for (a, b), depth in found.items())
    group = next((group for group in planned.groups if ref in group), ())
    alone = len({move.item for move in planned.moves}) == 1
    place = None if group else nearest_free(before, after, ref, planned.line if alone else None)
    if group:
        shift = nearest_shift(before, after, group)
        where = "no free place was found for the whole block"
        if shift is not None:
            dx, dy = (f"{v:.6f}".rstrip("0").rstrip(".") for v in shift)
            where = (
                f"the nearest free place for the whole block is ({dx}, {dy}) {unit} from there: repeat it with "
                f"allow_overlap, then move_by all of it by dx={dx}, dy={dy}"
            )
    elif place is None:
        where = f"no free place was found for {ref}"
    else:
        x, y = (f"{v:.7f}".rstrip("0").rstrip(".") for v in place)
        where = (
            f"the nearest free place for {ref} is {_slide(after, ref, place)} from there, with its middle at "
            f"({x}, {y}): place_component {ref}"
        )
    if isinstance(action, PlaceRelative) and before.frame.solid:
        where = f"{alternatives(before, action)}; {where}"
    listed = "; ".join(pairs[:TOLD]) + (f"; and {len(pairs) - TOLD} more" if len(pairs) > TOLD else "")
    forced = "" if where.startswith("no free place") else ", or set allow_overlap"
    return CollisionError(f"{planned.words}: {listed}. Nothing was moved; {where}{forced}", pairs, place)
