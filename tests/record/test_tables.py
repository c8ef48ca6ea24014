"""Tables that several processes append to: whole rows, each once, whatever happens in between."""

from __future__ import annotations

import csv
import io
import os
import resource
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import PIPE
from tempfile import TemporaryDirectory
from typing import Literal, cast

import pytest
from filelock import FileLock
from hypothesis import assume, given
from hypothesis import strategies as st

import redraft.record.tables
from redraft.errors import HistoryError
from redraft.ideas.history import Generation, append_generation, read_recent
from redraft.record.tables import Table

WORKER = Path(__file__).parents[1] / "helpers" / "table_worker.py"


def a_row(n: int, prompt: str = 'a "storm",\r\nand a clock') -> Generation:
    return Generation(
        generation_id=f"run-{n}",
        selected_concepts=("storm", "clock"),
        final_image_prompt=prompt,
        image_path=f"run-{n}/image.png",
        created_at="2026-11-22T17:13:47+00:00",
        seed=n,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "made" / "generations.csv"


@contextmanager
def workers(folder: Path, count: int, rows: int) -> Generator[list[subprocess.Popen[str]]]:
    """Processes that begin together."""
    command = [sys.executable, str(WORKER), str(folder)]
    begun = [
        subprocess.Popen([*command, str(n), str(rows)], stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True)
        for n in range(count)
    ]
    try:
        for worker in begun:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n"
        for worker in begun:
            assert worker.stdin is not None
            worker.stdin.write("go\n")
            worker.stdin.flush()
        yield begun
    finally:
        for worker in begun:
            worker.kill()
            worker.communicate()


@pytest.mark.slow
def test_two_processes_at_once_lose_nothing_and_write_nothing_twice(tmp_path: Path) -> None:
    with workers(tmp_path, 2, 150) as both:
        for worker in both:
            _, said = worker.communicate(timeout=100)
            assert worker.returncode == 0, said
    rows = read_recent(tmp_path / "generations.csv", None)
    ids = [row.generation_id for row in rows]
    own = {f"process-{number}-{n}" for number in range(2) for n in range(150) if n % 10}
    assert len(ids) == len(set(ids))
    assert set(ids) == own | {f"shared-{n}" for n in range(0, 150, 10)}
    with (tmp_path / "titles_manifest.csv").open(newline="", encoding="utf-8") as file:
        titles = list(csv.DictReader(file, strict=True))
    assert [int(title["seq"]) for title in titles] == list(range(1, len(ids) + 1))
    assert sorted(title["generation_id"] for title in titles) == sorted(ids)
    assert all(title["title"] == f"Title of {title['generation_id']}" for title in titles)


@pytest.mark.slow
def test_what_was_said_to_be_listed_is_there_after_a_kill(tmp_path: Path) -> None:
    said: list[str] = []
    for number in range(4):
        with workers(tmp_path, 1, 100_000) as [worker]:
            time.sleep(0.2 + 0.013 * number)
            worker.send_signal(signal.SIGKILL)
            assert worker.stdout is not None
            said += worker.stdout.read().split("\n")[:-1]
    ids = {row.generation_id for row in read_recent(tmp_path / "generations.csv", None)}
    assert len(ids) > 8
    assert ids >= set(said)
    append_generation(tmp_path / "generations.csv", a_row(1))
    assert read_recent(tmp_path / "generations.csv", 1) == [a_row(1)]


@contextmanager
def room_for(size: int) -> Generator[None]:
    """No file can grow beyond so many bytes, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_leaves_the_table_as_it_was(path: Path) -> None:
    append_generation(path, a_row(1))
    old = path.read_bytes()
    for room in (len(old), len(old) + 50):
        with (
            room_for(room),
            pytest.raises(HistoryError, match=r"Could not add a row of \d+ bytes to .*generations\.csv"),
        ):
            append_generation(path, a_row(2, "a storm"))
        assert path.read_bytes() == old
    assert append_generation(path, a_row(2, "a storm"))


def test_no_room_for_a_new_table_leaves_an_empty_file(path: Path) -> None:
    with room_for(10), pytest.raises(HistoryError, match="Could not add"):
        append_generation(path, a_row(1))
    assert path.read_bytes() == b""
    assert append_generation(path, a_row(1))


def test_a_table_that_stays_locked_is_an_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append_generation(path, a_row(1))
    monkeypatch.setattr(redraft.record.tables, "LOCK_SECONDS", 0.02)
    with (
        FileLock(path.with_name(".generations.csv.lock")),
        pytest.raises(HistoryError, match=r"has been locked for 0\.02 seconds by another program"),
    ):
        append_generation(path, a_row(2))
    assert read_recent(path, None) == [a_row(1)]


def test_a_table_behind_a_link_is_named_itself(path: Path, tmp_path: Path) -> None:
    """A folder may be a stranger's, and the link lead to a file of the person's; a linked folder is resolved."""
    append_generation(path, a_row(1))
    link = tmp_path / "link.csv"
    link.symlink_to(path)
    with pytest.raises(HistoryError, match=r"link\.csv is a link, to .*Name the file itself"):
        append_generation(link, a_row(2))
    (tmp_path / "elsewhere").symlink_to(path.parent)
    assert append_generation(tmp_path / "elsewhere" / path.name, a_row(2))
    assert read_recent(path, None) == [a_row(1), a_row(2)]
    assert [file.name for file in tmp_path.iterdir() if file.name.endswith(".lock")] == []


def test_columns_that_somebody_added_stay_theirs(path: Path) -> None:
    append_generation(path, a_row(1))
    header, row = path.read_bytes().split(b"\r\n", 1)
    path.write_bytes(b"stars," + header + b",note\r\n5," + row[:-2] + b',"nice, ""very"""\r\n')
    assert append_generation(path, a_row(2))
    assert read_recent(path, None) == [a_row(1), a_row(2)]
    with path.open(newline="", encoding="utf-8") as file:
        stars, notes = zip(*((line[0], line[-1]) for line in csv.reader(file, strict=True)), strict=True)
    assert stars == ("stars", "5", "")
    assert notes == ("note", 'nice, "very"', "")


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b"\r", b"\r\n\r\n\r\n", b"\n\n"])
def test_a_row_goes_on_a_line_of_its_own_however_the_last_one_ends(path: Path, end: bytes) -> None:
    append_generation(path, a_row(1))
    path.write_bytes(path.read_bytes()[:-2] + end)
    append_generation(path, a_row(2))
    assert read_recent(path, None) == [a_row(1), a_row(2)]


def test_a_first_line_without_an_end_gets_one(path: Path) -> None:
    append_generation(path, a_row(1))
    path.write_bytes(path.read_bytes().split(b"\r\n")[0])
    append_generation(path, a_row(2))
    assert read_recent(path, None) == [a_row(2)]


@pytest.mark.parametrize(
    "damage",
    [
        b'"run-2","[]","never closed\r\nand on,it,goes',
        b"run-2,[],half a row",
        b'"run-2","[]"\r\n',
        b"\0\0\0\r\n",
        b'"run-2",',
    ],
)
def test_nothing_is_added_to_a_table_with_a_damaged_end(path: Path, damage: bytes) -> None:
    """What somebody may still want is not cut off."""
    append_generation(path, a_row(1))
    damaged = path.read_bytes() + damage
    path.write_bytes(damaged)
    with pytest.raises(HistoryError, match=r"generations\.csv, line [4-6]: "):
        append_generation(path, a_row(3))
    assert path.read_bytes() == damaged


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_refused_and_kept(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "generations.csv"
    path.mkdir() if kind == "folder" else os.mkfifo(path)
    for act in (lambda: read_recent(path, 5), lambda: append_generation(path, a_row(1))):
        with pytest.raises(HistoryError, match=r"generations\.csv is not a file"):
            act()
    assert path.exists()
    assert not path.is_file()


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (a_row(1, "a\ud800b"), "has half a character in it"),
        (a_row(1, "x" * 100_001), "has a text of more than 100,000 characters"),
        (a_row(1).model_copy(update={"generation_id": ""}), "has an empty generation_id"),
    ],
)
def test_a_row_that_could_not_be_read_again_is_not_written(path: Path, row: Generation, why: str) -> None:
    with pytest.raises(HistoryError, match=why):
        append_generation(path, row)
    assert not path.exists()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(HistoryError, match=r"Cannot write beside .*taken/list\.csv"):
        append_generation(tmp_path / "taken" / "list.csv", a_row(1))


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
FIELD = st.one_of(st.text(st.sampled_from('",\n\r ab€'), max_size=12), TEXT)
ROWS = st.lists(st.tuples(FIELD, FIELD, st.integers().map(str)), max_size=12)
PLAIN: Table[tuple[str, ...]] = Table("rows", ("a", "b", "seed"), "a", lambda row: tuple(row.values()), lambda _: {})
HEADER = b"a,b,seed\r\n"


def as_csv(rows: Sequence[tuple[str, ...]], quoting: Literal[0, 1] = csv.QUOTE_ALL, end: str = "\r\n") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, quoting=quoting, lineterminator=end).writerows(rows)
    return text.getvalue().encode()


def read(data: bytes) -> list[tuple[str, ...]]:
    """The rows of a table that holds these bytes."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "list.csv"
        path.write_bytes(data)
        try:
            return PLAIN.last(path, None)
        except HistoryError as error:
            if "is empty: it has no row" in str(error):
                return []
            raise HistoryError(str(error).removeprefix(str(path.parent.resolve()) + "/")) from error


@given(ROWS, st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]), st.sampled_from(["\r\n", "\n"]), st.booleans())
def test_rows_of_any_quoting_are_read(rows: list[tuple[str, ...]], quoting: int, end: str, open_end: bool) -> None:
    # Older csv modules forget to quote a carriage return when rows end in a line feed alone.
    data = as_csv(rows, cast("Literal[0, 1]", quoting), end)
    assume(quoting == csv.QUOTE_ALL or end == "\r\n" or b"\r" not in data)
    assert read(HEADER + (data.removesuffix(end.encode()) if open_end else data)) == rows


@pytest.mark.parametrize(
    ("damaged", "line", "reason"),
    [
        (b'"x","y","1"\r\n"x","y,"2"\r\n"x","z","3"\r\n', 3, "not valid CSV"),
        (b'"x","y","1"\r\n"x","y","2"\r\n"x","z"","3"\r\n', 4, "not valid CSV"),
        (b'"x","y","1"\r\n"x""a","y"b,"2"\r\n', 3, "not valid CSV"),
        (b'"x","y","1"\r\n"x","y"\r\n', 3, "a row has more or fewer fields than the 3 columns"),
        (b'"x","y","1"\r\n"x","y","2","3"\r\n', 3, "a row has more or fewer fields"),
        (b'"x","y","1"\r\nx,\xe4,1\r\n', 1, "can't decode byte 0xe4"),
        (b'"x","y\nz","1"\r\nx,y', 4, "a row has more or fewer fields"),
        (b'"x","y","1"\r\n' + b'"x","y' + b"y" * 300_000 + b'","1"\r\n', 3, "a line of more than 262,144 characters"),
        (b'"x","y","1"\r\n"x","' + b"y" * 150_000 + b'","1"\r\n', 3, "field larger than field limit (131072)"),
    ],
)
def test_damage_is_named_with_its_line(damaged: bytes, line: int, reason: str) -> None:
    with pytest.raises(HistoryError) as caught:
        read(HEADER + damaged)
    assert str(caught.value).startswith(f"list.csv, line {line}: ")
    assert reason in str(caught.value)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused_in_words(data: bytes) -> None:
    with suppress(HistoryError):
        read(HEADER + data)
    with suppress(HistoryError):
        read(data)


@pytest.mark.slow
def test_a_large_table_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "generations.csv"
    append_generation(path, a_row(0))
    row = path.read_bytes().partition(b"\r\n")[2]
    with path.open("ab") as file:
        file.writelines(row for _ in range(100_000))
    tracemalloc.start()
    try:
        assert read_recent(path, 25) == [a_row(0)] * 25
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()
