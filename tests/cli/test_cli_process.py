"""The command line as a process of its own: how fast it starts, and how it ends when its pipes do."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from run_writer import RunWriter, full_run
from typer.testing import CliRunner

from redraft.cli.program import program as redraft

pytestmark = [pytest.mark.slow, pytest.mark.timed]

HEAVY = ("pydantic", "rich", "jinja2", "yaml", "anyio", "shapely", "ortools", "numpy", "resvg_py", "pydantic_ai")

MAIN = "from redraft.cli import main; main()"

PLAY = """
import sys
from pathlib import Path
import pytest
from fake_app import FakeApp, install
from redraft.cli import main
install(FakeApp(), pytest.MonkeyPatch())
main()
"""
"""The command line over a stand-in for the app."""


def start(*arguments: str, program: str = MAIN, **options: object) -> subprocess.Popen[bytes]:
    helpers = str(Path(__file__).parent.parent / "helpers")
    environment = {**os.environ, "PYTHONPATH": helpers, "COLUMNS": "80"}
    return subprocess.Popen([sys.executable, "-c", program, *arguments], env=environment, **options)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (("sketch", "a cat"), "pip install 'redraft[sketch]'"),
        (("board", "place", "b.kicad_pcb", "put C1 right of U1"), "pip install 'redraft[board]'"),
        (("board", "compass", "b.kicad_pcb"), "pip install 'redraft[board]'"),
    ],
)
def test_the_package_alone_says_which_extra_is_missing(arguments: tuple[str, ...], wanted: str, tmp_path: Path) -> None:
    bare = "import sys\nfor name in ('numpy', 'shapely', 'ortools'):\n    sys.modules[name] = None\n"
    (tmp_path / "b.kicad_pcb").write_text("(kicad_pcb)")
    process = start(*arguments, program=bare + MAIN, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path)
    said = process.communicate(timeout=60)[1].decode()
    assert process.returncode == 2, said
    assert wanted in " ".join(said.split())
    assert "Traceback" not in said


STUDIO_HELPS = (
    "sketch --help",
    "scene --help",
    "shader --help",
    "image --help",
    "board --help",
    "board live --help",
    "run sketch --help",
)


@pytest.mark.parametrize(
    ("arguments", "by_typer"),
    [
        (["--help"], []),
        (["--version"], []),
        (["config", "--help"], ["pydantic"]),
        *((command.split(), ["pydantic"]) for command in STUDIO_HELPS),
    ],
)
def test_help_loads_nothing_heavy(arguments: list[str], by_typer: list[str]) -> None:
    """Typer itself loads pydantic as soon as it reads the root's options for a command under it."""
    program = (
        "import sys\nfrom redraft.cli import main\n"
        f"try:\n    main()\nexcept SystemExit:\n    print([m for m in {HEAVY} if m in sys.modules])"
    )
    process = start(*arguments, program=program, stdout=subprocess.PIPE)
    out, _ = process.communicate(timeout=60)
    assert out.decode().splitlines()[-1] == str(by_typer)


def test_help_is_instant() -> None:
    """In processor time, which other processes cost little of; the first start writes the byte code."""
    took: list[float] = []
    for _ in range(5):
        process = start("--help", stdout=subprocess.DEVNULL)
        _, status, spent = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        took.append(spent.ru_utime + spent.ru_stime)
    assert min(took) < 0.3


def read_by_nobody(*arguments: str, program: str = MAIN) -> tuple[int, bytes]:
    """Exit code and standard error of a process whose standard output is a pipe without a reader."""
    reader, writer = os.pipe()
    os.close(reader)
    process = start(*arguments, program=program, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


def test_a_pipe_that_nobody_reads_is_quiet() -> None:
    assert read_by_nobody("config", "show")[1] == b""


def test_a_run_goes_on_when_nobody_reads_it(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert read_by_nobody("sketch", "a cat", "--out", str(out), program=PLAY) == (0, b"")
    assert '"event":"run_finished"' in (out / "events.jsonl").read_text("utf-8")


def test_an_encoding_without_the_letters_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    process = start("sketch", "a cat", "--out", str(tmp_path / "run"), program=PLAY, stdout=subprocess.PIPE)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "not measured: \\u201cin a wistful mood\\u201d" in out.decode("ascii")


def test_on_a_terminal_there_is_colour_and_no_rest_of_the_status_line(tmp_path: Path) -> None:
    shown = on_a_terminal(tmp_path / "run")
    assert "\x1b[36m[CANDIDATE 0] [ITERATION 0]\x1b[0m Validation score: 0.40" in shown
    assert "\x1b[31m[ERROR]\x1b[0m overlap" in shown
    assert "\x1b[32mValidation PASSED\x1b[0m" in shown
    rest = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    assert "is drafting (" not in rest  # lines of a plain output, which a terminal does not get


def test_no_color_is_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in on_a_terminal(tmp_path / "run")


def on_a_terminal(out: Path) -> str:
    """What a run writes to a terminal of 80 columns."""
    reader, writer = pty.openpty()
    os.environ.setdefault("TERM", "xterm-256color")
    process = start("sketch", "a cat", "--out", str(out), program=PLAY, stdout=writer, stderr=writer)
    os.close(writer)
    shown = b""
    while True:
        try:
            data = os.read(reader, 65536)
        except OSError:  # Linux says EIO when the other side is closed
            break
        if not data:
            break
        shown += data
    os.close(reader)
    assert process.wait(timeout=60) == 0
    return shown.decode()


def test_report_of_a_run_from_elsewhere(tmp_path: Path) -> None:
    writer = RunWriter(tmp_path / "run")
    with writer.journal:
        full_run(writer)
    process = start("report", ".", cwd=writer.folder, stdout=subprocess.PIPE)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert Path(out.decode().strip()).name == "report.html"


def test_a_fault_of_redraft_is_said_in_words(tmp_path: Path) -> None:
    broken = "from redraft.studios.sketch.offline.answers import ANSWERS\n"
    broken += "ANSWERS['sketch.draft'] = lambda request: str(1 // 0)\n"
    process = start(
        "sketch", "a cat", program=broken + MAIN, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    )
    said = " ".join(process.communicate(timeout=60)[1].decode().split())
    assert process.returncode == 4, said
    assert "Internal error in redraft: ZeroDivisionError: integer division or modulo by zero (in <string>, line" in said
    assert "Traceback" not in said


def completed(words: str) -> list[str]:
    """What the shell would offer for the last word."""
    asked = {"_REDRAFT_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    ran = subprocess.run(
        [sys.executable, "-m", "redraft"], env={**os.environ, **asked}, capture_output=True, text=True, check=False
    )
    assert ran.stderr == ""
    return ran.stdout.split()


def test_the_shell_completes_commands_and_options() -> None:
    assert completed("redraft sk") == ["sketch", "skills"]
    assert completed("redraft config ") == ["check", "show", "set"]
    assert completed("redraft sketch --cand") == ["--candidates"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_of_a_shell_is_shown(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    shown = CliRunner().invoke(redraft, ["--show-completion", shell], prog_name="redraft")
    assert "_REDRAFT_COMPLETE=complete_" + shell in shown.stdout


def in_its_own_session() -> None:
    """Make the terminal of standard input the one that Ctrl-C comes from."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_a_server_on_a_terminal_says_that_it_waits_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    terminal, inside = pty.openpty()
    process = start(
        *("mcp", "."),
        stdin=inside,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        start_new_session=True,
        preexec_fn=in_its_own_session,
    )
    os.close(inside)
    assert process.stderr is not None
    line = process.stderr.readline().decode()
    assert line.startswith("redraft: waiting for an MCP client on standard input; Ctrl-C stops it.")
    time.sleep(1.0)  # until it reads
    os.write(terminal, b"\x03")
    out, err = process.communicate(timeout=20)
    os.close(terminal)
    assert (process.returncode, out, err) == (0, b"", b"")
