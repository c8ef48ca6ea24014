"""Actions on parts where they are: turning, flipping, and locking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from redraft.layout.items import Layout
from redraft.studios.board.actions.base import BoardAction
from redraft.studios.board.actions.fields import Angle, Refs
from redraft.studios.board.actions.measure import Figure, Reading, is_at, span
from redraft.studios.board.actions.moves import flip, rotate
from redraft.studios.board.actions.plans import ALONE, Plan, Search, written
from redraft.studios.board.place.blocks import target_box, with_members
from redraft.studios.board.solve.arguments import known, shortlist

if TYPE_CHECKING:
    from redraft.studios.board.spec import Carried


class Rotate(BoardAction):
    """Turn parts, each about its own position."""

    action: Literal["rotate"] = "rotate"
    refs: Refs
    by: Angle | None = None
    """By so much; or `to`, never both."""
    to: Angle | None = None

    sets_places: ClassVar[bool | None] = False

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        turn = f"by {written(self.by)}°" if self.by is not None else f"to {written(self.to or 0.0)}°"
        return Plan(f"rotate {shortlist(self.refs, 12)} {turn}", rotate(layout, self.refs, self.by, self.to))

    def compared(self, layout: Layout) -> Sequence[str]:
        return self.parts(layout, {})

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        now = {ref: layout[ref].rotation for ref in carried.was}
        if self.by is None:
            figure = Figure(self.to or 0.0, tuple(now.values()), angle=True)
        else:
            turns = tuple((angle - carried.was[ref][2]) % 360.0 for ref, angle in now.items())
            figure = Figure(self.by, turns, angle=True, unsigned=True)
        return Reading(f"turned to {span([angle % 360.0 for angle in now.values()], '°')}", (figure,))


class Flip(BoardAction):
    """To the other side of the board, mirrored about the part's own position."""

    action: Literal["flip"] = "flip"
    refs: Refs

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        return Plan(f"flip {shortlist(self.refs, 12)}", flip(layout, self.refs))

    def compared(self, layout: Layout) -> Sequence[str]:
        return self.parts(layout, {})

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        stays = carried.measure_only
        wrong = [ref for ref, was in carried.was.items() if (layout[ref].layer == was[3]) is not stays]
        side = "same" if stays else "other"
        violations = tuple(f"{ref} is not on the {side} side as before" for ref in wrong)
        return Reading(f"on the {side} side", violations=violations)


class Lock(BoardAction):
    """Hold parts where they are, or let them go. A locked part never moves."""

    action: Literal["lock"] = "lock"
    refs: Refs
    locked: bool = True

    sets_places: ClassVar[bool | None] = False

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        names = known(layout, with_members(layout, self.refs))
        words = f"{'lock' if self.locked else 'unlock'} {shortlist(self.refs, 12)}"
        return Plan(words, locks=dict.fromkeys(names, self.locked))

    def check_names(self, layout: Layout) -> None:
        for name in self.refs:
            target_box(layout, name)

    def compared(self, layout: Layout) -> Sequence[str]:
        return self.parts(layout, {})

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        if not self.locked:
            return Reading("free to move")
        violations = tuple(
            f"{ref} is not where it was" for ref, was in carried.was.items() if not is_at(layout, ref, was)
        )
        return Reading("where they were" if len(carried.was) > 1 else "where it was", violations=violations)
