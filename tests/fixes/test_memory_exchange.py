"""Fixes as a file: what is written can be read, and nothing else can."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from redraft.errors import MemoryStoreError
from redraft.fixes.base import Fix
from redraft.fixes.exchange import LINE_LIMIT, exported, import_fixes, read_fixes
from redraft.fixes.sqlite import SqliteStore
from redraft.testing import a_fix


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "fixes.sqlite")
    yield store
    store.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "fixes.jsonl"


def line(**changes: Any) -> str:
    return json.dumps({**a_fix().model_dump(), **changes})


def test_what_was_exported_comes_back_whole(store: SqliteStore, file: Path, tmp_path: Path) -> None:
    fixes = [a_fix(1, times_used=3, times_worked=2), a_fix(2, key="bpy:no_attribute:fcurves"), a_fix(3)]
    store.add_all((fix, "a" * 16) for fix in fixes)
    file.write_text("".join(f"{text}\n" for text in exported(store)), "utf-8")
    other = SqliteStore(tmp_path / "other.sqlite")
    assert import_fixes(other, file) == (3, 0)
    assert list(other.entries()) == list(store.entries()) == [fixes[1], fixes[0], fixes[2]]
    assert import_fixes(other, file) == (0, 3)
    other.close()


def test_an_imported_fix_is_found_by_its_broken_line(store: SqliteStore, file: Path) -> None:
    from redraft.fixes.hunks import shape_of

    file.write_text(line() + "\n")
    import_fixes(store, file)
    famous = a_fix(2, broken_snippet="for (;;) {", times_used=9, times_worked=9)
    store.add(famous, shape_of(famous.broken_snippet))
    assert store.find(a_fix().key, shape_of(f"  {a_fix().broken_snippet}"), 5)[0] == a_fix()


def test_the_same_fix_twice_is_one_with_the_higher_counts(file: Path) -> None:
    file.write_text("\n".join((line(times_used=2, times_worked=1), line(times_used=5, times_worked=5), line())))
    assert read_fixes(file) == [a_fix(times_used=5, times_worked=5)]


def test_what_is_known_keeps_its_counts(store: SqliteStore, file: Path) -> None:
    store.add(a_fix(times_used=1), "a" * 16)
    file.write_text(line(times_used=9, times_worked=9))
    assert import_fixes(store, file) == (0, 1)
    assert list(store.entries()) == [a_fix(times_used=1)]


def test_empty_lines_byte_order_marks_and_line_ends_of_windows(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + line().encode() + b"\r\n\r\n  \n" + line(key="py:name_error").encode())
    assert [fix.key for fix in read_fixes(file)] == ["glsl:undeclared_identifier", "py:name_error"]


def test_times_of_other_zones_are_kept_in_utc(file: Path) -> None:
    file.write_text(line(timestamp="2026-11-21T01:30:00+02:00"))
    assert read_fixes(file)[0].timestamp == "2026-11-20T23:30:00+00:00"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("{", "JSON"),
        ("[]", "object"),
        ('"text"', "object"),
        ("{}", "key: Field required"),
        (line(extra=1), "extra: Extra inputs"),
        (line(key="undeclared"), "'undeclared' is not a key"),
        (line(key="redraft:keys"), "'redraft:keys' is not a key"),
        (line(key="glsl:a b"), "is not a key"),
        (line(key="glsl:a\n"), "is not a key"),
        (line(key="glsl:" + "a" * 200), "is not a key"),
        (line(error_msg="x" * 501), "longer than 500"),
        (line(broken_snippet="x" * 4001), "longer than 4,000"),
        (line(fixed_snippet=a_fix().broken_snippet), "the same as broken_snippet"),
        (line(times_used=1, times_worked=2), "times_worked 2 of times_used 1"),
        (line(times_used=10**30, times_worked=0), "cannot be"),
        (line(times_used=-1), "times_used: "),
        (line(timestamp="yesterday"), "'yesterday' is not a time"),
        (line(timestamp="0001-01-01T00:00:00+14:00"), "is not a time"),
        (line(fixed_snippet="\ud800"), "JSON"),
        (line(fixed_snippet=None), "fixed_snippet: "),
    ],
)
def test_a_wrong_line_is_named_and_nothing_is_imported(store: SqliteStore, file: Path, wrong: str, why: str) -> None:
    file.write_text(f"{line()}\n\n{wrong}\n{line(key='py:name_error')}\n")
    with pytest.raises(MemoryStoreError) as caught:
        import_fixes(store, file)
    said = str(caught.value)
    assert said.startswith(f"{file}, line 3: ")
    assert why in said
    assert "Nothing was imported" in said
    assert store.keys() == {}


def test_of_many_wrong_lines_the_first_are_named(file: Path) -> None:
    file.write_text("x\n" * 9)
    with pytest.raises(MemoryStoreError) as caught:
        read_fixes(file)
    lines = str(caught.value).splitlines()
    assert [text.partition(": ")[0] for text in lines[:5]] == [f"{file}, line {n}" for n in range(1, 6)]
    assert lines[5] == "and 4 more lines"


def test_an_endless_line_is_not_read_to_its_end(file: Path) -> None:
    file.write_bytes(line().encode() + b"\n" + b"x" * (LINE_LIMIT * 3))
    with pytest.raises(MemoryStoreError, match="line 2: longer than 100,000 bytes"):
        read_fixes(file)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.jsonl"):
        with pytest.raises(MemoryStoreError, match="Cannot read"):
            read_fixes(path)


def test_an_empty_file_has_no_fixes(file: Path) -> None:
    file.touch()
    assert read_fixes(file) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(content=st.binary(max_size=300))
def test_any_bytes_are_entries_or_refused(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    try:
        assert all(isinstance(fix, Fix) for fix in read_fixes(file))
    except MemoryStoreError as error:
        assert str(file) in str(error)  # noqa: PT017
