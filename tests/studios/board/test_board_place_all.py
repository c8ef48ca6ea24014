"""Whole boards through the loop: valid by itself, measured, stopped in the middle, resumed, and told in words."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic import JsonValue
from small_board import part as footprint
from small_board import small_board

from redraft import api
from redraft.cli.outcome import as_json
from redraft.config import load
from redraft.errors import BriefError, ConfigError
from redraft.models.base import Request
from redraft.models.replies import json_in
from redraft.models.scripted import ScriptedModel
from redraft.result import Result
from redraft.studios.board.actions.registry import PlaceAll
from redraft.studios.board.board import Board
from redraft.studios.board.check import check
from redraft.studios.board.drc import Comparison, Violation, as_report
from redraft.studios.board.files import check_board, wires
from redraft.studios.board.offline.answers import ANSWERS
from redraft.studios.board.placement import carried_out, layout_of, opened
from redraft.studios.board.session import Session
from redraft.studios.board.spec import ActionList, Stated
from redraft.studios.board.studio import ALL

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.timed]

GRID = [(x, y) for x in range(104, 140, 6) for y in range(104, 140, 6)]
PARTS = (("C1", 0), ("C2", 1), ("R1", 2), ("R2", 3), ("J1", 10))


def unplaced(folder: Path, *tracks: str, parts: Sequence[tuple[str, int]] = PARTS) -> Path:
    """The small board with U1 placed and five others beside it."""
    two = [("1", -1.0, 0.0, "VCC"), ("2", 1.0, 0.0, "GND")]
    ic = [("1", -3.0, -2.0, "VCC"), ("2", -3.0, 2.0, "A"), ("3", 3.0, 2.0, "GND"), ("4", 3.0, -2.0, "VCC")]
    signal_ = [("1", -1.0, 0.0, "A"), ("2", 1.0, 0.0, "B[0]")]
    placed = [footprint("U1", (120, 120), ic)]
    placed += [footprint(ref, (180, 100 + 4 * n), signal_ if ref[0] == "R" else two) for ref, n in parts]
    text = small_board()
    head, edge = text[: text.index("  (footprint")], text[text.index("  (gr_rect (start 100 100)") :]
    path = folder / "unplaced.kicad_pcb"
    path.write_text("\n".join([head.rstrip(), *placed, *tracks, edge]), encoding="utf-8")
    return path


async def run(
    board: Path, out: Path, words: str = "", model: ScriptedModel | None = None, **settings: object
) -> Result:
    flags = {f"studios.board.{key}": value for key, value in {"drc": "never", "effort": 0.001, **settings}.items()}
    config = load(None, flags).config  # type: ignore[arg-type]
    return await api.arun("board", words, config=config, source=board, out=out, model=model)


def reply_of(quote: str, **goals: object) -> str:
    """A language model's reply: one `place_all` with goals."""
    return json.dumps({"approach": "", "actions": [{"action": "place_all", "quote": quote, **goals}], "waived": []})


async def test_all_without_words_is_valid_by_itself(tmp_path: Path) -> None:
    result = await run(unplaced(tmp_path), tmp_path / "run", all=True)
    assert result.valid, result.report
    layout = Board.read(result.files["board"]).layout
    assert layout.area is not None
    assert all(layout.area.covers(item.shape) for item in layout.roots)
    assert [one.outcome for one in result.report.requirements] == ["met"]
    assert result.files["ratsnest"].read_bytes().startswith(b"\x89PNG")
    assert wires(result)[0].startswith("wires ")
    assert "%" in wires(result)[0]
    assert len(wires(result)) > 1


async def test_words_beside_all_are_said_of_it(tmp_path: Path) -> None:
    goal = "J1 5 mm from the left edge"
    reply = reply_of(f"{ALL}: {goal}", anchors=[{"ref": "J1", "edge": "left", "distance": 5}])
    result = await run(unplaced(tmp_path), tmp_path / "run", goal, model=ScriptedModel([reply]), all=True)
    assert result.valid, result.report
    layout = Board.read(result.files["board"]).layout
    assert layout.bounds("J1")[0] == pytest.approx(105.0, abs=1e-6)


@pytest.mark.parametrize("words", ["J1 at the left edge", "place everything, J1 at the left edge"])
async def test_without_a_model_everything_is_placed_and_the_goals_are_left_undone(tmp_path: Path, words: str) -> None:
    result = await run(unplaced(tmp_path), tmp_path / "run", words, all=not words.startswith("place"))
    layout = Board.read(result.files["board"]).layout
    assert layout.area is not None
    assert all(layout.area.covers(item.shape) for item in layout.roots)
    (error,) = result.report.errors
    assert error.message == (
        "“J1 at the left edge” was not carried out: goals for the placement of a whole board need a language model"
    )


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("place all parts", {}),
        ("Place everything again.", {"replace": True}),
        ("shorten the wires", {"start": "here"}),
    ],
)
def test_words_for_a_whole_board_without_a_model(words: str, fields: dict[str, object]) -> None:
    inputs: dict[str, JsonValue] = {"instruction": words, "history": [], "stated": {}, "windows": [], "blocks": {}}
    reply = ANSWERS["board.draft"](Request(kind="board.draft", path="x", inputs=inputs, messages=()))
    (action,) = json_in(str(reply), ActionList.model_fields, "list of actions")["actions"]
    assert action == {"action": "place_all", "quote": words.rstrip("."), **fields}


async def test_what_cannot_be_placed_is_refused_before_any_request(tmp_path: Path) -> None:
    placed = tmp_path / "small.kicad_pcb"
    placed.write_text(small_board(), encoding="utf-8")
    with pytest.raises(BriefError, match="all 13 components are placed; replace=true"):
        await run(placed, tmp_path / "a", all=True)
    open_ = tmp_path / "open.kicad_pcb"
    open_.write_text(small_board().replace("(gr_rect", "(gr_line"), encoding="utf-8")
    with pytest.raises(BriefError, match="has no closed outline to place components in"):
        await run(open_, tmp_path / "b", all=True)
    with pytest.raises(ConfigError, match="says what --all places"):
        await run(placed, tmp_path / "c", "place C1", replace=True)


async def test_replace_says_which_tracks_become_invalid(tmp_path: Path) -> None:
    track = '  (segment (start 117 118) (end 117 110) (width 0.3) (layer "F.Cu") (net 1))'
    result = await run(unplaced(tmp_path, track), tmp_path / "run", all=True, replace=True)
    assert result.valid, result.report
    said = [issue.message for issue in result.report.notes if issue.code == "board.tracks"]
    assert said == ["1 tracks of 1 nets ended at pads that have moved, and are invalid now: VCC 1"]


async def test_a_time_limit_says_that_it_cut_the_search_short(tmp_path: Path) -> None:
    result = await run(unplaced(tmp_path), tmp_path / "run", all=True, effort=50.0, time_limit=1.0)
    assert result.valid
    said = "The search was cut short by the time limit of 1 s; this is the best placement so far"
    assert [note.message for note in result.report.notes] == [said]
    assert [one["message"] for one in json.loads(as_json(result))["findings"]] == [said]
    assert said in result.files["report"].read_text()


def test_what_does_not_hold_any_more_is_measured(tmp_path: Path) -> None:
    """Measured on the board as it is: what is moved away afterwards breaks the statement."""
    from redraft.brief import Brief

    base = opened(unplaced(tmp_path))
    words = "place all parts, J1 5 mm from the left edge, at least 4 mm around U1"
    act = PlaceAll.model_validate(
        {
            "anchors": [{"ref": "J1", "edge": "left", "distance": 5}],
            "keepouts": [{"around": "U1", "distance": 4}],
            "effort": 0.001,
        }
    )
    after = carried_out(ActionList(approach="", actions=(Stated(action=act, quote=words),)), base)
    brief = Brief.of(words)
    assert check(after, base, brief).valid, check(after, base, brief)
    for name, dx, said in (
        ("J1", 30_000_000, "J1 35 mm from the left edge"),
        ("R1", -120_000_000, "1 beside the board"),
    ):
        pose = after.poses[name]
        poses = {**after.poses, name: pose.model_copy(update={"x": pose.x + dx})}
        broken = check(after.model_copy(update={"poses": poses}), base, brief)
        assert not broken.valid
        assert said in " ".join(issue.message for issue in broken.errors)
    poses = {name: pose for name, pose in after.poses.items() if name != "R2"}
    beside = check(after.model_copy(update={"poses": poses}), base, brief)
    assert "1 beside the board, for which no room was found (R2" in " ".join(i.message for i in beside.errors)
    stacked = {**after.poses, "R2": after.poses["R1"]}
    assert "R1 and R2 overlap" in " ".join(
        i.message for i in check(after.model_copy(update={"poses": stacked}), base, brief).errors
    )
    assert layout_of(after).bounds("J1")[0] == pytest.approx(105.0)


def test_ctrl_c_delivers_the_best_so_far_and_resume_ends_as_if_nothing_had_been(tmp_path: Path) -> None:
    board, out = unplaced(tmp_path), tmp_path / "run"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "redraft", "board", "place", str(board), "--all", "--drc", "never"]
    command += ["--effort", "0.2", "-o", str(tmp_path / "to.kicad_pcb"), "--out", str(out)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, env=environment, cwd=tmp_path, **pipes) as process:  # type: ignore[call-overload]
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("placing: refine"):
                break
        process.send_signal(signal.SIGINT)
        stopped = time.monotonic()
        said = process.stdout.read()
    assert process.returncode == 130, said
    assert time.monotonic() - stopped < 60.0
    assert "the best so far, unfinished:" in said
    assert "Traceback" not in said
    layout = Board.read(out / "board.kicad_pcb").layout
    assert layout.area is not None
    assert all(layout.area.covers(item.shape) for item in layout.roots)
    assert not (tmp_path / "to.kicad_pcb").exists()
    result = api.resume(out, observer=None)
    assert result.valid, result.report
    assert (tmp_path / "to.kicad_pcb").exists()


async def test_tracks_of_a_board_that_was_placed_anew_count_in_no_check(tmp_path: Path) -> None:
    """The run, the open board and the comparison of two files judge one board alike."""
    track = '  (segment (start 102 130) (end 138 130) (width 0.3) (layer "F.Cu") (net 3))'
    vias = [f'  (via (at {x} {y}) (size 3) (drill 1) (layers "F.Cu" "B.Cu") (net 3))' for x, y in GRID]
    more = tuple((f"C{n}", n) for n in range(3, 12))
    before = unplaced(tmp_path, track, *vias, parts=(*PARTS, *more))
    after = tmp_path / "placed.kicad_pcb"
    session = Session.open(before)
    session.place_all(effort=0.001)
    session.save(after)
    reports = [session.check(), check_board(after, before, drc="never")]
    for report in reports:
        assert not report.errors
        assert [note.code for note in report.notes] == ["board.unrouted"]
    session.undo()
    assert not session.check().notes


def test_without_tracks_routing_says_nothing() -> None:
    torn = Comparison(new=(Violation(type="unconnected_items", severity="error", description="", items=()),))
    assert [issue.code for issue in as_report(torn, moved=("C1",)).issues] == ["routing.redo"]
    assert as_report(torn, moved=("C1",), unrouted=True).issues == ()


async def test_a_refusal_gives_no_advice_that_words_cannot_follow(tmp_path: Path) -> None:
    result = await run(unplaced(tmp_path), tmp_path / "run", "put C1 at (120, 120)")
    (error,) = (issue.message for issue in result.report.errors if issue.code == "brief.cannot")
    assert error == (
        "“put C1 at (120, 120” was not carried out: place_component C1 at (120, 120) mm: C1 would be in U1 by 3.5 mm; "
        "the nearest free place for C1 is 3.5 mm up from there, with its middle at (120, 116.5)"
    )


async def test_what_lies_beside_the_board_is_placed_near_what_it_is_moved_closer_to(tmp_path: Path) -> None:
    result = await run(unplaced(tmp_path), tmp_path / "run", "move R1 closer to U1")
    assert result.valid, result.report
    layout = Board.read(result.files["board"]).layout
    assert layout.area is not None
    assert layout.area.covers(layout["R1"].shape)
    assert layout["R1"].shape.distance(layout["U1"].shape) < 2.0
