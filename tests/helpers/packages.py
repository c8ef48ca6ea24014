"""Packages of redraft as users get them: built by uv from this checkout, installed into environments of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UV = shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv"
OUTSIDE = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
"""The environment of whoever tests: uv finds its cache by it."""


def uv(*arguments: str | Path, **variables: str) -> None:
    """Run uv on its cache, and with the network where that does not hold everything."""
    for where in (["--offline"], []):
        command = [UV, *map(str, arguments), "--quiet", *where]
        ran = subprocess.run(command, cwd=ROOT, env=OUTSIDE | variables, capture_output=True, text=True, check=False)
        if ran.returncode == 0:
            return
    pytest.fail(f"{' '.join(command)}: {ran.stderr}")


def locked(place: Path, *extras: str, python: str = sys.executable) -> None:
    """Make an environment with the locked packages of some extras."""
    chosen = [word for extra in extras for word in ("--extra", extra)]
    bare = ["--frozen", "--no-default-groups", "--no-install-project", "--python", python]
    uv("sync", *bare, *chosen, UV_PROJECT_ENVIRONMENT=str(place))


def install(wheel: Path, place: Path) -> None:
    """Install a wheel, and nothing that it depends on."""
    uv("pip", "install", "--no-deps", "--python", place / "bin/python", wheel)
