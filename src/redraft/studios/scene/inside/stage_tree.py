"""All processes that a script's process left: what they hold, and ending them for certain.

A process whose parent is gone becomes a child of ours (`adopt`), so that whatever a script starts is found below us.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

__all__ = ["adopt", "descendants", "end_all", "held"]

HELD = (b"RssAnon:", b"RssShmem:", b"VmSwap:")
"""Memory that is a process's own doing; pages of program files can be dropped and are not counted."""
PR_SET_CHILD_SUBREAPER = 36
PATIENCE = 5.0
"""Seconds until what was killed is gone."""


def adopt() -> None:
    """From now on be the parent of every descendant that loses its own."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants() -> list[int]:
    """Every process below this one; none where there is no `/proc`, or Landlock hides it: there the sandbox, from
    outside, is all that looks at memory."""
    found: list[int] = []
    waiting = _children(os.getpid())
    while waiting:
        each = waiting.pop()
        found.append(each)
        waiting += _children(each)
    return found


def held(pids: list[int]) -> int:
    """Bytes that processes hold together."""
    return sum(map(_held_by, pids))


def end_all(pid: int | None) -> None:
    """Kill a child (None if it has ended) and every descendant, and wait until nothing of them is left.

    Raises:
        TimeoutError: something is still there.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        for each in {*descendants(), *([pid] if pid else [])}:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(each, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        if time.monotonic() > deadline:
            raise TimeoutError("processes of a script would not end")
        time.sleep(0.001)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):  # it has ended
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                found += map(int, (thread / "children").read_bytes().split())
    return found


def _held_by(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_bytes()
    except OSError:
        return 0  # it has ended
    return sum(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith(HELD))
