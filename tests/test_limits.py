"""Every file that redraft reads: one beyond its limit, a pipe, a device and a folder end in words, soon, in little
memory.

Replies of servers are in `models/test_models_limits.py` and `imaging/test_imaging_limits.py`.
"""

from __future__ import annotations

import os
import re
import resource
import shlex
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import pytest
from typer.testing import CliRunner

from redraft import limits
from redraft.cli.program import program
from redraft.limits import Limit

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Entrance:
    """One file that a command reads."""

    limit: Limit
    command: str
    """`FILE` stands for the file, `DIR` for its folder."""
    name: str = "given"
    """The file's name in its folder."""
    folder: bool = True
    """Whether a folder in the file's place is an error of its own."""


ENTRANCES = {
    "settings": Entrance(limits.SETTINGS, "sketch house --config FILE"),
    "settings to check": Entrance(limits.SETTINGS, "config check FILE"),
    "taste profile": Entrance(limits.SOURCE, "sketch house --ideas 2 --profile FILE"),
    "target": Entrance(limits.PICTURE, "shader --target FILE"),
    "reference": Entrance(limits.SOURCE, "shader waves --reference FILE"),
    "concepts": Entrance(limits.SOURCE, "image --concepts-file FILE"),
    "workflow": Entrance(limits.WORKFLOW, "image lighthouse --backend comfyui:FILE"),
    "board": Entrance(limits.BOARD, "board FILE 'put C1 right of U1'"),
    "board to look at": Entrance(limits.BOARD, "board compass FILE"),
    "briefs": Entrance(limits.BRIEFS, "batch FILE"),
    "table of briefs": Entrance(limits.BRIEFS, "batch FILE", "briefs.csv"),
    "recording": Entrance(limits.RECORDING, "sketch house --model replay:FILE", "replies.jsonl", folder=False),
    "journal to resume": Entrance(limits.JOURNAL, "resume DIR", "events.jsonl"),
    "journal to report": Entrance(limits.JOURNAL, "report DIR", "events.jsonl"),
    "journal to choose from": Entrance(limits.JOURNAL, "choose DIR 2", "events.jsonl"),
    "drawing": Entrance(limits.RECORD, "sketch 'a red roof' --on DIR", "drawing.json"),
    "shader": Entrance(limits.RECORD, "shader slower --on DIR", "shader.json"),
    "prompt": Entrance(limits.RECORD, "image darker --on DIR", "image.json"),
    "fixes to import": Entrance(limits.BRIEFS, "memory import FILE"),
}


@pytest.fixture(autouse=True)
def bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Half a minute and one gigabyte more than there is now: beyond them a test fails instead of the machine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_MEMORY", "sqlite:" + str(tmp_path / "memory.sqlite"))

    def late(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError("still reading after 30 seconds")

    before, old = signal.signal(signal.SIGALRM, late), resource.getrlimit(resource.RLIMIT_AS)
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + (1 << 30), old[1]))
    signal.alarm(30)
    try:
        yield
    finally:
        signal.alarm(0)
        resource.setrlimit(resource.RLIMIT_AS, old)
        signal.signal(signal.SIGALRM, before)


def beyond(path: Path, limit: Limit) -> None:
    """A byte more than is read; it takes no room on the disk."""
    with path.open("wb") as file:
        file.truncate(limit.size + 1)


HAZARDS: dict[str, tuple[Callable[[Path, Limit], None], str]] = {
    "too large": (beyond, r"at most|no more than|is read|are read|more than"),
    "pipe": (lambda path, _: os.mkfifo(path), r"not a (regular )?file|pipe"),
    "device": (lambda path, _: path.symlink_to("/dev/zero"), r"not a (regular )?file|device|is a link"),
    "folder": (lambda path, _: path.mkdir(), "."),
}


def run(entrance: Entrance, file: Path) -> tuple[int, str]:
    """Exit code and errors of the command."""
    words = [word.replace("FILE", str(file)).replace("DIR", str(file.parent)) for word in shlex.split(entrance.command)]
    done = CliRunner().invoke(program, words)
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    return done.exit_code, done.stderr


@pytest.mark.parametrize("hazard", HAZARDS)
@pytest.mark.parametrize("entrance", ENTRANCES)
def test_a_file_that_cannot_be_read_whole_ends_in_words(tmp_path: Path, entrance: str, hazard: str) -> None:
    read, (place, words) = ENTRANCES[entrance], HAZARDS[hazard]
    if hazard == "folder" and not read.folder:
        pytest.skip("a folder of a run is one of its forms")
    file = tmp_path / "folder" / read.name
    file.parent.mkdir()
    place(file, read.limit)
    code, errors = run(read, file)
    assert code == 2
    assert errors.startswith("error: "), errors
    assert file.name in errors or str(file.parent) in errors or str(file.resolve()) in errors
    assert re.search(words, errors.replace("\n", " ")), errors
    assert len(errors) < 800


def test_a_file_that_has_more_than_it_says_is_read_up_to_the_limit(tmp_path: Path) -> None:
    (tmp_path / "settings").symlink_to("/proc/self/pagemap")  # its size is 0, and it has gigabytes
    code, errors = run(ENTRANCES["settings to check"], tmp_path / "settings")
    assert code == 2
    assert "it grows, and a settings file may have at most 1 MB" in errors


@pytest.mark.parametrize(
    "text", ["[" * 1_000_000, '{"a":' * 100_000, "9" * 100_000, '{"studio": NaN}', '"\\ud800', "[1e999999999]"]
)
@pytest.mark.parametrize("entrance", ["briefs", "recording", "workflow", "taste profile", "drawing", "shader"])
def test_json_that_would_overflow_a_parser_ends_in_words(tmp_path: Path, entrance: str, text: str) -> None:
    read = ENTRANCES[entrance]
    file = tmp_path / {"taste profile": "taste.json"}.get(entrance, read.name)
    file.write_text(text)
    code, errors = run(read, file)
    assert code == 2 or (code == 1 and entrance == "briefs")
    assert "Internal error" not in errors
    assert len(errors) < 3_000


def test_every_limit_says_what_it_limits_and_what_to_do() -> None:
    table = [value for value in vars(limits).values() if isinstance(value, Limit)]
    assert len({limit.what for limit in table}) == len(table) >= 20
    for limit in table:
        assert re.match(r"(an?|the) ", limit.what)
        assert limit.fix.endswith(".")
        assert 0 < limit.size <= 512 << 20
