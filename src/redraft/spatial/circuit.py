"""What a layout of electronic components says by itself: supplies, which capacitor serves which pin, pairs, roles."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from redraft.layout import Item, Layout, Port
from redraft.spatial.views.tokens import natural

__all__ = ["Circuit", "Decoupling", "Network", "circuit_of", "farads_of", "is_ground", "is_power", "unplaced"]

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
        networks=(*_crystals(wiring), *_feedback(wiring)),
        pairs=tuple(_pairs(wiring)),
        connectors=wiring.labeled("connector"),
        mounting_holes=wiring.labeled("mounting hole"),
        test_points=wiring.labeled("test point"),
        fiducials=wiring.labeled("fiducial"),
        locked=tuple(sorted((item.name for item in layout.roots if item.locked), key=natural)),
        unplaced=unplaced(layout),
    )


_GROUND = re.compile(r"[a-z]?(?:gnd|vss|ground|earth)(?:[a-z]{0,3}|\d*)|0v|chassis")
_SUPPLY = re.compile(
    r"p?\d+(?:\.\d+)?v\d*[a-z]{0,3}|v\d+(?:[.v]\d+)?|[adp]?v(?:cc|dd|bus|batt?|in|sys|usb|ee|pp|mot|aa)[a-z0-9.]{0,4}|batt?"
)
_SIGNAL = frozenset({
    "en", "enable", "pg", "pgood", "good", "ok", "det", "detect", "sense", "sns", "fb", "flt", "fault", "mon", "sel",
    "ctrl", "div", "adc", "oc", "ilim", "int", "rst", "reset", "n", "alert", "meas", "set", "adj", "comp", "led",
})  # fmt: skip
"""A name with one of these is that of a signal about a supply."""
_WORDS = re.compile(r"[a-z0-9.]+")
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


_FARADS = re.compile(r"(?<![\w.])(\d+(?:[.,]\d+)?|[.,]\d+)\s*([pnuµμm])(\d*)(?:f|(?![a-z]))", re.IGNORECASE)
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
    """Components that lie wholly outside the board, or of which several lie in one place."""
    items = [item for item in layout.roots if not item.shape.is_empty]
    heaps = Counter(_middle(item) for item in items) if layout.frame.solid else Counter[tuple[float, float, int]]()
    area = layout.area
    return tuple(
        item.name
        for item in items
        if heaps[_middle(item)] >= HEAP or (area is not None and not area.intersects(item.shape))
    )


def _middle(item: Item) -> tuple[float, float, int]:
    x0, y0, x1, y1 = item.shape.bounds
    return (round((x0 + x1) / 2, 3), round((y0 + y1) / 2, 3), item.layer)


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

    def nets(self, item: Item) -> list[str]:
        return sorted({port.net for port in item.ports if port.net})

    @cached_property
    def ground(self) -> frozenset[str]:
        """By name; else all supply pins on it are grounds."""
        return frozenset(
            net
            for net, pads in self.pads.items()
            if is_ground(net)
            or (
                not is_power(net)
                and (functions := [port.function for item, port in pads if _supplied(item, port)])
                and all(map(is_ground, functions))
            )
        )

    @cached_property
    def power(self) -> frozenset[str]:
        return frozenset(
            net
            for net, pads in self.pads.items()
            if net not in self.ground and len(pads) > 1 and (is_power(net) or any(_supplied(*pad) for pad in pads))
        )

    def supply_pins(self, net: str) -> list[tuple[Item, Port]]:
        """Pads of ICs on a supply: those of the type, or all of an IC whose pins have no such type."""
        return [
            (item, port)
            for item, port in self.pads[net]
            if port.name
            and (
                _supplied(item, port)
                or (item.label == "IC" and not any(_supplied(item, other) for other in item.ports))
            )
        ]

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


_CONSUMERS = frozenset({"connector", "test point", "mounting hole", "fiducial", "capacitor", "battery"})
"""Labels of what has supply pins and is not decoupled."""


def _supplied(item: Item, port: Port) -> bool:
    """Whether a pad is a supply pin of something that is decoupled."""
    return port.kind.partition("+")[0] in {"power_in", "power_out"} and item.label not in _CONSUMERS


def _decoupling(wiring: _Wiring) -> Iterator[Decoupling]:
    """Each capacitor between a supply and ground, with a pin of its own as far as there are enough."""
    waiting: dict[str, list[tuple[Item, str]]] = {}
    for item in wiring.items:
        nets = wiring.nets(item)
        grounds, supplies = [n for n in nets if n in wiring.ground], [n for n in nets if n in wiring.power]
        if item.label == "capacitor" and len(nets) == 2 and len(grounds) == len(supplies) == 1:
            waiting.setdefault(supplies[0], []).append((item, grounds[0]))
    for net in sorted(waiting, key=natural):
        pins = wiring.supply_pins(net)
        for (item, ground), (owner, port) in _assigned(wiring, net, waiting[net], pins) if pins else ():
            yield Decoupling(item.name, owner.name, port.name, net, ground, farads_of(item.value))


def _assigned(
    wiring: _Wiring, net: str, capacitors: Sequence[tuple[Item, str]], pins: Sequence[tuple[Item, Port]]
) -> list[tuple[tuple[Item, str], tuple[Item, Port]]]:
    """Each capacitor with a pin: in its block, not taken yet, near where both are placed; the smallest choose first."""
    values = [farads_of(item.value) or math.inf for item, _ in capacitors]
    order = sorted(range(len(capacitors)), key=lambda i: (values[i], capacitors[i][0].symbol))
    ranks = {value: rank for rank, value in enumerate(sorted(set(values), reverse=True), 1)}
    seen = Counter[str]()
    columns: list[tuple[int, int]] = []
    rounds = math.ceil(len(capacitors) / len(pins))
    turns: list[int] = []
    for owner, _ in pins:
        turns.append(seen[owner.name])
        seen[owner.name] += 1
    columns = [(pin, k) for k in range(rounds + 1) for pin in range(len(pins))]
    cost: NDArray[np.float64] = np.zeros((len(order), len(columns)))
    for row, i in enumerate(order):
        item, ground = capacitors[i]
        own = next(port for port in item.ports if port.net == net)
        for column, (pin, k) in enumerate(columns):
            owner, port = pins[pin]
            placed = not {item.name, owner.name} & wiring.unplaced
            far = math.dist(own.at, port.at) if placed else 0.0
            stranger = wiring.apart(item.name, owner.name) + 2 * (ground not in wiring.nets(owner))
            share = far + SPREAD * k if placed else SPREAD * (k * len(pins) + turns[pin]) / len(pins)
            cost[row, column] = (1 + ranks[values[i]] / len(ranks)) * share + STRANGER * stranger * (
                1 if placed else 100
            )
    rows, chosen = linear_sum_assignment(cost)
    return sorted(
        ((capacitors[order[row]], pins[columns[column][0]]) for row, column in zip(rows, chosen, strict=True)),
        key=lambda pair: natural(pair[0][0].name),
    )


SPREAD = 3.0
"""A second capacitor at one pin is as far, in units, as one that is so much farther from a free pin."""
STRANGER = 5.0
"""A pin in another sheet counts as so much farther, in units."""


def _crystals(wiring: _Wiring) -> Iterator[Network]:
    return iter(())


def _feedback(wiring: _Wiring) -> Iterator[Network]:
    return iter(())


def _pairs(wiring: _Wiring) -> Iterator[tuple[str, str]]:
    return iter(())
