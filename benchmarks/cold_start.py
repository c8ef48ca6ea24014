"""How long help takes from nothing, beside `python -c pass`: that of redraft, and that of each studio's command.

    python benchmarks/cold_start.py

The aims: `redraft --help` under 0.2 s, `redraft STUDIO --help` under 0.25 s. Exits 1 when one is missed.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

AIM_S, STUDIO_AIM_S = 0.2, 0.25
STUDIOS = ("board", "image", "scene", "shader", "sketch")


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
    print(f"redraft --help          {helped:.3f} s")
    print(f"python -c pass          {bare:.3f} s")
    print(f"ratio                   {helped / bare:.1f}")
    reached = helped < AIM_S
    for studio in STUDIOS:
        took = seconds([redraft, studio, "--help"])
        print(f"redraft {studio + ' --help':15} {took:.3f} s")
        reached = reached and took < STUDIO_AIM_S
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
