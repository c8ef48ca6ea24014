"""Compiling and rendering, through the worker: from GLSL to frames, or to the compiler's own words."""

from __future__ import annotations

from dataclasses import dataclass

from redraft.metrics.base import Pixels
from redraft.sandbox import Sandbox

__all__ = ["Rendered", "Shot", "View", "render", "require_gl"]


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
    """One frame: the top row first; values that were no finite number are black there, and counted in `broken`."""

    time: float
    pixels: Pixels
    low: float
    high: float
    broken: float


@dataclass(frozen=True)
class Rendered:
    compiler: str
    """`Mesa 22.3.6`."""
    shots: tuple[Shot, ...]


def require_gl() -> None:
    """Raises `MissingPartError` when OpenGL through EGL cannot be had here, naming the packages that bring it."""


async def render(code: str, view: View, sandbox: Sandbox) -> Rendered:
    """Compile a shader of the contract (see `contract.py`) and render it at each time, with one context.

    Raises:
        ExecutionError: it does not compile or link (the message is the compiler's own, lines counted in `code`, `by`
            names it), uses what the contract has not, or takes longer than the limit.
        InfrastructureError: the worker died. MissingPartError: there is no OpenGL here.
    """
    raise NotImplementedError
