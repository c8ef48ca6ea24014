"""The result of a benchmark, `bench.json`, its figures with intervals, and the comparison of two of them.

A figure is a mean over briefs of the mean over repeats. Intervals are percentile bootstraps over briefs; differences
are paired by brief, with an exact sign-flip permutation test where there are few briefs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from redraft.bench.trials import Snapshot, Trial
from redraft.errors import ConfigError
from redraft.limits import RECORD, read_file

__all__ = ["BENCH_FILE", "Bench", "Calibration", "Change", "Judged", "Rate", "compared", "read_bench"]

BENCH_FILE = "bench.json"
RESAMPLES = 20_000
"""Enough for every pattern of signs of 14 briefs."""
LEVEL = 0.95

Measure = Literal["valid", "holds", "share"]
"""Valid; all statements of its oracles hold; the share of them that hold."""
Values = dict[str, float]
"""By task."""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Rate(_Data):
    """A mean over briefs with its 95 % interval; None for fewer than two briefs."""

    mean: float
    low: float | None = None
    high: float | None = None
    briefs: int = 0


class Change(_Data):
    """The difference of two arms or results, paired by brief: the second less the first."""

    name: str
    measure: Measure
    first: float
    second: float
    difference: Rate
    p: float | None = None
    """Two-sided, by permutation of signs; not corrected for the number of comparisons."""


class Calibration(_Data):
    """An oracle on a result that cannot be right: it must not hold."""

    of: Literal["blank", "unrelated"]
    task: str
    holds: bool
    share: float


class Judged(_Data):
    """Two pictures that a judge saw twice, with sides swapped."""

    task: str
    repeat: int
    first: str
    """An arm."""
    second: str
    """Another arm, `blank`, or `unrelated`: the first arm's picture of another task."""
    better: Literal["first", "second", "same"]
    flipped: bool = False
    """The judge chose the same side twice, so its answer depends on the position: a tie.

    Only what both answers agree on is a preference.
    """
    unread: int = 0
    """Answers that could not be read."""
    asked: bool = True
    """False where the pictures are the same, or one is missing."""


class Bench(_Data):
    """Everything that a benchmark found."""

    format: Literal[1] = 1
    redraft: str
    studio: str
    model: str
    judge: str = ""
    calls: int
    tokens: int | None = None
    repeats: int
    seed: int
    tasks: str
    """Digest of the tasks."""
    briefs: dict[str, str]
    """By task."""
    arms: dict[str, str]
    """What each does, in words."""
    trials: tuple[Trial, ...]
    calibration: tuple[Calibration, ...] = ()
    judged: tuple[Judged, ...] = ()
    sees: bool = False
    """The model takes pictures."""
    asked: int = 0
    """Requests that the model answered the last time; the others were kept replies."""

    def values(
        self, arm: str, measure: Measure, *, calls: int | None = None, tokens: int | None = None, all_: bool = True
    ) -> Values:
        """Return the success of an arm by task, within so many calls or tokens.

        Trials that delivered nothing count as zero; without `all_` they are left out.
        """
        found: dict[str, list[float]] = {}
        for trial in self.trials:
            if trial.arm != arm or not (all_ or trial.run):
                continue
            at = [s for s in trial.snapshots if s.calls <= (calls or s.calls) and s.tokens <= (tokens or s.tokens)]
            if measure != "valid" and (known := _known(self.trials, trial.task)) is not None and not known:
                continue
            found.setdefault(trial.task, []).append(float(getattr(at[-1], measure) or 0) if at else 0.0)
        return {task: fmean(each) for task, each in found.items()}

    def rate(self, arm: str, measure: Measure, **within: Any) -> Rate | None:
        """Return the success of an arm, as `values`; None where there is nothing to measure."""
        return rate_of(list(self.values(arm, measure, **within).values()))

    def mean(self, arm: str, value: Callable[[Snapshot], float]) -> float:
        """Return the mean of a value at the end of an arm's trials."""
        return fmean([value(t.snapshots[-1]) for t in self.trials if t.arm == arm and t.snapshots] or [0.0])

    def changes(self, against: str) -> list[Change]:
        """Return each other arm's difference to one arm: that arm less the other."""
        found = [
            change(name, measure, self.values(name, measure), self.values(against, measure))
            for name in self.arms
            if name != against
            for measure in get_args(Measure)
        ]
        return [one for one in found if one is not None]


def _known(trials: Iterable[Trial], task: str) -> bool | None:
    """Whether a task has an oracle; None where nothing was looked at."""
    shots = [shot for trial in trials if trial.task == task for shot in trial.snapshots]
    return any(shot.holds is not None for shot in shots) if shots else None


def rate_of(values: Sequence[float]) -> Rate | None:
    """Return the mean with its bootstrap interval."""
    if not values:
        return None
    mean = fmean(values)
    if len(values) < 2:
        return Rate(mean=mean, briefs=len(values))
    if len(set(values)) == 1:
        return Rate(mean=mean, low=mean, high=mean, briefs=len(values))
    import numpy as np
    from scipy.stats import bootstrap  # pyright: ignore[reportUnknownVariableType]

    found: Any = bootstrap(
        (np.array(values),), np.mean, n_resamples=RESAMPLES, confidence_level=LEVEL, method="percentile", rng=0
    )
    low, high = found.confidence_interval
    return Rate(mean=mean, low=float(low), high=float(high), briefs=len(values))


def change(name: str, measure: Measure, first: Values, second: Values) -> Change | None:
    """Return the paired difference over the tasks of both; None without one."""
    tasks = [task for task in first if task in second]
    pairs = [first[task] for task in tasks], [second[task] for task in tasks]
    difference = rate_of([b - a for a, b in zip(*pairs, strict=True)])
    if difference is None:
        return None
    return Change(
        name=name,
        measure=measure,
        first=fmean(pairs[0]),
        second=fmean(pairs[1]),
        difference=difference,
        p=_significance(*pairs),
    )


def _significance(first: Sequence[float], second: Sequence[float]) -> float | None:
    """The two-sided p of a paired permutation test; None for fewer than two pairs."""
    if len(first) < 2:
        return None
    import numpy as np
    from scipy.stats import permutation_test  # pyright: ignore[reportUnknownVariableType]

    def statistic(a: Any, b: Any, axis: int) -> Any:
        return np.mean(b - a, axis=axis)

    data = (np.array(first), np.array(second))
    found: Any = permutation_test(
        data, statistic, permutation_type="samples", vectorized=True, n_resamples=RESAMPLES, rng=0
    )
    return float(found.pvalue)


def read_bench(path: Path) -> Bench:
    """Return a result, given as its file or its folder.

    Raises:
        ConfigError: it cannot be read, or is not the result of a benchmark.
    """
    file = path / BENCH_FILE if path.is_dir() else path
    try:
        return Bench.model_validate_json(read_file(file, RECORD))
    except OSError as error:
        raise ConfigError(f"Cannot read the result {file}: {error.strerror or error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ConfigError(f"{file} is not the result of a benchmark ({where}: {first['msg']}).") from error


def compared(first: Bench, second: Bench) -> list[Change]:
    """Return the changes of each arm from the first result to the second, on the same tasks and budget.

    Raises:
        ConfigError: their studios, tasks or budgets differ, or they have no arm in common.
    """
    for name, words in (
        ("studio", "studio"),
        ("tasks", "tasks"),
        ("calls", "budget of calls"),
        ("tokens", "budget of tokens"),
    ):
        a, b = getattr(first, name), getattr(second, name)
        if a != b:
            raise ConfigError(f"The results cannot be compared: the {words} differ ({a} and {b}).")
    found = [
        change(arm, measure, first.values(arm, measure), second.values(arm, measure))
        for arm in first.arms
        if arm in second.arms
        for measure in get_args(Measure)
    ]
    if not found:
        arms = f"{', '.join(first.arms)} and {', '.join(second.arms)}"
        raise ConfigError(f"The results cannot be compared: they have no arm in common ({arms}).")
    return [one for one in found if one is not None]
