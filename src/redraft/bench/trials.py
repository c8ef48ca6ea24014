"""Trials: each arm on each task, in run folders `OUT/ARM/TASK-REPEAT/`, looked at whenever the calls have doubled.

A trial's cap on calls is raised step by step, so what it would have delivered after 1, 2, 4 … calls is known from one
run. Replies are kept in `OUT/replies/` and finished trials in `OUT/ARM/TASK-REPEAT.json`: a benchmark that was stopped
goes on where it was, and asks nothing twice.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

import anyio
from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from redraft import api
from redraft.bench.arms import Arm, KeptReplies
from redraft.bench.oracles import Answer, answer, evidence_of
from redraft.bench.tasks import Task
from redraft.config import Config
from redraft.errors import BriefError, IdeaError, RedraftError, RunFormatError
from redraft.files import write_atomic
from redraft.limits import RECORD, read_file
from redraft.models.base import Model
from redraft.options import config_of
from redraft.result import Result, Usage
from redraft.stages.candidates import merit
from redraft.studios import open_studio, settings_of

__all__ = ["REPLIES", "Plan", "Snapshot", "Trial", "at_once", "checkpoints", "run_trials"]

REPLIES = "replies"
REPEAT = 1000
"""From the number of a draft to that of the same draft in the next repeat; seeds follow them."""
RECORDS = {"events", "failed", "report", "transcript"}
"""Files of a run that delivered nothing."""


class Snapshot(BaseModel):
    """What a trial would have delivered after so many calls and tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    calls: int
    tokens: int
    delivered: bool
    valid: bool
    """Delivered, without an error, and with no statement of its own left in question."""
    holds: bool | None = None
    """All oracles hold; None without one."""
    share: float | None = None
    """Share of the oracles' statements that hold."""


class Trial(BaseModel):
    """One arm on one task, once."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    arm: str
    task: str
    repeat: int
    snapshots: tuple[Snapshot, ...] = ()
    """In the order of calls; the last one is the end."""
    run: str = ""
    """Folder of the delivered run, seen from the benchmark's; empty if nothing was delivered."""
    wrong: tuple[str, ...] = ()
    """Statements of the oracles that do not hold in the end."""
    error: str = ""
    """The reason that it ended early, other than the budget."""
    seconds: float = 0.0


@dataclass(frozen=True)
class Plan:
    """Tasks, arms, budget and seeds."""

    studio: str
    tasks: Sequence[Task]
    arms: Sequence[Arm]
    out: Path
    calls: int
    tokens: int | None = None
    repeats: int = 1
    seed: int = 0
    file: Path | None = None
    """Settings."""
    settings: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """By dotted keys, for all arms."""

    def config(self, arm: Arm, task: Task, draft: int, spent: Usage, folder: Path) -> Config:
        """Return the settings of one run with what is left of the budget. Raises `ConfigError`."""
        studio, more = open_studio(self.studio), {**self.settings, **arm.settings, **task.settings}
        more = {key: value for key, value in more.items() if not key.startswith("studios.") or self.studio in key}
        if "prompt.scoring.num_ideas" in more:
            more["prompt.scoring.enabled"] = True
        left = None if self.tokens is None else max(1, self.tokens - spent.input_tokens - spent.output_tokens)
        more |= {"budget.calls": self.calls - spent.calls, "budget.tokens": left, "seed": self.seed + draft}
        more["memory"] = "none" if arm.memory == "none" else f"sqlite:{folder / 'fixes.db'}"
        return config_of(studio, {}, file=self.file, more=more)


def checkpoints(calls: int) -> list[int]:
    """1, 2, 4 … and the cap itself."""
    return [*(1 << n for n in range(calls.bit_length()) if 1 << n < calls), calls]


async def run_trials(
    plan: Plan,
    model: Callable[[Config, str], Model],
    *,
    workers: int = 1,
    tell: Callable[[Trial], None] = lambda _: None,
) -> tuple[list[Trial], int]:
    """Run every arm on every task, so many drafts at once; finished trials are read and not repeated.

    `model` is called with the settings of each draft and a name for it.

    Returns:
        The trials in the plan's order, and the number of requests that the model answered.

    Raises:
        ModelError: the model is out of reach or refuses; what is finished is kept.
        ConfigError, MissingPartError: something is wrong or missing.
    """
    found: dict[tuple[str, int, str], Trial] = {}
    locks, slots, all_kept = dict[str, anyio.Lock](), anyio.Semaphore(workers), list[KeptReplies]()

    async def one(task: Task, repeat: int, arm: Arm) -> None:
        def kept(config: Config, number: int) -> KeptReplies:
            own, draft = model(config, f"{task.id}, draft {number}"), "" if number % REPEAT else task.draft
            all_kept.append(
                KeptReplies(own, plan.out / REPLIES, blind=arm.blind, draft=draft, locks=locks, slots=slots)
            )
            return all_kept[-1]

        found[arm.name, repeat, task.id] = made = await _trial(plan, arm, task, repeat, kept, slots)
        tell(made)

    jobs = [partial(one, t, repeat, arm) for arm in plan.arms for repeat in range(plan.repeats) for t in plan.tasks]
    await at_once(len(jobs), jobs)
    order = [(arm.name, repeat, task.id) for arm in plan.arms for repeat in range(plan.repeats) for task in plan.tasks]
    return [found[key] for key in order], sum(kept.asked for kept in all_kept)


async def at_once(workers: int, jobs: Iterable[Callable[[], Awaitable[None]]]) -> None:
    """Do jobs, so many at once. The first that fails stops the others, and its error is raised."""
    limiter, failed = anyio.CapacityLimiter(workers), list[RedraftError]()

    async def one(job: Callable[[], Awaitable[None]]) -> None:
        async with limiter:
            try:
                await job()
            except RedraftError as error:
                failed.append(error)
                group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        for job in jobs:
            group.start_soon(one, job)
    if failed:
        raise failed[0]


async def _trial(
    plan: Plan, arm: Arm, task: Task, repeat: int, kept: Callable[[Config, int], KeptReplies], slots: anyio.Semaphore
) -> Trial:
    """One trial: read where it is finished, otherwise run from the beginning by kept replies and new ones."""
    folder = plan.out / arm.name / f"{task.id}-{repeat}"
    record = folder.with_suffix(".json")
    if record.is_file():
        try:
            return Trial.model_validate_json(read_file(record, RECORD))
        except ValidationError as error:
            raise RunFormatError(f"{record} is not a finished trial. Delete it to run it again.") from error
    shutil.rmtree(folder, ignore_errors=True)  # stopped in its middle
    began, shots, best, error = perf_counter(), list[Snapshot](), None, ""
    folder.mkdir(parents=True)
    drafts: dict[int, tuple[list[tuple[Result, Answer | None]], str]] = {}

    async def draft_(number: int, spent: Usage) -> None:
        config = plan.config(arm, task, REPEAT * repeat + number, spent, folder)
        own = kept(config, REPEAT * repeat + number)
        async with slots:
            drafts[number] = await _drafted(plan.studio, arm, task, number, config, folder, own)

    ahead = 0
    if arm.redraws and plan.tokens is None:  # their number is known, so all are asked for at once
        studio, config = open_studio(plan.studio), plan.config(arm, task, 0, Usage(), folder)
        each = studio.draft_calls(settings_of(studio, config.studios.get(studio.name, {})), ideas=False)
        ahead = max(1, plan.calls // each)
        await at_once(ahead, [partial(draft_, number, Usage()) for number in range(ahead)])
    for number in count():
        before, spent = best, _spent(shots)
        if number not in drafts:
            await draft_(number, spent)
        results, error = drafts[number]
        for result, said in results:
            best = (result, said) if before is None or _rank(result) > _rank(before[0]) else before
            shots.append(_snapshot(*best, spent + result.usage))
        now = _spent(shots)
        if not arm.redraws or error or now.calls in (spent.calls, plan.calls) or number + 1 == ahead:
            break
        if plan.tokens is not None and now.input_tokens >= plan.tokens:
            break
    result, said = best if best is not None and _delivers(best[0]) else (None, None)
    made = Trial(
        arm=arm.name,
        task=task.id,
        repeat=repeat,
        snapshots=tuple(shots),
        run="" if result is None else result.run.relative_to(plan.out).as_posix(),
        wrong=() if said is None else said.wrong,
        error=error,
        seconds=round(perf_counter() - began, 2),
    )
    write_atomic(record, made.model_dump_json(indent=1) + "\n")
    return made


async def _drafted(
    studio: str, arm: Arm, task: Task, number: int, config: Config, folder: Path, model: KeptReplies
) -> tuple[list[tuple[Result, Answer | None]], str]:
    """What one draft delivers at each cap on calls, and the reason that it ended early."""
    found, error = list[tuple[Result, Answer | None]](), ""
    try:
        if arm.memory == "warm":
            async with aclosing(_steps(studio, task, config, folder / "before", model)) as steps:
                async for _ in steps:
                    pass
        async with aclosing(_steps(studio, task, config, folder / f"draft-{number}", model)) as steps:
            async for result in steps:
                found.append((result, answer(task.oracles, evidence_of(result.run))))  # it goes on in this folder
                error = _ended(result, config)
    except (BriefError, IdeaError) as failure:
        error = str(failure)
    return found, error


async def _steps(studio: str, task: Task, config: Config, folder: Path, model: KeptReplies) -> AsyncGenerator[Result]:
    """One run under a growing cap on calls, with what it delivers at each."""
    assert config.budget.calls is not None
    result: Result | None = None
    for cap in checkpoints(config.budget.calls):
        if result is None:
            capped = config.model_copy(update={"budget": config.budget.model_copy(update={"calls": cap})})
            source: dict[str, Any] = {"source": task.source} if task.source else {}
            result = await api.arun(studio, task.brief, model=model, config=capped, out=folder, **source)
        else:
            result = await api.aresume(folder, model=model, caps={"calls": cap})
        if model.failure is not None:
            raise model.failure
        yield result
        if result.error is None or result.usage.calls < cap:
            return


def _delivers(result: Result) -> bool:
    return not result.files.keys() <= RECORDS


def _valid(result: Result) -> bool:
    return result.valid and not any(issue.basis == "requirement" for issue in result.report.questions)


def _rank(result: Result) -> tuple[Any, ...]:
    return (_delivers(result), _valid(result), *merit(result.report))


def _snapshot(best: Result, said: Answer | None, spent: Usage) -> Snapshot:
    return Snapshot(
        calls=spent.calls,
        tokens=spent.input_tokens + spent.output_tokens,
        delivered=_delivers(best),
        valid=_valid(best),
        holds=None if said is None else said.holds,
        share=None if said is None else said.share,
    )


def _spent(shots: Sequence[Snapshot]) -> Usage:
    """The calls and tokens of a trial so far; tokens are not told apart."""
    return Usage(calls=shots[-1].calls, input_tokens=shots[-1].tokens) if shots else Usage()


def _ended(result: Result, config: Config) -> str:
    """The reason that a run ended early; empty for the budget."""
    caps, used = config.budget, result.usage
    if result.error is None or used.calls == caps.calls:
        return ""
    full = caps.tokens is not None and used.input_tokens + used.output_tokens >= caps.tokens
    return "" if full else str(result.error["message"])
