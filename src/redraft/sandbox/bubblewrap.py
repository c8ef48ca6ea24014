"""The command that puts a worker in a jail: bubblewrap, with no network, no home, no key, and nothing to write to.

What is in there is read-only (see `reach`); processes are of its own; and one folder is in memory, which is gone when
the worker is. System calls that this leaves open the worker gives up itself, see `redraft.confinement`.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from redraft.errors import MissingPartError
from redraft.sandbox.nouns import Program
from redraft.sandbox.reach import SYSTEM, SYSTEM_FILES, needed_paths

__all__ = ["JAIL_SCRATCH", "check", "jailed", "refusal"]

BWRAP = "bwrap"
JAIL_SCRATCH = "/scratch"
INSTALL = "Install it: apt-get install bubblewrap"
NEEDED_OPTIONS = ("--disable-userns", "--size", "--clearenv")
APART = (
    *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"),
    *("--uid", "65534", "--gid", "65534", "--hostname", "jail", "--cap-drop", "ALL", "--clearenv"),
)
OWN_FOLDERS = ("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev", "--remount-ro", "/dev")
NAMESPACES = (
    "In a container allow user namespaces (docker: --security-opt seccomp=unconfined); on Ubuntu 24.04: "
    "sysctl kernel.apparmor_restrict_unprivileged_userns=0; on older Debian: sysctl kernel.unprivileged_userns_clone=1"
)


def jailed(program: Program, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The whole command.

    Raises:
        MissingPartError: there is no bubblewrap, or one before 0.8, or a path to bind is not there.
    """
    return (
        _bwrap(),
        *APART,
        *(word for name, value in environment.items() for word in ("--setenv", name, value)),
        *_system(),
        *(word for path in needed_paths(program) for word in ("--ro-bind", str(path.resolve()), str(path))),
        *OWN_FOLDERS,
        *("--size", str(program.scratch), "--tmpfs", JAIL_SCRATCH, "--chdir", JAIL_SCRATCH),
        *("--remount-ro", "/", "--", *program.command),
    )


def check() -> None:
    """Try whether a jail can be made here; once, what was found is remembered.

    Raises:
        MissingPartError: it cannot; what is missing, and what mends it.
    """
    refused = _tried(_bwrap())
    if refused:
        raise refusal(refused) or MissingPartError(f"The jail for scripts cannot be made here: {refused.strip()}")


def refusal(words: str) -> MissingPartError | None:
    """What it means when bubblewrap ends before the program began: mostly that it may not make namespaces here."""
    said = next((line for line in words.splitlines() if line.startswith("bwrap: ")), "")
    if not said or "execvp" in said:
        return None
    return MissingPartError(
        f"The jail for scripts cannot be made here: {said.removeprefix('bwrap: ')}. It needs user namespaces, which "
        f"this system refuses. {NAMESPACES}."
    )


@cache
def _tried(path: str) -> str:
    """What bubblewrap says to a jail in which nothing is done; nothing where that works."""
    command = (path, *APART, *_system(), *OWN_FOLDERS, "--size", "4096", "--tmpfs", JAIL_SCRATCH, "--", "/usr/bin/true")
    tried = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)  # noqa: S603 - a list, no shell
    return "" if tried.returncode == 0 else tried.stderr or f"{BWRAP} ended with exit code {tried.returncode}."


@cache
def _options(path: str) -> str:
    asked = subprocess.run([path, "--help"], capture_output=True, text=True, timeout=20, check=False)  # noqa: S603 - a list, no shell
    return asked.stdout + asked.stderr


def _bwrap() -> str:
    path = shutil.which(BWRAP)
    if path is None:
        raise MissingPartError(f"Scripts run in a jail, which needs bubblewrap; `{BWRAP}` is not here. {INSTALL}")
    lacking = [option for option in NEEDED_OPTIONS if option not in _options(path)]
    if lacking:
        raise MissingPartError(
            f"{path} is too old: it has no {', '.join(lacking)}. Bubblewrap 0.8 or later is needed (Debian 12, Ubuntu "
            f"24.04). {INSTALL}"
        )
    return path


def _system() -> Iterator[str]:
    for name in SYSTEM:
        path = Path(name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), name)
        elif path.is_dir():
            yield from ("--ro-bind", name, name)
    for name in SYSTEM_FILES:
        yield from ("--ro-bind-try", name, name)
