"""Trials: arms share what they ask alike, keep to the budget, and go on where they were stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benched import BALL, TASK, Answering, ball, plan_of

from redraft.bench.arms import ABLATIONS, FIRST, KeptReplies, chosen_arms
from redraft.bench.tasks import Task
from redraft.bench.trials import Plan, Trial, checkpoints, run_trials
from redraft.errors import ConfigError, ModelUnavailableError, RunFormatError
from redraft.models.base import Message, Model, Request, digest
from redraft.result import Picture, Usage

pytestmark = pytest.mark.anyio

CRITIQUE = json.dumps({"summary": "It is right.", "score": 9, "satisfied": True, "differences": [], "rulings": []})


async def run(plan: Plan, model: Model, workers: int = 1) -> dict[str, Trial]:
    trials, _ = await run_trials(plan, lambda _, __: model, workers=workers)
    return {trial.arm: trial for trial in trials}


def course(trial: Trial) -> list[tuple[int, bool, bool | None]]:
    return [(shot.calls, shot.valid, shot.holds) for shot in trial.snapshots]


async def test_the_loop_repairs_what_one_draft_leaves(tmp_path: Path) -> None:
    model = Answering({"draft": BALL["high"], "repair": BALL["right"]})
    found = await run(plan_of(tmp_path, "one-shot", "retry", "loop"), model)
    assert course(found["one-shot"]) == course(found["retry"]) == [(1, False, False)]
    assert course(found["loop"]) == [(1, False, False), (2, True, True)]
    assert found["one-shot"].wrong == ("ball on box",)
    assert model.kinds == ["draft", "repair"], "the first draft is asked for once"


@pytest.mark.slow
async def test_a_model_that_sees_shares_its_first_draft_too(tmp_path: Path) -> None:
    model = Answering({"draft": BALL["right"], "critique": CRITIQUE}, sees=True)
    found = await run(plan_of(tmp_path, "one-shot", "retry", "loop"), model)
    assert model.kinds == ["draft", "critique"]
    assert [found[arm].snapshots[-1].calls for arm in found] == [1, 1, 2]


async def test_errors_go_back_on_retry_alone_and_in_the_loop(tmp_path: Path) -> None:
    model = Answering({"draft": "A ball.", "fix": BALL["right"]})
    found = await run(plan_of(tmp_path, "one-shot", "retry", "loop"), model)
    assert course(found["one-shot"]) == [(1, False, False)]
    assert (found["one-shot"].run, found["one-shot"].snapshots[0].delivered) == ("", False)
    assert course(found["retry"])[-1] == course(found["loop"])[-1] == (2, True, True)
    assert model.kinds == ["draft", "fix"]


async def test_independent_drafts_use_the_budget_and_the_best_is_kept(tmp_path: Path) -> None:
    model = Answering({"draft": [BALL["high"], BALL["right"], BALL["high"]]})
    found = await run(plan_of(tmp_path, "one-shot", "independent", calls=3), model)
    assert course(found["one-shot"]) == [(1, False, False)]
    assert course(found["independent"]) == [(1, False, False), (2, True, True), (3, True, True)]
    assert found["independent"].run == "independent/ball-0/draft-1"
    assert model.kinds == ["draft"] * 3, "the first of them is the one shot"


@pytest.mark.slow
async def test_a_cap_on_tokens_ends_all_arms(tmp_path: Path) -> None:
    model = Answering({"draft": BALL["high"], "repair": [ball(0.21), ball(0.22), BALL["right"]]}, tokens=100)
    found = await run(plan_of(tmp_path, "independent", "loop", calls=50, tokens=150), model)
    assert [s.tokens for s in found["independent"].snapshots] == [100, 200]
    assert found["loop"].snapshots[-1].tokens == 200
    assert not found["loop"].error


async def test_repeats_have_seeds_of_their_own(tmp_path: Path) -> None:
    model = Answering({"draft": BALL["right"]})
    await run_trials(plan_of(tmp_path, "one-shot", repeats=3, seed=5), lambda _, __: model)
    assert len({request.seed for request in model.requests}) == 3


async def test_a_seeded_draft_is_every_arms_first_one(tmp_path: Path) -> None:
    task = TASK.model_copy(update={"draft": BALL["high"]})
    model = Answering({"draft": BALL["right"], "repair": BALL["right"]})
    found = await run(plan_of(tmp_path, "one-shot", "independent", "loop", tasks=[task], calls=2), model)
    assert course(found["one-shot"]) == [(1, False, False)]
    assert course(found["independent"]) == course(found["loop"]) == [(1, False, False), (2, True, True)]


async def test_finished_trials_are_not_repeated(tmp_path: Path) -> None:
    model = Answering({"draft": BALL["high"], "repair": BALL["right"]})
    plan = plan_of(tmp_path, "one-shot", "loop")
    before = await run(plan, model)
    silent = Answering({})
    assert await run(plan, silent) == before
    assert silent.requests == []


@pytest.mark.slow
async def test_a_stopped_benchmark_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "one-shot", "loop")
    lost = Answering({"draft": BALL["high"], "repair": ModelUnavailableError("The network is down.")})
    with pytest.raises(ModelUnavailableError, match="network is down"):
        await run(plan, lost)
    assert (tmp_path / "one-shot" / "ball-0.json").is_file()
    assert not (tmp_path / "loop" / "ball-0.json").is_file()
    back = Answering({"repair": BALL["right"]})
    found = await run(plan, back)
    assert course(found["loop"]) == [(1, False, False), (2, True, True)]
    assert back.kinds == ["repair"]


async def test_one_failure_stops_the_tasks_beside_it(tmp_path: Path) -> None:
    tasks = [TASK.model_copy(update={"id": f"ball-{n}", "brief": f"a ball on a box, number {n}"}) for n in range(3)]
    model = Answering({"draft": ModelUnavailableError("The network is down.")})
    with pytest.raises(ModelUnavailableError):
        await run(plan_of(tmp_path, "one-shot", tasks=tasks), model, workers=3)


@pytest.mark.slow
async def test_tasks_at_once_give_the_same(tmp_path: Path) -> None:
    tasks = [TASK.model_copy(update={"id": f"ball-{n}", "brief": f"a ball on a box, number {n}"}) for n in range(3)]
    plans = [plan_of(tmp_path / str(workers), "one-shot", "loop", tasks=tasks) for workers in (1, 3)]
    made: list[object] = []
    for plan, workers in zip(plans, (1, 3), strict=True):
        model = Answering({"draft": BALL["high"], "repair": BALL["right"]})
        trials, asked = await run_trials(plan, lambda _, __, model=model: model, workers=workers)
        made.append([(trial.arm, trial.task, course(trial), asked) for trial in trials])
    assert made[0] == made[1]


async def test_a_brief_that_is_refused_is_a_failure_with_its_reason(tmp_path: Path) -> None:
    arms = chosen_arms("loop", "warm-memory")
    found = await run(Plan("sketch", [Task(id="empty", brief=" ")], arms, tmp_path, 4), Answering({}))
    assert len(found) == 2
    for trial in found.values():
        assert (trial.snapshots, trial.run) == ((), "")
        assert trial.error.startswith("The instruction is empty")


async def test_a_damaged_trial_is_named(tmp_path: Path) -> None:
    (tmp_path / "loop").mkdir()
    (tmp_path / "loop" / "ball-0.json").write_text("{}")
    with pytest.raises(RunFormatError, match=r"ball-0.json is not a finished trial. Delete it"):
        await run(plan_of(tmp_path, "loop"), Answering({}))


async def test_no_arm_touches_the_users_fix_memory(tmp_path: Path) -> None:
    plan = Plan("shader", (TASK,), (*chosen_arms(None, "all"),), tmp_path, 4)
    for arm in plan.arms:
        memory = plan.config(arm, TASK, 0, Usage(), tmp_path / "here").memory
        assert memory == ("none" if arm.memory == "none" else f"sqlite:{tmp_path / 'here' / 'fixes.db'}")


@pytest.mark.slow
async def test_warm_memory_runs_twice_and_counts_the_second_run(tmp_path: Path) -> None:
    warm = tuple(arm for arm in ABLATIONS if arm.name == "warm-memory")
    model = Answering({"draft": BALL["high"], "repair": BALL["right"]})
    found = await run(Plan("sketch", (TASK,), warm, tmp_path, 4), model)
    assert course(found["warm-memory"]) == [(1, False, False), (2, True, True)]
    assert model.kinds == ["draft", "repair"]
    assert (tmp_path / "warm-memory" / "ball-0" / "before" / "events.jsonl").is_file()


@pytest.mark.parametrize(("calls", "at"), [(1, [1]), (2, [1, 2]), (4, [1, 2, 4]), (6, [1, 2, 4, 6])])
async def test_checkpoints_double(calls: int, at: list[int]) -> None:
    assert checkpoints(calls) == at


def request(text: str = "Draw.", **more: object) -> Request:
    return Request.model_validate(
        {"kind": "sketch.draft", "path": FIRST, "inputs": {}, "messages": (Message(role="user", text=text),), **more}
    )


async def test_a_reply_is_kept_by_what_was_asked(tmp_path: Path) -> None:
    model = Answering({"draft": ["one", "two", "three", "four"]})
    kept = KeptReplies(model, tmp_path / "replies")
    first = await kept.ask(request())
    assert await kept.ask(request(path="iteration-2/draft")) == first, "the place does not count"
    other = [
        await kept.ask(one)
        for one in (request("Paint."), request(seed=7), request(pictures=[Picture(name="a", png=b"1")]))
    ]
    assert [reply.text for reply in (first, *other)] == ["one", "two", "three", "four"]
    assert await KeptReplies(Answering({}), tmp_path / "replies").ask(request()) == first
    assert kept.asked == 4


async def test_a_changed_reply_is_refused(tmp_path: Path) -> None:
    await KeptReplies(Answering({"draft": "one"}), tmp_path).ask(request())
    (tmp_path / f"{digest(request())}.json").write_text("one")
    with pytest.raises(RunFormatError, match=r"is not a kept reply\. Delete it"):
        await KeptReplies(Answering({}), tmp_path).ask(request())


async def test_a_blind_arm_says_so(tmp_path: Path) -> None:
    assert not KeptReplies(Answering({}, sees=True), tmp_path, blind=True).info.sees
    assert KeptReplies(Answering({}, sees=True), tmp_path).info.sees


async def test_arms_are_chosen_by_name() -> None:
    assert [arm.name for arm in chosen_arms(None, None)] == ["one-shot", "independent", "retry", "loop"]
    assert [arm.name for arm in chosen_arms("loop, retry", "no-critic")] == ["loop", "retry", "no-critic"]
    assert len(chosen_arms("loop", "all")) == 1 + len(ABLATIONS)
    for arms, ablations, said in (
        ("lop", None, r"--arms 'lop': 'lop' is unknown. Did you mean loop"),
        (None, "no-sun", r"--ablations 'no-sun': 'no-sun' is unknown"),
        ("", None, "No arm is left"),
    ):
        with pytest.raises(ConfigError, match=said):
            chosen_arms(arms, ablations)
