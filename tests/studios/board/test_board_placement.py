"""Repair by the solver: copper that is too near is moved as far apart as the board asks, where there is room."""

from __future__ import annotations

from pathlib import Path

import pytest
from two_parts import two_parts

from redraft.errors import ExecutionError
from redraft.studios.board.actions.registry import Decouple
from redraft.studios.board.kicad.model import MM, Pose
from redraft.studios.board.placement import Placement, amend, carried_out, layout_of, opened, repair
from redraft.studios.board.rules import check
from redraft.studios.board.spec import ActionList, Stated

ASKED = 0.2
"""Millimetres between copper of two nets: a new project's in KiCad."""


def wide_pads(folder: Path, corners: str = "(start 0 0) (end 20 20)") -> Placement:
    """R1 and R2 with pads that end 0.025 mm within their courtyards of 3 mm, on a board between these corners."""
    path = folder / "wide.kicad_pcb"
    wide = two_parts().replace("(size 0.8 1)", "(size 1.35 1)")
    path.write_text(wide.replace("(start 0 0) (end 20 20)", corners))
    return opened(path)


def put(base: Placement, x: float, y: float) -> Placement:
    return base.model_copy(update={"poses": {"R2": Pose(x=round(x * MM), y=round(y * MM), angle=0.0, side="front")}})


def copper(placement: Placement) -> float:
    """The least distance of the pads of both."""
    layout = layout_of(placement)
    return min(a.distance(b) for a in layout["R1"].ports for b in layout["R2"].ports)


def repaired(there: Placement, base: Placement) -> Placement:
    report = check(layout_of(there), layout_of(base))
    assert "board.clearance" in {issue.code for issue in report.issues}
    return amend(there, repair(there, base, report).moves)


def test_pads_come_as_far_apart_as_the_board_asks(tmp_path: Path) -> None:
    base = wide_pads(tmp_path)
    there = put(base, 8.0, 5.0)
    assert copper(there) == pytest.approx(0.05)  # the courtyards touch
    after = repaired(there, base)
    assert copper(after) >= ASKED
    assert check(layout_of(after), layout_of(base)).valid


def test_without_room_for_that_the_parts_at_least_come_apart(tmp_path: Path) -> None:
    """6.1 mm for two parts of 3 mm, no room above or below, one of them already 0.1 mm in the other."""
    base = wide_pads(tmp_path, "(start 3.5 4) (end 9.6 6)")
    there = put(base, 7.9, 5.0)
    after = repaired(there, base)
    layout = layout_of(after)
    assert layout["R1"].shape.distance(layout["R2"].shape) == pytest.approx(0.0, abs=1e-6)
    assert layout["R1"].shape.intersection(layout["R2"].shape).area == pytest.approx(0.0, abs=1e-9)
    assert 0.0 < copper(after) < ASKED


def test_a_capacitor_for_two_components_is_refused(tmp_path: Path) -> None:
    acts = [Stated(action=Decouple(target=target, refs=("C1",)), quote="decouple both") for target in ("U1.4", "U2")]
    with pytest.raises(ExecutionError, match=r"C1 is named for U1 and for U2.* Name it for the one that it serves"):
        carried_out(ActionList(approach="", actions=tuple(acts)), wide_pads(tmp_path))
