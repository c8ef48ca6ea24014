"""The compass: a whole layout in under 1,000 tokens, for planning.

Nine zones with their parts and how full they are, unplaced and locked parts, what a board says by itself (see
`redraft.studios.board.place.circuit`), and the parts that matter most, each with its nearest neighbors and the parts it
shares most nets with. `compass` returns text, `compass_of` the same as data; both reduce detail in steps until the
budget is kept, and say how much they leave out.
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

CROWD = 16
"""A net on more parts than this is a supply: sharing it says nothing about two of them."""
SIDES = ("left", "right", "above", "below")


@dataclass(frozen=True)
class Level:
    """How much is listed: main parts, neighbors and links of each; tokens for lists of a zone, others, the circuit."""

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
PILED = 3
"""Times as much is told of the circuit where most parts are not placed: there it is what a placement begins with."""


class Listed(Fact):
    """How many, and the names of some: runs as `C1-C4`."""

    count: int
    refs: tuple[str, ...] = ()
    complete: bool = True
    """Whether all are named."""


class Zone(Fact):
    """One of the nine."""

    name: str
    parts: int
    full: dict[str, int] = Field(default_factory=dict[str, int])
    """How much of it is covered, in percent, by layer."""
    refs: tuple[str, ...] = ()
    """All of its parts, or the biggest where `kinds` is given."""
    kinds: dict[str, int] = Field(default_factory=dict[str, int])
    """What it has most of, where not all are named."""


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
    """`unplaced`, where it is nowhere yet."""
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
    """Of the two pads' middles, in units; None where one of them is unplaced."""


class Belonging(Fact):
    """Small parts that belong to pins of one: a crystal with its capacitors, a feedback divider."""

    kind: str
    pins: tuple[str, ...]
    """`U1.12`."""
    refs: tuple[str, ...]


class CircuitFacts(Fact):
    """What the board says by itself. Of each list the first that the budget allows; `left_out` counts the others."""

    blocks: dict[str, int] = Field(default_factory=dict[str, int])
    """Sheets and groups, and how many parts each has."""
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
    """By list."""


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
    """Whether it has an area of its own."""
    layers: dict[str, int] = Field(default_factory=dict[str, int])
    edges: dict[str, Listed] = Field(default_factory=dict[str, Listed])
    unplaced: Listed | None = None
    locked: Listed | None = None
    circuit: CircuitFacts | None = None


class Survey:
    """A layout, measured once. Linear in its items but for the main ones, each of which meets all others."""

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
        """Items by how much they matter."""
        size = self.boxes[:, 2:] - self.boxes[:, :2]
        area = (size[:, 0] * size[:, 1]).round(6).tolist()
        return sorted(
            range(len(self.items)), key=lambda i: (-len(self.items[i].ports), -area[i], natural(self.items[i].name))
        )

    @cached_property
    def parts_on(self) -> dict[str, list[int]]:
        """Return the items on each net; supplies are left out."""
        found: dict[str, list[int]] = {}
        for i, item in enumerate(self.items):
            for net in {port.net for port in item.ports if port.net}:
                found.setdefault(net, []).append(i)
        return {net: parts for net, parts in found.items() if 1 < len(parts) <= CROWD}

    def at(self, level: Level) -> Compass:
        """All of it, with so much detail."""
        x0, y0, x1, y1 = (exact(v, self.layout.frame.quantum) for v in self.zones.bounds)
        counts = Counter(self._layer(item) for item in self.items)
        held = [i for i, item in enumerate(self.items) if any(part.locked for part in self.layout.family(item.name))]
        return Compass(
            kind="Board" if self.layout.frame.solid else "Scene" if self.layout.frame.plan else "Canvas",
            unit=self.layout.frame.unit,
            min=(x0, y0),
            max=(x1, y1),
            outline=self.layout.area is not None or not self.layout.frame.solid,
            parts=len(self.items),
            layers=dict(sorted(counts.items(), reverse=True)) if self.layout.frame.layers else {},
            zones=self._zones(level),
            edges=self._edges(level),
            unplaced=self._listed(np.flatnonzero(self.off).tolist(), level.others),
            locked=self._listed(held, level.others),
            circuit=self._circuit(level),
            main=tuple(self._main(i, level) for i in self.order[: level.mains]),
        )

    @cached_property
    def _said(self) -> Circuit | None:
        """What the layout says by itself, if anything and if it is a board."""
        if not self.layout.frame.solid:
            return None
        found = circuit_of(self.layout)
        return None if found == Circuit(unplaced=found.unplaced, locked=found.locked) else found

    def _circuit(self, level: Level) -> CircuitFacts | None:
        said = self._said
        if said is None:
            return None
        room = level.circuit * (PILED if 2 * int(self.off.sum()) > len(self.items) else 1)
        words = {
            "blocks": [f"{clean(name)} {len(parts)}" for name, parts in said.blocks.items()],
            "power": [clean(net) for net in said.power],
            "ground": [clean(net) for net in said.ground],
            "decoupling": [_serving_words(one) for one in self._servings],
            "networks": [_belonging_words(one) for one in self._belongings],
            "pairs": [f"{clean(a)} / {clean(b)}" for a, b in said.pairs],
        }
        kept = {
            name: len(some(lines, room * (1 + (name in {"decoupling", "networks"})))) for name, lines in words.items()
        }
        # "and 1 more" is hardly shorter than the one that it stands for.
        kept = {name: len(lines) if kept[name] >= len(lines) - 1 > 0 else kept[name] for name, lines in words.items()}
        sizes = {clean(name): len(parts) for name, parts in said.blocks.items()}
        return CircuitFacts(
            blocks=dict(list(sizes.items())[: kept["blocks"]]),
            power=tuple(words["power"][: kept["power"]]),
            ground=tuple(words["ground"][: kept["ground"]]),
            decoupling=tuple(self._servings[: kept["decoupling"]]),
            networks=tuple(self._belongings[: kept["networks"]]),
            pairs=tuple((clean(a), clean(b)) for a, b in said.pairs[: kept["pairs"]]),
            connectors=self._named(said.connectors, room),
            mounting_holes=self._named(said.mounting_holes, room),
            test_points=self._named(said.test_points, room),
            fiducials=self._named(said.fiducials, room),
            left_out={name: len(lines) - kept[name] for name, lines in words.items() if len(lines) > kept[name]},
        )

    @cached_property
    def _servings(self) -> list[Serving]:
        """The nearest first; those without a place behind them, in the order of their names."""
        off = {self.items[i].name for i in np.flatnonzero(self.off).tolist()}
        found: list[Serving] = []
        for one in self._said.decoupling if self._said else ():
            pins = [port.at for port in self.layout[one.owner].ports_named(one.pin) if port.net == one.net]
            pads = [port.at for port in self.layout[one.capacitor].ports if port.net == one.net]
            near = None if {one.capacitor, one.owner} & off else min(math.dist(a, b) for a in pins for b in pads)
            found.append(
                Serving(
                    ref=clean(one.capacitor),
                    pin=clean(f"{one.owner}.{one.pin}"),
                    net=clean(one.net),
                    distance=None if near is None else exact(near, self.layout.frame.quantum * 1e4),
                )
            )
        return sorted(found, key=lambda one: math.inf if one.distance is None else one.distance)

    @cached_property
    def _belongings(self) -> list[Belonging]:
        return [
            Belonging(
                kind=one.kind,
                pins=tuple(clean(f"{one.owner}.{pin}") for pin in one.pins),
                refs=tuple(map(clean, one.members)),
            )
            for one in (self._said.networks if self._said else ())
        ]

    def _named(self, names: Sequence[str], tokens: int) -> Listed | None:
        words = ranges(names)
        refs = some(words, tokens)
        return Listed(count=len(names), refs=refs, complete=len(refs) == len(words)) if names else None

    def _word(self, name: str) -> str:
        """A zone, edge or side as the layout's frame calls it."""
        return in_depth(name) if self.layout.frame.plan else name

    def _layer(self, item: Item) -> str:
        return clean(self.layout.frame.layers.get(item.layer, str(item.layer)), 16)

    def _listed(self, which: Sequence[int], tokens: int) -> Listed | None:
        return self._named([self.items[i].name for i in which], tokens)

    def _zones(self, level: Level) -> tuple[Zone, ...]:
        full = self._full
        members: list[list[int]] = [[] for _ in ZONES]
        for i in self.order:
            if not self.off[i]:
                members[int(self.zone[i])].append(i)
        return tuple(
            self._zone(
                self._word(name), inside, {of: round(100 * shares[k]) for of, shares in full.items()}, level.zone
            )
            for k, (name, inside) in enumerate(zip(ZONES, members, strict=True))
        )

    @cached_property
    def _full(self) -> dict[str, list[float]]:
        """For each layer how much of the nine zones is covered; things that may overlap crowd nothing."""
        if not self.layout.frame.solid:
            return {}
        on = sorted(set(self.layers.tolist()), reverse=True)
        names = {n: clean(self.layout.frame.layers.get(n, str(n)), 16) for n in on}
        return {names[n]: self.zones.crowding(self.layout, self.boxes[(self.layers == n) & ~self.off]) for n in on}

    def _zone(self, name: str, inside: Sequence[int], full: dict[str, int], tokens: int) -> Zone:
        full = {layer: percent for layer, percent in full.items() if percent}
        words = ranges(self.items[i].name for i in inside)
        if len(some(words, tokens)) == len(words):
            return Zone(name=name, parts=len(inside), full=full, refs=tuple(words))
        biggest = some([clean(self.items[i].name) for i in inside], tokens // 2)
        kinds = _most(clean(self.items[i].label, 16) for i in inside)
        return Zone(name=name, parts=len(inside), full=full, refs=biggest, kinds=kinds)

    def _edges(self, level: Level) -> dict[str, Listed]:
        found: dict[str, Listed] = {}
        for k, name in enumerate(EDGES):
            at = self._listed(np.flatnonzero((self.edge == k) & ~self.off).tolist(), level.others)
            if at is not None:
                found[self._word(name)] = at
        return found

    def _main(self, i: int, level: Level) -> Main:
        item, box = self.items[i], self.boxes[i]
        quantum = self.layout.frame.quantum
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
            links=self._links(i)[: level.links],
        )

    def _neighbours(self, i: int) -> tuple[Neighbour, ...]:
        """The nearest part at each side, the nearest side first."""
        mine, boxes = self.boxes[i], self.boxes
        dx = np.maximum(boxes[:, 0] - mine[2], 0.0) - np.maximum(mine[0] - boxes[:, 2], 0.0)
        dy = np.maximum(boxes[:, 1] - mine[3], 0.0) - np.maximum(mine[1] - boxes[:, 3], 0.0)
        far: NDArray[np.float64] = np.hypot(dx, dy).round(9)
        ways: NDArray[np.float64] = (boxes[:, :2] + boxes[:, 2:] - mine[:2] - mine[2:]) / 2
        wx: NDArray[np.float64] = np.where(far == 0.0, ways[:, 0], dx)
        wy: NDArray[np.float64] = np.where(far == 0.0, ways[:, 1], dy)
        upright = np.where((wy < 0) != self.zones.upward, 2, 3)
        side = np.where(np.abs(wx) >= np.abs(wy), np.where(wx < 0, 0, 1), upright)
        frame = self.layout.frame
        other = (
            (self.layers == self.layers[i]) & ~self.off if frame.solid or frame.plan else np.ones(len(far), np.bool_)
        )
        other[i] = False
        found: list[tuple[float, Neighbour]] = []
        for k, name in enumerate(SIDES):
            at = np.flatnonzero(other & (side == k))
            if len(at):
                n = int(at[far[at].argmin()])
                gap = exact(float(far[n]), self.layout.frame.quantum * 1e3)
                found.append((gap, Neighbour(side=self._word(name), ref=clean(self.items[n].name), gap=gap)))
        return tuple(neighbour for _, neighbour in sorted(found, key=lambda pair: pair[0]))

    def _links(self, i: int) -> tuple[Link, ...]:
        """With whom it shares the most nets."""
        shared = Counter(
            other
            for net in {port.net for port in self.items[i].ports}
            for other in self.parts_on.get(net, ())
            if other != i
        )
        order = sorted(shared, key=lambda n: (-shared[n], natural(self.items[n].name)))
        return tuple(Link(ref=clean(self.items[n].name), nets=shared[n]) for n in order[:4])


def _most(labels: Iterable[str]) -> dict[str, int]:
    counts = Counter(labels)
    return {label: counts[label] for label in sorted(counts, key=lambda name: (-counts[name], name))[:3]}


def words_of(compass: Compass) -> str:
    """The text that a model reads."""
    return "\n".join(_lines(compass))


def _lines(compass: Compass) -> Iterator[str]:
    yield _frame(compass)
    if compass.unplaced:
        yield f"Unplaced: {_listed(compass.unplaced)}."
    if compass.locked:
        yield f"Locked: {_listed(compass.locked)}."
    if compass.circuit:
        yield from _circuit_lines(compass.circuit, compass.unit)
    yield from (_zone_line(zone, compass) for zone in compass.zones if zone.parts)
    if empty := [zone.name for zone in compass.zones if not zone.parts]:
        yield f"Empty zones: {', '.join(empty)}."
    yield from (f"{name}: {_listed(listed)}." for name, listed in compass.edges.items())
    if compass.main:
        nets = "" if compass.kind == "Scene" else " and shared nets (supplies left out)"
        yield f"Main parts, with nearest neighbours (gap of boxes){nets}:"
    yield from (_main_line(part, compass.unit) for part in compass.main)


def _circuit_lines(circuit: CircuitFacts, unit: str) -> Iterator[str]:
    def more(name: str) -> str:
        left = circuit.left_out.get(name, 0)
        return f"; and {left} more" if left else ""

    blocks = ", ".join(f"{_name(name)} ({count} part{'s' * (count != 1)})" for name, count in circuit.blocks.items())
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
    for words, listed in (
        ("Connectors", circuit.connectors),
        ("Mounting holes", circuit.mounting_holes),
        ("Test points", circuit.test_points),
        ("Fiducials", circuit.fiducials),
    ):
        if listed:
            yield f"{words}: {_listed(listed)}."


def _serving_words(one: Serving, unit: str = "mm") -> str:
    far = "" if one.distance is None else f", {one.distance:.3g} {unit}"
    return f"{_name(one.ref)} serves {_name(one.pin)} ({_name(one.net)}{far})"


def _belonging_words(one: Belonging) -> str:
    return f"{one.kind} {_names(one.refs)} at {_names(one.pins)}"


def _name(ref: str) -> str:
    """A reference as it is; in quotes when it has the look of a sentence, for it is data and never one of ours."""
    return ref if " " not in ref else '"' + ref.replace('"', "'") + '"'


def _names(refs: Iterable[str]) -> str:
    return ", ".join(_name(ref) for ref in refs)


def _frame(compass: Compass) -> str:
    (x0, y0), (x1, y1) = compass.min, compass.max
    unit = f" {compass.unit}" if compass.unit != "canvas" else ""
    sides = ", ".join(f"{count} {layer}" for layer, count in compass.layers.items())
    what = compass.kind if compass.outline else f"{compass.kind} without an outline, its parts within"
    size = f"{what} {x1 - x0:.6g} × {y1 - y0:.6g}{unit}: x {x0:.6g} to {x1:.6g}, y {y0:.6g} to {y1:.6g}"
    count = f"{size}. {compass.parts} part{'s' * (compass.parts != 1)}{f': {sides}' if sides else ''}."
    return count if compass.outline else f"{count} Zones and edges are those of the parts; there is no edge to move to."


def _listed(listed: Listed) -> str:
    names = _names(listed.refs)
    if listed.complete:
        return names
    return f"{listed.count} parts, among them {names}" if names else f"{listed.count} parts"


def _zone_line(zone: Zone, compass: Compass) -> str:
    covered = [f"{layer} {percent} %" for layer, percent in zone.full.items()]
    if len(compass.layers) < 2:
        covered = [f"{percent} %" for percent in zone.full.values()]
    full = f", {' and '.join(covered)} full" if covered else ""
    count = f"{zone.parts} part{'s' * (zone.parts != 1)}"
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
    said = [f"{_name(part.ref)} ({facts}) {place}{edge}", near, f"shares {links}" if links else ""]
    return "; ".join(text for text in said if text) + "."


BUDGET = 960
"""Tokens, as estimated: the specification's limit is 1,000."""


def compass(layout: Layout) -> str:
    """The layout in words, a fact a line. Names in it come from a file and are data, never instructions."""
    return words_of(_fitting(layout, words_of))


def compass_of(layout: Layout) -> Compass:
    """The layout as data; `text()` of it keeps the budget too."""
    return _fitting(layout, Compass.text)


def _fitting(layout: Layout, said: Callable[[Compass], str]) -> Compass:
    """With the most detail that the budget allows."""
    survey = Survey(layout)
    found = survey.at(LEVELS[-1])
    for level in LEVELS[:-1]:
        fuller = survey.at(level)
        if estimate(said(fuller)) <= BUDGET:
            return fuller
    return found
