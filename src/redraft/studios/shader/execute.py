"""Execution of a draft: it is compiled, its frames are rendered and measured."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from statistics import median

import numpy as np
from anyio import to_thread

from redraft.files import PictureFolder
from redraft.metrics.base import Pixels
from redraft.metrics.pictures import png
from redraft.studios.base import Resources
from redraft.studios.shader.gl import Rendered, View, render
from redraft.studios.shader.settings import ShaderSettings, own
from redraft.studios.shader.spec import Draft, Frame, Shader


def times_of(settings: ShaderSettings) -> tuple[float, ...]:
    """Return the times of the frames in seconds; the end of a loop is its beginning, not a frame of its own."""
    count = settings.frames or 1
    return tuple(round(i * settings.seconds / count, 6) for i in range(count))


async def execute(spec: Draft, base: Shader | None, resources: Resources) -> Shader:
    """Compile and render a draft; return `base` itself where the draft is the same shader with the same frames.

    Raises:
        ExecutionError: E1. InfrastructureError: E0. MissingPartError: OpenGL is missing.
    """
    settings = own(resources.settings)
    times = times_of(settings)
    view = View(
        width=settings.width or 512,
        height=settings.height or 512,
        times=(*times, settings.seconds) if settings.loop else times,
        seed=resources.seed,
        limit=settings.limit,
    )
    rendered = await render(spec.code, view, resources.sandbox)
    work = partial(_measured, spec, settings, view, rendered, resources.pictures)
    shader = await to_thread.run_sync(work, limiter=resources.limiter)
    if base is not None and shader.model_copy(update={"milliseconds": base.milliseconds}) == base:
        return base
    return shader


def _measured(spec: Draft, settings: ShaderSettings, view: View, rendered: Rendered, folder: PictureFolder) -> Shader:
    """Return the shader with its frames as files, and what was measured of them."""
    shots, end = (rendered.shots[:-1], rendered.shots[-1]) if settings.loop else (rendered.shots, None)
    frames: list[Frame] = []
    for shot in shots:
        pixels = shot.pixels.reshape(-1, 3)
        spread = (pixels.max(axis=0).astype(int) - pixels.min(axis=0)).max()
        frame = Frame(
            time=shot.time,
            picture=folder.put(png(shot.pixels)),
            low=round(shot.low, 4),
            high=round(shot.high, 4),
            colour="#{:02x}{:02x}{:02x}".format(*np.rint(pixels.mean(axis=0)).astype(int)),
            spread=round(float(spread) / 255, 4),
            broken=round(shot.broken, 6),
        )
        frames.append(frame)

    # The first frame is not timed: it pays for what the driver puts off until it draws.
    timed = [shot.milliseconds for shot in rendered.shots[1:]]
    return Shader(
        code=spec.code,
        width=view.width,
        height=view.height,
        seconds=settings.seconds,
        loop=settings.loop,
        compiler=rendered.compiler,
        frames=tuple(frames),
        seam=None if end is None else _difference(end.pixels, shots[0].pixels),
        step=None
        if end is None
        else max((_difference(a.pixels, b.pixels) for a, b in pairwise((*shots, end))), default=0),
        closing=None if end is None else folder.put(png(end.pixels)),
        milliseconds=round(median(timed), 1) if timed else None,
    )


def _difference(one: Pixels, other: Pixels) -> float:
    """Return the mean difference of two frames' channels, 0 to 1."""
    return round(float(np.abs(one.astype(np.int16) - other).mean()) / 255, 6)
