"""A batch that everything happens to: its driver is killed, then a worker, then Redis is restarted.

Offline runs of all studios (scenes where Blender's module is installed), with caps and limits kept in a real Redis.
Prints what became of the briefs: each must be finished once, none lost or repeated, and the cost counted once.

    python benchmarks/batch.py [BRIEFS]
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from redis_server import RedisServer
from small_board import small_board
from tiny_batch import finished_effects, is_finished

from redraft.errors import MissingPartError
from redraft.studios.scene.blender import find_blender
from redraft.transcript import Record

COLORS = ("red", "blue", "green", "yellow", "black", "white", "orange", "purple")
WORKERS = 2


def briefs_of(folder: Path, count: int, studios: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """So many briefs, the studios in turn."""
    (folder / "a.kicad_pcb").write_text(small_board())
    wanted = studios or ("sketch", "shader", "board", "image", *(("scene",) if has_blender() else ()))
    made: list[dict[str, Any]] = []
    for number in range(count):
        color = COLORS[number % len(COLORS)]
        kinds: dict[str, dict[str, Any]] = {
            "sketch": {"instruction": f"{number % 7 + 1} {color} circles beside a house"},
            "shader": {"instruction": f"slow {color} aurora", "size": "32x32", "frames": 1},
            "board": {"instruction": f"put C1 {1 + number % 5} mm right of U1", "source": "a.kicad_pcb"},
            "image": {"instruction": f"a {color} fox, snow", "size": "64x64"},
            "scene": {"instruction": f"a {color} cube on a table", "samples": 1, "size": "64x64"},
        }
        studio: str = wanted[number % len(wanted)]
        made.append({"studio": studio, "id": f"{number:04}-{studio}", "seed": number, **kinds[studio]})
    return made


def has_blender() -> bool:
    """Whether Blender's module is installed."""
    try:
        return find_blender().module
    except MissingPartError:
        return False


def begin(path: Path, out: Path, url: str) -> subprocess.Popen[bytes]:
    """Start the batch in a process of its own."""
    command = [sys.executable, "-m", "redraft", "batch", path, "--out", out, "--workers", str(WORKERS)]
    command += ["--limit", "offline=2,100000/min", "--max-calls", "100000", "--redis", url]
    log = (out.parent / "log.txt").open("ab")
    with log:
        return subprocess.Popen(command, cwd=out.parent, stdout=log, stderr=log)


def main(count: int) -> int:
    """Carry out the batch and disturb it after a fifth, two fifths and three fifths of its runs."""
    with tempfile.TemporaryDirectory() as name, RedisServer("redis-server", Path(name)) as server:
        folder = Path(name)
        out, path, briefs = folder / "out", folder / "briefs.jsonl", briefs_of(folder, count)
        path.write_text("".join(json.dumps(brief) + "\n" for brief in briefs))
        runs = [out / str(brief["id"]) for brief in briefs]

        def reach(part: float) -> None:
            while sum(map(is_finished, runs)) < part * count and driver.poll() is None:
                time.sleep(0.2)

        began = time.monotonic()
        driver = begin(path, out, server.url)
        reach(0.2)
        driver.kill()
        driver.wait()
        before = {run: (run / "events.jsonl").read_bytes() for run in runs if is_finished(run)}
        print(f"driver killed with {len(before)} of {count} runs finished")
        driver = begin(path, out, server.url)
        reach(0.4)
        children = Path(f"/proc/{driver.pid}/task/{driver.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGKILL)
        print(f"worker killed with {sum(map(is_finished, runs))} finished")
        reach(0.6)
        server.kill()
        time.sleep(1)
        server.start()
        print(f"Redis restarted, empty, with {sum(map(is_finished, runs))} finished")
        code = driver.wait()
        seconds = time.monotonic() - began

        data = json.loads((out / "batch.json").read_text())
        same = all((run / "events.jsonl").read_bytes() == raw for run, raw in before.items())
        repeated = sum(number - 1 for run in runs for number in finished_effects(run).values())
        calls = sum(Record.load(run).transcript.usage.calls for run in runs)
        finished = sum(map(is_finished, runs))
        print(f"studios: {dict(Counter(str(brief['studio']) for brief in briefs))}; {WORKERS} workers, {seconds:.0f} s")
        print(f"finished {finished} of {count}, exit code {code}, outcomes {data['outcomes']}")
        print(f"finished runs untouched by the restart: {same}; effects done twice: {repeated}")
        print(f"calls in the records: {calls}, counted: {data['usage']['calls']}")
        return 0 if finished == count and same and not repeated and calls == data["usage"]["calls"] else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
