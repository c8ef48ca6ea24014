"""The search for the Blender that scenes are built with, and for a Python that Blender's module can be installed for.

Blender is a Python that has the `bpy` module, or a `blender` program. What `redraft setup blender` installed is
recognized by its files; other programs are started once, for their version. Each version of `bpy` fits one version of
Python.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from redraft.errors import ConfigError, MissingPartError
from redraft.studios.scene import inside

BPY_FOR = {(3, 11): "5.0.1", (3, 13): "5.2.3"}
"""The version of `bpy` for each version of Python. The Python that runs is tried first, then these in their order."""
PRINT_VERSION = (
    "import sys; print(*sys.version_info[:2], hasattr(sys, '_is_gil_enabled') and not sys._is_gil_enabled())"
)
PYTHON_TIMEOUT = 30.0
"""Seconds for a Python to print its version."""
FOLDERS = ("/opt/homebrew/bin", "/usr/local/bin", "/usr/bin")

Version = tuple[int, int]


def python_for_bpy(named: Path | None = None) -> tuple[Path, str]:
    """Return a Python of this machine, and the version of `bpy` for it; `named` is the only one to consider.

    Raises:
        ConfigError: the given one cannot be used. MissingPartError: none was found.
    """
    needed = "Python " + " or ".join(map(_dotted, BPY_FOR))
    if named is not None:
        path = Path(shutil.which(named.expanduser()) or named.expanduser())
        if not path.is_file():
            raise ConfigError(f"--python {named}: not found; {needed} is expected.")
        version = _version_of(path)
        if version is None:
            raise ConfigError(f"--python {named}: this does not run as a Python; {needed} is expected.")
        if version not in BPY_FOR:
            raise ConfigError(f"--python {named}: this is Python {_dotted(version)}; Blender's module needs {needed}.")
        return path.absolute(), BPY_FOR[version]

    running = sys.version_info[:2]
    for version, bpy in sorted(BPY_FOR.items(), key=lambda row: row[0] != running):
        for path in _places(version):
            if path.is_file() and _version_of(path) == version:
                return path, bpy
    get = "uv python install 3.11" if uv_program() else "https://www.python.org/downloads/, or: uv python install 3.11"
    raise MissingPartError(
        f"Blender's module needs {needed}; this is Python {platform.python_version()}, and no other was found. "
        f"Get one ({get}), or name one: redraft setup blender --python PATH"
    )


def uv_program() -> Path | None:
    """Return the program `uv`, on PATH or beside this Python."""
    path = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    return Path(path) if path else None


def _places(version: Version) -> Iterator[Path]:
    """Yield where a Python of a version may be: this one, on PATH, and where installers put theirs."""
    if sys.version_info[:2] == version:
        yield Path(sys.executable)
    number = _dotted(version)
    name = f"python{number}"
    if on_path := shutil.which(name):
        yield Path(on_path)
    yield from (Path(folder) / name for folder in FOLDERS)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from _newest_first(pyenv / "versions", f"{number}.*/bin/{name}")

    if sys.platform == "win32":
        data = Path(os.environ.get("APPDATA", str(Path.home())))
    else:
        data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or data / "uv" / "python")
    yield from _newest_first(uv, f"cpython-{number}.*/bin/{name}")
    yield from _newest_first(uv, f"cpython-{number}.*/python.exe")
    yield from _newest_first(Path("/Library/Frameworks/Python.framework/Versions"), f"{number}/bin/{name}")
    if "LOCALAPPDATA" in os.environ:
        short = number.replace(".", "")
        yield Path(os.environ["LOCALAPPDATA"]) / "Programs" / "Python" / f"Python{short}" / "python.exe"


def _newest_first(folder: Path, pattern: str) -> list[Path]:
    """Return the matching paths by the last number of the version: 3.11.10 before 3.11.9."""
    return sorted(folder.glob(pattern), key=lambda path: (len(str(path)), str(path)), reverse=True)


def _version_of(path: Path) -> Version | None:
    """Return the version of a Python; None for another program, and without a global lock, which Blender needs."""
    try:
        process = subprocess.run(  # noqa: S603 - a program named like Python, or by the user; a list, no shell
            [path, "-I", "-c", PRINT_VERSION],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PYTHON_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    match process.stdout.split():
        case [major, minor, "False"] if process.returncode == 0:
            return int(major), int(minor)
        case _:
            return None


LOWEST = (3, 4)
"""The oldest Blender that all code in it was tried with; it must have Python 3.11, as Debian's has."""
SURELY = (4, 1)
"""From here on every Blender has Python 3.11 or later."""
SINCE: tuple[tuple[Version, str], ...] = (
    (
        (4, 0),
        "Principled inputs are named `Specular`, `Transmission`, `Subsurface`, `Clearcoat`, `Sheen`, `Emission` and "
        "`Emission Strength`; `Specular IOR Level`, `Transmission Weight`, `Subsurface Weight`, `Coat Weight`, "
        "`Sheen Weight` and `Emission Color` do not exist.",
    ),
    ((4, 0), 'The view transform `AgX` does not exist; the default is `Filmic`, and `"Standard"` keeps strong colors.'),
    (
        (4, 0),
        "Sockets of node groups are made with `tree.inputs.new` and `tree.outputs.new`; there is no `tree.interface`.",
    ),
    (
        (4, 1),
        '`mesh.shade_smooth()` does not exist: `mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))`; '
        "`mesh.use_auto_smooth` does.",
    ),
    ((5, 0), "The compositor's nodes are in `scene.node_tree`, after `scene.use_nodes = True`."),
)
"""Sentences for models about what Blender has only since a version, for where the one in use is older."""
READY = ".blender-ready"
"""File in an environment that is complete; one without it was never finished."""
MAKING = ".blender-making"
"""File in an environment that is being installed, or was never finished."""
BOOT = Path(inside.__file__).parent / "boot.py"
SETTING = "studios.scene.blender"
HINT = "give a Python that has the bpy module, or a blender program, or auto"
MISSING = "Scenes need Blender, which is not installed."
GET = "Install it: redraft setup blender (about 1 GB)"
PROGRAM_TIMEOUT = 60.0
"""Seconds for a program to print its version; the first start after an installation reads much from disk."""
# What Blender itself prints as it starts must not come between the frames of the protocol, which go by descriptor 3.
SEPARATE_OUTPUT = ("/bin/sh", "-c", 'exec "$0" "$@" 3>&1 1>&2')
QUIETLY = ("--background", "-noaudio", "--factory-startup", "--disable-autoexec", "--python-exit-code", "1", "--python")
ISOLATED = ("-I", "-B")
"""Options for a Python's version: nothing of the user's own, and nothing written beside its libraries."""
AS_WORKER = ("-P", "-s", "-B", "-W", "ignore::DeprecationWarning")
"""Options for a worker: the same, but its few variables count, as they make it walk sets in one order; and without
warnings about what a later Blender changes, which are not the script's to fix now."""
PRINT_BPY = """
import importlib.metadata, importlib.util, json
spec = importlib.util.find_spec("bpy")
print(json.dumps(importlib.metadata.version("bpy") if spec else None))
"""
PRINT_PYTHON = ("--python-expr", "import sys; print('Python inside:', *sys.version_info[:2])")
PLACES = (
    "/snap/blender/current/blender",
    "/Applications/Blender.app/Contents/MacOS/Blender",
    "~/Applications/Blender.app/Contents/MacOS/Blender",
)
"""Places of `blender` programs that are not on PATH."""


@dataclass(frozen=True)
class Blender:
    """A usable Blender of this machine."""

    command: tuple[str, ...]
    """The command that starts Python in it, up to the script's path."""
    version: str
    """`5.0.1`."""
    module: bool
    """True for a Python with `bpy`, False for the program."""
    binds: tuple[Path, ...] = ()
    """Folders that a jail must let it read, besides the system and the interpreter."""
    place: Path = Path()
    """The Python or the program itself."""

    def program(self, module: str) -> tuple[str, ...]:
        """Return the whole command that runs a module of `inside` in it, given by its full name."""
        return (*self.command, str(BOOT), *(() if self.module else ("--",)), module)


def find_blender(setting: str = "auto") -> Blender:
    """Return the Blender that `studios.scene.blender` names: a path, or `auto` for the first one that is found.

    Raises:
        ConfigError: the path is not a Blender, or one that is too old. MissingPartError: none was found.
    """
    if setting == "auto":
        return _first_blender()
    path = Path(setting).expanduser()
    if not path.exists():
        raise ConfigError(f"{SETTING}: {setting!r} does not exist; {HINT}.")
    if (path / MAKING).is_file() and not (path / READY).is_file():
        raise ConfigError(f"{SETTING}: {setting!r} was never finished; run: redraft setup blender --into {setting}")
    if path.is_dir():  # a folder stands for the program in it
        programs = (python_in(path), path / "blender", path / "Contents/MacOS/Blender")
        program = next((program for program in programs if program.is_file()), None)
        if program is None:
            raise ConfigError(f"{SETTING}: {setting!r} is a folder without Blender; {HINT}.")
        path = program

    blender = _identified(path)
    if not isinstance(blender, Blender):
        raise ConfigError(f"{SETTING}: {setting!r} {blender}; {HINT}.")
    if not blender.module and sys.platform == "win32":
        raise ConfigError(f"{SETTING}: on Windows scenes need the bpy module, not a blender program. {GET}")
    return blender


def lacking(version: str) -> list[str]:
    """Return sentences about what models expect and a Blender of this version lacks; none for an unknown version."""
    numbers = _numbers(version)
    return [sentence for since, sentence in SINCE if numbers and numbers < since]


def homes() -> list[Path]:
    """Return where `redraft setup blender` installs it, the first one by default.

    They are beside redraft's own libraries, when those are in a virtual environment, and in the user's data folder.
    """
    import platformdirs

    beside = [Path(sys.prefix) / "blender"] if sys.prefix != sys.base_prefix else []
    return [*beside, platformdirs.user_data_path("redraft", appauthor=False) / "blender"]


def python_in(environment: Path) -> Path:
    """Return the Python of a virtual environment."""
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def blender_in(environment: Path) -> Blender | None:
    """Return the Blender in an environment that redraft installed; None where there is none, or only half of one."""
    python = python_in(environment)
    if not (environment / READY).is_file() or not python.is_file():
        return None
    packages = "Lib/site-packages" if sys.platform == "win32" else "lib/python3.*/site-packages"
    for record in sorted(environment.glob(f"{packages}/bpy-*.dist-info")):
        return _with_bpy(python, record.name.removeprefix("bpy-").removesuffix(".dist-info"))
    return None


def _first_blender() -> Blender:
    """Return the first usable Blender: an installed one, then one that the machine has. Raises `MissingPartError`."""
    for environment in homes():
        if (blender := blender_in(environment)) and not _defect(blender):
            return blender
    unusable: list[str] = []
    for path in _candidates():
        blender = _identified(path)
        if isinstance(blender, Blender):
            return blender
        unusable.append(f"{path} {blender}")

    problem = f"The installed Blender cannot be used for scenes: {unusable[0]}." if unusable else MISSING
    if sys.version_info[:2] not in BPY_FOR:
        try:
            python_for_bpy()
        except MissingPartError as no_python:
            raise MissingPartError(f"{problem} {no_python}") from no_python
    raise MissingPartError(f"{problem} {GET}")


def _candidates() -> list[Path]:
    """Return programs that may be a Blender, the likeliest first."""
    here = [Path(sys.executable)] if importlib.util.find_spec("bpy") else []
    if sys.platform == "win32":
        return here
    on_path = shutil.which("blender")
    known = [Path(place).expanduser() for place in PLACES]
    return here + [path for path in ([Path(on_path)] if on_path else []) + known if path.is_file()]


def _identified(path: Path) -> Blender | str:
    """Return the Blender that a program is, or the reason it cannot be used, as the end of a sentence."""
    if shutil.which(path) is None:
        return "cannot be executed"
    output = _output(path, "--version")
    if output.startswith("Python "):
        answer = _output(path, *ISOLATED, "-c", PRINT_BPY)
        version = json.loads(answer) if answer else None
        blender = _with_bpy(path, version) if version else None
        return (_defect(blender) or blender) if blender else f"is {output.strip()[:40]} without the bpy module"

    match = re.search(r"^Blender (\d+\.\d+(?:\.\d+)?)", output, re.MULTILINE)
    if match is None:
        first = output.strip().partition("\n")[0][:80]
        return f"is not a Blender (it says {first!r})" if first else "is not a Blender"
    program = path.resolve()
    is_program = "blender" in program.name.lower()
    if is_program:
        with program.open("rb") as file:
            is_program = file.read(2) != b"#!"
    if not is_program:
        return "is something that starts Blender, and not Blender itself"
    # The program's folder is open to scripts, so it must not hold the user's own files.
    if Path.home().is_relative_to(program.parent):
        return f"lies in {program.parent}, with what scripts must not read; it needs a folder of its own"
    command = (*SEPARATE_OUTPUT, str(program), *QUIETLY)
    blender = Blender(command, match.group(1), module=False, binds=(program.parent,), place=program)
    return _defect(blender) or blender


def _with_bpy(python: Path, version: str) -> Blender:
    return Blender((str(python.absolute()), *AS_WORKER), version, module=True, place=python)


def _defect(blender: Blender) -> str:
    """Return the reason a Blender cannot be used, as the end of a sentence; empty for a usable one."""
    version = _numbers(blender.version)
    if version < LOWEST:
        return f"is Blender {blender.version}, and {_dotted(LOWEST)} or later is needed"
    if blender.module or version >= SURELY:
        return ""
    output = _output(blender.place, *QUIETLY[:-1], *PRINT_PYTHON)
    match = re.search(r"^Python inside: (\d+) (\d+)", output, re.MULTILINE)
    if match and (int(match[1]), int(match[2])) >= (3, 11):
        return ""
    has = f"has Python {match[1]}.{match[2]}" if match else "does not say which Python it has"
    return f"is Blender {blender.version} and {has}; it needs Python 3.11, which Blender has from {_dotted(SURELY)} on"


def _output(program: Path, *arguments: str) -> str:
    """Return what a program prints; nothing where it fails. It is started once."""
    return _output_of(program, program.stat().st_mtime_ns, arguments)


@cache
def _output_of(program: Path, modified: int, arguments: tuple[str, ...]) -> str:
    del modified  # a changed file is another program
    try:
        process = subprocess.run(  # noqa: S603 - the program that the user named, or Blender; a list, no shell
            [program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=PROGRAM_TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return process.stdout.decode("utf-8", "replace") if process.returncode == 0 else ""


def _numbers(version: str) -> tuple[int, ...]:
    """Return major and minor version: (5, 0) for `5.0.1`."""
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2])


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
