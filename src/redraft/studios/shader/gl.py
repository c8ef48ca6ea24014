"""Compiling and rendering through the worker: from GLSL to frames, or to the compiler's own message."""

from __future__ import annotations

import ctypes.util
import os
import re
import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from pydantic import JsonValue

from redraft.errors import ExecutionError, FormatError, InfrastructureError, MissingPartError
from redraft.metrics.base import Pixels
from redraft.sandbox.pool import Sandbox
from redraft.sandbox.processes import FAULTS
from redraft.sandbox.program import Limits, Program
from redraft.studios.shader.contract import BROKEN_BITS, prepared, with_main_restored
from redraft.studios.shader.interface import Moment, values_at
from redraft.text import plural

if TYPE_CHECKING:
    from redraft.config import Config

MEMORY = 2 << 30
RETIRE = 512 << 20
"""Bytes above which a worker is not used again."""
MAX_ANSWER = 128 << 20
"""Bytes of pixels in one answer; more frames than fit are rendered in several portions."""
HEAVY = "Make arrays smaller, and shorten macros and functions that contain each other many times over."
CRASHED = f"Where it is the shader's doing, it is too much for the compiler. {HEAVY} Split very long expressions."
DEEP = "(That is the compiler's stack, not memory: brackets, blocks or operators are nested too deeply.)"
"""Explains Mesa's `memory exhausted`."""
DRIVER_VARIABLES = ("LIBGL_", "MESA_", "GALLIUM_", "GALLIVM_", "LP_", "EGL_", "__EGL_", "__GLX_", "__NV_", "NVIDIA_")
"""Prefixes of the variables that choose and tune the driver; the worker gets these of ours, and no others."""
TUNED = {"MESA_SHADER_CACHE_DISABLE": "true", "MALLOC_ARENA_MAX": "2", "GALLIVM_PERF": "nopt"}
"""Variables for Mesa's software driver. It compiles to machine code for longer than it renders a frame: without its
optimizer that takes half as long, and frames up to a seventh longer. Setting the variable for redraft overrules it."""


@dataclass(frozen=True)
class View:
    """Frames to render: a size in pixels, times in seconds, the other uniforms, and the seconds that all may take."""

    width: int
    height: int
    times: tuple[float, ...]
    seed: int = 0
    mouse: tuple[float, float] = (0.0, 0.0)
    limit: float = 20.0


@dataclass(frozen=True)
class Shot:
    """One frame: the top row first; values that are not finite are black there, and counted in `broken`.

    `low` and `high` are of the pixels as they are, in steps of 1/255 from 0 to 1, without the broken ones. The pixels
    cannot be written to.
    """

    time: float
    pixels: Pixels
    low: float
    high: float
    broken: float
    milliseconds: float


@dataclass(frozen=True)
class Rendered:
    """All frames of a view, and the compiler with its version."""

    compiler: str
    """`Mesa 22.3.6`."""
    shots: tuple[Shot, ...]


def installed_gl(config: Config) -> str:
    """Return that OpenGL can be had here, for `redraft doctor`. Raises `MissingPartError`."""
    require_gl()
    return "installed"


@cache
def require_gl() -> None:
    """Check that OpenGL through EGL is here. Raises `MissingPartError`, which names the packages that bring it."""
    missing = [name for name in ("EGL", "GL") if ctypes.util.find_library(name) is None]
    if missing:
        raise MissingPartError(
            f"Shaders need OpenGL through EGL; lib{' and lib'.join(missing)} cannot be found. Install it: "
            "apt-get install libegl1 libgl1"
        )
    if find_spec("moderngl") is None:
        raise MissingPartError(
            "Shaders need moderngl, which is not installed. Install it: pip install 'redraft[shader]'"
        )


async def render(code: str, view: View, sandbox: Sandbox) -> Rendered:
    """Compile a shader of the contract (see `contract.py`) and render it at each time, with one context.

    Raises:
        ExecutionError: it does not compile or link (the message is the compiler's own, lines counted in `code`, `by`
            names it), uses what the contract does not have, or takes longer than the limit.
        InfrastructureError: the worker died. MissingPartError: OpenGL is missing.
    """
    try:
        text = prepared(code)
    except FormatError as error:
        raise ExecutionError(str(error)) from error
    try:
        try:
            return await _rendered(text, view, sandbox)
        except InfrastructureError as error:
            if not _crashed(error):
                raise
            return await _rendered(text, view, sandbox)
    except ExecutionError as error:
        message = str(error)
        if error.by:
            explained = f"\n{DEEP}" if "memory exhausted" in message else ""
            message = with_main_restored(message, code) + explained
        raise ExecutionError(message, by=error.by) from error
    except InfrastructureError as error:
        if not _crashed(error):
            raise
        raise ExecutionError(f"It failed twice, the second time on a fresh start: {error} {CRASHED}") from error
    except MissingPartError as error:
        names = ", ".join(sorted(_driver_variables()))
        advice = f" Or unset what chooses a driver that is not here: {names}." if names else ""
        raise MissingPartError(f"{error}{advice}") from error


def _crashed(error: InfrastructureError) -> bool:
    """Return whether the worker ended by a signal of its own: a compiler can be crashed by what it compiles."""
    match = re.search(r" by signal (\d+)", str(error))
    return match is not None and int(match[1]) in FAULTS


def _driver_variables() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(DRIVER_VARIABLES)}


@cache
def _program() -> Program:
    return Program(
        name="the shader worker",
        command=(sys.executable, "-P", "-m", "redraft.studios.shader.worker"),
        memory=MEMORY,
        environment=tuple(sorted((TUNED | _driver_variables()).items())),
        retire=RETIRE,
    )


async def _rendered(text: str, view: View, sandbox: Sandbox) -> Rendered:
    """Render all frames, in portions whose pixels fit into one answer; the time limit is that of all portions."""
    times = view.times
    moments = [
        Moment(view.width, view.height, view.mouse, view.seed, time, time - before, number)
        for number, (before, time) in enumerate(zip((times[:1] + times), times, strict=False))
    ]
    portion = max(1, MAX_ANSWER // (view.width * view.height * 3))

    started, shots, compiler = monotonic(), list[Shot](), ""
    for first in range(0, len(times), portion):
        some = moments[first : first + portion]
        limits = Limits(
            seconds=max(0.0, view.limit - (monotonic() - started)),
            output=MAX_ANSWER + (1 << 20),
            slow="It loops without end, does too much work per pixel, or is too large to compile: "
            f"{plural(len(times), 'frame')} of {view.width}×{view.height} took longer than {view.limit:g} s. "
            f"Bound every loop by a small constant, and take fewer steps; mind loops inside of loops. {HEAVY}",
            heavy=HEAVY,
        )
        job: dict[str, JsonValue] = {
            "width": view.width,
            "height": view.height,
            "marked": BROKEN_BITS in text,
            "frames": [values_at(moment) for moment in some],
        }
        answer = await sandbox.ask(_program(), job, limits=limits, blob=text.encode())

        compiler = str(answer.data["compiler"])
        pixels = np.frombuffer(answer.blob, np.uint8).reshape(len(some), view.height, view.width, 3)
        measured = cast("Any", answer.data["frames"])
        shots += [Shot(at.time, frame, *facts) for at, frame, facts in zip(some, pixels, measured, strict=True)]
    return Rendered(compiler, tuple(shots))
