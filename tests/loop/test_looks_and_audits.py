"""A model that may look closer before it acts, and a judge outside redraft that is asked about what is valid."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from toy import Number, ToyStudio, kinds, run_for

from redraft.config import LoopSettings
from redraft.errors import InfrastructureError
from redraft.loop.budget import plan_cost
from redraft.loop.keep import Progress
from redraft.loop.run import Run
from redraft.loop.turns import run_loop
from redraft.models.scripted import ScriptedModel
from redraft.record.events import Event, Warned
from redraft.result import Issue, Report
from redraft.studios.base import Resources
from redraft.studios.kinds import AuditedStudio
from redraft.studios.requests import Kind, StudioRequest

pytestmark = pytest.mark.anyio


class Peeking(ToyStudio):
    """Zero asks to see `zero`, and is no answer."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[Kind, tuple[str, ...]]] = []

    def compose(self, request: StudioRequest[Any]) -> Any:
        self.seen.append((request.kind, request.looks))
        return super().compose(request)

    def wanted(self, spec: Number) -> tuple[str, ...]:
        return ("zero",) if spec.value == 0 else ()


@dataclass
class Judge:
    """Finds fault with 5, and cannot be asked about 6."""

    asked: list[int] = field(default_factory=list[int])

    def of(self, value: int) -> Report:
        self.asked.append(value)
        if value == 6:
            raise InfrastructureError("the judge crashed")
        fault = Issue(code="judge.five", severity="error", message="five is odd")
        return Report(issues=(fault,) if value == 5 else (), unchecked=("its colour",))


class Judged(ToyStudio, AuditedStudio[Any, Any]):
    auditor = "a judge"

    def __init__(self) -> None:
        super().__init__()
        self.judge = Judge()

    async def audit(self, artifact: Number, base: Number | None, resources: Resources) -> Report:
        return self.judge.of(artifact.value)


async def run(desk: Run) -> Progress:
    progress = Progress()
    await run_loop(desk, progress)
    return progress


async def test_a_look_is_one_more_request_and_no_failure(tmp_path: Path) -> None:
    studio = Peeking()
    model = ScriptedModel(["0", "0", "4"])
    progress = await run(run_for(tmp_path, model, studio=studio))
    assert studio.executed == [4]
    assert [looks for _, looks in studio.seen] == [(), ("zero",), ("zero", "zero")]
    assert [r.path for r in model.requests] == [
        "iteration-1/draft",
        "iteration-1/draft/look-1",
        "iteration-1/draft/look-2",
    ]
    assert progress.records[0].retry_count == 0


async def test_looks_have_a_budget(tmp_path: Path) -> None:
    studio = Peeking()
    await run(run_for(tmp_path, ScriptedModel(["0", "0", "4"]), studio=studio, loop={"looks": 1, "repairs": 1}))
    assert studio.executed == [0, 4]  # the second look is taken for an answer


async def test_what_was_seen_stays_in_sight_of_a_fix(tmp_path: Path) -> None:
    studio = Peeking()
    await run(run_for(tmp_path, ScriptedModel(["0", "words", "4"]), studio=studio))
    assert studio.seen[-1] == ("fix", ("zero",))


async def test_the_judge_is_asked_about_what_is_valid_only(tmp_path: Path) -> None:
    studio = Judged()
    model = ScriptedModel(["1", "5", "4"])
    progress = await run(run_for(tmp_path, model, studio=studio))
    assert kinds(model.requests) == ["draft", "repair", "repair"]
    assert studio.judge.asked == [5, 4]
    best = progress.best
    assert best is not None
    assert best.candidate is not None
    assert best.candidate.artifact == Number(value=4)
    assert best.candidate.report.unchecked == ("its colour",)


async def test_a_judge_that_does_not_answer_is_a_warning(tmp_path: Path) -> None:
    events: list[Event] = []
    progress = await run(run_for(tmp_path, ScriptedModel(["6"]), studio=Judged(), observer=events.append))
    assert [e.message for e in events if isinstance(e, Warned)] == ["the judge crashed"]
    assert progress.best is not None


async def test_a_judgement_is_not_asked_for_twice(tmp_path: Path) -> None:
    first, second = Judged(), Judged()
    desk = run_for(tmp_path, ScriptedModel(["4"]), studio=first)
    await run(desk)
    desk.journal.__exit__(None, None, None)
    await run(run_for(tmp_path, ScriptedModel([]), studio=second))
    assert (first.judge.asked, second.judge.asked) == ([4], [])


def test_looks_count_in_the_worst_case() -> None:
    loop = LoopSettings(iterations=1, candidates=1, fixes=1, repairs=1, looks=2)
    assert plan_cost(loop, critic=False) == 2 + 1
    assert plan_cost(loop, critic=True, looks=True) == 2 * (1 + 2) + 1 + 1
