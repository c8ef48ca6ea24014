"""Kill a run at each of its steps with SIGKILL, resume it, and compare it with a run that nobody killed.

    python benchmarks/kills.py [EVERY]

The run draws with a model server on loopback that sees: draft, look, edit, look, delivery. It is killed before and
after each line of its journal and each file that it writes, those of the export too (or at each EVERY-th of these
places). Printed for each: the step, whether a finished effect was repeated, and whether the delivered files are the
same, byte for byte.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, cast

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from drawings import HOUSE, TREE_PATCH
from http_loopback import OnLoopback, Quiet, send

KILLED = """
import os, signal, sys
import redraft.files, redraft.record.journal
from redraft.cli import main

left = int(os.environ["KILL_AT"])


def step(what):
    global left
    left -= 1
    if left == 0:
        print("killed " + what, file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)


def around(owner, name, describe):
    inner = getattr(owner, name)

    def call(*args, **more):
        step("before " + describe(*args))
        result = inner(*args, **more)
        step("after " + describe(*args))
        return result

    return call


wrapped = around(redraft.files, "write_atomic", lambda path, *_: path.name)
for module in [m for n, m in sys.modules.items() if n.startswith("redraft") and hasattr(m, "write_atomic")]:
    module.write_atomic = wrapped
line = lambda self, event: event.event + " " + event.key
redraft.record.journal.Journal.write = around(redraft.record.journal.Journal, "write", line)
main()
"""
"""A program that runs the command line and kills itself at a step."""
CALLS = 4
"""Draft, look, edit, look."""
SAME = ("drawing.svg", "drawing.png", "drawing.json")
VERDICTS: tuple[dict[str, Any], ...] = (
    {"satisfied": False, "score": 5, "summary": "The tree is missing.", "rulings": [],
     "differences": [{"text": "There is no tree.", "weight": "must"}]},
    {"satisfied": True, "score": 9, "summary": "All is there.", "rulings": [], "differences": [], "better": "A"},
)  # fmt: skip


class Model(OnLoopback):
    """Answers each kind of request by what it says, and counts them."""

    def __init__(self) -> None:
        model = self

        class Handler(Quiet):
            def do_POST(self) -> None:  # noqa: N802
                body = self.rfile.read(int(self.headers["content-length"]))
                reply = model.reply(json.loads(body))
                raw = json.dumps(reply).encode()
                send(cast("BaseHTTPRequestHandler", self), 200, {"content-type": "application/json"}, raw, len(raw))

        super().__init__(Handler)
        self.asked: Counter[str] = Counter()

    def reply(self, request: Mapping[str, Any]) -> dict[str, Any]:
        text = json.dumps(request["messages"])
        self.asked[text] += 1
        if "satisfied" in json.dumps(request.get("response_format", "")) + text:
            content = json.dumps(VERDICTS[text.count('"image_url": {') > 1])
        else:
            content = TREE_PATCH if '"image_url": {' in text else HOUSE
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}


def command(folder: Path, *words: str, kill_at: int = 0) -> subprocess.CompletedProcess[str]:
    program = ["-c", KILLED] if kill_at else ["-m", "redraft"]
    environment = os.environ | {"KILL_AT": str(kill_at), "HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
    environment |= {"XDG_CONFIG_HOME": str(folder), "REDRAFT_MODELS__SEES": "true"}
    return subprocess.run(
        [sys.executable, *program, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def start_words(model: Model) -> list[str]:
    words = ["sketch", "a house with a tree", "--model", "openai-compatible:m", "--base-url", f"{model.url}/v1"]
    return [*words, "--critic", "--seed", "3", "--out", "run"]


def files_of(folder: Path) -> dict[str, bytes]:
    return {name: (folder / "run" / name).read_bytes() for name in SAME if (folder / "run" / name).exists()}


def trial(model: Model, folder: Path, kill_at: int, expected: Mapping[str, bytes]) -> tuple[str, bool, str]:
    """Kill a run at a step and resume it; return the step, whether it could be killed there, and what was wrong."""
    folder.mkdir()
    model.asked.clear()
    killed = command(folder, *start_words(model), kill_at=kill_at)
    place = killed.stderr.strip().removeprefix("killed ")
    if killed.returncode != -9:
        return "", False, ""
    journal = folder / "run" / "events.jsonl"
    if not journal.exists() or not journal.stat().st_size:
        return place, True, ""  # nothing had begun, and nothing is lost
    resumed = command(folder, "resume", "run")
    wrong: list[str] = []
    if resumed.returncode:
        wrong.append(f"exit {resumed.returncode}: {resumed.stderr.strip()[:200]}")
    repeated = sum(model.asked.values()) - CALLS
    if repeated > (1 if "effect_finished" in place and place.startswith("before") else 0):
        wrong.append(f"{repeated} calls repeated")
    if files_of(folder) != expected:
        wrong.append("other files")
    return place, True, "; ".join(wrong)


def main() -> None:
    every, place, failures = int(sys.argv[1]) if len(sys.argv) > 1 else 1, 1, 0
    with tempfile.TemporaryDirectory() as name, Model() as model:
        whole = Path(name) / "whole"
        whole.mkdir()
        done = command(whole, *start_words(model))
        expected = files_of(whole)
        if done.returncode or len(expected) < len(SAME) or sum(model.asked.values()) != CALLS:
            sys.exit(f"the run without a kill failed: {done.stdout}{done.stderr}")
        while True:
            step, killed, wrong = trial(model, Path(name) / str(place), place, expected)
            if not killed:
                break
            failures += bool(wrong)
            print(f"{place:>3}  {step:<60} {wrong or 'resumed, nothing repeated, same files'}", flush=True)
            place += every
    print(f"{(place - 1) // every} kills, {failures} failed")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
