"""Worker programs: commands, limits, answers, and the paths that a confined program may read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from redraft.errors import MissingPartError
from redraft.sandbox.landlock import READ_IN_PROC
from redraft.sandbox.processes import MAX_THREADS

Level = Literal["worker", "bubblewrap", "landlock"]
"""A process of its own, for programs of ours; or one that is also kept from files, network and other processes."""


@dataclass(frozen=True)
class Limits:
    """Limits of one job."""

    seconds: float = 20.0
    """By the clock, from sending the job to its whole answer."""
    memory: int = 4 << 30
    """Bytes that its processes may hold together; never more than the program's own limit."""
    output: int = 256 << 20
    """Bytes of one answer."""
    processes: int = 64
    """Number of processes at once."""
    threads: int = MAX_THREADS
    """Number of threads of all its processes at once."""
    slow: str = ""
    """The message for a job that took too long; empty for `It ran longer than 20 s and was stopped.`"""
    heavy: str = ""
    """The advice for a job that held too much memory; empty for `Make what it holds smaller.`"""


@dataclass(frozen=True)
class Program:
    """A worker program that reads jobs and writes answers, see `protocol`."""

    name: str
    """In words, for messages: `the shader worker`."""
    command: tuple[str, ...]
    level: Level = "worker"
    memory: int = 4 << 30
    """Bytes it may hold. Its address space may be `ADDRESS_ROOM` larger: what is reserved is not yet held."""
    binds: tuple[Path, ...] = ()
    """Where it is confined, what it may read besides the system's libraries, its interpreter and redraft."""
    environment: tuple[tuple[str, str], ...] = ()
    """Variables that are set in its otherwise minimal environment."""
    scratch: int = 1 << 30
    """Where it is confined, bytes of the folder that is all it can write to, its home and its working folder."""
    watches: bool = False
    """Whether it looks after processes of its own, and so may read all of `/proc` where it is confined by Landlock. It
    must take that from whatever it runs for a model: see `seccomp.confine_script`."""
    nice: int = 0
    """Its niceness, 0 to 19."""
    start: float = 60.0
    """Seconds until it must be ready for its first job."""
    jobs: int = 2_000
    """Number of jobs after which a worker is ended."""
    retire: int | None = None
    """Bytes that a worker may still hold after a job, to be kept for another; None for all that it may hold."""

    @property
    def bound(self) -> tuple[tuple[int, int] | None, ...]:
        """What `binds` are at present: a worker still reads a folder that was replaced since."""
        return tuple((found.st_dev, found.st_ino) if (found := _stat(path)) else None for path in self.binds)


@dataclass(frozen=True)
class Answer:
    """A worker's answer: a JSON object, and bytes where the medium has pictures."""

    data: dict[str, JsonValue]
    blob: bytes = b""


JAIL_SCRATCH = "/scratch"
"""The one folder of a jail that can be written."""
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
    *READ_IN_PROC,
    "/sys/devices/system/cpu",
)
"""Paths that libraries read in the system's /dev and /proc, where the worker has none of its own. Not /dev/zero, which
can be mapped: the memory shows in no process's figures."""


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def needed_paths(program: Program) -> list[Path]:
    """Return the paths that a program reads besides the system, outermost first, each once.

    Raises:
        MissingPartError: a path is missing, or the interpreter lies in the home folder itself.
    """
    missing = [path for path in program.binds if not path.exists()]
    if missing:
        raise MissingPartError(f"{program.name} needs {missing[0]}, which is missing.")
    paths = [*_interpreter(Path(program.command[0])), Path(__file__).parents[1], *program.binds]
    return _outermost(path.absolute() for path in paths)


def _interpreter(command: Path) -> list[Path]:
    """Return the folders of a command: for a Python its environment and the installation behind it."""
    real = command.resolve()
    roots = [command.parent, real.parent]
    if command.name.startswith("python"):
        roots = [real.parent.parent]
        home = command.parent.parent
        if (home / "pyvenv.cfg").is_file():
            roots += [home, *_base(home)]
    own = Path(os.path.expanduser("~"))  # noqa: PTH111 - `Path` raises without a home
    open_home = [root for root in roots if own.is_relative_to(root)]
    if open_home:
        raise MissingPartError(
            f"{command} lies in {open_home[0]}, so a script could read the whole home folder. Install it into a "
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
