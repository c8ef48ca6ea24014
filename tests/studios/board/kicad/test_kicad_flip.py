"""A footprint on the other side; that pcbnew agrees is asked in `test_board_rewrite`."""

from __future__ import annotations

from pathlib import Path

import pytest

from redraft.errors import BoardError
from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.model import Pose

HEAD = '(kicad_pcb (version 20241229) (layers (0 "F.Cu" signal) (4 "In1.Cu" signal) (2 "B.Cu" signal))\n'
PLACE = Pose(x=10_000_000, y=20_000_000, angle=-30, side="back")


def flipped(tmp_path: Path, *items: str) -> list[str]:
    """The items of a footprint, one a line, after it was flipped at (10, 20) where it lay at 30 degrees."""
    text = HEAD + ' (footprint "R" (layer "F.Cu") (at 10 20 30)\n' + "\n".join(items) + "\n))\n"
    (tmp_path / "a.kicad_pcb").write_text(text)
    file = BoardFile.read(tmp_path / "a.kicad_pcb")
    there = file.rewritten({0: PLACE})
    (tmp_path / "b.kicad_pcb").write_bytes(there)
    back = BoardFile.read(tmp_path / "b.kicad_pcb").rewritten({0: file.footprints[0].pose})
    assert back.decode() == text, "flipped twice it should be the same text"
    lines = there.decode().splitlines()
    assert lines[1] == ' (footprint "R" (layer "B.Cu") (at 10 20 -30)'
    return lines[2:-1]


def test_shapes_are_mirrored_top_to_bottom(tmp_path: Path) -> None:
    assert flipped(
        tmp_path,
        '(fp_line (start 0 1.5) (end -2 -3) (layer "F.SilkS"))',
        '(fp_arc (start 0 0) (end 1 2) (angle 90) (layer "B.Fab"))',
        '(fp_poly (pts (xy 0 1) (arc (start 1 2) (mid 3 4) (end 5 6))) (layer "In1.Cu"))',
        '(fp_circle (center 0 0) (end 1 0) (layer "Dwgs.User"))',
    ) == [
        '(fp_line (start 0 -1.5) (end -2 3) (layer "B.SilkS"))',
        '(fp_arc (start 0 0) (end 1 -2) (angle -90) (layer "F.Fab"))',
        '(fp_poly (pts (xy 0 -1) (arc (start 1 -2) (mid 3 -4) (end 5 -6))) (layer "In1.Cu"))',
        '(fp_circle (center 0 0) (end 1 0) (layer "Dwgs.User"))',
    ]


def test_texts_are_read_from_the_other_side(tmp_path: Path) -> None:
    assert flipped(
        tmp_path,
        '(fp_text user "a" (at 1 2 30) (layer "F.SilkS") (effects (font (size 1 1))))',
        '(fp_text user "b" (at 1 -2 0) (layer "B.Cu") (effects (font (size 1 1)) (justify left mirror)))',
        '(fp_text user "c" (at 0 0 90) (layer "Cmts.User") (effects (font (size 1 1)) (justify left)))',
    ) == [
        '(fp_text user "a" (at 1 -2 150) (layer "B.SilkS") (effects (font (size 1 1)) (justify mirror)))',
        '(fp_text user "b" (at 1 2 180) (layer "F.Cu") (effects (font (size 1 1)) (justify left)))',
        '(fp_text user "c" (at 0 0 90) (layer "Cmts.User") (effects (font (size 1 1)) (justify left)))',
    ]


def test_pads_change_layers_corners_and_offsets(tmp_path: Path) -> None:
    assert flipped(
        tmp_path,
        '(pad "1" smd roundrect (at 1 2 30) (size 2 1) (layers "F.Cu" "F.Mask") (chamfer top_left bottom_right))',
        '(pad "2" thru_hole oval (at 0 0) (size 2 1) (drill oval 1 0.5 (offset 0.25 -0.5)) (layers "*.Cu" "F.Mask"))',
        '(pad "3" smd trapezoid (at 1 2 120) (size 2 1) (rect_delta 0 0.5) (layers "F&B.Cu"))',
        '(pad "4" smd custom (at 1 0 30) (size 1 1) (layers "F.Cu") (primitives (gr_poly (pts (xy 1 2) (xy 3 -4)))))',
    ) == [
        '(pad "1" smd roundrect (at 1 -2 330) (size 2 1) (layers "B.Cu" "B.Mask") (chamfer top_right bottom_left))',
        '(pad "2" thru_hole oval (at 0 0) (size 2 1) (drill oval 1 0.5 (offset 0.25 0.5)) (layers "*.Cu" "B.Mask"))',
        '(pad "3" smd trapezoid (at 1 -2 240) (size 2 1) (rect_delta 0 -0.5) (layers "F&B.Cu"))',
        '(pad "4" smd custom (at 1 0 330) (size 1 1) (layers "B.Cu") (primitives (gr_poly (pts (xy 1 -2) (xy 3 4)))))',
    ]


def test_zones_lie_on_the_boards_frame(tmp_path: Path) -> None:
    assert flipped(
        tmp_path,
        '(zone (net 0) (layers "F.Cu" "In1.Cu") (polygon (pts (xy 10 20) (xy 15 21) (xy 10 22))))',
    ) == ['(zone (net 0) (layers "B.Cu" "In1.Cu") (polygon (pts (xy 10 20) (xy 15 19) (xy 10 18))))']


def test_layers_with_names_of_the_users_change_too(tmp_path: Path) -> None:
    text = (
        "(kicad_pcb (version 4) (layers (0 Top signal) (31 Bottom signal))\n (module R (layer Top) (at 10 20)\n"
        "  (pad 1 smd rect (at 0 1) (size 1 1) (layers Top F.Mask))))\n"
    )
    (tmp_path / "a.kicad_pcb").write_text(text)
    after = BoardFile.read(tmp_path / "a.kicad_pcb").rewritten({0: Pose(x=10_000_000, y=20_000_000, side="back")})
    assert b"(module R (layer Bottom)" in after
    assert b"(at 0 -1) (size 1 1) (layers Bottom B.Mask)" in after


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (
            '(pad "1" thru_hole circle (at 0 0) (size 1 1) (layers "*.Cu") (padstack (mode custom)))',
            "a pad has other shapes on other layers",
        ),
        ("(fp_spiral (start 0 1))", "not known how a 'fp_spiral' is flipped"),
    ],
)
def test_what_is_not_known_is_not_flipped(tmp_path: Path, item: str, words: str) -> None:
    with pytest.raises(BoardError, match=rf"a\.kicad_pcb, line 3: .*{words}.*\(key F\).*\(footprint .*\)"):
        flipped(tmp_path, item)


def test_a_layer_of_the_users_that_is_called_signal_is_not_the_back(tmp_path: Path) -> None:
    text = (
        '(kicad_pcb (version 20241030) (layers (0 "F.Cu" signal) (2 "B.Cu" signal) (55 "User.9" signal))\n'
        ' (footprint "R" (layer "F.Cu") (at 10 20)))\n'
    )
    (tmp_path / "a.kicad_pcb").write_text(text)
    after = BoardFile.read(tmp_path / "a.kicad_pcb").rewritten({0: Pose(x=10_000_000, y=20_000_000, side="back")})
    assert after.decode() == text.replace('(layer "F.Cu")', '(layer "B.Cu")')
