"""A small board made by hand, for tests of what people ask of boards: 100 mm × 80 mm, millimetres, y downwards."""

from __future__ import annotations

from collections.abc import Sequence

from shapely.geometry import Point as Dot
from shapely.geometry import box

from redraft.layout.items import Frame, Item, Layout, Port, Thresholds

AREA = box(0, 0, 100, 80)
FRAME = Frame(
    "mm", 1e-6, (0, 0, 100, 80), grid=1.0, thresholds=Thresholds(), solid=True, layers={1: "Top", 0: "Bottom"}
)

Pads = Sequence[tuple[str, float, float, str]]
"""Name, place relative to the part's middle, net."""


def part(
    name: str,
    label: str,
    x: float,
    y: float,
    w: float,
    h: float,
    pads: Pads = (),
    *,
    layer: int = 1,
    locked: bool = False,
) -> Item:
    """A part whose courtyard is w × h around (x, y), its body 0.5 mm smaller, its pads 0.4 mm round."""
    ports = tuple(Port(n, (x + dx, y + dy), Dot(x + dx, y + dy), 0.2, net) for n, dx, dy, net in pads)
    return Item(
        name,
        label,
        box(x - w / 2, y - h / 2, x + w / 2, y + h / 2),
        layer=layer,
        ports=ports,
        locked=locked,
        body=box(x - w / 2 + 0.25, y - h / 2 + 0.25, x + w / 2 - 0.25, y + h / 2 - 0.25),
        origin=(x, y),
    )


def two_pads(
    name: str, label: str, x: float, y: float, first: str = "", second: str = "GND", *, layer: int = 1
) -> Item:
    """A chip part, 2 mm × 1 mm, with a pad 0.6 mm left and one 0.6 mm right of its middle."""
    return part(name, label, x, y, 2, 1, (("1", -0.6, 0, first), ("2", 0.6, 0, second)), layer=layer)


_U1: Pads = (
    ("1", -4, -3, "/RST"), ("2", -4, -1, "/TX"), ("3", -4, 1, "/RX"), ("4", -4, 3, "GND"),
    ("5", 4, 3, "/SDA"), ("6", 4, 1, "/SCL"), ("7", 4, -1, "+5V"), ("8", 4, -3, "+3V3"),
)  # fmt: skip


def bench() -> Layout:
    """U1 and U2, C1 to C5, R1 to R4 roughly in a row, R5 to R7 roughly in a column, J2 on the left edge, and others."""
    ics = [
        part("U1", "IC", 50, 40, 10, 10, _U1),
        part(
            "U2",
            "IC",
            80,
            20,
            6,
            6,
            (("1", -2, -2, "+5V"), ("2", -2, 2, "GND"), ("3", 2, 2, "/SDA"), ("4", 2, -2, "/SCL")),
        ),
    ]
    capacitors = [
        two_pads(f"C{i + 1}", "capacitor", 40 + 4 * i, 60, net)
        for i, net in enumerate(["+3V3", "+3V3", "+5V", "/RST", "VIN"])
    ]
    places = [(10, 10), (14, 11), (18, 9), (22, 10), (30, 10), (31, 20), (29, 30), (60, 70)]
    resistors = [two_pads(f"R{i + 1}", "resistor", x, y, f"N{i}", "") for i, (x, y) in enumerate(places)]
    others = [
        part("J1", "connector", 20, 60, 8, 4, (("1", -2, 0, "VIN"), ("2", 2, 0, "GND"))),
        part("J2", "connector", 2.5, 40, 5, 9),
        two_pads("LED1", "LED", 70, 50),
        two_pads("LED2", "LED", 75, 50),
        two_pads("D1", "diode", 85, 50),
        part("Q1", "transistor", 90, 60, 3, 3),
        part("Y1", "crystal", 65, 30, 4, 2),
        part("H1", "mounting hole", 5, 5, 4, 4),
        part("H2", "mounting hole", 95, 5, 4, 4),
        two_pads("TP1", "test point", 70, 75, layer=0),
    ]
    return Layout((*ics, *capacitors, *resistors, *others), FRAME, area=AREA)
