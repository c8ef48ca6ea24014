"""What a confined worker may read: the system's programs and libraries, its interpreter, redraft, and what it names."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import redraft
from redraft.errors import MissingPartError
from redraft.sandbox.nouns import Program

__all__ = ["READ_BY_LIBRARIES", "SYSTEM", "SYSTEM_FILES", "needed_paths"]

SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin")
SYSTEM_FILES = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/glvnd",
    "/etc/localtime",
)
"""Of what is in /etc, what libraries need to be found and fonts to be drawn."""
READ_BY_LIBRARIES = (
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu",
)
"""Where there are no folders of the worker's own for devices and processes, what libraries look at in the system's."""


def needed_paths(program: Program) -> list[Path]:
    """What a program reads besides the system, outermost first, each once.

    Raises:
        MissingPartError: a path is not there, or the interpreter lies in the home folder itself.
    """
    missing = [path for path in program.binds if not path.exists()]
    if missing:
        raise MissingPartError(f"{program.name} needs {missing[0]}, which is not there.")
    paths = [*_interpreter(Path(program.command[0])), Path(redraft.__file__).parent, *program.binds]
    return _outermost(path.absolute() for path in paths)


def _interpreter(command: Path) -> list[Path]:
    """Where a command lives: for a Python its environment and the installation behind it."""
    real = command.resolve()
    roots = [command.parent, real.parent]
    if command.name.startswith("python"):
        roots = [real.parent.parent]
        home = command.parent.parent
        if (home / "pyvenv.cfg").is_file():
            roots += [home, *_base(home)]
    own = Path(os.path.expanduser("~"))  # noqa: PTH111 - where there is no home, `Path` raises
    open_home = [root for root in roots if own.is_relative_to(root)]
    if open_home:
        raise MissingPartError(
            f"{command} lies in {open_home[0]}, so that a script could read the whole home folder. Install it into a "
            "folder of its own."
        )
    return roots


def _base(environment: Path) -> list[Path]:
    """The installation that an environment names; its path may lead through a link that `python` there goes through."""
    lines = (environment / "pyvenv.cfg").read_text("utf-8").splitlines()
    pairs = {name.strip(): value.strip() for name, _, value in (line.partition("=") for line in lines)}
    return [Path(pairs["home"]).parent] if pairs.get("home") else []


def _outermost(paths: Iterable[Path]) -> list[Path]:
    kept: list[Path] = []
    for path in sorted(set(paths), key=lambda p: len(p.parts)):
        covered = any(path.is_relative_to(name) for name in SYSTEM) or any(path.is_relative_to(k) for k in kept)
        if not covered:
            kept.append(path)
    return kept
