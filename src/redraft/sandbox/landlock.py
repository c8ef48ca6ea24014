"""Files, ports and other processes that a process gives up for good, by Landlock: all but what is named.

Landlock does not cover that a file exists, its size, and its attributes (see `seccomp.confine_attributes`). Before
Linux 6.12 it does not cover signals either.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
from collections.abc import Iterable

from redraft.sandbox.syscalls import PR_SET_NO_NEW_PRIVS, call, set_process

READ_IN_PROC = (
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/vm/overcommit_memory",
)
"""Paths that libraries read in the system's /proc; no process has its name there."""
NEEDED = 4
"""The first version of Landlock that also watches over the network: Linux 6.7."""
SINCE_REFER = 2
VERSION = 1
PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REGULAR, MAKE_LINK = 1 << 4, 1 << 5, 1 << 7, 1 << 8, 1 << 12
REFER, TRUNCATE = 1 << 13, 1 << 14
ON_FILES = (EXECUTE, WRITE_FILE, READ_FILE, TRUNCATE)
READING = EXECUTE | READ_FILE | READ_DIR
WRITING = (
    READ_FILE
    | READ_DIR
    | WRITE_FILE
    | TRUNCATE
    | REMOVE_DIR
    | REMOVE_FILE
    | MAKE_DIR
    | MAKE_REGULAR
    | MAKE_LINK
    | REFER
)
ALL_OF_FILES = ((4, (1 << 15) - 1), (5, (1 << 16) - 1))
"""Rights on files by version; the last is control of devices."""
ALL_OF_NETWORK = 0b11
ALL_SCOPES = 0b11
"""Sockets with names in no folder, and signals; to processes that are confined with it both remain. Since version 6."""


_reach: list[str] = []
"""Paths that `confine_reach` has left to this process and its forks; empty before."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def version() -> int:
    """Return the version of Landlock in this kernel; 0 if it has none, or it is switched off."""
    try:
        return call("landlock_create_ruleset", None, 0, VERSION)
    except OSError as error:
        if error.errno in {errno.ENOSYS, errno.EOPNOTSUPP}:
            return 0
        raise


def confine_reach(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Keep only some files and folders, with all that is in them; give up TCP, and signals to processes outside.

    What is readable may be executed, too; what is writable may not.

    Raises:
        OSError: a path is missing, or the kernel has no Landlock that watches over the network.
    """
    known = version()
    if known < NEEDED:
        raise OSError(errno.ENOSYS, f"Landlock {NEEDED} or later is needed, which Linux has since 6.7; here is {known}")
    watched = max(every for since, every in ALL_OF_FILES if since <= known)
    readable, writable = [*readable], [*writable]
    _confine(
        watched, ALL_OF_NETWORK, [*((path, READING) for path in readable), *((path, WRITING) for path in writable)]
    )
    _reach[:] = [*readable, *writable]


def set_apart() -> None:
    """Let this process, and what it starts, look into no process that is there already, read no names or command lines
    in `/proc`, and signal no other process where Landlock watches over signals. Nothing is done before Linux 5.19,
    which cannot. Raises `OSError` when the kernel refuses."""
    if version() < SINCE_REFER:
        return
    paths = _reach or [f"/{name}" for name in os.listdir("/")]  # noqa: PTH208 - by name, with no `Path` of each
    kept = [path for path in {*paths, *READ_IN_PROC} - {"/proc"} if os.path.exists(path)]  # noqa: PTH110 - as above
    # REFER is given back whole: it counts as one level deeper
    _confine(REFER | READ_FILE | READ_DIR, 0, [("/", REFER), *((path, READ_FILE | READ_DIR) for path in kept)])


def _confine(watched: int, network: int, allowed: Iterable[tuple[str, int]]) -> None:
    asked = _Ruleset(watched, network, ALL_SCOPES if version() >= 6 else 0)
    rules = call("landlock_create_ruleset", ctypes.byref(asked), ctypes.sizeof(asked), 0)
    try:
        for path, rights in allowed:
            _allow(rules, path, rights)
        set_process(PR_SET_NO_NEW_PRIVS, 1)
        call("landlock_restrict_self", rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= sum(ON_FILES)
        call("landlock_add_rule", rules, PATH_BENEATH, ctypes.byref(_Beneath(rights, place)), 0)
    finally:
        os.close(place)
