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

from redraft.sandbox.processes import held_by, tree_of

__all__ = ["adopt", "descendants", "end_all", "held"]

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
    return [*tree_of(os.getpid())][1:]


def held(pids: list[int]) -> int:
    """Bytes that processes hold together."""
    return sum(map(held_by, pids))


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
