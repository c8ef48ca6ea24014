"""Lines of briefs: what is read, what is refused, and how it is said."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from pydantic import JsonValue

from redraft.batch.briefs import Line, PlannedRun, plan, read_briefs
from redraft.errors import BriefError, ConfigError, RedraftError


def planned(given: Mapping[str, JsonValue], folder: Path = Path(), **settings: JsonValue) -> PlannedRun:
    return plan(Line(7, given), folder, settings, None)


def test_options_are_those_of_run_and_dotted_keys(tmp_path: Path) -> None:
    (tmp_path / "aim.png").write_bytes(b"")
    run = planned(
        {"studio": "shader", "instruction": "fog", "frames": 3, "size": "64x32", "target": "aim.png", "loop.looks": 0},
        tmp_path,
    )
    assert run.config.studios["shader"] == {"frames": 3, "width": 64, "height": 32}
    assert run.config.loop.looks == 0
    assert run.inputs == {"target": tmp_path / "aim.png"}


def test_settings_of_the_batch_give_way_to_those_of_a_line() -> None:
    given: dict[str, JsonValue] = {"studio": "sketch", "instruction": "a house", "seed": 5}
    run = plan(Line(1, given), Path(), {"seed": 1, "model": "replay:runs/x"}, None)
    assert (run.config.seed, run.config.model) == (5, "replay:runs/x")


def test_an_id_is_made_of_the_line_and_its_words() -> None:
    assert planned({"studio": "sketch", "instruction": "A red House!"}).id == "0007-a-red-house"
    assert planned({"studio": "sketch", "instruction": "A red House!", "id": "h.1"}).id == "h.1"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"instruction": "x"}, "studio is missing"),
        ({"studio": "skecth", "instruction": "x"}, "Unknown studio 'skecth'"),
        ({"studio": "sketch", "instruction": 3}, "instruction is 3; give text"),
        ({"studio": "sketch", "instruction": "x", "id": "../x"}, "id is '../x'; it names a folder"),
        ({"studio": "sketch", "instruction": "x", "sede": 3}, "'sede' is not an option of the sketch studio"),
        ({"studio": "sketch", "instruction": "x", "seed": "3"}, "seed: Input should be a valid integer; given '3'"),
        ({"studio": "sketch", "instruction": "x", "loop.lokks": 3}, "loop.lokks: unknown setting"),
        ({"studio": "sketch", "instruction": "x", "out": "y"}, "out does not belong in a brief"),
        ({"studio": "shader", "target": "no.png"}, "target: 'no.png' is missing"),
        ({"studio": "sketch", "instruction": "x", "on": "last"}, "on is 'last'; give a path"),
        ({"studio": "sketch", "instruction": "x", "described": "yes"}, "described is 'yes'; give true or false"),
    ],
)
def test_a_wrong_line_is_refused(given: dict[str, JsonValue], said: str, tmp_path: Path) -> None:
    with pytest.raises((BriefError, ConfigError)) as caught:
        planned(given, tmp_path)
    assert str(caught.value).startswith(said)


def test_an_error_of_a_setting_names_its_line() -> None:
    with pytest.raises(ConfigError, match=r"given 0 \(set in line 7\)"):
        planned({"studio": "sketch", "instruction": "x", "candidates": 0})


def test_each_line_of_json_is_read_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "briefs.jsonl"
    good = json.dumps({"studio": "sketch", "instruction": "a\u2028house"}, ensure_ascii=False)
    bad = ["nonsense", "[1]", '{"id": "a", "id": "b"}', '{"seed": NaN}', "[" * 100_000]
    path.write_bytes("\n".join(["\ufeff" + good, "", *bad]).encode() + b'\n{"id": "\xff"}\n')
    lines = read_briefs(path)
    assert lines[0].given == {"studio": "sketch", "instruction": "a\u2028house"}
    assert [line.number for line in lines] == [1, 3, 4, 5, 6, 7, 8]
    starts = ["not JSON (Expecting value, column 1)", "not a JSON object", "'id' appears twice", "NaN is not a JSON"]
    assert [line.problem[: len(start)] for line, start in zip(lines[1:], starts, strict=False)] == starts
    assert "recursion" in lines[5].problem
    assert lines[6].problem.startswith("not valid UTF-8 (byte 8")
    with pytest.raises(RedraftError, match="not a JSON object"):
        plan(lines[2], tmp_path, {}, None)


def test_cells_of_a_table_have_the_types_of_their_options(tmp_path: Path) -> None:
    path = tmp_path / "briefs.csv"
    path.write_text(
        'studio,instruction,id,frames,loop.looks,scoring\nshader,"fog,\nslowly",1,3,0,\nsketch,2 rings,,,,true\n'
        "sketch,rings,,x,,\nsketch,rings,,,,,,\n"
    )
    lines = read_briefs(path)
    fog, rings = (plan(line, tmp_path, {}, None) for line in lines[:2])
    assert (fog.line, fog.id, fog.instruction) == (2, "1", "fog,\nslowly")
    assert (fog.config.studios, fog.config.loop.looks) == ({"shader": {"frames": 3}}, 0)
    assert (rings.line, rings.instruction, rings.config.prompt.scoring.enabled) == (4, "2 rings", True)
    with pytest.raises(ConfigError, match="'frames' is not an option of the sketch studio"):
        plan(lines[2], tmp_path, {}, None)
    with pytest.raises(BriefError, match="more cells than the first row"):
        plan(lines[3], tmp_path, {}, None)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("briefs.jsonl", "\n\n", "contains no brief"),
        ("briefs.csv", "instruction\nx\n", "studio among them"),
        ("briefs.csv", 'studio\n"x\n', "is not CSV"),
        ("photo.png", "\x89PNG\r\n\x1a\n\0\0\n\0", r"photo\.png is not UTF-8 text; a batch is a file of briefs"),
        ("", "", "Is a directory"),
    ],
)
def test_a_file_without_briefs_is_refused(name: str, text: str, said: str, tmp_path: Path) -> None:
    if name:
        (tmp_path / name).write_text(text)
    with pytest.raises(BriefError, match=said):
        read_briefs(tmp_path / name)
