"""The shader of an earlier run, read back."""

from __future__ import annotations

from pathlib import Path

from redraft.studios.base import delivered
from redraft.studios.shader.spec import Shader

__all__ = ["FILE", "load"]

FILE = "shader.json"


def load(folder: Path) -> Shader:
    """What the run in a folder delivered. Raises `RunNotFoundError` or `RunFormatError`."""
    return delivered(Shader, folder, FILE, "shader")
