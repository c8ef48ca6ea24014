"""The netlist of a board: the pads on each net, and which nets, pins and components are supplies, grounds, regulators.

Supplies are known by the electrical types of the pins (`Port.kind`) where the file has them, and by names such as `GND`
and `+3V3` elsewhere. What is uncertain is left out. `circuit.py` and `decoupling.py` build on this.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import shapely

from redraft.layout.items import Item, Layout, Port
from redraft.text import natural

HEAP = 3
"""So many components in one place are not placed yet."""

# Names of nets and pins -----------------------------------------------------------------------------------------------

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
"""A name with one of these words is that of a signal about a supply, or of a node of a converter."""
_WORD = re.compile(r"[a-z0-9.,]+")
_AUTOMATIC = re.compile(r"(?:net|unconnected|no_connect)-\(", re.IGNORECASE)
_SWITCHING_NODE = re.compile(r"(?:^|[/_(-])(?:v?sw|lx|ph|phase|boot|bst|cboot)\d*\)?$", re.IGNORECASE)
"""Names of the nodes between a converter and its inductor."""


def given_name(net: str) -> str:
    """Return the name that a person gave a net, without its sheets; empty for one that the editor named."""
    return "" if _AUTOMATIC.match(net) else net.rpartition("/")[2]


def is_ground(net: str) -> bool:
    """Return whether a net or pin is a ground by its name: `GND`, `AGND`, `VSS`, `0V`, `Earth`."""
    words = _WORD.findall(given_name(net).casefold())
    return any(map(_GROUND.fullmatch, words)) and _SIGNAL.isdisjoint(words)


def is_power(net: str) -> bool:
    """Return whether a net or pin is a supply by its name: `+3V3`, `VCC`, `VDD_IO`, `VBUS`, `5V`; never a ground."""
    words = _WORD.findall(given_name(net).casefold())
    return any(map(_SUPPLY.fullmatch, words)) and _SIGNAL.isdisjoint(words) and not is_ground(net)


# Types of pins --------------------------------------------------------------------------------------------------------

_NOT_DECOUPLED = frozenset({"connector", "test point", "mounting hole", "fiducial", "capacitor", "battery"})
"""Labels of components that have supply pins but are not decoupled."""
_SUPPLY_TYPES = frozenset({"power_in", "power_out"})
_VAGUE_TYPES = frozenset({"passive", "unspecified"})
"""Types that supply pins have in symbols that were drawn carelessly."""
_SUPPLY_INPUT = re.compile(r"[ap]?vin\d*|[adp]?v(?:cc|dd)[a-z]?\d*", re.IGNORECASE)
"""Of pins typed as inputs only these: a converter measures a pin called `VBUS`."""


def _pin_type(port: Port) -> str:
    """Return the electrical type of a pin, without the mark that it is left open."""
    return port.kind.partition("+")[0]


def is_supply_pin(item: Item, port: Port) -> bool:
    """Return whether a pad is a supply pin, grounds included, of something that is decoupled.

    The type of the pin says so; on an IC its name does where the type is vague.
    """
    if item.label in _NOT_DECOUPLED:
        return False
    kind = _pin_type(port)
    if kind in _SUPPLY_TYPES or item.label != "IC":
        return kind in _SUPPLY_TYPES
    if kind == "input":
        return _SUPPLY_INPUT.fullmatch(port.function) is not None
    if kind not in _VAGUE_TYPES:
        return False

    # The name has to say nothing but a supply or a ground; the number in `VDD_2` only counts the pins.
    function = port.function.casefold()
    words = _WORD.findall(function.rstrip("0123456789").rstrip("_") if "_" in function else function)
    return bool(words) and all(_SUPPLY.fullmatch(word) or _GROUND.fullmatch(word) for word in words)


# Places ---------------------------------------------------------------------------------------------------------------


def beside(layout: Layout) -> tuple[str, ...]:
    """Return the components that lie wholly outside the layout's area; none where it has no area."""
    area = layout.area
    if area is None or area.is_empty:
        return ()
    shapely.prepare(area)
    return tuple(
        item.name
        for item in layout.roots
        if not (whole := layout.whole(item.name)).is_empty and not area.intersects(whole)
    )


def unplaced(layout: Layout) -> tuple[str, ...]:
    """Return the components that lie beside the board, or several in one place on it, in the order of the layout."""
    off = frozenset(beside(layout))
    heaps: dict[tuple[float, float, int], list[str]] = {}
    if layout.frame.solid:
        middles = ((layout.boxes[:, :2] + layout.boxes[:, 2:]) / 2).round(3).tolist()
        for item, (x, y) in zip(layout.roots, middles, strict=True):
            heaps.setdefault((x, y, item.layer), []).append(item.name)
    off |= {name for heap in heaps.values() if len(heap) >= HEAP for name in heap}
    return tuple(item.name for item in layout.roots if item.name in off)


# The netlist ----------------------------------------------------------------------------------------------------------

_BEAD = re.compile(r"ferrite|bead|^fb|\bfb\d|ohm|\d\s*r?\s*@", re.IGNORECASE)
_FEEDBACK = re.compile(r"v?(?:fb|adj|sense|sns)[_\d+]{0,3}|v?out_?(?:fb|sense|sns)|feedback|adjust", re.IGNORECASE)


@dataclass(frozen=True)
class Network:
    """Small components that belong to pins of one: a crystal with its capacitors, a divider at a feedback pin."""

    kind: str
    """`crystal` or `feedback`."""
    owner: str
    pins: tuple[str, ...]
    """Pads of the owner."""
    members: tuple[str, ...]

    @classmethod
    def at(cls, kind: str, owner: str, ports: list[Port], members: set[str]) -> Network:
        """Return a network with its pins and members in order."""
        pins = sorted({port.name for port in ports}, key=natural)
        return cls(kind, owner, tuple(pins), tuple(sorted(members, key=natural)))


class Netlist:
    """The components of a layout and the pads on each of its nets, both in the order of their names."""

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
        """Return the components of a kind."""
        return tuple(item.name for item in self.items if item.label == label)

    @cached_property
    def nets_of(self) -> dict[str, list[str]]:
        """The nets of each component."""
        return {item.name: sorted({port.net for port in item.ports if port.net}) for item in self.items}

    @cached_property
    def items_on(self) -> dict[str, frozenset[str]]:
        """The components on each net."""
        return {net: frozenset(item.name for item, _ in pads) for net, pads in self.pads.items()}

    @cached_property
    def blocks_of(self) -> dict[str, frozenset[str]]:
        """The sheets and groups that each component is in."""
        blocks: dict[str, set[str]] = {}
        for block, names in self.layout.blocks.items():
            for name in names:
                blocks.setdefault(name, set()).add(block)
        return {name: frozenset(some) for name, some in blocks.items()}

    def joining(self, net: str, label: str) -> Iterator[tuple[Item, str]]:
        """Yield the components of a kind that connect a net to exactly one other, and that other net."""
        for item in dict.fromkeys(item.name for item, _ in self.pads.get(net, ()) if item.label == label):
            others = [other for other in self.nets_of[item] if other != net]
            if len(others) == 1:
                yield self.layout[item], others[0]

    @cached_property
    def ground(self) -> frozenset[str]:
        """The nets that are grounds: by name, or because all supply pins on them are grounds."""
        grounds: set[str] = set()
        for net, pads in self.pads.items():
            functions = [port.function for item, port in pads if is_supply_pin(item, port)]
            if is_ground(net) or (not is_power(net) and functions and all(map(is_ground, functions))):
                grounds.add(net)
        return frozenset(grounds)

    @cached_property
    def power(self) -> frozenset[str]:
        """The nets that are supplies.

        A supply pin on it makes a net one. So does its name, unless the components on it have typed supply pins, all
        of them elsewhere.
        """
        supplies: set[str] = set()
        for net, pads in self.pads.items():
            if net not in self.ground and len(pads) > 1 and not _SWITCHING_NODE.search(net):
                typed = any(is_supply_pin(item, port) for item, port in pads)
                if typed or (is_power(net) and not any(self.is_typed(item) for item, _ in pads)):
                    supplies.add(net)

        # What lies behind a ferrite bead from a supply and has a capacitor to ground is that supply, filtered.
        filtered: set[str] = set()
        for item in self.items:
            nets = self.nets_of[item.name]
            bead = item.label == "ferrite bead" or (item.label == "inductor" and _BEAD.search(item.value))
            if bead and len(nets) == 2 and len(supplies & {*nets}) == 1:
                (net,) = {*nets} - supplies
                if net not in self.ground and any(far in self.ground for _, far in self.joining(net, "capacitor")):
                    filtered.add(net)
        return frozenset(supplies | filtered)

    def is_typed(self, item: Item) -> bool:
        """Return whether the file says which pins of a component are its supplies."""
        return any(is_supply_pin(item, port) for port in item.ports)

    def supply_pins(self, net: str) -> dict[tuple[str, str], list[Port]]:
        """Return the supply pads on a net by component and pin: the typed ones, or all of an IC without types."""
        stated = {
            (item.name, port.function) for item, port in self.pads[net] if is_supply_pin(item, port) and port.function
        }
        pins: dict[tuple[str, str], list[Port]] = {}
        for item, port in self.pads[net]:
            untyped = item.label == "IC" and not self.is_typed(item)
            like = (item.name, port.function) in stated  # of pins drawn as one, only the first has the type
            if port.name and (untyped or like or is_supply_pin(item, port)):
                pins.setdefault((item.name, port.name), []).append(port)
        return pins

    @cached_property
    def regulators(self) -> frozenset[str]:
        """The components that make a supply: by the type of a pin, or by a feedback divider at one."""
        typed = {item.name for item in self.items for port in item.ports if _pin_type(port) == "power_out"}
        makers = {name for name in typed if self.layout[name].label not in _NOT_DECOUPLED}
        return frozenset(makers | {network.owner for network in self.feedback})

    @cached_property
    def feedback(self) -> tuple[Network, ...]:
        """The dividers from an output to ground with their middle at one pin of an IC, and capacitors across them."""
        networks: list[Network] = []
        for net, pads in self.pads.items():
            ics = [(item, port) for item, port in pads if item.label == "IC"]
            if len({item.name for item, _ in ics}) != 1 or net in self.ground | self.power:
                continue
            owner, pin = ics[0]
            resistors = list(self.joining(net, "resistor"))
            lower = [r for r, far in resistors if far in self.ground]
            upper = [(r, far) for r, far in resistors if far not in self.ground and self._regulates(owner, pin, far)]
            if lower and upper:
                ends = self.ground | {far for _, far in upper}
                across = [c for c, far in self.joining(net, "capacitor") if far in ends]
                members = {part.name for part in (*lower, *(r for r, _ in upper), *across)}
                networks.append(Network.at("feedback", owner.name, [port for _, port in ics], members))
        return tuple(sorted(networks, key=lambda network: (natural(network.owner), network.pins)))

    def _regulates(self, owner: Item, pin: Port, net: str) -> bool:
        """Return whether an IC regulates a net by what one of its pins measures.

        The pin is named for it; or the IC feeds the net through an inductor; or it has three nets, none of them a
        ground, as adjustable regulators with three pins.
        """
        if _FEEDBACK.fullmatch(pin.function):
            return True
        nets = self.nets_of[owner.name]
        if any(far in nets and far not in self.power | self.ground for _, far in self.joining(net, "inductor")):
            return net in self.power
        return net in self.power and net in nets and len(nets) == 3 and not self.ground & {*nets}
