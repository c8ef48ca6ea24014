"""A resources for tests that drive a studio without a run."""

from __future__ import annotations

from pathlib import Path

import anyio

from redraft.files import PictureFolder
from redraft.sandbox.pool import Sandbox
from redraft.studios.base import Resources
from redraft.studios.requests import StudioSettings


def resources_in(folder: Path, settings: StudioSettings | None = None, *, seed: int = 0) -> Resources:
    """A resources whose pictures lie in `folder`. Who runs programs on it closes `resources.sandbox`."""
    limiter = anyio.CapacityLimiter(2)
    return Resources(folder, seed, limiter, PictureFolder(folder), Sandbox(folder), settings or StudioSettings())
