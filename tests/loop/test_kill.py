"""A run that is killed in the middle loses nothing and goes on; so does one that is stopped with Ctrl-C."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from drawings import HOUSE, as_reply, house

from redraft.record.transcript import Record

REDRAFT = [sys.executable, "-m", "redraft"]
pytestmark = [
    pytest.mark.timed,
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems"),
]


def start(*arguments: str | Path, before: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*before, *REDRAFT, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def wait_for(path: Path, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < end, f"{path.name} never came"
        time.sleep(0.05)


def answer(inbox: Path, number: int, text: str) -> None:
    """Put a reply in place as the inbox asks for it: written aside, then renamed."""
    wait_for(inbox / f"{number:04d}.request.md")
    aside = inbox / f"{number:04d}.tmp"
    aside.write_text(text)
    aside.rename(inbox / f"{number:04d}.reply.md")


def test_kill_dash_nine_then_resume(tmp_path: Path) -> None:
    inbox, run = tmp_path / "inbox", tmp_path / "run"
    with start("sketch", "a house", "--model", f"inbox:{inbox}", "--no-critic", "--out", run) as process:
        answer(inbox, 1, "I would rather talk about it.")
        wait_for(inbox / "0002.request.md")
        process.kill()
    with start("resume", run) as again:
        answer(inbox, 2, HOUSE)
        output, _ = again.communicate(timeout=60)
    assert again.returncode == 0, output
    steps = Record.load(run).transcript.steps
    assert [step.path for step in steps] == ["iteration-1/draft", "iteration-1/draft/fix-1"]
    assert not (inbox / "0003.request.md").exists()
    assert (run / "drawing.svg").exists()


def test_ctrl_c_keeps_what_was_made_and_says_how_to_go_on(tmp_path: Path) -> None:
    inbox, run = tmp_path / "inbox", tmp_path / "run"
    options = ("--no-critic", "--out", run)
    with start("sketch", "two houses", "--model", f"inbox:{inbox}", *options) as process:
        two = {"kind": "count", "quote": "two houses", "parts": ["house*"], "number": 2}
        answer(inbox, 1, as_reply({**house(), "requirements": [two]}))
        wait_for(inbox / "0002.request.md")  # one house is not two: a repair is asked for
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"redraft resume {run}" in output.replace("\n", " ").replace("  ", " ")
    assert "Traceback" not in output
    assert (run / "drawing.svg").exists()
    assert (run / "report.html").exists()


def test_a_run_begun_in_the_background_by_a_script_stops_when_it_is_asked_to(tmp_path: Path) -> None:
    """A shell that has no jobs lets what it begins with & ignore Ctrl-C; a request to end is none."""
    inbox, run = tmp_path / "inbox", tmp_path / "run"
    deaf = ("sh", "-c", 'trap "" INT; exec "$@"', "sh")
    with start("sketch", "a house", "--model", f"inbox:{inbox}", "--out", run, before=deaf) as process:
        wait_for(inbox / "0001.request.md")
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in output
    assert (run / "transcript.json").exists()


def test_a_second_signal_while_a_run_stops_adds_nothing_to_the_one_line(tmp_path: Path) -> None:
    inbox, run = tmp_path / "inbox", tmp_path / "run"
    with start("sketch", "a house", "--model", f"inbox:{inbox}", "--out", run) as process:
        wait_for(inbox / "0001.request.md")
        process.kill()
    for gap in (0.0, 0.0, 0.005, 0.01, 0.02):
        for number in (signal.SIGINT, signal.SIGTERM):
            (inbox / ".0001.lock").unlink(missing_ok=True)
            with start("resume", run) as process:
                wait_for(inbox / ".0001.lock")
                time.sleep(0.3)
                process.send_signal(number)
                time.sleep(gap)
                process.send_signal(number)
                output, _ = process.communicate(timeout=60)
            assert "Traceback" not in output
            assert "exception" not in output
            assert output.count("error:") == (process.returncode == 130)
