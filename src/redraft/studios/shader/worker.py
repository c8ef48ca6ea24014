"""The program that compiles and renders, in a process of its own: `python -m redraft.studios.shader.worker`.

One job is one shader of the contract, prepared, and all the frames wanted of it; the answer holds their pixels, or the
compiler's words. One GL context serves all jobs; what a job makes in it is released with the job.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from redraft.errors import ExecutionError, MissingPartError
from redraft.sandbox.protocol import Handler, serve

if TYPE_CHECKING:
    import moderngl
    import numpy as np
    from numpy.typing import NDArray

INSTALL = "apt-get install libegl1 libgl1"
COVER = """#version 330
out vec2 v_uv;
void main() {
    v_uv = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0;
    gl_Position = vec4(v_uv * 2.0 - 1.0, 0.0, 1.0);
}
"""
"""One triangle over all of the picture."""
LOG_LINES, LOG_CHARACTERS = 20, 4_000
ERRORS = 100
"""Shaders that did not compile, before the context is made anew."""


class Renderer:
    """A GL context and the buffer that its last job's size needed."""

    def __init__(self) -> None:
        self._context = _context()
        self._size = (0, 0)
        self._target: moderngl.Framebuffer | None = None
        self._errors = 0
        self.compiler = compiler_of(self._context.info)

    def do(self, job: dict[str, Any], blob: bytes) -> tuple[Mapping[str, Any], memoryview]:
        """A job: `width`, `height`, `marked` (alpha marks broken pixels), `uniforms` (of all frames), `frames` (those
        of each), and the GLSL as the blob."""
        import numpy as np

        size = (int(job["width"]), int(job["height"]))
        frames: list[dict[str, Any]] = job["frames"]
        made = bytearray(len(frames) * size[0] * size[1] * 3)
        pixels = np.frombuffer(made, np.uint8).reshape(len(frames), size[1], size[0], 3)
        program = self._compiled(blob.decode())
        target = self._sized(size)
        shape: moderngl.VertexArray = cast("Any", self._context).vertex_array(program, [])
        try:
            _set(program, job["uniforms"])
            target.color_mask = (True, True, True, bool(job["marked"]))
            facts = [self._frame(program, shape, target, each, pixels[i]) for i, each in enumerate(frames)]
        finally:
            shape.release()
            program.release()
        return {"compiler": self.compiler, "frames": facts}, memoryview(made)

    def _compiled(self, code: str) -> moderngl.Program:
        import moderngl

        if self._errors >= ERRORS:
            self._renew()
        try:
            return self._context.program(vertex_shader=COVER, fragment_shader=code)
        except moderngl.Error as error:
            self._errors += 1
            raise ExecutionError(bounded(log_of(str(error))), by=self.compiler) from error

    def _renew(self) -> None:
        """A fresh context: moderngl keeps what it had made of a program that then did not compile, 13 KB each time."""
        self._context.release()
        self._context, self._target, self._errors = _context(), None, 0

    def _sized(self, size: tuple[int, int]) -> moderngl.Framebuffer:
        """The buffer to render into; the last one when it has the size."""
        if self._target is None or size != self._size:
            if self._target is not None:
                for held in (*self._target.color_attachments, self._target):
                    held.release()
            self._target = self._context.framebuffer([self._context.texture(size, 4)])
            self._size = size
        return self._target

    def _frame(
        self,
        program: moderngl.Program,
        shape: moderngl.VertexArray,
        target: moderngl.Framebuffer,
        uniforms: dict[str, Any],
        into: NDArray[np.uint8],
    ) -> list[float]:
        """Render one frame into an array, top row first; its darkest and brightest value, its share of broken pixels,
        and the milliseconds that rendering took."""
        import moderngl
        import numpy as np

        _set(program, uniforms)
        target.color_mask, mask = (True, True, True, True), target.color_mask
        target.use()
        target.clear(0.0, 0.0, 0.0, 1.0)
        target.color_mask = mask
        started = time.perf_counter()
        shape.render(moderngl.TRIANGLES, vertices=3)
        self._context.finish()
        took = (time.perf_counter() - started) * 1000
        into[...] = np.frombuffer(target.read(components=3, alignment=1), np.uint8).reshape(into.shape)[::-1]
        alpha = np.frombuffer(target.read(components=4), np.uint8).reshape(*into.shape[:2], 4)[::-1, :, 3]
        whole = np.count_nonzero(alpha)
        values = into if whole == alpha.size else into[alpha > 0]
        low, high = (float(values.min()), float(values.max())) if whole else (0.0, 0.0)
        return [low / 255, high / 255, 1.0 - whole / alpha.size, took]


def _set(program: moderngl.Program, uniforms: Mapping[str, Any]) -> None:
    """Give values to those uniforms that the program uses; the others were optimized out of it."""
    for name, value in uniforms.items():
        if name in program:
            program[name] = value


def compiler_of(info: Mapping[str, Any]) -> str:
    """Who compiles, with version: `Mesa 22.3.6`, `NVIDIA 535.54`; of others vendor and version as they say it."""
    version = str(info.get("GL_VERSION", ""))
    known = re.search(r"\b(Mesa|NVIDIA)\s+([\d.]+)", version)
    return " ".join(known.groups()) if known else f"{info.get('GL_VENDOR', '')} {version}".strip()[:60]


def log_of(message: str) -> str:
    """The compiler's own lines of moderngl's message, which puts headings before them."""
    _, _, log = message.rpartition("====\n")
    return (log or message).strip()


def bounded(log: str) -> str:
    """The first lines of a log; what was left out is said."""
    lines = log.splitlines()
    kept = "\n".join(lines[:LOG_LINES])[:LOG_CHARACTERS]
    left = len(lines) - kept.count("\n") - 1
    return f"{kept}\n(and {left} more lines)" if left > 0 else kept


def open_renderer() -> Handler:
    """Return the renderer. Raises `MissingPartError` without OpenGL 3.3 through EGL."""
    return Renderer().do


def _context() -> moderngl.Context:
    try:
        import moderngl
    except ImportError as error:
        raise MissingPartError(f"Shaders need moderngl ({error}). Install it: pip install 'redraft[shader]'") from error
    try:
        return cast("Any", moderngl).create_context(standalone=True, require=330, backend="egl")
    except Exception as error:  # of whatever type the driver's binding likes
        raise MissingPartError(f"Shaders need OpenGL 3.3 through EGL ({error}). Install it: {INSTALL}") from error


if __name__ == "__main__":
    serve(open_renderer)
