"""The work that a call means, who may reach it, and how many there may be."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from open_work import Work

from redraft.errors import RunNotFoundError
from redraft.mcp.opened import IDLE, LONE, MAX_OPEN, Folders, OpenWorks, connection, named_work


@contextmanager
def by(key: str) -> Generator[None]:
    token = connection.set(key)
    yield
    connection.reset(token)


@pytest.fixture
def works(boards: Path) -> OpenWorks:
    return OpenWorks(Folders.of([boards]), clock=lambda: 0.0)


def test_each_connection_has_the_work_it_opened_last(works: OpenWorks) -> None:
    with by("one"):
        works.put("board", "a", Work())
        mine = works.put("board", "a", Work())
        scene = works.put("scene", "a", Work())
    with by("two"):
        yours = works.put("board", "a", Work())
        assert works.find("board") is yours
    with by("one"):
        assert works.find("board") is mine
        assert works.find("scene") is scene
    assert len(works.open) == 3


def test_a_handle_goes_before_the_own_work_within_one_connection(works: OpenWorks) -> None:
    with by(LONE):
        one, _ = works.put("board", "a", Work()), works.put("board", "b", Work())
        with named_work(one.handle):
            assert works.find("board") is one


def test_a_handle_of_another_connection_opens_nothing(works: OpenWorks) -> None:
    with by("one"):
        mine = works.put("board", "a", Work())
    for other in ("two", LONE, ""):
        with by(other), named_work(mine.handle):
            with pytest.raises(RunNotFoundError, match="is not open"):
                works.find("board")
            with pytest.raises(RunNotFoundError, match="is not open"):
                works.by_handle(mine.handle)


def test_a_handle_of_another_studio_is_refused_by_its_name(works: OpenWorks) -> None:
    with by(LONE):
        scene = works.put("scene", "a", Work())
        with named_work(scene.handle), pytest.raises(RunNotFoundError, match="a handle of the scene studio"):
            works.find("board")


def test_a_call_that_stands_alone_has_no_work_but_by_handle(works: OpenWorks) -> None:
    with by(LONE):
        board = works.put("board", "a", Work())
        with pytest.raises(RunNotFoundError, match="`handle`"):
            works.find("board")
        with named_work(board.handle):
            assert works.find("board") is board
        with named_work("guessed"), pytest.raises(RunNotFoundError, match="'guessed'"):
            works.find("board")


def test_handles_cannot_be_guessed_from_one_another(works: OpenWorks) -> None:
    with by(LONE):
        handles = {works.put("board", "a", Work()).handle for _ in range(MAX_OPEN)}
    assert len(handles) == MAX_OPEN


def test_what_is_closed_is_marked_so(works: OpenWorks) -> None:
    with by("one"):
        first, second = works.put("scene", "a", Work()), works.put("scene", "a", Work())
        shader = works.put("shader", "a", Work())
        assert [work.closed.is_set() for work in (first, second, shader)] == [True, False, False]
        works.close("one")
    assert second.closed.is_set()
    assert shader.closed.is_set()
    assert works.open == {}
    last = works.put("scene", "a", Work())
    works.close_all()
    assert last.closed.is_set()


def test_room_is_made_by_closing_what_was_idle_longest_and_changes_that_no_file_has_last(works: OpenWorks) -> None:
    with by(LONE):
        boards = [works.put("board", "a", Work()) for _ in range(MAX_OPEN)]
        with pytest.raises(RunNotFoundError, match="in use"):
            works.put("board", "a", Work())
        works.clock = lambda: IDLE + 1
        boards[0].lost = True
        with named_work(boards[1].handle):
            works.find("board")
        for board in boards[2:]:
            works.put("board", "a", Work())
            assert board.handle not in works.open
        works.put("board", "a", Work())
        assert boards[0].handle not in works.open
        with pytest.raises(RunNotFoundError, match="in use"):
            works.put("board", "a", Work())
        assert boards[1].handle in works.open
