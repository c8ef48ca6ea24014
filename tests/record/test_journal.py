"""The journal: effects happen once, events are written whole, seeds depend on seed and path alone."""

from __future__ import annotations

import resource
import subprocess
import sys
import textwrap
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from redraft.errors import (
    ExecutionError,
    FormatError,
    ResumeDivergedError,
    RunFormatError,
    RunLockedError,
    RunNotFoundError,
    RunStoppedError,
)
from redraft.record.events import EffectFinished, Event, Noted
from redraft.record.journal import EVENTS_FILE, STOP_FILE, Journal, derive_seed, is_written, read_events, read_first
from redraft.record.repeats import SHARED_FROM
from redraft.view.follow import Followed

NUMBER = TypeAdapter(int)
pytestmark = pytest.mark.anyio


def clock() -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC)


def journal(folder: Path, seen: list[Event] | None = None) -> Journal:
    return Journal(folder, clock=clock, observer=None if seen is None else seen.append)


class Counter:
    """An effect that counts how often it happened."""

    def __init__(self, error: Exception | None = None) -> None:
        self.times = 0
        self.error = error

    async def __call__(self) -> int:
        self.times += 1
        if self.error is not None:
            raise self.error
        return 40 + self.times


async def test_an_effect_happens_once(tmp_path: Path) -> None:
    effect = Counter()
    with journal(tmp_path) as first:
        assert await first.once("a/b", {"x": 1}, effect, NUMBER) == 41
        assert await first.once("a/b", {"x": 1}, effect, NUMBER) == 41
    with journal(tmp_path) as second:
        assert await second.once("a/b", {"x": 1}, effect, NUMBER) == 41
    assert effect.times == 1


async def test_other_inputs_at_the_same_key_diverge(tmp_path: Path) -> None:
    with journal(tmp_path) as first:
        await first.once("a", {"x": 1}, Counter(), NUMBER)
        with pytest.raises(ResumeDivergedError, match="'a' was done with other inputs"):
            await first.once("a", {"x": 2}, Counter(), NUMBER)


@pytest.mark.parametrize("error", [FormatError("stroke 3: no colour"), ExecutionError("line 2: NameError")])
async def test_a_failed_attempt_is_a_result(tmp_path: Path, error: Exception) -> None:
    effect = Counter(error)
    with journal(tmp_path) as first, pytest.raises(type(error), match=str(error)):
        await first.once("a", None, effect, NUMBER)
    with journal(tmp_path) as second, pytest.raises(type(error), match=str(error)):
        await second.once("a", None, effect, NUMBER)
    assert effect.times == 1


async def test_what_was_under_way_is_done_again(tmp_path: Path) -> None:
    broken = Counter(ConnectionError("gone"))
    with journal(tmp_path) as first, pytest.raises(ConnectionError):
        await first.once("a", None, broken, NUMBER)
    effect = Counter()
    with journal(tmp_path) as second:
        assert await second.once("a", None, effect, NUMBER) == 41
    assert (broken.times, effect.times) == (1, 1)


async def test_the_inputs_are_on_disk_before_the_effect(tmp_path: Path) -> None:
    async def effect() -> int:
        assert [e.event for e in read_events(tmp_path)] == ["effect_started"]
        return 1

    with journal(tmp_path) as first:
        await first.once("a", {"prompt": "hello"}, effect, NUMBER)


@pytest.mark.parametrize("cut", [1, 5, 40])
async def test_a_torn_last_line_is_dropped(tmp_path: Path, cut: int) -> None:
    effect = Counter()
    with journal(tmp_path) as first:
        await first.once("a", None, effect, NUMBER)
        await first.once("b", None, effect, NUMBER)
    path = tmp_path / EVENTS_FILE
    path.write_bytes(path.read_bytes()[:-cut])
    with journal(tmp_path) as second:
        assert await second.once("a", None, effect, NUMBER) == 41
        assert await second.once("b", None, effect, NUMBER) == 43
    finished = [e.key for e in read_events(tmp_path) if isinstance(e, EffectFinished)]
    assert finished == ["a", "b"]


async def test_a_damaged_line_in_the_middle_is_named(tmp_path: Path) -> None:
    with journal(tmp_path) as first:
        for key in "abc":
            await first.once(key, None, Counter(), NUMBER)
    path = tmp_path / EVENTS_FILE
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b'{"event": "surprise"}\n', *lines[2:]]))
    with pytest.raises(RunFormatError, match="line 3"):
        read_events(tmp_path)


def test_no_run_there(tmp_path: Path) -> None:
    with pytest.raises(RunNotFoundError, match="is not a run"):
        read_events(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x")
    with pytest.raises(RunNotFoundError, match="is not a run"):
        read_events(tmp_path / "file")


def test_two_writers_are_kept_apart(tmp_path: Path) -> None:
    with (
        journal(tmp_path),
        pytest.raises(RunLockedError, match="is being written by another redraft"),
        journal(tmp_path),
    ):
        pass
    with journal(tmp_path):
        pass


def test_a_note_is_written_once_and_shown_again(tmp_path: Path) -> None:
    seen: list[Event] = []
    note = Noted(key="run", at=clock(), topic="t", data=1)
    with journal(tmp_path, seen) as first:
        first.note(note)
    with journal(tmp_path, seen) as second:
        second.note(note)
        with pytest.raises(ResumeDivergedError):
            second.note(note.model_copy(update={"data": 2}))
    assert seen == [note, note]
    assert len(read_events(tmp_path)) == 1


WRITER = """
    import resource, sys
    from datetime import UTC, datetime
    from pathlib import Path
    from redraft.errors import RunError
    from redraft.record.events import Noted
    from redraft.record.journal import Journal

    resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
    with Journal(Path(sys.argv[1])) as journal:
        try:
            for n in range(10_000):
                journal.write(Noted(key=f"note-{{n}}", at=datetime.now(UTC), topic="t", data="x" * 100))
        except RunError as error:
            print(error)
            sys.exit(3)
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="no limit on file sizes on this system")
def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path) -> None:
    # A limit on the file's size gives the same failing write as a disk that is full.
    program = textwrap.dedent(WRITER.format(limit=20_000))
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert "redraft resume" in done.stdout
    assert len(read_events(tmp_path)) > 50
    assert (tmp_path / EVENTS_FILE).read_bytes().endswith(b"\n")


@given(st.integers(0, 2**31 - 1), st.text(max_size=40))
def test_in_range_and_repeatable(seed: int, path: str) -> None:
    assert 0 <= derive_seed(seed, path) < 2**31
    assert derive_seed(seed, path) == derive_seed(seed, path)


def test_neighbours_differ() -> None:
    paths = [f"iteration-{n}/candidate-{m}/draft" for n in range(20) for m in range(20)]
    assert len({derive_seed(seed, path) for seed in (0, 1) for path in paths}) == 800


@pytest.mark.parametrize("read", [read_events, read_first])
def test_a_journal_of_another_format_is_refused_in_words(tmp_path: Path, read: Callable[[Path], object]) -> None:
    (tmp_path / "events.jsonl").write_text('{"event":"run_began","format":1,"redraft":"0.1.0"}\n', "utf-8")
    with pytest.raises(RunFormatError, match=r"has the journal format 1; this redraft reads format 3 only\. Open it"):
        read(tmp_path)


async def test_the_file_stop_ends_a_run_before_its_next_effect_and_not_the_resumed_one(tmp_path: Path) -> None:
    effect = Counter()
    with journal(tmp_path) as first:
        await first.once("first", 1, effect, NUMBER)
        (tmp_path / STOP_FILE).touch()
        await first.once("first", 1, effect, NUMBER)  # on record: nothing is done
        with pytest.raises(RunStoppedError, match="stopped by the file 'stop'"):
            await first.once("second", 2, effect, NUMBER)
    assert [event.event for event in read_events(tmp_path)] == ["effect_started", "effect_finished"]
    with journal(tmp_path) as second:
        assert await second.once("second", 2, effect, NUMBER) == 42


def test_a_look_says_whether_a_run_is_written_and_disturbs_no_writer(tmp_path: Path) -> None:
    assert not is_written(tmp_path)
    with journal(tmp_path):
        assert is_written(tmp_path)
        with pytest.raises(RunLockedError), journal(tmp_path):
            pass
    assert not is_written(tmp_path)
    assert not is_written(tmp_path / "missing")


LONG = {"messages": [{"role": "system", "text": "instructions " * 1_000}, {"role": "user", "text": "draw"}]}


async def _write(folder: Path, first: int, last: int) -> list[Event]:
    seen: list[Event] = []
    with journal(folder, seen) as written:
        for number in range(first, last):
            inputs = {**LONG, "number": number, "inputs": {"reply": f"reply {number} " * 50}}
            await written.once(f"call-{number}", inputs, Counter(), NUMBER)  # pyright: ignore[reportArgumentType]
    return seen


async def test_a_long_journal_writes_what_is_repeated_once_and_reads_it_whole(tmp_path: Path) -> None:
    seen = await _write(tmp_path, 0, 300)
    raw = (tmp_path / EVENTS_FILE).read_bytes()
    assert len(raw) < SHARED_FROM + 300 * 3_000
    assert raw.count(b"instructions instructions") < 80 * 500  # a megabyte of requests, of 300
    assert read_events(tmp_path) == seen


async def test_a_resumed_run_goes_on_with_the_references(tmp_path: Path) -> None:
    await _write(tmp_path / "whole", 0, 200)
    await _write(tmp_path / "parts", 0, 150)
    await _write(tmp_path / "parts", 0, 200)  # the first 150 are on record
    assert (tmp_path / "parts" / EVENTS_FILE).read_bytes() == (tmp_path / "whole" / EVENTS_FILE).read_bytes()


async def test_a_short_journal_has_every_line_whole(tmp_path: Path) -> None:
    await _write(tmp_path, 0, 20)
    assert (tmp_path / EVENTS_FILE).read_text().count("instructions instructions") == 20 * 500


async def test_a_reference_to_nothing_is_an_error(tmp_path: Path) -> None:
    await _write(tmp_path, 0, 150)
    path = tmp_path / EVENTS_FILE
    lines = path.read_bytes().splitlines(keepends=True)
    index = next(n for n, line in enumerate(lines) if b'"again"' in line)
    place = lines[index].index(b'"again":[["') + len(b'"again":[["')
    lines[index] = lines[index][:place] + b"0" * 32 + lines[index][place + 32 :]
    path.write_bytes(b"".join(lines))
    with pytest.raises(RunFormatError, match=f"line {index + 1}: it refers to a value that was not written before"):
        read_events(tmp_path)


async def test_a_followed_journal_has_the_references_too(tmp_path: Path) -> None:
    followed = Followed(tmp_path)
    await _write(tmp_path, 0, 100)
    followed.read()
    await _write(tmp_path, 0, 150)
    assert followed.read() == read_events(tmp_path)
