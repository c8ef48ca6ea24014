"""`redraft bench` as a person types it: tables, a page, a result to compare; wrong use says what to do."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from filelock import FileLock
from typer.testing import CliRunner, Result

from redraft.bench.arms import ABLATIONS, ARMS
from redraft.bench.tasks import tasks_of
from redraft.cli.program import program
from redraft.journal import LOCK_FILE

TASKS = (
    '{"id":"cat","brief":"a cat to the left of a dog","oracles":[{"kind":"things","counts":{"cat":1,"dog":1},'
    '"relations":[["cat","left","dog"]]}]}\n'
    '{"id":"sun","brief":"a sun above a house","oracles":[{"kind":"things","relations":[["sun","above","house"]]}]}\n'
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "mine.jsonl").write_text(TASKS)
    return tmp_path


def bench(*words: str) -> Result:
    return CliRunner().invoke(program, ["bench", *words])


QUICK = ("sketch", "--tasks", "mine.jsonl", "--budget", "calls=2", "--arms", "one-shot,loop")


@pytest.mark.slow
def test_tables_page_and_result(folder: Path) -> None:
    done = bench(*QUICK, "--out", "first")
    assert done.exit_code == 0, done.output
    assert "sketch, offline: 2 briefs, 1 repeat, at most 2 calls a run" in done.stdout
    assert "first/bench.html" in done.stdout
    assert "4/4  loop         sun-0: valid, oracles hold after 1 calls" in done.stderr
    found = json.loads((folder / "first" / "bench.json").read_text())
    assert (found["calls"], list(found["briefs"]), len(found["trials"])) == (2, ["cat", "sun"], 4)
    assert [one["holds"] for one in found["calibration"]] == [False] * 4
    again = bench(*QUICK, "--out", "first", "--json")
    assert (json.loads(again.stdout)["asked"], json.loads(again.stdout)["trials"]) == (0, found["trials"])
    more = bench(
        "sketch", "--tasks", "mine.jsonl", "--budget", "calls=2", "--arms", "retry", "--out", "first", "--json"
    )
    assert json.loads(more.stdout)["asked"] == 0, "another arm takes the first drafts that are there"
    same = bench("sketch", "--compare", "first", "first/bench.json")
    assert same.exit_code == 0, same.output
    assert "Second result less the first" in same.stdout
    assert len(json.loads(bench("sketch", "--compare", "first", "first", "--json").stdout)) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sketch", "--budget", "calls=0"), "--budget 'calls=0': give caps such as calls=8"),
        (("sketch", "--budget", "cals=3"), "--budget 'cals=3'"),
        (("sketch", "--budget", "calls=3,calls=4"), "--budget 'calls=3,calls=4'"),
        (("sketch", "--arms", "lop"), "Did you mean loop"),
        (("sketch", "--tasks", "none.jsonl"), "Cannot read the tasks none.jsonl"),
        (("pottery",), "pottery"),
        (("sketch", "--judge", "offline"), "The judge offline takes no pictures"),
        (("sketch", "--model", "ofline"), "Did you mean offline"),
        (("sketch", "--compare", "none.json", "none.json"), "Cannot read the result none.json"),
    ],
)
@pytest.mark.slow
def test_wrong_use_is_said_before_anything_is_run(words: tuple[str, ...], said: str, folder: Path) -> None:
    done = bench(*words, "--out", "out")
    assert done.exit_code == 2, done.output
    assert said in " ".join(done.stderr.split())
    assert not (folder / "out").exists()


@pytest.mark.slow
def test_a_folder_holds_one_plan(folder: Path) -> None:
    assert bench(*QUICK, "--out", "out").exit_code == 0
    other = bench(*QUICK[:3], "--budget", "calls=3", "--out", "out")
    assert other.exit_code == 2
    assert "has a benchmark with calls 2, and this one has 3" in " ".join(other.stderr.split())
    (folder / "mine.jsonl").write_text(TASKS.replace("a sun", "a moon"))
    assert "has a benchmark with tasks" in " ".join(bench(*QUICK, "--out", "out").stderr.split())


def test_files_of_others_are_not_touched(folder: Path) -> None:
    (folder / "out" / "loop" / "cat-0").mkdir(parents=True)
    (folder / "out" / "loop" / "cat-0" / "letter.txt").write_text("Dear")
    done = bench(*QUICK, "--out", "out")
    assert done.exit_code == 2
    assert "contains other files" in " ".join(done.stderr.split())
    assert (folder / "out" / "loop" / "cat-0" / "letter.txt").read_text() == "Dear"


@pytest.mark.slow
def test_two_processes_do_not_share_a_folder(folder: Path) -> None:
    (folder / "out").mkdir()
    with FileLock(folder / "out" / LOCK_FILE):
        done = bench(*QUICK, "--out", "out")
    assert done.exit_code == 2
    assert "is in use by another redraft bench" in " ".join(done.stderr.split())


def test_the_example_of_the_page(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "bench.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(example, "bench.md", "exec"), {"out": folder / "out"})  # an example of our own
    assert capsys.readouterr().out == "{'one-shot': 1.0, 'loop': 1.0}\n"


def test_the_page_names_every_arm_and_the_line_of_tasks_is_one(folder: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "bench.md").read_text("utf-8")
    assert {arm.name for arm in (*ARMS, *ABLATIONS) if f"`{arm.name}`" not in page} == set()
    (line,) = re.findall(r"```json\n(.*?)\n```", page)
    (folder / "page.jsonl").write_text(line)
    assert tasks_of("sketch", folder / "page.jsonl")[0].id == "cups"
