"""Runs a minute of a batch, beside a bare loop of `redraft.run` in one process, with the offline model.

For each studio the same briefs: in a loop, in a batch with one and two workers, and on a local Ray cluster of two
processors. Counted from the first finished run to the last, so that loading is left out; it is shown beside. Memory is
that of one worker process after its first and its last run. The aim: a batch with one worker reaches 90 % of the loop.

    python benchmarks/throughput.py [RUNS] [STUDIO ...]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from batch import briefs_of, has_blender
from redraft.batch import Row, carry_out

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
    return 60 * (len(times) - 1) / (times[-1] - times[0])


def measured(folder: Path, studio: str, count: int) -> float:
    """Print one row for a studio; what a worker reaches of the loop."""
    briefs = briefs_of(folder, count, (studio,))
    path = folder / "briefs.jsonl"
    path.write_text("".join(json.dumps(brief) + "\n" for brief in briefs))
    began = time.monotonic()
    command = [sys.executable, __file__, "--loop", folder / "loop", path]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = [line.split() for line in ran.stdout.splitlines()]
    bare, first, last = rate([float(row[0]) for row in rows]), rows[0][1], rows[-1][1]
    cells = [f"{studio:<7}", f"{bare:7.0f}", f"{float(rows[0][0]) - began:5.1f}", f"{first} → {last} MB"]
    rates: list[float] = []
    for name, workers, on in (("one", 1, ""), ("two", 2, ""), ("ray", 2, "ray")):
        times: list[float] = []

        def done(_: Row, times: list[float] = times) -> None:
            times.append(time.monotonic())

        began = time.monotonic()
        carry_out(briefs, folder / name, workers=workers, folder=folder, on=on, observer=done)
        rates.append(rate(times))
        cells.append(f"{rates[-1]:6.0f} ({rates[-1] / bare:4.0%})  {times[0] - began:5.1f}")
    cells.append(f"{2 * 60_000 * (1 / rates[2] - 1 / rates[1]):6.0f} ms")
    print("  ".join(cells), flush=True)
    return rates[0] / bare


def main(count: int, studios: list[str]) -> int:
    """Measure the studios; 1 if one misses the aim."""
    studios = studios or ["sketch", "shader", "board", "image", *(["scene"] if has_blender() else [])]
    print("runs a minute (of the loop), and seconds to the first; Ray's cost a run over a pool of as many workers")
    print("studio   loop/min  first  memory  |  one worker  |  two workers  |  Ray, two  |  Ray a run")
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
