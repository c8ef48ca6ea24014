"""The board around its parts: keep-outs on their sides, and zones where they lie."""

from __future__ import annotations

from pathlib import Path

import pytest
from shapely.geometry import box

from redraft.errors import BoardFormatError
from redraft.studios.board.board import Site, site_of
from redraft.studios.board.kicad.file import BoardFile

EDGE = '(gr_rect (start 0 0) (end 100 50) (layer "Edge.Cuts"))'
NOWHERE = (900.0, 900.0, 901.0, 901.0)


def pts(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"(polygon (pts (xy {x0} {y0}) (xy {x1} {y0}) (xy {x1} {y1}) (xy {x0} {y1})))"


def keepout(layers: str, footprints: str = "(footprints not_allowed)", name: str = "") -> str:
    rules = f"(keepout (tracks not_allowed) (vias not_allowed) (pads allowed) {footprints})"
    return f'(zone (net 0) (net_name "") {layers} {name} {rules} {pts(10, 10, 20, 15)})'


def site(tmp_path: Path, *lists: str) -> Site:
    path = tmp_path / "a.kicad_pcb"
    path.write_text(f"(kicad_pcb (version 20241229) {' '.join(lists)})")
    return site_of(BoardFile.read(path))


def test_the_area_and_no_warning(tmp_path: Path) -> None:
    found = site(tmp_path, EDGE)
    assert found.area is not None
    assert found.area.equals(box(0, 0, 100, 50))
    assert found.warnings == ()
    assert found.keepouts == ()


def test_a_board_without_an_outline(tmp_path: Path) -> None:
    found = site(tmp_path)
    assert found.area is None
    assert list(found.fixtures(NOWHERE)) == []


@pytest.mark.parametrize(
    ("layers", "sides"),
    [
        ('(layer "F.Cu")', (1,)),
        ('(layer "B.Cu")', (0,)),
        ('(layers "F.Cu" "B.Cu")', (1, 0)),
        ('(layers "F&B.Cu")', (1, 0)),
        ('(layers "*.Cu")', (1, 0)),
    ],
)
def test_keepouts_of_footprints_bar_their_sides(tmp_path: Path, layers: str, sides: tuple[int, ...]) -> None:
    (found,) = site(tmp_path, keepout(layers, name='(name "antenna")')).keepouts
    assert found.name == "antenna"
    assert found.layers == sides
    assert found.shape.equals(box(10, 10, 20, 15))


def test_a_keepout_without_a_name_is_named_by_its_place(tmp_path: Path) -> None:
    (found,) = site(tmp_path, keepout('(layer "F.Cu")')).keepouts
    assert found.name == "keep-out at (15, 12.5)"


@pytest.mark.parametrize("footprints", ["(footprints allowed)", ""])
def test_keepouts_of_other_things_are_only_shown(tmp_path: Path, footprints: str) -> None:
    found = site(tmp_path, keepout('(layer "F.Cu")', footprints))
    assert found.keepouts == ()
    (shown,) = found.fixtures((19, 14, 30, 30))
    assert (shown.kind, shown.layer) == ("keepout", "F.Cu")


def test_a_keepout_on_inner_layers_bars_no_part(tmp_path: Path) -> None:
    assert site(tmp_path, keepout('(layer "In1.Cu")')).keepouts == ()


def test_a_keepout_within_a_footprint_lies_where_the_file_says(tmp_path: Path) -> None:
    footprint = f'(footprint "x" (layer "F.Cu") (at 300 300 90) {keepout("(layer F.Cu)")})'
    found = site(tmp_path, '(footprint "y" (at 0 0))', footprint)
    assert found.keepouts == ()
    ((kept,),) = (found.carried[1],)
    assert kept.shape.equals(box(10, 10, 20, 15))  # KiCad writes zones in board coordinates even there


def test_zones_are_fixtures_of_the_windows_that_they_meet(tmp_path: Path) -> None:
    zone = f'(zone (net 2) (net_name "GND") (layer "B.Cu") (fill yes) {pts(0, 0, 30, 30)})'
    by_number = f'(zone (net 2) (layers "F.Cu" "In1.Cu") {pts(60, 0, 90, 30)})'
    found = site(tmp_path, '(net 2 "GND")', zone, by_number)
    (left,) = found.fixtures((0, 0, 10, 10))
    (right,) = found.fixtures((80, 20, 95, 45))
    assert (left.kind, left.layer, left.net) == ("zone", "B.Cu", "GND")
    assert (right.layer, right.net) == ("F.Cu, In1.Cu", "GND")
    assert list(found.fixtures(NOWHERE)) == []


def test_a_damaged_zone_is_told_with_its_line_where_a_window_asks_for_zones(tmp_path: Path) -> None:
    found = site(tmp_path, "\n", '(zone (net 0) (layer "F.Cu") (polygon (pts (xy 1 wide))))')
    with pytest.raises(BoardFormatError, match=r"line 2, zone: .*'wide'"):
        found.fixtures(NOWHERE)


def test_a_damaged_keep_out_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BoardFormatError, match=r"line 2, zone: .*'wide'"):
        site(tmp_path, "\n", '(zone (layer "F.Cu") (keepout (vias allowed)) (polygon (pts (xy 1 wide))))')


def test_a_net_called_keepout_makes_no_keep_out(tmp_path: Path) -> None:
    copper = f'(zone (net 1) (net_name "(keepout (footprints not_allowed))") (layer "F.Cu") {pts(0, 0, 9, 9)})'
    assert site(tmp_path, copper).keepouts == ()
