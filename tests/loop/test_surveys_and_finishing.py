"""A critic that looks closer before it judges; moves that go into a program; what only a delivery has."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from toy import PIXEL, Number, ToyStudio, kinds, run_for

from redraft.brief import Brief
from redraft.config import BudgetSettings, Config, LoopSettings
from redraft.errors import ExecutionError, FormatError, ImageBackendError, InfrastructureError
from redraft.layout.items import Layout, Move, Solution
from redraft.loop.budget import plan_cost
from redraft.loop.keep import Progress
from redraft.loop.run import CUSTOM_MODEL, Run
from redraft.loop.turns import execute, run_loop
from redraft.models.scripted import ScriptedModel
from redraft.record.events import Event, RunFinished, Validated, Warned
from redraft.record.journal import read_events
from redraft.result import Picture, Report
from redraft.studios.base import Resources
from redraft.studios.kinds import FinishingStudio, LayoutStudio
from redraft.studios.requests import CritiqueRequest, StudioRequest

pytestmark = pytest.mark.anyio

JUDGED: dict[str, Any] = {"satisfied": True, "score": 9, "summary": "right", "differences": []}


def critique(**fields: Any) -> str:
    return json.dumps({**JUDGED, **fields})


class Shown(ToyStudio):
    """Has views by name; nobody has one called `moon`."""

    looks = "critique"

    def __init__(self) -> None:
        super().__init__()
        self.critiques: list[CritiqueRequest[Any]] = []

    def compose(self, request: StudioRequest[Any]) -> Any:
        if isinstance(request, CritiqueRequest):
            self.critiques.append(request)
        return super().compose(request)

    def refuse_looks(self, looks: Sequence[str]) -> None:
        if "sun" in looks:
            raise FormatError("look: 'sun' is no view")

    async def render(self, artifact: Number, views: Sequence[str], resources: Resources) -> list[Picture]:
        if "moon" in views:
            raise ExecutionError("there is no moon in it")
        if "storm" in views:
            raise InfrastructureError("the window broke")
        return [Picture(name=f"{view}.png", png=PIXEL) for view in views or ("standard",)]


async def judged(
    folder: Path, replies: list[str], studio: Shown, **loop: Any
) -> tuple[ScriptedModel, Progress, list[Event]]:
    events, model = list[Event](), ScriptedModel(["3", *replies], sees=True)
    desk = run_for(folder, model, studio=studio, loop={"iterations": 1, **loop}, observer=events.append)
    progress = Progress()
    try:
        await run_loop(desk, progress)
    finally:
        desk.journal.__exit__()
    return model, progress, events


async def test_a_critic_may_look_closer_before_it_judges(tmp_path: Path) -> None:
    studio = Shown()
    model, progress, _ = await judged(tmp_path, [critique(look=["left", "right"], score=2), critique(look=[])], studio)
    assert kinds(model.requests) == ["draft", "critique", "critique"]
    assert [r.path for r in model.requests][1:] == ["iteration-1/verify", "iteration-1/verify/look-1"]
    first, second = studio.critiques
    assert (first.looks, first.may_look) == ((), True)
    assert second.looks == ("left", "right")
    assert [picture.name for picture in second.pictures] == ["standard.png", "left.png", "right.png"]
    assert progress.best is not None
    assert progress.best.verdict.score == 0.9


async def test_looks_are_counted_and_the_last_reply_must_judge(tmp_path: Path) -> None:
    studio = Shown()
    replies = [critique(look=["a"]), critique(look=["b"]), critique(look=["c"]), critique()]
    model, progress, _ = await judged(tmp_path, replies, studio, looks=2)
    assert [facts.may_look for facts in studio.critiques] == [True, True, False]
    assert kinds(model.requests) == ["draft", "critique", "critique", "critique", "fix"]
    assert "look" in str(model.requests[-1].inputs["error"])
    assert progress.best is not None
    assert progress.best.verdict.by == "critic"


@pytest.mark.parametrize(
    ("view", "said"), [("sun", "no view"), ("moon", "no moon in it"), ("storm", "Judge by what you have seen")]
)
async def test_what_cannot_be_shown_goes_back_to_the_critic(tmp_path: Path, view: str, said: str) -> None:
    model, progress, events = await judged(tmp_path, [critique(look=[view]), critique(look=[])], Shown())
    assert kinds(model.requests) == ["draft", "critique", "fix"]
    assert said in str(model.requests[-1].inputs["error"])
    assert progress.best is not None
    assert progress.best.verdict.by == "critic"
    assert not [e for e in events if isinstance(e, Warned)]


async def test_a_studio_without_views_has_a_critic_that_only_judges(tmp_path: Path) -> None:
    model = ScriptedModel(["3", critique(look=["left"]), critique()], sees=True)
    desk = run_for(tmp_path, model, loop={"iterations": 1})
    await run_loop(desk, Progress())
    assert kinds(model.requests) == ["draft", "critique", "fix"]


def test_looks_of_the_critic_are_in_the_worst_case() -> None:
    loop = LoopSettings(iterations=2, looks=3)
    without = plan_cost(loop, critic=True)
    assert plan_cost(loop, critic=True, surveys=True) == without + 2 * 3
    assert plan_cost(loop, critic=False, surveys=True) == plan_cost(loop, critic=False)


class Pushed(ToyStudio, LayoutStudio[Any, Any]):
    """What is short of the wish is moved by its solver, each of whose moves adds what its x says."""

    def layout(self, artifact: Number) -> Layout:
        return Layout(())

    def solve(self, artifact: Number, base: Number | None, report: Report, brief: Brief, seed: int) -> Solution:
        return Solution((Move.shift("it", float(len(report.issues)), 0.0, "it is short"),), note="pushed it")

    def apply_moves(self, artifact: Number, moves: Sequence[Move]) -> Number:
        return Number(value=artifact.value + round(moves[0].matrix[4]))


async def test_the_moves_of_a_solver_are_applied_without_another_execution(tmp_path: Path) -> None:
    studio, events = Pushed(), list[Event]()
    desk = run_for(tmp_path, ScriptedModel(["1"]), studio=studio, observer=events.append)
    progress = Progress()
    await run_loop(desk, progress)
    assert studio.executed == [1]
    assert progress.best is not None
    assert progress.best.candidate is not None
    assert cast("Number", progress.best.candidate.artifact).value == 3
    validated = [e for e in events if isinstance(e, Validated)]
    assert [(e.source, e.key) for e in validated] == [
        ("draft", "iteration-1/validate-0"),
        ("solver", "iteration-1/validate-1"),
    ]
    assert "pushed it" in validated[1].note


async def test_a_move_that_the_medium_cannot_hold_is_left(tmp_path: Path) -> None:
    class Breaking(Pushed):
        def apply_moves(self, artifact: Number, moves: Sequence[Move]) -> Number:
            raise ExecutionError("the medium cannot hold it")

    studio = Breaking()
    model = ScriptedModel(["1", "4"])
    progress = Progress()
    await run_loop(run_for(tmp_path, model, studio=studio), progress)
    assert kinds(model.requests) == ["draft", "repair"]
    assert progress.best is not None
    assert progress.best.candidate is not None
    assert cast("Number", progress.best.candidate.artifact).value == 4


class Polished(ToyStudio, FinishingStudio[Any, Any]):
    """Doubles what is delivered; cannot finish 7."""

    finished: int = 0

    async def finish(self, artifact: Number, resources: Resources) -> Number:
        self.finished += 1
        if artifact.value == 7:
            raise InfrastructureError("the polish is out")
        return Number(value=artifact.value * 2)


async def delivered(folder: Path, reply: str, studio: ToyStudio, calls: int | None = None) -> Any:
    config = Config(model=CUSTOM_MODEL, budget=BudgetSettings(calls=calls))
    return await execute(Run(studio, ScriptedModel([reply]), Brief.of("at least 3"), folder, config=config))


async def test_a_run_that_met_its_cap_is_finished_anew_after_a_repair(tmp_path: Path) -> None:
    ended = await delivered(tmp_path / "run", "2", Polished(), calls=1)
    assert ended.error is not None
    assert ended.files["text"].read_text() == "4"
    result = await delivered(tmp_path / "run", "3", Polished(), calls=2)
    assert result.error is None
    assert result.files["text"].read_text() == "6"


async def test_only_what_is_delivered_is_finished(tmp_path: Path) -> None:
    studio = Polished()
    result = await delivered(tmp_path / "run", "4", studio)
    assert result.files["text"].read_text() == "8"
    again = await delivered(tmp_path / "run", "4", studio)
    assert again.files["text"].read_text() == "8"
    assert studio.finished == 1


async def test_what_cannot_be_finished_is_delivered_as_it_is_with_a_warning(tmp_path: Path) -> None:
    result = await delivered(tmp_path / "run", "7", Polished())
    assert result.files["text"].read_text() == "7"
    assert any("the polish is out" in warning for warning in result.warnings)
    assert result.error is None


async def test_a_finish_that_ends_the_run_delivers_what_there_is_and_says_where_it_ended(tmp_path: Path) -> None:
    class Unpaid(Polished):
        async def finish(self, artifact: Number, resources: Resources) -> Number:
            raise ImageBackendError("no credit is left")

    result = await delivered(tmp_path / "run", "4", Unpaid())
    assert result.files["text"].read_text() == "4"
    assert result.error == {"phase": "finish", "step": "iteration-1/finish", "message": "no credit is left"}


async def test_the_record_names_the_turn_and_the_check_of_what_is_delivered(tmp_path: Path) -> None:
    await delivered(tmp_path / "run", "4", ToyStudio())
    [done] = [event for event in read_events(tmp_path / "run") if isinstance(event, RunFinished)]
    assert (done.delivered, done.validation) == ("iteration-1", "iteration-1/validate-0")
    assert (done.valid, done.score, done.files, done.error) == (True, 1.0, {"text": "number.txt"}, None)
    await delivered(tmp_path / "none", "words", ToyStudio())
    [none] = [event for event in read_events(tmp_path / "none") if isinstance(event, RunFinished)]
    assert (none.valid, none.score, none.validation, none.report) == (False, 0.0, "", None)


async def test_a_solver_may_go_on_while_it_makes_things_better(tmp_path: Path) -> None:
    class Stepwise(Pushed):
        def solve(self, artifact: Number, base: Number | None, report: Report, brief: Brief, seed: int) -> Solution:
            return Solution((Move.shift("it", 1.0, 0.0),) if report.issues else ())

    model, progress = ScriptedModel(["1"]), Progress()
    await run_loop(run_for(tmp_path, model, studio=Stepwise()), progress)
    assert kinds(model.requests) == ["draft"]
    assert progress.best is not None
    assert progress.best.candidate is not None
    assert cast("Number", progress.best.candidate.artifact).value == 3
