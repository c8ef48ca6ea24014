"""Layouts as a schematic describes them: components as boxes with pads that have nets, functions and types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shapely.geometry import Point, box

from redraft.layout.items import Frame, Item, Layout, Port
from redraft.studios.board.place.circuit import circuit_of

Pin = tuple[str, str] | tuple[str, str, str] | tuple[str, str, str, str]
"""Name, net, and where the file has them function and type."""
LABELS = {
    "C": "capacitor",
    "R": "resistor",
    "U": "IC",
    "Y": "crystal",
    "X": "crystal",
    "L": "inductor",
    "J": "connector",
}
FRAME = Frame(unit="mm", bounds=(0, 0, 100, 100), solid=True, layers={1: "Top", 0: "Bottom"})


def part(name: str, x: float, y: float, *pins: Pin, value: str = "", label: str = "", symbol: str = "") -> Item:
    """2 × 2 mm with its pads in a row, 0.1 mm apart."""
    ports = tuple(Port(pin[0], (x + n / 10, y), Point(x + n / 10, y), 0.05, pin[1]) for n, pin in enumerate(pins))
    named = tuple(
        replace(port, **dict(zip(("function", "kind"), pin[2:], strict=False)))
        for port, pin in zip(ports, pins, strict=True)
    )
    kind = label or LABELS.get(name[0], "part")
    return Item(name, kind, box(x - 1, y - 1, x + 1, y + 1), layer=1, ports=named, value=value, symbol=symbol)


def bypass(name: str, x: float, y: float, net: str = "+3V3", ground: str = "GND", value: str = "100nF") -> Item:
    return part(name, x, y, ("1", net), ("2", ground), value=value)


def wired(*items: Item, blocks: Mapping[str, Sequence[str]] | None = None) -> Layout:
    held = {name: tuple(members) for name, members in (blocks or {}).items()}
    return Layout(items, FRAME, box(0, 0, 100, 100), blocks=held)


def pins_served(layout: Layout) -> dict[str, str]:
    """Each decoupling capacitor, and the pin that it serves."""
    return {one.capacitor: f"{one.owner}.{one.pin}" for one in circuit_of(layout).decoupling}


IC = (("1", "+3V3", "VDD", "power_in"), ("2", "GND", "VSS", "power_in"), ("3", "+3V3", "VDDA", "power_in"))
