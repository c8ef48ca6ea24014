"""A changed board onto the disk: whole or not at all, and never over something that was not read.

Project and rules beside a board (`.kicad_pro`, `.kicad_dru`) are not copied along when it is written to another folder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redraft.errors import BoardChangedError, BoardError, RunError
from redraft.files import write_atomic
from redraft.studios.board.model import Pose

if TYPE_CHECKING:
    from redraft.studios.board.kicad_file import BoardFile

__all__ = ["check_lock", "save"]


def save(file: BoardFile, poses: Mapping[int, Pose], out: Path | None = None, in_place: bool = False) -> Path:
    """Write a board with some footprints elsewhere, to `out`, or over itself where `in_place` says so.

    In place, the file as it was stays beside it as `.kicad_pcb.bak`, in place of an earlier one; with nothing changed
    the file is left alone. Links are followed. Returns the path that was written.

    Raises:
        BoardChangedError: the file on disk is not the one that was read.
        BoardError: it cannot be written there, KiCad has it open, or it is not said where to.
    """
    target = _target(file.path, out, in_place=in_place)
    _check_unchanged(file, own=in_place)
    data = file.rewritten(poses) if poses else file.data
    if in_place and data == file.data:
        return target
    check_lock(target)
    try:
        _write(file, data, target, own=in_place)
    except RunError as error:
        raise BoardError(str(error)) from error
    _check_written(target, data)
    return target


def _write(file: BoardFile, data: bytes, target: Path, *, own: bool) -> None:
    mode = file.path.stat().st_mode & 0o777 if file.path.exists() else 0o644
    if own:
        write_atomic(target.with_name(target.name + ".bak"), file.data, mode=mode)
    new = None if target.exists() else mode | 0o200  # a copy of what may only be read may be worked on
    write_atomic(target, data, mode=new, before=lambda: _check_unchanged(file, own=own))


def _target(source: Path, out: Path | None, *, in_place: bool) -> Path:
    """The real path to write to, checked as far as it can be without writing."""
    if out is None and not in_place:
        raise BoardError(f"It is not said where to write {source}: name another file (-o), or say --in-place")
    same = out is None or _same(out, source)
    if out is not None and in_place and not same:
        raise BoardError(
            f"{out} is another file than {source}: give either a file to write (-o) or --in-place, not both"
        )
    if same and not in_place:
        raise BoardError(f"{out} is the board {source} itself: name another file, or say --in-place (a .bak is kept)")
    target = (source if out is None or same else out).resolve()
    if target.is_dir():
        raise BoardError(f"{target} is a folder: name the file to write in it, such as {target / source.name}")
    if not target.parent.is_dir():
        raise BoardError(f"There is no folder {target.parent} to write {target.name} in: make it first")
    return target


def _same(one: Path, other: Path) -> bool:
    """The same file, by whatever name or link."""
    try:
        return one.samefile(other)
    except FileNotFoundError:
        return one.resolve() == other.resolve()
    except OSError as error:
        raise BoardError(f"Could not look at {one}: {error.strerror or error}") from error


def _check_unchanged(file: BoardFile, *, own: bool) -> None:
    """A board that is gone may still be written elsewhere: what was read is then all that is left of it."""
    try:
        found = hashlib.sha256(file.path.read_bytes()).hexdigest()
    except FileNotFoundError:
        if own:
            raise BoardChangedError(
                f"{file.path} is gone since it was read, so nothing is written over it. Write to another file (-o)."
            ) from None
        return
    except OSError as error:
        raise BoardError(f"Could not read {file.path} again before writing: {error.strerror or error}") from error
    if found != file.digest:
        raise BoardChangedError(
            f"{file.path} was changed on disk since it was read (SHA-256 {found[:12]}…, read {file.digest[:12]}…), by "
            "KiCad or another program. Nothing was written. Open it again and repeat the changes on the new file."
        )


def check_lock(target: Path) -> None:
    """Refuse a file that is open in KiCad. Raises `BoardError`."""
    lock = target.with_name(f"~{target.name}.lck")
    if lock.exists() and target.exists():
        raise BoardError(
            f"{target} is open in KiCad{_holder(lock)}, which would not see the change and write over it. Save and "
            f"close it there, or write to another file (-o). If no KiCad is running, {lock} is left over: delete it."
        )


def _holder(lock: Path) -> str:
    """Who holds a lock, as KiCad writes it down; nothing where that cannot be read."""
    try:
        found: Any = json.loads(lock.read_text(errors="replace"))
        return f" (user {found['username']} on {found['hostname']})"
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _check_written(target: Path, data: bytes) -> None:
    try:
        found = target.read_bytes()
    except OSError as error:
        raise BoardError(f"{target} was written and cannot be read again: {error.strerror or error}") from error
    if hashlib.sha256(found).digest() != hashlib.sha256(data).digest():
        raise BoardError(
            f"{target} does not hold what was written: {len(found):,} bytes of {len(data):,}, or others. Another "
            "program wrote to it just now, or the disk is failing."
        )
