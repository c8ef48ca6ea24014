"""Worker programs: commands, limits, answers, and the paths that a confined program may read."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from redraft.errors import MissingPartError
from redraft.sandbox.landlock import READ_IN_PROC
from redraft.sandbox.processes import MAX_THREADS

Level = Literal["worker", "bubblewrap", "landlock"]
"""A process of its own, for redraft's own programs; or one that is also kept from files, network and processes."""


@dataclass(frozen=True)
class Limits:
    """Limits of one job."""

    seconds: float = 20.0
    """Time limit, from sending the job to its whole answer."""
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
    """Its name in messages: `the shader worker`."""
    command: tuple[str, ...]
    level: Level = "worker"
    memory: int = 4 << 30
    """Bytes that a worker and all its processes may hold together: more ends the worker.

    The same number limits each file that it writes. Its address space may be `ADDRESS_ROOM` larger, since memory that
    is reserved is not yet held.
    """
    binds: tuple[Path, ...] = ()
    """Paths that a confined worker may read besides the system's libraries, its interpreter and redraft."""
    environment: tuple[tuple[str, str], ...] = ()
    """Variables that are set in its otherwise minimal environment."""
    scratch: int = 1 << 30
    """Bytes of the one folder that a confined worker can write to, its home and its working folder."""
    watches: bool = False
    """True if it watches processes of its own, and so may read all of `/proc` where Landlock confines it. It must deny
    that to the scripts of a model: see `seccomp.confine_script`."""
    nice: int = 0
    """Its niceness, 0 to 19."""
    start: float = 60.0
    """Seconds within which it must be ready for its first job."""
    jobs: int = 2_000
    """Number of jobs after which a worker is ended."""
    retire: int | None = None
    """Bytes that a worker holds after a job, above which it is ended; None for no such limit."""

    @property
    def bound(self) -> tuple[tuple[int, int] | None, ...]:
        """Device and inode of each of the `binds` now: a worker goes on reading a folder that was replaced."""

        def identity(path: Path) -> tuple[int, int] | None:
            try:
                status = path.stat()
            except OSError:
                return None
            return status.st_dev, status.st_ino

        return tuple(map(identity, self.binds))


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
"""Files in /etc that libraries and fonts need."""
READ_BY_LIBRARIES = (
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    *READ_IN_PROC,
    "/sys/devices/system/cpu",
)
"""Paths that libraries read in the system's /dev and /proc, where the worker has none of its own. Not /dev/zero, which
can be mapped: the memory shows in no process's figures."""


def needed_paths(program: Program) -> list[Path]:
    """Return the paths that a program reads besides the system, outermost first, each once.

    Raises:
        MissingPartError: a path is missing, or the interpreter lies in the home folder itself.
    """
    missing = [path for path in program.binds if not path.exists()]
    if missing:
        raise MissingPartError(f"{program.name} needs {missing[0]}, which is missing.")
    paths = [*_interpreter(Path(program.command[0])), Path(__file__).parents[1], *program.binds]
    outermost: list[Path] = []
    for path in sorted({path.absolute() for path in paths}, key=lambda p: len(p.parts)):
        if not any(path.is_relative_to(above) for above in (*SYSTEM, *outermost)):
            outermost.append(path)
    return outermost


def _interpreter(command: Path) -> list[Path]:
    """Return the folders of a command: for a Python its environment and the installation behind it.

    Raises:
        MissingPartError: it lies in the home folder itself.
    """
    real = command.resolve()
    roots = [command.parent, real.parent]
    if command.name.startswith("python"):
        roots = [real.parent.parent]
        home = command.parent.parent
        if (home / "pyvenv.cfg").is_file():
            # The environment names the installation by the path that `python` there goes through, perhaps a link.
            lines = (home / "pyvenv.cfg").read_text("utf-8").splitlines()
            pairs = {name.strip(): value.strip() for name, _, value in (line.partition("=") for line in lines)}
            roots += [home, *([Path(pairs["home"]).parent] if pairs.get("home") else [])]
    own = Path(os.path.expanduser("~"))  # noqa: PTH111 - `Path` raises without a home
    open_home = [root for root in roots if own.is_relative_to(root)]
    if open_home:
        raise MissingPartError(
            f"{command} lies in {open_home[0]}, so a script could read the whole home folder. Install it into a "
            "folder of its own."
        )
    return roots
