"""Toward a target: a figure in every turn, by one metric, in its own direction; the best goes on and is delivered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import JsonValue
from toy import PIXEL, Number, ToyStudio, fixed_clock, run_for

from redraft.brief import TOWARD, Brief
from redraft.errors import InfrastructureError
from redraft.loop.keep import Candidate, Progress, reason
from redraft.loop.run import Run
from redraft.loop.turns import run_loop
from redraft.models.base import ModelInfo
from redraft.models.scripted import ScriptedModel
from redraft.record.events import Event, Place, RunStarted, Validated, Warned
from redraft.record.history import format_iteration_history, nearness
from redraft.record.transcript import fold
from redraft.result import Picture, Report, Score
from redraft.studios.base import Resources
from redraft.studios.kinds import TargetStudio
from redraft.studios.requests import StudioSettings

pytestmark = pytest.mark.anyio


class AimedStudio(ToyStudio, TargetStudio[Any, Any]):
    """A number is as far from the target, a file with a number in it, as it differs from that."""

    def __init__(self, name: str = "FLIP") -> None:
        super().__init__()
        self.by = name
        self.seen: list[tuple[Number | None, Score | None]] = []

    def metric(self, settings: StudioSettings) -> str:
        return self.by

    def about(self, brief: Brief, resources: Resources) -> dict[str, JsonValue]:
        return {"picture": "", "width": 1, "height": 1, "notes": [], "metric": self.by}

    async def shown(
        self, artifact: Number | None, score: Score | None, brief: Brief, resources: Resources
    ) -> list[Picture]:
        self.seen.append((artifact, score))
        return [Picture(name="target.png", png=PIXEL)]

    async def score(self, artifact: Number, brief: Brief, resources: Resources) -> Score:
        assert brief.target is not None
        if artifact.value == 99:
            raise InfrastructureError("the measure broke")
        apart = abs(artifact.value - int(brief.target.read_text())) / 100
        figure = 1 - apart if self.by == "SSIM" else apart
        return Score(metric=self.by, best=figure, mean=figure, frames=(figure,), reached=apart == 0)


def aimed(folder: Path, model: ScriptedModel, studio: AimedStudio, iterations: int) -> tuple[Run, list[Event]]:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "target").write_text("50")
    events: list[Event] = []
    desk = run_for(folder, model, studio=studio, loop={"iterations": iterations, "repairs": 0}, observer=events.append)
    desk.brief = Brief.of("at least 3", target=folder / "target")
    return desk, events


async def turns(
    folder: Path, replies: list[str], studio: AimedStudio | None = None
) -> tuple[Progress, list[Event], ScriptedModel]:
    model = ScriptedModel(replies)
    desk, events = aimed(folder, model, studio or AimedStudio(), len(replies))
    progress = Progress()
    await run_loop(desk, progress)
    desk.journal.__exit__()
    return progress, events, model


async def test_each_turn_has_its_figure_and_the_nearest_is_delivered(tmp_path: Path) -> None:
    progress, _, model = await turns(tmp_path, ["90", "60", "80"])
    records = progress.records
    assert [(r.metric, r.score, r.improved) for r in records] == [
        ("FLIP", 0.4, None),
        ("FLIP", 0.1, True),
        ("FLIP", 0.3, False),
    ]
    assert progress.best is not None
    assert progress.best.number == 2
    assert "Iter 2: FLIP=0.1000 [IMPROVED]" in model.requests[2].messages[-1].text
    assert "| 60 |" in model.requests[2].messages[-1].text, "an edit is of the best so far"


async def test_higher_is_better_where_the_metric_says_so(tmp_path: Path) -> None:
    progress, _, _ = await turns(tmp_path, ["90", "60", "80"], AimedStudio("SSIM"))
    assert [r.improved for r in progress.records] == [None, True, False]
    assert progress.best is not None
    assert progress.best.number == 2


async def test_lpips_fills_the_specifications_own_fields(tmp_path: Path) -> None:
    progress, _, _ = await turns(tmp_path, ["90", "60"], AimedStudio("LPIPS"))
    assert [(r.lpips_score, r.lpips_improved) for r in progress.records] == [(0.4, None), (0.1, True)]
    assert "Iter 2: LPIPS=0.1000 [IMPROVED] | Approach: say 60" in format_iteration_history(progress.records)


async def test_other_metrics_leave_them_empty(tmp_path: Path) -> None:
    progress, _, _ = await turns(tmp_path, ["90", "60"])
    assert {r.lpips_score for r in progress.records} == {None}


async def test_near_enough_ends_the_run(tmp_path: Path) -> None:
    progress, _, model = await turns(tmp_path, ["50", "60", "70"])
    assert len(model.requests) == 1
    assert progress.best is not None
    assert (progress.best.verdict.by, progress.best.verdict.satisfied) == ("metric", True)
    assert progress.best.verdict.measured is not None


async def test_validity_comes_before_nearness(tmp_path: Path) -> None:
    """1 and 2 lack what the brief asks for, however near they may be."""
    progress, _, _ = await turns(tmp_path, ["90", "2"], AimedStudio())
    assert progress.best is not None
    assert progress.best.number == 1


async def test_candidates_are_ranked_by_the_target_when_their_reports_are_alike(tmp_path: Path) -> None:
    model = ScriptedModel(["90", "55", "70"])
    desk, _ = aimed(tmp_path, model, AimedStudio(), 1)
    desk.config = desk.config.model_copy(update={"loop": desk.loop.model_copy(update={"candidates": 3})})
    progress = Progress()
    await run_loop(desk, progress)
    assert progress.best is not None
    assert progress.best.candidate is not None
    assert cast("Number", progress.best.candidate.artifact).value == 55
    desk.journal.__exit__()


async def test_what_cannot_be_measured_is_said_and_has_no_figure(tmp_path: Path) -> None:
    progress, events, _ = await turns(tmp_path, ["99", "60"])
    assert [r.score for r in progress.records] == [None, 0.1]
    assert {r.metric for r in progress.records} == {"FLIP"}, "no other metric stands in"
    assert any("the measure broke" in e.message for e in events if isinstance(e, Warned))
    assert progress.best is not None
    assert progress.best.number == 2


async def test_the_record_holds_every_figure_and_a_resume_measures_nothing_again(tmp_path: Path) -> None:
    _, events, _ = await turns(tmp_path, ["90", "60"])
    assert [e.score.best for e in events if isinstance(e, Validated) and e.score] == [0.4, 0.1]
    again = AimedStudio()
    again.score = None  # type: ignore[assignment, method-assign]
    progress, _, model = await turns(tmp_path, ["", ""], again)
    assert model.requests == []
    assert [r.score for r in progress.records] == [0.4, 0.1]
    start = RunStarted(
        key="run", at=fixed_clock(), redraft="0", run="r", studio="toy", brief={}, config={}, model={}, seed=0,
        worst_case_calls=0,
    )  # fmt: skip
    found = fold([start, *events], tmp_path)
    assert [v.score.best for t in found.turns for v in t.validations if v.score] == [0.4, 0.1]
    assert {step.kind for step in found.steps} == {"toy.draft", "toy.edit"}, "measuring is no call"


class Seeing(ScriptedModel):
    @property
    def info(self) -> ModelInfo:
        return ModelInfo(name="seeing", sees=True)


async def test_a_model_that_sees_is_shown_the_target_beside_the_best(tmp_path: Path) -> None:
    dark = [{"text": "lighten it", "weight": "minor"}]
    critique = json.dumps({"satisfied": True, "score": 9, "summary": "the left is too dark", "differences": dark})
    model, studio = Seeing(["90", critique, "60", critique]), AimedStudio()
    desk, _ = aimed(tmp_path, model, studio, 2)
    progress = Progress()
    await run_loop(desk, progress)
    desk.journal.__exit__()
    values = [None if artifact is None else artifact.value for artifact, _ in studio.seen]
    assert values == [None, 90, 90, 60], "draft, critique, edit, critique"
    assert all(request.pictures for request in model.requests)
    verdict = progress.turns[1].verdict
    assert (verdict.by, verdict.satisfied) == ("critic", False), "with a target its distance decides"
    assert "the left is too dark" in model.requests[2].messages[-1].text


def test_nearness_orders_scores_whatever_the_metric() -> None:
    near, far = Score(metric="FLIP", best=0.1, mean=0.1), Score(metric="FLIP", best=0.2, mean=0.1)
    assert nearness(near) > nearness(far) > nearness(None)
    assert nearness(replace_metric(far)) > nearness(replace_metric(near))


def replace_metric(score: Score) -> Score:
    return score.model_copy(update={"metric": "SSIM"})


def test_what_is_farther_away_is_discarded_for_its_distance() -> None:
    near, far = (
        Candidate(Number(value=1), Report(), "edit", Place(2), score=Score(metric="FLIP", best=best, mean=best))
        for best in (0.0721, 0.0725)
    )
    assert reason(near, far) == "its FLIP is 0.0725, and 0.0721 was reached before"


def test_a_target_needs_no_words() -> None:
    assert Brief.of("", target=Path("x.png")).instruction == TOWARD


async def test_no_turn_is_spent_where_the_critic_sees_no_difference_from_the_target(tmp_path: Path) -> None:
    same = '```json\n{"satisfied": true, "score": 9, "summary": "no difference can be seen", "differences": []}\n```'
    model = Seeing(["90", same, "60", same])
    run, _ = aimed(tmp_path, model, AimedStudio(), 3)
    await run_loop(run, Progress())
    run.journal.__exit__()
    assert len(model.requests) == 2
