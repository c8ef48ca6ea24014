"""Fast retries: at most `loop.fixes` in a turn, all in its record, each with the prompt and the fixes of its error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from toy import StatingToy, ToyStudio, kinds, run_for
from toy_program import ProgramStudio, cache_in

from redraft.errors import ExecutionError, InfrastructureError
from redraft.loop.attempt import Retries
from redraft.loop.keep import Progress
from redraft.loop.turns import execute, run_loop
from redraft.models.scripted import ScriptedModel
from redraft.record.events import Attempted, Event
from redraft.result import Failure, IterationRecord
from redraft.studios.base import Resources, Studio
from redraft.studios.requests import FixRequest, StudioRequest

pytestmark = pytest.mark.anyio

FORMAT, RAISED = Failure(failure_class="E2", message="prose"), Failure(failure_class="E1", message="-1 is negative")


async def turn(
    folder: Path, replies: list[str], studio: Studio[Any, Any] | None = None, *, sees: bool = False, **loop: Any
) -> tuple[list[str], IterationRecord, list[Event]]:
    """One turn: the kinds of its requests, its record, and its events."""
    model, events, progress = ScriptedModel(replies, sees=sees), list[Event](), Progress()
    run = run_for(folder, model, studio=studio, loop={"iterations": 1, **loop}, observer=events.append)
    try:
        await run_loop(run, progress)
    finally:
        run.journal.__exit__()
    return kinds(model.requests), progress.records[0], events


def test_no_more_retries_than_there_are() -> None:
    retries = Retries(2)
    assert [retries.take(each) for each in (FORMAT, RAISED, RAISED)] == [True, True, False]
    assert (retries.count, retries.left) == (2, 0)
    assert retries.errors == ["E2: prose", "E1: -1 is negative", "E1: -1 is negative"]


def test_drafts_made_at_once_share_them() -> None:
    retries = Retries(3)
    shares = retries.shares(2)
    assert [share.left for share in shares] == [2, 1]
    assert [[share.take(RAISED) for _ in range(2)] for share in shares] == [[True, True], [True, False]]
    retries.collect(shares)
    assert (retries.count, retries.left, len(retries.errors)) == (3, 0, 4)


async def test_a_draft_and_its_repairs_share_the_retries_of_a_turn(tmp_path: Path) -> None:
    replies = ["a", "-1", "1", "b", "-2", "c"]
    asked, record, events = await turn(tmp_path, replies, repairs=2)
    assert asked == ["draft", "fix", "fix", "repair", "fix", "repair"]
    assert record.retry_count == 3
    assert [error[:3] for error in record.errors] == ["E2:", "E1:", "E2:", "E1:", "E2:"]
    counts = [(event.retry_count, len(event.errors)) for event in events if isinstance(event, Attempted)]
    assert counts == [(2, 2), (1, 2), (0, 1)]


async def test_a_critique_shares_the_retries_of_its_turn(tmp_path: Path) -> None:
    asked, record, _ = await turn(tmp_path, ["a", "-1", "3", "fine", "fine"], StatingOdd(), sees=True)
    assert asked == ["draft", "fix", "fix", "critique", "fix"]
    assert record.retry_count == 3
    assert [error[:3] for error in record.errors] == ["E2:", "E1:", "E2:", "E2:"]


async def test_candidates_share_the_retries_of_a_turn(tmp_path: Path) -> None:
    asked, record, _ = await turn(tmp_path, ["-1"] * 8, candidates=5)
    assert sorted(asked) == [*["draft"] * 5, *["fix"] * 3]
    assert (record.retry_count, len(record.errors)) == (3, 8)


async def test_each_turn_has_retries_of_its_own(tmp_path: Path) -> None:
    model, progress = ScriptedModel(["a"] * 8), Progress()
    run = run_for(tmp_path, model, loop={"iterations": 2})
    await run_loop(run, progress)
    run.journal.__exit__()
    assert [record.retry_count for record in progress.records] == [3, 3]
    assert kinds(model.requests) == ["draft", "fix", "fix", "fix"] * 2


class StatingOdd(StatingToy):
    """Drafts that are words or negative fail."""

    def parse(self, kind: Any, text: str, base: Any, *, strict: bool = False) -> Any:
        if not text.startswith("{"):
            ToyStudio.parse(self, kind, text, None)
        return super().parse(kind, text, base)

    async def execute(self, spec: Any, base: Any, resources: Resources) -> Any:
        await ToyStudio.execute(self, spec, base, resources)
        return await super().execute(spec, base, resources)


class Keeping(ProgramStudio):
    """It keeps the requests for fixes."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[FixRequest[Any]] = []

    def compose(self, request: StudioRequest[Any]) -> Any:
        if isinstance(request, FixRequest):
            self.requests.append(request)
        return super().compose(request)


class Patching(Keeping):
    """Its interpreter fixes `colr`."""

    failed = "failed.glsl"

    def __init__(self, failures: int = 0) -> None:
        super().__init__()
        self.failures = failures

    async def execute(self, spec: Any, base: Any, resources: Resources) -> Any:
        if self.failures:
            self.failures -= 1
            raise InfrastructureError("the worker died")
        try:
            return await super().execute(spec, base, resources)
        except ExecutionError as error:
            line = next((n for n, text in enumerate(spec.code.split("\n"), 1) if "colr" in text), 0)
            patches = [{"line": line, "before": "colr", "after": "color", "why": "it is near"}] if line else []
            raise ExecutionError(str(error), by=error.by, patches=patches) from error


async def test_a_fix_request_has_the_failure_the_failing_code_and_what_was_fixed_without_a_model(
    tmp_path: Path,
) -> None:
    studio = Patching()
    broken = "float x = colr\nfloat y = wrong\nreturn x"
    await turn(tmp_path, [broken, "prose", "return x\nreturn x\nreturn x"], studio)
    first, second = studio.requests
    assert (first.failure.failure_class, second.failure.failure_class) == ("E1", "E2")
    assert "`wrong' undeclared" in first.failure.message
    assert first.reply == broken.replace("colr", "color")
    assert first.changed == ("line 1 was changed: 'colr' became 'color' (it is near).",)
    assert (second.reply, second.changed) == ("prose", ())


@pytest.mark.parametrize("candidates", [1, 3])
async def test_a_run_without_a_result_leaves_its_last_program(tmp_path: Path, candidates: int) -> None:
    replies = [f"return {letter}" for letter in "abcdef"]
    run = run_for(tmp_path, ScriptedModel(replies), studio=Patching(), loop={"iterations": 1, "candidates": candidates})
    run.journal.__exit__()
    result = await execute(run)
    assert not result.valid
    assert result.files["failed"].read_text() in {f"{reply}\n" for reply in replies}
    if candidates == 1:
        assert result.files["failed"].read_text() == "return d\n"


async def test_a_run_that_infrastructure_ends_leaves_its_program_too(tmp_path: Path) -> None:
    run = run_for(tmp_path, ScriptedModel(["return x"]), studio=Patching(failures=2))
    run.journal.__exit__()
    result = await execute(run)
    assert result.error is not None
    assert "the worker died" in str(result.error["message"])
    assert result.files["failed"].read_text() == "return x\n"


async def test_a_run_with_a_result_leaves_none(tmp_path: Path) -> None:
    run = run_for(tmp_path, ScriptedModel(["return y", "return x\nreturn x\nreturn x"]), studio=Patching())
    run.journal.__exit__()
    result = await execute(run)
    assert "failed" not in result.files
    assert not (tmp_path / "failed.glsl").exists()


async def test_a_fix_request_has_past_fixes_of_similar_errors(tmp_path: Path) -> None:
    good = "float color = 1\nfloat x = color\nreturn x"
    cache = cache_in(tmp_path)
    for number, broken in enumerate((good.replace("x = color", "x = colr"), "float y = 2\nfloat x = wrong\nreturn y")):
        studio = Keeping()
        run = run_for(tmp_path / str(number), ScriptedModel([broken, good]), studio=studio, loop={"iterations": 1})
        run.memory = cache
        await run_loop(run, Progress())
        run.journal.__exit__()
        assert ("Example 1" in studio.requests[0].examples) is (number == 1)
