"""Names and places of run folders."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from redraft.errors import RunError, RunNotFoundError
from redraft.journal import EVENTS_FILE, LOCK_FILE, read_events

__all__ = ["dated", "give_back", "refuse_used", "relative", "run_folder", "slug"]


def dated(root: Path, now: datetime, instruction: str) -> Path:
    """A new folder under `root`, named by date and words. It is made at once: runs that begin in the same second, in
    this process or another, get one each.

    Raises:
        RunError: it cannot be made.
    """
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


def give_back(folder: Path) -> None:
    """Take a dated folder away again in which no run began, and the one that it is in if that is empty then. What
    holds anything stays."""
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
        RunNotFoundError: there can be no such folder.
    """
    try:
        in_a_run = path.is_file() and (path.parent / EVENTS_FILE).is_file()
        return (path.parent if in_a_run else path).resolve()
    except OSError as error:
        raise RunNotFoundError(f"{path} is not a run: {error.strerror or error}. Give the folder of a run.") from error


def refuse_used(folder: Path) -> None:
    """Raises `RunError` when a new run would write over what is in a folder.

    A journal without a whole line is nobody's: the disk was full, or the process killed, before the run began.
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
            f"{folder} already holds a run. Go on with it by `redraft resume {folder}`, or choose another --out."
        )
    if names - {EVENTS_FILE}:
        raise RunError(f"{folder} is not empty, and nothing there shall be overwritten. Choose another --out.")


def relative(path: Path, folder: Path) -> str:
    """A path as seen from a run folder, so that runs can be moved together."""
    return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
