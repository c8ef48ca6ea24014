"""A judge sees two pictures twice, without order or names; a position is no reason."""

from __future__ import annotations

import io
from pathlib import Path

import anyio
import numpy as np
import pytest
from benched import BALL, TASK, Answering, plan_of, verdict
from PIL import Image

from redraft.bench.judging import judge_pairs
from redraft.bench.result import Judged
from redraft.bench.trials import Trial, run_trials
from redraft.models.base import Request

pytestmark = pytest.mark.anyio


def redness(png: bytes) -> float:
    """The mean place of what is red, from the top; −1 where nothing is."""
    with Image.open(io.BytesIO(png)) as image:
        rgb = image.convert("RGB").resize((64, 64))
    pixels = np.asarray(rgb)
    rows, _ = np.nonzero((pixels[..., 0] > 150) & (pixels[..., 1] < 100) & (pixels[..., 2] < 100))
    return float(rows.mean()) / 64 if rows.size else -1.0


def sighted(request: Request) -> str:
    """Prefers the ball that lies lower, as on a box."""
    one, other = (redness(picture.png) for picture in request.pictures)
    return verdict("same" if one == other else "1" if one > other else "2")


Made = tuple[Path, list[Trial]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The trials of two tasks, and the folder of their runs."""
    folder = tmp_path_factory.mktemp("trials")
    tasks = [TASK, TASK.model_copy(update={"id": "other", "brief": "a ball on a box, drawn again"})]
    model = Answering({"draft": BALL["high"], "repair": BALL["right"]})
    plan = plan_of(folder, "one-shot", "loop", tasks=tasks)
    return folder, anyio.run(lambda: run_trials(plan, lambda _, __: model))[0]


async def judged(made: Made, judge: Answering) -> dict[tuple[str, str], Judged]:
    folder, trials = made
    found = await judge_pairs(trials, {"ball": TASK.brief, "other": "again"}, folder, judge, seed=3)
    return {(one.task, one.second): one for one in found}


async def test_a_judge_that_looks_prefers_the_loop(made: Made) -> None:
    found = await judged(made, Answering({"judge": sighted}, sees=True))
    assert {key: (one.better, one.flipped) for key, one in found.items()} == {
        ("ball", "one-shot"): ("first", False),
        ("other", "one-shot"): ("first", False),
        ("ball", "blank"): ("first", False),
        ("other", "blank"): ("first", False),
    }, "the two tasks' pictures are the same here, so neither is unrelated to the other"


@pytest.mark.parametrize("side", ["1", "2"])
async def test_a_judge_that_goes_by_position_says_nothing(side: str, made: Made) -> None:
    found = await judged(made, Answering({"judge": verdict(side)}, sees=True))
    assert {(one.better, one.flipped) for one in found.values()} == {("same", True)}


async def test_what_only_one_look_prefers_is_a_tie_and_no_flip(made: Made) -> None:
    seen: set[tuple[str, frozenset[bytes]]] = set()

    def once(request: Request) -> str:
        pair = (str(request.inputs["brief"]), frozenset(picture.png for picture in request.pictures))
        better = "same" if pair in seen else "1"
        seen.add(pair)
        return verdict(better)

    found = await judged(made, Answering({"judge": once}, sees=True))
    assert {(one.better, one.flipped, one.unread) for one in found.values()} == {("same", False, 0)}


async def test_an_answer_that_cannot_be_read_is_counted(made: Made) -> None:
    found = await judged(made, Answering({"judge": "The first one, I think."}, sees=True))
    assert {(one.better, one.unread) for one in found.values()} == {("same", 2)}


async def test_the_judge_sees_each_pair_both_ways_and_no_names(made: Made) -> None:
    judge = Answering({"judge": sighted}, sees=True)
    await judged(made, judge)
    pairs = [(request.inputs["brief"], *(picture.png for picture in request.pictures)) for request in judge.requests]
    assert sorted(pairs) == sorted((brief, second, first) for brief, first, second in pairs)
    assert len(set(pairs)) == len(pairs) == 8
    assert {picture.name for request in judge.requests for picture in request.pictures} == {"1.png", "2.png"}
    texts = " ".join(message.text for request in judge.requests for message in request.messages)
    texts += " ".join(request.path for request in judge.requests)
    for name in ("loop", "one-shot", "blank", "unrelated"):
        assert name not in texts


async def test_a_missing_picture_loses_without_a_question(made: Made) -> None:
    folder, trials = made
    trials = [trial.model_copy(update={"run": ""}) if trial.arm == "one-shot" else trial for trial in trials]
    judge = Answering({"judge": sighted}, sees=True)
    found = await judge_pairs(trials, {"ball": TASK.brief, "other": "again"}, folder, judge)
    own = [one for one in found if one.second == "one-shot"]
    assert [(one.better, one.asked) for one in own] == [("first", False)] * 2


async def test_the_same_picture_is_a_tie_without_a_question(made: Made) -> None:
    folder, trials = made
    loops = [trial for trial in trials if trial.arm == "loop"]
    twins = [*loops, *(trial.model_copy(update={"arm": "twin"}) for trial in loops)]
    found = await judge_pairs(
        twins, {"ball": TASK.brief, "other": "again"}, folder, Answering({"judge": sighted}, sees=True)
    )
    assert {(one.better, one.asked) for one in found if one.second == "twin"} == {("same", False)}
