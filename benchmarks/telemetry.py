"""What telemetry costs a run: seconds from the last event of a small drawing to the end of its process.

Without a collector, with one that answers, with none at its address, and with one that never answers.

    python benchmarks/telemetry.py
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from collector import Collector
from http_loopback import Hang

from redraft.record.journal import read_events

REPEATS = 3
NOBODY = "http://127.0.0.1:9"


def seconds(endpoint: str) -> float:
    """Median time from the end of the run to the end of the process."""
    found: list[float] = []
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "redraft", "sketch", "a red circle left of a blue square", "--out", "run"]
            environment = os.environ | {"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint}
            subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
            found.append(time.time() - read_events(Path(folder) / "run")[-1].at.timestamp())
    return statistics.median(found)


def main() -> None:
    with Collector() as answering, Collector(Hang()) as silent:
        cases = {"no collector": "", "one that answers": answering.url, "no server": NOBODY, "a silent one": silent.url}
        for name, endpoint in cases.items():
            print(f"{name:<17} {seconds(endpoint):.2f} s")


if __name__ == "__main__":
    main()
