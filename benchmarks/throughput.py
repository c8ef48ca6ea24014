"""Runs a minute of a batch, beside a bare loop of `redraft.run` in one process, with the offline model.

For each studio the same briefs: in a loop, in a batch with one and two workers, and on a local Ray cluster of two
processors. Counted from the first finished run to the last, so that loading is left out. On a machine that others use
the clock says little, so there is processor time too: what a run costs in the loop and in a batch, driver included,
beyond a batch of one run. Memory is that of the loop after its first and its last run. The aim: a batch with one worker
reaches 90 % of the loop, by processor time.

    python benchmarks/throughput.py [RUNS] [STUDIO ...]
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from batch import briefs_of, has_blender
from redraft.batch import carry_out

AIM = 0.9


def loop(folder: Path, path: Path) -> None:
    """Carry out briefs one after the other in this process; print the times and the memory after each."""
    import redraft

    for line in path.read_text().splitlines():
        brief = json.loads(line)
        run_id, studio = brief.pop("id"), brief.pop("studio")
        if "source" in brief:
            brief["source"] = path.parent / brief["source"]
        redraft.run(studio, brief.pop("instruction"), out=folder / run_id, **brief)
        print(time.monotonic(), memory("self"), flush=True)


def memory(pid: str) -> int:
    """Megabytes of resident memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 // 1_000_000


def rate(times: list[float]) -> float:
    """Runs a minute from the first finished one to the last."""
    return 60 * (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else 0.0


def processor() -> float:
    """Processor seconds of this process and of those that it has seen end."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def measured(folder: Path, studio: str, count: int) -> float:
    """Print one row for a studio; what a worker reaches of the loop."""
    briefs = briefs_of(folder, count, (studio,))
    costs: dict[str, list[float]] = {"loop": [], "one": []}
    bare, first, last = 0.0, "", ""
    for some in (briefs[:1], briefs):
        path = folder / f"{len(some)}.jsonl"
        path.write_text("".join(json.dumps(brief) + "\n" for brief in some))
        before = processor()
        command = [sys.executable, __file__, "--loop", folder / f"loop-{len(some)}", path]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        costs["loop"].append(processor() - before)
        times, sizes = zip(*map(str.split, ran.stdout.splitlines()), strict=True)
        bare, first, last = rate([*map(float, times)]), sizes[0], sizes[-1]
        before = processor()
        one = clocked(folder / f"one-{len(some)}", folder, some, 1)
        costs["one"].append(processor() - before)
    two, ray = (clocked(folder / f"two{on}", folder, briefs, 2, on) for on in ("", "ray"))
    loop_cost, one_cost = ((costs[name][1] - costs[name][0]) / (count - 1) for name in ("loop", "one"))
    reached = loop_cost / one_cost
    numbers = (f"{bare:8.0f} {one:11.0f} {two:12.0f} {ray:9.0f}", f"{loop_cost:6.2f} {one_cost:12.2f} {reached:6.0%}")
    print(f"{studio:<7}", *numbers, f"{120_000 * (1 / ray - 1 / two):7.0f} ms   {first} to {last} MB", flush=True)
    return reached


def clocked(out: Path, folder: Path, briefs: list[dict[str, Any]], workers: int, on: str = "") -> float:
    """Runs a minute of a batch."""
    times: list[float] = []
    carry_out(briefs, out, workers=workers, folder=folder, on=on, observer=lambda _: times.append(time.monotonic()))
    return rate(times)


def main(count: int, studios: list[str]) -> int:
    """Measure the studios; 1 if one misses the aim."""
    studios = studios or ["sketch", "shader", "board", "image", *(["scene"] if has_blender() else [])]
    print("          runs a minute                             processor seconds a run       Ray a run   memory")
    print("            loop  one worker  two workers  Ray, two    loop   one worker  reached")
    reached: list[float] = []
    for studio in studios:
        with tempfile.TemporaryDirectory() as folder:
            reached.append(measured(Path(folder), studio, count))
    print(f"one worker reaches {min(reached):.0%} of the loop at least; the aim is {AIM:.0%}")
    return 0 if min(reached) >= AIM else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--loop"]:
        loop(Path(sys.argv[2]), Path(sys.argv[3]))
        sys.exit(0)
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 30, sys.argv[2:]))
