"""Protection from a model's scripts: the levels that this machine supports, and the command that makes a jail.

The levels:

- `bubblewrap`: a jail in which the home folder, other processes and the network do not exist. Everything there is
  read-only but one folder, which is in memory and ends with the worker. The worker itself gives up the system calls
  that a jail leaves open, see `seccomp`.
- `landlock`: the kernel refuses files, network, and signals; that a file exists and its size can be seen.
- `worker`: a process with limits. Files and network are open.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from redraft.errors import MissingPartError
from redraft.sandbox import landlock, seccomp
from redraft.sandbox.program import JAIL_SCRATCH, SYSTEM, SYSTEM_FILES, Level, Program, needed_paths

BWRAP = "bwrap"
INSTALL = "Install it: apt-get install bubblewrap"
NEEDED_OPTIONS = ("--disable-userns", "--size", "--clearenv")
APART = (
    *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"),
    *("--uid", "65534", "--gid", "65534", "--hostname", "jail", "--cap-drop", "ALL", "--clearenv"),
)
OWN_FOLDERS = (
    *("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"),
    *("--ro-bind", "/dev/null", "/dev/zero"),  # /dev/zero can be mapped: memory that shows in no process's figures
    *("--remount-ro", "/dev"),
)
NAMESPACES = (
    "In a container allow user namespaces (docker: --security-opt seccomp=unconfined); on Ubuntu 24.04: "
    "sysctl kernel.apparmor_restrict_unprivileged_userns=0; on older Debian: sysctl kernel.unprivileged_userns_clone=1"
)
UNSAFE = "--sandbox none runs scripts without protection"


def protection(wanted: Literal["auto", "bubblewrap", "landlock", "none"]) -> Level:
    """Return the level that programs run at; `auto` is the strongest that works here. Bubblewrap is tried once.

    Raises:
        MissingPartError: this machine does not support it; the message says what is missing and how to install it.
    """
    if wanted == "none":
        return "worker"
    if not sys.platform.startswith("linux"):
        system = {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)
        raise MissingPartError(
            f"A model's scripts are kept from files and network only on Linux; on {system} they would run in a process "
            f"with a time limit, and files and network open to them. {UNSAFE}."
        )
    if wanted != "auto":
        (_check_bubblewrap if wanted == "bubblewrap" else _check_landlock)()
        return wanted
    try:
        _check_bubblewrap()
    except MissingPartError as no_jail:
        try:
            _check_landlock()
        except MissingPartError as no_landlock:
            raise MissingPartError(
                f"{no_landlock} The other sandbox does not work either: {no_jail} ({UNSAFE}.)"
            ) from no_jail
        return "landlock"
    return "bubblewrap"


def _check_bubblewrap() -> None:
    """Raise `MissingPartError` unless a jail can be made here; tried once, then remembered."""
    _check_filter()
    if refused := _tried(_bwrap()):
        raise refusal(refused) or MissingPartError(f"The sandbox for scripts cannot be set up here: {refused.strip()}")


def _check_landlock() -> None:
    _check_filter()
    known = landlock.version()
    if known < landlock.NEEDED:
        here = f"has version {known}" if known else "has none, or it is switched off"
        raise MissingPartError(
            f"Protection by Landlock needs version {landlock.NEEDED} of it, which Linux has since 6.7; the kernel here "
            f"({platform.release()}) {here}."
        )


def _check_filter() -> None:
    if not seccomp.available():
        raise MissingPartError(
            "Scripts run with a filter of system calls, which needs 64-bit Linux on x86_64 or aarch64 with seccomp; "
            f"this is {platform.system()} {platform.release()} on {platform.machine()}. {UNSAFE}."
        )


def jailed(program: Program, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the command that runs a program in a jail.

    Raises:
        MissingPartError: bubblewrap is missing or older than 0.8, or a path to bind is missing.
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


def refusal(words: str) -> MissingPartError | None:
    """Return the error for bubblewrap's own message in its output, mostly about namespaces; None without one."""
    message = next((line for line in words.splitlines() if line.startswith("bwrap: ")), "")
    if not message or "execvp" in message:
        return None
    return MissingPartError(
        f"The sandbox for scripts cannot be set up here: {message.removeprefix('bwrap: ')}. It needs user namespaces, "
        f"which this system refuses. {NAMESPACES}."
    )


@cache
def _tried(path: str) -> str:
    """Return the error of bubblewrap for a jail in which nothing runs; empty if that works."""
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
        raise MissingPartError(f"Scripts run in a sandbox, which needs bubblewrap; `{BWRAP}` is missing. {INSTALL}")
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
