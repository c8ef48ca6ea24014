"""The microscope: a window of a layout in exact numbers, under 2,000 tokens, for placing parts.

Everything in the window is mentioned, not only the named parts. A `_Maker` buys facts in order of importance until the
token budget is spent: the named parts with all their pads, gaps, airwires, tracks, then the parts around. Less
important parts lose their pads, then are reduced to their box, then to a count; `ask` says how to see the rest.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, Protocol

import numpy as np
import shapely

from redraft.errors import BriefError
from redraft.layout.items import Bounds, Fixture, Layout, Point, Port, bounds_of
from redraft.studios.board.solve.collisions import COPPER
from redraft.studios.board.views.facts import (
    Also,
    Box,
    Context,
    Fact,
    Fixtures,
    Gap,
    LeftOut,
    NoGo,
    Pad,
    Part,
    View,
    Viewport,
)
from redraft.studios.board.views.free import free_rectangles
from redraft.studios.board.views.gaps import EDGE, Measure, between, exact, to_edge
from redraft.studios.board.views.pads import net_of, ranked_pads
from redraft.studios.board.views.window import (
    Neighbours,
    Window,
    around,
    checked,
    default_padding,
    meets,
    region,
    unplaced_in,
)
from redraft.studios.board.views.wires import airwires, nearest_first, pin_rows, spot, track_rows, unconnected
from redraft.text import clean, ranges
from redraft.tokens import estimate, some

MAX_NETS = 4
"""Nets and kinds of fixtures that are listed with their counts."""
MAX_KEEPOUTS = 4
"""Keep-outs and zones that are listed; others are counted."""
UNPLACED = 50
"""Tokens for the names of parts that are not placed."""
MAX_UNPLACED = 40
"""Parts that are not placed whose names are tried."""
MAX_CROSSING = 4
"""Nets that are listed as crossing a free rectangle."""


@dataclass(frozen=True)
class Surroundings:
    """The things in a window that are not its parts: bounded in size, whatever the window."""

    fixtures: Fixtures | None
    keepouts: tuple[NoGo, ...]
    unplaced: tuple[str, ...]
    unplaced_count: int = 0
    keepouts_left_out: int = 0
    zones: tuple[str, ...] = ()
    zones_left_out: int = 0
    free: tuple[str, ...] = ()

    @property
    def cost(self) -> int:
        """Tokens, as `estimate` counts them."""
        facts = [*([self.fixtures] if self.fixtures else []), *self.keepouts]
        rows = (*self.unplaced, *self.zones, *self.free)
        lists = HEAD * (bool(self.zones) + bool(self.free))
        return sum(estimate(f.text()) + 4 for f in facts) + sum(estimate(row) + 3 for row in rows) + lists


def surroundings(window: Window, fixtures: Sequence[Fixture] = ()) -> Surroundings:
    """Return what surrounds the parts of a window; `fixtures` are those that meet it."""
    layout, sight = window.layout, shapely.box(*window.bounds)
    quantum = layout.frame.quantum

    # Zones, each net and layer once, the largest first.
    zones: dict[tuple[str, str], str] = {}
    for zone in sorted(
        (z for z in fixtures if z.kind == "zone" and ".Cu" in z.layer and z.shape.intersects(sight)),
        key=lambda zone: (-round(zone.shape.area, 6), zone.net, zone.layer),
    ):
        where = "" if zone.shape.covers(sight) else f" {_corners(bounds_of(zone.shape))}"
        zones.setdefault((zone.net, zone.layer), f"{clean(zone.net, 24) or 'no net'} {clean(zone.layer, 24)}{where}")

    barred = [keepout for keepout in layout.barred if keepout.shape.intersects(sight)]
    keepouts = [
        NoGo(
            name=clean(keepout.name, 24),
            bbox=boxed(keepout.shape.bounds, quantum),
            layers=tuple(clean(layout.frame.layers.get(n, str(n)), 16) for n in keepout.layers or ()),
        )
        for keepout in barred[:MAX_KEEPOUTS]
    ]

    off: list[int] = np.flatnonzero(unplaced_in(layout, window.boxes)).tolist()
    names = ranges(window.items[i].name for i in off[:MAX_UNPLACED])
    unplaced = some(names, UNPLACED)

    # Free rectangles on the layers of the named parts; of all where none is named.
    free: list[str] = []
    if layout.frame.solid and layout.area is not None:
        layers = {item.layer for item in window.items[: window.named]} or {item.layer for item in window.items}
        for layer in sorted(layers, reverse=True):
            rectangles = free_rectangles(layout, window.bounds, layer, most=3 if len(layers) == 1 else 2)
            free += [free_row(layout, rectangle, layer) for rectangle in rectangles]
    return Surroundings(
        _fixture_counts(fixtures),
        tuple(keepouts),
        unplaced,
        unplaced_count=0 if unplaced == tuple(names) and len(off) <= MAX_UNPLACED else len(off),
        keepouts_left_out=max(0, len(barred) - MAX_KEEPOUTS),
        zones=tuple(zones.values())[:MAX_KEEPOUTS],
        zones_left_out=max(0, len(zones) - MAX_KEEPOUTS),
        free=tuple(free),
    )


def _corners(box: Bounds) -> str:
    return f"{spot(box[:2])} to {spot(box[2:])}"


def free_row(layout: Layout, rectangle: Bounds, layer: int) -> str:
    """Describe a free rectangle, with the nets of tracks and vias that cross it."""
    sight, (x0, y0, x1, y1) = shapely.box(*rectangle), rectangle
    nets = sorted(
        {
            clean(fixture.net, 24) or "no net"
            for fixture in (layout.fixtures(rectangle) if layout.fixtures else ())
            if fixture.kind == "via" or (fixture.kind == "track" and COPPER.get(layer) in fixture.layer.split(", "))
            if fixture.shape.intersects(sight)
        }
    )
    more = f" and {len(nets) - MAX_CROSSING} more" if len(nets) > MAX_CROSSING else ""
    crossed = f"; crossed by {', '.join(nets[:MAX_CROSSING])}{more}" if nets else ""
    side = clean(layout.frame.layers.get(layer, str(layer)), 16)
    return f"{side} {spot((x1 - x0,))} × {spot((y1 - y0,))} at {_corners(rectangle)}{crossed}"


def _fixture_counts(fixtures: Sequence[Fixture]) -> Fixtures | None:
    """Count fixtures by kind, and by the nets with most of them."""
    if not fixtures:
        return None
    kinds, nets = Counter[str](), Counter[str]()
    for (kind, net), count in Counter([(fixture.kind, fixture.net) for fixture in fixtures]).items():
        kinds[kind] += count
        nets[net] += count if net else 0
    del nets[""]
    most = sorted(nets, key=lambda net: (-nets[net], net))[:MAX_NETS]
    return Fixtures(
        kinds={clean(kind, 16): kinds[kind] for kind in sorted(kinds)[:MAX_NETS]},
        nets={clean(net, 24): nets[net] for net in most},
        more_nets=len(nets) - len(most),
    )


def boxed(box: Sequence[float], quantum: float) -> Box:
    """Return four numbers as two corners, rounded to the quantum."""
    x0, y0, x1, y1 = (exact(value, quantum) for value in box)
    return Box(min=(x0, y0), max=(x1, y1))


BUDGET = 1_950
"""Tokens of a view, as `estimate` counts them: the specification's limit is 2,000."""
ENVELOPE = 150
"""Tokens kept for the viewport, the field names around the lists, and the count of what is left out."""
SHARES = {
    "named": 0.5,
    "named_pads": 0.76,
    "named_gaps": 0.83,
    "airwires": 0.91,
    "tracks": 0.95,
    "parts": 0.97,
    "parts_of_many": 0.7,
}
"""The share of the budget that may be spent when each kind of fact has been bought."""
PADS_NAMED, PADS_KEY, PADS_MANY, PADS_NEAR = 8, 4, 2, 3
"""Pads with their places: all of a named part with no more than this; of another one; of each where more than `MANY`
are named; and of a neighbor."""
MIN_PAD = 12
"""Tokens: no pad costs less."""
TRACKS = 260
"""Tokens for tracks and vias."""
HEAD = 6
"""Tokens for the name of one more list or side."""
MANY = 3
"""More named parts than this are described less fully."""
SEVERAL = 12
"""A window of more things than this describes fewer in full, so that more are listed at all."""
MAX_EDGES = 4
"""Parts whose gap to the edge of the board is given."""
NEIGHBOURS = 4
"""Nearest parts of a single named one whose gaps are given."""
NEAREST = 40
"""Parts that were left out whose names are tried; parts whose nets count as near."""
ASK = "the rest: a smaller region, fewer components, pads (U1.2*), a net"


def view_of(window: Window, budget: int = BUDGET) -> View:
    """Return the view of a window, in so many tokens, as `estimate` counts them."""
    return _Maker(window, budget).view()


@dataclass
class _Maker:
    """The facts that have been bought so far, and what they cost."""

    window: Window
    budget: int
    spent: int = ENVELOPE
    parts: list[Part] = field(default_factory=list[Part])
    pads: dict[int, list[Pad]] = field(default_factory=dict[int, list[Pad]])
    ranked: dict[int, Iterator[Port]] = field(default_factory=dict[int, Iterator[Port]])
    gaps: dict[tuple[str, str], Gap] = field(default_factory=dict[tuple[str, str], Gap])
    pins: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict[str, dict[str, tuple[str, ...]]])
    pins_left_out: dict[str, int] = field(default_factory=dict[str, int])
    wires: list[str] = field(default_factory=list[str])

    @cached_property
    def near(self) -> Neighbours:
        return Neighbours(self.window)

    @property
    def layout(self) -> Layout:
        return self.window.layout

    def view(self) -> View:
        layout, window = self.layout, self.window
        fixtures = layout.fixtures(window.bounds) if layout.fixtures else ()
        around = surroundings(window, fixtures)
        self.spent += around.cost

        # Facts are bought in this order.
        self._buy_named()
        self._buy_named_gaps()
        airwires_left_out = self._buy_airwires()
        tracks, vias, tracks_left_out = self._buy_tracks(fixtures)
        self._buy_neighbours()
        self._buy_nearest_pairs()
        also = self._buy_boxes()
        for rank in range(PADS_NEAR, PADS_NAMED):  # what is left over where a window holds little
            for i in range(len(self.parts)):
                self._pad(i, rank, SHARES["parts"])

        rest = window.items[len(self.parts) + len(also) :]
        names = some(ranges(item.name for item in rest[:NEAREST]), ENVELOPE // 2)
        left_out = LeftOut(count=len(rest), refs=names) if rest else None
        cut = airwires_left_out or tracks_left_out or self.pins_left_out or left_out
        cut = cut or around.keepouts_left_out or around.zones_left_out

        # Pairs of named parts in full whose gap had no room.
        count = min(window.named, len(self.parts))
        pairs = [(a, b) for a, b in combinations(range(count), 2) if b not in self.near.kin.get(a, ())]
        named_pairs = [(self._name(a), self._name(b)) for a, b in pairs]
        x0, y0, x1, y1 = window.bounds
        grid, quantum = layout.frame.grid, layout.frame.quantum
        return View(
            viewport=Viewport(
                center=self._pair((x0 + x1) / 2, (y0 + y1) / 2),
                size=self._pair(x1 - x0, y1 - y0),
                units=layout.frame.unit,
            ),
            grid_aligned=all(abs(value - round(value / grid) * grid) < quantum / 2 for value in window.bounds),
            objects=tuple(
                part.model_copy(
                    update={"pads": tuple(pads), "pad_count": 0 if len(pads) == part.pad_count else part.pad_count}
                )
                for part, pads in zip(self.parts, self.pads.values(), strict=True)
            ),
            gaps=tuple(self.gaps.values()),
            also=tuple(also),
            left_out=left_out,
            fixtures=around.fixtures,
            keepouts=around.keepouts,
            unplaced=around.unplaced,
            unplaced_count=around.unplaced_count,
            gaps_left_out=sum(pair not in self.gaps and pair[::-1] not in self.gaps for pair in named_pairs),
            keepouts_left_out=around.keepouts_left_out,
            pins=self.pins,
            pins_left_out=self.pins_left_out,
            airwires=tuple(self.wires),
            airwires_left_out=airwires_left_out,
            tracks=tracks,
            vias=vias,
            tracks_left_out=tracks_left_out,
            zones=around.zones,
            zones_left_out=around.zones_left_out,
            free=around.free,
            ask=ASK if cut and layout.frame.solid else "",
        )

    def _buys(self, fact: Fact | str, share: float) -> bool:
        """Buy a fact, if no more than a share of the budget is spent with it."""
        cost = estimate(fact) + 3 if isinstance(fact, str) else estimate(fact.text()) + 1
        if self.spent + cost > self.budget * share:
            return False
        self.spent += cost
        return True

    # Parts

    def _buy_named(self) -> None:
        """Buy the named parts, then their pads and pins."""
        for i in range(self.window.named):
            if not self._part(i, SHARES["named"]):
                break
        count = len(self.parts)

        # Pads in turns: all of a small part, the key ones of a large part, and at least those that were named.
        usual = PADS_KEY if count <= MANY else PADS_MANY
        limits: list[int] = []
        for item in self.window.items[:count]:
            named = len(self.window.pads.get(item.name, ()))
            limits.append(PADS_NAMED if len(item.ports) <= PADS_NAMED else max(usual, named))
        for rank in range(max(limits, default=0)):
            for i in range(count):
                if rank < limits[i]:
                    self._pad(i, rank, SHARES["named_pads"])
        for i in range(count):
            self._buy_pins(i)

    def _buy_named_gaps(self) -> None:
        """Buy the gaps between named parts, the nearest first, then those to what is around them and to the edge."""
        count = len(self.parts)
        pairs = set(combinations(range(count), 2))
        if count > MANY:  # of many, those to the two nearest of each
            pairs = {(min(i, k), max(i, k)) for i in range(count) for k in self.near.to(i, count)[:2]}
        for a, b in sorted(pairs, key=lambda pair: (self.near.gap(*pair), pair)):
            self._gap(a, b, SHARES["named_gaps"])
        for i in range(min(count, MANY)):
            for k in self.near.to(i, len(self.window.items))[: NEIGHBOURS if count == 1 else NEIGHBOURS // 2]:
                self._gap(i, k, SHARES["named_gaps"])
        for i in range(min(count, MAX_EDGES)):
            self._edge(i, SHARES["named_gaps"])

    def _buy_pins(self, i: int) -> None:
        """Buy all pads of a named part with more than `pads` lists, by side; those on shared nets before others."""
        item = self.window.items[i]
        if len(item.ports) <= PADS_NAMED:
            return
        sides = pin_rows(item)
        rows = [(side, row, port) for side, pins in sides.items() for port, row in pins]
        bought: set[tuple[str, str]] = set()
        self.spent += HEAD * (len(sides) + 1)
        for side, row, _ in sorted(rows, key=lambda pin: self._nets[pin[2].net] < 2):
            if not self._buys(row, SHARES["named_pads"]):
                break
            bought.add((side, row))
        listed = {side: tuple(row for _, row in pins if (side, row) in bought) for side, pins in sides.items()}
        loose = unconnected(item)
        if len(bought) == len(rows) and loose and self._buys(" ".join(loose), SHARES["named_pads"]):
            listed["unconnected"] = tuple(loose)
        self.pins[self._name(i)] = {side: pins for side, pins in listed.items() if pins}
        if len(bought) < len(rows):
            self.pins_left_out[self._name(i)] = len(rows) - len(bought)

    def _buy_airwires(self) -> int:
        """Buy the airwires of named parts; return how many had no room."""
        if not self.layout.frame.solid:
            return 0
        named = self.window.items[: min(self.window.named, len(self.parts))]
        wires = airwires(self.layout, [item.name for item in named if item.ports])
        for wire in wires:
            if not self._buys(wire.row, SHARES["airwires"]):
                break
            self.wires.append(wire.row)
        return len(wires) - len(self.wires)

    def _buy_tracks(self, fixtures: Sequence[Fixture]) -> tuple[tuple[str, ...], tuple[str, ...], int]:
        """Buy the tracks and vias nearest to what is named, or to the middle; return rows, and how many had no room."""
        window, count = self.window, min(self.window.named, len(self.parts))
        x0, y0, x1, y1 = window.bounds
        focus = window.boxes[:count] if count else np.array([[(x0 + x1) / 2, (y0 + y1) / 2] * 2])
        items = window.items[: count or None]
        layers = {COPPER[n] for item in items for n in {item.layer, *item.port_layers} if n in COPPER}
        own = {port.net for item in window.items[:count] if len(item.ports) <= PADS_NAMED for port in item.ports}
        met = [f for f in fixtures if f.kind == "via" or meets(f.shape, window.bounds)]
        near = nearest_first(met, focus, layers, own)
        limit = min(TRACKS, int(self.budget * SHARES["tracks"]) - self.spent - 2 * HEAD)
        tracks, vias, left_out = track_rows(near, limit)
        if tracks or vias:
            self.spent += sum(estimate(row) + 2 for row in (*tracks, *vias)) + 2 * HEAD
        return tracks, vias, left_out

    def _buy_neighbours(self) -> None:
        """Buy other parts, each with its key pads and its gap to the nearest named one, until the budget is spent."""
        named = self.window.named
        if len(self.parts) < named:
            return
        share = SHARES["parts" if len(self.window.items) <= SEVERAL else "parts_of_many"]
        for i in range(named, len(self.window.items)):
            if not self._part(i, share):
                break
            if named:
                for k in self.near.to(i, named)[:1]:
                    self._gap(k, i, share)
            for rank in range(PADS_NEAR):
                self._pad(i, rank, share)

    def _buy_nearest_pairs(self) -> None:
        """Buy the gap of each part to its nearest neighbor; without named parts also gaps to the edge."""
        count = len(self.parts)
        if count > 1:
            pairs = {(min(i, k), max(i, k)) for i in range(count) for k in self.near.to(i, count)[:1]}
            for a, b in sorted(pairs, key=lambda pair: (self.near.gap(*pair), pair)):
                self._gap(a, b, SHARES["named_pads"])
        if not self.window.named:
            for i in range(min(count, MAX_EDGES)):
                self._edge(i, 1.0)

    def _buy_boxes(self) -> list[Also]:
        """Buy the boxes of the remaining parts."""
        two_sided = len({item.layer for item in self.window.items}) > 1
        boxes: list[Also] = []
        for i in range(len(self.parts), len(self.window.items)):
            layer = self._layer(self.window.items[i].layer) if two_sided else ""
            fact = Also(ref=self._name(i), bbox=self._box(self.window.box(i)), layer=layer)
            if not self._buys(fact, 1.0):
                break
            boxes.append(fact)
        return boxes

    def _part(self, i: int, share: float) -> bool:
        """Buy a part without its pads; return whether it had room."""
        item, box = self.window.items[i], self.window.box(i)
        middle = self._pair((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        origin = None if item.origin is None else self._pair(*item.origin)
        body = None if item.body is None or item.body.is_empty else self._box(item.body.bounds)
        shown = self._box(box)
        part = Part(
            ref=self._name(i),
            type=clean(item.label, 24),
            layer=self._layer(item.layer),
            value=clean(item.value, 24),
            location=middle,
            rotation=exact(item.rotation, 1e-6),
            bbox=shown,
            pads=(),
            pad_count=len(item.ports),
            origin=None if origin == middle else origin,
            body=None if body == shown else body,
            locked=item.locked,
            parent=clean(item.parent or ""),
        )
        if not self._buys(part, share):
            return False
        self.parts.append(part)
        self.pads[i] = []
        return True

    def _pad(self, i: int, rank: int, share: float) -> None:
        """Buy the next pad of a part, unless it has other than `rank` pads already."""
        if rank != len(self.pads[i]) or self.spent + MIN_PAD > self.budget * share:
            return
        port = next(self._key_pads(i), None)
        if port is None:
            return
        item = self.window.items[i]
        layer = item.layer_of(port)
        away = "" if layer is None or layer == item.layer else self._layer(layer)
        pad = Pad(num=clean(port.name, 12), pos=self._pair(*port.at), net=clean(net_of(port), 24), layer=away)
        if self._buys(pad, share):
            self.pads[i].append(pad)

    def _layer(self, layer: int) -> str:
        return clean(self.layout.frame.layers.get(layer, str(layer)), 24)

    def _key_pads(self, i: int) -> Iterator[Port]:
        """Return the pads of an item that matter here, best first: against the named ones, or its nearest neighbor."""
        if i not in self.ranked:
            item, named = self.window.items[i], self.window.named
            against = [k for k in range(min(named, MANY + 1)) if k != i]
            if i < named or not against:
                against += self.near.to(i, len(self.window.items))[:1]
            boxes = [self.window.box(k) for k in against if k != i]
            self.ranked[i] = ranked_pads(item, boxes, self._nets, self.window.pads.get(item.name, ()))
        return self.ranked[i]

    @cached_property
    def _nets(self) -> Counter[str]:
        """The number of things near the middle of interest on each net."""
        return Counter(net for item in self.window.items[:NEAREST] for net in {net_of(port) for port in item.ports})

    # Gaps

    def _gap(self, a: int, b: int, share: float) -> None:
        names = (self._name(a), self._name(b))
        if a != b and names not in self.gaps and names[::-1] not in self.gaps and b not in self.near.kin.get(a, ()):
            self._buy_gap(names, between(self.layout, self.window.items[a], self.window.items[b]), share)

    def _edge(self, i: int, share: float) -> None:
        measure = to_edge(self.layout, self.window.items[i])
        if measure is None:
            return
        x0, y0, x1, y1 = self.window.bounds
        # In a window without named parts an edge matters only where it is near.
        if self.window.named or measure.true_distance <= min(x1 - x0, y1 - y0) / 8:
            self._buy_gap((self._name(i), EDGE), measure, share)

    def _buy_gap(self, names: tuple[str, str], measure: Measure, share: float) -> None:
        distance, true = self._length(measure.distance), self._length(measure.true_distance)
        vector, true_vector = _direction(measure.vector), _direction(measure.true_vector)
        same = distance == true and vector == true_vector
        gap = Gap(
            between=names,
            distance=distance,
            vector=vector,
            true_distance=None if same else true,
            true_vector=None if same else true_vector,
            overlap=self._length(measure.overlap),
            other_side=measure.other_side,
        )
        if self._buys(gap, share):
            self.gaps[names] = gap

    # Names and numbers

    def _name(self, i: int) -> str:
        return clean(self.window.items[i].name)

    def _length(self, value: float) -> float:
        return exact(value, self.layout.frame.quantum)

    def _pair(self, x: float, y: float) -> Point:
        return (self._length(x), self._length(y))

    def _box(self, box: Bounds) -> Box:
        return boxed(box, self.layout.frame.quantum)


def _direction(vector: Point) -> Point:
    return (exact(vector[0], 1e-4), exact(vector[1], 1e-4))


def inspect_region(layout: Layout, center_x: float, center_y: float, width: float, height: float) -> View:
    """Return the view of the window of this size around a point, in the layout's unit.

    Raises:
        BriefError: it has no width or height.
    """
    half = (width / 2, height / 2)
    return view_of(region(layout, (center_x - half[0], center_y - half[1], center_x + half[0], center_y + half[1])))


def inspect_components(layout: Layout, refs: Sequence[str], padding: float | None = None) -> View:
    """Return the view of the window around some parts, or pads of them ("U1.4").

    Args:
        padding: on each side, in units; 5 mm when left out (on a canvas a twentieth of it).

    Raises:
        BriefError: unknown part or pad; close names are given.
    """
    return view_of(around(layout, refs, default_padding(layout) if padding is None else padding))


def get_visual_context(layout: Layout, targets: Sequence[str], padding: float | None = None) -> Context:
    """Return the view of `inspect_components` with its picture."""
    from redraft.studios.board.views.picture import picture_of

    window = around(layout, targets, default_padding(layout) if padding is None else padding)
    view = view_of(window)
    return Context(view, picture_of(window, view))


class HasLayout(Protocol):
    """A board, or an open one."""

    @property
    def layout(self) -> object: ...


def _layout_of(board: Layout | HasLayout) -> Layout:
    layout = board if isinstance(board, Layout) else board.layout
    if not isinstance(layout, Layout):
        raise BriefError(f"A board or a layout is expected, not {type(board).__name__}")
    return layout


def get_json_view(board: Layout | HasLayout, bounds: Bounds) -> dict[str, Any]:
    """Return the view of the window between two corners (x0, y0, x1, y1) as plain data, ready for JSON.

    Raises:
        BriefError: it has no width or height.
    """
    return view_of(region(_layout_of(board), checked(bounds))).data()


def render_png_view(board: Layout | HasLayout, bounds: Bounds) -> str:
    """Return the picture of the window between two corners: 512 × 512 PNG, as base64.

    Raises:
        BriefError: it has no width or height.
    """
    from redraft.studios.board.views.picture import picture_of

    window = region(_layout_of(board), checked(bounds))
    return base64.b64encode(picture_of(window, view_of(window))).decode("ascii")
