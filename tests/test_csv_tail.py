"""Rows from the end of a CSV file are the rows that the csv module finds from its beginning."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from redraft import csv_tail
from redraft.csv_tail import CsvTail, fields_of, written
from redraft.errors import HistoryError

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
TRICKY = st.text(st.sampled_from('",\n\r ab€'), max_size=12)
FIELD = st.one_of(TRICKY, TEXT)
ROWS = st.lists(st.tuples(FIELD, FIELD, st.integers().map(str)), max_size=12)
HEADER = ("a", "b", "seed")
PLACE = Path("list.csv")


def opened(data: bytes) -> CsvTail:
    return CsvTail(io.BytesIO(data), PLACE)


def as_csv(rows: list[tuple[str, ...]], quoting: int = csv.QUOTE_ALL, end: str = "\r\n") -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=quoting, lineterminator=end)  # pyright: ignore[reportArgumentType]
    writer.writerow(HEADER)
    writer.writerows(rows)
    return text.getvalue().encode()


def read(data: bytes) -> list[tuple[str, ...]]:
    file = opened(data)
    return [tuple(file.values(line).values()) for line in file.lines()][::-1]


@pytest.mark.slow
@given(
    rows=ROWS,
    quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    end=st.sampled_from(["\r\n", "\n"]),
    open_end=st.booleans(),
    block=st.integers(1, 200),
)
@example(rows=[("x", "\n", "1")], quoting=csv.QUOTE_MINIMAL, end="\n", open_end=False, block=7)
@example(rows=[("x", "a\n", "1")] * 9, quoting=csv.QUOTE_MINIMAL, end="\r\n", open_end=True, block=16)
@example(rows=[("[]", ",,\n", "1")] * 3, quoting=csv.QUOTE_MINIMAL, end="\r\n", open_end=False, block=16)
@settings(max_examples=400)
def test_rows_from_the_end_are_those_of_the_csv_module(
    rows: list[tuple[str, ...]], quoting: int, end: str, open_end: bool, block: int
) -> None:
    # Older csv modules forget to quote a carriage return when rows end in a line feed alone.
    assume(quoting == csv.QUOTE_ALL or end == "\r\n" or b"\r" not in as_csv(rows, quoting, end))
    data = as_csv(rows, quoting, end)
    data = data.removesuffix(end.encode()) if open_end else data
    whole = list(csv.reader(io.StringIO(data.decode(), newline="")))
    with patch.object(csv_tail, "BLOCK", block):
        assert read(data) == [tuple(row) for row in whole[1:]] == rows


@given(st.lists(FIELD, min_size=2, max_size=6))
def test_a_row_written_is_read_again(fields: list[str]) -> None:
    assert fields_of(written(fields)) == fields


@pytest.mark.slow
@given(rows=ROWS, last=st.tuples(FIELD, FIELD, st.integers().map(str)), data=st.data())
@settings(max_examples=400)
def test_a_row_torn_off_anywhere_was_never_there(
    rows: list[tuple[str, ...]], last: tuple[str, ...], data: st.DataObject
) -> None:
    """A kill leaves the old table or the whole row."""
    old, row = as_csv(rows), written(last)
    cut = data.draw(st.integers(0, len(row)))
    whole = cut >= len(row) - 2  # only the line end may be missing
    assert read(old + row[:cut]) == ([*rows, last] if whole else rows)


def test_lines_of_a_torn_prompt_that_look_like_rows_are_no_rows() -> None:
    old, row = as_csv([("x", "y", "1")]), written(("id", "oak, storm, sea\nclock, brass, night\nfog", "2"))
    assert [read(old + row[:cut]) for cut in range(len(row) - 2)] == [[("x", "y", "1")]] * (len(row) - 2)


def test_zeros_that_a_power_cut_left_behind_are_cut_off_too() -> None:
    file = opened(as_csv([("x", "y", "1")]) + b'"id","\0\0\0\0\0')
    assert [line.data for line in file.lines()] == [b'"x","y","1"\r\n']


@given(rows=ROWS.filter(bool), data=st.data(), block=st.integers(1, 200))
def test_a_row_is_found_by_what_stands_in_a_column(
    rows: list[tuple[str, ...]], data: st.DataObject, block: int
) -> None:
    wanted = data.draw(st.sampled_from(rows))[0]
    last = max(n for n, row in enumerate(rows) if row[0] == wanted)
    with patch.object(csv_tail, "BLOCK", block):
        file = opened(as_csv(rows, data.draw(st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]))))
        if wanted:
            line = file.find("a", wanted)
            assert line is not None
            assert tuple(file.values(line).values()) == rows[last]
        assert file.find("a", "not one of them") is None


def test_what_stands_elsewhere_is_not_found() -> None:
    file = opened(as_csv([("one", "two", "3"), ("four", 'say ""two"",two,"', "5"), ("a two b", "", "7")]))
    assert file.find("a", "two") is None
    assert file.find("a", "3") is None


@pytest.mark.parametrize(
    ("damaged", "line", "why"),
    [
        (b'"x","y","1"\r\n"x","y,"2"\r\n"x","z","3"\r\n', 3, "broken quoting in the row that ends here"),
        (b'"x","y","1"\r\n"x","y","2"\r\n"x","z"","3"\r\n', 4, "broken quoting in the row that ends here"),
        (b'"x","y","1"\r\nx,5" or 6" wide,2\r\n', 3, "broken quoting: a quote stands in a field"),
        (b'"x","y","1"\r\n"x""a","y"b,"2"\r\n', 3, "broken quoting: a quote stands in a field"),
        (b'"x","y","1"\r\n"x","y"\r\n', 3, "a row of 2 fields, where the first line names 3"),
        (b'"x","y","1"\r\n"x","y","2","3"\r\n', 3, "a row of 4 fields"),
        (b'"x","y","1"\r\nx,y\0z,1\r\n', 3, "zero byte"),
        (b'"x","y","1"\r\nx,\xe4,1\r\n', 3, "0xe4 is no UTF-8"),
        (b'"x","y","1"\r\nx,y,1\rx,y,2\r\n', 3, "carriage return outside quotes"),
        (b'"x","y\nz","1"\r\nx,y', 4, "a row of 2 fields"),
        (b'"x","y","1"\r\n' + b'"x","y' + b"y" * 300_000 + b'","1"\r\n', 3, "a row of 300,013 bytes"),
        (b'"x","y","1"\r\n"x","' + b"y" * 150_000 + b'","1"\r\n', 3, "field larger than field limit (131072)"),
    ],
)
def test_damage_is_named_with_its_line(damaged: bytes, line: int, why: str) -> None:
    with pytest.raises(HistoryError) as caught:
        read(b"a,b,seed\r\n" + damaged)
    assert str(caught.value).startswith(f"list.csv, line {line}: ")
    assert why in str(caught.value)


def test_a_quote_missing_far_up_does_no_harm_to_the_rows_after_it() -> None:
    rows = [("x", "two\nlines", str(n)) for n in range(5000)]
    data = as_csv(rows).replace(b'"two\nlines","100"', b'"two\nlines,"100"')
    file = opened(data)
    lines = file.lines()
    assert [tuple(file.values(next(lines)).values()) for _ in range(4899)] == rows[:100:-1]
    with pytest.raises(HistoryError, match=r"line 203: a row of 2 fields"):  # of row 100, after its line break
        file.values(next(lines))


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused_in_words(data: bytes) -> None:
    said = ""
    try:
        read(data)
    except HistoryError as error:
        said = str(error)
    assert not said or said.startswith("list.csv, line ")


@given(st.text(st.sampled_from('",\n\r\0ax'), max_size=60), st.integers(1, 40))
@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
def test_any_quoting_is_read_as_the_csv_module_does_or_refused(text: str, block: int) -> None:
    data = ("a,b,seed\n" + text).encode()
    with patch.object(csv_tail, "BLOCK", block):
        try:
            file = opened(data)
            rows = [tuple(file.values(line).values()) for line in file.lines()][::-1]
        except HistoryError:
            return
    sound = data[: file.end].decode()
    assert rows == [tuple(row) for row in csv.reader(io.StringIO(sound, newline=""), strict=True) if row][1:]
