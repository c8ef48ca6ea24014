"""The scene of an earlier run, read back."""

from __future__ import annotations

from pathlib import Path

from redraft.studios.earlier import delivered
from redraft.studios.scene.spec import Scene

__all__ = ["FILE", "load"]

FILE = "scene.json"


def load(folder: Path) -> Scene:
    """What the run in a folder delivered. Raises `RunNotFoundError` or `RunFormatError`."""
    return delivered(Scene, folder, FILE, "scene")
