"""A distance that cannot be had where it was asked for: where it can be had is said, and saying so is enough."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from parts import board, chip, two_pads
from shapely.geometry import box

from redraft.errors import CollisionError
from redraft.layout.items import Item, Layout, Port
from redraft.studios.board.actions.registry import Legalise, PlaceRelative, Rotate
from redraft.studios.board.actions.workspace import Workspace

ASKED = PlaceRelative(ref="C1", target="U1", side="right", clearance=0.5)


def refused(layout: Layout, action: PlaceRelative = ASKED) -> str:
    with pytest.raises(CollisionError) as error:
        Workspace(layout).do(action)
    return str(error.value)


def gap(layout: Layout, a: str, b: str) -> float:
    return layout[a].shape.distance(layout[b].shape)


def test_another_side_is_named_and_is_free() -> None:
    layout = board(chip("U1", 50, 40, 10, 10), chip("R1", 57, 40, 2, 2), two_pads("C1", 10, 10))
    sides = re.findall(r"\(side (\w+)\)", refused(layout))
    assert len(set(sides)) == 2
    for side in sides:
        work = Workspace(layout)
        work.do(ASKED.model_copy(update={"side": side}))
        assert gap(work.layout, "C1", "U1") == pytest.approx(0.5, abs=1e-6)


def test_a_turn_is_named_and_is_free() -> None:
    walls = [chip(f"R{n}", 50 + x, 40 + y, *size) for n, (x, y, size) in enumerate(
        [(8, 0, (1, 14)), (-8, 0, (1, 14)), (0, 7.5, (14, 1)), (0, -7.5, (14, 1))]
    )]  # fmt: skip
    layout = board(chip("U1", 50, 40, 10, 10), *walls, two_pads("C1", 10, 10))
    assert "C1 rotated by 90 first, with allow_overlap" in refused(layout)
    work = Workspace(layout)
    work.do(Rotate(refs=("C1",), by=90))
    work.do(ASKED)
    assert gap(work.layout, "C1", "U1") == pytest.approx(0.5, abs=1e-6)


def ring(x: float = 7.0) -> list[Item]:
    return [chip(name, 50 + dx, 40 + dy, w, h) for name, dx, dy, w, h in (
        ("R1", x, 0, 2, 2), ("M1", -8, 0, 3, 20), ("M2", 0, 8, 20, 3), ("M3", 0, -8, 20, 3)
    )]  # fmt: skip


def test_who_could_give_way_is_named_and_does() -> None:
    layout = board(chip("U1", 50, 40, 10, 10), *ring(), two_pads("C1", 10, 10), locked=("M1", "M2", "M3"))
    assert (
        "right of U1 (side right) R1 could give way: allow_overlap there, then legalise R1 with a clearance"
        in refused(layout)
    )
    work = Workspace(layout)
    work.do(ASKED.model_copy(update={"allow_overlap": True}))
    work.do(Legalise(refs=("R1",)))
    assert gap(work.layout, "C1", "U1") == pytest.approx(0.5, abs=1e-6)
    assert work.layout["C1"].shape.intersection(work.layout["R1"].shape).area == pytest.approx(0, abs=1e-9)


def test_where_nothing_can_give_way_that_is_said() -> None:
    locked = ("R1", "M1", "M2", "M3")
    layout = board(chip("U1", 50, 40, 10, 10), *ring(), two_pads("C1", 10, 10), locked=locked)
    assert "at this distance there is no room on any side of U1" in refused(layout)


def test_no_way_turns_the_wrong_pad_to_the_target() -> None:
    """Left of U1.1 only C1.2 (VCC) may face the pin: turned by 180 it would be C1.1 (GND)."""
    pin = Port("1", (45.2, 40), box(44.9, 39.7, 45.5, 40.3), 0.0, "VCC")
    chip_ = replace(chip("U1", 50, 40, 10, 10), ports=(pin,))
    layout = board(chip_, chip("R1", 43, 40, 1, 1), two_pads("C1", 10, 10, ("GND", "VCC")))
    said = refused(layout, PlaceRelative(ref="C1", target="U1.1", side="left", clearance=0.5, measure="pad"))
    assert "rotated by 180" not in said
