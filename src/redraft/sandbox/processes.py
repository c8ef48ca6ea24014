"""Processes and what they hold, from `/proc`, and ending all of them. Only the standard library is needed in here."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "FAULTS",
    "PROC",
    "Usage",
    "end_all",
    "end_group",
    "held_by",
    "kept_in",
    "signal_in_words",
    "signal_word",
    "tree_of",
    "usage_of",
]

PROC = Path("/proc")
HELD = ("RssAnon:", "RssShmem:", "VmSwap:")
"""Memory that is a process's own doing; pages of program files can be dropped and are not counted."""
MOST_WALKED = 10_000
SIGNALS = {
    "SIGSEGV": "a segmentation fault",
    "SIGABRT": "an abort",
    "SIGBUS": "a bus error",
    "SIGILL": "an illegal instruction",
    "SIGFPE": "an arithmetic error",
    "SIGKILL": "killed, as the system does when memory runs out",
    "SIGTERM": "asked to end",
    "SIGSYS": "a forbidden system call",
    "SIGXCPU": "too much time on the processor",
}


def tree_of(pid: int) -> Iterator[int]:
    """A process and its descendants; those that end meanwhile are left out. Only the process itself
    without a readable `/proc`."""
    waiting, seen = [pid], 0
    while waiting and seen < MOST_WALKED:
        each = waiting.pop()
        seen += 1
        yield each
        waiting.extend(_children(each))


OWN = ["SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT", "SIGTRAP", "SIGSYS", "SIGXCPU", "SIGXFSZ"]
FAULTS = frozenset(int(each) for each in signal.Signals if each.name in OWN)
"""Signals that a process gets for what it does itself; any other comes from outside."""


def signal_word(number: int) -> str:
    """Return the meaning of a signal that ended a process, `a segmentation fault`, else its name."""
    name = next((each.name for each in signal.Signals if each == number), "one without a name")
    return SIGNALS.get(name, name)


def held_by(pid: int) -> int:
    """Bytes that a process holds; 0 when it has ended."""
    try:
        status = (PROC / str(pid) / "status").read_text("ascii", "replace")
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith(HELD))


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):  # it has ended
        for thread in (PROC / str(pid) / "task").iterdir():
            with suppress(OSError):
                found += map(int, (thread / "children").read_bytes().split())
    return found


LEAST_FILE = 4096
"""Bytes that a file takes at least, were it empty."""


@dataclass(frozen=True)
class Usage:
    """Of a process and all its descendants."""

    memory: int
    """Bytes."""
    processes: int


def usage_of(pid: int) -> Usage:
    """Return the usage of a process and its descendants; zero without `/proc`, where only its own limits apply."""
    tree = list(tree_of(pid))
    return Usage(sum(map(held_by, tree)), len(tree))


def end_all(pid: int) -> None:
    """Kill a process, its group, and every descendant, also those that made a session of their own."""
    tree = list(tree_of(pid))
    end_group(pid)
    for each in tree:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(each, signal.SIGKILL)


def end_group(pid: int) -> None:
    """Kill what is in a process's group, also where the process itself has ended."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def kept_in(folder: Path, pid: int, enough: int) -> int:
    """Bytes on the disk of a folder's files, and of those that a process and its descendants removed from it but have
    open. Counts no further than `enough`."""
    total = 0
    for size in _sizes(folder, pid):
        total += max(size, LEAST_FILE)
        if total > enough:
            break
    return total


def signal_in_words(code: int, *, jailed: bool = False) -> str:
    """Return how a process ended: `was ended by signal 11, a segmentation fault`. Bubblewrap reports 128 + signal."""
    number = code - 128 if jailed and code > 128 else -code
    if number <= 0:
        return f"ended by itself, with exit code {code}"
    return f"was ended by signal {number}, {signal_word(number)}"


def _sizes(folder: Path, pid: int) -> Iterator[int]:
    waiting = [str(folder)]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:  # removed meanwhile
            for entry in entries:
                with suppress(OSError):
                    yield entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
    for each in tree_of(pid):
        yield from _removed(folder, PROC / str(each) / "fd")


def _removed(folder: Path, opened: Path) -> Iterator[int]:
    with suppress(OSError):  # it has ended, or does not let us look
        for link in opened.iterdir():
            with suppress(OSError):
                if os.readlink(link).startswith(f"{folder}/") and (found := link.stat()).st_nlink == 0:  # noqa: PTH115
                    yield found.st_blocks * 512
