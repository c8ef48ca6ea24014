"""Batches that everything happens to, in processes and on a Ray cluster of two nodes, and whether they make the same.

Offline runs of all studios (scenes where Blender's module is installed), with caps and limits kept in a real Redis. The
driver is killed, then a worker, then Redis is restarted, empty, and on Ray a node is removed. Prints what became of the
briefs: each must be finished once, none lost or repeated, and the cost counted once. Then the delivered files of both
batches are compared, byte for byte; `.blend` files are left out, into which Blender writes addresses of its memory.

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
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from redis_server import RedisServer
from small_board import small_board
from tiny_batch import delivered, finished_effects, is_finished

from redraft.errors import MissingPartError
from redraft.record.transcript import Record
from redraft.sandbox.processes import tree_of
from redraft.studios.scene.blender import find_blender

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


def patiently(start: Callable[[], Any]) -> Any:
    """Start a part of Ray, which gives up after 30 seconds: too few on a loaded machine."""
    for _ in range(4):
        try:
            return start()
        except Exception as error:  # Ray raises plain ones
            print(f"Ray did not start, trying again: {str(error)[:60]}", flush=True)
    return start()


def begin(path: Path, out: Path, url: str, address: str) -> subprocess.Popen[bytes]:
    """Start the batch in a process of its own."""
    command = [sys.executable, "-m", "redraft", "batch", path, "--out", out]
    command += ["--on", "ray", "--address", address] if address else ["--workers", str(WORKERS)]
    command += ["--limit", "offline=2,100000/min", "--max-calls", "100000", "--redis", url]
    log = (out.parent / "log.txt").open("ab")
    with log:
        return subprocess.Popen(command, cwd=out.parent, stdout=log, stderr=log)


def worker_of(driver: int, *, on_ray: bool) -> int:
    """A process that carries out a run."""
    while True:
        for pid in map(int, (path.name for path in Path("/proc").glob("[0-9]*"))) if on_ray else tree_of(driver):
            command = command_of(pid)
            if command.startswith(b"ray::redraft") if on_ray else b"anyio.to_process" in command:
                return pid
        time.sleep(0.05)


def command_of(pid: int) -> bytes:
    """The command line of a process; empty for one that has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def disturbed(path: Path, out: Path, briefs: list[dict[str, Any]], cluster: Any = None) -> bool:
    """Carry out the batch and disturb it after a fifth of its runs, two fifths, and so on; whether all is well."""
    runs = [out / str(brief["id"]) for brief in briefs]
    address = cluster.address if cluster else ""
    node = patiently(partial(cluster.add_node, num_cpus=1)) if cluster else None

    def reach(part: float) -> int:
        while sum(map(is_finished, runs)) < part * len(runs) and driver.poll() is None:
            time.sleep(0.2)
        return sum(map(is_finished, runs))

    with RedisServer("redis-server", path.parent) as server:
        began = time.monotonic()
        driver = begin(path, out, server.url, address)
        reach(0.2)
        driver.kill()
        driver.wait()
        time.sleep(1)  # workers end with their driver
        before = {run: (run / "events.jsonl").read_bytes() for run in runs if is_finished(run)}
        print(f"driver killed with {len(before)} of {len(runs)} runs finished")
        driver = begin(path, out, server.url, address)
        finished = reach(0.4)
        os.kill(worker_of(driver.pid, on_ray=bool(cluster)), signal.SIGKILL)
        print(f"worker killed with {finished} finished")
        finished = reach(0.6)
        server.kill()
        time.sleep(1)
        server.start()
        print(f"Redis restarted, empty, with {finished} finished")
        if cluster:
            finished = reach(0.8)
            cluster.remove_node(node, allow_graceful=False)
            print(f"node removed with {finished} finished")
        code = driver.wait()
        seconds = time.monotonic() - began

    data = json.loads((out / "batch.json").read_text())
    same = all((run / "events.jsonl").read_bytes() == raw for run, raw in before.items())
    repeated = sum(number - 1 for run in runs for number in finished_effects(run).values())
    calls = sum(Record.load(run).transcript.usage.calls for run in runs)
    finished = sum(map(is_finished, runs))
    print(f"finished {finished} of {len(runs)} in {seconds:.0f} s, exit code {code}, outcomes {data['outcomes']}")
    print(f"finished runs untouched by the restart: {same}; effects done twice: {repeated}")
    print(f"calls in the records: {calls}, counted: {data['usage']['calls']}", flush=True)
    return finished == len(runs) and same and not repeated and calls == data["usage"]["calls"]


def main(count: int) -> int:
    """Carry out both batches, and compare what they delivered."""
    from ray.cluster_utils import Cluster

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, briefs = folder / "briefs.jsonl", briefs_of(folder, count)
        path.write_text("".join(json.dumps(brief) + "\n" for brief in briefs))
        print(f"studios: {dict(Counter(str(brief['studio']) for brief in briefs))}")
        print(f"In processes, {WORKERS} workers")
        well = disturbed(path, folder / "processes", briefs)
        print("On Ray, two nodes of one processor", flush=True)
        head = {"num_cpus": 1, "include_dashboard": False}
        cluster: Any = patiently(partial(Cluster, initialize_head=True, head_node_args=head))
        try:
            well &= disturbed(path, folder / "ray", briefs, cluster)
        finally:
            cluster.shutdown()
        mine, theirs = delivered(folder / "processes"), delivered(folder / "ray")
        others = sorted(file for file in mine | theirs if mine.get(file) != theirs.get(file))
        print(f"files delivered by both: {len(mine)}; others on Ray: {len(others)} {others[:5]}")
        return 0 if well and mine and not others else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
