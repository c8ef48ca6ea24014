"""The driver of a batch: what is left to do, by whom it is done, and what came of it.

The run folders are the queue. A run whose record has ended is counted and never repeated, one that was interrupted is
resumed, and nothing else says what was done.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from importlib.metadata import version
from pathlib import Path

import anyio
import anyio.to_process
from filelock import FileLock, Timeout
from pydantic import JsonValue

from redraft.api import blocking
from redraft.batch.briefs import Line, PlannedRun, plan
from redraft.batch.rows import Row, begun, failed, row_of
from redraft.batch.shared import STATE, Shared, take_snapshot
from redraft.batch.worker import in_process
from redraft.errors import BriefError, ConfigError, RedraftError, RunError, RunLockedError
from redraft.files import INDEX_FILE, write_atomic
from redraft.result import Usage
from redraft.resuming import came_from

__all__ = ["BATCH_FILE", "GALLERY", "acarry_out", "carry_out", "total_of"]

BATCH_FILE = "batch.json"
GALLERY = "gallery"
TRIES = 3
"""Times that a run is begun or resumed in one batch when the process that carries it out is killed."""

Submit = Callable[[PlannedRun, Path, Shared], Awaitable[Row]]


async def acarry_out(
    lines: Iterable[Line | Mapping[str, JsonValue]],
    out: Path | str,
    *,
    workers: int | None = None,
    folder: Path | str = "",
    settings: Mapping[str, JsonValue] | None = None,
    config: Path | None = None,
    memory: str = "start",
    gallery: bool = False,
    observer: Callable[[Row], None] = lambda _: None,
) -> list[Row]:
    """Carry out briefs, each in the folder of its id, and return a row for each in their order.

    Args:
        lines: what `read_briefs` returns, or mappings with `studio`, `instruction`, perhaps `id`, and options.
        out: folder of the batch. One that was interrupted goes on there; finished runs are not repeated.
        workers: processes at once; by default one for each processor.
        folder: what paths in the lines are relative to.
        settings: settings of all runs by dotted keys, where a line has no others.
        config: file of settings of all runs.
        memory: `start` to read fix memory and novelty history as they were at the start of the batch, or `live`.
        gallery: write a page of all results, `gallery/index.html`.
        observer: is called with each row as it comes, those of finished runs first.

    Raises:
        ConfigError: an argument is wrong. RunError: the folder cannot be used.
        RunLockedError: another batch works in it.
    """
    if memory not in ("start", "live"):
        raise ConfigError(f"memory is {memory!r}; give 'start' or 'live'.")
    if sys.orig_argv[-1] == "anyio.to_process":
        raise ConfigError(
            "Workers load your program, and it begins the batch again there. Put that under if __name__ == '__main__':"
        )
    place = Path(os.path.abspath(out))  # noqa: PTH100
    numbered = [line if isinstance(line, Line) else Line(n, line) for n, line in enumerate(lines, start=1)]
    rows: dict[int, Row] = {}

    def done(row: Row) -> None:
        rows[row.line] = row
        observer(row)

    with _held(place):
        runs, wrong = _planned(numbered, Path(folder), settings or {}, config)
        left = list[PlannedRun]()
        for run in runs:
            try:
                row = _earlier(run, place / run.id)
            except RedraftError as error:
                row = failed(run.id, run.line, error, run.studio, run.instruction)
            if row is None:
                left.append(run)
            else:
                done(row)
        for row in wrong:
            done(row)
        shared = Shared(place / STATE, live=memory == "live")
        if not shared.live:
            take_snapshot(shared.state, left)
        async with _processes(workers or os.cpu_count() or 1) as submit, anyio.create_task_group() as group:
            for run in left:

                async def one(run: PlannedRun = run) -> None:
                    done(await submit(run, place / run.id, shared))

                group.start_soon(one)
        found = [rows[line.number] for line in numbered]
        _conclude(place, found, gallery=gallery)
    return found


carry_out = blocking(acarry_out)


@asynccontextmanager
async def _processes(workers: int) -> AsyncGenerator[Submit]:
    """Submit runs to processes of this machine. One that is killed costs no run: it is resumed in another."""
    limiter = anyio.CapacityLimiter(workers)

    async def submit(run: PlannedRun, folder: Path, shared: Shared) -> Row:
        for _ in range(TRIES):
            try:
                return await anyio.to_process.run_sync(
                    in_process, run, folder, shared, os.getpid(), cancellable=True, limiter=limiter
                )
            except anyio.BrokenWorkerProcess:
                continue
        said = f"its process was killed {TRIES} times; is there enough memory? Run the batch again to resume it."
        return row_of(run.id, run.line, folder, error=said) if begun(folder) else failed(run.id, run.line, said)

    yield submit


def _planned(
    lines: Sequence[Line], folder: Path, settings: Mapping[str, JsonValue], config: Path | None
) -> tuple[list[PlannedRun], list[Row]]:
    """The runs that the lines ask for, and a row for each line that is wrong."""
    taken: dict[str, int] = dict.fromkeys((STATE, GALLERY, BATCH_FILE, INDEX_FILE), 0)
    runs, wrong = list[PlannedRun](), list[Row]()
    for line in lines:
        try:
            run = plan(line, folder, settings, config)
            if other := taken.get(run.id.casefold()):
                raise BriefError(f"id {run.id!r} is that of line {other} too. Give this line another.")
            if other == 0:
                raise BriefError(f"id {run.id!r} is the name of a file of the batch. Give this line another.")
        except RedraftError as error:
            studio, words = (str(line.given.get(name) or "") for name in ("studio", "instruction"))
            wrong.append(failed(str(line.given.get("id") or f"{line.number:04}"), line.number, error, studio, words))
        else:
            taken[run.id.casefold()] = line.number
            runs.append(run)
    return runs, wrong


def _earlier(run: PlannedRun, folder: Path) -> Row | None:
    """The row of a run that is finished; None for one to begin or resume.

    Raises:
        RunError: the folder holds another run.
    """
    if not begun(folder):
        return None
    run.refuse_other(came_from(folder)[0], folder)
    row = row_of(run.id, run.line, folder)
    return row if row.finished else None


@contextmanager
def _held(out: Path) -> Generator[None]:
    """Hold the folder of a batch.

    Raises:
        RunError: it cannot be made. RunLockedError: another batch has it.
    """
    lock = FileLock(out / STATE / "lock", timeout=1)
    try:
        (out / STATE).mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout as error:
        raise RunLockedError(
            f"Another batch works in {out}. Wait for it, or give another folder with --out."
        ) from error
    except OSError as error:
        raise RunError(f"Cannot write in {out}: {error.strerror or error}. Give another folder with --out.") from error
    try:
        yield
    finally:
        lock.release()


def total_of(rows: Iterable[Row]) -> Usage:
    """Return what some runs have cost together, each counted once."""
    return sum((row.usage for row in rows), Usage())


def _conclude(out: Path, rows: Sequence[Row], *, gallery: bool) -> None:
    """Write the JSON file of a batch, and its gallery. Raises `RunError` when the disk is full."""
    data: dict[str, JsonValue] = {
        "format": 1,
        "redraft": version("redraft"),
        "briefs": len(rows),
        "outcomes": dict(Counter(row.outcome for row in rows)),
        "usage": total_of(rows).model_dump(mode="json"),
        "rows": [row.model_dump(mode="json") for row in rows],
    }
    write_atomic(out / BATCH_FILE, json.dumps(data, indent=1, ensure_ascii=False) + "\n")
    if gallery and any(begun(out / row.id) for row in rows if row.outcome != "error"):
        from redraft.report.site import write_site

        write_site(out, out / GALLERY)
