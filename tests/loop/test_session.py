"""Open work of any studio: steps back and forth, and calls that wait for one another."""

from __future__ import annotations

import anyio
import anyio.lowlevel
import pytest
from open_work import Work

from redraft.errors import BriefError, RunNotFoundError
from redraft.loop import session

pytestmark = pytest.mark.anyio


def with_steps(count: int) -> Work:
    work = Work()
    for step in range(count):
        work.append(step)
    return work


def test_steps_back_and_forth() -> None:
    work = with_steps(3)
    work.undo()
    work.undo()
    with pytest.raises(BriefError, match="nothing to undo"):
        work.undo()
    work.undo(redo=True)
    assert (work.steps[work.at], work.can_undo) == (1, 1)
    work.append(7)  # takes the place of the step that was undone
    assert work.steps == [0, 1, 7]
    with pytest.raises(BriefError, match="nothing to redo"):
        work.undo(redo=True)


def test_nothing_is_undone_before_the_first_step() -> None:
    work = Work()
    assert work.can_undo == 0
    with pytest.raises(BriefError, match="nothing to undo"):
        work.undo()


def test_the_oldest_step_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "MAX_UNDO", 2)
    work = with_steps(5)
    assert (work.steps, work.can_undo) == ([2, 3, 4], 2)
    work.undo()
    work.append(5)
    assert (work.steps, work.can_undo) == ([2, 3, 5], 2)


async def test_calls_run_one_after_another_and_none_on_what_was_closed_meanwhile() -> None:
    work, order = Work(), list[str]()

    async def call(name: str) -> None:
        try:
            async with work.turn():
                order.append(name)
                await anyio.lowlevel.checkpoint()
                if name == "second":
                    work.closed.set()
                order.append(name)
        except RunNotFoundError as error:
            order.append(f"{name}: {error}")

    async with anyio.create_task_group() as group:
        for name in ("first", "second", "third"):
            group.start_soon(call, name)
        await work.ended()
        order.append("ended")
    assert order[:4] == ["first", "first", "second", "second"]
    assert sorted(order[4:]) == ["ended", "third: '' was closed while this call waited. Nothing was changed."]
