"""Writing files so that no reader ever sees half of one, and a full disk is said in words."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from redraft.errors import RunError

__all__ = ["write_atomic"]


def write_atomic(
    path: Path, data: str | bytes, *, mode: int | None = None, before: Callable[[], None] | None = None
) -> Path:
    """Write a whole file or nothing: a temporary file beside it, flushed to disk, then renamed into place.

    `mode`: its permissions; by default those of the file that is replaced, else read by all, written by the owner.
    `before` is called when all is written, right before the renaming; what it raises leaves the old file as it was.

    Raises:
        RunError: the disk is full, or the place cannot be written; the file that was there is untouched.
    """
    raw = data.encode() if isinstance(data, str) else data
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(_mode_of(path) if mode is None else mode)
        if before:
            before()
        Path(temporary).replace(path)
        temporary = ""
    except OSError as error:
        raise RunError(
            f"Could not write {path} ({len(raw):,} bytes): {error.strerror or error}. What was there before is "
            "unchanged. Free some space there, or make the folder writable."
        ) from error
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
    return path


def _mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777 if path.exists() else 0o644
