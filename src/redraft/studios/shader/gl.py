"""Compiling and rendering, through the worker: from GLSL to frames, or to the compiler's own words."""

from __future__ import annotations

import ctypes.util
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from pydantic import JsonValue

from redraft.errors import ExecutionError, FormatError, InfrastructureError, MissingPartError
from redraft.metrics.base import Pixels
from redraft.sandbox.pool import Sandbox
from redraft.sandbox.processes import FAULTS
from redraft.sandbox.program import Answer, Limits, Program
from redraft.studios.shader.contract import MARKED, in_own_words, prepared

if TYPE_CHECKING:
    from redraft.config import Config

MEMORY = 2 << 30
RETIRE = 512 << 20
"""Bytes above which a worker is not used again."""
MOST_BYTES = 128 << 20
"""Of pixels in one answer; more frames than fit are asked for in several."""
HEAVY = "Make arrays smaller, and shorten macros and functions that contain each other many times over."
CRASHED = f"Where it is the shader's doing, it is too much for the compiler. {HEAVY} Split very long expressions."
DEEP = "(That is the compiler's stack, not memory: brackets, blocks or operators are nested too deeply.)"
"""Said of Mesa's `memory exhausted`."""
SEEDS = 1000
"""How many seeds a shader can distinguish; small whole numbers survive its arithmetic in 32 bits."""
DRIVER_VARIABLES = ("LIBGL_", "MESA_", "GALLIUM_", "GALLIVM_", "LP_", "EGL_", "__EGL_", "__GLX_", "__NV_", "NVIDIA_")
"""How the names begin of variables that choose and tune the driver; the worker gets these of ours, and no others."""

TUNED = {"MESA_SHADER_CACHE_DISABLE": "true", "MALLOC_ARENA_MAX": "2", "GALLIVM_PERF": "nopt"}
"""For Mesa's software driver. It compiles to machine code for longer than it renders a frame: without its optimizer
that takes half as long, and frames up to a seventh longer. Setting the variable for redraft overrules it."""


@dataclass(frozen=True)
class View:
    """What to render: a size in pixels, times in seconds, the other uniforms, and how long all of it may take."""

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
    compiler: str
    """`Mesa 22.3.6`."""
    shots: tuple[Shot, ...]


def installed_gl(config: Config) -> str:
    """Return that OpenGL can be had here, for `redraft doctor`. Raises `MissingPartError`."""
    require_gl()
    return "installed"


@cache
def require_gl() -> None:
    """Raises `MissingPartError` when OpenGL through EGL cannot be had here, naming the packages that bring it."""
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
            names it), uses what the contract has not, or takes longer than the limit.
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
        raise ExecutionError(_in_words(str(error), code, error.by), by=error.by) from error
    except InfrastructureError as error:
        if not _crashed(error):
            raise
        raise ExecutionError(f"It failed twice, the second time on a fresh start: {error} {CRASHED}") from error
    except MissingPartError as error:
        raise MissingPartError(f"{error}{_chosen()}") from error


def _crashed(error: InfrastructureError) -> bool:
    """Whether the worker ended by a signal of its own: a compiler can be crashed by what it compiles."""
    found = re.search(r" by signal (\d+)", str(error))
    return found is not None and int(found[1]) in FAULTS


def _chosen() -> str:
    """Which variables of ours choose the driver, where one is not to be had."""
    names = sorted(_driver_variables())
    return f" Or unset what chooses a driver that is not here: {', '.join(names)}." if names else ""


def _driver_variables() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(DRIVER_VARIABLES)}


def _in_words(message: str, code: str, compiler: str) -> str:
    """What the compiler says, in the shader's own names; what it says amiss, explained."""
    if not compiler:
        return message
    deep = "memory exhausted" in message
    return in_own_words(message, code) + (f"\n{DEEP}" if deep else "")


async def _rendered(text: str, view: View, sandbox: Sandbox) -> Rendered:
    started, shots, compiler = time.monotonic(), list[Shot](), ""
    for times in _portions(view):
        limits = Limits(
            seconds=max(0.0, view.limit - (time.monotonic() - started)),
            memory=MEMORY,
            output=MOST_BYTES + (1 << 20),
            slow=_slow(view),
            heavy=HEAVY,
        )
        job = _job(text, view, times, len(shots))
        answer = await sandbox.ask(_program(), job, limits=limits, blob=text.encode())
        compiler = str(answer.data["compiler"])
        shots += _shots(answer, replace(view, times=times))
    return Rendered(compiler, tuple(shots))


@cache
def _program() -> Program:
    return Program(
        name="the shader worker",
        command=(sys.executable, "-P", "-m", "redraft.studios.shader.worker"),
        memory=MEMORY,
        environment=tuple(sorted((TUNED | _driver_variables()).items())),
        retire=RETIRE,
    )


def _portions(view: View) -> Iterator[tuple[float, ...]]:
    """The times, in portions whose pixels fit into one answer."""
    most = max(1, MOST_BYTES // (view.width * view.height * 3))
    for first in range(0, len(view.times), most):
        yield view.times[first : first + most]


def _job(text: str, view: View, times: Sequence[float], first: int) -> dict[str, JsonValue]:
    size: list[JsonValue] = [float(view.width), float(view.height)]
    mouse: list[JsonValue] = list(view.mouse)
    return {
        "width": view.width,
        "height": view.height,
        "marked": MARKED in text,
        "uniforms": {
            "u_resolution": size,
            "u_mouse": mouse,
            "u_seed": float(view.seed % SEEDS),
            "iResolution": [*size, 1.0],
            "iMouse": [*mouse, 0.0, 0.0],
        },
        "frames": [_at(view, number) for number in range(first, first + len(times))],
    }


def _at(view: View, number: int) -> dict[str, JsonValue]:
    """The uniforms of one frame. The date is always the same day, and its seconds are the time."""
    now = view.times[number]
    since = now - view.times[number - 1] if number else 0.0
    return {
        "u_time": now,
        "iTime": now,
        "iTimeDelta": since,
        "iFrame": number,
        "iDate": [2000.0, 0.0, 1.0, now],
    }


def _shots(answer: Answer, view: View) -> Iterator[Shot]:
    pixels = np.frombuffer(answer.blob, np.uint8).reshape(len(view.times), view.height, view.width, 3)
    facts = cast("Any", answer.data["frames"])
    for now, frame, measured in zip(view.times, pixels, facts, strict=True):
        yield Shot(now, frame, *measured)


def _slow(view: View) -> str:
    count = len(view.times)
    return (
        "It loops without end, does too much work per pixel, or is too large to compile: "
        f"{count} frame{'s' * (count != 1)} of {view.width}×{view.height} took longer than {view.limit:g} s. "
        f"Bound every loop by a small constant, and take fewer steps; mind loops inside of loops. {HEAVY}"
    )
