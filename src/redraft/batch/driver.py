"""The driver of a batch: what is left to do, by whom it is done, and what came of it.

The run folders are the queue. A run whose record has ended is counted and never repeated, one that was interrupted is
resumed, and nothing else says what was done.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import anyio
import anyio.to_process
from anyio import to_thread
from pydantic import JsonValue

from redraft.api import blocking
from redraft.batch.briefs import Line, PlannedRun, plan
from redraft.batch.cluster import on_ray, resources_of
from redraft.batch.limits import limit_of
from redraft.batch.rows import Row, begun, failed, row_of
from redraft.batch.shared import NO_CAPS, Shared, take_snapshot
from redraft.batch.upload import Uploads
from redraft.batch.worker import SAFE_PATH, in_process
from redraft.config import Config, with_caps
from redraft.errors import BriefError, ConfigError, ModelUnavailableError, RedraftError, RunError
from redraft.files import BATCH_STATE as STATE
from redraft.files import INDEX_FILE, digest, held, lasting, refuse_link_out, write_atomic
from redraft.fixes.base import REDIS_VARIABLE
from redraft.loop.resume import read_start
from redraft.options import check_config
from redraft.record.journal import EVENTS_FILE, refuse_links
from redraft.result import Usage

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
    limits: Sequence[str] = (),
    caps: Mapping[str, JsonValue] | None = None,
    redis: str | None = None,
    on: str = "",
    address: str = "",
    resources: Sequence[str] = (),
    upload: str = "",
    gallery: bool = False,
    observer: Callable[[Row], None] = lambda _: None,
) -> list[Row]:
    """Carry out briefs, each in the folder of its id, and return a row for each in their order.

    Args:
        lines: what `read_briefs` returns, or mappings with `studio`, `instruction`, perhaps `id`, and options.
        out: folder of the batch. One that was interrupted goes on there; finished runs are not repeated.
        workers: runs at once; by default one for each processor, of the cluster on Ray.
        folder: what paths in the lines are relative to.
        settings: settings of all runs by dotted keys, where a line has no others.
        config: file of settings of all runs.
        memory: `start` to read fix memory and novelty history as they were at the start of the batch, or `live`.
        limits: limits on calls to a provider, `anthropic=4,60/min`: 4 at once, 60 in a minute.
        caps: caps on all runs together, by name: `calls`, `tokens`, `cost`.
        redis: URL of a server that keeps limits and caps for several machines; by default REDIS_URL.
        on: `ray` for a Ray cluster.
        address: of the cluster; without it one is started on this machine for the batch.
        resources: what runs of a studio need of a node: `shader=gpu`, `scene=blender:0.5`.
        upload: address of a folder for copies of finished runs, as fsspec reads it.
        gallery: write a page of all results, `gallery/index.html`.
        observer: is called with each row as it comes, those of finished runs first.

    Raises:
        ConfigError: an argument is wrong. MissingPartError: an extra is not installed.
        RunError: the folder cannot be used. RunLockedError: another batch works in it.
        MemoryStoreError: the fix memory cannot be read.
    """
    _refuse_wrong(memory, on, address, resources)
    check_config(config, settings)
    place = Path.cwd() / out
    numbered = [line if isinstance(line, Line) else Line(n, line) for n, line in enumerate(lines, start=1)]
    results = _Results(place, Uploads(upload) if upload else None, observer)
    shared = Shared(
        place / STATE,
        live=memory == "live",
        limits=dict(map(limit_of, limits)),
        caps=with_caps(Config(budget=NO_CAPS), caps or {}).budget,
        redis=os.environ.get(REDIS_VARIABLE, "") if redis is None else redis,
        batch=digest(str(place).encode()),
    )
    refuse_link_out(Path(out))
    _refuse_other(place)
    with held(place, "batch", f"{STATE}/lock"):
        runs, wrong = _planned(numbered, Path(folder), settings or {}, config)
        found = [(run, _earlier(run, place / run.id)) for run in runs]
        left = [run for run, row in found if row is None or row.outcome == "ended early"]
        begun_before = [row for _, row in found if row is not None]
        if not shared.live:
            take_snapshot(shared.state, left)
        await shared.book({row.id: row.usage for row in begun_before}, anew=True)
        for row in (*(row for row in begun_before if row.outcome != "ended early"), *wrong):
            await results.add(row)
        where = on_ray(address, workers, resources_of(resources), shared.state) if on else _processes(workers)
        if left:
            async with where as submit, anyio.create_task_group() as group:
                for run in left:
                    group.start_soon(_one, run, submit, shared, results)
        rows = [results.rows[line.number] for line in numbered]
        await results.conclude(rows, gallery=gallery)
    return rows


carry_out = blocking(acarry_out)


@dataclass
class _Results:
    """The rows of a batch, by line, and where they go as they come."""

    out: Path
    uploads: Uploads | None
    observer: Callable[[Row], None]
    rows: dict[int, Row] = field(default_factory=dict[int, Row])

    async def add(self, row: Row) -> None:
        """Take a row, and copy its run if it is finished."""
        if self.uploads is not None and row.finished:
            try:
                copied = await to_thread.run_sync(self.uploads.put, self.out / row.id, row.id)
                row = row.model_copy(update={"uploaded": copied})
            except RunError as error:
                row = row.model_copy(update={"error": str(error)})
        self.rows[row.line] = row
        self.observer(row)

    async def conclude(self, rows: Sequence[Row], *, gallery: bool) -> None:
        """Write the JSON file of a batch, and its gallery. Raises `RunError` when the disk is full."""
        data: dict[str, JsonValue] = {
            "format": 1,
            "redraft": version("redraft"),
            "briefs": len(rows),
            "outcomes": dict(Counter(row.outcome for row in rows)),
            "usage": total_of(rows).model_dump(mode="json"),
            "rows": [row.model_dump(mode="json") for row in rows],
        }
        write_atomic(self.out / BATCH_FILE, json.dumps(data, indent=1, ensure_ascii=False) + "\n")
        if gallery and any(begun(self.out / row.id) for row in rows if row.outcome != "error"):
            from redraft.report.site import write_site

            write_site(self.out, self.out / GALLERY)
        if self.uploads is not None:
            for name in (BATCH_FILE, *([GALLERY] if gallery else [])):
                await to_thread.run_sync(self.uploads.put, self.out / name, name)


async def _one(run: PlannedRun, submit: Submit, shared: Shared, results: _Results) -> None:
    """Have a run carried out, and take its row."""
    try:
        row = await submit(run, results.out / run.id, shared)
    except RedraftError as error:
        row = failed(run.id, run.line, error, run.studio, run.instruction)
    await results.add(row)
    known = results.rows.values() if shared.redis else (row,)  # a server that was restarted has lost the others
    with suppress(ModelUnavailableError):  # runs that need the server say so themselves
        await shared.book({each.id: each.usage for each in known})


@asynccontextmanager
async def _processes(workers: int | None) -> AsyncGenerator[Submit]:
    """Submit runs to processes of this machine. One that is killed costs no run: it is resumed in another.

    The processes are killed in the end, so their temporary files are in a folder that this process removes.
    """
    limiter = anyio.CapacityLimiter(workers or os.cpu_count() or 1)
    os.environ[SAFE_PATH] = "1"  # anyio starts `python -m …`, which would import from the current folder first

    async def submit(run: PlannedRun, folder: Path, shared: Shared) -> Row:
        for _ in range(TRIES):
            try:
                return await anyio.to_process.run_sync(
                    in_process, run, folder, shared, os.getpid(), lasting(), cancellable=True, limiter=limiter
                )
            except anyio.BrokenWorkerProcess as error:
                if error.args:  # the others, of processes that are killed, have no message
                    raise RunError(f"Its process could not start: {error.__cause__}") from error
        said = f"its process was killed {TRIES} times, perhaps for lack of memory. Run the batch again to resume it."
        return row_of(run.id, run.line, folder, error=said) if begun(folder) else failed(run.id, run.line, said)

    yield submit


def _refuse_wrong(memory: str, on: str, address: str, resources: Sequence[str]) -> None:
    """Raise `ConfigError` for arguments that are wrong or do not go together."""
    if memory not in ("start", "live"):
        raise ConfigError(f"memory is {memory!r}; give 'start' or 'live'.")
    if on not in ("", "ray"):
        raise ConfigError(f"on is {on!r}; give 'ray', or leave it out for processes of this machine.")
    if not on and (address or resources):
        raise ConfigError("address and resources are for a Ray cluster: add --on ray, or leave them out.")
    if sys.orig_argv[-1] == "anyio.to_process":
        raise ConfigError(
            "Workers import your program, which starts the batch again. Move that call under if __name__ == '__main__':"
        )


def _refuse_other(place: Path) -> None:
    """Raise `RunError` for a folder that holds a run, or anything else that is not a batch."""
    try:
        names = {path.name for path in place.iterdir()} if place.exists() else set[str]()
    except OSError as error:
        raise RunError(
            f"Cannot look into {place}: {error.strerror or error}. Give another folder with --out."
        ) from error
    refuse_links(place)
    if EVENTS_FILE in names:
        raise RunError(f"{place} holds a run, not a batch. Give another folder with --out.")
    if names - {INDEX_FILE} and not names & {STATE, BATCH_FILE}:
        raise RunError(f"{place} is not empty and holds no batch. Give another folder with --out.")


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
                raise BriefError(f"id {run.id!r} is that of line {other} too. Give this line a different one.")
            if other == 0:
                raise BriefError(f"id {run.id!r} is the name of a file of the batch. Give this line a different one.")
        except RedraftError as error:
            studio, words = (str(line.given.get(name) or "") for name in ("studio", "instruction"))
            wrong.append(failed(str(line.given.get("id") or f"{line.number:04}"), line.number, error, studio, words))
        else:
            taken[run.id.casefold()] = line.number
            runs.append(run)
    return runs, wrong


def _earlier(run: PlannedRun, folder: Path) -> Row | None:
    """The row of a run that has begun; None for one to begin."""
    try:
        if not begun(folder):
            return None
        run.refuse_other(read_start(folder)[0], folder)
        return row_of(run.id, run.line, folder)
    except RedraftError as error:
        return failed(run.id, run.line, error, run.studio, run.instruction)


def total_of(rows: Iterable[Row]) -> Usage:
    """Return what some runs have cost together, each counted once."""
    return sum((row.usage for row in rows), Usage())
