"""The Blender that scenes are made with: a Python that has the `bpy` module, or a `blender` program; and its Pythons.

The search starts nothing where it can be helped: what `redraft setup blender` made is recognized by its files. Others
are asked for their version, once. Each version of `bpy` is made for one version of Python, and for no other.
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
ASK_PYTHON = "import sys; print(*sys.version_info[:2], hasattr(sys, '_is_gil_enabled') and not sys._is_gil_enabled())"
PYTHON_PATIENCE = 30.0
FOLDERS = ("/opt/homebrew/bin", "/usr/local/bin", "/usr/bin")

Version = tuple[int, int]


def python_for_bpy(named: Path | None = None) -> tuple[Path, str]:
    """A Python that is here, and the version of `bpy` for it; `named` is the only one to consider.

    Raises:
        ConfigError: the given one cannot be used. MissingPartError: none was found.
    """
    if named is not None:
        return _checked(named)
    running = sys.version_info[:2]
    for version, bpy in sorted(BPY_FOR.items(), key=lambda row: row[0] != running):
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
        raise ConfigError(f"--python {named}: not found; {_wanted()} is expected.")
    version = _version_of(path)
    if version is None:
        raise ConfigError(f"--python {named}: this does not run as a Python; {_wanted()} is expected.")
    if version not in BPY_FOR:
        raise ConfigError(f"--python {named}: this is Python {_words(version)}; Blender's module needs {_wanted()}.")
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
    """None for a program that is not Python, or one without a global lock, which Blender is not built for."""
    try:
        asked = subprocess.run(  # noqa: S603 - a program named like Python, or by the user; a list, no shell
            [path, "-I", "-c", ASK_PYTHON],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PYTHON_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    match asked.stdout.split():
        case [major, minor, "False"] if asked.returncode == 0:
            return int(major), int(minor)
        case _:
            return None


def _wanted() -> str:
    return "Python " + " or ".join(_words(version) for version in BPY_FOR)


LOWEST = (3, 4)
"""The oldest Blender that everything inside was tried with; it must have Python 3.11, as Debian's has."""
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
"""What Blender has since a version, in the words that a model is told when the one in use is older."""
READY = ".blender-ready"
"""The file that says that an environment is whole; an environment without it was never finished."""
MAKING = ".blender-making"
"""The file of an environment that is being made, or that was never finished."""
BOOT = Path(inside.__file__).parent / "boot.py"
SETTING = "studios.scene.blender"
RIGHT = "give a Python that has the bpy module, or a blender program, or auto"
MISSING = "Scenes need Blender, which is not installed."
GET = "Install it: redraft setup blender (about 1 GB)"
PATIENCE = 60.0
"""Seconds for a program to say its version; the first start after an installation reads much from disk."""
# What Blender itself prints as it starts must not come between the frames: they go by another descriptor.
APART = ("/bin/sh", "-c", 'exec "$0" "$@" 3>&1 1>&2')
QUIETLY = ("--background", "-noaudio", "--factory-startup", "--disable-autoexec", "--python-exit-code", "1", "--python")
ALONE = ("-I", "-B")
"""Of a Python that is asked: nothing of the user's own, and nothing written beside its libraries."""
AS_WORKER = ("-P", "-s", "-B", "-W", "ignore::DeprecationWarning")
"""Of one that works: the same, but its few variables count, as they make it walk sets in one order; and without the
warnings of what a later Blender will do otherwise, which are not the script's to fix now."""
ASK = """
import importlib.metadata, importlib.util, json
spec = importlib.util.find_spec("bpy")
print(json.dumps(importlib.metadata.version("bpy") if spec else None))
"""
ASK_PROGRAM = ("--python-expr", "import sys; print('Python inside:', *sys.version_info[:2])")
PLACES = (
    "/snap/blender/current/blender",
    "/Applications/Blender.app/Contents/MacOS/Blender",
    "~/Applications/Blender.app/Contents/MacOS/Blender",
)
"""Where a `blender` program is that is not on PATH."""


@dataclass(frozen=True)
class Blender:
    """A Blender that is here, and new enough."""

    command: tuple[str, ...]
    """Starts Python in it, up to the script's path."""
    version: str
    """`5.0.1`."""
    module: bool
    """Whether it is a Python with `bpy`; else it is the program."""
    binds: tuple[Path, ...] = ()
    """Folders that a jail must let it read, besides the system and the interpreter."""
    place: Path = Path()
    """The Python or the program itself."""

    def program(self, module: str) -> tuple[str, ...]:
        """The whole command that runs a module of redraft's in it: `redraft.studios.scene.inside.stage.server`."""
        return (*self.command, str(BOOT), *(() if self.module else ("--",)), module)


def find_blender(setting: str = "auto") -> Blender:
    """The Blender that `studios.scene.blender` names: a path, or `auto` for the first one that is found.

    Raises:
        ConfigError: the path is not a Blender, or one that is too old. MissingPartError: none was found.
    """
    return _auto() if setting == "auto" else _named(setting)


def lacking(version: str) -> list[str]:
    """Return what a Blender of this version does not have and models expect, a sentence each; empty for one unknown."""
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    return [words for since, words in SINCE if numbers and numbers < since]


def homes() -> list[Path]:
    """Where `redraft setup blender` puts it, the first one by default: beside redraft's own libraries
    when those are in a virtual environment, and in the user's data folder."""
    import platformdirs

    beside = [Path(sys.prefix) / "blender"] if sys.prefix != sys.base_prefix else []
    return [*beside, platformdirs.user_data_path("redraft", appauthor=False) / "blender"]


def python_in(environment: Path) -> Path:
    """The Python of a virtual environment."""
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def made(environment: Path) -> Blender | None:
    """The Blender in an environment that was made for it; None where there is none, or only half of one."""
    python = python_in(environment)
    if not (environment / READY).is_file() or not python.is_file():
        return None
    packages = "Lib/site-packages" if sys.platform == "win32" else "lib/python3.*/site-packages"
    for record in sorted(environment.glob(f"{packages}/bpy-*.dist-info")):
        return _in_python(python, record.name.removeprefix("bpy-").removesuffix(".dist-info"))
    return None


def _auto() -> Blender:
    for environment in homes():
        if (found := made(environment)) and not _lacking(found):
            return found
    no_use: list[str] = []
    for path in _candidates():
        found = _asked(path)
        if isinstance(found, Blender):
            return found
        no_use.append(f"{path} {found}")
    wrong = f"The installed Blender cannot be used for scenes: {no_use[0]}." if no_use else MISSING
    if sys.version_info[:2] not in BPY_FOR:
        try:
            python_for_bpy()
        except MissingPartError as no_python:
            raise MissingPartError(f"{wrong} {no_python}") from no_python
    raise MissingPartError(f"{wrong} {GET}")


def _candidates() -> list[Path]:
    """Programs that may be one, the likeliest first."""
    here = [Path(sys.executable)] if importlib.util.find_spec("bpy") else []
    if sys.platform == "win32":
        return here
    on_path = shutil.which("blender")
    known = [Path(place).expanduser() for place in PLACES]
    return here + [path for path in ([Path(on_path)] if on_path else []) + known if path.is_file()]


def _named(setting: str) -> Blender:
    path = Path(setting).expanduser()
    if not path.exists():
        raise ConfigError(f"{SETTING}: {setting!r} does not exist; {RIGHT}.")
    if (path / MAKING).is_file() and not (path / READY).is_file():
        raise ConfigError(f"{SETTING}: {setting!r} was never finished; run: redraft setup blender --into {setting}")
    program = _program_in(path)
    if program is None:
        raise ConfigError(f"{SETTING}: {setting!r} is a folder without Blender; {RIGHT}.")
    found = _asked(program)
    if not isinstance(found, Blender):
        raise ConfigError(f"{SETTING}: {setting!r} {found}; {RIGHT}.")
    if not found.module and sys.platform == "win32":
        raise ConfigError(f"{SETTING}: on Windows scenes need the bpy module, not a blender program. {GET}")
    return found


def _program_in(path: Path) -> Path | None:
    """A path that is a folder stands for the program in it."""
    if not path.is_dir():
        return path
    inner = (python_in(path), path / "blender", path / "Contents/MacOS/Blender")
    return next((program for program in inner if program.is_file()), None)


def _asked(path: Path) -> Blender | str:
    """Return the Blender that a program is, or the reason it cannot be used, as the end of a sentence."""
    if shutil.which(path) is None:
        return "cannot be executed"
    said = _output(path, "--version")
    if said.startswith("Python "):
        answer = _output(path, *ALONE, "-c", ASK)
        version = json.loads(answer) if answer else None
        found = _in_python(path, version) if version else None
        return (_lacking(found) or found) if found else f"is {said.strip()[:40]} without the bpy module"
    match = re.search(r"^Blender (\d+\.\d+(?:\.\d+)?)", said, re.MULTILINE)
    if match is None:
        first = said.strip().partition("\n")[0][:80]
        return f"is not a Blender (it says {first!r})" if first else "is not a Blender"
    program = path.resolve()
    if "blender" not in program.name.lower() or _begins_with(program, b"#!"):
        return "is something that starts Blender, and not Blender itself"
    if Path.home().is_relative_to(program.parent):
        return f"lies in {program.parent}, with what scripts must not read; it needs a folder of its own"
    found = Blender((*APART, str(program), *QUIETLY), match.group(1), False, (program.parent,), program)
    return _lacking(found) or found


def _begins_with(path: Path, mark: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(mark)) == mark


def _in_python(python: Path, version: str) -> Blender:
    return Blender((str(python.absolute()), *AS_WORKER), version, True, place=python)


def _lacking(found: Blender) -> str:
    """Why a Blender is of no use, as the end of a sentence; empty for one that is of use."""
    version = tuple(int(number) for number in re.findall(r"\d+", found.version)[:2])
    if version < LOWEST:
        return f"is Blender {found.version}, and {_words(LOWEST)} or later is needed"
    if found.module or version >= SURELY:
        return ""
    match = re.search(r"^Python inside: (\d+) (\d+)", _output(found.place, *QUIETLY[:-1], *ASK_PROGRAM), re.MULTILINE)
    if match and (int(match[1]), int(match[2])) >= (3, 11):
        return ""
    has = f"has Python {match[1]}.{match[2]}" if match else "does not say which Python it has"
    return f"is Blender {found.version} and {has}; it needs Python 3.11, which Blender has from {_words(SURELY)} on"


def _output(program: Path, *words: str) -> str:
    """What a program prints; nothing when it cannot be asked. Asked once."""
    return _output_of(program, program.stat().st_mtime_ns, words)


@cache
def _output_of(program: Path, modified: int, words: tuple[str, ...]) -> str:
    del modified  # a changed file is another program
    try:
        asked = subprocess.run(  # noqa: S603 - the program that the user named, or Blender; a list, no shell
            [program, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return asked.stdout.decode("utf-8", "replace") if asked.returncode == 0 else ""


def _words(version: tuple[int, ...]) -> str:
    return ".".join(str(number) for number in version)
