"""Which Python can hold Blender's module: each version of `bpy` is made for one version of Python, and for no other."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from redraft.errors import ConfigError, MissingPartError

__all__ = ["BPY_FOR", "python_for_bpy", "uv_program"]

BPY_FOR = {(3, 11): "5.0.1", (3, 13): "5.2.3"}
"""The version of `bpy` for each version of Python, the one that is tried first before the others."""
ASK = "import sys; print(*sys.version_info[:2], hasattr(sys, '_is_gil_enabled') and not sys._is_gil_enabled())"
PATIENCE = 30.0
FOLDERS = ("/opt/homebrew/bin", "/usr/local/bin", "/usr/bin")

Version = tuple[int, int]


def python_for_bpy(named: Path | None = None) -> tuple[Path, str]:
    """A Python that is here, and the version of `bpy` for it; `named` is the only one to consider.

    Raises:
        ConfigError: the one that is named is no use. MissingPartError: none is here.
    """
    if named is not None:
        return _checked(named)
    for version, bpy in BPY_FOR.items():
        for path in _places(version):
            if path.is_file() and _version_of(path) == version:
                return path, bpy
    get = "uv python install 3.11" if uv_program() else "https://www.python.org/downloads/, or: uv python install 3.11"
    raise MissingPartError(
        f"Blender's module needs {_wanted()}; this is Python {platform.python_version()}, and no other was found. "
        f"Get one ({get}), or name one: redraft setup blender --python PATH"
    )


def uv_program() -> Path | None:
    """The program `uv`, on PATH or beside this Python."""
    found = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    return Path(found) if found else None


def _checked(named: Path) -> tuple[Path, str]:
    path = Path(shutil.which(named.expanduser()) or named.expanduser())
    if not path.is_file():
        raise ConfigError(f"--python {named}: there is no such program; {_wanted()} is expected.")
    version = _version_of(path)
    if version is None:
        raise ConfigError(f"--python {named}: that does not run as a Python; {_wanted()} is expected.")
    if version not in BPY_FOR:
        raise ConfigError(f"--python {named}: that is Python {_words(version)}; Blender's module needs {_wanted()}.")
    return path.absolute(), BPY_FOR[version]


def _places(version: Version) -> Iterator[Path]:
    """Where a Python of a version may be: this one, on PATH, and where installers put theirs."""
    if sys.version_info[:2] == version:
        yield Path(sys.executable)
    name = f"python{_words(version)}"
    if on_path := shutil.which(name):
        yield Path(on_path)
    yield from (Path(folder) / name for folder in FOLDERS)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from _newest_first(pyenv / "versions", f"{_words(version)}.*/bin/{name}")
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or _data_folder() / "uv" / "python")
    yield from _newest_first(uv, f"cpython-{_words(version)}.*/bin/{name}")
    yield from _newest_first(uv, f"cpython-{_words(version)}.*/python.exe")
    yield from _newest_first(Path("/Library/Frameworks/Python.framework/Versions"), f"{_words(version)}/bin/{name}")
    if "LOCALAPPDATA" in os.environ:
        short = _words(version).replace(".", "")
        yield Path(os.environ["LOCALAPPDATA"]) / "Programs" / "Python" / f"Python{short}" / "python.exe"


def _data_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", str(Path.home())))
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def _newest_first(folder: Path, pattern: str) -> list[Path]:
    """By the last number of the version: 3.11.10 before 3.11.9."""
    return sorted(folder.glob(pattern), key=lambda path: (len(str(path)), str(path)), reverse=True)


def _version_of(path: Path) -> Version | None:
    """None for what is no Python, or one without a global lock, which Blender is not built for."""
    try:
        asked = subprocess.run(  # noqa: S603 - a program named like Python, or by the user; a list, no shell
            [path, "-I", "-c", ASK], capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    match asked.stdout.split():
        case [major, minor, "False"] if asked.returncode == 0:
            return int(major), int(minor)
        case _:
            return None


def _words(version: Version) -> str:
    return ".".join(str(number) for number in version)


def _wanted() -> str:
    return "Python " + " or ".join(_words(version) for version in BPY_FOR)
