"""Processes and what they hold, from `/proc`: for the sandbox outside, and for a worker that watches over others."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["PROC", "held_by", "signal_word", "tree_of"]

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
    """A process and its descendants; of those that come and go meanwhile, what is still there. Only itself where there
    is no `/proc`, or it is hidden."""
    waiting, seen = [pid], 0
    while waiting and seen < MOST_WALKED:
        each = waiting.pop()
        seen += 1
        yield each
        waiting.extend(_children(each))


def signal_word(number: int) -> str:
    """What a signal that ended a process means: `a segmentation fault`; of others the name."""
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
