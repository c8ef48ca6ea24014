"""How long the fix memory takes to answer with 100,000 fixes in it, on SQLite and on a Redis server.

The fixes are made up of the commonest mistakes in shaders and Blender scripts, with names and numbers from a seed:
some sixty kinds of error, skewed as in life, so that the largest key holds tens of thousands. Asked is as a run asks:
an error in a program of sixty lines, of a kind drawn from the same skew, every time another one; of a replay, every
hundredth error that is known. Prints median and 99th percentile by the clock, and the processor's time in this
process (what a busy machine adds is the difference); the aim is a median under 5 ms by the clock. Exits with 1 if the
aim is missed.

    python benchmarks/fix_lookup.py [--fixes 100000] [--questions 1000] [--seed 0]
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from redis_server import RedisServer

from redraft.fixes.base import Fix, Store, open_store
from redraft.fixes.error_cache import ErrorCache, stored_shape
from redraft.fixes.normalize import diagnostics, key_of

AIM_MS = 5.0
PROGRAM_LINES = 60
BUILT_IN = ("mix", "smoothstep", "clamp", "step", "pow", "dot", "cross", "mod", "atan", "reflect", "distance", "max")
LEGACY = ("gl_FragColor", "gl_FragCoord", "iTime", "iResolution", "iMouse", "texture2D", "PI", "TAU", "uv", "fragCoord")
TYPES = ("vec2", "vec3", "vec4", "mat2", "mat3", "ivec2")
ATTRIBUTES = (
    "fcurves",
    "use_nodes",
    "select",
    "hide",
    "layers",
    "draw_type",
    "emission",
    "lamp",
    "scene_layers",
    "tags",
)


@dataclass(frozen=True)
class Mistake:
    """Templates: what the compiler says, the line as it was and as it became; {a} {b} {n} {m} are names and numbers."""

    message: str
    broken: str
    fixed: str


def mistakes() -> list[Mistake]:
    """The commonest first."""
    mesa = "0:{line}(7): error: "
    found = [
        Mistake(mesa + "`{a}' undeclared", "float {b} = {a} * {n};", "float {b} = {b}0 * {n};"),
        Mistake(
            mesa + "syntax error, unexpected IDENTIFIER, expecting ',' or ';'", "{a} = {b} + {n}", "{a} = {b} + {n};"
        ),
        Mistake(
            mesa + "could not implicitly convert operands to arithmetic operator", "{a} *= mat2({n});", "{a} *= {n};"
        ),
        Mistake(
            mesa + "initializer of type vec2 cannot be assigned to variable of type vec3",
            "vec3 {a} = vec2({n}, {m});",
            "vec3 {a} = vec3({n}, {m}, 0.0);",
        ),
        Mistake(mesa + "invalid swizzle / mask `zw'", "float {a} = {b}.zw * {n};", "float {a} = {b}.xy * {n};"),
        Mistake(mesa + "`{a}' redeclared", "float {a} = {n};", "{a} = {n};"),
        Mistake(mesa + "assignment to read-only variable '{a}'", "{a} += {n};", "float {b} = {a} + {n};"),
        Mistake(
            mesa + "function `{a}' has non-void return type float, but no return statement", "}}", "return {n};\n}}"
        ),
    ]
    found += [
        Mistake(mesa + f"`{name}' undeclared", f"{{a}} = {name} * {{n}};", "{a} = v_uv.x * {n};") for name in LEGACY
    ]
    found += [
        Mistake(
            mesa + f"too few components to construct `{name}'",
            f"{{a}} = {name}({{n}}, {{b}});",
            f"{{a}} = {name}({{n}});",
        )
        for name in TYPES
    ]
    found += [
        Mistake(
            mesa + f"no matching function for call to `{name}(int, float)'",
            f"{{a}} = {name}(1, {{n}});",
            f"{{a}} = {name}(1.0, {{n}});",
        )
        for name in BUILT_IN
    ]
    found += [
        Mistake(
            f"AttributeError: 'Object' object has no attribute '{name}'",
            f"{{a}}.{name} = {{n}}",
            "{a}.pass_index = {n}",
        )
        for name in ATTRIBUTES
    ]
    python = (
        "KeyError: 'key \"{a}\" not found'",
        "IndexError: list index out of range",
        "NameError: name '{a}' is not defined",
    )
    python += ("TypeError: unsupported operand type(s) for +: 'int' and 'str'", "ZeroDivisionError: division by zero")
    found += [Mistake(text, "{a} = {b}[{n}]", "{a} = {b}.get({n})") for text in python]
    return found


class Maker:
    """Makes mistakes, from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._mistakes = mistakes()
        self._weights = [1 / (n + 1) ** 1.1 for n in range(len(self._mistakes))]
        self.made = 0

    def _filled(self, line: int) -> Mistake:
        [kind] = self._random.choices(self._mistakes, self._weights)
        word = self._random.choice(("glow", "wave", "tone", "dist", "edge", "sky", "lamp", "ring"))
        self.made += 1
        values = {
            "a": f"{word}{self.made}",
            "b": self._random.choice(("p", "q", "uv", "col", "acc", "mask")),
            "n": f"{self._random.uniform(0, 9):.3f}",
            "m": f"{self._random.uniform(0, 9):.3f}",
            "line": line,
        }
        return Mistake(*(text.format(**values) for text in (kind.message, kind.broken, kind.fixed)))

    def fix(self) -> Fix | None:
        """One that was learnt, with its counts; None where the error is of no kind that is known."""
        mistake = self._filled(self._random.randrange(1, 90))
        used = self._random.choice((0, 0, 0, 1, 2, 5, 20))
        key = key_of(mistake.message)
        if not key:
            return None
        return Fix(
            key=key,
            error_msg=mistake.message,
            broken_snippet=mistake.broken,
            fixed_snippet=mistake.fixed,
            timestamp=f"2026-{self._random.randrange(1, 13):02}-{self._random.randrange(1, 29):02}T12:00:00+00:00",
            compiler="Mesa 22.3.6",
            times_used=used,
            times_worked=self._random.randint(0, used),
        )

    def question(self) -> tuple[str, str]:
        """An error and the program that has it."""
        at = self._random.randrange(PROGRAM_LINES)
        mistake = self._filled(at + 1)
        return mistake.message, program(at, mistake.broken)


def program(at: int, broken: str) -> str:
    """A program with these broken lines at a line, counted from 0."""
    lines = [f"    float v{n} = sin(v_uv.x * {n}.0) + cos(u_time * {n}.5);" for n in range(max(PROGRAM_LINES, at + 1))]
    lines[at] = f"    {broken}"
    return "\n".join(lines)


def question_of(fix: Fix) -> tuple[str, str]:
    """The error of a known fix, and a program with the lines that it fixed."""
    line = diagnostics(fix.error_msg)[0].line
    return fix.error_msg, program(PROGRAM_LINES - 1 if line is None else line - 1, fix.broken_snippet)


def fill(store: Store, count: int, seed: int) -> list[Fix]:
    """Put so many fixes in, print how they lie, and return every hundredth."""
    maker, keys, known = Maker(seed), Counter[str](), list[Fix]()

    def some() -> Iterator[tuple[Fix, str]]:
        while sum(keys.values()) < count:
            fix = maker.fix()
            if fix is not None:
                keys[fix.key] += 1
                known.extend([fix] if sum(keys.values()) % 100 == 0 else [])
                yield fix, stored_shape(fix)

    start = time.perf_counter()
    store.add_all(some())
    took = time.perf_counter() - start
    kept = sum(store.keys().values())
    assert kept > 0.3 * count, f"{store.label} kept {kept:,} of {count:,} fixes"
    print(f"{store.label}: {kept:,} fixes in {took:.0f} s, {len(keys)} keys, the largest {max(keys.values()):,}")
    return known


def measure(name: str, count: int, questions: int, seed: int) -> bool:
    """Fill a store, ask it, and say whether the aim was met."""
    store = open_store(name)
    assert store is not None
    known = [question_of(fix) for fix in fill(store, count, seed)]
    maker, memory = Maker(seed + 1), ErrorCache(store)
    unseen = [maker.question() for _ in range(questions)]
    met = timed("lookup", memory.lookup, unseen)
    met &= timed("examples", lambda m, p: memory.get_few_shot_examples(m, broken=p), unseen)
    met &= timed("replay", memory.replay, [known[n % len(known)] for n in range(questions)])
    memory.close()
    return met


def timed(what: str, ask: Callable[[str, str], object], asked: list[tuple[str, str]]) -> bool:
    """Ask, print how long it took, and say whether the aim was met."""
    times, answered, questions, busy = list[float](), 0, len(asked), time.process_time()
    for message, program in asked:
        start = time.perf_counter()
        answered += bool(ask(message, program))
        times.append(1000 * (time.perf_counter() - start))
    assert answered > questions / 10, f"{what}: only {answered} of {questions} questions were answered"
    busy = 1000 * (time.process_time() - busy) / questions
    median, late = statistics.median(times), statistics.quantiles(times, n=100)[-1]
    print(
        f"  {what:<9} median {median:5.2f} ms   p99 {late:6.2f} ms   processor {busy:5.2f} ms   "
        f"answered {answered / questions:4.0%}"
    )
    return median < AIM_MS


@contextmanager
def redis_server(folder: Path) -> Generator[RedisServer | None]:
    program = shutil.which("redis-server")
    if program is None:
        print("Redis: left out, redis-server is missing (apt-get install redis-server)")
        yield None
        return
    with RedisServer(program, folder) as server:
        yield server


def main() -> int:
    parser = argparse.ArgumentParser(description="Time the fix memory's answers.")
    parser.add_argument("--fixes", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, redis_server(Path(folder)) as server:
        met = measure(f"sqlite:{folder}/fixes.sqlite", given.fixes, given.questions, given.seed)
        if server is not None:
            met &= measure(server.url, given.fixes, given.questions, given.seed)
            held = server.client().info("memory")["used_memory_human"]
            print(f"  the server holds {held}")
    print(f"aim (median under {AIM_MS:g} ms each): {'met' if met else 'missed'}")
    return 0 if met and server is not None else 1


if __name__ == "__main__":
    sys.exit(main())
