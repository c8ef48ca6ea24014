"""The whole program as a person uses it: a run through an inbox, stopped in the middle, and gone on with."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

MAIN = "from redraft.cli import main; main()"
DRAFT = {
    "approach": "One round thing in the middle",
    "plan": [{"name": "ball", "label": "ball", "parent": None}],
    "strokes": [{"part": "ball", "kind": "ellipse", "cx": 0.5, "cy": 0.5, "rx": 0.2, "ry": 0.2, "fill": "#c8553d"}],
}

pytestmark = [pytest.mark.slow, pytest.mark.timed]


def redraft(*arguments: str, folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", MAIN, *arguments]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while not path.exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)


def reply(mail: Path, text: str) -> None:
    (mail / "draft.tmp").write_text(text, "utf-8")
    (mail / "draft.tmp").rename(mail / "0001.reply.md")


def test_stopped_and_gone_on_with(tmp_path: Path) -> None:
    first = redraft("sketch", "a ball", "--model", "inbox:mail", "--no-critic", "--out", "run", folder=tmp_path)
    wait_for(tmp_path / "mail" / "0001.request.md", first)
    time.sleep(0.3)
    first.send_signal(signal.SIGINT)
    out, errors = first.communicate(timeout=60)
    assert first.returncode == 130
    assert "waiting for mail/0001.reply.md" in out
    assert errors == "error: stopped. All finished work is kept; continue with: redraft resume run\n"
    page = (tmp_path / "run" / "report.html").read_text("utf-8")
    assert "redraft resume ." in page

    second = redraft("resume", "run", "--json", folder=tmp_path)
    reply(tmp_path / "mail", f"```json\n{json.dumps(DRAFT)}\n```\n")
    out, errors = second.communicate(timeout=60)
    assert second.returncode == 0, errors
    answer = json.loads(out)
    assert (answer["valid"], answer["calls"], answer["error"]) == (True, 1, None)
    assert Path(tmp_path, answer["files"]["svg"]).read_text("utf-8").count("#c8553d") == 1
    assert list((tmp_path / "mail").glob("*.request.md")) == [tmp_path / "mail" / "0001.request.md"]


def test_offline_draws_and_undo_takes_back(tmp_path: Path) -> None:
    first = redraft("sketch", "a red house", "--out", "one", "--json", folder=tmp_path)
    out, errors = first.communicate(timeout=60)
    assert first.returncode == 0, errors
    assert json.loads(out)["valid"] is True
    second = redraft("sketch", "add a tree to the left of it", "--on", "one", "--out", "two", "-q", folder=tmp_path)
    out, errors = second.communicate(timeout=60)
    assert second.returncode == 0, errors
    assert out == "two/drawing.svg\n"
    back = redraft("undo", "two", "--out", "back", "--json", folder=tmp_path)
    out, errors = back.communicate(timeout=60)
    assert back.returncode == 0, errors
    assert (tmp_path / "back" / "drawing.svg").read_bytes() == (tmp_path / "one" / "drawing.svg").read_bytes()


def test_wrong_settings_stop_before_anything_is_written(tmp_path: Path) -> None:
    process = redraft("sketch", "a cat", "--heuristics", "ask", "--out", "run", folder=tmp_path)
    out, errors = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert "validation.heuristics" in errors
    assert "'ask'" in errors
    assert "Traceback" not in errors
    assert not (tmp_path / "run").exists()
