"""The generations CSV: RFC 4180, refused in words when it is not ours. FR6 and its bad input."""

from __future__ import annotations

import csv
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from redraft.errors import HistoryError
from redraft.ideas.history import COLUMNS, Generation, append_generation, read_recent

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
ROWS = st.lists(
    st.builds(
        Generation,
        generation_id=TEXT.filter(bool),
        selected_concepts=st.lists(TEXT, max_size=4).map(tuple),
        final_image_prompt=TEXT,
        image_path=TEXT,
        created_at=TEXT,
        seed=st.integers(-(2**63), 2**64),
    ),
    max_size=5,
    unique_by=lambda row: row.generation_id,
)


def a_row(n: int = 1, prompt: str = "a storm") -> Generation:
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
    return tmp_path / "generations.csv"


def test_the_file_is_what_rfc_4180_says(path: Path) -> None:
    append_generation(path, a_row(1, 'a "storm",\r\nat sea'))
    assert path.read_bytes() == (
        b"generation_id,selected_concepts,final_image_prompt,image_path,created_at,seed\r\n"
        b'"run-1","[""storm"", ""clock""]","a ""storm"",\r\nat sea",'
        b'"run-1/image.png","2026-11-22T17:13:47+00:00","1"\r\n'
    )


@pytest.mark.slow
@given(rows=ROWS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_any_rows_come_back_here_and_by_the_csv_module(rows: list[Generation], tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.unlink(missing_ok=True)
    assert [append_generation(path, row) for row in rows] == [True] * len(rows)
    assert [append_generation(path, row) for row in rows] == [False] * len(rows)
    if not rows:
        return
    assert read_recent(path, None) == rows
    assert read_recent(path, 2) == rows[-2:]
    with path.open(newline="", encoding="utf-8") as file:
        header, *lines = csv.reader(file, strict=True)
    assert tuple(header) == COLUMNS
    assert [(line[0], line[2], int(line[5])) for line in lines] == [
        (row.generation_id, row.final_image_prompt, row.seed) for row in rows
    ]


@pytest.mark.parametrize("prompt", ["=1+2", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0", "\t=1"])
def test_what_a_spreadsheet_takes_for_a_formula_comes_back_as_it_was(path: Path, prompt: str) -> None:
    append_generation(path, a_row(1, prompt))
    assert read_recent(path, 1)[0].final_image_prompt == prompt


def test_the_longest_request_in_any_script_can_be_listed(path: Path) -> None:
    for n, text in enumerate(("🌊" * 40_000, '"' * 40_000, "海" * 40_000)):
        row = a_row(n, "🌊" * 4_000).model_copy(update={"selected_concepts": (text,)})
        append_generation(path, row)
        assert read_recent(path, 1) == [row]


def test_a_generation_is_listed_once(path: Path) -> None:
    assert append_generation(path, a_row(1))
    assert not append_generation(path, a_row(1, "another prompt"))
    assert append_generation(path, a_row(2, "run-3"))  # which is said, but not listed
    assert append_generation(path, a_row(3))
    assert [row.final_image_prompt for row in read_recent(path, None)] == ["a storm", "run-3", "a storm"]


def test_the_window_is_the_last_rows_oldest_first(path: Path) -> None:
    for n in range(5):
        append_generation(path, a_row(n))
    assert [row.seed for row in read_recent(path, 3)] == [2, 3, 4]
    assert [row.seed for row in read_recent(path, 99)] == [0, 1, 2, 3, 4]
    assert read_recent(path, 0) == []


def table(*lines: bytes, header: bytes = ",".join(COLUMNS).encode()) -> bytes:
    return b"\r\n".join((header, *lines, b""))


ROW = b'"run-1","[""storm""]","a storm","image.png","2026-11-22","1"'


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + table(ROW),
        table(ROW).replace(b"\r\n", b"\n"),
        table(ROW)[:-2],
        table(b"", ROW, b"", b""),
        table(ROW + b",extra", header=",".join(COLUMNS).encode() + b",scoring_enabled"),
        table(
            b'1,"a storm",run-1,"[""storm""]",2026-11-22,image.png',
            header=b"seed,final_image_prompt,generation_id,selected_concepts,created_at,image_path",
        ),
    ],
    ids=["byte order mark", "unix", "no last line end", "blank lines", "more columns", "another order"],
)
def test_what_other_programs_make_of_the_file_is_read(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert [(row.generation_id, row.final_image_prompt, row.seed) for row in read_recent(path, 5)] == [
        ("run-1", "a storm", 1)
    ]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, r"does not exist yet"),
        (b"", r" is empty"),
        (table(), r" is empty: it has no row of generations yet"),
        (
            b"id;prompt\r\n1;storm\r\n",
            r" is not a table of generations: the column 'generation_id' is missing.*'id;prompt'",
        ),
        (
            b"name,price\r\ntea,3\r\n",
            r"the column 'generation_id' is missing.*'name, price'.*expected are generation_id, s",
        ),
        (table(ROW, header=",".join(COLUMNS[:-1]).encode()), r"the column 'seed' is missing"),
        (table(ROW + b",2", header=",".join(COLUMNS).encode() + b",seed"), r"the column 'seed' occurs twice"),
        (table(ROW).decode().encode("utf-16"), r", line 1: not text in UTF-8"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", r", line 1: .*byte 0x89"),
        (bytes(range(256)), r", line 1: not"),
        (table(ROW.replace(b"a storm", b"a \xff storm")), r"byte 0xff"),
        (table(ROW, ROW.replace(b'"a storm"', b'"a "storm""')), r", line 3: not valid CSV"),
        (table(ROW, ROW.replace(b'"a storm"', b'"a storm')), r", line 3: not valid CSV"),
        (
            table(ROW, ROW.replace(b'"[""storm""]"', b"storm")),
            r", line 3: selected_concepts is 'storm'; expected a JSON",
        ),
        (table(ROW.replace(b'"[""storm""]"', b"[1]")), r", line 2: selected_concepts is '\[1\]'; expected a JSON list"),
        (table(ROW.replace(b'"[""storm""]"', b"[" * 9999)), r", line 2: selected_concepts is '\[\[\[\["),
        (table(ROW.replace(b'"1"', b'"1.2E+18"')), r", line 2: seed is '1\.2E\+18'; expected a whole number"),
        (table(ROW.replace(b'"1"', b'"' + b"9" * 9000 + b'"')), r", line 2: seed is '999"),
        (table(ROW.replace(b",", b";")), r", line 2: not valid CSV"),
    ],
)
def test_a_history_that_is_none_is_refused_with_path_line_and_reason(
    path: Path, content: bytes | None, why: str
) -> None:
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(HistoryError, match=why) as caught:
        read_recent(path, 25)
    assert str(path) in str(caught.value)


def test_nothing_is_added_to_another_programs_table(path: Path) -> None:
    path.write_bytes(b"name,price\r\ntea,3\r\n")
    with pytest.raises(HistoryError, match=r"is not a table of generations.*Its first line has 'name, price'"):
        append_generation(path, a_row())
    assert path.read_bytes() == b"name,price\r\ntea,3\r\n"


@contextmanager
def without_privileges() -> Generator[None]:
    """Root may read everything; nobody may not."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def test_a_file_without_permission_is_said(path: Path) -> None:
    append_generation(path, a_row())
    path.chmod(0)
    with without_privileges(), pytest.raises(HistoryError, match="Permission denied") as caught:
        read_recent(path, 1)
    assert str(path) in str(caught.value)
