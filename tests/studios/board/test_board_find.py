"""Finding parts: what fits is found, all of it, once, in an order people know."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_board import write_board

from redraft.errors import BriefError
from redraft.studios.board.session import Session
from redraft.studios.board.words.find import Query
from redraft.text import natural

ALL = ["C1", "C2", "IGNORE", "J1", *(f"R{n}" for n in range(1, 9)), "U1"]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    return Session.open(write_board(tmp_path_factory.mktemp("find")))


@pytest.mark.parametrize(
    ("query", "refs"),
    [
        (Query(), ALL),
        (Query(ref="c?"), ["C1", "C2"]),
        (Query(value="100N*"), ["C1", "C2"]),
        (Query(kind="resistor", limit=2), ["R1", "R2"]),
        (Query(net="b[0]"), [f"R{n}" for n in range(1, 9)]),
        (Query(net="b0"), []),
        (Query(net="gnd", kind="IC"), ["U1"]),
        (Query(side="bottom"), []),
        (Query(zone="Top-Left"), ["J1"]),
        (Query(zone="Bottom-Left"), ["R1", "R2"]),
        (Query(placed=False), []),
        (Query(locked=True), []),
    ],
)
def test_what_fits_everything_asked_is_found(session: Session, query: Query, refs: list[str]) -> None:
    assert [part.ref for part in session.find(query).parts] == refs


@given(limit=st.integers(1, 20))
def test_pages_hold_each_part_once(session: Session, limit: int) -> None:
    seen: list[str] = []
    cursor = None
    while True:
        page = session.find(Query(limit=limit, cursor=cursor))
        assert len(page.parts) <= limit
        seen += [part.ref for part in page.parts]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == ALL


def test_a_cursor_of_another_board_is_refused(session: Session) -> None:
    with pytest.raises(BriefError, match="next_cursor"):
        session.find(Query(cursor="X9"))


@given(st.lists(st.text(max_size=8)))
def test_any_names_can_be_ordered(names: list[str]) -> None:
    assert sorted(sorted(names, key=natural, reverse=True), key=natural) is not None


def test_numbers_in_names_count_as_numbers() -> None:
    assert sorted(["R10", "R2", "R1", "C3", "R2A"], key=natural) == ["C3", "R1", "R2", "R2A", "R10"]


def test_names_like_the_one_that_is_not_there_are_given(tmp_path: Path) -> None:
    board = Session.open(write_board(tmp_path))
    assert board.find(Query(net="VCCC")).near == ("VCC",)
    assert board.find(Query(net="*+VCC*")).near == ("VCC",)
    assert board.find(Query(ref="CC1")).near[:1] == ("C1",)
    assert board.find(Query(net="VCC")).near == ()
