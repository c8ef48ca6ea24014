"""The one folder that scripts may write to: found, measured, and emptied of whatever a script left there."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["held_in", "scratch", "sweep"]

MANY_FILES = 2_000


def scratch() -> Path:
    """The folder of this process. All that is in it goes with the next script, so it must be nobody else's.

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


def sweep(folder: Path) -> None:
    """Remove everything in a folder, however deep, and whatever rights it has; links are not followed.

    Folders in folders are first moved up, so that no path grows longer than the system takes.
    """
    waiting = [path.name for path in folder.iterdir()]
    moved = 0
    while waiting:
        path = folder / waiting.pop()
        if not path.is_dir() or path.is_symlink():
            path.unlink()
            continue
        path.chmod(0o700)
        for inner in list(path.iterdir()):
            if not inner.is_dir() or inner.is_symlink():
                inner.unlink()
                continue
            moved += 1
            name = _free_name(folder, moved)
            inner.chmod(0o700)
            inner.rename(folder / name)
            waiting.append(name)
        path.rmdir()


def held_in(folder: Path, most: int) -> int:
    """Bytes of the files in a folder; more than `most` where there are too many to count."""
    waiting, total, seen = [str(folder)], 0, 0
    while waiting and total <= most:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    seen += 1
                    if seen > MANY_FILES:
                        return most + 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
        except OSError:  # it was removed just now, or is deeper than a path can say
            continue
    return total


def _free_name(folder: Path, number: int) -> str:
    name = f"swept-{number}"
    while os.path.lexists(folder / name):
        name += "-"
    return name
