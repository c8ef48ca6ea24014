"""Processes: their use of memory, threads and disk, the end of all of them, and the removal of their files.

Only the standard library is needed here.
"""

from __future__ import annotations

import os
import shutil
import signal
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
HELD = ("RssAnon:", "RssShmem:", "VmSwap:")
"""Memory of a process itself; pages of program files can be dropped and are not counted."""
MAX_WALKED = 10_000
"""Processes of one tree that are visited."""
MAX_THREADS = 1024
"""Threads of a script, and of one worker with all its processes. Blender takes about one or two for each processor. The
kernel enforces it in a jail, but not for root, where only the sandbox counts."""
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
    """Yield a process and its descendants, without those that end meanwhile.

    Without a readable `/proc` that is the process alone.
    """
    waiting, count = [pid], 0
    while waiting and count < MAX_WALKED:
        each = waiting.pop()
        count += 1
        yield each
        with suppress(OSError):  # it has ended
            tasks = os.open(PROC / str(each) / "task", os.O_RDONLY)
            try:
                for thread in os.listdir(tasks):  # noqa: PTH208 - a handle: there may be thousands of threads
                    with suppress(OSError), open(f"{thread}/children", "rb", opener=_opener_in(tasks)) as file:
                        waiting.extend(map(int, file.read().split()))
            finally:
                os.close(tasks)


def _opener_in(folder: int) -> Callable[[str, int], int]:
    return lambda name, flags: os.open(name, flags, dir_fd=folder)


_FAULTS = ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT", "SIGTRAP", "SIGSYS", "SIGXCPU", "SIGXFSZ")
FAULTS = frozenset(int(each) for each in signal.Signals if each.name in _FAULTS)
"""Signals that a process causes itself; any other comes from outside."""


def signal_word(number: int) -> str:
    """Return the meaning of a signal that ended a process, `a segmentation fault`, else its name."""
    name = next((each.name for each in signal.Signals if each == number), "one without a name")
    return SIGNALS.get(name, name)


@dataclass(frozen=True)
class Held:
    """Memory and threads of processes."""

    memory: int
    """Bytes."""
    threads: int


def held_by(pids: Iterable[int]) -> Held:
    """Return the memory and threads of processes together; those that have ended have none."""
    memory = threads = 0
    for pid in pids:
        try:
            status = (PROC / str(pid) / "status").read_text("ascii", "replace")
        except OSError:
            continue
        for line in status.splitlines():
            if line.startswith(HELD):
                memory += int(line.split()[1]) << 10
            elif line.startswith("Threads:"):
                threads += int(line.split()[1])
    return Held(memory, threads)


LEAST_FILE = 4096
"""Bytes that each file counts as at least, even if it is empty."""
DEEPEST = 64
"""Levels of folders that are counted; each takes two descriptors while it is read."""


@dataclass(frozen=True)
class Usage:
    """Memory, processes and threads of a process and all its descendants."""

    memory: int
    """Bytes."""
    processes: int
    threads: int


def usage_of(pid: int, enough: int | None = None) -> Usage:
    """Return the usage of a process and its descendants; zero without `/proc`, where only its own limits apply.

    Counting stops beyond `enough` threads: to find the children of thousands of threads takes long, and more start
    meanwhile.
    """
    memory = processes = threads = 0
    for each in tree_of(pid):
        held = held_by([each])
        memory, processes, threads = memory + held.memory, processes + 1, threads + held.threads
        if enough is not None and threads > enough:
            break
    return Usage(memory, processes, threads)


def end_all(pid: int) -> None:
    """Kill a process, its group, and every descendant, also those that made a session of their own."""
    tree = list(tree_of(pid))
    end_group(pid)
    for each in tree:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(each, signal.SIGKILL)


def end_group(pid: int) -> None:
    """Kill the group of a process, also if the process itself has ended."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def kept_in(folder: Path, pid: int, enough: int, least: int = LEAST_FILE) -> int:
    """Return the bytes on disk of a folder's files, and of removed ones that a process or a descendant has open.

    Each file counts as `least` at least, and counting stops beyond `enough`. Folders that their owner must not list get
    that right back.

    Raises:
        RecursionError: folders are nested deeper than `DEEPEST`.
    """
    total = 0
    for size in _sizes(folder, pid):
        total += max(size, least)
        if total > enough:
            break
    return total


def files_in_jail(pid: int, scratch: str) -> int:
    """Return the number of files, folders and links on the file system at `scratch` in the jail of a process.

    It is 0 if the bubblewrap process has ended, or has not made its jail yet.
    """
    for each in [*tree_of(pid)][1:]:
        root = PROC / str(each) / "root"
        with suppress(OSError):  # it has ended
            if not root.samefile("/"):
                status = os.statvfs(f"{root}{scratch}")
                return status.f_files - status.f_ffree
    return 0


def empty(folder: Path) -> None:
    """Remove everything in a folder, however deep and with whatever rights; links are not followed.

    Folders within folders are first moved up, so that none lies deeper than the system can name.

    Raises:
        OSError: something cannot be removed.
    """
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        while names := os.listdir(top):  # noqa: PTH208 - a handle
            for name in names:
                if not _is_folder(name, top):
                    os.unlink(name, dir_fd=top)
                    continue
                inner = _open_folder(name, top)
                try:
                    for each in os.listdir(inner):  # noqa: PTH208 - a handle
                        if _is_folder(each, inner):
                            os.close(_open_folder(each, inner))  # moving a folder takes the right to write in it
                            unique = os.urandom(16).hex()  # a name that nobody can expect
                            os.rename(each, unique, src_dir_fd=inner, dst_dir_fd=top)
                        else:
                            os.unlink(each, dir_fd=inner)
                finally:
                    os.close(inner)
                os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)


def remove(folder: Path) -> None:
    """Remove a folder with everything in it, as far as the system allows; never raises."""
    with suppress(OSError):
        if os.open in os.supports_dir_fd:
            empty(folder)
            folder.rmdir()
        else:
            shutil.rmtree(folder, ignore_errors=True)


def signal_in_words(code: int, *, jailed: bool = False) -> str:
    """Return how a process ended: `was ended by signal 11, a segmentation fault`. Bubblewrap reports 128 + signal."""
    number = code - 128 if jailed and code > 128 else -code
    if number <= 0:
        return f"ended by itself, with exit code {code}"
    return f"was ended by signal {number}, {signal_word(number)}"


def _sizes(folder: Path, pid: int) -> Iterator[int]:
    """Yield the bytes of the files below a folder, and of the removed ones that a process tree has open."""
    with suppress(FileNotFoundError):  # removed meanwhile
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            yield from _sizes_below(top, 1)
        finally:
            os.close(top)
    for each in tree_of(pid):
        with suppress(OSError):  # it has ended, or its files cannot be listed
            for link in (PROC / str(each) / "fd").iterdir():
                with suppress(OSError):
                    if os.readlink(link).startswith(f"{folder}/") and (status := link.stat()).st_nlink == 0:  # noqa: PTH115
                        yield status.st_blocks * 512


def _sizes_below(folder: int, level: int) -> Iterator[int]:
    """Yield sizes by handles, since a script can nest and move folders until no path names them."""
    if level > DEEPEST:
        raise RecursionError(f"folders are nested more than {DEEPEST} deep")
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(FileNotFoundError, NotADirectoryError):  # removed or exchanged meanwhile
                yield entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    inner = _open_folder(entry.name, folder)
                    try:
                        yield from _sizes_below(inner, level + 1)
                    finally:
                        os.close(inner)


def _open_folder(name: str, folder: int) -> int:
    """Return a handle of the folder `name`, with its owner's rights restored; links are not followed."""
    flags = os.O_DIRECTORY | os.O_NOFOLLOW
    if not sys.platform.startswith("linux"):
        return os.open(name, os.O_RDONLY | flags, dir_fd=folder)
    handle = os.open(name, os.O_PATH | flags, dir_fd=folder)
    try:
        if os.fstat(handle).st_mode & stat.S_IRWXU != stat.S_IRWXU:
            Path(f"/proc/self/fd/{handle}").chmod(stat.S_IRWXU)
        return os.open(".", os.O_RDONLY | flags, dir_fd=handle)
    finally:
        os.close(handle)


def _is_folder(name: str, folder: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
