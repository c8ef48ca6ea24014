"""What the specification of board views and actions states, tried as written; what other tests run is not repeated."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from small_board import part, write_board

import redraft
from redraft.studios.board.session import Session
from redraft.studios.board.views.microscope import get_json_view, render_png_view

EDGE = '  (gr_rect (start 95 40) (end 120 60) (stroke (width 0.1) (type solid)) (fill no) (layer "Edge.Cuts"))'
LAYERS = '  (layers (0 "F.Cu" signal) (2 "B.Cu" signal) (25 "Edge.Cuts" user) (31 "F.CrtYd" user))'


@pytest.fixture
def board(tmp_path: Path) -> Session:
    """The board of the specification's example: U1 of 5 × 5 mm at (105, 50), C1 of 1.5 × 1.5 mm to the right of it."""
    corners = [("1", -1.75, -1.75, "GND"), ("2", -1.75, 1.75, "A"), ("3", 1.75, 1.75, "A"), ("4", 1.75, -1.75, "VCC")]
    parts = [part("U1", (105, 50), corners), part("C1", (110, 50), [("1", 0, 0, "VCC")])]
    head = '(kicad_pcb (version 20241229) (generator "pcbnew")'
    nets = [f'  (net {number} "{net}")' for number, net in enumerate(("", "VCC", "GND", "A"))]
    path = tmp_path / "board.kicad_pcb"
    path.write_text("\n".join([head, LAYERS, *nets, *parts, EDGE, ")", ""]), encoding="utf-8")
    return Session.open(path)


@pytest.mark.parametrize(
    ("name", "defaults"),
    [
        ("get_visual_context", {"targets": inspect.Parameter.empty, "padding": 5.0}),
        ("inspect_components", {"refs": inspect.Parameter.empty}),
        ("inspect_region", dict.fromkeys(("center_x", "center_y", "width", "height"), inspect.Parameter.empty)),
        ("place_relative", dict.fromkeys(("ref", "target"), inspect.Parameter.empty)),
        ("align", {"axis": "x"}),
        ("distribute", {"spacing": 0.5}),
        ("stack", {"direction": "down"}),
    ],
)
def test_functions_take_what_is_written(board: Session, name: str, defaults: dict[str, object]) -> None:
    found = inspect.signature(getattr(board, name)).parameters
    assert {key: found[key].default for key in defaults} == defaults


def test_place_c1_half_a_millimeter_right_of_u1(board: Session) -> None:
    gap = board.inspect_components(["U1", "C1"]).gaps[0]
    assert (gap.between, gap.distance, gap.vector) == (("U1", "C1"), 1.75, (1.0, 0.0))
    outcome = board.place_relative(ref="C1", target="U1", side="right", clearance=0.5)
    assert [moved.ref for moved in outcome.moved] == ["C1"]
    assert board.inspect_components(["U1", "C1"]).gaps[0].distance == 0.5
    x0, _, x1, _ = board.layout.bounds("C1")
    board.undo()
    board.place_component("C1", (x0 + x1) / 2, 50.0)
    assert board.inspect_components(["U1", "C1"]).gaps[0].distance == 0.5, (
        "the fallback by coordinates comes to the same"
    )


def test_the_location_is_the_exact_middle_wherever_its_file_has_the_origin(tmp_path: Path) -> None:
    """A header whose file counts from pin 1: what the microscope reports is where `place_component` puts it."""
    head = '(kicad_pcb (version 20241229) (generator "pcbnew")'
    path = tmp_path / "board.kicad_pcb"
    header = part("J1", (105, 50), [("1", 0, 0, "VCC"), ("2", 0, 2.5, "GND"), ("3", 0, 5, "A")])
    nets = [f'  (net {number} "{net}")' for number, net in enumerate(("", "VCC", "GND", "A"))]
    path.write_text("\n".join([head, LAYERS, *nets, header, EDGE, ")", ""]), encoding="utf-8")
    session = Session.open(path)
    (found,) = session.inspect_components(["J1"]).objects
    assert (found.location, found.origin) == ((105.0, 52.5), (105.0, 50.0))
    before = session.layout.bounds("J1")
    session.place_component("J1", 110.0, 50.0)
    session.place_component("J1", *found.location)
    assert session.layout.bounds("J1") == pytest.approx(before)


def test_exactly_half_a_millimeter_from_a_pin(board: Session) -> None:
    board.place_relative(ref="C1", target="U1.4", side="right", clearance=0.5)
    (pin,) = board.layout["U1"].ports_named("4")
    (pad,) = board.layout["C1"].ports
    assert pad.distance(pin) == pytest.approx(0.5, abs=1e-6)


def test_views_take_a_board_or_are_asked_of_it(board: Session) -> None:
    bounds = (100.0, 45.0, 112.0, 57.0)
    assert get_json_view(board, bounds) == board.get_json_view(bounds) == get_json_view(board.layout, bounds)
    assert render_png_view(board.board, bounds) == board.render_png_view(bounds)
    assert board.get_visual_context(targets=["U1", "C1"], padding=5.0).png[:4] == b"\x89PNG"


def test_several_parts_in_one_action(tmp_path: Path) -> None:
    board = Session.open(write_board(tmp_path))
    board.align(["R1", "R2"], axis="x")
    board.distribute(["R1", "R2", "R3"], spacing=0.5)
    first, second, third = (board.layout.bounds(name) for name in ("R1", "R2", "R3"))
    assert (second[0] - first[2], third[0] - second[2]) == (pytest.approx(0.5), pytest.approx(0.5))
    board.stack(["R5", "R6"], direction="up")
    assert board.layout.bounds("R5")[1] - board.layout.bounds("R6")[3] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("Place C1 0.5mm right of U1.", "U1"),
        ("Move C1 to exactly 0.5mm clearance from U1 pin 4", "U1.4"),
        ("The capacitor C1 is too far. Move it closer.", ""),
    ],
)
def test_its_sentences_are_done_without_a_model(board: Session, tmp_path: Path, text: str, of: str) -> None:
    out = tmp_path / "out.kicad_pcb"
    result = redraft.board(board.path, text, model="offline", out=tmp_path / "run", to=out, drc="never")
    assert result.outcome == "valid", result.report.errors
    after = Session.open(out).layout
    (pad,) = after["C1"].ports
    (pin,) = after["U1"].ports_named("4")
    match of:
        case "U1":
            assert after.bounds("C1")[0] - after.bounds("U1")[2] == pytest.approx(0.5, abs=1e-6)
        case "U1.4":
            assert pad.distance(pin) == pytest.approx(0.5, abs=1e-6)
        case _:
            before = board.layout["C1"].ports[0].distance(board.layout["U1"].ports_named("4")[0])
            assert pad.distance(pin) < before
