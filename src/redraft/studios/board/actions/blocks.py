"""Actions on blocks, the parts of a sheet or a group: moved as one rigid body, or placed like another block."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field
from shapely import STRtree
from shapely.geometry import Point

from redraft.layout.items import Bounds, Layout
from redraft.studios.board.actions.base import BoardAction
from redraft.studios.board.actions.fields import BESIDE, SIDE_OF, Along, Corner, Direction, Length, Ref, Refs, Side
from redraft.studios.board.actions.measure import (
    MAX_PAIRS_NAMED,
    Figure,
    Place,
    Reading,
    figures_of,
    middle_of,
    places_of,
    rigid_motion,
    side_gaps,
    span,
)
from redraft.studios.board.actions.plans import ALONE, Plan, Search, written
from redraft.studios.board.place.blocks import (
    EDGE,
    box_of,
    copy_block,
    corresponding,
    members,
    move_block,
    rigid,
    target_box,
)
from redraft.studios.board.solve.arguments import shortlist
from redraft.text import natural

if TYPE_CHECKING:
    from redraft.studios.board.spec import Carried


class MoveBlock(BoardAction):
    """Move the parts of a sheet or group as one rigid body: turn it, flip it, put it at a side of something."""

    action: Literal["move_block"] = "move_block"
    block: Ref | None = None
    """A sheet ("/power/") or a group of the board; or give `refs`."""
    refs: Annotated[tuple[Ref, ...], Field(max_length=5000)] = ()
    target: Ref | None = None
    """A part, a pad ("U1.4"), another block, or "edge": that of the board. Left out, the block keeps its middle."""
    side: Side | Corner | None = None
    """Of the target, the nearest free one when left out; a corner, such as "top left", only with "edge"."""
    clearance: Length = 0.5
    """From the box of all its courtyards to that of the target."""
    align: Along | None = None
    """As in `place_relative`; left out, centers in line, and along an edge as it lies."""
    rotation: Literal[0, 90, 180, 270] = 0
    """Turn the whole block by so much, counter-clockwise."""
    flip: bool = False
    """To the other side of the board, mirrored as a whole, before it is turned."""

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        names = rigid(layout, self)
        moves = move_block(layout, self)
        words = f"move_block {self.block or shortlist(self.refs, 12)}"
        if self.target is not None:
            words += f" {written(self.clearance)} {layout.frame.unit}"
            if self.target == EDGE:
                side = self.side or "nearest"
                words += f" from the {side} {'corner' if ' ' in side else 'edge'}"
            else:
                words += f" {BESIDE[self._sides[0]] if self._sides else 'beside'} {self.target}"
        words += ", flipped" if self.flip else ""
        words += f", turned by {self.rotation}°" if self.rotation else ""
        return Plan(words, moves, note=_tracks_left(layout, names), groups=(names,))

    def check_names(self, layout: Layout) -> None:
        for name in self.names:
            if name == self.block:
                members(layout, name)
            else:
                target_box(layout, name)

    def compared(self, layout: Layout) -> Sequence[str]:
        return sorted(self.moved(layout, {}), key=natural)

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        names = list(carried.was)
        odd, turn, flipped = rigid_motion([*carried.was.values()], [*places_of(layout, names).values()])
        violations = [f"{names[i]} does not lie as before within the block" for i in odd[:MAX_PAIRS_NAMED]]
        figures: list[Figure] = []
        if not carried.measure_only:
            figures.append(Figure(float(self.rotation), (turn,), angle=True, unsigned=True))
            if flipped is not self.flip:
                violations.append(f"the block is on the {'other' if flipped else 'same'} side")
        words = "inner placement as before"
        if self.target is not None:
            gaps = self._gaps(layout, self.target, box_of(layout, names))
            figures += figures_of(carried, self.clearance, gaps)
            words += f", {span(gaps)} from {'the edge' if self.target == EDGE else self.target}"
        return Reading(words, tuple(figures), tuple(violations))

    def _gaps(self, layout: Layout, target: str, mine: Bounds) -> tuple[float, ...]:
        """Return the gaps to the target: two in a corner; of sides that were left open the one that fits best."""
        if target != EDGE:
            theirs = target_box(layout, target)[0]
            return (max(side_gaps(mine, theirs, side)[0] for side in self._sides or BESIDE),)
        x0, y0, x1, y1 = layout.frame.bounds if layout.area is None else layout.area.bounds
        gaps = {"left": mine[0] - x0, "right": x1 - mine[2], "top": mine[1] - y0, "bottom": y1 - mine[3]}
        return tuple(gaps[side] for side in self._sides) or (
            min(gaps.values(), key=lambda gap: abs(gap - self.clearance)),
        )

    @property
    def _sides(self) -> list[Side]:
        """The one side that is named, the two of a corner, or none."""
        return [side for side in BESIDE if side in (self.side or "").split()]


class CopyBlock(BoardAction):
    """Give blocks of the same circuit (channels) the inner placement of one of them.

    Each is put together around its own largest part, which stays; or, with `direction`, beside the source.
    """

    action: Literal["copy_block"] = "copy_block"
    source: Ref
    onto: Refs
    direction: Direction | None = None
    """Stack the copies from the source in this direction, in the order given."""
    spacing: Length = 1.0
    """Between the boxes of the blocks, with `direction`."""

    @property
    def references(self) -> tuple[str, ...]:
        return (self.source,)

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        moves, groups = copy_block(layout, self)
        words = f"copy_block {self.source} onto {shortlist(self.onto, 12)}"
        if self.direction is not None:
            words += f", {self.direction}, {written(self.spacing)} {layout.frame.unit} apart"
        note = _tracks_left(layout, [name for group in groups for name in group])
        return Plan(words, moves, note=note, groups=groups)

    def check_names(self, layout: Layout) -> None:
        for name in self.names:
            members(layout, name)

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        """Find parts of copies that do not lie within their block as in the source, to the nanometer."""
        violations: list[str] = []
        for onto in self.onto:
            pairs = [*corresponding(layout, self.source, onto).items()]
            mine, theirs = ([_origin(layout, pair[k]) for pair in pairs] for k in (0, 1))
            odd, _, _ = rigid_motion(mine, theirs)
            violations += [
                f"{pairs[i][1]} does not lie as {pairs[i][0]} does in {self.source}" for i in odd[:MAX_PAIRS_NAMED]
            ]
        figures: tuple[Figure, ...] = ()
        if self.direction is not None:
            boxes = [box_of(layout, members(layout, name)) for name in (self.source, *self.onto)]
            gaps = tuple(side_gaps(b, a, SIDE_OF[self.direction])[0] for a, b in pairwise(boxes))
            figures = figures_of(carried, self.spacing, gaps)
        return Reading(f"{shortlist(self.onto, 6)} as {self.source}", figures, tuple(violations))


def _origin(layout: Layout, name: str) -> Place:
    """Return where a part lies by its own position, which the shape of its box does not change."""
    item = layout[name]
    return (*(item.origin or middle_of(layout, name)), item.rotation, item.layer)


def _tracks_left(layout: Layout, names: Sequence[str]) -> str:
    """Say how many tracks end at the pads of parts that move: tracks stay."""
    if layout.fixtures is None or not names:
        return ""
    pads = [port for name in names for port in layout[name].ports if port.net]
    count = 0
    if pads:
        tree = STRtree([port.shape for port in pads])
        for track in layout.fixtures(box_of(layout, names)):
            if track.kind == "track" and track.net and track.ends:
                under: list[int] = tree.query([Point(end) for end in track.ends], "intersects")[1].tolist()
                count += any(pads[i].net == track.net for i in under)
    if count == 1:
        return "1 track ends at its pads and stays where it is"
    return f"{count} tracks end at its pads and stay where they are" if count else ""
