"""What real compilers say of the shaders in `tests/data/glsl_errors/mistakes.json`, and writing it down anew.

    python tests/helpers/glsl_compilers.py mesa glslang angle [--naga PYTHON]

writes `mesa.json` and so on beside that file. Mesa is asked through moderngl, glslang by `glslangValidator`, ANGLE in
Chromium's WebGL 2, naga in a Python that has `wgpu` (PYTHON), which is none of this project's dependencies.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

DATA = Path(__file__).parents[1] / "data" / "glsl_errors"
HEAD_OF = {"mesa": "desktop", "glslang": "desktop", "angle": "es", "naga": "vulkan"}
"""Which of the heads in `mistakes.json` a compiler is given."""

VERTEX = "#version 330\nflat out int level;\nvoid main() { level = 1; gl_Position = vec4(0.0); }\n"
WEBGL = """(sources) => {
    const gl = document.createElement("canvas").getContext("webgl2");
    const logs = sources.map((source) => {
        const shader = gl.createShader(gl.FRAGMENT_SHADER);
        gl.shaderSource(shader, source);
        gl.compileShader(shader);
        return gl.getShaderParameter(shader, gl.COMPILE_STATUS) ? "" : gl.getShaderInfoLog(shader);
    });
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    return [logs, info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : ""];
}"""
NAGA = """
import json, sys, wgpu
device = wgpu.gpu.request_adapter_sync().request_device_sync()
logs = []
for source in json.load(sys.stdin):
    try:
        device.create_shader_module(code=source, label="frag")
        logs.append("")
    except Exception as error:
        logs.append(str(error))
print(json.dumps([logs, "naga of wgpu " + wgpu.__version__]))
"""


class Mistake(NamedTuple):
    """A shader with one mistake."""

    name: str
    key: str
    line: int | None
    code: str
    otherwise: dict[str, str]
    """Keys of compilers that see another mistake in it."""

    def program(self, compiler: str) -> str:
        return _heads()[HEAD_OF[compiler]] + self.code


class Recording(NamedTuple):
    """What one compiler said, by name of the mistake; empty where it accepted the shader."""

    compiler: str
    messages: dict[str, str]


def mistakes() -> list[Mistake]:
    return [
        Mistake(
            row["name"],
            row["key"],
            row["line"],
            row["code"],
            {compiler: other["key"] for compiler, other in row.get("otherwise", {}).items()},
        )
        for row in _table()["mistakes"]
    ]


@cache
def recording(compiler: str) -> Recording:
    data = json.loads((DATA / f"{compiler}.json").read_text(encoding="utf-8"))
    return Recording(data["compiler"], data["messages"])


def ask_mesa(sources: Sequence[str]) -> tuple[list[str], str]:
    """Logs, empty for what compiles, and the version (`Mesa 22.3.6`)."""
    import moderngl

    context = moderngl.create_context(standalone=True, backend="egl")  # pyright: ignore[reportArgumentType, reportUnknownMemberType]
    logs: list[str] = []
    try:
        for source in sources:
            try:
                context.program(vertex_shader=VERTEX, fragment_shader=source).release()
                logs.append("")
            except moderngl.Error as error:
                logs.append(str(error))
        return logs, str(context.info["GL_VERSION"]).partition(") ")[2]
    finally:
        context.release()


def ask_glslang(sources: Sequence[str]) -> tuple[list[str], str]:
    """Logs of compiling and linking, empty for what compiles, and the version."""
    logs: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            Path(folder, "shader.frag").write_text(source, encoding="utf-8")
            command = ["glslangValidator", "-l", "shader.frag"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
            logs.append(done.stdout if done.returncode else "")
    about = subprocess.run(["glslangValidator", "--version"], capture_output=True, text=True, timeout=60, check=False)
    return logs, about.stdout.splitlines()[0].replace("Glslang Version", "glslang")


def ask_angle(sources: Sequence[str]) -> tuple[list[str], str]:
    """The same of ANGLE, in a headless Chromium."""
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=flags)
        logs, about = cast("tuple[list[str], str]", browser.new_page().evaluate(WEBGL, list(sources)))
        about = f"{about}, Chromium {browser.version}"
        browser.close()
    return logs, about


def ask_naga(python: str) -> Callable[[Sequence[str]], tuple[list[str], str]]:
    """The same of naga, in a Python that has wgpu."""

    def ask(sources: Sequence[str]) -> tuple[list[str], str]:
        done = subprocess.run(
            [python, "-c", NAGA],
            input=json.dumps(list(sources)),
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        logs, about = json.loads(done.stdout)
        return logs, about

    return ask


@cache
def _table() -> dict[str, Any]:
    return json.loads((DATA / "mistakes.json").read_text(encoding="utf-8"))


def _heads() -> dict[str, str]:
    return _table()["heads"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("compilers", nargs="*", choices=["mesa", "glslang", "angle"])
    parser.add_argument("--naga", metavar="PYTHON", help="a Python that has wgpu")
    args = parser.parse_args()
    known = {"mesa": ask_mesa, "glslang": ask_glslang, "angle": ask_angle, "naga": ask_naga(args.naga)}
    for name in [*args.compilers, *(["naga"] if args.naga else [])]:
        cases = mistakes()
        logs, about = known[name]([case.program(name) for case in cases])
        messages = {case.name: log for case, log in zip(cases, logs, strict=True)}
        content = {"compiler": about, "produced_by": "tests/helpers/glsl_compilers.py", "messages": messages}
        text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        (DATA / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{name}: {about}, {sum(map(bool, logs))} of {len(logs)} refused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
