"""`redraft bench` on the terminal: a line for each trial, then tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from redraft.cli.terminal import plain

if TYPE_CHECKING:
    from pydantic import JsonValue

    from redraft.bench.page import Table
    from redraft.bench.trials import Trial

__all__ = ["compare_results", "run_bench"]


def run_bench(
    studio: str,
    settings: Mapping[str, JsonValue],
    budget: str,
    *,
    repeats: int,
    arms: str | None,
    ablations: str | None,
    tasks: Path | None,
    limit: int | None,
    judge: str | None,
    seed: int,
    workers: int,
    out: Path | None,
    file: Path | None,
    as_json: bool,
) -> None:
    """Run a benchmark and print its tables. Raises `RedraftError`."""
    import anyio

    from redraft.bench.arms import chosen_arms
    from redraft.bench.benchmark import budget_of, run_benchmark
    from redraft.bench.page import PAGE, tables_of
    from redraft.bench.tasks import tasks_of
    from redraft.bench.trials import Plan
    from redraft.cli.outcome import near
    from redraft.options import check_config
    from redraft.studios import open_studio

    name = open_studio(studio).name
    plan = Plan(
        studio=name,
        tasks=tasks_of(name, tasks)[:limit],
        arms=chosen_arms(arms, ablations),
        out=(out or Path(check_config(file).config.out) / f"bench-{name}").resolve(),
        calls=budget_of(budget)["calls"],
        tokens=budget_of(budget).get("tokens"),
        repeats=repeats,
        seed=seed,
        file=file,
        settings=settings,
    )
    total, ended = len(plan.arms) * len(plan.tasks) * repeats, list[str]()

    def tell(trial: Trial) -> None:
        ended.append(trial.task)
        end = trial.snapshots[-1] if trial.snapshots else None
        said = "failed" if end is None or not end.delivered else "valid" if end.valid else "not valid"
        held = "" if end is None or end.holds is None else ", oracles hold" if end.holds else ", oracles do not hold"
        calls = "" if end is None else f" after {end.calls} calls"
        line = f"{len(ended)}/{total}  {trial.arm:<12} {trial.task}-{trial.repeat}: {said}{held}{calls}"
        typer.echo(plain(f"{line}{' (' + trial.error + ')' if trial.error else ''}"), err=True)

    def notify(line: str) -> None:
        typer.echo(plain(line), err=True)

    async def run() -> None:
        found = await run_benchmark(plan, judge=judge, workers=workers, tell=tell, notify=notify)
        if as_json:
            typer.echo(found.model_dump_json(indent=1))
            return
        show(tables_of(found))
        typer.echo(plain(f"{found.asked} requests asked, the others kept. {near(plan.out / PAGE)}"))

    try:
        anyio.run(run)
    except KeyboardInterrupt:
        typer.echo(plain(f"stopped after {len(ended)} of {total} trials; run the same command to continue"), err=True)
        raise


def compare_results(studio: str, first: Path, second: Path, *, as_json: bool) -> None:
    """Print the changes from one result to another. Raises `ConfigError`."""
    import json

    from redraft.bench.page import tables_of_changes
    from redraft.bench.result import compared, read_bench
    from redraft.errors import ConfigError

    one, other = read_bench(first), read_bench(second)
    changes = compared(one, other)
    if one.studio != studio:
        raise ConfigError(
            f"The results are of the {one.studio} studio, not {studio}: redraft bench {one.studio} --compare …"
        )
    if as_json:
        typer.echo(json.dumps([change.model_dump() for change in changes], indent=1))
        return
    typer.echo(plain(f"first: {one.model}, redraft {one.redraft}; second: {other.model}, redraft {other.redraft}"))
    show(tables_of_changes(changes))


def show(tables: Sequence[Table]) -> None:
    """Print tables."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    console = Console(highlight=False, markup=False, emoji=False)
    for table in tables:
        grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
        for name in table.head:
            grid.add_column(name, no_wrap=name == table.head[0])
        for row in table.rows:
            grid.add_row(*(Text(plain(cell)) for cell in row))
        console.print(plain(table.title), style="bold")
        console.print(grid)
        if table.note:
            console.print(f"{table.note}\n", style="dim")
