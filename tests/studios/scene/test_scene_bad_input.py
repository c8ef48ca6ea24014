"""Bad input through the whole program, on a real Blender: each kind has its class and a message that a model or a user
can act on, the run goes on, and nothing is left behind. What scripts do to their worker is in `inside/`."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from picture_files import encoded, photograph
from PIL import Image
from real_parts import needs
from scene_replies import APPLE, reply_of

import redraft
from redraft.cli.outcome import exit_code
from redraft.errors import BriefError, RedraftError, RunError, RunFormatError, RunNotFoundError
from redraft.models.scripted import ScriptedModel
from redraft.record.events import EffectStarted
from redraft.record.journal import EVENTS_FILE, read_events
from redraft.record.transcript import Record
from redraft.result import Result
from redraft.sandbox.processes import tree_of

pytestmark = [pytest.mark.real, pytest.mark.timeout(600), pytest.mark.timed]

SETTINGS = {
    "loop.iterations": 1,
    "loop.repairs": 0,
    "loop.fixes": 10,
    "studios.scene.width": 96,
    "studios.scene.height": 72,
    "studios.scene.samples": 1,
    "studios.scene.limit": 4.0,
    "memory": "none",
}
SPIN = "import bpy\nwhile True:\n    pass\n"


@pytest.fixture(autouse=True)
def blender_is_here() -> None:
    needs("blender")


def made(
    folder: Path, replies: Sequence[str], *, target: Path | None = None, on: Path | None = None, **more: object
) -> tuple[ScriptedModel, Result]:
    model = ScriptedModel(replies)
    config = {**SETTINGS, **{name.replace("__", "."): value for name, value in more.items()}}
    result = redraft.scene("an apple on the ground", model=model, target=target, on=on, out=folder, config=config)  # type: ignore[arg-type]
    return model, result


# What a run is started with


TARGETS = {
    "corrupt": (b"\x89PNG\r\n\x1a\n" + b"\0" * 99, "is a damaged PNG picture"),
    "cut off": (encoded(photograph(), "PNG")[:-3000], "damaged|cut"),
    "text": (b"a lake\n", "is a text file. Give a picture as PNG"),
    "empty": (b"", "is empty"),
    "one pixel": (encoded(np.zeros((1, 1, 3), np.uint8), "PNG"), "1 × 1 pixels: too small to work toward"),
    "wide": (encoded(np.zeros((10, 5000, 3), np.uint8), "PNG"), "longer than 32 to 1"),
    "tall": (encoded(np.zeros((5000, 10, 3), np.uint8), "PNG"), "longer than 32 to 1"),
}


@pytest.mark.parametrize("name", TARGETS)
def test_targets_that_are_no_use_are_refused_before_a_run_whatever_its_size(tmp_path: Path, name: str) -> None:
    raw, said = TARGETS[name]
    (tmp_path / "target.png").write_bytes(raw)
    with pytest.raises(BriefError, match=rf"target\.png .*(?:{said})"):
        made(tmp_path / "run", [], target=tmp_path / "target.png")
    assert not (tmp_path / "run").exists()


def test_a_target_that_is_not_there_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(BriefError, match="is missing"):
        made(tmp_path / "run", [], target=tmp_path / "none.png")
    with pytest.raises(BriefError, match="is a folder"):
        made(tmp_path / "run", [], target=tmp_path)
    assert not (tmp_path / "run").exists()


def animated() -> bytes:
    first, second = Image.fromarray(photograph()), Image.fromarray(photograph()[::-1])
    return encoded(first, "GIF", save_all=True, append_images=[second], duration=100)


def with_alpha() -> bytes:
    return encoded(np.dstack([photograph(), np.full((60, 90), 99, np.uint8)]), "PNG")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (animated(), "first"),
        (with_alpha(), "white"),
        (encoded(Image.fromarray(photograph()).convert("CMYK"), "JPEG"), ""),
    ],
    ids=["animated", "alpha", "cmyk"],
)
def test_targets_of_odd_kinds_are_scored_and_what_was_done_to_them_is_said(
    tmp_path: Path, raw: bytes, said: str
) -> None:
    (tmp_path / "target").write_bytes(raw)
    _, result = made(tmp_path / "run", [reply_of()], target=tmp_path / "target")
    assert result.error is None
    assert 0.0 < (result.iterations[0].score or 0.0) <= 1.0
    about = Record.load(tmp_path / "run").transcript.notes["target"]
    assert isinstance(about, dict)
    assert (about["width"], about["height"]) == (90, 60)
    assert said in str(about["notes"])


def a_folder(path: Path) -> None:
    path.mkdir()


def a_sketch(path: Path) -> None:
    path.mkdir()
    (path / "drawing.json").write_text("{}")


def another_json(path: Path) -> None:
    path.mkdir()
    (path / "scene.json").write_text('{"code": 3}')


def torn_json(path: Path) -> None:
    path.mkdir()
    (path / "scene.json").write_text('{"code": "import')


@pytest.mark.parametrize(
    ("prepare", "kind", "said"),
    [
        (a_folder, RunNotFoundError, "Give the folder of a run of redraft scene that has delivered one"),
        (a_sketch, RunNotFoundError, "has no scene to continue from"),
        (another_json, RunFormatError, r"scene\.json is not a scene of a run \(code: .*it was changed"),
        (torn_json, RunFormatError, r"scene\.json is not a scene of a run"),
    ],
)
def test_what_cannot_be_gone_on_from(
    prepare: Callable[[Path], None], kind: type[RedraftError], said: str, tmp_path: Path
) -> None:
    prepare(tmp_path / "old")
    with pytest.raises(kind, match=said):
        made(tmp_path / "run", [], on=tmp_path / "old")
    assert not (tmp_path / "run").exists()


def test_a_folder_with_something_in_it(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "notes.txt").write_text("mine")
    with pytest.raises(RunError, match=r"is not empty\. Choose another --out"):
        made(tmp_path / "run", [])


# What a model replies


WRONG = {
    "prose": ("First a table, then an apple.", "E2: The reply holds no Blender script"),
    "two scripts": (reply_of() + reply_of(APPLE.replace("0.2", "0.3")), "E2: The reply holds 2 different Blender"),
    "3,001 lines": (reply_of(APPLE + "\nx = 1" * 3001), "E2: The script has 3,040 lines"),
    "no import": (reply_of("print(1)\n"), "E2: The block is not a whole Blender script"),
    "a window": (reply_of("import bpy\nprint(bpy.context.area.width + 1)\n"), "E1: AttributeError: 'NoneType'"),
    "a file": (reply_of("import bpy\nopen('/etc/shadow').read()\n"), "E1: (FileNotFound|Permission)Error"),
    "sys.exit": (reply_of("import bpy, sys\nsys.exit(3)\n"), "E1: .*(3|exit)"),
    "no end": (reply_of(SPIN), "E1: It ran longer than 4 s and was stopped"),
    "abort": (reply_of("import bpy, os\nos.abort()\n"), "E1: .*crashed Blender"),
}
"""Replies that are no use, and how the record sums up what was said of them."""


@pytest.mark.slow
def test_a_model_that_gets_everything_wrong_before_it_gets_it_right(tmp_path: Path) -> None:
    model, result = made(tmp_path / "run", [*(reply for reply, _ in WRONG.values()), reply_of()])
    assert exit_code(result) == 0
    (record,) = result.iterations
    assert record.retry_count == len(WRONG)
    for error, (name, (_, said)) in zip(record.errors, WRONG.items(), strict=True):
        assert re.match(said, error), name
    assert all(request.kind == "scene.fix" for request in model.requests[1:])
    assert "/site-packages/" not in (tmp_path / "run" / EVENTS_FILE).read_text()


@pytest.mark.slow
def test_a_run_without_protection_says_so_in_its_record(tmp_path: Path) -> None:
    _, result = made(tmp_path / "run", ["prose"], loop__fixes=0, studios__scene__sandbox="none")
    run = Record.load(tmp_path / "run").transcript
    assert isinstance(run.notes["protection"], dict)
    assert run.notes["protection"]["level"] == "worker"
    assert result.warnings == run.warnings
    assert [warning[:43] for warning in run.warnings] == ["A model's scripts can reach the files and t"]
    assert "without protection" in (tmp_path / "run" / "report.html").read_text()


@pytest.mark.slow
def test_where_bubblewrap_is_missing_landlock_is_used_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("landlock")
    monkeypatch.setenv("PATH", str(tmp_path))
    _, result = made(tmp_path / "run", ["prose"], loop__fixes=0)
    note = Record.load(tmp_path / "run").transcript.notes["protection"]
    assert isinstance(note, dict)
    assert note["level"] == "landlock"
    assert result.warnings == ()


# What is stopped from outside


def started(folder: Path, inbox: Path) -> subprocess.Popen[str]:
    (folder / "tmp").mkdir()
    environment = {**os.environ, "TMPDIR": str(folder / "tmp"), "REDRAFT_STUDIOS__SCENE__LIMIT": "300"}
    options = ["--model", f"inbox:{inbox}", "--no-critic", "--size", "96x72", "--samples", "1", "--memory", "none"]
    return subprocess.Popen(
        [sys.executable, "-m", "redraft", "scene", "an apple", *options, "--out", str(folder / "run")],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 100.0
    while not true():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


def lives(pid: int) -> bool:
    """Whether a process is there, and is not one that has ended and that nobody has asked about yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def under_way(run: Path, word: str) -> bool:
    if not (run / EVENTS_FILE).exists():
        return False
    return any(isinstance(each, EffectStarted) and word in each.key for each in read_events(run))


def answered(inbox: Path, text: str) -> None:
    wait_until((inbox / "0001.request.md").exists)
    (inbox / "0001.tmp").write_text(text)
    (inbox / "0001.tmp").rename(inbox / "0001.reply.md")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "word", "number"),
    [("", "draft", signal.SIGINT), (SPIN, "execute", signal.SIGINT), (SPIN, "execute", signal.SIGTERM)],
    ids=["the model's answer", "the script", "the script, SIGTERM"],
)
def test_stopped_in_the_middle_of(code: str, word: str, number: int, tmp_path: Path) -> None:
    inbox, run = tmp_path / "inbox", tmp_path / "run"
    with started(tmp_path, inbox) as process:
        wait_until((inbox / "0001.request.md").exists)
        if code:
            answered(inbox, reply_of(code))
        wait_until(lambda: under_way(run, word))
        time.sleep(1.0)
        family = set(tree_of(process.pid)) - {process.pid}
        process.send_signal(number)
        output, _ = process.communicate(timeout=120)
    assert process.returncode == 130, output
    assert f"redraft resume {run}" in output
    assert "Traceback" not in output
    assert family
    wait_until(lambda: not any(map(lives, family)))
    assert list((tmp_path / "tmp").iterdir()) == []
    assert (run / "report.html").is_file()
    error = Record.load(run).transcript.error
    assert error is not None
    assert error["message"] == "interrupted"
    assert word in str(error["step"])


@pytest.mark.slow
def test_killed_no_process_of_it_lives_on_and_the_run_can_be_resumed(tmp_path: Path) -> None:
    inbox, run = tmp_path / "inbox", tmp_path / "run"
    with started(tmp_path, inbox) as process:
        answered(inbox, reply_of(SPIN))
        wait_until(lambda: under_way(run, "execute"))
        family = set(tree_of(process.pid)) - {process.pid}
        process.kill()
    wait_until(lambda: not any(map(lives, family)))
    assert Record.load(run).transcript.steps[0].response == reply_of(SPIN)
