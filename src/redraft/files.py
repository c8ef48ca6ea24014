"""Writing files so that no reader ever sees half of one, and a full disk is said in words."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from redraft.errors import RunError

__all__ = ["write_atomic"]


def write_atomic(path: Path, data: str | bytes) -> Path:
    """Write a whole file or nothing: a temporary file beside it, flushed to disk, then renamed into place.

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
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise RunError(
            f"Could not write {path} ({len(raw):,} bytes): {error.strerror or error}. What was there before is "
            "unchanged. Free some space there, or make the folder writable."
        ) from error
    return path
