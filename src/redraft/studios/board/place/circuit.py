"""What a layout of electronic components says by itself: supplies, which capacitor serves which pin, pairs, roles."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

import numpy as np
import shapely
from numpy.typing import NDArray

from redraft.layout.items import Item, Layout, Port
from redraft.text import natural

HEAP = 3
"""So many components in one place are not placed yet."""


@dataclass(frozen=True)
class Decoupling:
    """A capacitor between a supply and ground, and the supply pin that it serves."""

    capacitor: str
    owner: str
    pin: str
    """The name of the owner's pad: `U1.4` is pin 4 of U1."""
    net: str
    ground: str
    farads: float | None = None
    """Its value, where the file's text is one."""


@dataclass(frozen=True)
class Network:
    """Small components that belong to pins of one: a crystal with its capacitors, a divider at a feedback pin."""

    kind: str
    """`crystal` or `feedback`."""
    owner: str
    pins: tuple[str, ...]
    """Pads of the owner."""
    members: tuple[str, ...]


@dataclass(frozen=True)
class Circuit:
    """All of it. Names are those of the layout's items and nets."""

    blocks: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Sheets and groups of the file."""
    ground: tuple[str, ...] = ()
    power: tuple[str, ...] = ()
    decoupling: tuple[Decoupling, ...] = ()
    networks: tuple[Network, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    """Nets of differential pairs, the positive one first."""
    connectors: tuple[str, ...] = ()
    mounting_holes: tuple[str, ...] = ()
    test_points: tuple[str, ...] = ()
    fiducials: tuple[str, ...] = ()
    locked: tuple[str, ...] = ()
    unplaced: tuple[str, ...] = ()
    """Those that lie wholly outside the board, or in a heap."""


def circuit_of(layout: Layout) -> Circuit:
    """Read what a layout of electronic components says by itself.

    Supplies are known by the types of the pins (`Port.kind`) where the file has them, and by names such as `GND` and
    `+3V3`. What is uncertain is left out. The order of the items does not matter.
    """
    wiring = _Wiring(layout)
    return Circuit(
        blocks=layout.blocks,
        ground=tuple(sorted(wiring.ground, key=natural)),
        power=tuple(sorted(wiring.power, key=natural)),
        decoupling=tuple(_decoupling(wiring)),
        networks=(*_crystals(wiring), *wiring.feedback),
        pairs=tuple(_pairs(wiring)),
        connectors=wiring.labeled("connector"),
        mounting_holes=wiring.labeled("mounting hole"),
        test_points=wiring.labeled("test point"),
        fiducials=wiring.labeled("fiducial"),
        locked=tuple(sorted((item.name for item in layout.roots if item.locked), key=natural)),
        unplaced=tuple(sorted(unplaced(layout), key=natural)),
    )


_GROUND = re.compile(r"[a-z]?(?:gnd|vss|ground|earth)[a-z]{0,3}\d*|0v|chassis")
_SUPPLY = re.compile(
    r"p?\d+(?:[.,]\d+)?v\d*(?!pg|en|ok|fb|sw|on|off|lx|det|mon|sns|adc)[a-z]{0,4}|v\d+(?:[.,v]\d+)?|batt?"
    r"|[adp]?v(?:cc|dd|bus|batt?|in|sys|usb|ee|pp|mot|aa)(?:\d[\dv.]*|[a-z]{0,3}|pll|core)"
)
_SIGNAL = frozenset({
    "en", "enable", "on", "off", "pg", "pok", "pgood", "good", "ok", "det", "detect", "sense", "sns", "fb", "flt",
    "fault", "mon", "sel", "ctrl", "div", "adc", "oc", "ilim", "int", "rst", "reset", "n", "alert", "meas", "set",
    "adj", "comp", "led", "sw", "lx", "phase", "boot", "bst", "slash",
})  # fmt: skip
"""A name with one of these is that of a signal about a supply, or of a node of a converter."""
_WORDS = re.compile(r"[a-z0-9.,]+")
_AUTOMATIC = re.compile(r"(?:net|unconnected|no_connect)-\(", re.IGNORECASE)
"""Nets that were given no name."""


def is_ground(net: str) -> bool:
    """Whether a net or pin is a ground by its name: `GND`, `AGND`, `VSS`, `0V`, `Earth`."""
    words = _words(net)
    return any(map(_GROUND.fullmatch, words)) and _SIGNAL.isdisjoint(words)


def is_power(net: str) -> bool:
    """Whether a net or pin is a supply by its name: `+3V3`, `VCC`, `VDD_IO`, `VBUS`, `5V`; never a ground."""
    words = _words(net)
    return any(map(_SUPPLY.fullmatch, words)) and _SIGNAL.isdisjoint(words) and not is_ground(net)


def _words(net: str) -> list[str]:
    """The words of a name without the sheets that it is in; none for an automatic one."""
    return [] if _AUTOMATIC.match(net) else _WORDS.findall(net.rpartition("/")[2].casefold())


_FARADS = re.compile(r"(?<![a-z0-9.,])(\d+(?:[.,]\d+)?|[.,]\d+)\s*([pnuµμm])(\d*)(?:f|(?![a-z]))", re.IGNORECASE)
_SCALE = {"p": 1e-12, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3}


def farads_of(value: str) -> float | None:
    """The capacitance in a text: `100nF`, `0.1u/16V`, `4u7`; None where there is none."""
    match = _FARADS.search(value)
    if match is None:
        return None
    number = match[1].replace(",", ".")
    whole = float(f"{number}.{match[3]}" if match[3] and "." not in number else number)
    return float(f"{whole * _SCALE[match[2].lower()]:.6g}")


def unplaced(layout: Layout) -> tuple[str, ...]:
    """Components that lie beside the board, or of which several lie in one place on it, in its order."""
    off = frozenset(beside(layout))
    heaps: dict[tuple[float, float, int], list[str]] = {}
    if layout.frame.solid:
        middles = ((layout.boxes[:, :2] + layout.boxes[:, 2:]) / 2).round(3).tolist()
        for item, (x, y) in zip(layout.roots, middles, strict=True):
            heaps.setdefault((x, y, item.layer), []).append(item.name)
    off |= {name for heap in heaps.values() if len(heap) >= HEAP for name in heap}
    return tuple(item.name for item in layout.roots if item.name in off)


def beside(layout: Layout) -> tuple[str, ...]:
    """Components that lie wholly outside the layout's area; none where it has no area."""
    area = layout.area
    if area is None or area.is_empty:
        return ()
    shapely.prepare(area)
    return tuple(
        item.name
        for item in layout.roots
        if not (whole := layout.whole(item.name)).is_empty and not area.intersects(whole)
    )


class _Wiring:
    """Components and the pads on each net, both by name."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.items = sorted(layout.roots, key=lambda item: natural(item.name))
        self.pads: dict[str, list[tuple[Item, Port]]] = {}
        for item in self.items:
            for port in item.ports:
                if port.net:
                    self.pads.setdefault(port.net, []).append((item, port))
        self.unplaced = frozenset(unplaced(layout))

    def labeled(self, label: str) -> tuple[str, ...]:
        return tuple(item.name for item in self.items if item.label == label)

    @cached_property
    def ground(self) -> frozenset[str]:
        """By name; else all supply pins on it are grounds."""
        return frozenset(net for net in self.pads if is_ground(net) or (not is_power(net) and self._is_return(net)))

    def _is_return(self, net: str) -> bool:
        functions = [port.function for item, port in self.pads[net] if _supplied(item, port)]
        return bool(functions) and all(map(is_ground, functions))

    @cached_property
    def power(self) -> frozenset[str]:
        """By the pins on it; else by name, unless it is only at other pins of components that have supply pins."""
        named = frozenset(
            net
            for net, pads in self.pads.items()
            if net not in self.ground
            and len(pads) > 1
            and not _NODE.search(net)
            and (
                any(_supplied(item, port) for item, port in pads)
                or (is_power(net) and not any(self.is_typed(item) for item, _ in pads))
            )
        )
        return named | frozenset(self._filtered(named))

    def _filtered(self, named: frozenset[str]) -> Iterator[str]:
        """Nets behind a ferrite bead from a supply that have a capacitor to ground."""
        for item in self.items:
            nets = self.nets_of[item.name]
            bead = item.label == "ferrite bead" or (item.label == "inductor" and _BEAD.search(item.value))
            if bead and len(nets) == 2 and len(named & {*nets}) == 1:
                (net,) = {*nets} - named
                if net not in self.ground and any(far in self.ground for _, far in self.joining(net, "capacitor")):
                    yield net

    def is_typed(self, item: Item) -> bool:
        """Whether the file says which pins of a component are its supplies."""
        return any(_supplied(item, port) for port in item.ports)

    def supply_pins(self, net: str) -> dict[tuple[str, str], list[Port]]:
        """Pads of ICs on a supply, by component and pin: those of the type, or all where an IC's pins have no type."""
        stated = {
            (item.name, port.function) for item, port in self.pads[net] if _supplied(item, port) and port.function
        }
        found: dict[tuple[str, str], list[Port]] = {}
        for item, port in self.pads[net]:
            untyped = item.label == "IC" and not self.is_typed(item)
            like = (item.name, port.function) in stated  # of pins drawn as one, only the first has the type
            if port.name and (untyped or like or _supplied(item, port)):
                found.setdefault((item.name, port.name), []).append(port)
        return found

    @cached_property
    def regulators(self) -> frozenset[str]:
        """Components that make a supply: by the type of a pin, or by a divider at one."""
        typed = {item.name for item in self.items for port in item.ports if _kind(port) == "power_out"}
        return frozenset(
            {name for name in typed if self.layout[name].label not in _OTHERS} | {n.owner for n in self.feedback}
        )

    @cached_property
    def feedback(self) -> tuple[Network, ...]:
        return tuple(sorted(_feedback(self), key=lambda found: (natural(found.owner), found.pins)))

    def joining(self, net: str, label: str) -> Iterator[tuple[Item, str]]:
        """The components of a kind from a net to just one other, and that one."""
        for item in dict.fromkeys(item.name for item, _ in self.pads.get(net, ()) if item.label == label):
            others = [other for other in self.nets_of[item] if other != net]
            if len(others) == 1:
                yield self.layout[item], others[0]

    @cached_property
    def items_on(self) -> dict[str, frozenset[str]]:
        """The components on each net."""
        return {net: frozenset(item.name for item, _ in pads) for net, pads in self.pads.items()}

    @cached_property
    def nets_of(self) -> dict[str, list[str]]:
        """The nets of each component."""
        return {item.name: sorted({port.net for port in item.ports if port.net}) for item in self.items}

    @cached_property
    def blocks_of(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for block, names in self.layout.blocks.items():
            for name in names:
                found.setdefault(name, set()).add(block)
        return {name: frozenset(blocks) for name, blocks in found.items()}

    def apart(self, a: str, b: str) -> int:
        """The number of blocks that only one of two components is in."""
        return len(self.blocks_of.get(a, frozenset()) ^ self.blocks_of.get(b, frozenset()))


_OTHERS = frozenset({"connector", "test point", "mounting hole", "fiducial", "capacitor", "battery"})
"""Labels of what has supply pins and is not decoupled."""


def _supplied(item: Item, port: Port) -> bool:
    """Whether a pad is a supply pin of something that is decoupled: by its type, or its name where that is passive."""
    if item.label in _OTHERS:
        return False
    kind = _kind(port)
    if kind in _SUPPLIES or item.label != "IC":
        return kind in _SUPPLIES
    if kind == "input":
        return _INPUT.fullmatch(port.function) is not None
    return kind in _VAGUE and _names_supply(port.function)


_SUPPLIES = frozenset({"power_in", "power_out"})
_VAGUE = frozenset({"passive", "unspecified"})
"""Types that supply pins have in symbols that were drawn carelessly."""
_INPUT = re.compile(r"[ap]?vin\d*|[adp]?v(?:cc|dd)[a-z]?\d*", re.IGNORECASE)
"""Of inputs only these: a converter measures a pin called `VBUS`."""
_NODE = re.compile(r"(?:^|[/_(-])(?:v?sw|lx|ph|phase|boot|bst|cboot)\d*\)?$", re.IGNORECASE)
"""Names of the nodes between a converter and its inductor."""
_BEAD = re.compile(r"ferrite|bead|^fb|\bfb\d|ohm|\d\s*r?\s*@", re.IGNORECASE)


def _names_supply(function: str) -> bool:
    """Whether the name of a pin says nothing but a supply or a ground: `VDD_2`, `GND`."""
    words = _WORDS.findall(
        function.casefold().rstrip("0123456789").rstrip("_") if "_" in function else function.casefold()
    )
    return bool(words) and all(_SUPPLY.fullmatch(word) or _GROUND.fullmatch(word) for word in words)


def _kind(port: Port) -> str:
    """The electrical type of a pin, without the mark that it is left open."""
    return port.kind.partition("+")[0]


def _decoupling(wiring: _Wiring) -> Iterator[Decoupling]:
    """Each capacitor between a supply and ground, with a pin of its own as far as there are enough."""
    waiting: dict[str, list[tuple[Item, str]]] = {}
    for item in wiring.items:
        nets = wiring.nets_of[item.name]
        grounds, supplies = [n for n in nets if n in wiring.ground], [n for n in nets if n in wiring.power]
        if item.label == "capacitor" and len(nets) == 2 and len(grounds) == len(supplies) == 1:
            waiting.setdefault(supplies[0], []).append((item, grounds[0]))
    found: list[Decoupling] = []
    for net, capacitors in waiting.items():
        pins = wiring.supply_pins(net)
        makers = {pin: ports for pin, ports in pins.items() if pin[0] in wiring.regulators}
        bulk = [one for one in capacitors if (farads_of(one[0].value) or 0.0) >= BULK]
        small = [one for one in capacitors if one not in bulk]
        for some, fit in ((small, pins), (bulk, makers)):
            for (item, ground), (owner, pin) in _assigned(wiring, net, some, fit) if some and fit else ():
                if not _serves_another(wiring, item, net, owner, fit[owner, pin]):
                    found.append(Decoupling(item.name, owner, pin, net, ground, farads_of(item.value)))
    return iter(sorted(found, key=lambda one: natural(one.capacitor)))


SPREAD = 3.0
"""A second capacitor at one pin is as far, in units, as one that is so much farther from a free pin."""
STRANGER = 5.0
"""A pin in another sheet, or of a component without the capacitor's ground, counts as so much farther, in units."""
LARGE, BULK = 4e-6, 2e-5
"""Farads from which a capacitor rather belongs to a regulator than to what it feeds, and from which it surely does."""
ORDER = 2.0
"""Most that it costs, in units, when the order of the names is not that of the capacitors' names: people number parts
as they draw them. Only where there are no places to compare."""
REACH = 8.0
"""A capacitor this far from its pin, in units, serves something else if that is less than half as far."""
_NO_USERS = frozenset({"capacitor", "resistor", "test point", "mounting hole", "fiducial"})


def _serves_another(wiring: _Wiring, item: Item, net: str, owner: str, pins: Sequence[Port]) -> bool:
    """Whether a capacitor lies at another user of the net, such as a connector, far from its pins."""
    if {item.name, owner} & wiring.unplaced:
        return False
    own = next(port.at for port in item.ports if port.net == net)
    far = min(math.dist(own, port.at) for port in pins)
    others = (
        math.dist(own, port.at)
        for other, port in wiring.pads[net]
        if other.label not in _NO_USERS and other.name != owner and other.name not in wiring.unplaced
    )
    return far > REACH and 2 * min(others, default=math.inf) < far


def _assigned(
    wiring: _Wiring, net: str, capacitors: Sequence[tuple[Item, str]], pins: Mapping[tuple[str, str], Sequence[Port]]
) -> Iterator[tuple[tuple[Item, str], tuple[str, str]]]:
    """Each capacitor with a pin: in its block, not taken yet, near where both are placed; the small ones first.

    One assignment for all of a net, in which each pin stands as often as it may be taken. Where the components are not
    placed, only blocks, values, the spread over components and pins, and the order of their names count.
    """
    # Imported here, for it takes a while to load.
    from scipy.optimize import linear_sum_assignment  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

    values = [farads_of(item.value) or math.inf for item, _ in capacitors]
    rows = sorted(
        range(len(values)), key=lambda i: (values[i], capacitors[i][0].symbol, natural(capacitors[i][0].name))
    )
    names = sorted(pins, key=lambda pin: (natural(pin[0]), natural(pin[1])))
    sizes = sorted(set(values), reverse=True)
    weight = np.array([1.0 + sizes.index(values[i]) / len(sizes) for i in rows])[:, None]
    before = Counter[str]()
    turn: list[float] = []
    for owner, _ in names:
        turn.append(before[owner] / len(names))
        before[owner] += 1
    shape = (len(rows), len(names))
    far, apart, placed = np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=np.bool_)
    makes = {owner: owner in wiring.regulators for owner, _ in names}
    for row, i in enumerate(rows):
        item, ground = capacitors[i]
        own = next(port for port in item.ports if port.net == net)
        strangers = {
            owner: wiring.apart(item.name, owner)
            + 2 * (ground not in wiring.nets_of[owner])
            + 0.1 * (makes[owner] != (values[i] >= LARGE))
            for owner in makes
        }
        apart[row] = [strangers[owner] for owner, _ in names]
        if item.name not in wiring.unplaced:
            placed[row] = [owner not in wiring.unplaced for owner, _ in names]
            far[row] = [min(math.dist(own.at, port.at) for port in pins[name]) for name in names]
    rounds = 1 + math.ceil(len(rows) / len(names))
    apart = STRANGER * np.where(placed, apart, 100.0 * apart)
    share = [np.where(placed, far + SPREAD * k, SPREAD * (k + np.array(turn))) for k in range(rounds)]
    by_name = {i: n for n, i in enumerate(sorted(rows, key=lambda i: natural(capacitors[i][0].name)))}
    ranks = np.array([by_name[i] / len(rows) for i in rows])[:, None]
    order = ~placed * ORDER * np.abs(ranks - np.arange(len(names)) / len(names))
    cost = np.hstack([weight * one + apart + order for one in share])
    chosen = cast("tuple[NDArray[np.int64], NDArray[np.int64]]", linear_sum_assignment(cost))
    for row, column in zip(chosen[0].tolist(), chosen[1].tolist(), strict=True):
        yield capacitors[rows[row]], names[column % len(names)]


_HERTZ = re.compile(r"\d\s*[mk]?hz|^\d+(?:\.\d+)?\s*[mk]\b|xtal|crystal|resonator", re.IGNORECASE)
_OSCILLATOR = re.compile(r"xtal|osc|(?:^|[_/ ])x(?:[io12pn]|in|out|c[12])(?:$|[_/\d])", re.IGNORECASE)


def _crystals(wiring: _Wiring) -> Iterator[Network]:
    """Crystals with two nets to one component, their load capacitors, and resistors across or in series.

    A reference alone is no proof, for connectors are called `X1` too: the value must be a frequency, the pins or nets
    be named so, or both nets have a capacitor to ground.
    """
    supplies = wiring.ground | wiring.power
    for item in wiring.items:
        nets = [net for net in wiring.nets_of[item.name] if net not in wiring.ground]
        if item.label not in {"crystal", "part"} or len(item.ports) > 6 or len(nets) != 2 or wiring.power & {*nets}:
            continue
        series = [
            (r, far) for net in nets for r, far in wiring.joining(net, "resistor") if far not in {*nets} | supplies
        ]
        reached = {*nets} | {far for _, far in series}
        pins: dict[str, list[Port]] = {}
        for net in sorted(reached):
            for owner, port in wiring.pads[net]:
                if owner.label == "IC":
                    pins.setdefault(owner.name, []).append(port)
        owners = [name for name, ports in pins.items() if len({port.net for port in ports}) == 2]
        if len(owners) != 1:
            continue
        ports = pins[owners[0]]
        loads = {
            net: [c for c, far in wiring.joining(net, "capacitor") if far in wiring.ground] for net in sorted(reached)
        }
        named = all(_OSCILLATOR.search(port.function) or _OSCILLATOR.search(_name(port.net)) for port in ports)
        if not named and (item.label == "part" or not (_HERTZ.search(item.value) or all(loads[net] for net in nets))):
            continue
        used = {port.net for port in ports}
        members = {item.name, *(c.name for net in loads for c in loads[net])}
        members |= {r.name for r, far in series if far in used}
        members |= {r.name for r, far in wiring.joining(nets[0], "resistor") if far == nets[1]}
        yield Network("crystal", owners[0], _pins(ports), tuple(sorted(members, key=natural)))


def _name(net: str) -> str:
    """The name that a person gave; empty for an automatic one."""
    return "" if _AUTOMATIC.match(net) else net.rpartition("/")[2]


def _pins(ports: Sequence[Port]) -> tuple[str, ...]:
    return tuple(sorted({port.name for port in ports}, key=natural))


_FEEDBACK = re.compile(r"v?(?:fb|adj|sense|sns)[_\d+]{0,3}|v?out_?(?:fb|sense|sns)|feedback|adjust", re.IGNORECASE)


def _feedback(wiring: _Wiring) -> Iterator[Network]:
    """Dividers from an output to ground with their middle at one pin of an IC, and capacitors across their resistors.

    The pin is named for it; or the IC feeds the divider's upper end through an inductor, or has no ground of its own
    and a pin there, as adjustable regulators with three pins.
    """
    for net, pads in wiring.pads.items():
        ics = [(item, port) for item, port in pads if item.label == "IC"]
        if len({item.name for item, _ in ics}) != 1 or net in wiring.ground | wiring.power:
            continue
        owner = ics[0][0]
        resistors = list(wiring.joining(net, "resistor"))
        lower = [r for r, far in resistors if far in wiring.ground]
        upper = [(r, far) for r, far in resistors if far not in wiring.ground and _makes(wiring, owner, ics[0][1], far)]
        if not lower or not upper:
            continue
        ends = wiring.ground | {far for _, far in upper}
        across = [c for c, far in wiring.joining(net, "capacitor") if far in ends]
        members = {part.name for part in (*lower, *(r for r, _ in upper), *across)}
        yield Network("feedback", owner.name, _pins([port for _, port in ics]), tuple(sorted(members, key=natural)))


def _makes(wiring: _Wiring, owner: Item, pin: Port, net: str) -> bool:
    """Whether an IC regulates a net by what one of its pins measures."""
    if _FEEDBACK.fullmatch(pin.function):
        return True
    nets = wiring.nets_of[owner.name]
    if any(far in nets and far not in wiring.power | wiring.ground for _, far in wiring.joining(net, "inductor")):
        return net in wiring.power
    return net in wiring.power and net in nets and len(nets) == 3 and not wiring.ground & {*nets}


def _pairs(wiring: _Wiring) -> Iterator[tuple[str, str]]:
    """Nets whose names differ in a sign, or in P and N (or M after D), both on one component."""
    supplies = wiring.ground | wiring.power
    for net in sorted(wiring.pads, key=natural):
        for other in _negatives(net) if not _AUTOMATIC.match(net) else ():
            if (
                other in wiring.pads
                and not {net, other} & supplies
                and not wiring.items_on[net].isdisjoint(wiring.items_on[other])
            ):
                yield net, other
                break


def _negatives(net: str) -> Iterator[str]:
    """Names that the partner of a positive net may have."""
    sheet, slash, name = net.rpartition("/")
    for match in re.finditer(r"(?<=.)\+|(?<=[_.])[Pp](?=_)|(?<=.)[Pp](?=[_\d]*$)", name):
        for sign in {"+": "-", "P": "NM", "p": "nm"}[match[0]]:
            if sign not in "Mm" or re.search(r"[Dd]_?$", name[: match.start()]):
                yield f"{sheet}{slash}{name[: match.start()]}{sign}{name[match.end() :]}"
