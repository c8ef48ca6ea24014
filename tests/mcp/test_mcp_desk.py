"""Whose board a call means, and how many there may be."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from redraft.errors import BoardError
from redraft.mcp.opened import IDLE, LONE, MOST_BOARDS, Folders, OpenBoards, connection, named_board
from redraft.studios.board.session import Session


@contextmanager
def by(key: str) -> Generator[None]:
    token = connection.set(key)
    yield
    connection.reset(token)


@pytest.fixture
def desk(boards: Path) -> OpenBoards:
    return OpenBoards(Folders.of([boards]), clock=lambda: 0.0)


@pytest.fixture
def session(boards: Path) -> Session:
    return Session.open(boards / "small.kicad_pcb")


def test_each_connection_has_the_board_it_opened_last(desk: OpenBoards, session: Session) -> None:
    with by("one"):
        desk.put(session)
        mine = desk.put(session)
    with by("two"):
        yours = desk.put(session)
        assert desk.board() is yours
    with by("one"):
        assert desk.board() is mine
    assert len(desk.open) == 2


def test_a_handle_goes_before_the_connections_own_board(desk: OpenBoards, session: Session) -> None:
    with by("one"):
        mine = desk.put(session)
    with by("two"):
        desk.put(session)
        with named_board(mine.handle):
            assert desk.board() is mine


def test_a_call_that_stands_alone_has_no_board_but_by_handle(desk: OpenBoards, session: Session) -> None:
    with by(LONE):
        board = desk.put(session)
        with pytest.raises(BoardError, match="`board`"):
            desk.board()
        with named_board(board.handle):
            assert desk.board() is board
        with named_board("guessed"), pytest.raises(BoardError, match="'guessed'"):
            desk.board()


def test_handles_cannot_be_guessed_from_one_another(desk: OpenBoards, session: Session) -> None:
    with by(LONE):
        handles = {desk.put(session).handle for _ in range(MOST_BOARDS)}
    assert len(handles) == MOST_BOARDS


def test_room_is_made_by_closing_what_nobody_asks_for(desk: OpenBoards, session: Session) -> None:
    with by(LONE):
        boards = [desk.put(session) for _ in range(MOST_BOARDS)]
        with pytest.raises(BoardError, match="in use"):
            desk.put(session)
        desk.clock = lambda: IDLE + 1
        with named_board(boards[0].handle):
            desk.board()
        desk.put(session)
    assert set(desk.open) > {boards[0].handle}
    assert len(desk.open) == 2
