"""`redraft bench`: run a plan, calibrate the oracles, have the pictures judged, and write the result and its page."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from redraft.bench.arms import KeptReplies
from redraft.bench.judging import judge_pairs
from redraft.bench.oracles import BLANK, answer, evidence_of
from redraft.bench.page import write_bench_page
from redraft.bench.result import BENCH_FILE, Bench, Calibration
from redraft.bench.tasks import Task
from redraft.bench.trials import REPLIES, Plan, Trial, run_trials
from redraft.config import Config
from redraft.errors import ConfigError, MissingPartError, RunError
from redraft.files import held, write_atomic
from redraft.imaging.base import Notify, silent
from redraft.models.base import Model
from redraft.models.registry import resolve
from redraft.options import check_config
from redraft.runs import IDEAS_OFFLINE
from redraft.studios import open_studio

__all__ = ["budget_of", "run_benchmark"]

PLAN_FILE = "plan.json"
"""What all trials of a folder have in common."""


def budget_of(text: str) -> dict[str, int]:
    """Return the caps of `calls=8,tokens=20000`. Raises `ConfigError`."""
    found: dict[str, int] = {}
    for part in text.split(","):
        name, _, number = (piece.strip() for piece in part.partition("="))
        if name not in ("calls", "tokens") or name in found or not number.isdecimal() or not 1 <= int(number) <= 10**9:
            raise ConfigError(f"--budget {text!r}: give caps such as calls=8 or calls=8,tokens=20000.")
        found[name] = int(number)
    return {"calls": 100 if "tokens" in found else 8, **found}


async def run_benchmark(
    plan: Plan,
    *,
    model: Model | None = None,
    judge: str | Model | None = None,
    workers: int = 1,
    tell: Callable[[Trial], None] = lambda _: None,
    notify: Notify = silent,
) -> Bench:
    """Run what is not finished of a plan, and write `bench.json` and `bench.html` into its folder.

    Args:
        plan: what is run, where, and with which settings.
        model: a model instead of the one that the settings name.
        judge: a model that sees, to compare pictures.
        workers: drafts and judgements at once; those that wait for an inbox do not count.
        tell: is called with each trial as it ends.
        notify: is called with a line about each slow step.

    Raises:
        ConfigError, MissingPartError, RunError: before anything is asked.
        ModelError: a model is out of reach or refuses; run the same again to go on.
    """
    try:
        import_module("scipy.stats")
    except ImportError as error:
        raise MissingPartError(f"A benchmark needs {error.name}: pip install 'redraft[bench]'") from error
    config = check_config(plan.file, plan.settings).config
    offline = (*filter(None, [open_studio(plan.studio).offline]), IDEAS_OFFLINE)

    def model_of(settings: Config, run: str = "") -> Model:
        return model or resolve(settings.model, settings=settings.models, offline=offline, notify=notify, run=run)

    own, judges = model_of(config), None
    if judge is not None:
        judges = resolve(judge, settings=config.models, notify=notify) if isinstance(judge, str) else judge
        if not judges.info.sees:
            raise ConfigError(f"The judge {judge if isinstance(judge, str) else judges.info.name} takes no pictures.")
    name = config.model if model is None else model.info.name
    with held(plan.out, "redraft bench"):
        _keep(plan, name)
        trials, asked = await run_trials(plan, model_of, workers=workers, tell=tell)
        judged = ()
        if judges is not None:
            kept = KeptReplies(judges, plan.out / REPLIES)
            briefs = {task.id: task.brief for task in plan.tasks}
            judged = tuple(await judge_pairs(trials, briefs, plan.out, kept, seed=plan.seed, workers=workers))
    found = Bench(
        redraft=version("redraft"),
        studio=plan.studio,
        model=name,
        judge=judge if isinstance(judge, str) else "" if judges is None else judges.info.name,
        calls=plan.calls,
        tokens=plan.tokens,
        repeats=plan.repeats,
        seed=plan.seed,
        tasks=digest_of(plan.tasks),
        briefs={task.id: task.brief for task in plan.tasks},
        arms={arm.name: arm.words for arm in plan.arms},
        trials=tuple(trials),
        calibration=_calibration(plan.tasks, trials, plan.out),
        judged=judged,
        sees=own.info.sees,
        asked=asked,
    )
    write_atomic(plan.out / BENCH_FILE, found.model_dump_json(indent=1) + "\n")
    write_bench_page(found, plan.out)
    return found


def digest_of(tasks: Sequence[Task]) -> str:
    """Sixteen hexadecimal digits over tasks; the place of a source does not count, its content does."""
    said = [
        {
            **task.model_dump(mode="json"),
            "source": hashlib.sha256(Path(task.source).read_bytes()).hexdigest() if task.source else "",
        }
        for task in tasks
    ]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]


def _keep(plan: Plan, model: str) -> None:
    """Write down what the trials of a folder have in common, or refuse a plan that differs from it."""
    mine: dict[str, Any] = {
        "studio": plan.studio,
        "model": model,
        "calls": plan.calls,
        "tokens": plan.tokens,
        "seed": plan.seed,
        "settings": dict(plan.settings),
        "tasks": digest_of(plan.tasks),
    }
    path = plan.out / PLAN_FILE
    if not path.is_file():
        if any((plan.out / arm.name).exists() for arm in plan.arms):
            raise RunError(f"{plan.out} contains other files. Give another folder with --out.")
        write_atomic(path, json.dumps(mine, indent=1) + "\n")
        return
    try:
        there = json.loads(path.read_bytes())
    except ValueError as error:
        raise RunError(f"{path} is damaged. Give another folder with --out.") from error
    different = [name for name in mine if there.get(name) != mine[name]]
    if different:
        name = different[0]
        raise ConfigError(
            f"{plan.out} has a benchmark with {name} {there.get(name)!r}, and this one has {mine[name]!r}. Give "
            "another folder with --out, or the same settings."
        )


def _calibration(tasks: Sequence[Task], trials: Sequence[Trial], out: Path) -> tuple[Calibration, ...]:
    """The oracles of each task on an empty result, and on what the last arm made of the next task."""
    made = {trial.task: trial.run for trial in trials if trial.repeat == 0 and trial.run}
    found: list[Calibration] = []
    for task, following in zip(tasks, [*tasks[1:], tasks[0]], strict=True):
        blank = answer(task.oracles, BLANK)
        if blank is None:
            continue
        found.append(Calibration(of="blank", task=task.id, holds=blank.holds, share=blank.share))
        if following is not task and following.id in made:
            other = answer(task.oracles, evidence_of(out / made[following.id]))
            assert other is not None
            found.append(Calibration(of="unrelated", task=task.id, holds=other.holds, share=other.share))
    return tuple(found)
