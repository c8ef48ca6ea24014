"""How long `redraft --help` takes from nothing, beside `python -c pass`. The aim is under 0.2 s.

python benchmarks/cold_start.py
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

AIM_S = 0.2


def seconds(command: list[str], repeats: int = 9) -> float:
    """Median wall time of a command, the first run left out."""
    found: list[float] = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        done = subprocess.run(command, check=True, capture_output=True)
        found.append(time.perf_counter() - start)
        assert bool(done.stdout) == ("--help" in command), f"{command} printed {done.stdout!r}"
    return statistics.median(found[1:])


def main() -> int:
    redraft = shutil.which("redraft", path=str(Path(sys.executable).parent)) or "redraft"
    helped = seconds([redraft, "--help"])
    bare = seconds([sys.executable, "-c", "pass"])
    print(f"redraft --help    {helped:.3f} s")
    print(f"python -c pass    {bare:.3f} s")
    print(f"ratio             {helped / bare:.1f}")
    return 0 if helped < AIM_S else 1


if __name__ == "__main__":
    sys.exit(main())
