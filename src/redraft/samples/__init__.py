"""Files to try redraft with, by the names that the documentation uses: a board, a picture, a taste and briefs."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from redraft.errors import RunError
from redraft.files import write_atomic
from redraft.limits import PICTURE, read_file

__all__ = ["write_samples"]


def write_samples(folder: Path) -> list[Path]:
    """Write all samples into a folder; those that are there already, and the same, stay.

    Raises:
        RunError: a file of such a name is another one, or the folder cannot be written; nothing was written then.
    """
    samples = {folder / each.name: each.read_bytes() for each in files(__name__).iterdir() if _is_sample(each.name)}
    try:
        other = [path for path, content in samples.items() if path.exists() and read_file(path, PICTURE) != content]
        if other:
            raise RunError(f"{other[0]} is a file of your own; it is not overwritten. Choose another folder.")
        folder.mkdir(parents=True, exist_ok=True)
        for path, content in samples.items():
            write_atomic(path, content)
    except OSError as error:
        raise RunError(f"Cannot write into {folder}: {error.strerror or error}. Choose another folder.") from error
    return sorted(samples)


def _is_sample(name: str) -> bool:
    return not name.startswith("_") and not name.endswith(".py")
