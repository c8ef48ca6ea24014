"""A layout that actions change: each is carried out exactly and entirely, or not at all.

A `Workspace` goes forward only; for undo keep copies of it, as `redraft.loop.session` does.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from pydantic import BaseModel, ConfigDict
from shapely.geometry.base import BaseGeometry

from redraft.errors import CollisionError
from redraft.layout.items import Layout, Move, Point
from redraft.studios.board.actions.plans import Plan, Search, ignore, never
from redraft.studios.board.actions.registry import Action
from redraft.studios.board.solve.collisions import EDGE, new_collisions, rooms, worsened
from redraft.studios.board.solve.constraints import Constraint, holding, measured
from redraft.studios.board.solve.free_places import middle, nearest_free, nearest_shift
from redraft.studios.board.wires import members_of, wire_lengths
from redraft.text import number


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
    """The length that the wires of all nets have at least: half the perimeter of the box around the pads of each."""

    before: float
    after: float

    @property
    def words(self) -> str:
        """`wires 120.5 → 100.2 (-17%)`."""
        return self.said()

    def said(self, unit: str = "") -> str:
        """Return `wires 120.5 → 100.2 mm (-17%)`."""
        change = self.after / self.before - 1 if self.before > 0 else 0.0
        share = f" ({change:+.{0 if abs(change) >= 0.01 else 1}%})" if change else ""
        return f"wires {self.before:,.1f} → {self.after:,.1f}{unit and f' {unit}'}{share}"


class Outcome(_Fact):
    """The result of an action."""

    action: str
    """In words: `place_relative C1 0.5 mm right of U1.4 (pad)`."""
    moved: tuple[Moved, ...] = ()
    clearances: tuple[Clearance, ...] = ()
    """To the nearest neighbors of each moved part, the tightest first, at most eight."""
    collisions: tuple[Collision, ...] = ()
    """Those of the moved parts that were not there before, nor in the beginning; empty unless `allow_overlap`."""
    wires: Wires | None = None
    """Of the whole layout; None where no net joins anything."""
    complete: bool = True
    """False where a search was stopped, and this is the best so far."""
    note: str = ""


@dataclass
class Workspace:
    """A layout and its changes since the beginning. Not safe to share between threads."""

    layout: Layout
    moves: tuple[Move, ...] = ()
    """All moves since the beginning, in order."""
    locked: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """Locks that were set or taken off since the beginning."""
    _constraints: tuple[Constraint, ...] = ()
    """Those that actions have set, in order."""

    def __post_init__(self) -> None:
        self.layout = _with_locks(self.layout, self.locked)
        self._beginning = self.layout

    def do(
        self, action: Action, *, notify: Callable[[str], None] | None = None, stop: Callable[[], bool] | None = None
    ) -> Outcome:
        """Carry out one action, or nothing of it.

        Args:
            notify: called with a line about the progress of a long search, such as placing a whole board.
            stop: called often by long searches; when it returns True, the best so far is carried out.

        Raises:
            BriefError: an unknown part or pad (the closest names are given), or arguments that make no sense.
            InfeasibleError: a locked part would move, or no layout satisfies it (an irreducible set is named).
            CollisionError: parts would collide; has the nearest free place.
        """
        search = Search(lambda: self.constraints, notify or ignore, stop or never)
        return self.carry_out(action.plan(self.layout, search), action)

    def carry_out(self, planned: Plan, action: Action | None = None) -> Outcome:
        """Carry out a plan; where it is that of an action, collisions are refused unless the action allows them.

        Raises:
            CollisionError: as `do`.
        """
        before = self.layout
        after = _with_locks(before.moved(planned.moves) if planned.moves else before, planned.locks)
        names = tuple(dict.fromkeys(move.item for move in planned.moves))
        # A part may go back to where it collided when all began.
        worse = worsened(self._beginning, after, new_collisions(before, after, names))
        hits = {pair: depth for pair, depth in worse.items() if pair[1] != EDGE or pair[0] not in planned.overhanging}
        if hits and action is not None and not action.allow_overlap:
            raise refusal(before, after, planned, hits, action)
        lengths, earlier = self._lengths, self.copy()
        touched = dict.fromkeys(p.net for name in names for item in after.family(name) for p in item.ports if p.net)
        self._lengths = {**lengths, **wire_lengths(after, touched, self._members)}  # those of other nets are the same
        self.layout, self.moves = after, self.moves + planned.moves
        self.locked = {**self.locked, **planned.locks}
        self._constraints += tuple(measured(after, constraint) for constraint in planned.constraints)
        outcome = outcome_of(planned.words, earlier, self, names, hits, planned.note)
        return outcome.model_copy(update={"complete": planned.complete})

    def copy(self) -> Workspace:
        """Return this workspace as it is now, which later actions on either leave as it is."""
        return copy.copy(self)

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Constraints that actions set and no later one has changed."""
        return tuple(holding(self.layout, self._constraints))

    @cached_property
    def _members(self) -> dict[str, tuple[str, ...]]:
        """The items on each net, which no action changes."""
        return members_of(self.layout)

    @cached_property
    def _lengths(self) -> dict[str, float]:
        """The length of the wires of each net, as the layout is now."""
        return wire_lengths(self.layout, members=self._members)

    @property
    def wired(self) -> bool:
        """True if any net joins two pads."""
        return bool(self._lengths)

    @property
    def wire_length(self) -> float:
        """The length of all wires, in units."""
        return math.fsum(self._lengths.values())


def _with_locks(layout: Layout, locks: Mapping[str, bool]) -> Layout:
    changed = [replace(layout[n], locked=lock) for n, lock in locks.items() if layout[n].locked != lock]
    return layout.with_items(changed) if changed else layout


def outcome_of(
    words: str,
    before: Workspace,
    after: Workspace,
    names: Sequence[str],
    hits: Mapping[tuple[str, str], float] | None = None,
    note: str = "",
) -> Outcome:
    """Return how a workspace differs from an earlier one in some items; `hits` are the collisions to list."""
    there = after.layout
    moved = tuple(_moved(before.layout, there, name) for name in names)
    wires = Wires(before=round(before.wire_length, 6), after=round(after.wire_length, 6))
    return Outcome(
        action=words,
        moved=moved,
        clearances=tuple(Clearance(between=pair, distance=_exact(there, d)) for pair, d in clearances(there, names)),
        collisions=tuple(Collision(ref=a, other=b, depth=_exact(there, d)) for (a, b), d in (hits or {}).items()),
        wires=wires if after.wired else None,
        note=note or ("" if moved or before.layout is not there else "nothing moved: it was so already"),
    )


def merged(words: str, outcomes: Sequence[Outcome], before: Workspace, after: Workspace) -> Outcome:
    """Return the outcomes of several actions as one: each part from where it was first to where it is at last."""
    names = tuple(dict.fromkeys(moved.ref for outcome in outcomes for moved in outcome.moved))
    kept = {(hit.ref, hit.other) for outcome in outcomes for hit in outcome.collisions}
    hits = new_collisions(before.layout, after.layout, names) if kept else {}
    hits = {pair: depth for pair, depth in hits.items() if pair in kept or pair[::-1] in kept}
    several = len(outcomes) > 1
    notes = [f"{n}: {o.note}" if several else o.note for n, o in enumerate(outcomes, start=1) if o.note]
    outcome = outcome_of(words, before, after, names, hits, "; ".join(notes))
    return outcome.model_copy(update={"complete": all(outcome.complete for outcome in outcomes)})


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
    """Round to a tenth of a quantum, as a middle may lie half way between two; this hides the noise of fractions."""
    return round(value, 1 - round(math.log10(layout.frame.quantum))) + 0.0


def _slide(layout: Layout, ref: str, place: Point) -> str:
    """Return the way from where a part would be to a place for its middle: `0.003 mm left and 1 mm up`."""
    dx, dy = (there - here for there, here in zip(place, middle(layout.bounds(ref)), strict=True))
    up = dy * layout.frame.up[1] > 0
    ways = ((dx, "right" if dx > 0 else "left"), (dy, "up" if up else "down"))
    return " and ".join(
        f"{abs(d):.6g} {layout.frame.unit} {word}" for d, word in ways if abs(d) >= layout.frame.quantum
    )


MAX_CLEARANCES = 8
"""Clearances that an outcome lists, the tightest."""
MAX_NEIGHBORS = 12
"""Neighbors whose true shapes are measured, the nearest by their boxes."""
MAX_HITS_NAMED = 6
"""Pairs that collide which an error names."""


def clearances(layout: Layout, names: Iterable[str]) -> list[tuple[tuple[str, str], float]]:
    """Return the clear distances from items to their nearest neighbors, each pair once, the tightest first."""
    gaps: dict[frozenset[str], tuple[tuple[str, str], float]] = {}
    for name in dict.fromkeys(layout.root_of(n).name for n in names):
        for other in _nearest(layout, name):
            if frozenset((name, other)) not in gaps and (gap := distance(layout, name, other)) is not None:
                gaps[frozenset((name, other))] = ((name, other), gap)
    return sorted(gaps.values(), key=lambda pair: (pair[1], pair[0]))[:MAX_CLEARANCES]


def distance(layout: Layout, a: str, b: str) -> float | None:
    """Return the clear distance of the shapes that two items claim on a layer; None where they share no layer."""
    mine, theirs = _claimed(layout, a), _claimed(layout, b)
    return min((float(mine[layer].distance(theirs[layer])) for layer in mine if layer in theirs), default=None)


def _claimed(layout: Layout, name: str) -> dict[int, BaseGeometry]:
    return rooms(layout[name]) if layout.frame.solid else {0: layout.whole(name)}


def _nearest(layout: Layout, name: str) -> list[str]:
    """Return the nearest other items by their boxes."""
    row, boxes = layout.rows[name], layout.boxes
    x0, y0, x1, y1 = boxes[row]
    aside = np.maximum(np.maximum(boxes[:, 0] - x1, x0 - boxes[:, 2]), 0.0)
    along = np.maximum(np.maximum(boxes[:, 1] - y1, y0 - boxes[:, 3]), 0.0)
    far = aside * aside + along * along
    far[row] = np.nan
    order = np.argsort(far, kind="stable")[:MAX_NEIGHBORS]
    return [layout.roots[int(i)].name for i in order if np.isfinite(far[i])]


def refusal(
    before: Layout, after: Layout, planned: Plan, hits: Mapping[tuple[str, str], float], action: Action
) -> CollisionError:
    """Return the error for parts that would collide.

    It has the nearest free place of the first of them, the others being where they would be; and where an action
    requests a distance, where else that distance can be had.
    """
    unit, ref = after.frame.unit, next(iter(hits))[0]
    verbs = {pair: "cross the board edge" if pair[1] == EDGE else f"be in {pair[1]}" for pair in hits}
    pairs = tuple(f"{pair[0]} would {verbs[pair]} by {depth:.6g} {unit}" for pair, depth in hits.items())
    group = next((group for group in planned.groups if ref in group), ())
    alone = len({move.item for move in planned.moves}) == 1
    place = None if group else nearest_free(before, after, ref, planned.line if alone else None)
    if group:
        shift = nearest_shift(before, after, group)
        where = "no free place was found for the whole block"
        if shift is not None:
            dx, dy = (number(v, 6) for v in shift)
            where = (
                f"the nearest free place for the whole block is ({dx}, {dy}) {unit} from there: repeat it with "
                f"allow_overlap, then move_by all of it by dx={dx}, dy={dy}"
            )
    elif place is None:
        where = f"no free place was found for {ref}"
    else:
        x, y = (number(v, 7) for v in place)
        where = (
            f"the nearest free place for {ref} is {_slide(after, ref, place)} from there, with its middle at "
            f"({x}, {y}): place_component {ref}"
        )

    if before.frame.solid and (others := action.alternatives(before)):
        where = f"{others}; {where}"
    listed = "; ".join(pairs[:MAX_HITS_NAMED])
    listed += f"; and {len(pairs) - MAX_HITS_NAMED} more" if len(pairs) > MAX_HITS_NAMED else ""
    forced = "" if where.startswith("no free place") else ", or set allow_overlap"
    return CollisionError(f"{planned.words}: {listed}. Nothing was moved; {where}{forced}", pairs, place)
