"""The program that compiles and renders, in a process of its own: `python -m redraft.studios.shader.worker`.

One job is one shader of the contract, prepared, and the frames to render; the answer holds their pixels, or the
compiler's message. One GL context serves all jobs; what a job makes in it is released with the job.
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
MAX_LOG_LINES, MAX_LOG_CHARACTERS = 20, 4_000
MAX_ERRORS = 100
"""Shaders that did not compile before the context is made anew."""


class Renderer:
    """A GL context and the buffer that its last job's size needed."""

    def __init__(self) -> None:
        self._context = _context()
        self._size = (0, 0)
        self._target: moderngl.Framebuffer | None = None
        self._errors = 0
        self.compiler = compiler_of(self._context.info)

    def do(self, job: dict[str, Any], blob: bytes) -> tuple[Mapping[str, Any], memoryview]:
        """Do a job: `width`, `height`, `marked` (alpha marks broken pixels), `frames` (the uniforms of each), and the
        GLSL as the blob. The answer has the compiler, and of each frame the facts and the pixels."""
        import moderngl
        import numpy as np

        # moderngl keeps what it made of a program that then did not compile, 13 KB each time.
        if self._errors >= MAX_ERRORS:
            self._context.release()
            self._context, self._target, self._errors = _context(), None, 0
        try:
            program = self._context.program(vertex_shader=COVER, fragment_shader=blob.decode())
        except moderngl.Error as error:
            self._errors += 1
            raise ExecutionError(bounded(log_of(str(error))), by=self.compiler) from error

        # The buffer to render into is the last one where that has the size.
        size = (int(job["width"]), int(job["height"]))
        if self._target is None or size != self._size:
            if self._target is not None:
                for held in (*self._target.color_attachments, self._target):
                    held.release()
            self._target = self._context.framebuffer([self._context.texture(size, 4)])
            self._size = size

        frames: list[dict[str, Any]] = job["frames"]
        buffer = bytearray(len(frames) * size[0] * size[1] * 3)
        pixels = np.frombuffer(buffer, np.uint8).reshape(len(frames), size[1], size[0], 3)
        shape: moderngl.VertexArray = cast("Any", self._context).vertex_array(program, [])
        try:
            self._target.color_mask = (True, True, True, bool(job["marked"]))
            facts = [self._frame(program, shape, self._target, each, pixels[i]) for i, each in enumerate(frames)]
        finally:
            shape.release()
            program.release()
        return {"compiler": self.compiler, "frames": facts}, memoryview(buffer)

    def _frame(
        self,
        program: moderngl.Program,
        shape: moderngl.VertexArray,
        target: moderngl.Framebuffer,
        uniforms: dict[str, Any],
        into: NDArray[np.uint8],
    ) -> list[float]:
        """Render one frame into an array, top row first.

        Returns:
            Its darkest and brightest value, its share of broken pixels, and the milliseconds that rendering took.
        """
        import moderngl
        import numpy as np

        for name, value in uniforms.items():
            if name in program:  # uniforms that are not used were optimized out of it
                program[name] = value
        target.color_mask, mask = (True, True, True, True), target.color_mask
        target.use()
        target.clear(0.0, 0.0, 0.0, 1.0)
        target.color_mask = mask
        started = time.perf_counter()
        shape.render(moderngl.TRIANGLES, vertices=3)
        self._context.finish()
        milliseconds = (time.perf_counter() - started) * 1000
        into[...] = np.frombuffer(target.read(components=3, alignment=1), np.uint8).reshape(into.shape)[::-1]
        alpha = np.frombuffer(target.read(components=4), np.uint8).reshape(*into.shape[:2], 4)[::-1, :, 3]
        whole = np.count_nonzero(alpha)
        values = into if whole == alpha.size else into[alpha > 0]
        low, high = (float(values.min()), float(values.max())) if whole else (0.0, 0.0)
        return [low / 255, high / 255, 1.0 - whole / alpha.size, milliseconds]


def compiler_of(info: Mapping[str, Any]) -> str:
    """Return the compiler with its version: `Mesa 22.3.6`, `NVIDIA 535.54`; of others vendor and version as given."""
    version = str(info.get("GL_VERSION", ""))
    known = re.search(r"\b(Mesa|NVIDIA)\s+([\d.]+)", version)
    return " ".join(known.groups()) if known else f"{info.get('GL_VENDOR', '')} {version}".strip()[:60]


def log_of(message: str) -> str:
    """Return the compiler's own lines of moderngl's message, which puts headings before them."""
    _, _, log = message.rpartition("====\n")
    return (log or message).strip()


def bounded(log: str) -> str:
    """Return the first lines of a log, and the number of the others."""
    lines = log.splitlines()
    kept = "\n".join(lines[:MAX_LOG_LINES])[:MAX_LOG_CHARACTERS]
    more = len(lines) - kept.count("\n") - 1
    return f"{kept}\n(and {more} more lines)" if more > 0 else kept


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
