"""The circuit of a layout of electronic components, as far as the board tells it: supplies, decoupling, pairs, roles.

`circuit_of` collects what `netlist.py` (supplies, regulators, feedback dividers) and `decoupling.py` (which capacitor
serves which pin) read, and finds crystals and differential pairs itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from redraft.layout.items import Layout, Port
from redraft.studios.board.place.decoupling import Decoupling, find_pins
from redraft.studios.board.place.netlist import Netlist, Network, given_name
from redraft.text import natural


@dataclass(frozen=True)
class Circuit:
    """The circuit of a board. Names are those of the layout's items and nets."""

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
    """Read the circuit of a layout of electronic components. The order of the items does not matter."""
    netlist = Netlist(layout)
    return Circuit(
        blocks=layout.blocks,
        ground=tuple(sorted(netlist.ground, key=natural)),
        power=tuple(sorted(netlist.power, key=natural)),
        decoupling=find_pins(netlist),
        networks=(*_crystals(netlist), *netlist.feedback),
        pairs=tuple(_pairs(netlist)),
        connectors=netlist.labeled("connector"),
        mounting_holes=netlist.labeled("mounting hole"),
        test_points=netlist.labeled("test point"),
        fiducials=netlist.labeled("fiducial"),
        locked=tuple(sorted((item.name for item in layout.roots if item.locked), key=natural)),
        unplaced=tuple(sorted(netlist.unplaced, key=natural)),
    )


_FREQUENCY = re.compile(r"\d\s*[mk]?hz|^\d+(?:\.\d+)?\s*[mk]\b|xtal|crystal|resonator", re.IGNORECASE)
_OSCILLATOR = re.compile(r"xtal|osc|(?:^|[_/ ])x(?:[io12pn]|in|out|c[12])(?:$|[_/\d])", re.IGNORECASE)


def _crystals(netlist: Netlist) -> Iterator[Network]:
    """Yield crystals with two nets to one component, their load capacitors, and resistors across or in series.

    A reference alone is no proof, for connectors are called `X1` too: the value must be a frequency, the pins or nets
    be named so, or both nets have a capacitor to ground.
    """
    supplies = netlist.ground | netlist.power
    for item in netlist.items:
        nets = [net for net in netlist.nets_of[item.name] if net not in netlist.ground]
        if item.label not in {"crystal", "part"} or len(item.ports) > 6 or len(nets) != 2 or netlist.power & {*nets}:
            continue

        # One IC has a pin on either net of the crystal, or behind a resistor in series with it.
        series = [
            (r, far) for net in nets for r, far in netlist.joining(net, "resistor") if far not in {*nets} | supplies
        ]
        reached = sorted({*nets} | {far for _, far in series})
        pins: dict[str, list[Port]] = {}
        for net in reached:
            for owner, port in netlist.pads[net]:
                if owner.label == "IC":
                    pins.setdefault(owner.name, []).append(port)
        owners = [name for name, ports in pins.items() if len({port.net for port in ports}) == 2]
        if len(owners) != 1:
            continue
        ports = pins[owners[0]]

        loads = {net: [c for c, far in netlist.joining(net, "capacitor") if far in netlist.ground] for net in reached}
        named = all(_OSCILLATOR.search(port.function) or _OSCILLATOR.search(given_name(port.net)) for port in ports)
        proven = _FREQUENCY.search(item.value) or all(loads[net] for net in nets)
        if not named and (item.label == "part" or not proven):
            continue

        used = {port.net for port in ports}
        members = {item.name, *(c.name for net in loads for c in loads[net])}
        members |= {r.name for r, far in series if far in used}
        members |= {r.name for r, far in netlist.joining(nets[0], "resistor") if far == nets[1]}
        yield Network.at("crystal", owners[0], ports, members)


def _pairs(netlist: Netlist) -> Iterator[tuple[str, str]]:
    """Yield nets whose names differ in a sign, or in P and N (or M after D), both on one component."""
    supplies = netlist.ground | netlist.power
    for net in sorted(netlist.pads, key=natural):
        for other in _negatives(net) if given_name(net) else ():
            together = other in netlist.pads and not netlist.items_on[net].isdisjoint(netlist.items_on[other])
            if together and not {net, other} & supplies:
                yield net, other
                break


def _negatives(net: str) -> Iterator[str]:
    """Yield the names that the partner of a positive net may have."""
    sheet, slash, name = net.rpartition("/")
    for match in re.finditer(r"(?<=.)\+|(?<=[_.])[Pp](?=_)|(?<=.)[Pp](?=[_\d]*$)", name):
        for sign in {"+": "-", "P": "NM", "p": "nm"}[match[0]]:
            if sign not in "Mm" or re.search(r"[Dd]_?$", name[: match.start()]):
                yield f"{sheet}{slash}{name[: match.start()]}{sign}{name[match.end() :]}"
