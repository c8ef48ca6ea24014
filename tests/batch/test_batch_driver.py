"""Batches in processes: run folders as the queue, killed workers and drivers, and memory as it was at the start."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from drawings import as_reply, house
from loopback import Answer, Server, chat, failure
from tiny_batch import Whole, delivered, finished_effects, is_finished, until

from redraft.batch import Row, carry_out, read_briefs
from redraft.batch.briefs import Line, plan
from redraft.batch.driver import total_of
from redraft.batch.shared import Shared, take_snapshot
from redraft.batch.worker import carry_out_one
from redraft.errors import ConfigError, RunError, RunLockedError
from redraft.fixes.base import open_store
from redraft.record.transcript import Record
from redraft.testing import a_fix

pytestmark = pytest.mark.timed

BRIEFS = 5
PATIENCE = 60.0


def begin(briefs: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "redraft", "batch", str(briefs), "--out", str(out), *more]
    return subprocess.Popen(command, cwd=briefs.parent, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def workers_of(driver: int) -> list[int]:
    found: list[int] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            if parent == driver and b"anyio.to_process" in (stat.parent / "cmdline").read_bytes():
                found.append(int(stat.parent.name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


@pytest.mark.slow
def test_every_brief_has_a_row_in_its_order(whole: Whole) -> None:
    out, rows = whole.out, whole.rows
    assert [row.id for row in rows][:4] == ["house", "board", "fox", "0004-two-trees"]
    assert [row.line for row in rows] == list(range(1, BRIEFS + 1))
    assert {row.outcome for row in rows} <= {"valid", "unchecked"}, rows
    data = json.loads((out / "batch.json").read_text())
    assert data["rows"] == [row.model_dump(mode="json") for row in rows]
    assert data["usage"]["calls"] == sum(Record.load(out / row.id).transcript.usage.calls for row in rows) > BRIEFS
    page = (out / "gallery" / "index.html").read_text()
    assert all(f"./{row.id}/" in page for row in rows)


@pytest.mark.slow
def test_finished_runs_are_counted_and_not_repeated(whole: Whole) -> None:
    out, rows = whole.out, whole.rows
    before = {path: path.stat().st_mtime_ns for path in out.glob("*/events.jsonl")}
    again = carry_out(read_briefs(whole.briefs), out, folder=whole.briefs.parent)
    assert again == [row.model_copy(update={"seconds": None}) for row in rows]
    assert {path: path.stat().st_mtime_ns for path in out.glob("*/events.jsonl")} == before


@pytest.mark.slow
def test_another_brief_under_the_same_id_is_an_error(whole: Whole) -> None:
    out = whole.out
    house = {"studio": "sketch", "instruction": "a house with a red roof", "id": "house"}
    lines = [house | {"seed": 3, "budget.calls": 7}, house | {"seed": 4, "id": "House"}]
    first, second = carry_out(lines, out)
    assert (first.outcome, first.error) == ("valid", "")
    assert "is that of line 1 too" in second.error
    (other,) = carry_out([lines[0] | {"seed": 4}], out)
    assert other.outcome == "error"
    assert f"the run in {out / 'house'} was begun with seed '3', and line 1 has '4'" in other.error
    (words,) = carry_out([lines[0] | {"instruction": "a barn"}], out)
    assert "begun with instruction 'a house with a red roof', and line 1 has 'a barn'" in words.error


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_killed_driver_and_a_killed_worker_cost_no_run(whole: Whole, tmp_path: Path) -> None:
    out, rows = tmp_path / "out", whole.rows
    runs = [out / row.id for row in rows]
    driver = begin(whole.briefs, out, "--workers", "1")
    until(lambda: sum(map(is_finished, runs)) >= 2)
    (worker,) = workers_of(driver.pid)
    driver.kill()
    driver.communicate()
    until(lambda: not Path(f"/proc/{worker}").exists())
    finished = [run for run in runs if is_finished(run)]
    assert 2 <= len(finished) < BRIEFS
    before = {run: (run / "events.jsonl").read_bytes() for run in finished}

    driver = begin(whole.briefs, out, "--workers", "1")
    left = [run for run in runs if run not in finished]
    until(lambda: any((run / "events.jsonl").exists() and not is_finished(run) for run in left))
    os.kill(workers_of(driver.pid)[0], signal.SIGKILL)
    said, _ = driver.communicate(timeout=PATIENCE)
    assert driver.returncode == 0, said
    assert {run: (run / "events.jsonl").read_bytes() for run in finished} == before
    assert all(is_finished(run) for run in runs)
    assert {count for run in runs for count in finished_effects(run).values()} == {1}
    assert delivered(out) == delivered(whole.out)
    assert json.loads((out / "batch.json").read_text())["usage"] == total_of(rows).model_dump(mode="json")


@pytest.mark.slow
def test_two_batches_do_not_share_a_folder(tmp_path: Path) -> None:
    inner: list[type[Exception]] = []

    def meanwhile(_: Row) -> None:
        try:
            carry_out([{"studio": "sketch"}], tmp_path)
        except RunLockedError as error:
            inner.append(type(error))

    (row,) = carry_out([{"studio": "nothing"}], tmp_path, observer=meanwhile)
    assert (inner, row.outcome) == ([RunLockedError], "error")


@pytest.mark.parametrize(
    ("file", "said"), [("events.jsonl", "holds a run, not a batch"), ("notes.txt", "is not empty and holds no batch")]
)
def test_a_folder_of_something_else_is_refused_and_left_as_it_was(file: str, said: str, tmp_path: Path) -> None:
    (tmp_path / file).touch()
    with pytest.raises(RunError, match=said):
        carry_out([{"studio": "nothing"}], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [file]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"memory": "now"}, "memory is 'now'"),
        ({"on": "dask"}, "on is 'dask'"),
        ({"address": "auto"}, "add --on ray"),
        ({"limits": ["x"]}, "limit is 'x'"),
        ({"caps": {"calls": 0}}, "budget.calls"),
        ({"upload": "nothing://x"}, "upload is 'nothing://x'"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=said):
        carry_out([{"studio": "sketch"}], tmp_path, **arguments)


@pytest.mark.slow
def test_a_program_without_a_guard_is_told_so(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "from redraft.batch import carry_out\n"
        "print(carry_out([{'studio': 'sketch', 'instruction': 'a ring'}], 'out')[0].error)\n"
    )
    ran = subprocess.run(
        [sys.executable, program], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert "Move that call under if __name__ == '__main__':" in ran.stdout, ran


def test_what_runs_learn_is_kept_and_not_read_in_the_same_batch(tmp_path: Path) -> None:
    name = f"sqlite:{tmp_path / 'fixes.sqlite'}"
    store = open_store(name)
    assert store is not None
    store.add(a_fix(1), "s" * 16)
    run = plan(Line(1, {"studio": "shader", "instruction": "fog", "memory": name}), tmp_path, {}, None)
    state = tmp_path / "state"
    take_snapshot(state, [run])
    store.add(a_fix(2), "s" * 16)
    take_snapshot(state, [run])  # a batch that is started again

    frozen = Shared(state).around("x").memory(store)
    assert [fix.broken_snippet for fix in frozen.entries()] == [a_fix(1).broken_snippet]
    frozen.add(a_fix(3), "s" * 16)
    assert len(list(frozen.entries())) == 1
    assert len(list(store.entries())) == 3
    assert frozen.label == store.label
    assert Shared(state, live=True).around("x").memory(store) is store


def test_a_memory_that_cannot_be_read_is_one_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    given = {"studio": "shader", "instruction": "fog", "memory": "redis://127.0.0.1:1/0"}
    runs = [plan(Line(n, given), tmp_path, {}, None) for n in (1, 2)]
    take_snapshot(tmp_path / "state", runs)
    assert [record.message.partition(":")[0] for record in caplog.records] == ["Fix memory off"]
    store = open_store("redis://127.0.0.1:1/0")
    assert store is not None
    assert Shared(tmp_path / "state").around("x").memory(store).keys() == {}


def test_a_list_of_generations_is_read_as_it_was(tmp_path: Path) -> None:
    made = tmp_path / "made.csv"
    given = {"studio": "image", "instruction": "a fox", "prompt.generations_path": str(made)}
    run = plan(Line(1, given), tmp_path, {}, None)
    take_snapshot(tmp_path / "state", [run])
    made.write_text("generation_id,selected_concepts,final_image_prompt,image_path,created_at,seed\n")
    take_snapshot(tmp_path / "state", [run])
    assert not Shared(tmp_path / "state").around("x").history(made).exists()
    assert Shared(tmp_path / "state", live=True).around("x").history(made) == made


@pytest.mark.parametrize("content", [None, "a fox".encode("utf-16")], ids=["folder", "utf-16"])
def test_a_list_that_cannot_be_read_ends_no_batch_and_is_named_as_it_is(tmp_path: Path, content: bytes | None) -> None:
    made = tmp_path / "made.csv"
    made.mkdir() if content is None else made.write_bytes(content)
    run = plan(
        Line(1, {"studio": "image", "instruction": "a fox", "prompt.generations_path": str(made)}), tmp_path, {}, None
    )
    take_snapshot(tmp_path / "state", [run])
    assert Shared(tmp_path / "state").around("x").history(made) == made


@pytest.mark.slow
def test_a_provider_that_is_busy_for_minutes_ends_a_run_that_goes_on_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    busy = Answer(failure("slow down", "rate_limit_error"), 429, {"retry-after": "600"})
    with Server([busy, Answer(chat(as_reply(house())))]) as server:
        given: dict[str, Any] = {"studio": "sketch", "instruction": "a house", "model": "openai-chat:gpt-4o"}
        given |= {"models.base_url": f"{server.url}/v1", "loop.iterations": 1, "loop.critic": False}
        run = plan(Line(1, given), tmp_path, {}, None)
        early, late = (carry_out_one(run, tmp_path / run.id, Shared(tmp_path, live=True)) for _ in range(2))
    assert (early.outcome, early.usage.calls) == ("ended early", 0)
    assert "HTTP 429: slow down" in early.error
    assert (late.finished, late.error, late.usage.calls) == (True, "", 1)
