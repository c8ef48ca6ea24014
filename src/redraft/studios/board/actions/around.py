"""Actions that gather parts around what they connect to: clusters, and decoupling capacitors at their pins."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from redraft.layout.items import Layout
from redraft.studios.board.actions.base import BoardAction
from redraft.studios.board.actions.fields import BESIDE, Gap, Length, Ref, Refs, Side
from redraft.studios.board.actions.measure import (
    MAX_PAIRS_NAMED,
    NM,
    Place,
    Reading,
    apart,
    as_it_was,
    distance_of,
    figures_of,
    middle_of,
    pairs_nearer,
    side_gaps,
    span,
)
from redraft.studios.board.actions.plans import ALONE, Plan, Search, written
from redraft.studios.board.place.blocks import box_of, with_members
from redraft.studios.board.place.clustering import cluster_around
from redraft.studios.board.place.decoupling import decouple, served
from redraft.studios.board.solve.arguments import shortlist
from redraft.text import natural

if TYPE_CHECKING:
    from redraft.studios.board.spec import Carried

MAX_CAPACITORS_NAMED = 12
"""Capacitors that a measurement names."""


class ClusterAround(BoardAction):
    """Put parts around a target, each where it is nearest to what it connects to, `clearance` from all others.

    One that connects to the target is turned in steps of 90° where that is shorter. It stays where it would end
    farther from it, or where its wires would grow by more than it comes nearer.
    """

    action: Literal["cluster_around"] = "cluster_around"
    refs: Refs
    target: Ref | Annotated[tuple[Ref, ...], Field(min_length=1, max_length=100)]
    """A part, a pad ("U1.4"), or several of these."""
    clearance: Length = 0.5
    side: Side | None = None
    """Only at this side; the nearest of all four when left out."""

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        moves, stay = cluster_around(layout, self.refs, self.references, self.clearance, self.side)
        where = f" {BESIDE[self.side]} it" if self.side else ""
        words = (
            f"cluster_around {shortlist(self.refs, 12)} around {shortlist(self.references, 12)}{where}, "
            f"{written(self.clearance)} {layout.frame.unit} from all others"
        )
        verb = "stays" if len(stay) == 1 else "stay"
        note = f"{shortlist(stay, 12)} {verb}: no place is nearer without longer wires" if stay else ""
        return Plan(words, moves, note=note)

    def compared(self, layout: Layout) -> Sequence[str]:
        return sorted(self.moved(layout, {}), key=natural)

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        gaps = tuple(
            min(distance_of(layout, ref, target, "courtyard") for target in self.references) for ref in self.refs
        )
        target = shortlist(self.references, 6)
        violations: list[str] = []
        if self.side is not None:
            goal = box_of(layout, with_members(layout, self.references))
            wrong = [ref for ref in self.refs if side_gaps(layout.bounds(ref), goal, self.side)[0] < -NM]
            violations = [f"{ref} is not {BESIDE[self.side]} {target}" for ref in wrong]
        for ref, gap in zip(self.refs, gaps, strict=True):
            x0, y0, x1, y1 = layout.bounds(ref)
            stayed = ref in carried.was and math.dist(carried.was[ref][:2], middle_of(layout, ref)) <= NM
            if stayed and gap > self.clearance + max(x1 - x0, y1 - y0):  # another one like it would fit between
                violations.append(f"{ref} was not moved, and is {written(gap)} mm from {target}")
        figures = figures_of(carried, self.clearance, gaps, free=True)
        return Reading(f"{span(gaps)} from {target}", figures, tuple(violations))


class Decouple(BoardAction):
    """Put decoupling capacitors at the supply pins that they serve: pin, rotation and place chosen together.

    The loop from the pin through the capacitor to the nearest ground pad becomes as short as it can, small values
    first. None ends farther from a pin of its supply than now; one that cannot come nearer, and a locked one, stays.
    """

    action: Literal["decouple"] = "decouple"
    target: Ref
    """A part, or one of its pads ("U1.4")."""
    refs: Annotated[tuple[Ref, ...], Field(max_length=500)] = ()
    """The capacitors; those that serve the target, when empty."""
    clearance: Gap = 0.0
    """Between the courtyards; copper always keeps the board's clearances."""
    side: Literal["same", "other"] | None = None
    """Of the board: where the target lies, or the other one. Left out, each keeps its side, and unplaced ones go to
    the target's."""

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        placed = decouple(layout, self.target, self.refs, self.clearance, self.side)
        capacitors = f" with {shortlist(self.refs, 12)}" if self.refs else ""
        where = f", on the {self.side} side" if self.side else ""
        return Plan(f"decouple {self.target}{capacitors}{where}", placed.moves, note=placed.note)

    def parts(self, layout: Layout, was: Mapping[str, Place]) -> tuple[str, ...]:
        if self.refs:
            return super().parts(layout, was)
        # Those that served the target when it was carried out; nearer ones may serve it now.
        capacitors = was or [one.capacitor for one in served(layout, self.target)]
        return with_members(layout, (*capacitors, self.target))

    def compared(self, layout: Layout) -> Sequence[str]:
        return sorted(self.moved(layout, {}), key=natural)

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        """Find capacitors that are farther from a pin of their supply than before, or newly over another part."""
        ways = self.supply_ways(layout, carried)
        far = [
            f"{way.capacitor} is {written(way.after)} mm from {way.pin}, farther than before ({written(way.before)} mm)"
            for way in ways
            if way.after > way.before + NM
        ]
        moved = [way.capacitor for way in ways if way.moved]
        over: list[str] = []
        if moved:
            before = {(a, b) for a, b, _ in pairs_nearer(as_it_was(layout, carried.was), moved, 0.0)}
            over = [f"{a} and {b} overlap" for a, b, _ in pairs_nearer(layout, moved, 0.0) if (a, b) not in before]
        words = [f"{way.capacitor} at {way.pin} {written(way.before)} to {written(way.after)} mm" for way in ways]
        violations = (*far[:MAX_PAIRS_NAMED], *over[:MAX_PAIRS_NAMED])
        return Reading(shortlist(words, MAX_CAPACITORS_NAMED), violations=violations)

    def supply_ways(self, layout: Layout, carried: Carried) -> list[SupplyWay]:
        """Return how far the capacitors lay from a pin of their supply before, and lie now."""
        before, ways = as_it_was(layout, carried.was), list[SupplyWay]()
        owner, _, pad = (self.target, "", "") if self.target in layout else self.target.rpartition(".")
        for one in served(layout, self.target, tuple(carried.was)):
            pins = [port for port in layout[owner].ports if port.net == one.net and pad in ("", port.name)]
            was, now = (
                min(
                    (mine.distance(pin), pin.name)
                    for mine in there[one.capacitor].ports
                    for pin in pins
                    if mine.net == one.net
                )
                for there in (before, layout)
            )
            item, (x, y, rotation, layer) = layout[one.capacitor], carried.was[one.capacitor]
            turned = (item.rotation, item.layer) != (rotation, layer)
            moved = turned or apart(middle_of(layout, item.name), (x, y)) > NM
            ways.append(SupplyWay(one.capacitor, f"{owner}.{now[1]}", was[0], now[0], item.rotation, moved))
        return ways


@dataclass(frozen=True)
class SupplyWay:
    """The way from a capacitor to a supply pin: pad to pad, in millimeters, before an action and now."""

    capacitor: str
    pin: str
    before: float
    after: float
    rotation: float
    moved: bool
