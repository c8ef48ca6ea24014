"""How near the offline model comes to photographs, turn by turn, with a grid of mean colors.

    python benchmarks/shader_target.py [--turns 2] [--pictures astronaut.png,coffee.png,…] [--out FOLDER]

The pictures are scikit-image's own, with the longer side at 256 pixels. The model gets a grid of mean colors and
nothing else; its shader is rendered by the worker, scored by FLIP (lower is better), and handed back to it for the
next turn. Beside it, in the same run: the one color that scores best. Seconds are processor time of one turn of the
model.

Prints a table. Exits 1 when a turn of any picture did not lower its score. With `--out`, each picture's turns are
written there side by side.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import anyio
import numpy as np
import skimage
from PIL import Image

from redraft.metrics.base import Metric, Pixels, open_metric
from redraft.metrics.pictures import colour_grid
from redraft.metrics.target import read_target
from redraft.sandbox.pool import Sandbox
from redraft.studios.shader.gl import View, render
from redraft.studios.shader.offline.target import toward

PICTURES = ("astronaut.png", "chelsea.png", "coffee.png", "rocket.jpg", "camera.png")
LONGEST = 256


@dataclass(frozen=True)
class Course:
    """Figures of one picture: scores and seconds by turn, the best single color, and the frames."""

    name: str
    scores: tuple[float, ...]
    seconds: tuple[float, ...]
    constant: float
    frames: tuple[Pixels, ...]

    @property
    def falling(self) -> bool:
        """Whether every turn was nearer than the one before it."""
        return all(later < earlier for earlier, later in zip(self.scores, self.scores[1:], strict=False))


async def course(name: str, turns: int, metric: Metric, sandbox: Sandbox) -> Course:
    """The turns of one picture."""
    target = read_target(Path(skimage.__file__).parent / "data" / name, LONGEST).pixels
    height, width, _ = target.shape
    grid, code = colour_grid(target), None
    frames, scores, seconds = list[Pixels](), list[float](), list[float]()
    for _ in range(turns):
        begun = time.process_time()
        _, code = toward(grid, code)
        seconds.append(time.process_time() - begun)
        frames.append((await render(code, View(width, height, (0.0,)), sandbox)).shots[0].pixels)
        scores.append(metric.measure(target, frames[-1]))
    return Course(name, tuple(scores), tuple(seconds), best_constant(target, metric), (target, *frames))


def best_constant(target: Pixels, metric: Metric) -> float:
    """The lowest score of one colour all over: from mean and median, channel by channel down to single steps."""
    flat = target.reshape(-1, 3)
    starts = (np.mean(flat, axis=0), np.median(flat, axis=0))
    lowest, colour = min(
        (_constant(target, s.astype(np.int64), metric), (int(s[0]), int(s[1]), int(s[2]))) for s in starts
    )
    step = 32
    while step >= 2:
        near = [
            np.clip(np.array(colour) + sign * step * unit, 0, 255) for unit in np.eye(3, dtype=int) for sign in (1, -1)
        ]
        score, found = min((_constant(target, n, metric), (int(n[0]), int(n[1]), int(n[2]))) for n in near)
        if score < lowest:
            lowest, colour = score, found
        else:
            step //= 2
    return lowest


def _constant(target: Pixels, colour: np.ndarray[tuple[int, ...], np.dtype[np.int64]], metric: Metric) -> float:
    return metric.measure(target, np.broadcast_to(colour.astype(np.uint8), target.shape).copy())


def head(turns: int) -> str:
    columns = "".join(f"{f'turn {i}':>9}" for i in range(1, turns + 1))
    return f"{'FLIP':<16}{'one colour':>11}{columns}{'s a turn':>10}"


def line(one: Course) -> str:
    row = "".join(f"{score:9.4f}" for score in one.scores)
    mark = "" if one.falling else "  NOT FALLING"
    return f"{one.name:<16}{one.constant:11.4f}{row}{max(one.seconds):10.1f}{mark}"


async def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--pictures", default=",".join(PICTURES))
    parser.add_argument("--out", type=Path)
    wanted = parser.parse_args()
    metric, courses = open_metric("flip"), list[Course]()
    print(head(wanted.turns))
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox(Path(folder), workers=1) as sandbox:
            for name in wanted.pictures.split(","):
                courses.append(await course(name, wanted.turns, metric, sandbox))
                print(line(courses[-1]), flush=True)
    assert all(len(one.scores) == wanted.turns for one in courses), "a picture has too few turns"
    if wanted.out:
        wanted.out.mkdir(parents=True, exist_ok=True)
        for one in courses:
            Image.fromarray(np.hstack(one.frames)).save(wanted.out / f"{Path(one.name).stem}.png")
    return 0 if all(one.falling for one in courses) else 1


if __name__ == "__main__":
    sys.exit(anyio.run(main))
