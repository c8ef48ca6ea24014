"""`redraft board …` on a small board, for real; only KiCad is left out."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from small_board import small_board
from two_parts import two_parts
from typer.testing import CliRunner, Result

import redraft
from redraft import api
from redraft.cli.program import program
from redraft.errors import BoardChangedError
from redraft.options import check_config
from redraft.record.events import Event
from redraft.studios.board.board import Board
from redraft.studios.board.files import MAX_MOVED, moved, write_board
from redraft.studios.board.place.decoupling import supply_distance

pytestmark = pytest.mark.slow

ASKED = "put R2 3 mm right of R1"


@pytest.fixture(autouse=True)
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("small.kicad_pcb")
    path.write_text(two_parts())
    return path


def invoke(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(program, ["board", *arguments], input=stdin)


def gap(path: str | Path) -> float:
    layout = Board.read(Path(path)).layout
    return layout.bounds("R2")[0] - layout.bounds("R1")[2]


def test_compass_in_words_and_as_json() -> None:
    words = invoke("compass", "small.kicad_pcb")
    assert words.exit_code == 0
    assert "R1" in words.stdout
    assert "20 × 20 mm" in words.stdout
    assert isinstance(json.loads(invoke("compass", "small.kicad_pcb", "--json").stdout), dict)


def test_nets_and_pins() -> None:
    lines = invoke("nets", "small.kicad_pcb", "R1")
    assert lines.exit_code == 0, lines.output
    assert all(line.startswith("R1.") for line in lines.stdout.splitlines())
    whole = json.loads(invoke("nets", "small.kicad_pcb", "R1", "--json").stdout)
    assert whole["total"] == len(whole["pins"]) == len(lines.stdout.splitlines())
    assert invoke("nets", "small.kicad_pcb").exit_code == 0
    unknown = invoke("nets", "small.kicad_pcb", "R7")
    assert unknown.exit_code != 0
    assert "'R7'" in unknown.stderr
    assert "close: " in unknown.stderr


def test_decouple_puts_capacitors_at_their_pins() -> None:
    Path("ic.kicad_pcb").write_text(small_board())
    done = invoke("decouple", "ic.kicad_pcb", "U1", "-o", "out.kicad_pcb", "--drc", "never")
    assert done.exit_code == 0, done.output
    layouts = [Board.read(Path(name)).layout for name in ("ic.kicad_pcb", "out.kicad_pcb")]
    for name in ("C1", "C2"):
        far = [supply_distance(layout, "U1", name, "VCC")[0] for layout in layouts]
        assert far[1] < 1.0 < far[0]
        assert re.search(rf"{name} +U1\.\d +{far[0]:.3f} -> {far[1]:.3f} mm, -?\d+°", done.output)
    whole = invoke("decouple", "ic.kicad_pcb", "--all", "-o", "all.kicad_pcb", "--drc", "never")
    assert whole.exit_code == 0, whole.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Name components, or --all"),
        (("R1", "--all"), "Name components, or --all"),
        (("--all",), "no capacitor"),
        (("U7",), "There is no part 'U7'"),
    ],
)
def test_decouple_says_what_is_wrong(arguments: tuple[str, ...], said: str) -> None:
    answer = invoke("decouple", "small.kicad_pcb", *arguments, "-o", "out.kicad_pcb")
    assert answer.exit_code != 0
    assert said in " ".join(answer.output.replace("│", " ").split())


def test_inspect_parts() -> None:
    result = invoke("inspect", "small.kicad_pcb", "R1", "R2", "--padding", "1", "--png", "view.png")
    view = json.loads(result.stdout)
    assert [part["ref"] for part in view["objects"]] == ["R1", "R2"]
    assert view["gaps"][0] == {"between": ["R1", "R2"], "distance": 2.0, "vector": [1.0, 0.0]}
    assert Path("view.png").read_bytes().startswith(b"\x89PNG")
    assert result.stderr == "picture: view.png\n"


def test_inspect_a_region() -> None:
    view = json.loads(invoke("inspect", "small.kicad_pcb", "--region", "5,5,4,4").stdout)
    assert view["viewport"] == {"center": [5.0, 5.0], "size": [4.0, 4.0], "units": "mm"}
    assert [part["ref"] for part in view["objects"]] == ["R1"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("small.kicad_pcb",), "Name the components to look at"),
        (("small.kicad_pcb", "R1", "--region", "1,2,3,4"), "Name the components to look at"),
        (("small.kicad_pcb", "--region", "1,2"), "give four numbers"),
        (("small.kicad_pcb", "--region", "5,5,0,4"), "width"),
        (("small.kicad_pcb", "R11"), "did you mean R1"),
        (("small.kicad_pcb", "R1", "--png", "view.jpg"), "ends with .png"),
        (("none.kicad_pcb", "R1"), "none.kicad_pcb"),
    ],
)
def test_inspect_says_what_is_wrong(arguments: tuple[str, ...], said: str) -> None:
    result = invoke("inspect", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("to", ["--to", "-o"])
def test_place_writes_where_it_is_told(to: str) -> None:
    result = invoke("place", "small.kicad_pcb", ASKED, to, "out.kicad_pcb", "--drc", "never", "--out", "run")
    assert result.exit_code == 0, result.stderr
    assert "written: out.kicad_pcb" in result.stdout
    assert gap("out.kicad_pcb") == pytest.approx(3.0, abs=1e-9)
    assert gap("run/board.kicad_pcb") == pytest.approx(3.0, abs=1e-9)
    assert Path("small.kicad_pcb").read_text() == two_parts()


def test_in_place_keeps_what_was_there() -> None:
    assert invoke("place", "small.kicad_pcb", ASKED, "--in-place", "--drc", "never").exit_code == 0
    assert gap("small.kicad_pcb") == pytest.approx(3.0, abs=1e-9)
    assert Path("small.kicad_pcb.bak").read_text() == two_parts()


def test_what_is_worse_is_written_only_by_force() -> None:
    text = "put R2 0.5 mm right of R1, align R1 and R2 vertically"
    refused = invoke("place", "small.kicad_pcb", text, "--to", "out.kicad_pcb", "--drc", "never")
    assert refused.exit_code == 1
    assert "Nothing was written" in refused.stdout + refused.stderr
    assert not Path("out.kicad_pcb").exists()
    assert "Action 2 of 2 (align)" in refused.stdout
    forced = invoke("place", "small.kicad_pcb", text, "--to", "out.kicad_pcb", "--drc", "never", "--force")
    assert forced.exit_code == 1
    assert gap("out.kicad_pcb") == pytest.approx(0.5, abs=1e-9)


def test_place_from_standard_input_as_json() -> None:
    result = invoke("place", "small.kicad_pcb", "-", "--to", "out.kicad_pcb", "--drc", "never", "--json", stdin=ASKED)
    answer = json.loads(result.stdout)
    assert (answer["studio"], answer["valid"], answer["files"]["written"]) == (
        "board",
        True,
        str(Path("out.kicad_pcb").resolve()),
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("small.kicad_pcb",), "The instruction is missing"),
        (("small.kicad_pcb", ASKED, "more", "words"), "put it in quotes"),
        (("small.kicad_pcb", ASKED, "--to", "small.kicad_pcb"), "--in-place"),
        (("small.kicad_pcb", ASKED, "--to", "out.txt"), "out.kicad_pcb"),
        (("small.kicad_pcb", ASKED, "--to", "no/out.kicad_pcb"), "out.kicad_pcb is in no, which does not exist"),
        (("small.kicad_pcb", ASKED, "--to", "out.kicad_pcb", "--in-place"), "not both"),
        (("small.kicad_pcb", "put R9 1 mm right of R1"), "R9"),
        (("small.kicad_pcb", " "), "instruction is empty"),
        (("small.kicad_pcb", ASKED, "--drc", "maybe"), "studios.board.drc"),
        (("gone.kicad_pcb", ASKED), "gone.kicad_pcb"),
        (("small.kicad_pcb", "--replace"), "--replace has no effect without --all"),
        (("small.kicad_pcb", ASKED, "--effort", "2"), "--effort has no effect without --all"),
        (("small.kicad_pcb", ASKED, "--time-limit", "5"), "--time-limit has no effect without --all"),
    ],
)
def test_place_says_what_is_wrong_before_it_begins(arguments: tuple[str, ...], said: str) -> None:
    result = invoke("place", *arguments)
    assert result.exit_code == 2, result.stdout
    assert said in result.stderr
    assert not Path("runs").exists()


def test_what_moved_is_said_with_the_place_that_kicad_shows() -> None:
    result = invoke("place", "small.kicad_pcb", ASKED, "--drc", "never")
    board = Board.read(next(Path("runs").glob("*/board.kicad_pcb")))
    placed = next(part.pose for part in board.file.footprints if part.reference == "R2")
    assert f"moved:   R2 to ({placed.x / 1e6:g}, {placed.y / 1e6:g}), front" in result.stdout


def test_wires_have_their_unit_and_json_has_what_the_end_says() -> None:
    Path("ic.kicad_pcb").write_text(small_board())
    plain = invoke("place", "ic.kicad_pcb", "move C1 1 mm down", "--drc", "never", "--force")
    assert re.search(r"^wires [\d.,]+ → [\d.,]+ mm", plain.stdout, re.MULTILINE)
    assert "KiCad is checking it" not in plain.stdout
    answer = json.loads(invoke("place", "ic.kicad_pcb", "move C1 1 mm down", "--drc", "never", "--json").stdout)
    details = answer["details"]
    assert [(moved["ref"], moved["side"]) for moved in details["moved"]] == [("C1", "front")]
    assert set(details["wires"]) == {"before", "after"}
    assert set(details["longest_nets"][0]) == {"net", "length", "pads"}


def test_of_many_moved_parts_the_first_are_named(tmp_path: Path) -> None:
    placement = tmp_path / "placement.json"
    poses = {f"R{i:02}": {"x": i, "y": 0, "angle": 0.0, "side": "back"} for i in range(40)}
    placement.write_text(json.dumps({"file": "b.kicad_pcb", "digest": "0", "poses": poses}))
    result = redraft.Result.model_construct(studio="board", files={"json": placement})
    lines = moved(result)
    assert lines[:2] == ["R00 to (0, 0), back", "R01 to (0.000001, 0), back"]
    assert lines[-1] == f"and {40 - len(lines) + 1} more"
    assert len(lines) == MAX_MOVED


def test_a_board_that_is_open_in_kicad_is_refused_before_any_work() -> None:
    Path("~small.kicad_pcb.lck").write_text('{"hostname": "desk", "username": "ann"}')
    result = invoke("place", "small.kicad_pcb", ASKED, "--in-place", "--drc", "never")
    assert result.exit_code == 2
    assert "open in KiCad (user ann on desk)" in result.stderr
    assert not Path("runs").exists()


@pytest.mark.parametrize("where", [("--in-place",), ("--to", "shut/out.kicad_pcb")])
def test_a_folder_that_may_not_be_written_is_refused_before_any_work(
    where: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("shut").mkdir()
    Path("small.kicad_pcb").rename("shut/small.kicad_pcb")
    shut = Path("shut").resolve()

    def access(path: Path, mode: int) -> bool:  # the superuser may write everywhere: told here what others are told
        return Path(path) != shut or mode != os.W_OK

    monkeypatch.setattr(os, "access", access)
    result = invoke("place", "shut/small.kicad_pcb", ASKED, *where, "--drc", "never")
    assert result.exit_code == 2
    assert "cannot be written: permission denied" in result.stderr
    assert not Path("runs").exists()


def test_a_check_that_is_insisted_on_and_cannot_be_had_is_refused_before_any_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    result = invoke("place", "small.kicad_pcb", ASKED, "--drc", "always")
    assert result.exit_code == 2
    assert "`kicad-cli` was not found. It comes with KiCad 9" in result.stderr
    assert not Path("runs").exists()


def test_a_board_that_changes_during_a_run_is_left_alone_and_what_was_placed_is_kept() -> None:
    def edit(event: Event) -> None:  # as another program would, while the model thinks
        Path("small.kicad_pcb").write_text(two_parts() + "\n")

    settings = check_config(None, {"studios.board.drc": "never"}).config
    result = api.run("board", ASKED, config=settings, source=Path("small.kicad_pcb"), observer=edit)
    assert gap(result.files["board"]) == pytest.approx(3.0, abs=1e-9)
    with pytest.raises(BoardChangedError, match=re.escape(f"The placed board is kept as {result.files['board']}")):
        write_board(result, None, in_place=True)
    assert Path("small.kicad_pcb").read_text() == two_parts() + "\n"
    assert not Path("small.kicad_pcb.bak").exists()


def test_a_resumed_run_writes_its_board_where_it_was_to_go() -> None:
    invoke("place", "small.kicad_pcb", ASKED, "--to", "out.kicad_pcb", "--drc", "never", "--out", "run")
    Path("out.kicad_pcb").unlink()
    again = CliRunner().invoke(program, ["resume", "run"])
    assert again.exit_code == 0, again.stderr
    assert gap(Path("out.kicad_pcb")) == gap(Path("run/board.kicad_pcb"))
    Path("out.kicad_pcb").write_text(two_parts())  # as somebody else has edited it
    again = CliRunner().invoke(program, ["resume", "run"])
    assert again.stdout.splitlines()[0] == "already finished; nothing is repeated"
    assert "written: out.kicad_pcb" in again.stdout
    assert Path("out.kicad_pcb").read_text() == two_parts()


def test_a_finished_run_that_wrote_over_its_board_leaves_it_alone_when_resumed() -> None:
    assert invoke("place", "small.kicad_pcb", ASKED, "--in-place", "--drc", "never", "--out", "run").exit_code == 0
    written = Path("small.kicad_pcb").read_text()
    again = CliRunner().invoke(program, ["resume", "run"])
    assert (again.exit_code, Path("small.kicad_pcb").read_text()) == (0, written), again.output


def test_the_project_is_taken_along_and_never_written_over() -> None:
    Path("small.kicad_pro").write_text('{"board": {}}')
    Path("small.kicad_dru").write_text("(version 1)")
    Path("out.kicad_dru").write_text("(version 1) # mine")
    found = invoke("place", "small.kicad_pcb", ASKED, "--to", "out.kicad_pcb", "--drc", "never", "--out", "run")
    assert found.exit_code == 0, found.stderr
    assert Path("out.kicad_pro").read_text() == '{"board": {}}'
    assert Path("out.kicad_dru").read_text() == "(version 1) # mine"


def test_a_format_newer_than_the_newest_known_is_named() -> None:
    text = two_parts()
    newer = re.sub(r"\(version \d+\)", "(version 20260101)", text, count=1)
    assert newer != text
    Path("small.kicad_pcb").write_text(newer + "\n")
    placed = invoke("place", "small.kicad_pcb", ASKED, "--drc", "never", "--out", "run")
    assert "newer than that of KiCad 9 (20260101" in placed.stdout + placed.stderr
    assert "newer than that of KiCad 9" in invoke("check", "small.kicad_pcb", "--drc", "never").stdout
    assert "newer than that of KiCad 9" in invoke("compass", "small.kicad_pcb").stderr
    assert "newer than that of KiCad 9" in invoke("inspect", "small.kicad_pcb", "R1").stderr


def test_an_unknown_setting_is_answered_with_one_that_is_known() -> None:
    Path("redraft.yaml").write_text("studios:\n  board:\n    zzz: 1\n")
    result = invoke("place", "small.kicad_pcb", ASKED)
    assert result.exit_code == 2
    assert "studios.board.zzz: unknown setting" in result.stderr
    assert "Did you mean studios.board" in result.stderr


def test_check_counts_only_what_is_new_against_another_board() -> None:
    Path("worse.kicad_pcb").write_text(two_parts(two=(6.0, 5.0)))
    alone = invoke("check", "worse.kicad_pcb", "--drc", "never")
    assert alone.exit_code == 1
    assert "R1 and R2 overlap" in alone.stdout
    same = invoke("check", "worse.kicad_pcb", "--against", "worse.kicad_pcb", "--drc", "never")
    assert same.exit_code == 0
    assert "0 new errors" in same.stdout
    new = invoke("check", "worse.kicad_pcb", "--against", "small.kicad_pcb", "--drc", "never", "--json")
    assert new.exit_code == 1
    assert {issue["code"] for issue in json.loads(new.stdout)["issues"]} >= {"board.overlap"}


def test_the_python_api(board: Path) -> None:
    result = redraft.board(board, ASKED, to="api.kicad_pcb", config={"studios.board.drc": "never"})
    assert result.valid
    assert gap("api.kicad_pcb") == pytest.approx(3.0, abs=1e-9)
    session = redraft.open_board("api.kicad_pcb")
    assert session.layout.bounds("R2")[0] == pytest.approx(9.5)
