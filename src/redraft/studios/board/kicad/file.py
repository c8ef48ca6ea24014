"""A `.kicad_pcb` of KiCad 4 to 9, and later ones: read by an index, rewritten span by span, saved whole or not at all.

Project and rules beside a board (`.kicad_pro`, `.kicad_dru`) are copied beside the saved one, never over others."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, overload

from redraft.errors import BoardChangedError, BoardError, BoardFormatError, RunError
from redraft.files import write_atomic
from redraft.limits import BOARD, PROJECT, read_file
from redraft.studios.board.kicad.footprints import footprint_at
from redraft.studios.board.kicad.model import Footprint, Pose
from redraft.studios.board.kicad.move import rewritten
from redraft.studios.board.kicad.sexpr import Index, text_of, tree

_WRONG_KINDS = {
    b"\x1f\x8b": "is compressed (gzip): unpack it first, with `gunzip --keep`",
    b"PK\x03\x04": "is a ZIP archive: unpack it first",
    b"\x89PNG": "is not a KiCad board: it is a PNG picture",
    b"\xff\xd8": "is not a KiCad board: it is a JPEG picture",
    b"%PDF": "is not a KiCad board: it is a PDF document",
    b"PCBNEW-BOARD": "is a board of KiCad 3 or older: open it in KiCad and save it in today's format",
    b"(kicad_sch": "is a schematic: the board lies beside it and ends in .kicad_pcb",
    b"(kicad_wks": "is a drawing sheet, not a board",
    b"(footprint": "is a footprint of a library, not a board",
    b"(module": "is a footprint of a library, not a board",
    b"{": "is not a board, perhaps a project: the board is beside it and ends in .kicad_pcb",
}


NEWEST = 20250000
"""Formats of KiCad 9 are older; KiCad 10 begins after it."""


@dataclass(frozen=True)
class BoardFile:
    """The bytes of a board, and what lies where in them. `path` is where it was read from."""

    path: Path
    data: bytes
    digest: str
    """SHA-256 of the bytes, hexadecimal."""

    @classmethod
    def read(cls, path: Path) -> BoardFile:
        """Read a board.

        Raises:
            BoardError: it cannot be read. BoardFormatError: it is not a board, or it is damaged.
        """
        data = _bytes_of(path)
        _check_kind(path, data)
        file = cls(path, data, hashlib.sha256(data).hexdigest())
        if file.index.head(0) != b"kicad_pcb":
            raise BoardFormatError(f"{path} is not a KiCad board: it begins with {_beginning(data)}, not (kicad_pcb")
        return file

    @cached_property
    def index(self) -> Index:
        return Index.of(self.data, str(self.path))

    @cached_property
    def version(self) -> int:
        """Of the format: 20241229 for KiCad 9, 4 for KiCad 4. Raises `BoardFormatError` where the file states none."""
        stated = [self.index.atoms(i) for i in self.sections.get(b"version", ())]
        if not stated or len(stated[0]) < 2 or not re.fullmatch(rb"\d{1,12}", stated[0][1]):
            raise BoardFormatError(f"{self.path} does not state the version of its format, such as (version 20241229)")
        return int(stated[0][1])

    @property
    def newer(self) -> str:
        """A sentence where the format is newer than KiCad 9's, which is the newest that is known; else empty."""
        if b"version" not in self.sections or self.version <= NEWEST:
            return ""
        return (
            f"{self.path.name} is in a format newer than that of KiCad 9 ({self.version}, known to {NEWEST}): "
            "what is new in it was not looked at. Open the result in that KiCad before you rely on it"
        )

    @cached_property
    def sections(self) -> Mapping[bytes, Sequence[int]]:
        """The top-level lists by head: `footprint` (KiCad 5's `module` too), `segment`, `zone`, `gr_line` …"""
        heads: dict[bytes, list[int]] = {}
        for i in self.index.children(0):
            head = self.index.head(i)
            heads.setdefault(b"footprint" if head == b"module" else head, []).append(i)
        return heads

    @cached_property
    def footprints(self) -> Sequence[Footprint]:
        """All footprints in the file's order, each parsed when first used: then `BoardFormatError` is possible."""
        return _Footprints(self)

    @cached_property
    def renamed_copper(self) -> tuple[tuple[str, str], ...]:
        """The board's own names of the outer copper layers with the standard ones: KiCad 4 and 5 wrote the user's."""
        lists = [row for i in self.sections.get(b"layers", ()) for row in tree(self.index.text(i))]
        rows = [[word for word in row if isinstance(word, bytes)] for row in lists if isinstance(row, list)]
        copper = [text_of(row[1]) for row in rows if len(row) > 2 and row[2] in _COPPER]
        standard = ("F.Cu", "B.Cu")
        if len(copper) < 2 or set(standard) <= set(copper):  # KiCad 9 also calls layers of the user's `signal`
            return ()
        return tuple(zip((copper[0], copper[-1]), standard, strict=True))

    def rewritten(self, poses: Mapping[int, Pose], ripped: Collection[int] = ()) -> bytes:
        """The file with some footprints (by their place in `footprints`) elsewhere, all else byte for byte the same.

        `ripped` are tracks to leave out, counted through the file's segments, then its arcs, then its vias.
        """
        return rewritten(self, poses, ripped)

    def save(
        self,
        poses: Mapping[int, Pose],
        out: Path | None = None,
        *,
        in_place: bool = False,
        ripped: Collection[int] = (),
    ) -> Path:
        """Write atomically, to `out` or in place (the file as it was is kept beside it as `.bak`).

        Raises:
            BoardChangedError: the file on disk is not the one that was read. BoardError: it cannot be written.
        """
        return save(self, poses, out, in_place, ripped)


_COPPER = {b"signal", b"power", b"mixed", b"jumper"}


class _Footprints(Sequence[Footprint]):
    """Parsed one by one, when asked for, and kept."""

    def __init__(self, file: BoardFile) -> None:
        self._file = file
        self._lists = tuple(file.sections.get(b"footprint", ()))
        self._parsed: dict[int, Footprint] = {}

    def __len__(self) -> int:
        return len(self._lists)

    @overload
    def __getitem__(self, place: int) -> Footprint: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Footprint]: ...
    def __getitem__(self, place: int | slice) -> Footprint | Sequence[Footprint]:
        if isinstance(place, slice):
            return tuple(self[i] for i in range(*place.indices(len(self))))
        i = self._lists[place]
        if i not in self._parsed:
            self._parsed[i] = footprint_at(self._file.index, i, str(self._file.path), self._file.renamed_copper)
        return self._parsed[i]


def _bytes_of(path: Path) -> bytes:
    try:
        return read_file(path, BOARD)
    except FileNotFoundError:
        raise BoardError(f"There is no file {path}; boards end in .kicad_pcb") from None
    except IsADirectoryError:
        raise BoardError(
            f"{path} is a folder; name the board in it, which ends in .kicad_pcb{_boards_in(path)}"
        ) from None
    except PermissionError:
        raise BoardError(f"{path} cannot be read: permission denied") from None
    except OSError as wrong:
        raise BoardError(f"{path} cannot be read: {wrong.strerror or wrong}") from None


def _boards_in(folder: Path) -> str:
    names = sorted(path.name for path in folder.glob("*.kicad_pcb"))[:5]
    return f": {', '.join(names)}" if names else ""


def _check_kind(path: Path, data: bytes) -> None:
    """A message of its own for files that are often taken for a board."""
    start = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        raise BoardFormatError(f"{path} is empty")
    for beginning, words in _WRONG_KINDS.items():
        if start.startswith(beginning):
            raise BoardFormatError(f"{path} {words}")
    if b"\0" in start:
        raise BoardFormatError(f"{path} is not a KiCad board: it is not text. Boards are text and end in .kicad_pcb")
    if not start.startswith(b"("):
        raise BoardFormatError(f"{path} is not a KiCad board: it begins with {_beginning(data)}, not (kicad_pcb")


def _beginning(data: bytes) -> str:
    return repr(data[:40].decode("utf-8", "replace"))


def save(
    file: BoardFile,
    poses: Mapping[int, Pose],
    out: Path | None = None,
    in_place: bool = False,
    ripped: Collection[int] = (),
) -> Path:
    """Write a board with some footprints elsewhere, to `out`, or over itself where `in_place` says so.

    In place, the file as it was stays beside it as `.kicad_pcb.bak`, in place of an earlier one; with nothing changed
    the file is left alone. Links are followed. Returns the path that was written.

    Raises:
        BoardChangedError: the file on disk is not the one that was read.
        BoardError: it cannot be written there, KiCad has it open, or it is not said where to.
    """
    target = _target(file.path, out, in_place=in_place)
    _check_unchanged(file, own=in_place)
    data = file.rewritten(poses, ripped) if poses else file.data
    if in_place and data == file.data:
        return target
    check_lock(target)
    try:
        _write(file, data, target, own=in_place)
    except RunError as error:
        raise BoardError(str(error)) from error
    _check_written(target, data)
    _take_project(file.path, target)
    return target


def project_files(board: Path) -> list[Path]:
    """The project and the custom rules beside a board, those that there are."""
    return [path for suffix in (".kicad_pro", ".kicad_dru") if (path := board.with_suffix(suffix)).is_file()]


def _take_project(source: Path, target: Path) -> None:
    """Copy the project and its custom rules beside a board in another place, never over existing ones."""
    for mine in project_files(source):
        theirs = target.with_suffix(mine.suffix)
        if not theirs.exists():
            try:
                write_atomic(theirs, read_file(mine, PROJECT))
            except (OSError, RunError) as error:
                raise BoardError(
                    f"{target} was written, but not the project that KiCad takes its rules from: {mine} could not be "
                    f"copied to {theirs} ({error}). Copy it by hand."
                ) from error


def _write(file: BoardFile, data: bytes, target: Path, *, own: bool) -> None:
    mode = file.path.stat().st_mode & 0o777 if file.path.exists() else 0o644
    if own:
        write_atomic(target.with_name(target.name + ".bak"), file.data, mode=mode)
    new = None if target.exists() else mode | 0o200  # a copy of what may only be read may be worked on
    write_atomic(target, data, mode=new, before=lambda: _check_unchanged(file, own=own))


def _target(source: Path, out: Path | None, *, in_place: bool) -> Path:
    """The real path to write to, checked as far as it can be without writing."""
    if out is None and not in_place:
        raise BoardError(f"No output file for {source}: name another file (-o), or give --in-place")
    same = out is None or _same(out, source)
    if out is not None and in_place and not same:
        raise BoardError(
            f"{out} is another file than {source}: give either a file to write (-o) or --in-place, not both"
        )
    if same and not in_place:
        raise BoardError(f"{out} is the board {source} itself: name another file, or give --in-place (a .bak is kept)")
    target = (source if out is None or same else out).resolve()
    if target.is_dir():
        raise BoardError(f"{target} is a folder: name the file to write in it, such as {target / source.name}")
    if not target.parent.is_dir():
        raise BoardError(f"The folder {target.parent} does not exist: create it first")
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
        found = hashlib.sha256(read_file(file.path, BOARD)).hexdigest()
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
        with lock.open(errors="replace") as file:
            found: Any = json.loads(file.read(4096))
        return f" (user {found['username']} on {found['hostname']})"
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _check_written(target: Path, data: bytes) -> None:
    try:
        found = read_file(target, BOARD)
    except OSError as error:
        raise BoardError(f"{target} was written but cannot be read back: {error.strerror or error}") from error
    if hashlib.sha256(found).digest() != hashlib.sha256(data).digest():
        raise BoardError(
            f"{target} does not hold what was written: {len(found):,} bytes of {len(data):,}, or others. Another "
            "program wrote to it just now, or the disk is failing."
        )
