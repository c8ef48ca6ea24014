"""Boards of any number of parts, thrown at random from a seed, with unkind names and nets if wanted."""

from __future__ import annotations

import random
from dataclasses import replace

from shapely.geometry import box

from redraft.layout.items import Fixture, Frame, Item, Layout, Port

KINDS = (
    ("C", "capacitor", 1.6, 0.9, 2),
    ("R", "resistor", 1.6, 0.9, 2),
    ("U", "IC", 8.0, 8.0, 40),
    ("J", "connector", 12.0, 5.0, 10),
)
FRAME = Frame(unit="mm", quantum=1e-6, bounds=(0, 0, 1, 1), grid=0.1, solid=True, layers={1: "Top", 0: "Bottom"})


def pad(name: str, x: float, y: float, net: str = "", half: float = 0.2) -> Port:
    """A square pad around a point."""
    return Port(name, (x, y), box(x - half, y - half, x + half, y + half), 0.0, net)


def crowd(count: int, seed: int = 1, *, names: str = "{kind}{n}", nets: str = "Net-(U{n}-Pad{pad})") -> Layout:
    """So many parts on a square board with room for them, on both sides, some of them locked, with tracks."""
    rng = random.Random(seed)
    side = round(max(20.0, (count * 36) ** 0.5), 3)
    items: list[Item] = []
    for i in range(count):
        kind, label, w, h, pads = rng.choices(KINDS, [50, 40, 7, 3])[0]
        x, y = round(100 + rng.uniform(0, side - w), 6), round(50 + rng.uniform(0, side - h), 6)
        columns = pads // 2
        ports = tuple(
            pad(
                str(k + 1),
                round(x + 0.3 + (w - 0.6) * (k % columns) / max(1, columns - 1), 6),
                y + 0.3 + (h - 0.6) * (k >= columns),
                rng.choice(["GND", "+3V3", *[nets.format(n=rng.randint(1, 30), pad=rng.randint(1, 40))] * 5]),
            )
            for k in range(pads)
        )
        name = names.format(kind=kind, n=i + 1)
        room, body = box(x, y, x + w, y + h), box(x + 0.1, y + 0.1, x + w - 0.1, y + h - 0.1)
        layer, locked = int(rng.random() < 0.7), rng.random() < 0.05
        items.append(Item(name, label, room, layer=layer, ports=ports, body=body, origin=(x, y), locked=locked))
    tracks = [Fixture("track", box(100 + k, 50, 100.2 + k, 60), "F.Cu", f"N{k}") for k in range(12)]
    bounds = (100.0, 50.0, 100 + side, 50 + side)
    frame = replace(FRAME, bounds=bounds)
    return Layout(tuple(items), frame, box(*bounds), fixtures=lambda window: tracks)


SEED_BOARD = Layout(
    (
        Item(
            "U1",
            "IC",
            box(102.5, 47.5, 107.5, 52.5),
            layer=1,
            ports=(pad("1", 103, 48, "GND"), pad("2", 103, 52, "A"), pad("3", 107, 52, "B"), pad("4", 107, 48, "VCC")),
        ),
        Item(
            "C1",
            "capacitor",
            box(108.5, 49.5, 109.5, 50.5),
            layer=1,
            ports=(pad("1", 108.75, 50, "VCC", 0.15), pad("2", 109.25, 50, "GND", 0.15)),
        ),
    ),
    replace(FRAME, bounds=(80.0, 30.0, 130.0, 70.0)),
    box(80, 30, 130, 70),
)
"""The example of the specification: U1 5 × 5 mm at (105, 50), C1 1 × 1 mm at (109, 50), 1 mm apart."""
