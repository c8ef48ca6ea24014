"""Copies of one sheet are placed alike."""

from __future__ import annotations

from dataclasses import replace

import pytest
from shapely.geometry import Point, box

from redraft.layout import Frame, Item, Layout, Port
from redraft.spatial.collisions import collisions
from redraft.spatial.placer import Anchor, Goal, place_all
from redraft.spatial.placer.channels import channels_in

FRAME = Frame(unit="mm", quantum=1e-6, solid=True, layers={1: "Top", 0: "Bottom"}, bounds=(0, 0, 40, 40))
SYMBOLS = ("amplifier", "gain", "filter", "output")


def component(name: str, nets: tuple[str, ...], symbol: str, layer: int = 1, rotation: float = 0.0) -> Item:
    """Pads in a row, each 1 mm further; all lie in a pile right of the board."""
    wide = len(nets) + 1.0
    ports = tuple(
        Port(str(n), (60.0 + n, 10.0), Point(60.0 + n, 10.0), 0.2, net) for n, net in enumerate(nets, start=1)
    )
    shape = box(60.0, 9.0, 60.0 + wide, 11.0)
    return Item(name, "part", shape, layer=layer, ports=ports, origin=(60.0, 10.0), symbol=symbol, rotation=rotation)


def copies(count: int = 3) -> Layout:
    """So many copies of four components, the filter on the back, each with an input at the left edge."""
    items, blocks = list[Item](), dict[str, tuple[str, ...]]()
    for n in range(count):
        nets = {
            "amplifier": (f"in{n}", f"a{n}", f"b{n}", "VCC"),
            "gain": (f"a{n}", f"b{n}"),
            "filter": (f"b{n}", f"c{n}"),
            "output": (f"c{n}", "GND"),
        }
        names = tuple(f"{symbol}{n}" for symbol in SYMBOLS)
        blocks[f"/channel {n}/"] = names
        items += [
            component(name, nets[symbol], symbol, layer=0 if symbol == "filter" else 1)
            for name, symbol in zip(names, SYMBOLS, strict=True)
        ]
        shape = box(0.5, 5.0 + 12 * n, 2.5, 8.0 + 12 * n)
        middle = (1.5, 6.5 + 12 * n)
        items.append(
            Item(f"J{n}", "connector", shape, layer=1, ports=(Port("1", middle, Point(middle), 0.3, f"in{n}"),))
        )
    return Layout(tuple(items), FRAME, box(0, 0, 40, 40), blocks=blocks)


def movable(layout: Layout) -> list[str]:
    return [item.name for item in layout.items if not item.name.startswith("J")]


def forms(layout: Layout) -> list[list[tuple[float, ...]]]:
    """Of each block, its components from the first of them: place, rotation and layer."""
    found: list[list[tuple[float, ...]]] = []
    for names in layout.blocks.values():
        (x, y) = layout[names[0]].origin or (0.0, 0.0)
        items = [layout[name] for name in names]
        found.append([(i.origin[0] - x, i.origin[1] - y, i.rotation, i.layer) for i in items if i.origin is not None])
    return found


def test_copies_have_the_same_form_to_the_nanometer() -> None:
    layout = copies()
    found = place_all(layout, movable(layout), effort=0.1)
    after = layout.moved(found.moves)
    assert not collisions(after, movable(layout))
    first, *others = forms(after)
    for other in others:
        for here, there in zip(first, other, strict=True):
            assert there == pytest.approx(here, abs=1e-6)


def test_copies_that_lie_differently_before_become_alike() -> None:
    layout = copies()
    turned = component("amplifier1", ("in1", "a1", "b1", "VCC"), "amplifier", rotation=0.0)
    turned = replace(turned, rotation=90.0)
    layout = replace(layout, items=tuple(turned if i.name == "amplifier1" else i for i in layout.items))
    after = layout.moved(place_all(layout, movable(layout), effort=0.1).moves)
    assert not collisions(after, movable(layout))
    first, second, _ = forms(after)
    assert first[0][2] == second[0][2]


def test_who_is_spoken_of_alone_and_who_differs_is_placed_alone() -> None:
    layout = copies()
    whole = channels_in(layout, movable(layout), Goal())
    assert whole == [tuple(tuple(f"{symbol}{n}" for symbol in sorted(SYMBOLS)) for n in range(3))]
    wish = Goal(anchors=(Anchor("output1", "edge", "right"),))
    other = replace(layout["gain2"], ports=layout["gain2"].ports[:1])
    layout = replace(layout, items=tuple(other if i.name == "gain2" else i for i in layout.items))
    assert channels_in(layout, movable(layout), wish) == []  # two are left of each: fewer than three
    assert channels_in(layout, movable(layout), Goal()) == [
        tuple(tuple(f"{symbol}{n}" for symbol in sorted(SYMBOLS) if symbol != "gain") for n in range(3))
    ]


def test_without_room_for_solid_copies_each_component_is_placed_by_itself() -> None:
    layout = replace(copies(), area=box(0, 0, 9.5, 40))
    holes = tuple(replace(i, symbol="") for i in layout.items)
    alone = place_all(replace(layout, items=holes), movable(layout), effort=0.05)
    found = place_all(layout, movable(layout), effort=0.05)
    assert not found.overlaps
    assert len(found.moves) >= len(alone.moves)
