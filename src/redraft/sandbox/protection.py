"""Which protection from a model's scripts this machine can give: bubblewrap, else Landlock; none if that is asked for.

What each level keeps from a script:

- `bubblewrap`: a jail of its own, in which the home folder, other processes and the network do not exist.
- `landlock`: the kernel refuses files, network, and signals; that a file exists and how large it is can be seen.
- `worker`: a process of its own and its limits. Files and network are open.
"""

from __future__ import annotations

import platform
import sys
from typing import Literal

from redraft.confinement import landlock, seccomp
from redraft.errors import MissingPartError
from redraft.sandbox import bubblewrap
from redraft.sandbox.nouns import Level

__all__ = ["Wanted", "protection"]

Wanted = Literal["auto", "bubblewrap", "landlock", "none"]
UNSAFE = "--unsafe-no-sandbox runs scripts without protection"


def protection(wanted: Wanted) -> Level:
    """The level that programs are to run at; `auto` takes the strongest that works here. Tries bubblewrap once.

    Raises:
        MissingPartError: it cannot be had here; what is missing, and what mends it.
    """
    match wanted:
        case "none":
            return "worker"
        case "bubblewrap":
            _check_bubblewrap()
            return "bubblewrap"
        case "landlock":
            _check_landlock()
            return "landlock"
        case "auto":
            return _strongest()


def _strongest() -> Level:
    if not sys.platform.startswith("linux"):
        raise MissingPartError(_not_linux())
    try:
        _check_bubblewrap()
    except MissingPartError as no_jail:
        try:
            _check_landlock()
        except MissingPartError as no_landlock:
            raise MissingPartError(f"{no_landlock} The other protection fails, too: {no_jail} ({UNSAFE}.)") from no_jail
        return "landlock"
    return "bubblewrap"


def _check_bubblewrap() -> None:
    if not sys.platform.startswith("linux"):
        raise MissingPartError(_not_linux())
    _check_filter()
    bubblewrap.check()


def _check_landlock() -> None:
    if not sys.platform.startswith("linux"):
        raise MissingPartError(_not_linux())
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


def _not_linux() -> str:
    system = {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)
    return (
        f"A model's scripts are kept from files and network only on Linux; on {system} they would run in a process of "
        f"their own with a time limit, and files and network open to them. {UNSAFE}."
    )
