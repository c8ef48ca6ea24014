"""Actions on a whole board, which search: placing many components at once, and legalizing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from shapely import box

from redraft.layout.items import Layout
from redraft.studios.board.actions.base import BoardAction
from redraft.studios.board.actions.fields import Angle, Corner, Gap, Length, Ref, Refs, Side
from redraft.studios.board.actions.measure import (
    ANGLE_TOLERANCE,
    MAX_PAIRS_NAMED,
    NM,
    Figure,
    Place,
    Reading,
    distance_of,
    edge_gap,
    middle_of,
    pads_of,
    pairs_nearer,
    place_of,
    turn_between,
)
from redraft.studios.board.actions.plans import ALONE, Plan, Search, written
from redraft.studios.board.place.circuit import circuit_of
from redraft.studios.board.place.netlist import beside
from redraft.studios.board.solve.arguments import block_of, shortlist
from redraft.studios.board.wires import wire_lengths

if TYPE_CHECKING:
    from redraft.studios.board.spec import Carried

AT_EDGE = 2.0
"""Millimeters from an edge within which a component lies at it, where no number is stated."""
LEGALIZE_EFFORT = 0.1
"""Deterministic seconds: about one of the clock in each window, so that one may wait for it."""
SIDES: Sequence[Side] = ("left", "right", "top", "bottom")


class Legalise(BoardAction):
    """Shift parts as little as possible until nothing collides, keeping what the actions before it set."""

    action: Literal["legalise"] = "legalise"
    refs: Annotated[tuple[Ref, ...], Field(max_length=500)] = ()
    """Those that may move; when empty, the parts that collide now and are not locked."""
    clearance: Length = 0.0

    sets_places: ClassVar[bool | None] = False

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        from redraft.studios.board.solve.legalize import Demands, legalize, legalize_board  # loads OR-tools

        if layout.frame.solid:
            demands = Demands(gap=self.clearance, effort=LEGALIZE_EFFORT, constraints=tuple(search.constraints()))
            solution = legalize_board(layout, self.refs, demands)
        else:
            solution = legalize(layout, self.refs or None, gap=self.clearance, effort=LEGALIZE_EFFORT)
        words = f"legalise {shortlist(self.refs, 12) or 'all that collides'}"
        return Plan(words, solution.moves, note=solution.note)

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        """Find overlaps on one side of the board: of those named with any, else of all."""
        # Beside the board nothing is legal; of a board as a whole, only if nothing lies on it.
        out = [ref for ref in beside(layout) if not self.refs or ref in self.refs]
        if out and (self.refs or len(out) == len(layout.roots)):
            return Reading("beside the board", violations=(f"{shortlist(out, MAX_PAIRS_NAMED)} beside the board",))
        least = max(self.clearance, carried.at_least or 0.0)
        near = list(pairs_nearer(layout, self.refs, least))
        overlaps = [f"{a} and {b} overlap" for a, b, gap in near if gap < -NM]
        if len(overlaps) > MAX_PAIRS_NAMED:
            overlaps[MAX_PAIRS_NAMED:] = [f"and {len(overlaps) - MAX_PAIRS_NAMED} more pairs"]
        if not least:
            return Reading("no overlap", violations=tuple(overlaps))
        tight = min((max(gap, 0.0) for *_, gap in near), default=least)
        return Reading(f"{written(tight)} mm apart or more", (Figure(least, (tight,), "at_least"),), tuple(overlaps))


class _Wish(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class PlaceGroup(_Wish):
    """Components that belong together."""

    name: Ref
    refs: Refs
    """Components, or a sheet or group of the board by name."""
    weight: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)] = 1.0
    """1 is that of one wire."""

    def measured(self, layout: Layout) -> Reading:
        """Compare how far its components scatter with the board's components as a whole, locked ones left out."""
        off = set(beside(layout))
        members = [ref for ref in members_of(layout, self.refs) if ref not in off and not layout[ref].locked]
        if len(members) < 2:
            return Reading()
        everything = [item.name for item in layout.roots if item.claims and item.name not in off]
        scatter = _scatter(layout, members)
        apart = len(members) < len(everything) / 2 and scatter > _scatter(layout, everything)
        words = f"{self.name} {written(round(scatter, 3))} mm around its middle"
        return Reading(words, violations=(f"{self.name} is not together",) if apart else ())


class PlaceAnchor(_Wish):
    """Place of one component: give one of edge, corner, center, near and apart. Anchors at two edges fix a point."""

    ref: Ref
    edge: Side | Literal["any"] | None = None
    """"any" is the edge that suits the wires best."""
    center: bool = False
    """About the middle of the board; with `edge`, in the middle of that edge."""
    corner: Corner | None = None
    near: Ref | None = None
    """A component or a pad ("U1.4")."""
    apart: Ref | None = None
    """A component."""
    distance: Gap | None = None
    """Exactly, from the edge or from both edges of a corner; at most, with `near`; at least, with `apart`."""

    @model_validator(mode="after")
    def _one(self) -> Self:
        stated = sum(wish is not None for wish in (self.edge, self.corner, self.near, self.apart))
        if stated + (self.center and self.edge is None) != 1:
            raise ValueError(f"the anchor of {self.ref} has to have exactly one of edge, corner, center, near, apart")
        if self.apart is not None and self.distance is None:
            raise ValueError(f"{self.ref} apart from {self.apart}: a distance is missing")
        return self

    def measured(self, layout: Layout) -> Reading:
        if self.near is not None:
            gap = self._gap_to(layout, self.near)
            figures = () if self.distance is None else (Figure(self.distance, (gap,), "at_most"),)
            return Reading(f"{self.ref} {written(gap)} mm from {self.near}", figures)
        if self.apart is not None:
            gap = distance_of(layout, self.ref, self.apart, "courtyard")
            figure = Figure(self.distance or 0.0, (gap,), "at_least")
            return Reading(f"{self.ref} {written(gap)} mm from {self.apart}", (figure,))
        if self.center and self.edge is None:
            x0, y0, x1, y1 = layout.bounds(self.ref) if layout.area is None else layout.area.bounds
            off = math.dist(middle_of(layout, self.ref), ((x0 + x1) / 2, (y0 + y1) / 2))
            shares = _shares(layout, self.ref)
            wrong = not all(1 / 3 <= shares[side] <= 2 / 3 for side in ("left", "top"))
            words = f"{self.ref} {written(round(off, 3))} mm from the middle of the board"
            return Reading(words, violations=(f"{self.ref} is not in the middle of the board",) if wrong else ())
        return self._at_edges(layout)

    def _gap_to(self, layout: Layout, target: str) -> float:
        """Return the gap from pad to pad on one net, where the target is a pad; else between what both claim."""
        if target in layout:
            return distance_of(layout, self.ref, target, "courtyard")
        pads = pads_of(layout, target, "pad")
        nets = {pad.net for pad in pads} - {""}
        own = [port for port in layout[self.ref].ports if port.net in nets] or [*layout[self.ref].ports]
        gaps = (mine.distance(pad) for mine, pad in product(own, pads))
        return min(gaps, default=distance_of(layout, self.ref, target, "courtyard"))

    def _at_edges(self, layout: Layout) -> Reading:
        """Measure the gaps to one edge, or to both of a corner."""
        edge = min(SIDES, key=lambda side: edge_gap(layout, self.ref, side)) if self.edge == "any" else self.edge
        sides = [edge] if edge else (self.corner or "").split()
        gaps: dict[Side, float] = {side: edge_gap(layout, self.ref, side) for side in SIDES if side in sides}
        figures = () if self.distance is None else tuple(Figure(self.distance, (gap,)) for gap in gaps.values())
        shares = _shares(layout, self.ref)

        violations: list[str] = []
        if self.distance is None and self.corner is not None:
            if not all(shares[side] <= 1 / 3 for side in gaps):  # the ninth of the board at that corner
                violations.append(f"{self.ref} is not in the {self.corner} corner")
        elif self.distance is None and edge and gaps[edge] > AT_EDGE:
            violations.append(f"{self.ref} is not at {'an' if self.edge == 'any' else f'the {edge}'} edge")
        if edge and self.center and not 1 / 3 <= shares["top" if edge in {"left", "right"} else "left"] <= 2 / 3:
            violations.append(f"{self.ref} is not in the middle of the {edge} edge")
        words = [f"{self.ref} {written(gap)} mm from the {side} edge" for side, gap in gaps.items()]
        return Reading(", ".join(words), figures, tuple(violations))


class PlaceKeepout(_Wish):
    """Room that stays free of components: a box, around a component, or along an edge of the board."""

    box: tuple[Length, Length, Length, Length] | None = None
    """x0, y0, x1, y1."""
    around: Ref | None = None
    edge: Side | None = None
    distance: Gap = 1.0
    """Around the component, or inward from the edge."""

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(wish is not None for wish in (self.box, self.around, self.edge)) != 1:
            raise ValueError("a keepout has exactly one of box, around (a component) and edge")
        return self

    def measured(self, layout: Layout, movable: set[str]) -> Reading:
        """Find components in the room: around a component those on its side; elsewhere those that could move."""
        others = [item for item in layout.roots if item.claims and not layout.whole(item.name).is_empty]
        if self.around is not None:
            own = layout[self.around]
            near = [item for item in others if item.layer == own.layer and item.name != own.name]
            gap = min((float(own.shape.distance(item.shape)) for item in near), default=self.distance)
            gap = min(gap, self.distance)
            words = f"nothing within {written(round(gap, 6))} mm of {self.around}"
            return Reading(words, (Figure(self.distance, (gap,)),))

        if self.box is not None:
            room = box(*self.box)
            inside = [item.name for item in others if item.shape.intersection(room).area > NM]
            wrong = [name for name in inside if name in movable]
            words = _staying(inside, movable, "in the box")
            named = shortlist(wrong, MAX_PAIRS_NAMED)
            return Reading(words, violations=(f"{named} in the box that had to stay free",) if wrong else ())

        assert self.edge is not None
        gaps = {item.name: edge_gap(layout, item.name, self.edge) for item in others}
        inside = [name for name, gap in gaps.items() if gap < self.distance - NM]
        wrong = [name for name in inside if name in movable]
        gap = min((max(gaps[name], 0.0) for name in wrong), default=self.distance)
        words = [
            _staying(inside, movable, f"along the {self.edge} edge"),
            f"nothing placed within {written(round(gap, 6))} mm of the {self.edge} edge",
        ]
        named = shortlist(wrong, MAX_PAIRS_NAMED)
        return Reading(
            ", ".join(filter(None, words)),
            (Figure(self.distance, (gap,)),),
            (f"{named} nearer to the {self.edge} edge",) if wrong else (),
        )


class PlaceOverhang(_Wish):
    """A component whose box sticks out over the board's edge: an edge connector."""

    ref: Ref
    edge: Side | Literal["any"]
    distance: Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]

    def measured(self, layout: Layout) -> Reading:
        edge = self.edge
        if edge == "any":  # the one over which it sticks out by what is nearest to the wish
            edge = min(SIDES, key=lambda side: abs(edge_gap(layout, self.ref, side) + self.distance))
        gap = -edge_gap(layout, self.ref, edge)
        return Reading(f"{self.ref} {written(gap)} mm over the {edge} edge", (Figure(self.distance, (gap,)),))


class PlaceAll(BoardAction):
    """Place many components at once: short wires, nothing overlaps, all on the board. What the board says by itself
    (which capacitor serves which pin, crystals, sheets) is heeded; the fields add what is wished beside that."""

    action: Literal["place_all"] = "place_all"
    refs: Annotated[tuple[Ref, ...], Field(max_length=5000)] = ()
    """Components, or sheets and groups by name; when empty, all that are not placed yet."""
    replace: bool = False
    """With empty refs: also those that are placed and not locked, but for connectors and mounting holes."""
    start: Literal["anew", "here"] = "anew"
    """"here" keeps the placement and only shortens its wires."""
    groups: Annotated[tuple[PlaceGroup, ...], Field(max_length=100)] = ()
    anchors: Annotated[tuple[PlaceAnchor, ...], Field(max_length=500)] = ()
    turns: dict[Ref, Annotated[tuple[Angle, ...], Field(min_length=1, max_length=8)]] = Field(
        default_factory=dict[str, tuple[float, ...]]
    )
    """Rotations that a component may have."""
    sides: dict[Ref, Literal["front", "back"]] = Field(default_factory=dict[str, Literal["front", "back"]])
    loops: Annotated[tuple[Refs, ...], Field(max_length=20)] = ()
    """Components or pads of critical loops, the most important loop first: kept tight."""
    keep: Annotated[tuple[Ref, ...], Field(max_length=5000)] = ()
    """Those that must not move. Locked components never do."""
    keepouts: Annotated[tuple[PlaceKeepout, ...], Field(max_length=100)] = ()
    overhang: Annotated[tuple[PlaceOverhang, ...], Field(max_length=50)] = ()
    effort: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)] | None = None
    """1 is usual; more takes longer and gives shorter wires."""
    seed: Annotated[int, Field(ge=0, le=2**31)] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        anchors = [name for wish in self.anchors for name in (wish.ref, wish.near, wish.apart) if name is not None]
        around = [keepout.around for keepout in self.keepouts if keepout.around is not None]
        together = [name for names in (*(group.refs for group in self.groups), *self.loops) for name in names]
        overhanging = [wish.ref for wish in self.overhang]
        names = [*self.refs, *anchors, *overhanging, *self.turns, *self.sides, *around, *together, *self.keep]
        return tuple(dict.fromkeys(names))

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        from redraft.studios.board.place.goals import arranged  # loads SciPy

        goal = arranged(layout, self, search.notify, search.stop)
        return Plan(goal.words, goal.moves, note=goal.note, overhanging=goal.overhanging, complete=goal.complete)

    def check_names(self, layout: Layout) -> None:
        """Check nothing: its plan does, which knows sheets and groups by their short names."""

    def parts(self, layout: Layout, was: Mapping[str, Place]) -> tuple[str, ...]:
        """Return the components that do not lie where they were."""
        pairs = ((ref, place_of(layout, ref), place) for ref, place in was.items() if ref in layout)
        return tuple(ref for ref, now, place in pairs if _rounded(now) != _rounded(place))

    def compared(self, layout: Layout) -> Sequence[str]:
        return [item.name for item in layout.roots if item.claims and not item.shape.is_empty]

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        """Measure that all of it is on the board, apart, and where each wish has it, and the wires before and now."""
        moved = self.parts(layout, carried.was)
        keep = members_of(layout, self.keep)
        readings = [
            Reading(f"{len(moved)} placed", violations=tuple(self._misplaced(layout, carried, moved))),
            *(wish.measured(layout) for wish in (*self.anchors, *self.overhang)),
            *(_turned(layout, ref, turns) for ref, turns in self.turns.items()),
            *(_on_side(layout, ref, side) for ref, side in self.sides.items()),
            *(group.measured(layout) for group in self.groups),
        ]

        free = {*moved, *members_of(layout, self.refs)}
        if self.keepouts and not self.refs and (self.replace or self.start == "here"):
            circuit = circuit_of(layout)
            stay = {*circuit.connectors, *circuit.mounting_holes, *circuit.fiducials}
            free |= {item.name for item in layout.roots if not item.locked and item.name not in stay}
        free -= {*keep} - {*moved}
        readings += [keepout.measured(layout, free) for keepout in self.keepouts]

        if carried.length is not None:
            now = math.fsum(wire_lengths(layout).values())
            more = now - carried.length
            longer = self.start == "here" and more > NM
            wrong = (f"the wires are {written(round(more, 3))} mm longer than before",) if longer else ()
            readings.append(Reading(f"wires {written(round(now, 3))} mm", violations=wrong))
        return Reading(
            ", ".join(filter(None, (reading.words for reading in readings))),
            tuple(figure for reading in readings for figure in reading.figures),
            tuple(violation for reading in readings for violation in reading.violations),
        )

    def _misplaced(self, layout: Layout, carried: Carried, moved: Sequence[str]) -> Iterator[str]:
        """Say what found no room, overlaps, reaches over the edge without a wish for it, or had to stay."""
        off, keep = set(beside(layout)), members_of(layout, self.keep)
        requested = (set(members_of(layout, self.refs)) or carried.was.keys()) - set(keep)
        homeless = [ref for ref in beside(layout) if ref in requested and not layout[ref].locked]
        if homeless:
            area = sum(layout[ref].shape.area for ref in homeless)
            named = shortlist(homeless, MAX_PAIRS_NAMED)
            yield f"{len(homeless)} beside the board, for which no room was found ({named}; {area:.0f} mm²)"

        # At least one of each pair was moved; what is only drawn, such as a logo, takes no room.
        placed = [ref for ref in moved if ref not in off]
        pairs = [(a, b) for a, b, gap in pairs_nearer(layout, placed, 0.0) if gap < -NM] if placed else []
        pairs = [(a, b) for a, b in pairs if layout[a].claims and layout[b].claims and not {a, b} & off]
        yield from (f"{a} and {b} overlap" for a, b in pairs[:MAX_PAIRS_NAMED])
        if len(pairs) > MAX_PAIRS_NAMED:
            yield f"and {len(pairs) - MAX_PAIRS_NAMED} more pairs overlap"

        if layout.area is not None:
            over, room = {wish.ref for wish in self.overhang}, layout.area.buffer(NM)
            out = [ref for ref in placed if ref not in over and not room.covers(layout[ref].shape)]
            if out:
                yield f"{shortlist(out, MAX_PAIRS_NAMED)} not wholly on the board"
        if gone := [ref for ref in keep if ref in moved]:
            yield f"{shortlist(gone, MAX_PAIRS_NAMED)} moved, and had to stay"


def members_of(layout: Layout, names: Sequence[str]) -> list[str]:
    """Return parts by name, and those of the sheets and groups that are named."""
    parts = [part for name in names for part in ((name,) if name in layout else block_of(layout, name))]
    return [part for part in parts if part in layout]


def _rounded(place: Place) -> tuple[float, ...]:
    return tuple(round(value, 5) for value in place)


def _turned(layout: Layout, ref: str, turns: Sequence[float]) -> Reading:
    now = layout[ref].rotation
    figures = [Figure(turn, (now,), angle=True) for turn in turns if abs(turn_between(now, turn)) <= ANGLE_TOLERANCE]
    return Reading("", tuple(figures), () if figures else (f"{ref} is turned to {written(now)}°",))


def _on_side(layout: Layout, ref: str, side: str) -> Reading:
    there = layout[ref].layer == (1 if side == "front" else 0)
    return Reading(violations=() if there else (f"{ref} is not on the {side}",))


def _staying(inside: Sequence[str], movable: set[str], where: str) -> str:
    """Say what lies in a room that stays free, and was not to be moved out of it."""
    names = [name for name in inside if name not in movable]
    verb = "stays" if len(names) == 1 else "stay"
    return f"{shortlist(names, MAX_PAIRS_NAMED)} {where} {verb}" if names else ""


def _shares(layout: Layout, ref: str) -> dict[Side, float]:
    """Return how far the middle of a part is from each edge of the board, as a share of the board's size."""
    if layout.area is None:
        return dict.fromkeys(SIDES, math.nan)  # in no third of it
    x0, y0, x1, y1 = layout.area.bounds
    x, y = middle_of(layout, ref)
    wide, high = x1 - x0, y1 - y0
    return {"left": (x - x0) / wide, "right": (x1 - x) / wide, "top": (y - y0) / high, "bottom": (y1 - y) / high}


def _scatter(layout: Layout, refs: Sequence[str]) -> float:
    """Return the mean distance of parts from the middle of them all."""
    at = [middle_of(layout, ref) for ref in refs]
    x, y = (math.fsum(place[k] for place in at) / len(at) for k in (0, 1))
    return math.fsum(math.dist(place, (x, y)) for place in at) / len(at)
