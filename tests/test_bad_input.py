"""Bad input through the whole program: each kind has a clear message, ends, and loses nothing that had been made.

What is stopped from outside (Ctrl-C, `kill -9`) is in `test_kill.py`.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from drawings import HOUSE, as_reply, house

from redraft import api
from redraft.errors import BriefError, ConfigError, ResumeDivergedError, RunError, RunNotFoundError
from redraft.models.base import Request
from redraft.models.scripted import Line, ScriptedModel
from redraft.options import config_of
from redraft.record.journal import EVENTS_FILE
from redraft.record.transcript import Record
from redraft.report.page import write_page
from redraft.result import Result
from redraft.studios import open_studio

REDRAFT = [sys.executable, "-m", "redraft"]
TEN_MEGABYTES = 10_000_000

pytestmark = pytest.mark.slow


def draw(folder: Path, replies: Sequence[Line], text: str = "a house") -> Result:
    return api.run("sketch", text, model=ScriptedModel(replies), out=folder)


def redraft(*arguments: str | Path, limit: int | None = None, **options: Any) -> subprocess.CompletedProcess[str]:
    """The command line as a process; no file it writes may grow over `limit` bytes, as on a disk that is full."""

    def fill() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [*REDRAFT, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        preexec_fn=fill,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},  # bytecode cut off at the limit would fail every later test
        **options,
    )


# Instructions


@pytest.mark.parametrize("text", ["", " \n", "\x00", "\ufeff"])
def test_an_empty_instruction(tmp_path: Path, text: str) -> None:
    with pytest.raises(BriefError, match="The instruction is empty"):
        draw(tmp_path / "run", [], text)
    assert not (tmp_path / "run").exists()


def test_a_hundred_thousand_words(tmp_path: Path) -> None:
    done = redraft("sketch", "-", "--out", tmp_path / "run", input="tree " * 100_000)
    assert (done.returncode, done.stdout) == (2, "")
    assert "The instruction has 100,000 words" in done.stderr
    assert "at most 2,000 words" in done.stderr
    assert "'tree tree tree" in done.stderr
    assert len(done.stderr) < 500
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "text", ["ein Haus mit rotem Dach", "одна кошка", "猫が二匹 🐱", "بيت صغير", "e\u0301\u200d\u202e"]
)
def test_other_languages_are_drawn_as_far_as_they_go_and_said_to_be_unchecked(tmp_path: Path, text: str) -> None:
    result = api.run("sketch", text, out=tmp_path / "run")
    assert result.error is None
    assert result.report.unchecked
    assert all(word in text for phrase in result.report.unchecked for word in phrase.split())
    assert result.files["png"].read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_contradiction_names_the_words_that_conflict(tmp_path: Path) -> None:
    done = redraft("sketch", "a cat left of a dog and the dog left of the cat", "--out", tmp_path / "run")
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    for words in ("exclude each other", "left of", "cat", "dog"):
        assert words in done.stderr
    assert not (tmp_path / "run" / "drawing.svg").exists()


# Replies


def changed(**fields: Any) -> str:
    """The house with another door."""
    drawing = deepcopy(house())
    drawing["strokes"][2].update(fields)
    return as_reply(drawing)


def with_stroke(**stroke: Any) -> str:
    drawing = deepcopy(house())
    drawing["strokes"].append({"part": "door", "stroke": "#000000", "width": 0.01, **stroke})
    return as_reply(drawing)


def twice_the_roof() -> str:
    drawing = deepcopy(house())
    drawing["plan"].append(drawing["plan"][1])
    return as_reply(drawing)


BAD_REPLIES = {
    "nothing": ("", "The reply is empty"),
    "prose": ("I would rather talk about it.", "it begins 'I would rather talk about it.'"),
    "half a fence": (HOUSE[:200], "opens a ``` fence and never closes it"),
    "five fences": (
        "\n".join(as_reply(house(0.3 + i / 100)) for i in range(5)),
        "5 fenced blocks, and 5 of them are different drawings",
    ),
    "ten megabytes of words": ("x" * TEN_MEGABYTES, "too long: 10,000,000 bytes; at most 2,000,000"),
    "ten megabytes of JSON": ('{"plan":[' + '"x",' * (TEN_MEGABYTES // 4), "too long: 10,000,009 bytes"),
    "NaN": (changed(x=float("nan")), "holds NaN, which is no number of JSON; numbers are finite. It is near"),
    "infinite": (changed(x=float("-inf")), "holds -Infinity, which is no number of JSON"),
    "too large for a float": (changed(x=7).replace('"x": 7', '"x": 1e999'), "the number 1e999, which is too large"),
    "far away": (changed(x=1e300), "strokes[2] (rect, part 'door'), field x: found 1e+300; allowed is from -1 to 2"),
    "a line without length": (
        with_stroke(kind="line", points=[[0.4, 0.4], [0.4, 0.4]]),
        "strokes[3] (line, part 'door'): it has no length: all points are [0.4, 0.4]",
    ),
    "a path without length": (with_stroke(kind="path", d="M 0.4 0.4 L 0.4 0.4 Z"), "strokes[3] (path, part 'door')"),
    "a name twice": (twice_the_roof(), "plan: two parts are named 'roof'"),
}


@pytest.mark.parametrize("name", BAD_REPLIES)
def test_a_bad_reply_goes_back_with_what_is_wrong_and_costs_one_fix(tmp_path: Path, name: str) -> None:
    reply, words = BAD_REPLIES[name]
    model = ScriptedModel([reply, HOUSE])
    start = time.monotonic()
    result = api.run("sketch", "a house", model=model, out=tmp_path / "run")
    assert (result.valid, result.error, result.usage.calls) == (True, None, 2)
    assert words in str(model.requests[1].inputs["error"])
    assert words in model.requests[1].messages[-1].text
    assert len(model.requests[1].messages[-1].text) < 100_000
    assert Record.load(tmp_path / "run").transcript.steps[0].response == reply
    assert time.monotonic() - start < 20


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    result = draw(tmp_path / "run", ["\ufeff" + HOUSE])
    assert (result.valid, result.usage.calls) == (True, 1)


def test_bad_replies_to_the_end_are_said_and_the_run_ends_by_itself(tmp_path: Path) -> None:
    result = draw(tmp_path / "run", ["no"] * 8)
    assert (result.valid, result.usage.calls, result.error) == (False, 8, None)
    assert "drawing.svg" not in {path.name for path in result.files.values()}
    assert "The reply holds no JSON" in result.files["report"].read_text("utf-8")


def test_a_thousand_strokes(tmp_path: Path) -> None:
    drawing = deepcopy(house())
    line = {"part": "house", "kind": "line", "stroke": "#5d4037", "width": 0.001}
    drawing["strokes"][1:1] = [
        {**line, "points": [[0.35, 0.52 + i / 5000], [0.55, 0.52 + i / 5000]]} for i in range(1000)
    ]
    start = time.monotonic()
    result = draw(tmp_path / "run", [as_reply(drawing)])
    assert result.valid
    assert len(json.loads(result.files["json"].read_text())["strokes"]) == 1003
    assert time.monotonic() - start < 20


# Disks and folders


def obstacle(path: Path) -> Callable[[Request], str]:
    """A reply that comes after somebody has put a folder where a file of the run shall go."""

    def reply(request: Request) -> str:
        (path / "in the way").mkdir(parents=True)
        return HOUSE

    return reply


@pytest.mark.parametrize("name", ["drawing.svg", "drawing.png", "drawing.json", "transcript.json"])
def test_a_file_that_cannot_be_written_is_said_and_delivered_by_resume(tmp_path: Path, name: str) -> None:
    run = tmp_path / "run"
    result = draw(run, [obstacle(run / name)])
    assert result.error is not None
    assert result.error["phase"] == "deliver"
    assert f"Could not write {run / name}" in str(result.error["message"])
    (run / name / "in the way").rmdir()
    (run / name).rmdir()
    again = api.resume(run, model=ScriptedModel([]))
    assert (again.valid, again.error, again.usage.calls) == (True, None, 1)
    assert (run / name).stat().st_size > 0
    assert Record.load(run).transcript.finished


def test_a_page_that_cannot_be_written_is_a_warning_with_its_command(tmp_path: Path) -> None:
    run = tmp_path / "run"
    result = draw(run, [obstacle(run / "report.html")])
    assert (result.valid, result.error) == (True, None)
    assert "report" not in result.files
    assert f"redraft report {run}" in result.warnings[-1]


@pytest.fixture(scope="module")
def byte_code_on_disk(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What a small limit on files would keep from being written."""
    redraft("sketch", "a red house", "--out", tmp_path_factory.mktemp("byte-code") / "run")


@pytest.mark.slow
@pytest.mark.usefixtures("byte_code_on_disk")
@pytest.mark.parametrize("limit", [100, 3_000, 10_000])
def test_a_full_disk_ends_the_run_in_words_and_resume_goes_on(tmp_path: Path, limit: int) -> None:
    """The smallest limit stops the journal's first line, the next the first request, the largest the reply."""
    run = tmp_path / "run"
    full = redraft("sketch", "a red house", "--out", run, limit=limit)
    assert full.returncode in (2, 3), full.stdout
    assert "Traceback" not in full.stdout + full.stderr
    assert "Could not write" in full.stdout + full.stderr
    if (run / EVENTS_FILE).stat().st_size == 0:
        again = redraft("sketch", "a red house", "--out", run)
    else:
        assert f"redraft resume {run}" in full.stdout
        again = redraft("resume", run)
    assert again.returncode == 0, again.stdout + again.stderr
    assert Record.load(run).transcript.usage.calls == 1
    for name in ("drawing.svg", "drawing.png", "drawing.json", "transcript.json", "report.html"):
        assert (run / name).stat().st_size > 0


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("flags", [(), ("--json",), ("--quiet",)])
def test_an_output_that_cannot_be_written_costs_no_run(tmp_path: Path, flags: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*REDRAFT, "sketch", "a house", "--out", str(tmp_path / "run"), *flags],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert "tandard output cannot be written: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert Record.load(tmp_path / "run").transcript.finished


@pytest.mark.parametrize("name", ["x" * 300, "file", "empty", "strange"])
def test_what_is_no_run_is_said_with_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    (tmp_path / "strange" / EVENTS_FILE).mkdir(parents=True)
    path = tmp_path / name
    uses: list[Callable[[Path], object]] = [api.resume, lambda run: write_page(Record.load(run)), api.undo]
    for use in uses:
        with pytest.raises(RunError, match=name[:20]):
            use(path)
    with pytest.raises((RunError, RunNotFoundError), match=name[:20]):
        api.run("sketch", "add a tree", model=ScriptedModel([]), on=path, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_folder_that_was_never_begun_can_be_used(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / EVENTS_FILE).write_text('{"event": "run_sta')
    assert draw(tmp_path / "run", [HOUSE]).valid


def test_a_resume_that_diverges_leaves_the_run_as_it_was(tmp_path: Path) -> None:
    run = tmp_path / "run"
    draw(run, [HOUSE])
    journal = (run / EVENTS_FILE).read_text()
    (run / EVENTS_FILE).write_text(journal.replace('"instruction":"a house"', '"instruction":"a big house"', 1))
    before = (run / "transcript.json").read_bytes()
    (run / "drawing.png").unlink()
    with pytest.raises(ResumeDivergedError, match="start a new run"):
        api.resume(run, model=ScriptedModel([]))
    assert (run / "transcript.json").read_bytes() == before
    assert Record.load(run).transcript.valid


# Settings


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"models.base_url": "http://127.0.0.1:9/v1"}, "models.base_url: given 'http://127.0.0.1:9/v1'"),
        ({"models.timeout": 5.0, "model": "replay:run"}, "the model 'replay:run' cannot honor it"),
        ({"models.temperature": 0.5, "model": "inbox:mail"}, "models.temperature: given 0.5 (as a keyword argument)"),
        ({"loop.repair": "solver"}, "loop.repair: unknown setting"),
        ({"validation.heuristics": "ask"}, "'default'"),
    ],
)
def test_what_cannot_be_honoured_is_an_error(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config_of(open_studio("sketch"), {}, more=settings)
    assert words in str(caught.value)


def test_what_cannot_be_honoured_is_an_error_from_the_environment_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_MODELS__MAX_TOKENS", "100")
    with pytest.raises(ConfigError, match=r"models\.max_tokens: given 100 \(environment variable REDRAFT_MODELS"):
        config_of(open_studio("sketch"), {})


def test_what_can_be_honoured_is_taken() -> None:
    config_of(open_studio("sketch"), {}, more={"model": "inbox:mail", "models.sees": False})
    config_of(
        open_studio("sketch"), {}, more={"model": "openai-compatible:x", "models.base_url": "http://127.0.0.1:9/v1"}
    )


def test_a_cap_that_was_reached_can_be_raised(tmp_path: Path) -> None:
    config = config_of(open_studio("sketch"), {}, more={"budget.calls": 1})
    first = api.run("sketch", "a house", config=config, model=ScriptedModel(["no"]), out=tmp_path / "run")
    assert first.error is not None
    assert "resume the run with a higher --max-calls" in str(first.error["message"])
    second = api.resume(tmp_path / "run", model=ScriptedModel([HOUSE]), caps={"calls": 2})
    assert (second.valid, second.error, second.usage.calls) == (True, None, 2)
    with pytest.raises(ConfigError, match=r"budget\.calls: .*given 0"):
        api.resume(tmp_path / "run", model=ScriptedModel([]), caps={"calls": 0})
