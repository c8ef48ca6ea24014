"""The scene of an earlier run, read back."""

from __future__ import annotations

from pathlib import Path

from redraft.requirements import agreed
from redraft.studios.base import delivered
from redraft.studios.scene.spec import Scene

__all__ = ["FILE", "load"]

FILE = "scene.json"


def load(folder: Path) -> Scene:
    """What the run in a folder delivered; its statements are agreed. Raises `RunNotFoundError` or `RunFormatError`."""
    scene = delivered(Scene, folder, FILE, "scene")
    return scene.model_copy(update={"requirements": agreed(scene.requirements), "changes": ()})
