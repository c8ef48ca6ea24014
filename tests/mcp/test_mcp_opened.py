"""The work that a call means, who may reach it, and how many there may be."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from redraft.errors import RunNotFoundError
from redraft.mcp.opened import IDLE, LONE, MOST_OPEN, Folders, OpenWorks, connection, named_work


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
        works.put("board", "a", "first")
        mine = works.put("board", "a", "second")
        scene = works.put("scene", "a", "third")
    with by("two"):
        yours = works.put("board", "a", "fourth")
        assert works.find("board") is yours
    with by("one"):
        assert works.find("board") is mine
        assert works.find("scene") is scene
    assert len(works.open) == 3


def test_a_handle_goes_before_the_own_work_within_one_connection(works: OpenWorks) -> None:
    with by(LONE):
        one, _ = works.put("board", "a", 1), works.put("board", "b", 2)
        with named_work(one.handle):
            assert works.find("board") is one


def test_a_handle_of_another_connection_opens_nothing(works: OpenWorks) -> None:
    with by("one"):
        mine = works.put("board", "a", 1)
    for other in ("two", LONE, ""):
        with by(other), named_work(mine.handle):
            with pytest.raises(RunNotFoundError, match="is not open"):
                works.find("board")
            assert works.visible(mine.handle) is None


def test_a_handle_of_another_studio_is_refused_by_its_name(works: OpenWorks) -> None:
    with by(LONE):
        scene = works.put("scene", "a", 1)
        with named_work(scene.handle), pytest.raises(RunNotFoundError, match="a handle of the scene studio"):
            works.find("board")


def test_a_call_that_stands_alone_has_no_work_but_by_handle(works: OpenWorks) -> None:
    with by(LONE):
        board = works.put("board", "a", 1)
        with pytest.raises(RunNotFoundError, match="`handle`"):
            works.find("board")
        with named_work(board.handle):
            assert works.find("board") is board
        with named_work("guessed"), pytest.raises(RunNotFoundError, match="'guessed'"):
            works.find("board")


def test_handles_cannot_be_guessed_from_one_another(works: OpenWorks) -> None:
    with by(LONE):
        handles = {works.put("board", "a", 1).handle for _ in range(MOST_OPEN)}
    assert len(handles) == MOST_OPEN


def test_what_is_closed_ends_what_it_holds(works: OpenWorks) -> None:
    ended: list[str] = []
    with by("one"):
        works.put("scene", "a", 1, lambda: ended.append("first"))
        works.put("scene", "a", 2, lambda: ended.append("second"))
        assert ended == ["first"]
        works.put("shader", "a", 3, lambda: ended.append("shader"))
        works.close("one")
    assert sorted(ended) == ["first", "second", "shader"]
    assert works.open == {}
    works.put("scene", "a", 4, lambda: ended.append("last"))
    works.close_all()
    assert ended[-1] == "last"


def test_room_is_made_by_closing_what_is_idle(works: OpenWorks) -> None:
    with by(LONE):
        boards = [works.put("board", "a", number) for number in range(MOST_OPEN)]
        with pytest.raises(RunNotFoundError, match="in use"):
            works.put("board", "a", 1)
        works.clock = lambda: IDLE + 1
        with named_work(boards[0].handle):
            works.find("board")
        works.put("board", "a", 1)
    assert set(works.open) > {boards[0].handle}
    assert len(works.open) == 2
