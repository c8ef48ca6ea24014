"""Damaged boards, replies, settings, lists, inboxes and journals: 1,000 seeded cases, and those that once failed.

`benchmarks/fuzz.py` describes the cases and runs 100,000 of them; a failing one is printed with its command.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from small_board import small_board

import fuzz
from redraft import api
from redraft.errors import RedraftError

BLOCK = 250


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1_000, BLOCK))
def test_damaged_input_is_read_or_refused_in_words(first: int) -> None:
    outcome = fuzz.run_cases(range(first, first + BLOCK))
    assert not outcome.failures, "\n".join(outcome.failures)
    assert outcome.counts.total() == BLOCK
    assert outcome.counts.keys() == fuzz.samples().keys()


@pytest.mark.slow
def test_every_sample_is_there_and_most_are_taken_whole() -> None:
    for reader, (_, inputs) in fuzz.samples().items():
        some = inputs[:6]
        assert some, reader
        assert sum(fuzz.run_case(reader, data) for data in some) <= len(some) / 2, reader


def test_a_case_is_the_same_each_time_and_damaged() -> None:
    cases = [fuzz.case_of(number) for number in range(50)]
    assert cases == [fuzz.case_of(number) for number in range(50)]
    assert sum(case.data not in fuzz.samples()[case.reader][1] for case in cases) > 40


@pytest.mark.parametrize("error", [KeyError("x"), RecursionError("deep"), fuzz.HangError("slow")])
def test_other_exceptions_are_failures_with_a_command(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(reader: str, data: bytes) -> bool:
        raise error

    monkeypatch.setattr(fuzz, "run_case", fail)
    (failure,) = fuzz.run_cases([17], seed=3).failures
    assert type(error).__name__ in failure
    assert "fuzz.py --seed 3 --first 17 --count 1\n" in failure


def test_a_reader_that_hangs_is_stopped() -> None:
    def spin() -> None:
        while True:
            pass

    with pytest.raises(fuzz.HangError, match=r"0\.05 s of processor time"), fuzz.at_most(0.05):
        spin()


# Cases that failed ----------------------------------------------------------------------------------------------------

DEEP = "[" * 100_000


def journal(old: str, new: str) -> bytes:
    """The journal of a run with one text in place of another."""
    text = fuzz.recorded_run()["events.jsonl"].decode()
    assert old in text
    return text.replace(old, new, 1).encode()


def test_a_deeply_nested_header_in_an_inbox() -> None:
    fuzz.run_case("inbox", f"---\nformat: {DEEP}\n---\n".encode())


REPLY = '"usage":{"calls":1'
"""Of a reply in the journal."""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"instruction":"a house"', '"instructions":"a house"'),
        ('"instruction":"a house"', '"instruction":null'),
        (REPLY, f'"requirements":[],{REPLY}'),
        ('"key":"iteration-1"', '"key":"iteration-one"'),
        ('"key":"iteration-1"', f'"key":"iteration-{"9" * 5000}"'),
        ('"key":"iteration-1"', '"key":"iteration-1\\nx-2"'),
    ],
)
def test_a_journal_that_was_changed(old: str, new: str) -> None:
    fuzz.run_case("journal", journal(old, new))


LONG = "9" * 5_000
"""More digits than Python makes a number of."""


def test_a_version_of_thousands_of_digits() -> None:
    board = small_board().replace("(version 20241229)", f"(version {LONG})")
    assert fuzz.run_case("board", board.encode())


@pytest.mark.parametrize(
    ("reference", "brief"),
    [
        ("R1", f"move C1 right of U1 pin {LONG}"),
        ("R1", f"Align R1-{LONG} in a row"),
        (f"R{LONG}", "Align R2-R4 in a row"),
        (f"R{LONG}", "Align all resistors in a row"),
    ],
)
def test_a_sentence_or_a_reference_with_thousands_of_digits(tmp_path: Path, reference: str, brief: str) -> None:
    path = tmp_path / "small.kicad_pcb"
    path.write_text(small_board().replace('"R1"', f'"{reference}"'), "utf-8")
    with contextlib.suppress(RedraftError):
        assert not api.board(path, brief, out=tmp_path / "run", config={"studios.board.drc": "never"}).error
