"""Files and run folders: atomic writes, names and places of run folders, and the pictures of a run."""

from __future__ import annotations

import atexit
import glob
import hashlib
import os
import re
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path

from filelock import FileLock, Timeout

from redraft.errors import RunError, RunFormatError, RunLockedError, RunNotFoundError
from redraft.limits import PICTURE, read_file
from redraft.record.journal import EVENTS_FILE, LOCK_FILE, PICTURES, read_events
from redraft.sandbox.processes import remove

BATCH_STATE = ".batch"
"""The folder of a batch's own files, in its folder of runs."""
INDEX_FILE = "index.jsonl"
"""The list of a folder's runs, where a viewer has made one."""
TEMPORARY = "redraft-"
"""Beginning of the names of temporary folders."""
OWNED = ".redraft-lock"
"""The file in a temporary folder that its process holds locked, however that ends; it marks the folder as redraft's."""
UNFINISHED = ".redraft-tmp"
"""End of the names of files that are being written; they are locked likewise."""
LOCK_GRACE = 60.0
"""Seconds in which what was just made may not be locked yet."""


@contextmanager
def temporary(purpose: str = "") -> Generator[Path]:
    """Make a temporary folder, and remove it with everything in it. One of a process that was killed goes by `sweep`.

    Raises:
        OSError: it cannot be made.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"{TEMPORARY}{purpose}"))
    handle, owner = -1, os.getpid()
    try:
        handle = os.open(folder / OWNED, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        _lock(handle)
        yield folder
    finally:
        if handle >= 0:
            os.close(handle)
        if os.getpid() == owner:  # not one that was forked meanwhile
            remove(folder)


@contextmanager
def scratch_folder(purpose: str = "") -> Generator[Path]:
    """Make a temporary folder, after those of killed processes are removed.

    Raises:
        RunError: the disk is full or not writable.
    """
    sweep()
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(temporary(purpose))
        except OSError as error:
            raise RunError(
                f"Cannot make a temporary folder: {error.strerror or error}. Free some space, or set TMPDIR to a "
                "folder that can be written."
            ) from error
        yield folder


@cache
def lasting() -> Path:
    """Return a temporary folder of this process, which is removed when it exits. Raises `RunError`."""
    stack = ExitStack()
    folder = stack.enter_context(scratch_folder("process-"))
    atexit.register(stack.close)
    return folder


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lasting.cache_clear)


def sweep(root: Path | None = None) -> None:
    """Remove temporary folders that processes of this user left when they were killed; never raises.

    Only folders are removed that hold the mark of redraft, whose lock nobody has; links are not followed.

    Args:
        root: the folder for temporary files; the system's by default.
    """
    for folder in Path(root or tempfile.gettempdir()).glob(f"{TEMPORARY}*"):
        with suppress(OSError):  # removed meanwhile, or another user's
            if stat.S_ISDIR(folder.lstat().st_mode) and _is_abandoned(folder / OWNED):
                remove(folder)


def _is_abandoned(path: Path) -> bool:
    """Return whether a file is locked by a process of this user that has ended. Raises `OSError` if it is missing."""
    handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        status = os.fstat(handle)
        own = stat.S_ISREG(status.st_mode) and hasattr(os, "getuid") and status.st_uid == os.getuid()
        return own and time.time() - status.st_mtime > LOCK_GRACE and _lock(handle)
    finally:
        os.close(handle)


def _lock(handle: int) -> bool:
    """Lock an open file until the process ends or closes it; whether that could be done."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # another process has it, or the file system has no locks
        return False
    return True


@contextmanager
def held(folder: Path, by: str, lock: str = LOCK_FILE) -> Generator[None]:
    """Hold a folder that one process at a time may work in. `by` says what else may hold it: `batch`.

    Raises:
        RunError: it cannot be made. RunLockedError: another process holds it.
    """
    file = FileLock(folder / lock, timeout=1)
    try:
        (folder / lock).parent.mkdir(parents=True, exist_ok=True)
        file.acquire()
    except Timeout as error:
        raise RunLockedError(
            f"{folder} is in use by another {by}. Wait for it, or give another folder with --out."
        ) from error
    except OSError as error:
        raise RunError(
            f"Cannot write in {folder}: {error.strerror or error}. Give another folder with --out."
        ) from error
    try:
        yield
    finally:
        file.release()


def write_atomic(
    path: Path, data: str | bytes, *, mode: int | None = None, before: Callable[[], None] | None = None
) -> Path:
    """Write a whole file or nothing: a temporary file beside it, flushed to disk, then renamed into place. What a
    killed process left of the same file is removed.

    `mode`: its permissions; by default those of the file that is replaced, else read by all, written by the owner.
    `before` is called when all is written, right before the renaming; what it raises leaves the old file as it was.

    Raises:
        RunError: the disk is full, or the place cannot be written; the file that was there is untouched.
    """
    raw = data.encode() if isinstance(data, str) else data
    beside = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for left in path.parent.glob(f".{glob.escape(path.name)}.*{UNFINISHED}"):
            with suppress(OSError):  # another process is done with it
                if _is_abandoned(left):
                    left.unlink()
        handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", suffix=UNFINISHED, dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            _lock(handle)
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        if mode is None:
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        Path(beside).chmod(mode)
        if before:
            before()
        Path(beside).replace(path)
        beside = ""
    except OSError as error:
        raise RunError(
            f"Could not write {path} ({len(raw):,} bytes): {error.strerror or error}. What was there before is "
            "unchanged. Free some space there, or make the folder writable."
        ) from error
    finally:
        if beside:
            Path(beside).unlink(missing_ok=True)
    return path


def refuse_link_out(path: Path) -> None:
    """Raise `RunError` if a path in the current folder leads out of it by a link: the folder may be a stranger's."""
    here = Path.cwd()
    inside = Path(os.path.normpath(here / path)).is_relative_to(here)
    if inside and not (target := (here / path).resolve()).is_relative_to(here.resolve()):
        raise RunError(f"{path} leads by a link to {target}. If you want it, name that place itself.")


def dated(root: Path, now: datetime, instruction: str) -> Path:
    """A new folder under `root`, named by date and words. It is made at once: runs that begin in the same second, in
    this process or another, get one each.

    Raises:
        RunError: it cannot be made.
    """
    refuse_link_out(root)
    stem = f"{now:%Y-%m-%d-%H%M%S}-{slug(instruction)}"
    folder, number = root / stem, 2
    while True:
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            if root.exists() and not root.is_dir():
                raise RunError(f"{root} is a file; runs need a folder. Choose another `out`, or --out.") from None
            folder, number = root / f"{stem}-{number}", number + 1
        except OSError as error:
            raise RunError(
                f"Cannot make the folder {folder}: {error.strerror or error}. Choose another with --out."
            ) from error
        else:
            return folder


def remove_unused(folder: Path) -> None:
    """Remove a dated folder in which no run began, and its parent if that is empty then."""
    with suppress(OSError):
        folder.rmdir()
        folder.parent.rmdir()


def slug(text: str) -> str:
    """The first words of a text as a file name."""
    words = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return words[:40].rstrip("-") or "run"


def run_folder(path: Path) -> Path:
    """A run's folder, given as itself or as a file in it.

    Raises:
        RunNotFoundError: the system cannot read such a path.
    """
    try:
        in_a_run = path.is_file() and (path.parent / EVENTS_FILE).is_file()
        return (path.parent if in_a_run else path).resolve()
    except OSError as error:
        raise RunNotFoundError(f"{path} is not a run: {error.strerror or error}. Give the folder of a run.") from error


def refuse_used(folder: Path) -> None:
    """Raise `RunError` when a new run would write over what is in a folder.

    A journal without a whole line does not count: the disk was full, or the process killed, before the run began.
    """
    try:
        names = {path.name for path in folder.iterdir()} - {LOCK_FILE} if folder.exists() else set[str]()
        begun = EVENTS_FILE in names and bool(read_events(folder))
    except NotADirectoryError as error:
        raise RunError(f"{folder} is a file; a run needs a folder of its own. Choose another --out.") from error
    except OSError as error:
        raise RunError(f"Cannot look into {folder}: {error.strerror or error}. Choose another --out.") from error
    if begun:
        raise RunError(
            f"{folder} already holds a run. Continue it with `redraft resume {folder}`, or choose another --out."
        )
    if names - {EVENTS_FILE}:
        raise RunError(f"{folder} is not empty. Choose another --out.")


def batches_in(folder: Path) -> list[Path]:
    """Return the folders of batches right in a folder of runs, by name."""
    return sorted(state.parent for state in folder.glob(f"*/{BATCH_STATE}"))


def relative(path: Path, folder: Path) -> str:
    """A path as seen from a run folder, so that runs can be moved together."""
    return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()


def digest(content: bytes) -> str:
    """Sixteen hexadecimal digits by which a picture is named."""
    return hashlib.sha256(content).hexdigest()[:16]


@dataclass(frozen=True)
class PictureFolder:
    """Puts files into one run's picture folder, and finds those that are there or in earlier runs."""

    folder: Path
    """The run that they belong to."""
    earlier: tuple[Path, ...] = field(default=())
    """Folders of earlier runs that this one continues."""

    def put(self, content: bytes, suffix: str = ".png") -> str:
        """Keep a file under a name made from its content; the name, `pictures/….png`, relative to the run's folder."""
        return self.keep(f"{digest(content)}{suffix}", content)

    def keep(self, name: str, content: bytes) -> str:
        """Keep a file under a name, once; its path relative to the run's folder."""
        path = self.folder / PICTURES / name
        if not path.exists():
            write_atomic(path, content)
        return f"{PICTURES}/{name}"

    def get(self, name: str) -> bytes:
        """The bytes of a file that `put` kept. A file of an earlier run is copied into this one, which may outlive it.

        Raises:
            RunFormatError: it is missing.
        """
        for folder in (self.folder, *self.earlier):
            path = folder / PICTURES / Path(name).name
            if path.is_file():
                if path.is_symlink():
                    raise RunFormatError(f"{path} is a link; a run's folder has none of its own.")
                content = read_file(path, PICTURE)
                self.keep(path.name, content)
                return content
        raise RunFormatError(f"{self.folder / PICTURES / Path(name).name} is gone; the run's pictures were changed.")
