"""A board under the hand: steps back and forth, what is unsaved, another board's places taken over as one step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_board import small_board, write_board, write_routed

from redraft.errors import BoardChangedError, BoardError, BriefError, CollisionError, ExecutionError, InfeasibleError
from redraft.studios.board.actions.registry import (
    Action,
    Flip,
    Lock,
    MoveBy,
    PlaceComponent,
    PlaceRelative,
    Rotate,
    Swap,
)
from redraft.studios.board.actions.workspace import Wires
from redraft.studios.board.board import Board
from redraft.studios.board.kicad.model import Pose
from redraft.studios.board.session import Session

pytestmark = pytest.mark.slow

NAMES = ("C1", "C2", "J1", "R1", "R2", "U1")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session.open(write_board(tmp_path))


def right(ref: str, distance: float) -> MoveBy:
    return MoveBy(refs=(ref,), dx=distance, allow_overlap=True)


def test_a_step_can_be_taken_back_and_done_again(session: Session) -> None:
    session.do(right("C1", 1.0))
    session.do(PlaceRelative(ref="C2", target="C1", side="bottom", clearance=0.25))
    assert session.changed == ("C1", "C2")
    assert session.undo().action == "undo: " + session.redo().action.removeprefix("redo: ")
    session.undo()
    session.undo()
    assert session.changed == ()
    with pytest.raises(BriefError, match="nothing to undo"):
        session.undo()
    session.redo()
    assert session.changed == ("C1",)
    session.do(right("J1", 1.0))
    with pytest.raises(BriefError, match="no step"):
        session.redo()


def test_a_step_back_is_measured_the_other_way_round(session: Session) -> None:
    was = session.layout
    done = session.do_all([right("C1", 3.0), right("J1", 1.0)])
    undone = session.undo()
    assert undone.action == f"undo: {done.action}"
    assert [moved.ref for moved in undone.moved] == ["C1", "J1"]
    assert done.wires is not None
    assert undone.wires == Wires(before=done.wires.after, after=done.wires.before)
    assert session.layout is was
    assert session.redo().moved == done.moved


def test_a_list_of_actions_is_carried_out_whole_or_not_at_all(session: Session) -> None:
    was = session.layout
    with pytest.raises(ExecutionError, match=r"Action 2 of 2 \(move_by\)"):
        session.do_all([right("C1", 3.0), right("X9", 1.0)])
    assert session.do_all([right("C1", 3.0)], dry_run=True).action.startswith("not done: ")
    assert session.do_all([right("C1", 3.0)], stop=lambda: True).action.startswith("not done: ")
    assert (session.layout, session.can_undo) == (was, 0)


def test_so_many_steps_can_be_taken_back(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redraft.loop.session.MAX_UNDO", 2)
    for _ in range(3):
        session.do(right("C1", 1.0))
    assert session.can_undo == 2
    session.undo()
    session.undo()
    with pytest.raises(BriefError, match="the oldest that is kept"):
        session.undo()
    assert session.changed == ("C1",)
    session.redo()
    session.redo()
    with pytest.raises(BriefError, match="nothing to redo"):
        session.redo()


def test_a_refused_action_is_no_step(session: Session) -> None:
    with pytest.raises(CollisionError):
        session.do(PlaceRelative(ref="R1", target="R2", clearance=0.0))
    assert session.can_undo == 0


def test_a_refusal_says_how_far_the_free_place_is(session: Session) -> None:
    session.do(PlaceRelative(ref="C1", target="C2", side="top", clearance=0.2))
    x0, y0, x1, y1 = session.layout.bounds("C1")
    with pytest.raises(CollisionError) as refused:
        session.do(PlaceComponent(ref="C1", x=(x0 + x1) / 2, y=(y0 + y1) / 2 + 0.203))
    said = str(refused.value)
    assert "C1 would be in C2 by 0.003 mm" in said
    assert "the nearest free place for C1 is 0.003 mm up from there, with its middle at (140, 113.5)" in said
    session.do(PlaceComponent(ref="C1", x=140, y=113.5))


def test_changes_are_unsaved_until_they_are_written(session: Session, tmp_path: Path) -> None:
    assert not session.unsaved
    session.do(right("C1", 1.0))
    assert session.unsaved
    session.save(tmp_path / "out.kicad_pcb")
    assert not session.unsaved
    session.undo()
    assert session.unsaved


def test_an_unchanged_board_is_written_byte_for_byte(session: Session, tmp_path: Path) -> None:
    session.do(right("C1", 1.0))
    session.undo()
    assert session.save(tmp_path / "out.kicad_pcb").read_text() == small_board()


def test_undo_after_saving_in_place_and_saving_again_brings_back_the_file(session: Session) -> None:
    session.do(right("C1", 1.0))
    session.save(in_place=True)
    session.do(right("C2", 1.0))
    session.save(in_place=True)
    assert session.path.read_text() == small_board().replace("(at 140 110)", "(at 141 110)").replace(
        "(at 140 115)", "(at 141 115)"
    )
    session.undo()
    session.undo()
    session.save(in_place=True)
    assert session.path.read_text() == small_board()


def test_where_to_save_must_be_said(session: Session, tmp_path: Path) -> None:
    there = write_board(tmp_path, "there.kicad_pcb")
    with pytest.raises(BoardError, match="in_place"):
        session.save()
    with pytest.raises(BoardError, match="in_place"):
        session.save(there, in_place=True)
    with pytest.raises(BoardError, match="exists already"):
        session.save(there)
    assert session.save(there, overwrite=True) == there


def test_what_another_program_wrote_is_not_written_over(session: Session) -> None:
    session.do(right("C1", 1.0))
    session.path.write_text(small_board() + "\n")
    with pytest.raises(BoardChangedError):
        session.save(in_place=True)
    assert session.unsaved


def test_another_boards_places_are_one_step(session: Session) -> None:
    session.do(right("J1", 1.0))
    other = Session.open(session.path)
    other.do(right("C1", 2.5))
    other.do(Rotate(refs=("C2",), by=90, allow_overlap=True))
    other.do(Flip(refs=("R1",), allow_overlap=True))
    outcome = session.adopt(other.board, "run")
    assert {moved.ref for moved in outcome.moved} == {"C1", "C2", "R1", "J1"}  # J1 goes back to where it is there
    assert session.board.poses == other.board.poses
    session.undo()
    assert session.changed == ("J1",)
    session.redo()
    assert session.board.poses == other.board.poses


def test_a_locked_part_is_not_taken_to_where_another_board_has_it(session: Session) -> None:
    session.do(Lock(refs=("C1",)))
    other = Session.open(session.path)
    other.do(right("J1", 1.0))
    other.do(right("C1", 2.5))
    with pytest.raises(InfeasibleError, match="run would move C1, but C1 is locked"):
        session.adopt(other.board, "run")
    assert (session.changed, session.can_undo) == ((), 1)


def test_a_board_of_other_parts_is_not_taken_over(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "other.kicad_pcb"
    path.write_text(small_board().replace('"C2"', '"C7"'))
    with pytest.raises(BoardError, match="other footprints"):
        session.adopt(Board.read(path), "run")


poses = st.builds(
    Pose,
    x=st.integers(100_000_000, 160_000_000),
    y=st.integers(100_000_000, 140_000_000),
    angle=st.sampled_from([0.0, 90.0, 180.0, -90.0, 45.0, 12.5]),
    side=st.sampled_from(["front", "back"]),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wanted=st.dictionaries(st.sampled_from(NAMES), poses, min_size=1))
def test_any_places_are_taken_over_to_the_nanometre(tmp_path: Path, wanted: dict[str, Pose]) -> None:
    session = Session.open(write_board(tmp_path))
    other = replace(session.base, poses={session.base.names[name]: pose for name, pose in wanted.items()})
    session.adopt(other, "run")
    for name, pose in wanted.items():
        index = session.base.names[name]
        found = session.board.poses.get(index, session.base.file.footprints[index].pose)
        assert (found.x, found.y, found.side) == (pose.x, pose.y, pose.side)
        assert (found.angle - pose.angle) % 360.0 == pytest.approx(0.0, abs=1e-9)


steps = st.lists(
    st.one_of(
        st.builds(MoveBy, refs=st.tuples(st.sampled_from(NAMES)), dx=st.floats(-9, 9), allow_overlap=st.just(True)),
        st.builds(Rotate, refs=st.tuples(st.sampled_from(NAMES)), by=st.floats(-360, 360), allow_overlap=st.just(True)),
        st.builds(Lock, refs=st.tuples(st.sampled_from(NAMES))),
        st.sampled_from(["undo", "redo"]),
    ),
    max_size=12,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=steps)
def test_after_any_steps_taking_all_back_gives_the_file(tmp_path: Path, steps: list[Action | str]) -> None:
    session = Session.open(write_board(tmp_path))
    for step in steps:
        try:
            session.do(step) if not isinstance(step, str) else getattr(session, step)()
        except (BriefError, InfeasibleError):  # nothing to undo, or it is locked
            continue
    while session.can_undo:
        session.undo()
    assert session.changed == ()
    out = tmp_path / "out.kicad_pcb"
    assert session.save(out, overwrite=True).read_text() == small_board()


def test_a_part_is_turned_and_placed_in_one_action(tmp_path: Path) -> None:
    board = Session.open(write_board(tmp_path))
    done = board.place_relative("C1", "U1.4", "right", 0.5, rotation=90)
    assert board.layout["C1"].rotation == 90
    assert "turned to 90°" in done.action
    pad = board.layout["U1"].ports_named("4")[0]
    assert min(port.distance(pad) for port in board.layout["C1"].ports) == pytest.approx(0.5, abs=1e-6)
    board.undo()
    assert board.changed == ()


def test_ripping_up_is_a_choice_of_a_session(tmp_path: Path) -> None:
    path = write_routed(tmp_path)
    swap = Swap(ref="C1", other="R1")
    left = Session.open(path)
    left.do(swap)
    assert {issue.code for issue in left.check().errors} == {"board.short"}
    ripped = Session.open(path, ripup=True)
    ripped.do(swap)
    assert ripped.check().errors == ()
    around = {"center_x": 140.0, "center_y": 107.0, "width": 10.0, "height": 8.0}
    assert left.inspect_region(**around).fixtures != ripped.inspect_region(**around).fixtures
    out = ripped.save(tmp_path / "out.kicad_pcb")
    kept = [line for line in path.read_text().splitlines() if "(segment" in line][-1:]
    assert [line for line in out.read_text().splitlines() if "(segment" in line] == kept
    ripped.save(in_place=True)
    ripped.undo()
    ripped.save(in_place=True)
    assert [line for line in path.read_text().splitlines() if "(segment" in line] == kept  # what was saved stays so
    assert Session.open(path).check().errors == ()
