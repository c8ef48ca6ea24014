"""Limits of a script's process, watched from outside: its descendants, its memory, its files, its time.

A process whose parent is gone becomes a child of ours (`adopt`), so that whatever a script starts is found below us.
"""

from __future__ import annotations

import ctypes
import os
import selectors
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from redraft.sandbox.processes import FAULTS, MAX_THREADS, held_by, kept_in, tree_of

PR_SET_CHILD_SUBREAPER = 36
KILL_TIMEOUT = 5.0
"""Seconds until what was killed is gone."""


def adopt() -> None:
    """Become the parent of every descendant that loses its own."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants() -> list[int]:
    """Return every process below this one.

    Without `/proc` there are none: then only the sandbox, from outside, looks at memory.
    """
    return [*tree_of(os.getpid())][1:]


def end_all(pid: int | None) -> None:
    """Kill a child (None if it has ended) and every descendant, and wait until nothing of them is left.

    Raises:
        TimeoutError: something is still there.
    """
    deadline = time.monotonic() + KILL_TIMEOUT
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


MAX_FILE_COUNT = 2_000
"""Files that a script may have at one time."""


def scratch() -> Path:
    """Return the folder of this process. All that is in it goes with the next script, so it must not be shared.

    Raises:
        RuntimeError: the sandbox did not start us: home, temporary and working folder are not one.
    """
    folder, home = os.environ.get("TMPDIR", ""), os.environ.get("HOME", "")
    if not folder or folder != home or not Path(folder).samefile("."):
        raise RuntimeError(
            "the stage empties its folder after every script and needs one of its own: HOME, TMPDIR and the working "
            f"folder must be the same, not {home!r}, {folder!r} and {str(Path.cwd())!r}"
        )
    return Path(folder)


def held_in(folder: Path, most: int) -> int:
    """Return the bytes of the files in a folder; more than `most` for too many files, or folders nested too deep."""
    try:
        return kept_in(folder, os.getpid(), most, most // MAX_FILE_COUNT)
    except RecursionError:
        return most + 1


Stopped = Literal["", "time", "memory", "threads", "files"]

DUMP = signal.SIGUSR1
"""The signal at which a script's process says which line it is at."""
POLL_INTERVAL = 0.02
"""Seconds between two looks at a process."""
FILES_INTERVAL = 0.4
"""Seconds between two looks at what is in its files."""
DUMP_TIME = 0.3
"""Seconds in which a process can still say where it is, before it is killed."""
PIECE = 1 << 18
"""Bytes that are read at once."""
MAX_FILES = 512 << 20
"""Bytes that a script may have in files at one time."""
KEPT_PRINTED, KEPT_REPORT, KEPT_TRACE = 16_000, 1 << 20, 16_000
"""Bytes that are kept of what a script's process writes."""


@dataclass
class Pipes:
    """The reading ends of what a script's process writes to, by descriptor."""

    printed: int
    report: int
    trace: int


@dataclass
class Ended:
    """The end of a script's process, and what it had written."""

    code: int = 0
    """Its exit code; that of a signal is negative."""
    stopped: Stopped = ""
    """The limit for which it was killed from here; empty where it ended by itself."""
    seconds: float = 0.0
    printed: bytearray = field(default_factory=bytearray)
    """The last of it."""
    report: bytearray = field(default_factory=bytearray)
    """The first of it."""
    trace: bytearray = field(default_factory=bytearray)
    """Text of Python's fault handler: the lines that were running."""

    @property
    def crashed(self) -> bool:
        """It ended by a signal for what it did itself."""
        return not self.stopped and -self.code in FAULTS

    @property
    def killed(self) -> bool:
        """It was ended by the one signal that it cannot send itself, as the system does when memory runs out."""
        return not self.stopped and self.code == -signal.SIGKILL


def watch(pid: int, pipes: Pipes, folder: Path, *, seconds: float, memory: int, alone: bool = False) -> Ended:
    """Wait for a child to end, and end it where it breaks a limit. Nothing of it remains afterwards.

    `alone`: it cannot start processes. To look for those of a child with thousands of threads takes longer than some
    scripts may run.
    """
    ended, began = Ended(), time.monotonic()
    limits = _Limits(pid if alone else None, folder, memory, began + seconds)
    with selectors.DefaultSelector() as selector:
        for end in (pipes.printed, pipes.report, pipes.trace):
            os.set_blocking(end, False)
            selector.register(end, selectors.EVENT_READ)
        code = _exit_code(pid)
        while code is None and not ended.stopped:
            _read(selector, pipes, ended)
            ended.stopped = limits.broken()
            code = _exit_code(pid)
        ended.seconds = time.monotonic() - began
        if code is None:
            os.kill(pid, DUMP)  # it is there until we wait for it, and may say which line it is at
            deadline = time.monotonic() + DUMP_TIME
            while time.monotonic() < deadline and selector.get_map():
                if not _read(selector, pipes, ended) and ended.trace:
                    break
        ended.code = -signal.SIGKILL if code is None else code
        end_all(pid if code is None else None)
        while selector.get_map() and _read(selector, pipes, ended, wait=0.0):
            pass
    return ended


class _Limits:
    """The limits of a script, checked not more often than is needed."""

    def __init__(self, alone: int | None, folder: Path, memory: int, deadline: float) -> None:
        self._alone = alone
        self._folder, self._memory, self._deadline = folder, memory, deadline
        self._next = self._next_at_files = 0.0

    def broken(self) -> Stopped:
        """Return the limit that is broken now; empty for none."""
        now = time.monotonic()
        if now >= self._deadline:
            return "time"
        if now >= self._next:
            self._next = now + POLL_INTERVAL
            held = held_by(descendants() if self._alone is None else [self._alone])
            if held.threads > MAX_THREADS:
                return "threads"
            if held.memory > self._memory:
                return "memory"
        if now >= self._next_at_files:
            self._next_at_files = now + FILES_INTERVAL
            if held_in(self._folder, MAX_FILES) > MAX_FILES:
                return "files"
        return ""


def _read(selector: selectors.BaseSelector, pipes: Pipes, ended: Ended, wait: float = POLL_INTERVAL) -> bool:
    """Take what is there in the pipes, waiting for it; return whether there was anything."""
    if not selector.get_map():
        time.sleep(POLL_INTERVAL / 20)  # all are closed: it is about to end
        return False
    ready = selector.select(wait)
    for key, _ in ready:
        piece = os.read(key.fd, PIECE)
        if not piece:
            selector.unregister(key.fd)
        elif key.fd == pipes.printed:
            ended.printed += piece
            del ended.printed[:-KEPT_PRINTED]
        elif key.fd == pipes.report:
            ended.report += piece[: KEPT_REPORT - len(ended.report)]
        else:
            ended.trace += piece[: KEPT_TRACE - len(ended.trace)]
    return bool(ready)


def _exit_code(pid: int) -> int | None:
    """Return the exit code of a child; None while it runs."""
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None
