"""A `.kicad_pcb` file of KiCad 4 or later: how a board is read, moved and saved. Start here.

**Read.** `BoardFile.read` keeps the bytes of the file as they are. `sexpr.Index` notes where each list, `(…)`, begins
and ends, and `sections` sorts the outermost lists by their first word. Nothing else is parsed until it is used:
footprints with their pads (`footprints.py`, `pads.py`), the outline (`outline.py`), zones (`zones.py`), tracks
(`tracks.py`) and the design rules (`project.py`). Curves and rings become points in `graphics.py` and `rings.py`.

**Move.** A change is a new `Pose` for a footprint, named by its place in `footprints`. `move.py` turns it into new text
for single spans of the file, a coordinate here and an angle there; `spans.SpanEdits` collects them and puts the file
together again. What no span covers stays byte for byte: comments, layout of the text, fields of later versions.

**Save.** `BoardFile.save` writes the new bytes whole or not at all. It refuses when the file on disk is not the one
that was read, or is open in KiCad; it keeps what it replaces as `.bak`, reads back what it wrote, and copies the
project (`.kicad_pro`) and the custom rules (`.kicad_dru`) beside a board in a new place.

`model.py` has the types that the rest of redraft sees; `cli.py` runs KiCad's own design rule check on a copy.
"""

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
"""Files that are often taken for a board, by their first bytes."""

MAX_VERSION = 20250000
"""Formats are dated: those of KiCad 9 are older than this, and KiCad 10 begins after it."""

_COPPER_KINDS = {b"signal", b"power", b"mixed", b"jumper"}
"""The words by which a board's table of layers marks copper."""


@dataclass(frozen=True)
class BoardFile:
    """The bytes of a board and an index of the lists in them. `path` is where it was read from."""

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
        try:
            data = read_file(path, BOARD)
        except FileNotFoundError:
            raise BoardError(f"There is no file {path}; boards end in .kicad_pcb") from None
        except IsADirectoryError:
            names = ", ".join(sorted(board.name for board in path.glob("*.kicad_pcb"))[:5])
            raise BoardError(
                f"{path} is a folder; name the board in it, which ends in .kicad_pcb{f': {names}' if names else ''}"
            ) from None
        except PermissionError:
            raise BoardError(f"{path} cannot be read: permission denied") from None
        except OSError as error:
            raise BoardError(f"{path} cannot be read: {error.strerror or error}") from None

        _refuse_other_kinds(path, data)
        file = cls(path, data, hashlib.sha256(data).hexdigest())
        if file.index.head(0) != b"kicad_pcb":
            raise BoardFormatError(f"{path} is not a KiCad board: it begins with {_beginning(data)}, not (kicad_pcb")
        return file

    @cached_property
    def index(self) -> Index:
        return Index.of(self.data, str(self.path))

    @cached_property
    def version(self) -> int:
        """The date of the format, 20241229 for KiCad 9 (KiCad 4 wrote 4). Raises `BoardFormatError` without one."""
        rows = [self.index.atoms(i) for i in self.sections.get(b"version", ())]
        if not rows or len(rows[0]) < 2 or not re.fullmatch(rb"\d{1,12}", rows[0][1]):
            raise BoardFormatError(f"{self.path} does not state the version of its format, such as (version 20241229)")
        return int(rows[0][1])

    @property
    def newer(self) -> str:
        """A warning where the format is newer than KiCad 9's, the newest that was tested; else empty."""
        if b"version" not in self.sections or self.version <= MAX_VERSION:
            return ""
        return (
            f"{self.path.name} is in a format newer than that of KiCad 9 ({self.version}, known to {MAX_VERSION}): "
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
        copper = [text_of(row[1]) for row in rows if len(row) > 2 and row[2] in _COPPER_KINDS]
        standard = ("F.Cu", "B.Cu")
        if len(copper) < 2 or set(standard) <= set(copper):  # KiCad 9 also calls layers of the user's `signal`
            return ()
        return tuple(zip((copper[0], copper[-1]), standard, strict=True))

    def rewritten(self, poses: Mapping[int, Pose], ripped: Collection[int] = ()) -> bytes:
        """Return the file with some footprints (by their place in `footprints`) elsewhere, all else byte for byte.

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
        """Write the board with some footprints elsewhere, to `out`, or over itself where `in_place` says so.

        In place, the file as it was stays beside it as `.kicad_pcb.bak` and replaces an earlier one; with nothing
        changed the file is left alone. Links are followed. Returns the path that was written.

        Raises:
            BoardChangedError: the file on disk is not the one that was read.
            BoardError: it cannot be written there, KiCad has it open, or no place to write was named.
        """
        target = _resolve_target(self.path, out, in_place=in_place)
        _check_unchanged(self, in_place=in_place)
        data = self.rewritten(poses, ripped) if poses else self.data
        if in_place and data == self.data:
            return target
        check_lock(target)

        try:
            mode = self.path.stat().st_mode & 0o777 if self.path.exists() else 0o644
            if in_place:
                write_atomic(target.with_name(target.name + ".bak"), self.data, mode=mode)
            # A copy of a read-only board may be worked on. The last look at the original comes right before the rename.
            new_mode = None if target.exists() else mode | 0o200
            write_atomic(target, data, mode=new_mode, before=lambda: _check_unchanged(self, in_place=in_place))
        except RunError as error:
            raise BoardError(str(error)) from error

        try:
            written = read_file(target, BOARD)
        except OSError as error:
            raise BoardError(f"{target} was written but cannot be read back: {error.strerror or error}") from error
        if written != data:
            raise BoardError(
                f"{target} does not hold what was written: {len(written):,} bytes of {len(data):,}, or others. Another "
                "program wrote to it just now, or the disk is failing."
            )
        _copy_project(self.path, target)
        return target


class _Footprints(Sequence[Footprint]):
    """Footprints that are parsed one by one, when first used, and kept."""

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


def _refuse_other_kinds(path: Path, data: bytes) -> None:
    """Raise `BoardFormatError` for a file that is not a board, naming what it is where its first bytes show that."""
    start = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        raise BoardFormatError(f"{path} is empty")
    for beginning, message in _WRONG_KINDS.items():
        if start.startswith(beginning):
            raise BoardFormatError(f"{path} {message}")
    if b"\0" in start:
        raise BoardFormatError(f"{path} is not a KiCad board: it is not text. Boards are text and end in .kicad_pcb")
    if not start.startswith(b"("):
        raise BoardFormatError(f"{path} is not a KiCad board: it begins with {_beginning(data)}, not (kicad_pcb")


def _beginning(data: bytes) -> str:
    return repr(data[:40].decode("utf-8", "replace"))


def project_files(board: Path) -> list[Path]:
    """Return the project and the custom rules beside a board, as far as they exist."""
    return [path for suffix in (".kicad_pro", ".kicad_dru") if (path := board.with_suffix(suffix)).is_file()]


def _copy_project(source: Path, target: Path) -> None:
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


def _resolve_target(source: Path, out: Path | None, *, in_place: bool) -> Path:
    """Return the real path to write to, checked as far as it can be without writing."""
    if out is None and not in_place:
        raise BoardError(f"No output file for {source}: name another file (-o), or give --in-place")

    # Two names or links may be the same file.
    try:
        same = out is None or out.samefile(source)
    except FileNotFoundError:
        same = out is not None and out.resolve() == source.resolve()
    except OSError as error:
        raise BoardError(f"Could not look at {out}: {error.strerror or error}") from error

    if in_place and not same:
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


def _check_unchanged(file: BoardFile, *, in_place: bool) -> None:
    """Raise `BoardChangedError` where the file on disk is not the one that was read.

    A board that is gone may still be written elsewhere: what was read is then all that is left of it.
    """
    try:
        digest = hashlib.sha256(read_file(file.path, BOARD)).hexdigest()
    except FileNotFoundError:
        if in_place:
            raise BoardChangedError(
                f"{file.path} is gone since it was read, so nothing is written over it. Write to another file (-o)."
            ) from None
        return
    except OSError as error:
        raise BoardError(f"Could not read {file.path} again before writing: {error.strerror or error}") from error
    if digest != file.digest:
        raise BoardChangedError(
            f"{file.path} was changed on disk since it was read (SHA-256 {digest[:12]}…, read {file.digest[:12]}…), by "
            "KiCad or another program. Nothing was written. Open it again and repeat the changes on the new file."
        )


def check_lock(target: Path) -> None:
    """Refuse a file that is open in KiCad. Raises `BoardError`."""
    lock = target.with_name(f"~{target.name}.lck")
    if not (lock.exists() and target.exists()):
        return

    # KiCad writes down who holds the lock; without that the message names nobody.
    holder = ""
    try:
        with lock.open(errors="replace") as file:
            owner: Any = json.loads(file.read(4096))
        holder = f" (user {owner['username']} on {owner['hostname']})"
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise BoardError(
        f"{target} is open in KiCad{holder}, which would not see the change and write over it. Save and "
        f"close it there, or write to another file (-o). If no KiCad is running, {lock} is left over: delete it."
    )
