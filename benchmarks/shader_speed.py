"""What our path to pixels costs beside bare moderngl: contract, worker, pipes, limits and checks included.

    python benchmarks/shader_speed.py [--rounds 12] [--seed 1]

Both compile the same shaders and render one frame of each, in the same run and in turns; no two texts are equal, so
that no cache of the driver helps either. Bare moderngl has one context in this process, renders to 8 bits and reads the
picture. Ours gives the same picture, with the rows the right way up and broken pixels marked and counted, from a
process that may be killed. Both run the software driver with the same setting, so that the verdict is about the path
alone: the one of our worker (`gl.TUNED`), which compiles faster, or GALLIVM_PERF where that is set.

Prints per kind of shader and size: the fastest round of both by the clock; the processor time of both (every thread and
process, the driver's compiler included) and its ratio, which others on the machine disturb least; and candidates per
second with as many workers as there are processors. Exits 1 when the median over all kinds of the processor time's
ratio, or of the clock's, is over 1.10 at either size.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import anyio
import numpy as np

from redraft.sandbox.pool import Sandbox
from redraft.studios.shader.gl import TUNED, Rendered, View, render
from redraft.studios.shader.worker import COVER

AIM = 1.10
SIZES = (256, 512)
HEAD = """#version 330
uniform vec2 u_resolution;
uniform float u_time;
in vec2 v_uv;
out vec4 f_color;
"""
KINDS = {
    "gradient": """
void main() {
    vec3 low = vec3(0.05, SALT, 0.25), high = vec3(0.9, 0.6, 0.3);
    f_color = vec4(mix(low, high, v_uv.y) + 0.05 * sin(v_uv.x * 9.0 + u_time), 1.0);
}
""",
    "shapes": """
float disc(vec2 p, vec2 at, float r) { return smoothstep(0.01, -0.01, length(p - at) - r); }
void main() {
    vec2 p = v_uv * vec2(u_resolution.x / u_resolution.y, 1.0);
    vec3 c = vec3(0.1, 0.2, 0.3);
    for (int i = 0; i < 12; i++) {
        float k = float(i) + SALT;
        vec2 at = 0.5 + 0.4 * vec2(sin(k * 2.1 + u_time), cos(k * 1.7));
        c = mix(c, 0.5 + 0.5 * cos(k + vec3(0, 2, 4)), disc(p, at, 0.05 + 0.02 * sin(k)));
    }
    f_color = vec4(c, 1.0);
}
""",
    "noise": """
float hash(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453 + SALT); }
float noise(vec2 p) {
    vec2 i = floor(p), f = fract(p), u = f * f * (3.0 - 2.0 * f);
    return mix(mix(hash(i), hash(i + vec2(1, 0)), u.x), mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), u.x), u.y);
}
void main() {
    float v = 0.0, a = 0.5;
    vec2 p = v_uv * 4.0 + u_time;
    for (int i = 0; i < 5; i++) { v += a * noise(p); p *= 2.03; a *= 0.5; }
    f_color = vec4(mix(vec3(0.0, 0.1, 0.3), vec3(0.6, 1.0, 0.8), v), 1.0);
}
""",
    "march": """
float map(vec3 p) { return length(mod(p, 2.0) - 1.0) - 0.4 + 0.05 * sin(p.x * 5.0 + u_time + SALT); }
void main() {
    vec3 from = vec3(0.0, 0.0, u_time), ray = normalize(vec3(v_uv * 2.0 - 1.0, 1.5));
    float t = 0.0;
    for (int i = 0; i < 64; i++) t += map(from + ray * t) * 0.7;
    f_color = vec4(vec3(1.0 / (1.0 + t * 0.2)), 1.0);
}
""",
}


def salted(kind: str, rng: random.Random) -> str:
    """A shader like no other of its kind."""
    return HEAD + KINDS[kind].replace("SALT", f"{rng.random():.9f}")


class Cost(NamedTuple):
    wall: float
    worked: float
    """Both in milliseconds."""


class Bare:
    """moderngl as one would use it without redraft."""

    def __init__(self) -> None:
        import moderngl

        self.triangles = moderngl.TRIANGLES
        self.context: Any = cast("Any", moderngl).create_context(standalone=True, require=330, backend="egl")
        self.targets = {n: self.context.framebuffer([self.context.texture((n, n), 4)]) for n in SIZES}

    def render(self, code: str, size: int) -> bytes:
        program = self.context.program(vertex_shader=COVER, fragment_shader=code)
        shape = self.context.vertex_array(program, [])
        for name, value in (("u_resolution", (size, size)), ("u_time", 0.5)):
            if name in program:
                program[name] = value
        self.targets[size].use()
        shape.render(self.triangles, vertices=3)
        pixels: bytes = self.targets[size].read(components=3, alignment=1)
        shape.release()
        program.release()
        return pixels


def processor() -> float:
    """Milliseconds of processor time that this process and those it started have taken so far."""
    started = [n for thread in Path("/proc/self/task").iterdir() for n in (thread / "children").read_text().split()]
    ticks = sum(sum(map(int, Path(f"/proc/{n}/stat").read_text().rpartition(")")[2].split()[11:13])) for n in started)
    return 1000.0 * (time.process_time() + ticks / os.sysconf("SC_CLK_TCK"))


async def clock(work: Callable[[], Awaitable[object]]) -> Cost:
    start, worked = time.perf_counter(), processor()
    await work()
    return Cost(1000.0 * (time.perf_counter() - start), processor() - worked)


async def compare(
    bare: Bare, box: Sandbox, kind: str, size: int, rounds: int, rng: random.Random
) -> list[tuple[Cost, Cost]]:
    """What both cost, round by round; who goes first changes."""
    found: list[tuple[Cost, Cost]] = []
    view = View(size, size, (0.5,))
    for number in range(rounds):
        codes = salted(kind, rng), salted(kind, rng)

        async def theirs(code: str = codes[0]) -> bytes:
            return bare.render(code, size)

        async def ours(code: str = codes[1]) -> Rendered:
            return await render(code, view, box)

        if number % 2:
            first = await clock(theirs)
            found.append((first, await clock(ours)))
        else:
            last = await clock(ours)
            found.append((await clock(theirs), last))
    return found


async def same_picture(bare: Bare, box: Sandbox, kind: str, size: int, rng: random.Random) -> None:
    """What is compared must be the same: a value apart at most, which is the rounding."""
    code = salted(kind, rng)
    theirs = np.frombuffer(bare.render(code, size), np.uint8).reshape(size, size, 3)[::-1]
    shot = (await render(code, View(size, size, (0.5,)), box)).shots[0]
    apart = int(np.abs(theirs.astype(int) - shot.pixels).max())
    assert apart <= 1, f"{kind} at {size}: the pictures are {apart} apart"


async def throughput(box: Sandbox, size: int, count: int, rng: random.Random) -> float:
    """Candidates per second, when many are waiting: as many workers as there are processors."""
    codes = [salted(kind, rng) for kind in KINDS for _ in range(count)]
    start = time.perf_counter()
    async with anyio.create_task_group() as group:
        for code in codes:
            group.start_soon(render, code, View(size, size, (0.5,)), box)
    return len(codes) / (time.perf_counter() - start)


def shown(kind: str, size: int, found: Sequence[tuple[Cost, Cost]]) -> tuple[float, float]:
    """One line; the ratio by the clock and by the processor."""
    walls = [min(pair[i].wall for pair in found) for i in (0, 1)]
    works = [sum(pair[i].worked for pair in found) / len(found) for i in (0, 1)]
    ratios = walls[1] / walls[0], works[1] / works[0]
    print(f"{size:5} {kind:9}" + "".join(f"{x:10.1f}" for x in (*walls, *works)) + f"{ratios[0]:9.2f}{ratios[1]:10.2f}")
    return ratios


async def measure(rounds: int, seed: int) -> bool:
    rng, bare, reached = random.Random(seed), Bare(), True
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox(Path(folder)) as box:
            print(f"GALLIVM_PERF on both sides: {os.environ['GALLIVM_PERF']}")
            print(" size shader    bare, ms  ours, ms  bare cpu  ours cpu    ratio cpu ratio")
            for size in SIZES:
                ratios: list[tuple[float, float]] = []
                for kind in KINDS:
                    await same_picture(bare, box, kind, size, rng)
                    ratios.append(shown(kind, size, await compare(bare, box, kind, size, rounds, rng)))
                together = await throughput(box, size, max(2, rounds // 3), rng)
                wall, worked = (statistics.median(column) for column in zip(*ratios, strict=True))
                reached = reached and max(wall, worked) <= AIM
                print(f"{size:5} median ratios: clock {wall:.2f}, processor {worked:.2f}")
                print(f"{size:5} candidates a second, all processors: {together:.1f}")
    print(f"aim: within 10 % of bare moderngl with the same driver setting: {'reached' if reached else 'MISSED'}")
    return reached


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    os.environ["MESA_SHADER_CACHE_DISABLE"] = "true"  # as the worker has it
    os.environ.setdefault("GALLIVM_PERF", TUNED["GALLIVM_PERF"])
    return 0 if anyio.run(measure, args.rounds, args.seed) else 1


if __name__ == "__main__":
    sys.exit(main())
