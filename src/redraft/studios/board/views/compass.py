"""The compass: a whole layout in under 1,000 tokens, for planning.

It has nine zones with their parts and how full they are, unplaced and locked parts, the circuit as far as it is known
(see `redraft.studios.board.place.circuit`), and the parts that matter most, each with its nearest neighbors and the
parts it shares most nets with. `compass` returns text, `compass_of` the same as data. A `Survey` measures the layout
once; `LEVELS` are steps of detail, of which the first that fits the budget is taken. What is left out is counted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from redraft.layout.items import Item, Layout
from redraft.studios.board.place.circuit import Circuit, circuit_of
from redraft.studios.board.place.netlist import unplaced
from redraft.studios.board.views.facts import Fact
from redraft.studios.board.views.gaps import exact
from redraft.studios.board.views.zones import EDGES, ZONES, in_depth, zones_of
from redraft.text import clean, natural, ranges
from redraft.tokens import estimate, some

MAX_SHARING = 16
"""A net on more parts than this is taken for a supply: sharing it says nothing about two of them."""
SIDES = ("left", "right", "above", "below")


@dataclass(frozen=True)
class Level:
    """A step of detail: main parts, neighbors and links of each; tokens for lists of a zone, others, the circuit."""

    mains: int
    neighbours: int
    links: int
    zone: int
    others: int
    circuit: int


LEVELS = (
    Level(12, 4, 3, 80, 80, 80),
    Level(12, 4, 3, 50, 50, 80),
    Level(10, 4, 3, 50, 40, 70),
    Level(10, 4, 2, 36, 30, 60),
    Level(8, 4, 2, 36, 24, 60),
    Level(8, 4, 2, 24, 24, 50),
    Level(7, 3, 2, 24, 20, 40),
    Level(6, 3, 2, 16, 16, 32),
    Level(5, 3, 1, 12, 12, 24),
    Level(4, 2, 1, 8, 8, 16),
    Level(3, 2, 1, 0, 8, 12),
)
UNPLACED_FACTOR = 3
"""Where most parts are not placed, this much more is told of the circuit: a placement begins with it."""


class Listed(Fact):
    """The number of some parts, and names of them: runs as `C1-C4`."""

    count: int
    refs: tuple[str, ...] = ()
    complete: bool = True
    """All of them are named."""


class Zone(Fact):
    """One of the nine."""

    name: str
    parts: int
    full: dict[str, int] = Field(default_factory=dict[str, int])
    """The percentage of it that is covered, by layer."""
    refs: tuple[str, ...] = ()
    """All of its parts, or the biggest where `kinds` is given."""
    kinds: dict[str, int] = Field(default_factory=dict[str, int])
    """The most frequent kinds of part in it, where not all are named."""


class Neighbour(Fact):
    """The nearest part at one side, and the gap of the boxes in units."""

    side: str
    ref: str
    gap: float


class Link(Fact):
    """A part that nets are shared with, supplies not counted."""

    ref: str
    nets: int


class Main(Fact):
    """One of the parts that matter most: those with the most pads, then the largest."""

    ref: str
    type: str
    zone: str
    """`unplaced`, where it has no place yet."""
    size: tuple[float, float]
    layer: str = ""
    edge: str = ""
    pads: int = 0
    locked: bool = False
    neighbours: tuple[Neighbour, ...] = ()
    links: tuple[Link, ...] = ()


class Serving(Fact):
    """A capacitor and the supply pin that it serves."""

    ref: str
    pin: str
    """`U1.4`."""
    net: str
    distance: float | None = None
    """Between the centers of the two pads, in units; None where one of them is unplaced."""


class Belonging(Fact):
    """Small parts that belong to pins of one: a crystal with its capacitors, a feedback divider."""

    kind: str
    pins: tuple[str, ...]
    """`U1.12`."""
    refs: tuple[str, ...]


class CircuitFacts(Fact):
    """The circuit, as far as the board shows it. Each list has as many entries as the budget allows."""

    blocks: dict[str, int] = Field(default_factory=dict[str, int])
    """Sheets and groups, with the number of parts in each."""
    power: tuple[str, ...] = ()
    ground: tuple[str, ...] = ()
    decoupling: tuple[Serving, ...] = ()
    """The nearest first."""
    networks: tuple[Belonging, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    connectors: Listed | None = None
    mounting_holes: Listed | None = None
    test_points: Listed | None = None
    fiducials: Listed | None = None
    left_out: dict[str, int] = Field(default_factory=dict[str, int])
    """The number of entries left out of each list."""


class Compass(Fact):
    """A layout from afar."""

    kind: str
    """`Board`, `Scene` or `Canvas`."""
    unit: str
    min: tuple[float, float]
    max: tuple[float, float]
    """Corners of the area; of the frame where there is none."""
    parts: int
    zones: tuple[Zone, ...]
    main: tuple[Main, ...]
    outline: bool = True
    """The layout has an area of its own."""
    layers: dict[str, int] = Field(default_factory=dict[str, int])
    edges: dict[str, Listed] = Field(default_factory=dict[str, Listed])
    unplaced: Listed | None = None
    locked: Listed | None = None
    circuit: CircuitFacts | None = None


class Survey:
    """A layout, measured once. Linear in its items, except that each main part is compared with all others."""

    def __init__(self, layout: Layout) -> None:
        known = ~np.isnan(layout.boxes[:, 0])
        self.layout = layout
        self.boxes = layout.boxes[known]
        self.items = [layout.roots[int(i)] for i in np.flatnonzero(known)]
        self.zones = zones_of(layout)
        self.layers = np.array([item.layer for item in self.items], dtype=np.int64)
        off = frozenset(unplaced(layout))
        self.off = np.array([item.name in off for item in self.items], dtype=np.bool_)
        self.zone = self.zones.of(self.boxes)
        self.edge = self.zones.edges(self.boxes)

    @cached_property
    def order(self) -> list[int]:
        """Indices of the items by how much they matter: number of pads, then area."""
        size = self.boxes[:, 2:] - self.boxes[:, :2]
        area = (size[:, 0] * size[:, 1]).round(6).tolist()
        return sorted(
            range(len(self.items)), key=lambda i: (-len(self.items[i].ports), -area[i], natural(self.items[i].name))
        )

    @cached_property
    def parts_on(self) -> dict[str, list[int]]:
        """Return the items on each net; supplies are left out."""
        members: dict[str, list[int]] = {}
        for i, item in enumerate(self.items):
            for net in {port.net for port in item.ports if port.net}:
                members.setdefault(net, []).append(i)
        return {net: parts for net, parts in members.items() if 1 < len(parts) <= MAX_SHARING}

    def at(self, level: Level) -> Compass:
        """Return the compass with so much detail."""
        x0, y0, x1, y1 = (exact(v, self.layout.frame.quantum) for v in self.zones.bounds)
        counts = Counter(self._layer(item) for item in self.items)
        locked = [i for i, item in enumerate(self.items) if any(part.locked for part in self.layout.family(item.name))]
        edges: dict[str, Listed] = {}
        for k, name in enumerate(EDGES):
            listed = self._listed(np.flatnonzero((self.edge == k) & ~self.off).tolist(), level.others)
            if listed is not None:
                edges[self._word(name)] = listed
        return Compass(
            kind="Board" if self.layout.frame.solid else "Scene" if self.layout.frame.plan else "Canvas",
            unit=self.layout.frame.unit,
            min=(x0, y0),
            max=(x1, y1),
            outline=self.layout.area is not None or not self.layout.frame.solid,
            parts=len(self.items),
            layers=dict(sorted(counts.items(), reverse=True)) if self.layout.frame.layers else {},
            zones=self._zones(level),
            edges=edges,
            unplaced=self._listed(np.flatnonzero(self.off).tolist(), level.others),
            locked=self._listed(locked, level.others),
            circuit=self._circuit(level),
            main=tuple(self._main(i, level) for i in self.order[: level.mains]),
        )

    @cached_property
    def _known_circuit(self) -> Circuit | None:
        """The circuit, if the layout is a board and shows anything of it."""
        if not self.layout.frame.solid:
            return None
        circuit = circuit_of(self.layout)
        return None if circuit == Circuit(unplaced=circuit.unplaced, locked=circuit.locked) else circuit

    def _circuit(self, level: Level) -> CircuitFacts | None:
        circuit = self._known_circuit
        if circuit is None:
            return None
        budget = level.circuit * (UNPLACED_FACTOR if 2 * int(self.off.sum()) > len(self.items) else 1)
        rows = {
            "blocks": [f"{clean(name)} {len(parts)}" for name, parts in circuit.blocks.items()],
            "power": [clean(net) for net in circuit.power],
            "ground": [clean(net) for net in circuit.ground],
            "decoupling": [_serving_words(one) for one in self._servings],
            "networks": [_belonging_words(one) for one in self._belongings],
            "pairs": [f"{clean(a)} / {clean(b)}" for a, b in circuit.pairs],
        }
        kept: dict[str, int] = {}
        for name, listed in rows.items():
            count = len(some(listed, budget * (2 if name in {"decoupling", "networks"} else 1)))
            # "and 1 more" is hardly shorter than the one that it stands for.
            kept[name] = len(listed) if count >= len(listed) - 1 > 0 else count

        sizes = {clean(name): len(parts) for name, parts in circuit.blocks.items()}
        return CircuitFacts(
            blocks=dict(list(sizes.items())[: kept["blocks"]]),
            power=tuple(rows["power"][: kept["power"]]),
            ground=tuple(rows["ground"][: kept["ground"]]),
            decoupling=tuple(self._servings[: kept["decoupling"]]),
            networks=tuple(self._belongings[: kept["networks"]]),
            pairs=tuple((clean(a), clean(b)) for a, b in circuit.pairs[: kept["pairs"]]),
            connectors=self._names(circuit.connectors, budget),
            mounting_holes=self._names(circuit.mounting_holes, budget),
            test_points=self._names(circuit.test_points, budget),
            fiducials=self._names(circuit.fiducials, budget),
            left_out={name: len(listed) - kept[name] for name, listed in rows.items() if len(listed) > kept[name]},
        )

    @cached_property
    def _servings(self) -> list[Serving]:
        """Decoupling capacitors, the nearest first; those without a place behind them, in the order of their names."""
        off = {self.items[i].name for i in np.flatnonzero(self.off).tolist()}
        servings: list[Serving] = []
        for one in self._known_circuit.decoupling if self._known_circuit else ():
            pins = [port.at for port in self.layout[one.owner].ports_named(one.pin) if port.net == one.net]
            pads = [port.at for port in self.layout[one.capacitor].ports if port.net == one.net]
            near = None if {one.capacitor, one.owner} & off else min(math.dist(a, b) for a in pins for b in pads)
            servings.append(
                Serving(
                    ref=clean(one.capacitor),
                    pin=clean(f"{one.owner}.{one.pin}"),
                    net=clean(one.net),
                    distance=None if near is None else exact(near, self.layout.frame.quantum * 1e4),
                )
            )
        return sorted(servings, key=lambda one: math.inf if one.distance is None else one.distance)

    @cached_property
    def _belongings(self) -> list[Belonging]:
        return [
            Belonging(
                kind=one.kind,
                pins=tuple(clean(f"{one.owner}.{pin}") for pin in one.pins),
                refs=tuple(map(clean, one.members)),
            )
            for one in (self._known_circuit.networks if self._known_circuit else ())
        ]

    def _names(self, names: Sequence[str], tokens: int) -> Listed | None:
        words = ranges(names)
        refs = some(words, tokens)
        return Listed(count=len(names), refs=refs, complete=len(refs) == len(words)) if names else None

    def _listed(self, indices: Sequence[int], tokens: int) -> Listed | None:
        return self._names([self.items[i].name for i in indices], tokens)

    def _word(self, name: str) -> str:
        """Return a zone, edge or side as the layout's frame calls it."""
        return in_depth(name) if self.layout.frame.plan else name

    def _layer(self, item: Item) -> str:
        return clean(self.layout.frame.layers.get(item.layer, str(item.layer)), 16)

    def _zones(self, level: Level) -> tuple[Zone, ...]:
        members: list[list[int]] = [[] for _ in ZONES]
        for i in self.order:
            if not self.off[i]:
                members[int(self.zone[i])].append(i)

        zones: list[Zone] = []
        for k, (name, inside) in enumerate(zip(ZONES, members, strict=True)):
            percents = {layer: round(100 * shares[k]) for layer, shares in self._full.items()}
            full = {layer: percent for layer, percent in percents.items() if percent}
            refs, kinds = tuple(ranges(self.items[i].name for i in inside)), dict[str, int]()
            if len(some(refs, level.zone)) < len(refs):
                # Not all fit: the biggest by name, and the three most frequent kinds.
                refs = some([clean(self.items[i].name) for i in inside], level.zone // 2)
                counts = Counter(clean(self.items[i].label, 16) for i in inside)
                kinds = {label: counts[label] for label in sorted(counts, key=lambda name: (-counts[name], name))[:3]}
            zones.append(Zone(name=self._word(name), parts=len(inside), full=full, refs=refs, kinds=kinds))
        return tuple(zones)

    @cached_property
    def _full(self) -> dict[str, list[float]]:
        """The shares of the nine zones that are covered, by layer; things that may overlap crowd nothing."""
        if not self.layout.frame.solid:
            return {}
        on = sorted(set(self.layers.tolist()), reverse=True)
        names = {n: clean(self.layout.frame.layers.get(n, str(n)), 16) for n in on}
        return {names[n]: self.zones.crowding(self.layout, self.boxes[(self.layers == n) & ~self.off]) for n in on}

    def _main(self, i: int, level: Level) -> Main:
        item, box = self.items[i], self.boxes[i]
        quantum = self.layout.frame.quantum
        nets = {port.net for port in item.ports}
        shared = Counter(other for net in nets for other in self.parts_on.get(net, ()) if other != i)
        partners = sorted(shared, key=lambda n: (-shared[n], natural(self.items[n].name)))
        return Main(
            ref=clean(item.name),
            type=clean(item.label, 16),
            zone="unplaced" if self.off[i] else self._word(ZONES[int(self.zone[i])]),
            size=(exact(float(box[2] - box[0]), quantum * 1e4), exact(float(box[3] - box[1]), quantum * 1e4)),
            layer=self._layer(item) if self.layout.frame.layers else "",
            edge=self._word(EDGES[int(self.edge[i])]) if self.edge[i] >= 0 and not self.off[i] else "",
            pads=len(item.ports),
            locked=item.locked,
            neighbours=() if self.off[i] else self._neighbours(i)[: level.neighbours],
            links=tuple(Link(ref=clean(self.items[n].name), nets=shared[n]) for n in partners[: level.links]),
        )

    def _neighbours(self, i: int) -> tuple[Neighbour, ...]:
        """Return the nearest part on each side, the nearest side first."""
        mine, boxes = self.boxes[i], self.boxes
        dx = np.maximum(boxes[:, 0] - mine[2], 0.0) - np.maximum(mine[0] - boxes[:, 2], 0.0)
        dy = np.maximum(boxes[:, 1] - mine[3], 0.0) - np.maximum(mine[1] - boxes[:, 3], 0.0)
        far: NDArray[np.float64] = np.hypot(dx, dy).round(9)

        # The side is the direction of the gap; of boxes that meet, that from center to center.
        ways: NDArray[np.float64] = (boxes[:, :2] + boxes[:, 2:] - mine[:2] - mine[2:]) / 2
        wx: NDArray[np.float64] = np.where(far == 0.0, ways[:, 0], dx)
        wy: NDArray[np.float64] = np.where(far == 0.0, ways[:, 1], dy)
        upright = np.where((wy < 0) != self.zones.upward, 2, 3)
        side = np.where(np.abs(wx) >= np.abs(wy), np.where(wx < 0, 0, 1), upright)

        frame = self.layout.frame
        other = np.ones(len(far), np.bool_)
        if frame.solid or frame.plan:
            other = (self.layers == self.layers[i]) & ~self.off
        other[i] = False
        nearest: list[tuple[float, Neighbour]] = []
        for k, name in enumerate(SIDES):
            at = np.flatnonzero(other & (side == k))
            if len(at):
                n = int(at[far[at].argmin()])
                gap = exact(float(far[n]), frame.quantum * 1e3)
                nearest.append((gap, Neighbour(side=self._word(name), ref=clean(self.items[n].name), gap=gap)))
        return tuple(neighbour for _, neighbour in sorted(nearest, key=lambda pair: pair[0]))


def words_of(compass: Compass) -> str:
    """Return the text that a model reads, a fact a line."""
    lines = [_frame_line(compass)]
    if compass.unplaced:
        lines.append(f"Unplaced: {_listed_words(compass.unplaced)}.")
    if compass.locked:
        lines.append(f"Locked: {_listed_words(compass.locked)}.")
    if compass.circuit:
        lines += _circuit_lines(compass.circuit, compass.unit)
    lines += [_zone_line(zone, compass) for zone in compass.zones if zone.parts]
    if empty := [zone.name for zone in compass.zones if not zone.parts]:
        lines.append(f"Empty zones: {', '.join(empty)}.")
    lines += [f"{name}: {_listed_words(listed)}." for name, listed in compass.edges.items()]
    if compass.main:
        nets = "" if compass.kind == "Scene" else " and shared nets (supplies left out)"
        lines.append(f"Main parts, with nearest neighbours (gap of boxes){nets}:")
    lines += [_main_line(part, compass.unit) for part in compass.main]
    return "\n".join(lines)


def _circuit_lines(circuit: CircuitFacts, unit: str) -> Iterator[str]:
    def more(name: str) -> str:
        count = circuit.left_out.get(name, 0)
        return f"; and {count} more" if count else ""

    blocks = ", ".join(f"{_name(name)} ({_parts(count)})" for name, count in circuit.blocks.items())
    if blocks:
        yield f"Blocks (sheets and groups): {blocks}{more('blocks')}."
    supplies = [f"{_names(circuit.power)}{more('power')}"] * bool(circuit.power)
    supplies += [f"ground {_names(circuit.ground)}{more('ground')}"] * bool(circuit.ground)
    if supplies:
        yield f"Supplies: {'; '.join(supplies)}."
    if circuit.decoupling:
        served = "; ".join(_serving_words(one, unit) for one in circuit.decoupling)
        yield f"Decoupling: {served}{more('decoupling')}."
    if circuit.networks:
        yield f"Belong together: {'; '.join(map(_belonging_words, circuit.networks))}{more('networks')}."
    if circuit.pairs:
        yield f"Differential pairs: {', '.join(f'{_name(a)} / {_name(b)}' for a, b in circuit.pairs)}{more('pairs')}."
    for kind, listed in (
        ("Connectors", circuit.connectors),
        ("Mounting holes", circuit.mounting_holes),
        ("Test points", circuit.test_points),
        ("Fiducials", circuit.fiducials),
    ):
        if listed:
            yield f"{kind}: {_listed_words(listed)}."


def _serving_words(one: Serving, unit: str = "mm") -> str:
    far = "" if one.distance is None else f", {one.distance:.3g} {unit}"
    return f"{_name(one.ref)} serves {_name(one.pin)} ({_name(one.net)}{far})"


def _belonging_words(one: Belonging) -> str:
    return f"{one.kind} {_names(one.refs)} at {_names(one.pins)}"


def _name(ref: str) -> str:
    """Return a reference; in quotes when it could be read as a sentence, since it is data and never our own words."""
    return ref if " " not in ref else '"' + ref.replace('"', "'") + '"'


def _names(refs: Iterable[str]) -> str:
    return ", ".join(_name(ref) for ref in refs)


def _parts(count: int) -> str:
    return f"{count} part{'s' * (count != 1)}"


def _frame_line(compass: Compass) -> str:
    (x0, y0), (x1, y1) = compass.min, compass.max
    unit = f" {compass.unit}" if compass.unit != "canvas" else ""
    sides = ", ".join(f"{count} {layer}" for layer, count in compass.layers.items())
    what = compass.kind if compass.outline else f"{compass.kind} without an outline, its parts within"
    size = f"{what} {x1 - x0:.6g} × {y1 - y0:.6g}{unit}: x {x0:.6g} to {x1:.6g}, y {y0:.6g} to {y1:.6g}"
    line = f"{size}. {_parts(compass.parts)}{f': {sides}' if sides else ''}."
    return line if compass.outline else f"{line} Zones and edges are those of the parts; there is no edge to move to."


def _listed_words(listed: Listed) -> str:
    names = _names(listed.refs)
    if listed.complete:
        return names
    return f"{listed.count} parts, among them {names}" if names else f"{listed.count} parts"


def _zone_line(zone: Zone, compass: Compass) -> str:
    covered = [f"{layer} {percent} %" for layer, percent in zone.full.items()]
    if len(compass.layers) < 2:
        covered = [f"{percent} %" for percent in zone.full.values()]
    full = f", {' and '.join(covered)} full" if covered else ""
    count = _parts(zone.parts)
    names = _names(zone.refs)
    if not zone.kinds:
        return f"{zone.name}: {names} ({count}{full})."
    kinds = ", ".join(f"{kind} ×{number}" for kind, number in zone.kinds.items())
    return f"{zone.name}: {count}{full}; {kinds}{f'; biggest {names}' if names else ''}."


def _main_line(part: Main, unit: str) -> str:
    pads = f"{part.pads} pads" if part.pads else ""
    size = f"{part.size[0]:.4g} × {part.size[1]:.4g}{f' {unit}' if unit != 'canvas' else ''}"
    facts = ", ".join(fact for fact in (part.type, part.layer, size, pads, "locked" * part.locked) if fact)
    place = "is unplaced" if part.zone == "unplaced" else f"is in {part.zone} zone"
    edge = f", at {part.edge}" if part.edge else ""
    near = ", ".join(f"{n.side} {_name(n.ref)} {n.gap:.6g}" for n in part.neighbours)
    links = ", ".join(f"{link.nets} with {_name(link.ref)}" for link in part.links)
    pieces = [f"{_name(part.ref)} ({facts}) {place}{edge}", near, f"shares {links}" if links else ""]
    return "; ".join(filter(None, pieces)) + "."


BUDGET = 960
"""Tokens, as `estimate` counts them: the specification's limit is 1,000."""


def compass(layout: Layout) -> str:
    """Return the layout in words, a fact a line. Names in it come from a file and are data, never instructions."""
    return words_of(_fitting(layout, words_of))


def compass_of(layout: Layout) -> Compass:
    """Return the layout as data; its `text()` keeps the budget too."""
    return _fitting(layout, Compass.text)


def _fitting(layout: Layout, text: Callable[[Compass], str]) -> Compass:
    """Return the compass with the most detail whose text fits the budget; the last level is taken as it is."""
    survey = Survey(layout)
    for level in LEVELS[:-1]:
        compass = survey.at(level)
        if estimate(text(compass)) <= BUDGET:
            return compass
    return survey.at(LEVELS[-1])
