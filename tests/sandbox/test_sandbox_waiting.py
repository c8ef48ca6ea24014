"""Workers that wait for the next run: which of them it gets, how long they wait, and that they end with the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from sandboxes import WORKER, gone, left_in, number, told

from redraft.sandbox.pool import Sandbox, WaitingWorkers
from redraft.sandbox.program import Program

pytestmark = [pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="Linux only"), pytest.mark.timed]


@pytest.fixture
def waiting() -> Iterator[WaitingWorkers]:
    made = WaitingWorkers(most=1)
    yield made
    made.end()


def ran(folder: Path, waiting: WaitingWorkers, program: Program = WORKER) -> int:
    """One run in an event loop of its own; the worker that it asked."""

    async def run() -> int:
        async with Sandbox(folder, waiting=waiting) as box:
            box.warm(program)
            return number(await told(box, "echo", program=program), "pid")

    return anyio.run(run)


def test_the_next_run_gets_the_worker_in_another_loop_and_thread(tmp_path: Path, waiting: WaitingWorkers) -> None:
    pids: list[int] = []
    thread = threading.Thread(target=lambda: pids.append(ran(tmp_path, waiting)))
    thread.start()
    thread.join()
    pids += [ran(tmp_path, waiting), ran(tmp_path, waiting)]
    assert len(set(pids)) == 1
    waiting.end()
    assert gone(pids[0])
    assert left_in(tmp_path) == []


def test_only_a_worker_of_exactly_the_same_program_is_taken(tmp_path: Path, waiting: WaitingWorkers) -> None:
    (tmp_path / "assets").mkdir()
    program = replace(WORKER, binds=(tmp_path / "assets",))
    first = ran(tmp_path / "w", waiting, program)
    assert ran(tmp_path / "w", waiting, replace(program, memory=program.memory + 1)) != first
    assert ran(tmp_path / "w", waiting, program) == first
    (tmp_path / "assets").rename(tmp_path / "moved")
    (tmp_path / "assets").mkdir()
    assert ran(tmp_path / "w", waiting, program) != first, "it would still read the folder that was moved away"
    assert gone(first)


def test_one_that_was_killed_or_has_done_enough_is_replaced(tmp_path: Path, waiting: WaitingWorkers) -> None:
    program = replace(WORKER, jobs=2)
    first = ran(tmp_path, waiting, program)
    os.kill(first, signal.SIGKILL)
    assert gone(first)
    second = ran(tmp_path, waiting, program)
    assert ran(tmp_path, waiting, program) == second != first
    assert ran(tmp_path, waiting, program) != second


@pytest.mark.anyio
@pytest.mark.slow
async def test_no_more_wait_than_may_and_none_that_is_busy(tmp_path: Path, waiting: WaitingWorkers) -> None:
    pids: list[int] = []
    async with Sandbox(tmp_path, workers=2, waiting=waiting) as box:

        async def nap() -> None:
            pids.append(number(await told(box, "nap", seconds=0.2), "pid"))

        async with anyio.create_task_group() as group:
            group.start_soon(nap)
            group.start_soon(nap)
    (left,) = [pid for pid in pids if not gone(pid, 0.1)]
    box = Sandbox(tmp_path, waiting=waiting)
    async with anyio.create_task_group() as group:
        group.start_soon(told, box, "hang")
        await anyio.sleep(0.2)
        group.cancel_scope.cancel()
    await box.close()
    assert gone(left)
    assert waiting.take(WORKER) is None


@pytest.mark.slow
def test_one_that_nobody_uses_is_ended(tmp_path: Path) -> None:
    waiting = WaitingWorkers(seconds=0.5)
    pid = ran(tmp_path, waiting)
    assert not gone(pid, 0.1)
    assert gone(pid, 3.0)
    end = time.monotonic() + 3.0
    while left_in(tmp_path):
        assert time.monotonic() < end
        time.sleep(0.02)


PROGRAM = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from test_sandbox_waiting import ran
from redraft.files import lasting
from redraft.sandbox.pool import WAITING
mine = ran(lasting(), WAITING)
child = os.fork()
theirs = ran(lasting(), WAITING)
if child == 0:
    print(theirs, flush=True)
    sys.exit(0)
os.waitpid(child, 0)
print(mine, theirs, ran(lasting(), WAITING), flush=True)
"""


@pytest.mark.slow
def test_all_end_with_their_process_and_a_forked_one_has_its_own(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, Path(__file__).parent]
    (tmp_path / "tmp").mkdir()
    path = os.pathsep.join([str(Path(__file__).parents[1] / "helpers"), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp"), "PYTHONPATH": path}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    child, mine, again, after = map(int, done.stdout.split())
    assert mine == again == after != child
    assert all(map(gone, (mine, child)))
    assert left_in(tmp_path / "tmp") == []
