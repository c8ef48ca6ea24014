"""What the tests marked `real` drive: where it is, or a skip that says what is missing and how to get it.

`scripts/real_parts.sh` installs these programs. In CI (the variable `CI` is set) a missing one is a failure.
"""

from __future__ import annotations

import ctypes.util
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Literal

import pytest

from redraft.errors import MissingPartError
from redraft.sandbox import landlock, seccomp
from redraft.studios.scene.blender import find_blender

Part = Literal[
    "axe",
    "blender",
    "blender-program",
    "bwrap",
    "chromium",
    "dot",
    "egl",
    "glslangValidator",
    "gnome-keyring",
    "inspector",
    "kicad-cli",
    "kicad-demos",
    "landlock",
    "lpips",
    "pcbnew",
    "python3.11",
    "python3.12",
    "python3.13",
    "redis-server",
    "wx",
    "xdotool",
    "xvfb",
]

DEMOS = Path("/usr/share/kicad/demos")
"""The boards that come with KiCad."""
AXE = Path(sys.prefix) / "axe" / "node_modules" / "axe-core" / "axe.min.js"
"""The rules of accessibility."""
INSPECTOR = Path(sys.prefix) / "inspector"
"""The inspector of the Model Context Protocol, with the Node.js that it needs."""
LPIPS = Path(sys.prefix) / "lpips"
"""PyTorch and lpips, for a process of their own."""
PROGRAMS: dict[Part, tuple[str, ...]] = {
    "blender-program": ("blender",),
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
    "gnome-keyring": ("gnome-keyring-daemon",),
    "xvfb": ("Xvfb",),
}
"""What programs are called whose part has another name."""
KICAD = "KiCad 9; in Debian 12's backports: apt-get install -t bookworm-backports kicad kicad-demos"
PYTHONS: tuple[Part, ...] = ("python3.11", "python3.12", "python3.13")
ADVICE: dict[Part, str] = {
    "axe": "axe-core, into a folder of its own: scripts/real_parts.sh",
    "blender": "Blender's module, into a folder of its own: redraft setup blender",
    "blender-program": "Blender, the program: apt-get install blender",
    "bwrap": "bubblewrap, and user namespaces: apt-get install bubblewrap",
    "chromium": "Chromium: apt-get install chromium",
    "dot": "Graphviz: apt-get install graphviz",
    "egl": "OpenGL through EGL: apt-get install libegl1 libgl1",
    "glslangValidator": "the reference GLSL compiler: apt-get install glslang-tools",
    "gnome-keyring": "a keyring, and a bus for it: apt-get install gnome-keyring dbus",
    "inspector": "the inspector of the Model Context Protocol, into a folder of its own: scripts/real_parts.sh",
    "kicad-cli": KICAD,
    "kicad-demos": KICAD,
    "landlock": "Landlock that watches over the network, and seccomp: Linux 6.7 or later, on x86_64 or aarch64",
    "lpips": "PyTorch for the CPU and lpips, into a folder of their own: scripts/real_parts.sh",
    "pcbnew": KICAD,
    **dict.fromkeys(PYTHONS, "that version of Python, by pyenv or uv"),
    "redis-server": "Redis: apt-get install redis-server",
    "wx": "wxPython for the system's Python, of the same version as the one that runs the tests: apt-get install "
    "python3-wxgtk4.0",
    "xdotool": "xdotool: apt-get install xdotool",
    "xvfb": "Xvfb: apt-get install xvfb",
}


def needs(part: Part) -> str:
    """The path of a program (for `blender`, `pcbnew` and `wx` of a Python that imports it, for `kicad-demos` of the
    folder, for `egl` of a library, for `lpips` of a folder to import it from; for `landlock` its version).

    Called in a fixture or a test, it skips that where the part is missing, and fails it in CI.
    """
    found = _python(part) if part in PYTHONS else _found(part)
    if found is None:
        missing = f"{part} is missing (install {ADVICE[part]}; or all at once, as root: sh scripts/real_parts.sh)"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return found


def demo_boards() -> list[Path]:
    """All boards that come with KiCad, in order; none where it is not installed."""
    return sorted(DEMOS.rglob("*.kicad_pcb"))


@cache
def _found(part: Part) -> str | None:
    match part:
        case "blender":
            return _python_with_bpy()
        case "kicad-cli":
            return _recent_kicad()
        case "kicad-demos":
            return str(DEMOS) if demo_boards() else None
        case "pcbnew":
            return _python_with("pcbnew")
        case "wx":
            return _python_with(f"wx, sys; assert sys.version_info[:2] == {sys.version_info[:2]}")
        case "egl":
            return ctypes.util.find_library("EGL") if ctypes.util.find_library("GL") else None
        case "bwrap":
            return _working_bwrap()
        case "landlock":
            return str(landlock.version()) if landlock.version() >= landlock.NEEDED and seccomp.available() else None
        case "axe":
            return str(AXE) if AXE.is_file() else None
        case "inspector":
            return _first(str(INSPECTOR / "node_modules" / ".bin" / "mcp-inspector"))
        case "lpips":
            return str(LPIPS) if (LPIPS / ".ready").exists() else None
        case _:
            return _first(*PROGRAMS.get(part, (part,)))


def _python_with_bpy() -> str | None:
    """Of the Blender that redraft itself would take; a `blender` program is not what the tests were written for."""
    try:
        found = find_blender()
    except MissingPartError:
        return None
    return found.command[0] if found.module else None


def _python(name: str) -> str | None:
    """Of pyenv, whose programs on PATH work for one version only, or on PATH."""
    home = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    found = sorted(home.glob(f"versions/{name.removeprefix('python')}.*/bin/{name}"))
    return str(found[-1]) if found else _first(name)


def _first(*names: str) -> str | None:
    return next((path for name in names if (path := shutil.which(name))), None)


def _working_bwrap() -> str | None:
    """Installed, and allowed to make namespaces, which some containers and kernels refuse."""
    program = _first("bwrap")
    if program is None:
        return None
    tried = [program, "--unshare-all", "--ro-bind", "/", "/", "true"]
    return program if subprocess.run(tried, capture_output=True, timeout=60, check=False).returncode == 0 else None


def _recent_kicad() -> str | None:
    """Of version 9 or later; earlier ones write other reports, or have no `kicad-cli` at all."""
    program = _first("kicad-cli")
    if program is None:
        return None
    version = subprocess.run([program, "version"], capture_output=True, text=True, timeout=60, check=False).stdout
    return program if int(version.partition(".")[0] or 0) >= 9 else None


def _python_with(modules: str) -> str | None:
    """Modules such as KiCad's belong to the system's Python, whichever one runs the tests."""
    python = _first("/usr/bin/python3", "python3")
    if python is None:
        return None
    asked = subprocess.run([python, "-c", f"import {modules}"], capture_output=True, timeout=60, check=False)
    return python if asked.returncode == 0 else None
