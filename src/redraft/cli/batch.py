"""`redraft batch`: many runs from one file of briefs, their progress, and what came of them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.cli import flags as o
from redraft.cli.failures import ENDED_EARLY, INTERRUPTED, NOT_VALID, failures, say_error
from redraft.limits import RECORD, read_text

if TYPE_CHECKING:
    from rich.table import Table

    from redraft.batch.rows import Row
    from redraft.cli.terminal import Terminal


def batch(
    briefs: Annotated[
        Path,
        typer.Argument(metavar="BRIEFS", help="JSON lines or CSV: studio, instruction, id, options of the studio."),
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the batch (default: runs/ and the name of BRIEFS).")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Runs at once (default: one for each processor).")
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="Model of briefs that name none.")] = None,
    memory: Annotated[
        str,
        typer.Option(metavar="start|live", help="Fix memory and history: as at the start of the batch, or live."),
    ] = "start",
    limit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LIMIT", help="Calls to a provider at once and in a time: anthropic=4,60/min; repeatable."
        ),
    ] = None,
    max_calls: Annotated[
        int | None, typer.Option(metavar="N", help="Cap on the model calls of all runs together.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(metavar="N", help="Cap on the tokens of all runs, in and out.")
    ] = None,
    max_cost: Annotated[float | None, typer.Option(metavar="USD", help="Cap on the cost of all runs.")] = None,
    redis: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Server for limits and caps of several machines (default: REDIS_URL)."),
    ] = None,
    on: Annotated[str | None, typer.Option(metavar="ray", help="Run on a Ray cluster.")] = None,
    address: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="With --on ray: the cluster, or auto (default: start one on this machine)."
        ),
    ] = None,
    resource: Annotated[
        list[str] | None,
        typer.Option(metavar="NEED", help="With --on ray: what a studio needs of a node: shader=gpu; repeatable."),
    ] = None,
    upload: Annotated[
        str | None, typer.Option(metavar="URL", help="Copy finished runs there: s3://…, or any address of fsspec.")
    ] = None,
    config: o.ConfigFile = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Carry out many briefs, several at once, and show what came of them.

    Each run has a folder of its own in the folder of the batch. The same command again goes on with what was
    interrupted, and repeats nothing that is finished.
    """
    from redraft.cli.foreground import stopped_alike
    from redraft.cli.outcome import near
    from redraft.cli.terminal import Terminal, plain

    terminal = Terminal(errors=json or quiet, quiet=quiet)
    with failures():
        from redraft.batch.briefs import read_briefs
        from redraft.batch.driver import BATCH_FILE, GALLERY, carry_out
        from redraft.options import check_config

        lines = read_briefs(briefs)
        place = out or Path(check_config(config).config.out) / briefs.stem
        try:
            with _Progress(terminal, len(lines)) as progress, stopped_alike():
                rows = carry_out(
                    lines,
                    place,
                    workers=workers,
                    folder=briefs.parent,
                    settings={} if model is None else {"model": model},
                    config=config,
                    memory=memory,
                    limits=limit or (),
                    caps={"calls": max_calls, "tokens": max_tokens, "cost": max_cost},
                    redis=redis,
                    on=on or "",
                    address=address or "",
                    resources=resource or (),
                    upload=upload or "",
                    gallery=True,
                    observer=progress,
                )
        except KeyboardInterrupt:
            say_error("stopped. Finished runs are kept; run the same command to continue.")
            raise typer.Exit(INTERRUPTED) from None
    _show(terminal, rows)
    results = near(place / BATCH_FILE)
    pages = place / GALLERY / "index.html"
    terminal.say(f"results: {results}")
    if pages.exists():
        terminal.say(f"gallery: {near(pages)}")
    if json:
        typer.echo(read_text(place / BATCH_FILE, RECORD), nl=False)
    elif quiet:
        typer.echo(plain(str(results)))
    again = any(row.outcome == "ended early" for row in rows)
    wrong = any(row.outcome not in ("valid", "unchecked") or row.error for row in rows)
    raise typer.Exit(ENDED_EARLY if again else NOT_VALID if wrong else 0)


class _Progress:
    """A line for each run that is done; on a terminal a bar with the time that is left below them."""

    def __init__(self, terminal: Terminal, total: int) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._terminal, self._total = terminal, total
        self._rows: list[Row] = []
        shown = terminal.console.is_terminal and not terminal.quiet
        columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("left"))
        self._bar = Progress(
            *columns, console=terminal.console, transient=True, disable=not shown, refresh_per_second=4
        )
        self._task = self._bar.add_task("", total=total)
        self._began = time.monotonic()

    def __enter__(self) -> _Progress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def __call__(self, row: Row) -> None:
        """Take the row of a run."""
        self._rows.append(row)
        self._bar.advance(self._task)
        done, width = len(self._rows), len(str(self._total))
        said = f": {row.error}" if row.error else "" if row.seconds is None else f" ({row.seconds:.1f} s)"
        where = f"line {row.line}, {row.id}" if row.error else row.id
        self._terminal.say(f"[{done:{width}}/{self._total}] {row.outcome:<11} {where}{said}{self._left()}")

    def _left(self) -> str:
        """The time that is left, where no bar says it: by the mean of the runs of this session."""
        timed = sum(row.seconds is not None for row in self._rows)
        left = self._total - len(self._rows)
        if not timed or not left or not self._bar.disable:
            return ""
        seconds = (time.monotonic() - self._began) / timed * left
        return f"; about {seconds / 60:.0f} min left" if seconds > 90 else f"; about {seconds:.0f} s left"


def _show(terminal: Terminal, rows: Sequence[Row]) -> None:
    """Print a table of the batch, and what to do about runs that ended early."""
    if terminal.quiet:
        return
    terminal.say("")
    terminal.console.print(_table(rows))
    early = sum(row.outcome == "ended early" for row in rows)
    if early:
        runs, them = ("run", "it") if early == 1 else ("runs", "them")
        terminal.say(f"{early} {runs} ended early; run the same command to resume {them}.")


def _table(rows: Sequence[Row]) -> Table:
    """Outcomes and costs by studio, and together."""
    from rich.table import Table

    from redraft.batch.driver import total_of

    outcomes = [name for name in ORDER if any(row.outcome == name for row in rows)]
    table = Table("studio", "briefs", *outcomes, "calls", "tokens", "cost", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    parts = {
        studio or "none": [row for row in rows if row.studio == studio] for studio in sorted({r.studio for r in rows})
    }
    for studio, mine in (parts | {"all": rows} if len(parts) > 1 else parts).items():
        counts, usage = Counter(row.outcome for row in mine), total_of(mine)
        cost = "unknown" if usage.cost is None else f"${usage.cost:.4f}"
        tokens = f"{usage.input_tokens + usage.output_tokens:,}" if usage.counted else "unknown"
        numbers = (len(mine), *(counts[name] for name in outcomes), usage.calls, tokens, cost)
        table.add_row(studio, *map(str, numbers))
    return table


ORDER = ("valid", "unchecked", "incomplete", "not valid", "ended early", "error")
