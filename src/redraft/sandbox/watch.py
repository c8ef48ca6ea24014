"""What a worker and everything it started hold and are, read from `/proc`; and ending all of it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from redraft.confinement.processes import PROC, held_by, signal_word, tree_of

__all__ = ["Usage", "end_all", "end_group", "kept_in", "signal_in_words", "usage_of"]

LEAST_FILE = 4096
"""Bytes that a file takes at least, were it empty."""


@dataclass(frozen=True)
class Usage:
    """Of a process and all its descendants."""

    memory: int
    """Bytes."""
    processes: int


def usage_of(pid: int) -> Usage:
    """What a process and its descendants hold. Nothing where there is no `/proc`: then only its own limits hold it."""
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
    """How a process ended: `was ended by signal 11, a segmentation fault`. A jail reports a signal as 128 + number."""
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
