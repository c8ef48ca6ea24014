"""The microscope: a window of a layout in exact numbers, under 2,000 tokens, for placing parts.

Everything in the window is mentioned, not only the named parts. Facts are added in order of importance until the token
budget is spent: the named parts with all their pads, gaps, airwires, tracks, free room, then the parts around. Less
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
from redraft.layout.items import Bounds, Fixture, Frame, Item, Keepout, Layout, Point, Port, bounds_of
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

NETS = 4
KEEPOUTS = 4
UNPLACED = 50
"""Tokens for the names of parts that are not placed."""
LONGEST = 40


@dataclass(frozen=True)
class Surroundings:
    """Bounded in size, whatever the window."""

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
        """Tokens, as estimated."""
        facts = [*([self.fixtures] if self.fixtures else []), *self.keepouts]
        rows = (*self.unplaced, *self.zones, *self.free)
        lists = HEAD * (bool(self.zones) + bool(self.free))
        return sum(estimate(f.text()) + 4 for f in facts) + sum(estimate(row) + 3 for row in rows) + lists


def surroundings(window: Window, found: Sequence[Fixture] = ()) -> Surroundings:
    """All of them; `found` are the fixtures that meet the window."""
    sight = shapely.box(*window.bounds)
    zones = _zones(window, found)
    barred = [keepout for keepout in window.layout.barred if keepout.shape.intersects(sight)]
    off: list[int] = np.flatnonzero(unplaced_in(window.layout, window.boxes)).tolist()
    names = ranges(window.items[i].name for i in off[:LONGEST])
    told = some(names, UNPLACED)
    return Surroundings(
        _fixtures(found),
        tuple(_no_go(keepout, window.layout.frame) for keepout in barred[:KEEPOUTS]),
        told,
        unplaced_count=0 if told == tuple(names) and len(off) <= LONGEST else len(off),
        keepouts_left_out=max(0, len(barred) - KEEPOUTS),
        zones=zones[:KEEPOUTS],
        zones_left_out=max(0, len(zones) - KEEPOUTS),
        free=_free(window),
    )


def _zones(window: Window, found: Sequence[Fixture]) -> tuple[str, ...]:
    """Zones that meet the window, each net and layer once, the largest first."""
    sight = shapely.box(*window.bounds)
    zones = sorted(
        (z for z in found if z.kind == "zone" and ".Cu" in z.layer and z.shape.intersects(sight)),
        key=lambda zone: (-round(zone.shape.area, 6), zone.net, zone.layer),
    )
    rows: dict[tuple[str, str], str] = {}
    for zone in zones:
        where = "" if zone.shape.covers(sight) else f" {_corners(bounds_of(zone.shape))}"
        rows.setdefault((zone.net, zone.layer), f"{clean(zone.net, 24) or 'no net'} {clean(zone.layer, 24)}{where}")
    return tuple(rows.values())


def _corners(box: Bounds) -> str:
    return f"{spot(box[:2])} to {spot(box[2:])}"


def _free(window: Window) -> tuple[str, ...]:
    """The largest free rectangles: on the layers of the named parts, of both sides where none is named."""
    layout = window.layout
    if not layout.frame.solid or layout.area is None:
        return ()
    layers = {item.layer for item in window.items[: window.named]} or {item.layer for item in window.items}
    return tuple(
        free_row(layout, rectangle, layer)
        for layer in sorted(layers, reverse=True)
        for rectangle in free_rectangles(layout, window.bounds, layer, most=3 if len(layers) == 1 else 2)
    )


CROSSING = 4


def free_row(layout: Layout, rectangle: Bounds, layer: int) -> str:
    """A free rectangle in words, with the nets of tracks and vias that cross it."""
    sight, (x0, y0, x1, y1) = shapely.box(*rectangle), rectangle
    nets = sorted(
        {
            clean(fixture.net, 24) or "no net"
            for fixture in (layout.fixtures(rectangle) if layout.fixtures else ())
            if fixture.kind == "via" or (fixture.kind == "track" and COPPER.get(layer) in fixture.layer.split(", "))
            if fixture.shape.intersects(sight)
        }
    )
    more = f" and {len(nets) - CROSSING} more" if len(nets) > CROSSING else ""
    crossed = f"; crossed by {', '.join(nets[:CROSSING])}{more}" if nets else ""
    side = clean(layout.frame.layers.get(layer, str(layer)), 16)
    return f"{side} {spot((x1 - x0,))} × {spot((y1 - y0,))} at {_corners(rectangle)}{crossed}"


def _fixtures(found: Sequence[Fixture]) -> Fixtures | None:
    """Counts by kind, and of the nets with most of it."""
    if not found:
        return None
    kinds, nets = Counter[str](), Counter[str]()
    for (kind, net), count in Counter([(fixture.kind, fixture.net) for fixture in found]).items():
        kinds[kind] += count
        nets[net] += count if net else 0
    del nets[""]
    most = sorted(nets, key=lambda net: (-nets[net], net))[:NETS]
    return Fixtures(
        kinds={clean(kind, 16): kinds[kind] for kind in sorted(kinds)[:NETS]},
        nets={clean(net, 24): nets[net] for net in most},
        more_nets=len(nets) - len(most),
    )


def _no_go(keepout: Keepout, frame: Frame) -> NoGo:
    return NoGo(
        name=clean(keepout.name, 24),
        bbox=boxed(keepout.shape.bounds, frame.quantum),
        layers=tuple(clean(frame.layers.get(n, str(n)), 16) for n in keepout.layers or ()),
    )


def boxed(box: Sequence[float], quantum: float) -> Box:
    """Four numbers as two corners, to the quantum."""
    x0, y0, x1, y1 = (exact(value, quantum) for value in box)
    return Box(min=(x0, y0), max=(x1, y1))


BUDGET = 1_950
"""Tokens of a view, as estimated: the specification's limit is 2,000."""
ENVELOPE = 150
"""Kept for the viewport, the field names around the lists, and the count of what is left out."""
SHARES = {
    "named": 0.5,
    "named_pads": 0.76,
    "named_gaps": 0.83,
    "airwires": 0.91,
    "tracks": 0.95,
    "parts": 0.97,
    "parts_of_many": 0.7,
}
"""How much of the budget may be spent when each kind of fact has been bought."""
PADS_NAMED, PADS_KEY, PADS_MANY, PADS_NEAR = 8, 4, 2, 3
"""Pads with their places: all of a named part with no more than this; of another one; of each where more than `MANY`
are named; and of a neighbor."""
LEAST_PAD = 12
"""No pad costs less."""
TRACKS = 260
"""Tokens for tracks and vias."""
HEAD = 6
"""Tokens for the name of one more list or side."""
MANY = 3
SEVERAL = 12
"""A window of more things than this describes fewer in full, so that more are listed at all."""
EDGES = 4
NEIGHBOURS = 4
NEAREST = 40
"""So many of those left out are named, as far as that is paid for."""
ASK = "the rest: a smaller region, fewer components, pads (U1.2*), a net"


def view_of(window: Window, budget: int = BUDGET) -> View:
    """The view of a window, in so many tokens, as estimated."""
    return _Maker(window, budget).view()


@dataclass
class _Maker:
    """What has been bought so far, and what it cost."""

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
        found = layout.fixtures(window.bounds) if layout.fixtures else ()
        around = surroundings(window, found)
        self.spent += around.cost
        self._named()
        unwired = self._airwires()
        tracks, vias, untold = self._tracks(found)
        self._neighbours()
        self._nearest_pairs()
        also = self._also()
        self._more_pads()
        x0, y0, x1, y1 = window.bounds
        left_out = self._left_out(len(self.parts) + len(also))
        cut = unwired or untold or self.pins_left_out or left_out or around.keepouts_left_out or around.zones_left_out
        return View(
            viewport=Viewport(
                center=self._pair((x0 + x1) / 2, (y0 + y1) / 2),
                size=self._pair(x1 - x0, y1 - y0),
                units=layout.frame.unit,
            ),
            grid_aligned=self._on_grid(),
            objects=tuple(self._with_pads(i) for i in range(len(self.parts))),
            gaps=tuple(self.gaps.values()),
            also=tuple(also),
            left_out=left_out,
            fixtures=around.fixtures,
            keepouts=around.keepouts,
            unplaced=around.unplaced,
            unplaced_count=around.unplaced_count,
            gaps_left_out=self._untold_gaps(),
            keepouts_left_out=around.keepouts_left_out,
            pins=self.pins,
            pins_left_out=self.pins_left_out,
            airwires=tuple(self.wires),
            airwires_left_out=unwired,
            tracks=tracks,
            vias=vias,
            tracks_left_out=untold,
            zones=around.zones,
            zones_left_out=around.zones_left_out,
            free=around.free,
            ask=ASK if cut and layout.frame.solid else "",
        )

    def _untold_gaps(self) -> int:
        """Pairs of named things in full whose gap had no room."""
        count = min(self.window.named, len(self.parts))
        pairs = ((a, b) for a, b in combinations(range(count), 2) if b not in self.near.kin.get(a, ()))
        names = ((self._name(a), self._name(b)) for a, b in pairs)
        return sum(pair not in self.gaps and pair[::-1] not in self.gaps for pair in names)

    def _with_pads(self, i: int) -> Part:
        part, pads = self.parts[i], tuple(self.pads[i])
        count = 0 if len(pads) == part.pad_count else part.pad_count
        return part.model_copy(update={"pads": pads, "pad_count": count})

    def _buys(self, fact: Fact | str, share: float) -> bool:
        cost = estimate(fact) + 3 if isinstance(fact, str) else estimate(fact.text()) + 1
        if self.spent + cost > self.budget * share:
            return False
        self.spent += cost
        return True

    # Things

    def _named(self) -> None:
        for i in range(self.window.named):
            if not self._part(i, SHARES["named"]):
                break
        count = len(self.parts)
        limits = [self._positions(i, PADS_KEY if count <= MANY else PADS_MANY) for i in range(count)]
        for rank in range(max(limits, default=0)):
            for i in range(count):
                if rank < limits[i]:
                    self._pad(i, rank, SHARES["named_pads"])
        for i in range(count):
            self._pins(i)
        for a, b in self._pairs(count):
            self._gap(a, b, SHARES["named_gaps"])
        for i in range(min(count, MANY)):
            for k in self.near.to(i, len(self.window.items))[: NEIGHBOURS if count == 1 else NEIGHBOURS // 2]:
                self._gap(i, k, SHARES["named_gaps"])
        for i in range(min(count, EDGES)):
            self._edge(i, SHARES["named_gaps"])

    def _positions(self, i: int, usual: int) -> int:
        """Of how many of a named part's pads the places are told: at least of those that were named."""
        item = self.window.items[i]
        if len(item.ports) <= PADS_NAMED:
            return PADS_NAMED
        return max(usual, len(self.window.pads.get(item.name, ())))

    def _pins(self, i: int) -> None:
        """All pads of a named part that has more than `pads` lists, by side; those on shared nets before others."""
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
        told = {side: tuple(row for _, row in pins if (side, row) in bought) for side, pins in sides.items()}
        loose = unconnected(item)
        if len(bought) == len(rows) and loose and self._buys(" ".join(loose), SHARES["named_pads"]):
            told["unconnected"] = tuple(loose)
        self.pins[self._name(i)] = {side: pins for side, pins in told.items() if pins}
        if len(bought) < len(rows):
            self.pins_left_out[self._name(i)] = len(rows) - len(bought)

    def _airwires(self) -> int:
        """Those of named parts; returns how many had no room."""
        named = [self.window.items[i] for i in range(min(self.window.named, len(self.parts)))]
        found = airwires(self.layout, [item.name for item in named if item.ports]) if self.layout.frame.solid else []
        for wire in found:
            if not self._buys(wire.row, SHARES["airwires"]):
                break
            self.wires.append(wire.row)
        return len(found) - len(self.wires)

    def _tracks(self, found: Sequence[Fixture]) -> tuple[tuple[str, ...], tuple[str, ...], int]:
        """Tracks and vias nearest to what is named, or to the middle: rows, and how many had no room."""
        window, count = self.window, min(self.window.named, len(self.parts))
        x0, y0, x1, y1 = window.bounds
        focus = window.boxes[:count] if count else np.array([[(x0 + x1) / 2, (y0 + y1) / 2] * 2])
        items = window.items[: count or None]
        layers = {COPPER[n] for item in items for n in {item.layer, *item.port_layers} if n in COPPER}
        own = {port.net for item in window.items[:count] if len(item.ports) <= PADS_NAMED for port in item.ports}
        near = nearest_first([f for f in found if f.kind == "via" or meets(f.shape, window.bounds)], focus, layers, own)
        limit = min(TRACKS, int(self.budget * SHARES["tracks"]) - self.spent - 2 * HEAD)
        tracks, vias, untold = track_rows(near, limit)
        if tracks or vias:
            self.spent += sum(estimate(row) + 2 for row in (*tracks, *vias)) + 2 * HEAD
        return tracks, vias, untold

    def _neighbours(self) -> None:
        """Each with its gap to what it is nearest to and its key pads, until the budget is spent."""
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

    def _nearest_pairs(self) -> None:
        count = len(self.parts)
        if count > 1:
            pairs = {(min(i, k), max(i, k)) for i in range(count) for k in self.near.to(i, count)[:1]}
            for a, b in sorted(pairs, key=lambda pair: (self.near.gap(*pair), pair)):
                self._gap(a, b, SHARES["named_pads"])
        if not self.window.named:
            for i in range(min(count, EDGES)):
                self._edge(i, 1.0)

    def _more_pads(self) -> None:
        """What is left over where a window holds little."""
        for rank in range(PADS_NEAR, PADS_NAMED):
            for i in range(len(self.parts)):
                self._pad(i, rank, SHARES["parts"])

    def _also(self) -> list[Also]:
        found: list[Also] = []
        for i in range(len(self.parts), len(self.window.items)):
            layer = self._layer(self.window.items[i].layer) if self._two_sided else ""
            fact = Also(ref=self._name(i), bbox=self._box(self.window.box(i)), layer=layer)
            if not self._buys(fact, 1.0):
                break
            found.append(fact)
        return found

    @cached_property
    def _two_sided(self) -> bool:
        return len({item.layer for item in self.window.items}) > 1

    def _left_out(self, listed: int) -> LeftOut | None:
        rest = self.window.items[listed:]
        if not rest:
            return None
        return LeftOut(count=len(rest), refs=some(ranges(item.name for item in rest[:NEAREST]), ENVELOPE // 2))

    def _part(self, i: int, share: float) -> bool:
        part = self._describe(i)
        if not self._buys(part, share):
            return False
        self.parts.append(part)
        self.pads[i] = []
        return True

    def _describe(self, i: int) -> Part:
        item, box = self.window.items[i], self.window.box(i)
        middle = self._pair((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        origin = None if item.origin is None else self._pair(*item.origin)
        body = None if item.body is None or item.body.is_empty else self._box(item.body.bounds)
        shown = self._box(box)
        return Part(
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

    def _pad(self, i: int, rank: int, share: float) -> None:
        if rank != len(self.pads[i]) or self.spent + LEAST_PAD > self.budget * share:
            return
        port = next(self._key_pads(i), None)
        if port is not None:
            fact = self._describe_pad(self.window.items[i], port)
            if self._buys(fact, share):
                self.pads[i].append(fact)

    def _describe_pad(self, item: Item, port: Port) -> Pad:
        layer = item.layer_of(port)
        away = "" if layer is None or layer == item.layer else self._layer(layer)
        return Pad(num=clean(port.name, 12), pos=self._pair(*port.at), net=clean(net_of(port), 24), layer=away)

    def _layer(self, layer: int) -> str:
        return clean(self.layout.frame.layers.get(layer, str(layer)), 24)

    def _key_pads(self, i: int) -> Iterator[Port]:
        """Those of an item that matter here, best first: seen against the named ones, or its nearest neighbor."""
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
        """How many things near the middle of interest are on each net."""
        return Counter(net for item in self.window.items[:NEAREST] for net in {net_of(port) for port in item.ports})

    # Gaps

    def _pairs(self, count: int) -> list[tuple[int, int]]:
        """Pairs of the named, the nearest first; of many the two nearest to each."""
        pairs = set(combinations(range(count), 2))
        if count > MANY:
            pairs = {(min(i, k), max(i, k)) for i in range(count) for k in self.near.to(i, count)[:2]}
        return sorted(pairs, key=lambda pair: (self.near.gap(*pair), pair))

    def _gap(self, a: int, b: int, share: float) -> None:
        names = (self._name(a), self._name(b))
        if a != b and names not in self.gaps and names[::-1] not in self.gaps and b not in self.near.kin.get(a, ()):
            self._tell(names, between(self.layout, self.window.items[a], self.window.items[b]), share)

    def _edge(self, i: int, share: float) -> None:
        found = to_edge(self.layout, self.window.items[i])
        if found is not None and (self.window.named or self._is_near(found)):
            self._tell((self._name(i), EDGE), found, share)

    def _is_near(self, edge: Measure) -> bool:
        """Return whether an edge is near enough to be described in a window without named items."""
        x0, y0, x1, y1 = self.window.bounds
        return edge.true_distance <= min(x1 - x0, y1 - y0) / 8

    def _tell(self, names: tuple[str, str], found: Measure, share: float) -> None:
        distance, true = self._length(found.distance), self._length(found.true_distance)
        vector, true_vector = _direction(found.vector), _direction(found.true_vector)
        same = distance == true and vector == true_vector
        gap = Gap(
            between=names,
            distance=distance,
            vector=vector,
            true_distance=None if same else true,
            true_vector=None if same else true_vector,
            overlap=self._length(found.overlap),
            other_side=found.other_side,
        )
        if self._buys(gap, share):
            self.gaps[names] = gap

    # How it is written

    def _on_grid(self) -> bool:
        grid, quantum = self.layout.frame.grid, self.layout.frame.quantum
        return all(abs(value - round(value / grid) * grid) < quantum / 2 for value in self.window.bounds)

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
    """The window of this size around a point, in the layout's unit.

    Raises:
        BriefError: it has no width or height.
    """
    half = (width / 2, height / 2)
    return view_of(region(layout, (center_x - half[0], center_y - half[1], center_x + half[0], center_y + half[1])))


def inspect_components(layout: Layout, refs: Sequence[str], padding: float | None = None) -> View:
    """The window around some parts, or pads of them ("U1.4").

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
    """The window between two corners (x0, y0, x1, y1) of a board or layout as plain data, ready for JSON.

    Raises:
        BriefError: it has no width or height.
    """
    return view_of(region(_layout_of(board), checked(bounds))).data()


def render_png_view(board: Layout | HasLayout, bounds: Bounds) -> str:
    """The picture of the window between two corners: 512 × 512 PNG, as base64.

    Raises:
        BriefError: it has no width or height.
    """
    from redraft.studios.board.views.picture import picture_of

    window = region(_layout_of(board), checked(bounds))
    return base64.b64encode(picture_of(window, view_of(window))).decode("ascii")
