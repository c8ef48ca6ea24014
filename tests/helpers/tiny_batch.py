"""Briefs of four studios that take no time to speak of, and what tests look for in the folder of a batch."""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from small_board import small_board

from redraft.batch import Row
from redraft.record.events import EffectFinished, RunFinished
from redraft.record.journal import read_events

PATIENCE = 60.0

DELIVERED = (
    *("drawing.*", "shader.glsl", "shader.json", "frame.png", "board.kicad_pcb", "image.*", "prompt.txt"),
    *("scene.py", "scene.json", "scene.glb", "render.png", "sheet.png", "renders/*.png"),
)
"""What runs of these studios deliver; records and pages have times in them, a `.blend` has addresses of memory."""


@dataclass(frozen=True)
class Whole:
    """A batch that is done."""

    briefs: Path
    out: Path
    rows: list[Row]


def until(reached: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


def write_briefs(folder: Path, *, shader: bool = False, more: int = 0) -> Path:
    """Write a file of briefs, its board beside it."""
    (folder / "a.kicad_pcb").write_text(small_board())
    briefs: list[dict[str, Any]] = [
        {"studio": "sketch", "instruction": "a house with a red roof", "id": "house", "seed": 3},
        {"studio": "board", "instruction": "put C1 2 mm right of U1", "source": "a.kicad_pcb", "id": "board"},
        {"studio": "image", "instruction": "a fox, snow", "id": "fox", "size": "64x64"},
        {"studio": "sketch", "instruction": "two trees", "loop.iterations": 1},
    ]
    briefs += [{"studio": "sketch", "instruction": f"{n} circles", "id": f"circles-{n}"} for n in range(2, 2 + more)]
    if shader:
        briefs.append({"studio": "shader", "instruction": "slow aurora", "id": "aurora", "size": "32x32", "frames": 1})
    path = folder / "briefs.jsonl"
    path.write_text("".join(json.dumps(brief) + "\n" for brief in briefs))
    return path


def delivered(out: Path) -> dict[str, str]:
    """Digests of the delivered files of all runs."""
    paths = [path for pattern in DELIVERED for path in out.glob(f"*/{pattern}") if path.parent != out / "gallery"]
    return {path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(paths)}


def is_finished(run: Path) -> bool:
    """Whether a run has come to its end."""
    events = read_events(run) if (run / "events.jsonl").exists() else []
    return any(isinstance(event, RunFinished) and event.error is None for event in events)


def finished_effects(run: Path) -> Counter[str]:
    """How often each effect of a run has a result; once is right."""
    return Counter(event.key for event in read_events(run) if isinstance(event, EffectFinished))
