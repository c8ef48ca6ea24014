"""Actions on a layout, as data: what a model writes, a tool takes and a person types.

One union serves the board's action lists, the MCP tools and the Python API; `workspace.Workspace.do` carries them out.
Lengths are in the layout's unit, edge to edge; angles in degrees, counter-clockwise as seen. Nobody computes a
coordinate: `place_component` is for who has one already.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

Side = Literal["left", "right", "top", "bottom"]
"""Of the frame's axes, whichever way a part is turned."""
Corner = Annotated[
    Literal["top left", "top right", "bottom left", "bottom right"],
    BeforeValidator(lambda value: re.sub("[_-]", " ", value) if isinstance(value, str) else value),
]
"""Of the board; `top_left` and `top-left` are read too."""
Along = Literal["center", "start", "end"]
"""Across the direction: centres in line, or the left (upper) edges, or the right (lower) edges."""
Measured = Literal["courtyard", "body", "pad"]
"""Between what a distance is measured: the room that parts claim, the parts themselves, or their pads."""

EDGE = "edge"
"""The target of `move_block` that is the board's edge."""

Ref = Annotated[str, Field(min_length=1, max_length=200)]
Refs = Annotated[tuple[Ref, ...], Field(min_length=1, max_length=500)]
Length = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]
Angle = Annotated[float, Field(ge=-360, le=360, allow_inf_nan=False)]


class _Act(BaseModel):
    # Not strict: a client that writes 1 for 1.0, or a list for a tuple, means the same. Unknown keys are refused.
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    allow_overlap: bool = False
    """Carry it out even if parts then collide; otherwise it is refused, with the nearest free place."""


class PlaceRelative(_Act):
    """Put a part at a side of another one, or of one of its pads, exactly `clearance` away."""

    action: Literal["place_relative"] = "place_relative"
    ref: Ref
    target: Ref
    """A part ("U1"), or a pad ("U1.4"): then the distance is from that pad to the nearest pad of `ref`."""
    side: Side = "right"
    clearance: Length = 0.5
    align: Along = "center"
    measure: Measured = "courtyard"
    rotation: Angle | None = None
    """Turn it to so many degrees first; as it lies when left out."""


class PlaceComponent(_Act):
    """Put the middle of a part's box at a point; turn it first, if a rotation is given."""

    action: Literal["place_component"] = "place_component"
    ref: Ref
    x: Length
    y: Length
    rotation: Angle | None = None


class MoveBy(_Act):
    """Shift parts by a distance along each axis."""

    action: Literal["move_by"] = "move_by"
    refs: Refs
    dx: Length = 0.0
    dy: Length = 0.0


class Align(_Act):
    """Bring parts in line: a row for axis "x" (same y), a column for "y" (same x). The first stays, or the locked."""

    action: Literal["align"] = "align"
    refs: Refs
    axis: Literal["x", "y"] = "x"
    edge: Along = "center"


class Distribute(_Act):
    """Space parts evenly, edge to edge, in the order in which they lie. Without `spacing` both ends stay."""

    action: Literal["distribute"] = "distribute"
    refs: Refs
    spacing: Length | None = 0.5
    axis: Literal["x", "y"] | None = None
    """Along which they are spaced; the one along which they spread further, when left out."""


class Stack(_Act):
    """Put parts one after another in the order given, centres in line; the first stays."""

    action: Literal["stack"] = "stack"
    refs: Refs
    direction: Literal["left", "right", "up", "down"] = "down"
    spacing: Length = 0.5


class Rotate(_Act):
    """Turn parts, each about its own position."""

    action: Literal["rotate"] = "rotate"
    refs: Refs
    by: Angle | None = None
    """By so much; or `to`, never both."""
    to: Angle | None = None


class Swap(_Act):
    """Exchange the places of two parts (of the middles of their boxes)."""

    action: Literal["swap"] = "swap"
    ref: Ref
    other: Ref


class ClusterAround(_Act):
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


class Decouple(_Act):
    """Put decoupling capacitors at the supply pins that they serve: pin, rotation and place chosen together.

    The loop from the pin through the capacitor to the nearest ground pad becomes as short as it can, small values
    first. None ends farther from a pin of its supply than now; one that cannot come nearer, and a locked one, stays.
    """

    action: Literal["decouple"] = "decouple"
    target: Ref
    """A part, or one of its pads ("U1.4")."""
    refs: Annotated[tuple[Ref, ...], Field(max_length=500)] = ()
    """The capacitors; those that serve the target, when empty."""
    clearance: Annotated[float, Field(ge=0, le=10_000, allow_inf_nan=False)] = 0.0
    """Between the courtyards; copper always keeps the board's clearances."""
    side: Literal["same", "other"] | None = None
    """Of the board: where the target lies, or the other one. Left out, each keeps its side, and unplaced ones go to
    the target's."""


class MoveBlock(_Act):
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


class CopyBlock(_Act):
    """Give blocks of the same circuit (channels) the inner placement of one of them.

    Each is put together around its own largest part, which stays; or, with `direction`, beside the source.
    """

    action: Literal["copy_block"] = "copy_block"
    source: Ref
    onto: Refs
    direction: Literal["left", "right", "up", "down"] | None = None
    """Stack the copies from the source in this direction, in the order given."""
    spacing: Length = 1.0
    """Between the boxes of the blocks, with `direction`."""


class MoveToEdge(_Act):
    """Bring a part to the edge of the board: its box touches the edge, or keeps `clearance` from it."""

    action: Literal["move_to_edge"] = "move_to_edge"
    ref: Ref
    edge: Side
    clearance: Length = 0.0
    center: bool = False
    """In the middle of that edge; at the part's own place along it otherwise."""


class Flip(_Act):
    """To the other side of the board, mirrored about the part's own position."""

    action: Literal["flip"] = "flip"
    refs: Refs


class Lock(_Act):
    """Hold parts where they are, or let them go. A locked part never moves."""

    action: Literal["lock"] = "lock"
    refs: Refs
    locked: bool = True


class Legalise(_Act):
    """Shift parts as little as possible until nothing collides, keeping what the actions before it set."""

    action: Literal["legalise"] = "legalise"
    refs: Annotated[tuple[Ref, ...], Field(max_length=500)] = ()
    """Those that may move; when empty, the parts that collide now and are not locked."""
    clearance: Length = 0.0


Gap = Annotated[float, Field(ge=0, le=10_000, allow_inf_nan=False)]


class _Wish(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class PlaceGroup(_Wish):
    """Components that belong together."""

    name: Ref
    refs: Refs
    """Components, or a sheet or group of the board by name."""
    weight: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)] = 1.0
    """1 is that of one wire."""


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


class PlaceOverhang(_Wish):
    """A component whose box sticks out over the board's edge: an edge connector."""

    ref: Ref
    edge: Side | Literal["any"]
    distance: Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]


class PlaceAll(_Act):
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


Action = Annotated[
    PlaceRelative
    | PlaceComponent
    | MoveBy
    | Align
    | Distribute
    | Stack
    | Rotate
    | Swap
    | ClusterAround
    | Decouple
    | MoveBlock
    | CopyBlock
    | MoveToEdge
    | Flip
    | Lock
    | Legalise
    | PlaceAll,
    Field(discriminator="action"),
]
"""Any one of them, distinguished by `action`."""

ACTIONS: Mapping[str, type[BaseModel]] = MappingProxyType(
    {
        str(model.model_fields["action"].default): model
        for model in (
            PlaceRelative,
            PlaceComponent,
            MoveBy,
            Align,
            Distribute,
            Stack,
            Rotate,
            Swap,
            ClusterAround,
            Decouple,
            MoveBlock,
            CopyBlock,
            MoveToEdge,
            Flip,
            Lock,
            Legalise,
            PlaceAll,
        )
    }
)
"""Each action's model by its name."""


def refs_of(action: Action) -> tuple[str, ...]:
    """The parts, pads and blocks that an action names, those that it moves first."""
    if isinstance(action, PlaceAll):
        return _refs_of_all(action)
    named = [getattr(action, field, None) for field in ("ref", "other", "refs", "block", "onto", "source", "target")]
    return tuple(
        name
        for found in named
        if found is not None and found != EDGE
        for name in ((found,) if isinstance(found, str) else found)
    )


def _refs_of_all(act: PlaceAll) -> tuple[str, ...]:
    anchors = [name for wish in act.anchors for name in (wish.ref, wish.near, wish.apart) if name is not None]
    around = [keepout.around for keepout in act.keepouts if keepout.around is not None]
    together = [name for names in (*(group.refs for group in act.groups), *act.loops) for name in names]
    overhanging = [wish.ref for wish in act.overhang]
    return tuple(
        dict.fromkeys([*act.refs, *anchors, *overhanging, *act.turns, *act.sides, *around, *together, *act.keep])
    )
