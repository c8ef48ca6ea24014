"""The board open in a running KiCad: what is said when there is none, and a real one read, edited and undone."""

from __future__ import annotations

import builtins
import time
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from real_parts import DEMOS, needs
from running_kicad import running_kicad

from redraft.errors import BoardChangedError, BoardError, MissingPartError
from redraft.studios.board.board import Board
from redraft.studios.board.kicad.model import Pose, Side
from redraft.studios.board.live import LiveBoard

PROGRAMMER = DEMOS / "pic_programmer" / "pic_programmer.kicad_pcb"
OTHER: dict[Side, Side] = {"front": "back", "back": "front"}
UNDO = "common.Interactive.undo"


def test_without_the_package_the_command_that_brings_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **named: Any) -> Any:
        if name.partition(".")[0] == "kipy":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingPartError, match=r"pip install 'redraft\[kicad\]'$"):
        LiveBoard.connect()


def test_without_kicad_it_is_said_how_to_switch_its_interface_on(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match=r"No KiCad answers at ipc://.*no\.sock.*Enable KiCad API"):
        LiveBoard.connect(f"ipc://{tmp_path}/no.sock", timeout=1)


@pytest.fixture(scope="module")
def address() -> Generator[str]:
    needs("kicad-demos")
    with running_kicad(PROGRAMMER) as address:
        yield address


@pytest.fixture
def live(address: str) -> LiveBoard:
    return LiveBoard.connect(address)


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.timeout(240)
class TestRunning:
    """One KiCad for all of these; each leaves the board as it was."""

    def test_it_is_read_as_the_file_is(self, live: LiveBoard) -> None:
        assert live.path.name == PROGRAMMER.name
        layout, known = live.board.layout, Board.read(PROGRAMMER).layout
        assert {item.name for item in layout} == {item.name for item in known}
        for item in layout:
            assert item.origin == known[item.name].origin
            assert item.shape.bounds == pytest.approx(known[item.name].shape.bounds, abs=1e-6)
        assert layout.area is not None

    def test_every_part_goes_where_it_shall_with_all_that_belongs_to_it(self, live: LiveBoard, address: str) -> None:
        board = live.board
        poses: dict[int, Pose] = {}
        for n, part in enumerate(board.file.footprints):
            turn, side = (0.0, 90.0, 33.3, -135.0)[n % 4], OTHER[part.pose.side] if n % 3 == 0 else part.pose.side
            poses[n] = Pose(x=part.pose.x + 1_234_567, y=part.pose.y - 1, angle=part.pose.angle + turn, side=side)
        before = live.open.get_as_string()
        live.apply(poses, "redraft: everywhere")
        assert_alike(LiveBoard.connect(address).board, replace(board, poses=poses), within=2e-6)
        undo(live)
        assert live.open.get_as_string() == before  # one step took all of it back

    def test_a_shift_changes_nothing_but_the_position(self, live: LiveBoard) -> None:
        board = live.board
        place = board.names["C2"]
        pose = board.file.footprints[place].pose
        live.apply({place: pose.model_copy(update={"x": pose.x + 500_000})})
        was, now = (text.splitlines() for text in (board.file.data.decode(), live.open.get_as_string()))
        assert sorted(set(now) - set(was)) == ["\t\t(at 85.082 90.17)"]
        assert len(now) == len(was)
        undo(live)

    def test_what_was_moved_meanwhile_is_left_alone(self, live: LiveBoard, address: str) -> None:
        board = live.board
        place, other = board.names["C2"], board.names["R1"]
        poses = [board.file.footprints[n].pose for n in (place, other)]
        away, apart = (pose.model_copy(update={"x": pose.x + 1_000_000}) for pose in poses)
        LiveBoard.connect(address).apply({place: away})
        before = live.open.get_as_string()
        with pytest.raises(BoardChangedError, match="C2 has been moved in KiCad"):
            live.apply({place: poses[0].model_copy(update={"y": 0}), other: apart})
        assert live.open.get_as_string() == before
        undo(live)

    def test_nothing_to_do_is_no_step(self, live: LiveBoard) -> None:
        board = live.board
        live.apply({n: part.pose for n, part in enumerate(board.file.footprints)})
        live.apply({})
        assert live.open.get_as_string() == board.file.data.decode()


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.timeout(240)
def test_members_of_a_group_are_left_alone_for_kicad_would_dissolve_it() -> None:
    needs("kicad-demos")
    with running_kicad(DEMOS / "stickhub" / "StickHub.kicad_pcb") as address:
        live = LiveBoard.connect(address)
        board = live.board
        assert b"(group " in board.file.data
        shifted = {n: p.pose.model_copy(update={"x": p.pose.x + 1000}) for n, p in enumerate(board.file.footprints)}
        with pytest.raises(BoardError, match="part of a group") as refused:
            live.apply(shifted)
        assert live.open.get_as_string() == board.file.data.decode()
        grouped = str(refused.value).partition(":")[0].split(", ")
        assert grouped
        free = {n: pose for n, pose in shifted.items() if board.file.footprints[n].reference not in grouped}
        turned = {n: p.model_copy(update={"angle": -p.angle, "side": OTHER[p.side]}) for n, p in free.items()}
        live.apply(turned)
        # KiCad keeps what belongs to a part turned by 45° in whole nanometres of the part's own frame.
        assert_alike(LiveBoard.connect(address).board, replace(board, poses=turned), within=1e-4)
        assert "(group " in live.open.get_as_string()
        undo(live)
        assert live.open.get_as_string() == board.file.data.decode()


def assert_alike(board: Board, wanted: Board, *, within: float) -> None:
    """All parts and pads on the side and in the place wanted, up to a distance in millimetres."""
    for asked in wanted.layout:
        found = board.layout[asked.name]
        assert found.layer == asked.layer
        assert found.shape.bounds == pytest.approx(asked.shape.bounds, abs=within)
        for pad, other in zip(found.ports, asked.ports, strict=True):
            assert pad.net == other.net
            assert pad.at == pytest.approx(other.at, abs=within)
            assert pad.shape.bounds == pytest.approx(other.shape.bounds, abs=within)


def undo(live: LiveBoard) -> None:
    """As Ctrl-Z in KiCad."""
    live.kicad.run_action(UNDO)
    time.sleep(0.5)
