"""The workers of one run, and those that wait for the next run of this process: starting, reusing, limiting, ending."""

from __future__ import annotations

import atexit
import math
import os
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, cast

import anyio
import anyio.to_thread
from pydantic import JsonValue

from redraft.errors import AttemptError, ExecutionError, InfrastructureError, MissingPartError
from redraft.sandbox.processes import DEEPEST, LEAST_FILE, files_in_jail, kept_in, usage_of
from redraft.sandbox.program import JAIL_SCRATCH, Answer, Limits, Program
from redraft.sandbox.protocol import Frame

if TYPE_CHECKING:
    from redraft.sandbox.process import WorkerProcess

CHECK_INTERVAL = 0.05
"""Seconds between two checks of a busy worker's memory, processes and threads."""
SCRATCH_INTERVAL = 0.5
"""Seconds between two checks of the files that it wrote."""
MAX_CHECKING = 0.2
"""Part of the time that the checks may take: at thousands of threads one takes a tenth of a second."""


class WaitingWorkers:
    """Warm workers that finished runs of this process left for the next ones.

    One that is not used for `seconds` is ended, as are all when the process exits. They belong to no event loop and to
    no thread of a run.
    """

    def __init__(self, seconds: float = 120.0, most: int = os.cpu_count() or 1) -> None:
        """`most` workers of one program may wait."""
        self._seconds, self._most = seconds, most
        self._lock = threading.Lock()
        self._workers: list[tuple[float, WorkerProcess]] = []
        """Each with the time since which it waits, the longest first."""
        self._timer: threading.Timer | None = None

    def take(self, program: Program) -> WorkerProcess | None:
        """Return a worker of exactly this program, the last that came; None if none waits."""
        with self._lock:
            for index in reversed(range(len(self._workers))):
                if self._workers[index][1].program == program:
                    return self._workers.pop(index)[1]
        return None

    def put(self, worker: WorkerProcess) -> bool:
        """Have a worker wait; return False if enough others do, and it has to be ended."""
        with self._lock:
            if sum(other.program == worker.program for _, other in self._workers) >= self._most:
                return False
            self._workers.append((time.monotonic(), worker))
            self._end_later(self._seconds)
        return True

    def end(self, idle: float = 0.0) -> None:
        """End the workers that have waited for so many seconds."""
        with self._lock:
            latest = time.monotonic() - idle
            ending = [worker for since, worker in self._workers if since <= latest]
            self._workers = [(since, worker) for since, worker in self._workers if since > latest]
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._workers:
                self._end_later(self._workers[0][0] - latest)
        for worker in ending:
            worker.kill()
        for worker in ending:
            worker.end()

    def forget(self) -> None:
        """Leave the workers to the process that this one was forked from."""
        self._others = self._workers  # kept from being finalized here
        self._lock, self._workers, self._timer = threading.Lock(), [], None

    def _end_later(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = threading.Timer(seconds, self.end, [self._seconds])
            self._timer.daemon = True
            self._timer.start()


WAITING = WaitingWorkers()
"""The waiting workers of this process."""
atexit.register(WAITING.end)


@cache
def _starter() -> ThreadPoolExecutor:
    """Return the thread that starts all workers: the system ends a worker with the thread that started it."""
    return ThreadPoolExecutor(1, "redraft-workers")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=WAITING.forget)
    os.register_at_fork(after_in_child=_starter.cache_clear)


@dataclass
class _Exchange:
    """One frame sent and one awaited, in a thread; `lost` is the reason that none came."""

    over: anyio.Event = field(default_factory=anyio.Event)
    frame: Frame | None = None
    lost: Exception | None = None


class Sandbox:
    """The workers of one run; an async context manager that ends them all, or leaves idle ones for other runs."""

    def __init__(self, scratch: Path, *, workers: int | None = None, waiting: WaitingWorkers | None = None) -> None:
        """`workers` is the number of those that may work at once; None for one per processor.

        With `waiting`, workers are taken from there and left there; then `scratch` must outlive the run.
        """
        self.scratch = scratch
        self._waiting = waiting
        self._turns = anyio.CapacityLimiter(workers or os.cpu_count() or 1)
        self._threads = anyio.CapacityLimiter(math.inf)
        self._idle: dict[Program, list[WorkerProcess]] = {}
        self._ahead: dict[Program, WorkerProcess] = {}
        self._all: set[WorkerProcess] = set()

    async def __aenter__(self) -> Sandbox:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def ask(self, program: Program, job: Mapping[str, JsonValue], *, limits: Limits, blob: bytes = b"") -> Answer:
        """Have an idle worker of a program do a job; one is started if none is idle.

        A job waits while as many are under way as there are processors; its time counts from when it is sent.

        Raises:
            ExecutionError: the worker reports an error of the job, or a limit was broken; then the worker is ended.
            InfrastructureError: the worker died or its pipe broke; the next job gets a fresh one.
            MissingPartError: the program cannot be started here; the message says how to install it.
        """
        async with self._turns:
            worker = await self._idle_worker(program) or await self._fresh_worker(program)
            try:
                data, answer = await self._watched(worker, job, blob, limits)
                if "broken" in data:
                    raise InfrastructureError(f"{program.name} failed: {data['broken']}")

                # It waits for another job, unless it has done enough or holds too much.
                worker.jobs += 1
                heavy = program.retire is not None and usage_of(worker.pid).memory > program.retire
                if worker.jobs >= program.jobs or heavy or await _overfull(worker):
                    await self._discard(worker)
                else:
                    self._idle.setdefault(program, []).append(worker)
            except BaseException:
                await self._discard(worker)
                raise
        if "failed" in data:
            patches = cast("list[dict[str, object]]", data.get("patches", []))
            raise ExecutionError(str(data["failed"]), by=str(data.get("by", "")), patches=patches)
        if not isinstance(data.get("done"), dict):
            raise InfrastructureError(f"{program.name} answered with neither a result nor an error.")
        return Answer(cast("dict[str, JsonValue]", data["done"]), answer)

    def pids(self, program: Program) -> list[int]:
        """Return the processes of a program's workers, those that are starting included."""
        return sorted(worker.pid for worker in self._all if worker.program == program)

    def warm(self, program: Program) -> None:
        """Start a worker ahead of its first job, if the program has none yet, and return at once.

        Errors are raised when the worker gets its first job.
        """
        if any(worker.program == program for worker in self._all):
            return
        if worker := self._left_by_another(program):
            self._idle.setdefault(program, []).append(worker)
        else:
            with suppress(MissingPartError):
                self._ahead[program] = self._start(program)

    async def close(self) -> None:
        """End all workers at once, except idle ones that can wait for another run. Unfinished jobs are lost."""
        if self._waiting is not None:
            idle = [worker for workers in self._idle.values() for worker in workers]
            self._all -= {worker for worker in idle if worker.alive and self._waiting.put(worker)}
        ending, self._idle, self._ahead = list(self._all), {}, {}
        for worker in ending:
            worker.kill()
        for worker in ending:
            await self._discard(worker)

    async def _idle_worker(self, program: Program) -> WorkerProcess | None:
        """Return an idle worker of this run, or one that another run left; None if a new one has to start."""
        idle = self._idle.get(program, [])
        while idle:
            worker = idle.pop()
            if worker.alive:
                return worker
            await self._discard(worker)  # it ended while it was idle
        return None if program in self._ahead else self._left_by_another(program)

    def _left_by_another(self, program: Program) -> WorkerProcess | None:
        """Return a worker that another run left, if it still reads the same folders."""
        while worker := self._waiting.take(program) if self._waiting is not None else None:
            if worker.alive and worker.bound == program.bound:
                self._all.add(worker)
                return worker
            worker.end()
        return None

    def _start(self, program: Program) -> WorkerProcess:
        from redraft.sandbox.process import WorkerProcess

        worker = _starter().submit(WorkerProcess, program, self.scratch).result()
        self._all.add(worker)
        return worker

    async def _fresh_worker(self, program: Program) -> WorkerProcess:
        """Return a new worker that has answered its hello."""
        worker = self._ahead.pop(program, None) or self._start(program)
        slow = f"{program.name} was not ready after {program.start:g} s."
        try:
            data, _ = await self._watched(worker, None, b"", Limits(program.start, slow=slow))
            if "missing" in data:
                raise MissingPartError(str(data["missing"]))
            if "done" not in data:
                raise InfrastructureError(f"{program.name} could not be made ready: {data.get('broken', data)}")
        except ExecutionError as error:
            await self._discard(worker)
            raise InfrastructureError(f"{error}{worker.last_words()}") from error
        except InfrastructureError as error:
            await self._discard(worker)
            from redraft.sandbox.protection import refusal

            raise (refusal(worker.printed) or error) from error
        except BaseException:
            await self._discard(worker)
            raise
        return worker

    async def _discard(self, worker: WorkerProcess) -> None:
        worker.kill()
        self._all.discard(worker)
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(worker.end, limiter=self._threads)

    async def _watched(
        self, worker: WorkerProcess, job: Mapping[str, JsonValue] | None, blob: bytes, limits: Limits
    ) -> Frame:
        """Send a job and return the answer; a worker that breaks a limit meanwhile is ended."""
        exchange, broken = _Exchange(), ""

        async def talk() -> None:
            try:
                work = partial(worker.exchange, job, blob, limits.output)
                exchange.frame = await anyio.to_thread.run_sync(work, limiter=self._threads)
            except (OSError, EOFError, ValueError, AttemptError) as error:
                exchange.lost = error
            finally:
                exchange.over.set()

        async with anyio.create_task_group() as group:
            group.start_soon(talk)
            try:
                broken = await _first_broken(worker, limits, exchange.over)
            finally:
                if not exchange.over.is_set():
                    worker.kill()  # its pipe closes, and the thread that reads there comes back
        if broken:
            raise ExecutionError(broken)
        if isinstance(exchange.lost, AttemptError):
            raise exchange.lost
        if exchange.frame is None:
            raise InfrastructureError(f"{worker.death()}.") from exchange.lost
        return exchange.frame


async def _first_broken(  # noqa: PLR0911  one return for each limit
    worker: WorkerProcess, limits: Limits, over: anyio.Event
) -> str:
    """Wait for the end of an exchange; return the first limit that is broken before, in words, or nothing."""
    deadline = anyio.current_time() + limits.seconds
    next_scratch, pause = 0.0, CHECK_INTERVAL
    while not over.is_set():
        remaining = deadline - anyio.current_time()
        with anyio.move_on_after(max(0.0, min(pause, remaining))):
            await over.wait()
            return ""
        began = anyio.current_time()
        if began >= deadline:
            return limits.slow or f"It ran longer than {limits.seconds:g} s and was stopped. Make it do less."
        if not worker.alive:
            worker.kill()  # processes that it started may hold its pipe open

        usage, memory = usage_of(worker.pid, limits.threads), worker.program.memory
        if usage.processes > limits.processes:  # first: very many of them hold too much memory as well
            return f"It ran more than {limits.processes} processes at once and was stopped. Let it start fewer."
        if usage.threads > limits.threads:
            return f"It ran more than {limits.threads:,} threads at once and was stopped. Let it start fewer."
        if usage.memory > memory:
            advice = limits.heavy or "Make what it holds smaller."
            return f"It held more than {_size(memory)} of memory and was stopped. {advice}"
        counted = anyio.current_time()
        pause = max(CHECK_INTERVAL, (counted - began) / MAX_CHECKING)

        # Files have an interval of their own: threads and memory are checked in between.
        if counted >= next_scratch:
            if broken := await _overfull(worker):
                return broken
            now = anyio.current_time()
            next_scratch = now + max(SCRATCH_INTERVAL, (now - counted) / MAX_CHECKING)
    return ""


async def _overfull(worker: WorkerProcess) -> str:
    """Return the limit on files that is broken, in words, or nothing.

    The folder of a jail has a fixed size, and its files are counted; a worker without a jail or Landlock may write.
    """
    limit = worker.program.scratch
    if worker.program.level == "landlock":
        try:
            size = await anyio.to_thread.run_sync(kept_in, worker.folder, worker.pid, limit)
        except RecursionError:
            return f"It nested folders more than {DEEPEST} deep and was stopped. Let it nest fewer."
        return f"It kept more than {_size(limit)} of files and was stopped. Let it write less." if size > limit else ""
    if worker.program.level == "bubblewrap":
        files = await anyio.to_thread.run_sync(files_in_jail, worker.pid, JAIL_SCRATCH)
        if files > limit // LEAST_FILE:
            return f"It kept more than {limit // LEAST_FILE:,} files and was stopped. Let it write fewer."
    return ""


def _size(count: int) -> str:
    return f"{count / 2**30:.3g} GiB" if count >= 1 << 30 else f"{count / 2**20:.3g} MiB"
