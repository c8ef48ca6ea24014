"""Runs a minute of a batch beside a bare loop of `redraft.run`, the cost of Ray, and the memory of a worker.

With the offline model. For each studio the same briefs are carried out in small rounds, in turns and in an order that
changes: by one loop, by a batch with one worker, by two loops at once, by a batch with two workers, and with `--ray` on
a Ray cluster of two processors with one run at a time. All of them stay up between the rounds and are warm before the
first, so that loading is left out and what else the machine does falls on all alike. A ratio is that of one round; the
median is given with the lowest and the highest. The aim: a batch reaches 90 % of as many loops, by the median.

    python benchmarks/throughput.py [--ray] [--rounds 7] [--runs 8] [STUDIO ...]
    python benchmarks/throughput.py --level 1000 [STUDIO ...]

The second carries out so many runs of each studio in one batch worker, and prints the resident memory of it and of its
sandboxed workers after 10, 100 and all runs, and the slope of a line through what came after the first 100. The aim:
less than 10 % more at the end than after 100 runs.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

import anyio
from anyio import to_thread

from batch import briefs_of, command_of, has_blender, patiently
from redraft.batch import Row, acarry_out
from redraft.sandbox.processes import tree_of

AIM, GROWTH = 0.9, 1.1
Briefs = list[dict[str, Any]]


class Loop:
    """A process that carries out what it is sent by `redraft.run`, one after the other."""

    def __init__(self) -> None:
        command = [sys.executable, __file__, "--loop"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def carry_out(self, briefs: Briefs, out: Path) -> None:
        """Carry out briefs, whose ids name the folders."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([str(out), briefs]), file=self._process.stdin, flush=True)
        assert self._process.stdout.readline() == "done\n"

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def be_a_loop() -> None:
    """Do what a `Loop` is sent."""
    import redraft

    for line in sys.stdin:
        out, briefs = json.loads(line)
        for brief in briefs:
            run_id, studio = brief.pop("id"), brief.pop("studio")
            redraft.run(studio, brief.pop("instruction"), out=Path(out) / run_id, **brief)
        print("done", flush=True)


async def throughput(folder: Path, studio: str, rounds: int, runs: int, *, on_ray: bool) -> float:
    """Print one row for a studio; the lower of the two ratios to the loops."""
    briefs = briefs_of(folder, (rounds + 1) * runs, (studio,))
    for brief in briefs:
        if "source" in brief:
            brief["source"] = str(folder / brief["source"])
    loops = [Loop(), Loop()]

    async def by_loops(count: int, some: Briefs, out: Path) -> None:
        async with anyio.create_task_group() as group:
            for number, loop in enumerate(loops[:count]):
                group.start_soon(to_thread.run_sync, loop.carry_out, some[number::count], out)

    async def by_batch(workers: int, on: str, some: Briefs, out: Path) -> None:
        rows = await acarry_out(some, out, workers=workers, on=on)
        assert all(row.finished for row in rows), [row.error for row in rows]

    ways: dict[str, Callable[[Briefs, Path], Awaitable[None]]] = {
        "loop": partial(by_loops, 1),
        "batch": partial(by_batch, 1, ""),
        "loops": partial(by_loops, 2),
        "batches": partial(by_batch, 2, ""),
    }
    if on_ray:
        ways["ray"] = partial(by_batch, 1, "ray")
    took: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(rounds + 1):
        some = briefs[turn * runs : (turn + 1) * runs]
        for name in list(ways)[:: 1 if turn % 2 else -1]:
            began = time.monotonic()
            await ways[name](some, folder / f"{name}-{turn}")
            if turn:
                took[name].append(time.monotonic() - began)
    for loop in loops:
        loop.close()
    rates = {name: 60 * runs / statistics.median(took[name]) for name in ways}
    one, two = (spread(took[bare], took[batch]) for bare, batch in (("loop", "batch"), ("loops", "batches")))
    print(
        f"{studio:<7}",
        *(f"{rates[name]:8.0f}" for name in ("loop", "batch", "loops", "batches")),
        *(f"{middle:6.0%} ({low:4.0%} to {high:4.0%})" for middle, low, high in (one, two)),
    )
    if on_ray:
        more = [1000 * (slow - quick) / runs for slow, quick in zip(took["ray"], took["batch"], strict=True)]
        print(f"{'':7} Ray: {statistics.median(more):+.0f} ms a run ({min(more):+.0f} to {max(more):+.0f})", flush=True)
    return min(one[0], two[0])


def spread(bare: list[float], batch: list[float]) -> tuple[float, float, float]:
    """Median, least and greatest of what a batch reaches of the loop in the same round."""
    ratios = [quick / slow for quick, slow in zip(bare, batch, strict=True)]
    return statistics.median(ratios), min(ratios), max(ratios)


async def level(folder: Path, studio: str, count: int) -> float:
    """Print one row for a studio; the memory after all runs, as a share of that after a tenth of them."""
    held: list[tuple[float, float]] = []

    def note(_: Row) -> None:
        (worker,) = (pid for pid in tree_of(os.getpid()) if b"anyio.to_process" in command_of(pid))
        under = [pid for pid in tree_of(worker) if pid != worker]
        held.append((resident(worker), sum(map(resident, under))))

    began = time.monotonic()
    await acarry_out(briefs_of(folder, count, (studio,)), folder / "out", workers=1, folder=folder, observer=note)
    seconds, base = (time.monotonic() - began) / count, count // 10
    after = [f"{held[at - 1][0]:7.1f} + {held[at - 1][1]:6.1f}" for at in (10, base, count)]
    slopes = [
        1000 * statistics.linear_regression(range(count - base), [both[part] for both in held[base:]]).slope
        for part in (0, 1)
    ]
    print(f"{studio:<7} {seconds:6.2f} s", *after, f"  {slopes[0]:+.1f} and {slopes[1]:+.1f} KB", flush=True)
    return sum(held[-1]) / sum(held[base - 1])


def resident(pid: int) -> float:
    """Megabytes of resident memory; 0 for a process that has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 1_000_000
    except OSError:
        return 0.0


async def all_of(studios: list[str], measure: Callable[[Path, str], Awaitable[float]]) -> list[float]:
    """Measure the studios, one after the other."""
    found: list[float] = []
    for studio in studios:
        with tempfile.TemporaryDirectory() as folder:
            found.append(await measure(Path(folder), studio))
    return found


def main() -> int:
    """Measure; 1 if a studio misses the aim."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("studios", nargs="*", metavar="STUDIO")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--runs", type=int, default=8, help="in one round")
    parser.add_argument("--ray", action="store_true", help="also measure what Ray adds to a run")
    parser.add_argument("--level", type=int, default=0, metavar="RUNS", help="measure memory over so many runs instead")
    given = parser.parse_args()
    studios = given.studios or ["sketch", "shader", "board", "image", *(["scene"] if has_blender() else [])]
    if given.level:
        print(
            "        seconds  MB of the worker + of its sandboxed workers, after     slope since a tenth\n"
            "        a run    10 runs          a tenth          all                    of both, a run"
        )
        grown = max(anyio.run(all_of, studios, partial(level, count=given.level)))
        print(f"at the end {grown:.0%} of the memory after a tenth of the runs at most; the aim is {GROWTH:.0%}")
        return 0 if grown <= GROWTH else 1
    if given.ray:
        import ray

        start = partial(cast("Any", ray).init, "local", num_cpus=2, log_to_driver=False, include_dashboard=False)
        patiently(partial(start, logging_level="ERROR"))
    print("           runs a minute, by the median        batch of as many loops")
    print("            loop    batch  2 loops  batch 2   one worker            two")
    reached = min(
        anyio.run(all_of, studios, partial(throughput, rounds=given.rounds, runs=given.runs, on_ray=given.ray))
    )
    print(f"a batch reaches {reached:.0%} of the loops at least; the aim is {AIM:.0%}")
    return 0 if reached >= AIM else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["--loop"]:
        be_a_loop()
        sys.exit(0)
    sys.exit(main())
