"""The fix memory in an attempt: asked before the model, told what fixed an error, and never in the way."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, TypeVar

import pytest
from toy import kinds, run_for
from toy_program import BrokenStore, ProgramStudio, cache_in

from redraft.errors import MemoryStoreError
from redraft.fixes.base import Fix, open_store
from redraft.fixes.error_cache import ErrorCache
from redraft.fixes.sqlite import SqliteStore
from redraft.loop.keep import Progress
from redraft.loop.recall import Lessons
from redraft.loop.turns import run_loop
from redraft.models.scripted import ScriptedModel
from redraft.record.events import Attempted, Event, Learnt, Noted, Recalled, Warned
from redraft.record.log import log_lines
from redraft.result import Failure

pytestmark = pytest.mark.anyio

GOOD = "float color = 1\nfloat x = color\nreturn x"
BROKEN = GOOD.replace("x = color", "x = colr")
OTHER = "float y = 2\nfloat color = 1\n  float x = colr\nreturn y"
"""Another program with the same line, at another place."""


async def attempted(
    folder: Path, replies: list[str], memory: ErrorCache | None, studio: ProgramStudio | None = None
) -> tuple[ScriptedModel, list[Event]]:
    """One turn with these replies; what was asked, and what was recorded."""
    events: list[Event] = []
    model = ScriptedModel(replies)
    room = studio or ProgramStudio()
    desk = run_for(folder, model, studio=room, instruction="at least 3", loop={"iterations": 1}, observer=events.append)
    if memory is not None:
        desk.memory = memory
    progress = Progress()
    try:
        await run_loop(desk, progress)
    finally:
        desk.journal.__exit__()
    return model, events


EventT = TypeVar("EventT")


def only(events: list[Event], kind: type[EventT]) -> list[EventT]:
    return [event for event in events if isinstance(event, kind)]


async def test_what_fixed_an_error_is_learnt_and_serves_the_next_run(tmp_path: Path) -> None:
    first, events = await attempted(tmp_path / "one", [BROKEN, GOOD], cache_in(tmp_path))
    assert kinds(first.requests) == ["draft", "fix"]
    (learnt,) = only(events, Learnt)
    assert learnt.error == "glsl:undeclared_identifier"

    second, events = await attempted(tmp_path / "two", [BROKEN], cache_in(tmp_path))
    assert kinds(second.requests) == ["draft"]
    (recalled,) = only(events, Recalled)
    assert (recalled.worked, recalled.replayed) == (True, learnt.fix)
    assert (recalled.key, recalled.fixes, recalled.examples) == ("iteration-1/draft/recall-1", 1, 0)
    assert learnt.key == "iteration-1/draft/learn-1"
    (made,) = only(events, Attempted)
    assert made.patched == (
        "line 2 was changed as in an earlier run (glsl:undeclared_identifier): "
        "'float x = colr' became 'float x = color'.",
    )
    assert only(events, Learnt) == []
    (fix,) = cache_in(tmp_path).fixes("0:2(11): error: `colr' undeclared", BROKEN)
    assert (fix.times_used, fix.times_worked, fix.compiler) == (1, 1, "Mesa 22.3.6")


async def test_a_known_fix_is_no_retry_and_costs_no_call(tmp_path: Path) -> None:
    await attempted(tmp_path / "one", [BROKEN, GOOD], cache_in(tmp_path))
    studio = ProgramStudio()
    model, events = await attempted(tmp_path / "two", [OTHER], cache_in(tmp_path), studio)
    assert len(model.requests) == 1
    assert studio.compiled[-1] == OTHER.replace("colr", "color")
    assert [event.retry_count for event in only(events, Attempted)] == [0]


class Composing(ProgramStudio):
    """Keeps the requests that it composes."""

    def __init__(self) -> None:
        super().__init__()
        self.composed: list[Any] = []

    def compose(self, request: Any) -> Any:
        self.composed.append(request)
        return super().compose(request)


async def test_the_change_that_is_quoted_is_the_one_that_was_made(tmp_path: Path) -> None:
    """A reply that fails for another reason, too: the request for its fix names this program's lines."""
    await attempted(tmp_path / "one", [BROKEN, GOOD], cache_in(tmp_path))
    studio, reply = Composing(), OTHER.replace("return y", "return nonsense")
    _, events = await attempted(tmp_path / "two", [reply, GOOD], cache_in(tmp_path), studio)
    expected = (
        "line 3 was changed as in an earlier run (glsl:undeclared_identifier): "
        "'float x = colr' became 'float x = color'.",
    )
    _, fix = studio.composed
    assert fix.changed == expected
    assert "  float x = color\n" in fix.reply
    (made,) = only(events, Attempted)
    assert made.patched == expected
    assert log_lines(made)[0] == f"[PATCHED] {expected[0]}"


async def test_a_fix_of_another_line_is_an_example_only(tmp_path: Path) -> None:
    await attempted(tmp_path / "one", [BROKEN, GOOD], cache_in(tmp_path))
    studio, reply = Composing(), OTHER.replace("float x", "float alpha")
    _, events = await attempted(tmp_path / "two", [reply, GOOD], cache_in(tmp_path), studio)
    _, fix = studio.composed
    assert "float x = colr → float x = color" in fix.examples
    assert (fix.changed, only(events, Attempted)[0].patched) == ((), ())


async def test_a_fix_is_asked_for_with_three_examples_of_five(tmp_path: Path) -> None:
    memory, error = cache_in(tmp_path), "0:2(11): error: `colr' undeclared"
    for rest in ("", " + color", " - color", " * color", " / color"):
        broken = BROKEN.replace("colr", f"colr{rest}")
        memory.store(error, broken, broken.replace("colr", "color"), compiler="Mesa 22.3.6")
    assert len(memory.fixes(error)) == 5
    assert memory.get_few_shot_examples(error).count("Example ") == 3
    studio, reply = Composing(), OTHER.replace("float x", "float alpha")
    await attempted(tmp_path / "run", [reply, GOOD], memory, studio)
    _, fix = studio.composed
    assert [line.partition(":")[0] for line in fix.examples.splitlines()] == [
        "PAST FIXES FOR SIMILAR ERRORS", "Example 1", "Example 2", "Example 3",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "url", ["localhost:6379", "mysql://user:hunter2@localhost", "redis://:hunter2@127.0.0.1:1/0", ""]
)
async def test_a_redis_url_that_is_of_no_use_is_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    """Not a URL, no server at it, or (empty here) the package is missing."""
    if not url:
        monkeypatch.setitem(sys.modules, "redis", None)
    monkeypatch.setenv("REDIS_URL", url or "redis://localhost")
    model, events = await attempted(tmp_path / "run", [BROKEN, GOOD], ErrorCache(open_store("auto")))
    assert kinds(model.requests) == ["draft", "fix"]
    assert only(events, Attempted)[0].ran
    [warning] = only(events, Warned)
    assert "off for this run" in warning.message
    assert "memory: sqlite" in warning.message
    assert "hunter2" not in warning.message


async def test_a_fix_that_does_not_help_is_demoted_and_the_model_asked(tmp_path: Path) -> None:
    memory = cache_in(tmp_path)
    memory.store(
        "0:2(11): error: `colr' undeclared", BROKEN, BROKEN.replace("colr", "gamma_of"), compiler="Mesa 22.3.6"
    )
    model, events = await attempted(tmp_path / "run", [BROKEN, GOOD], memory)
    assert kinds(model.requests) == ["draft", "fix"]
    assert BROKEN in model.requests[1].messages[-1].text, "what is to be fixed is what the model wrote"
    tried, shown = only(events, Recalled)
    assert (tried.worked, shown.replayed, shown.examples) == (False, "", 1)
    worst = cache_in(tmp_path).fixes("0:2(11): error: `colr' undeclared", BROKEN)
    assert {fix.fixed_snippet.split()[-1]: (fix.times_used, fix.times_worked) for fix in worst} == {
        "gamma_of": (1, 0),
        "color": (0, 0),
    }


async def test_one_try_for_each_kind_of_error_in_an_attempt(tmp_path: Path) -> None:
    memory = cache_in(tmp_path)
    for wrong in ("gamma_of", "delta_of"):
        memory.store("0:2(11): error: `colr' undeclared", BROKEN, BROKEN.replace("colr", wrong))
    studio = ProgramStudio()
    await attempted(tmp_path / "run", [BROKEN, BROKEN.replace("= 1", "= 3"), GOOD], memory, studio)
    assert len(studio.compiled) == 4, "three replies and one known fix"


@pytest.mark.parametrize("replies", [[BROKEN, GOOD], [GOOD], ["no program", GOOD]])
async def test_a_memory_that_is_gone_is_one_warning_and_changes_nothing(tmp_path: Path, replies: list[str]) -> None:
    store = BrokenStore()
    without, _ = await attempted(tmp_path / "without", replies, None)
    model, events = await attempted(tmp_path / "with", replies, ErrorCache(store))
    assert model.requests == without.requests
    asked = replies[0] == BROKEN
    assert store.asked == asked
    said = [event.message for event in only(events, Warned)]
    assert len(said) == asked
    assert all("off for this run: nobody answers" in message for message in said)
    off = [event for event in events if isinstance(event, Noted) and event.topic == "memory off"]
    assert len(off) == asked


async def test_what_is_recorded_is_not_asked_again(tmp_path: Path) -> None:
    """A resumed attempt takes recalls and lessons from the record: the store may have changed since."""
    await attempted(tmp_path / "run", [BROKEN, GOOD], cache_in(tmp_path))
    store = BrokenStore()
    again, events = await attempted(tmp_path / "run", [], ErrorCache(store))
    assert (len(again.requests), store.asked) == (0, 0)
    assert only(events, Warned) == []


def failure(key: str) -> Failure:
    return Failure(failure_class="E1", message=key, keys=(key,))


def test_lessons_are_the_steps_that_made_an_error_vanish() -> None:
    lessons = Lessons()
    lessons.add(failure("glsl:a"), "one")
    lessons.add(failure("glsl:a"), "two")
    lessons.add(failure("glsl:b"), "three")
    assert [(f.key, before, after) for f, before, after in lessons.learnt("four")] == [
        ("glsl:a", "two", "three"),
        ("glsl:b", "three", "four"),
    ]


def test_what_the_memory_fixed_teaches_nothing_new() -> None:
    lessons = Lessons()
    lessons.add(failure("glsl:a"), "one")
    lessons.replayed.add(0)
    lessons.add(failure("glsl:b"), "two")
    assert [f.key for f, _, _ in lessons.learnt("three")] == ["glsl:b"]


async def test_a_memory_that_can_be_read_but_not_written_is_one_warning(tmp_path: Path) -> None:
    await attempted(tmp_path / "one", [BROKEN, GOOD], cache_in(tmp_path))

    class ReadOnly(SqliteStore):
        def count(self, fix: Fix, *, worked: bool) -> None:
            raise MemoryStoreError("it cannot be written")

    memory = ErrorCache(ReadOnly(tmp_path / "fixes.sqlite"))
    model, events = await attempted(tmp_path / "two", [BROKEN], memory)
    assert kinds(model.requests) == ["draft"]
    [warning] = only(events, Warned)
    assert warning.message == "The fix memory cannot be used and is off for this run: it cannot be written"
