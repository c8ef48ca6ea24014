"""Good fragment shaders to break: npm's gl-transitions and those of Debian's piglit, fetched when first asked for.

Both are MIT (piglit in part; see its copyright file); neither is kept in this repository. A transition is wrapped into
a whole shader of this project's contract, its two pictures replaced by patterns made of formulas. From piglit come the
fragment shaders of GLSL 1.10 to 3.30 that are said to compile: at most a few of each folder, as most of a folder's are
made by one generator. Groups (a folder of piglit, the same folder of all versions where it is generated, one
transition) are what a split must not tear apart. The wrapping that all transitions share is never broken.

    python benchmarks/shader_corpus.py            # fetches, compiles, prints how many there are
"""

from __future__ import annotations

import argparse
import json
import random
import re
import select
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redraft.memory.hunks import shape_of

__all__ = ["CACHE", "Compiler", "Source", "good_shaders"]

CACHE = Path(tempfile.gettempdir()) / "redraft-shader-corpus"
PER_FOLDER = 8
"""Of one folder of piglit."""
LONGEST = 300
"""Lines of a shader."""
SECONDS = 20.0
"""Of one compilation."""

HEAD = """#version 330
uniform vec2 u_resolution;
uniform float u_time;
uniform vec2 u_mouse;
uniform float u_seed;
in vec2 v_uv;
out vec4 f_color;
"""
PICTURES = """
vec4 getFromColor(vec2 uv) {
  return vec4(0.5 + 0.5 * cos(6.283 * uv.xyx + vec3(0.0, 2.0, 4.0)), 1.0);
}

vec4 getToColor(vec2 uv) {
  return vec4(vec3(step(0.5, fract(8.0 * uv.x + 4.0 * uv.y))), 1.0);
}
"""
TAIL = """
void main() {
  f_color = transition(v_uv);
}
"""


@dataclass(frozen=True)
class Source:
    """One good shader: its own text, and what was put around it. `group` is what it stays together with in a split."""

    name: str
    group: str
    body: str
    before: str = ""
    after: str = ""

    @property
    def code(self) -> str:
        return self.whole(self.body)

    def whole(self, body: str) -> str:
        """Another text in the place of its own."""
        return f"{self.before}{body}{self.after}"


def good_shaders(cache: Path, compiler: Compiler, seed: int = 0) -> list[Source]:
    """Every shader of both collections that compiles here, in a fixed order.

    Raises:
        RuntimeError: something cannot be fetched.
    """
    found = [*_transitions(_gl_transitions(cache)), *_of_piglit(_piglit(cache), seed)]
    shapes: set[str] = set()
    good: list[Source] = []
    for source in found:
        shape = shape_of(source.code)
        if shape not in shapes and source.code.count("\n") <= LONGEST and compiler.complaint(source.code) == "":
            good.append(source)
            shapes.add(shape)
    return good


def _gl_transitions(cache: Path) -> Path:
    folder = cache / "gl-transitions"
    if not (folder / "package").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        _run(["npm", "pack", "gl-transitions@1.71.0"], folder)
        _run(["tar", "xzf", next(folder.glob("*.tgz")).name], folder)
    return folder / "package" / "transitions"


def _piglit(cache: Path) -> Path:
    folder = cache / "piglit"
    if not (folder / "usr").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        _run(["apt-get", "download", "piglit"], folder)
        _run(["dpkg-deb", "-x", next(folder.glob("*.deb")).name, "."], folder)
    return next((folder / "usr" / "lib").glob("*/piglit"))


def _run(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise RuntimeError(f"`{' '.join(command)}` in {folder} failed:\n{done.stderr.strip()}")


def _transitions(folder: Path) -> Iterator[Source]:
    for path in sorted(folder.glob("*.glsl")):
        code = path.read_text("utf-8").replace("\r\n", "\n").strip()
        name = f"gl-transitions/{path.stem}"
        yield Source(name, name, _of_contract(code), HEAD + PICTURES + "\n", "\n" + TAIL)


def _of_contract(code: str) -> str:
    """A transition with this project's uniforms in the place of its own two."""
    code = re.sub(r"\bratio\b", "(u_resolution.x / u_resolution.y)", code) if "float ratio" not in code else code
    return re.sub(r"\bprogress\b", "u_time", code)


def _of_piglit(root: Path, seed: int) -> Iterator[Source]:
    folders: dict[str, list[Path]] = defaultdict(list)
    for kind in ("*.frag", "*.shader_test"):
        for path in sorted(root.rglob(kind)):
            folders[str(path.parent.relative_to(root))].append(path)
    for folder, paths in sorted(folders.items()):
        picked = random.Random(f"{seed} {folder}").sample(paths, min(len(paths), 3 * PER_FOLDER))
        sources = [s for path in picked if (s := _read(path, folder)) is not None]
        yield from sources[:PER_FOLDER]


def _read(path: Path, folder: str) -> Source | None:
    text = path.read_text("utf-8", "replace").replace("\r\n", "\n")
    code = _fragment(text) if path.suffix == ".shader_test" else _expected(text)
    if code is None or code.count("\n") < 6 or "#extension" in code or "#include" in code:
        return None
    generated = re.search(r"generated_tests/spec/[^/]*/(.*)", folder)
    group = f"piglit/generated/{generated[1]}" if generated else f"piglit/{folder}"
    return Source(f"piglit/{folder}/{path.name}", group, code)


def _expected(text: str) -> str | None:
    """A parser test that is to pass, from its `#version` on; None for the others."""
    said = re.search(r"expect_result:\s*(\w+)", text)
    version = re.search(r"glsl_version:\s*(\d)\.(\d+)\s*$", text, re.MULTILINE)
    start = re.search(r"^\s*#version (\d+)", text, re.MULTILINE)
    if said is None or said[1] != "pass" or version is None or start is None or "require_extensions" in text:
        return None
    return text[start.start() :].lstrip() if 110 <= int(version[1] + version[2]) <= 330 else None


def _fragment(text: str) -> str | None:
    """The fragment shader of a test file, with the version that the file requires."""
    body = re.search(r"^\[fragment shader\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL)
    version = re.search(r"^GLSL >= (\d)\.(\d+)\s*$", text, re.MULTILINE)
    if body is None or version is None or not 110 <= int(version[1] + version[2]) <= 330:
        return None
    code = body[1].strip() + "\n"
    return code if code.startswith("#version") else f"#version {version[1]}{version[2]}\n{code}"


# Compiling


class Compiler:
    """Mesa's compiler through moderngl, in a process of its own that may be killed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._known: dict[str, str] = {}
        self.compiled = 0

    def complaint(self, code: str) -> str:
        """What the compiler says of a fragment shader; empty when it compiles. A shader that hangs is an error too."""
        if code not in self._known:
            self._known[code] = self._ask(code)
        return self._known[code]

    def _ask(self, code: str) -> str:
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        self.compiled += 1
        process.stdin.write(json.dumps(code) + "\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], SECONDS)
        line = process.stdout.readline() if ready else ""
        if not line:
            self.close()
            return "the compiler did not answer"
        return str(json.loads(line))

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            command = [sys.executable, __file__, "--worker"]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self._process

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def _work(lines: Iterable[str]) -> None:
    import moderngl

    backend: Any = "egl"
    context = moderngl.create_context(standalone=True, backend=backend)
    vertex = "#version 330\nvoid main() { gl_Position = vec4(0.0); }\n"
    for line in lines:
        try:
            context.program(vertex_shader=vertex, fragment_shader=json.loads(line)).release()
            answer = ""
        except moderngl.Error as error:
            answer = _compiler_words(str(error))
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _compiler_words(message: str) -> str:
    """The compiler's own lines; empty for what only the linker says, as no vertex shader belongs to these."""
    if "GLSL Compiler failed" not in message:
        return ""
    return "\n".join(line for line in message.split("\n") if re.match(r"\d+:\d+\(\d+\): ", line)) or message


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        _work(sys.stdin)
        return
    compiler = Compiler()
    found = good_shaders(arguments.cache, compiler)
    compiler.close()
    groups = {s.group for s in found}
    transitions = sum(s.name.startswith("gl-") for s in found)
    print(f"{len(found)} shaders in {len(groups)} groups: {transitions} of gl-transitions, the rest of piglit")


if __name__ == "__main__":
    main()
