"""`redraft board …` on a small board, for real; only KiCad is left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from two_parts import two_parts
from typer.testing import CliRunner, Result

import redraft
from redraft.cli.program import program
from redraft.studios.board.board import Board

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
        (("small.kicad_pcb",), "Name the parts to look at"),
        (("small.kicad_pcb", "R1", "--region", "1,2,3,4"), "Name the parts to look at"),
        (("small.kicad_pcb", "--region", "1,2"), "four numbers are expected"),
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


def test_place_writes_where_it_is_told() -> None:
    result = invoke("place", "small.kicad_pcb", ASKED, "-o", "out.kicad_pcb", "--drc", "never", "--out", "run")
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
    refused = invoke("place", "small.kicad_pcb", text, "-o", "out.kicad_pcb", "--drc", "never")
    assert refused.exit_code == 1
    assert "Nothing was written" in refused.stdout + refused.stderr
    assert not Path("out.kicad_pcb").exists()
    assert "Action 2 of 2 (align)" in refused.stdout
    forced = invoke("place", "small.kicad_pcb", text, "-o", "out.kicad_pcb", "--drc", "never", "--force")
    assert forced.exit_code == 1
    assert gap("out.kicad_pcb") == pytest.approx(0.5, abs=1e-9)


def test_place_from_standard_input_as_json() -> None:
    result = invoke("place", "small.kicad_pcb", "-", "-o", "out.kicad_pcb", "--drc", "never", "--json", stdin=ASKED)
    answer = json.loads(result.stdout)
    assert (answer["studio"], answer["valid"], answer["files"]["written"]) == (
        "board",
        True,
        str(Path("out.kicad_pcb").resolve()),
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("small.kicad_pcb",), "A board and what to do on it are needed"),
        (("small.kicad_pcb", ASKED, "more", "words"), "put it in quotes"),
        (("small.kicad_pcb", ASKED, "-o", "small.kicad_pcb"), "--in-place"),
        (("small.kicad_pcb", ASKED, "-o", "out.txt"), "out.kicad_pcb"),
        (("small.kicad_pcb", ASKED, "-o", "no/out.kicad_pcb"), "which is not there"),
        (("small.kicad_pcb", ASKED, "-o", "out.kicad_pcb", "--in-place"), "Only one of"),
        (("small.kicad_pcb", "put R9 1 mm right of R1"), "R9"),
        (("small.kicad_pcb", " "), "instruction is empty"),
        (("small.kicad_pcb", ASKED, "--drc", "maybe"), "studios.board.drc"),
        (("gone.kicad_pcb", ASKED), "gone.kicad_pcb"),
    ],
)
def test_place_says_what_is_wrong_before_it_begins(arguments: tuple[str, ...], said: str) -> None:
    result = invoke("place", *arguments)
    assert result.exit_code == 2, result.stdout
    assert said in result.stderr
    assert not Path("runs").exists()


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
    result = redraft.place(board, ASKED, to="api.kicad_pcb", config={"studios.board.drc": "never"})
    assert result.valid
    assert gap("api.kicad_pcb") == pytest.approx(3.0, abs=1e-9)
    session = redraft.open_board("api.kicad_pcb")
    assert session.layout.bounds("R2")[0] == pytest.approx(9.5)
