"""A bench for tests that drive a studio without a run."""

from __future__ import annotations

from pathlib import Path

import anyio

from redraft.files import PictureFolder
from redraft.sandbox.pool import Sandbox
from redraft.studios.base import Bench, StudioSettings

__all__ = ["bench_in"]


def bench_in(folder: Path, settings: StudioSettings | None = None, *, seed: int = 0) -> Bench:
    """A bench whose pictures lie in `folder`. Who runs programs on it closes `bench.sandbox`."""
    limiter = anyio.CapacityLimiter(2)
    return Bench(folder, seed, limiter, PictureFolder(folder), Sandbox(folder), settings or StudioSettings())
