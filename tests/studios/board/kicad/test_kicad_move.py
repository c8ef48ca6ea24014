"""What a move changes in a board's bytes, and that pcbnew reads it as it would have moved the footprint itself."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pcbnew_moves import Turn, differences, saved_by_pcbnew
from real_parts import demo_boards, needs

from redraft.errors import BoardFormatError
from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.model import Pose, degrees, millimeters, nanometers, within_half_turn, within_turn

BOARDS = Path(__file__).parents[3] / "data" / "boards"
SMALL = sorted(path.name for path in BOARDS.glob("*.kicad_pcb"))
OF_KICAD = [
    "pic_programmer/pic_programmer.kicad_pcb",
    "stickhub/StickHub.kicad_pcb",
    "ecc83/ecc83-pp_v2.kicad_pcb",
    "microwave/microwave.kicad_pcb",
    "custom_pads_test/custom_pads_test.kicad_pcb",
    "test_pads_inside_pads/test_pads_inside_pads.kicad_pcb",
]
"""Parts of all kinds, on boards that pcbnew loads and saves quickly."""
COORDINATES = st.integers(-500_000_000, 500_000_000)
ANGLES = st.sampled_from([0.0, 90.0, 180.0, -90.0]) | st.integers(-1799, 1800).map(lambda tenths: tenths / 10)


@cache
def board(name: str) -> BoardFile:
    return BoardFile.read(BOARDS / name)


def written(path: Path, text: str) -> BoardFile:
    path.write_text(text)
    return BoardFile.read(path)


def changed_lines(before: bytes, after: bytes) -> list[tuple[str, str]]:
    """Lines that differ, where none were added or taken away."""
    pairs = zip(before.decode().splitlines(), after.decode().splitlines(), strict=True)
    return [(one.strip(), other.strip()) for one, other in pairs if one != other]


@pytest.mark.parametrize("name", SMALL)
def test_nothing_moved_is_the_same_bytes(name: str) -> None:
    file = board(name)
    assert file.rewritten({}) == file.data
    assert file.rewritten({i: footprint.pose for i, footprint in enumerate(file.footprints)}) == file.data


def test_a_move_changes_two_numbers() -> None:
    file = board("begonia.kicad_pcb")
    now = file.footprints[3].pose
    after = file.rewritten({3: now.model_copy(update={"x": now.x + 1_250_000, "y": now.y - 1})})
    ((old, new),) = changed_lines(file.data, after)
    assert old.startswith("(at ")
    assert new.startswith("(at ")
    assert nanometers(new.strip("()").split()[1].encode()) - now.x == 1_250_000
    assert new.strip("()").split()[3:] == old.strip("()").split()[3:]


def test_a_move_takes_along_what_is_stored_on_the_boards_frame() -> None:
    file = board("everything.kicad_pcb")
    now = file.footprints[0].pose
    after = file.rewritten({0: now.model_copy(update={"x": now.x + 7_000_000})})
    lines = changed_lines(file.data, after)
    kinds = {old.split(" ")[0].lstrip("(") for old, _ in lines}
    assert kinds == {"footprint", "image", "dimension", "zone"}


def test_a_turn_of_an_old_board_adds_angles_where_there_were_none(tmp_path: Path) -> None:
    text = (
        "(kicad_pcb (version 4) (layers (0 F.Cu signal) (31 B.Cu signal))\n"
        " (module R (layer F.Cu)\n"
        "  (at 1 2)\n"
        "  (fp_text reference R1 (at 0 -1) (layer F.SilkS))\n"
        "  (fp_text user x (at 0 -1 90) (layer F.SilkS))\n"
        "  (pad 1 smd rect (at 1 0 315) (size 1 1) (layers F.Cu))\n"
        "  (pad 2 smd rect (at -1 0) (size 1 1) (layers F.Cu))))\n"
    )
    file = written(tmp_path / "a.kicad_pcb", text)
    turned = file.rewritten({0: Pose(x=1_000_000, y=2_000_000, angle=45)})
    assert [new for _, new in changed_lines(file.data, turned)] == [
        "(at 1 2 45)",
        "(fp_text reference R1 (at 0 -1 45) (layer F.SilkS))",
        "(fp_text user x (at 0 -1 135) (layer F.SilkS))",
        "(pad 1 smd rect (at 1 0) (size 1 1) (layers F.Cu))",
        "(pad 2 smd rect (at -1 0 45) (size 1 1) (layers F.Cu))))",
    ]
    (tmp_path / "b.kicad_pcb").write_bytes(turned)
    back = BoardFile.read(tmp_path / "b.kicad_pcb").rewritten({0: Pose(x=1_000_000, y=2_000_000)})
    assert back == file.data


def test_a_text_on_its_head_is_turned_upright_unless_unlocked(tmp_path: Path) -> None:
    text = (
        '(kicad_pcb (version 20241229) (layers (0 "F.Cu" signal) (2 "B.Cu" signal))\n'
        ' (footprint "R" (layer "F.Cu") (at 1 2)\n'
        '  (property "Reference" "R1" (at 0 -1 0) (effects (font (size 1 1)) (justify left bottom)))\n'
        '  (property "Value" "1k" (at 0 -1 0) (unlocked yes) (effects (font (size 1 1)) (justify left bottom)))\n'
        '  (property "Sheet" "at 0 0")))\n'
    )
    file = written(tmp_path / "a.kicad_pcb", text)
    turned = file.rewritten({0: Pose(x=1_000_000, y=2_000_000, angle=180)})
    assert [new for _, new in changed_lines(file.data, turned)] == [
        '(footprint "R" (layer "F.Cu") (at 1 2 180)',
        '(property "Reference" "R1" (at 0 -1 0) (effects (font (size 1 1)) (justify right top)))',
        '(property "Value" "1k" (at 0 -1 180) (unlocked yes) (effects (font (size 1 1)) (justify left bottom)))',
    ]


def test_outlines_of_texts_move_and_are_left_out_once_turned(tmp_path: Path) -> None:
    text = (
        '(kicad_pcb (version 20241229) (layers (0 "F.Cu" signal) (2 "B.Cu" signal))\n'
        ' (footprint "R" (layer "F.Cu") (at 1 2) (fp_text user "x" (at 0 -1 0) (layer "F.SilkS")\n'
        '  (render_cache "x" 0 (polygon (pts (xy 1 1) (xy 2 1.5)))))))\n'
    )
    file = written(tmp_path / "a.kicad_pcb", text)
    moved = file.rewritten({0: Pose(x=1_000_001, y=2_500_000)})
    assert b'(render_cache "x" 0 (polygon (pts (xy 1.000001 1.5) (xy 2.000001 2))))' in moved
    turned = file.rewritten({0: Pose(x=1_000_000, y=2_000_000, angle=90)})
    assert b'(layer "F.SilkS"))))\n' in turned


def test_a_number_that_is_none_is_named_with_its_line(tmp_path: Path) -> None:
    text = (
        '(kicad_pcb (version 20241229) (layers (0 "F.Cu" signal) (2 "B.Cu" signal))\n'
        ' (footprint "R" (layer "F.Cu") (at 1 2)\n (zone (polygon (pts (xy 1 x))))))\n'
    )
    file = written(tmp_path / "a.kicad_pcb", text)
    with pytest.raises(BoardFormatError, match=r"a\.kicad_pcb, line 3 .*'x' stands where a length is expected"):
        file.rewritten({0: Pose(x=0, y=0)})


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_what_was_written_is_what_is_read(data: st.DataObject) -> None:
    file = board(data.draw(st.sampled_from(["begonia.kicad_pcb", "odd.kicad_pcb", "old.kicad_pcb"])))
    places = data.draw(st.sets(st.integers(0, len(file.footprints) - 1), min_size=1, max_size=4))
    poses = {
        place: Pose(
            x=data.draw(COORDINATES),
            y=data.draw(COORDINATES),
            angle=data.draw(ANGLES),
            side=data.draw(st.sampled_from(["front", "back"])),
        )
        for place in places
    }
    again = BoardFile(file.path, file.rewritten(poses), "")
    for place, before in enumerate(file.footprints):
        expected, found = poses.get(place, before.pose), again.footprints[place].pose
        assert (found.x, found.y, found.side) == (expected.x, expected.y, expected.side)
        assert within_turn(found.angle) == within_turn(expected.angle)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 12), COORDINATES, COORDINATES)
def test_there_and_back_is_byte_for_byte(place: int, x: int, y: int) -> None:
    file = board("begonia.kicad_pcb")
    now = file.footprints[place].pose
    away = BoardFile(file.path, file.rewritten({place: now.model_copy(update={"x": x, "y": y})}), "")
    assert away.rewritten({place: now}) == file.data


@given(st.integers(-(10**12), 10**12))
def test_lengths_are_whole_nanometres_both_ways(nm: int) -> None:
    text = millimeters(nm)
    assert nanometers(text) == nm
    assert not text.endswith((b".", b"0")) or b"." not in text
    assert text != b"-0"


@pytest.mark.parametrize(
    ("text", "nm"),
    [(b"1e-3", 1_000), (b"-0", 0), (b"+.5", 500_000), (b"1.2345675", 1_234_568), (b"-1.2345675", -1_234_568)],
)
def test_lengths_in_odd_notation_are_read(text: bytes, nm: int) -> None:
    assert nanometers(text) == nm


@pytest.mark.parametrize("text", [b"x", b"nan", b"inf", b"1.2.3", b""])
def test_what_is_no_length_is_refused(text: bytes) -> None:
    with pytest.raises(ValueError, match="is not a length"):
        nanometers(text)


def test_angles_are_written_as_kicad_writes_them() -> None:
    assert [degrees(a) for a in (0, -0.0, 90, -45.5, 63.434948822922, 1e-7)] == [
        *(b"0", b"0", b"90", b"-45.5", b"63.43494882", b"0.0000001"),
    ]
    assert [within_turn(a) for a in (-90, 360, 359.9999999999, 725)] == [270, 0, 0, 5]
    assert [within_half_turn(a) for a in (270, 180, -180, 181)] == [-90, 180, 180, -179]


def drawn(file: BoardFile, seed: int, how: str, many: int) -> tuple[dict[int, Pose], list[Turn]]:
    """Random changes of some footprints, for redraft and for pcbnew. `how`: move, turn, flip, or all of them."""
    rng = random.Random(f"{file.path.name} {how} {seed}")
    poses: dict[int, Pose] = {}
    turns: list[Turn] = []
    for place in sorted(rng.sample(range(len(file.footprints)), min(many, len(file.footprints)))):
        now = file.footprints[place].pose
        x, y = (value + rng.randrange(-9_000_000, 9_000_000) for value in (now.x, now.y))
        flip = how == "flip" or (how == "all" and rng.random() < 0.5)
        kept = -now.angle if flip else now.angle
        angle = {"turn": now.angle + rng.choice([90, 180, 270]), "all": rng.uniform(-180, 180)}.get(how)
        side = now.side if not flip else "back" if now.side == "front" else "front"
        poses[place] = Pose(x=x, y=y, angle=kept if angle is None else angle, side=side)
        turns.append(Turn(place, x, y, flip, angle))
    return poses, turns


def check_against_pcbnew(paths: Sequence[Path], how: str, folder: Path, many: int = 20) -> None:
    """All boards in one process of pcbnew, which takes long to start."""
    jobs: list[tuple[Path, list[Turn], Path]] = []
    for n, path in enumerate(paths):
        file = BoardFile.read(path)
        poses, turns = drawn(file, 0, how, many)
        ours = folder / f"{n}-ours.kicad_pcb"
        ours.write_bytes(file.rewritten(poses))
        jobs += [(path, turns, folder / f"{n}-moved.kicad_pcb"), (ours, [], folder / f"{n}-loaded.kicad_pcb")]
    saved_by_pcbnew(needs("pcbnew"), jobs)
    for (path, _, moved), (_, _, loaded) in batched(jobs):
        assert differences(moved, loaded, nanometres=3 if how in ("flip", "all") else 0) == [], path.name


def batched(jobs: Sequence[tuple[Path, list[Turn], Path]]) -> Iterator[Sequence[tuple[Path, list[Turn], Path]]]:
    return (jobs[n : n + 2] for n in range(0, len(jobs), 2))


@pytest.mark.real
@pytest.mark.parametrize("how", ["move", "turn", "flip", "all"])
@pytest.mark.parametrize("name", ["begonia.kicad_pcb", "everything.kicad_pcb"])
def test_pcbnew_reads_what_it_would_have_made_itself(name: str, how: str, tmp_path: Path) -> None:
    check_against_pcbnew([BOARDS / name], how, tmp_path)


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.parametrize("how", ["move", "turn", "flip", "all"])
def test_pcbnew_reads_what_it_would_have_made_of_its_own_boards(how: str, tmp_path: Path) -> None:
    demos = Path(needs("kicad-demos"))
    check_against_pcbnew([demos / name for name in OF_KICAD], how, tmp_path)


@pytest.mark.real
@pytest.mark.slow
def test_every_demo_board_is_written_as_it_was_read() -> None:
    needs("kicad-demos")
    for path in demo_boards():
        file = BoardFile.read(path)
        places = range(0, len(file.footprints), 10)
        assert file.rewritten({i: file.footprints[i].pose for i in places}) == path.read_bytes()
