"""The board that is open in a running KiCad: read as it is there, edited as one step that one undo takes back.

KiCad 9 has an interface for this (its IPC API), which the package `kicad-python` speaks. Everything of the board is
read by the same reader as files are, so names and shapes are the same; only the moves go another way.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from redraft.errors import BoardChangedError, BoardError, InfrastructureError, MissingPartError
from redraft.studios.board.board import Board
from redraft.studios.board.kicad_file import BoardFile
from redraft.studios.board.live_pose import pose_of, put
from redraft.studios.board.model import Pose

if TYPE_CHECKING:
    from kipy import KiCad
    from kipy.board import Board as OpenBoard
    from kipy.board_types import FootprintInstance

__all__ = ["LiveBoard"]

TIMEOUT = 30.0
"""Seconds that KiCad has for one answer; a large board takes a few."""
UUID = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
SWITCH = "KiCad, Preferences, Plugins: Enable KiCad API"


@dataclass(frozen=True)
class LiveBoard:
    """One open board, as it was when this was made."""

    kicad: KiCad
    open: OpenBoard
    timeout: float

    @classmethod
    def connect(cls, socket: str | None = None, timeout: float = TIMEOUT) -> LiveBoard:
        """Reach the KiCad that is running.

        Args:
            socket: its address (`ipc:///tmp/kicad/api.sock`); where KiCad puts it, when left out.
            timeout: seconds for each answer.

        Raises:
            MissingPartError: `kicad-python` is not installed.
            BoardError: no KiCad answers, it is older than 9, has no board open, or is busy.
        """
        try:
            from kipy import KiCad
        except ImportError as error:
            raise MissingPartError(
                "The board open in KiCad needs the package kicad-python: pip install 'redraft[kicad]'"
            ) from error
        with _in_words(timeout, socket):
            kicad = KiCad(socket_path=socket, client_name="redraft", timeout_ms=round(timeout * 1000))
            version = kicad.get_version()
            if version.major < 9:
                raise BoardError(f"KiCad {version.full_version} is running; its interface came with KiCad 9.")
        with _in_words(timeout, socket, nothing_open=True):
            return cls(kicad, kicad.get_board(), timeout)

    @cached_property
    def path(self) -> Path:
        """The file that the board was opened from. What is in KiCad may be newer than that file."""
        return Path(self.open.document.project.path) / self.open.name

    @cached_property
    def board(self) -> Board:
        """The board as it was when first asked for, changes included that are not saved.

        Raises:
            BoardError: KiCad did not give it. BoardFormatError: what it gave cannot be read.
        """
        with _in_words(self.timeout):
            data = self.open.get_as_string().encode(errors="surrogateescape")
        return Board(BoardFile(self.path, data, hashlib.sha256(data).hexdigest()))

    def apply(self, poses: Mapping[int, Pose], message: str = "redraft") -> None:
        """Put footprints (by their place in `board.file.footprints`) elsewhere: all in one step, or none.

        Args:
            poses: where they shall lie, as `Board.poses` says it.
            message: what KiCad calls the step in its list of undoable ones.

        Raises:
            BoardChangedError: one of them was moved or deleted in KiCad since the board was read.
            BoardError: a part belongs to a group, or KiCad is busy.
            InfrastructureError: KiCad put a part elsewhere than asked; all was taken back.
        """
        wanted = {place: pose for place, pose in poses.items() if pose != self.board.file.footprints[place].pose}
        self._refuse_grouped(sorted(wanted))
        with _in_words(self.timeout):
            there = {footprint.id.value: footprint for footprint in self.open.get_footprints()}
            moved = [(pose, put(self._unmoved(there, place), pose)) for place, pose in sorted(wanted.items())]
            if moved:
                self._commit(moved, message)

    def _unmoved(self, there: Mapping[str, FootprintInstance], place: int) -> FootprintInstance:
        """The footprint in KiCad, which must lie where it was read."""
        known = self.board.file.footprints[place]
        found = there.get(known.uuid)
        if found is None or not _same(pose_of(found), known.pose):
            what = "is no longer on the board" if found is None else "has been moved"
            raise BoardChangedError(
                f"{known.reference} {what} in KiCad since the board was read; nothing was changed. Read it again."
            )
        return found

    def _refuse_grouped(self, places: Iterable[int]) -> None:
        """An edited member leaves its group in KiCad 9, which then dissolves it, and undo does not bring it back."""
        file = self.board.file
        groups = [file.data[file.index.start[i] : file.index.end[i]] for i in file.sections.get(b"group", ())]
        grouped = {uuid.decode() for text in groups for uuid in UUID.findall(text)}
        names = [file.footprints[place].reference for place in places if file.footprints[place].uuid in grouped]
        if names:
            raise BoardError(
                f"{', '.join(names)}: part of a group, which KiCad 9 would dissolve if they were moved through its "
                "interface; nothing was changed. Ungroup them in KiCad first, or work on the saved file."
            )

    def _commit(self, moved: list[tuple[Pose, FootprintInstance]], message: str) -> None:
        commit = self.open.begin_commit()
        pushed = False
        try:
            self.open.update_items([footprint for _, footprint in moved])
            self.open.push_commit(commit, message)
            pushed = True
        finally:
            if not pushed:
                self.open.drop_commit(commit)
        now = {footprint.id.value: pose_of(footprint) for footprint in self.open.get_footprints()}
        wrong = [f for pose, f in moved if not _same(now.get(f.id.value, pose), pose)]
        if wrong:
            self.kicad.run_action("common.Interactive.undo")
            names = ", ".join(footprint.reference_field.text.value for footprint in wrong)
            raise InfrastructureError(f"KiCad put {names} elsewhere than asked; the whole step was taken back.")


def _same(a: Pose, b: Pose) -> bool:
    turn = abs(a.angle - b.angle) % 360.0
    return (a.x, a.y, a.side) == (b.x, b.y, b.side) and min(turn, 360.0 - turn) < 1e-6


@contextmanager
def _in_words(timeout: float, socket: str | None = None, *, nothing_open: bool = False) -> Generator[None]:
    """The package's errors as redraft's."""
    from kipy.errors import ApiError
    from kipy.errors import ConnectionError as Unreachable
    from kipy.proto.common import ApiStatusCode

    try:
        yield
    except Unreachable as error:
        if "imed out" in str(error):
            raise BoardError(
                f"KiCad did not answer within {timeout:g} s. A dialog may be open in it: close that and try again."
            ) from error
        raise BoardError(
            f"No KiCad answers{f' at {socket}' if socket else ''} ({error}). Start KiCad 9, open the board in its "
            f"board editor, and switch its interface on: {SWITCH}."
        ) from error
    except ApiError as error:
        if error.code in {ApiStatusCode.AS_BUSY, ApiStatusCode.AS_NOT_READY}:
            raise BoardError(
                f"KiCad is busy ({error}). Finish or cancel what it is doing, close its dialogs, and try again."
            ) from error
        if nothing_open:
            raise BoardError(f"No board is open in KiCad ({error}). Open it in the board editor.") from error
        raise BoardError(f"KiCad refused: {error}. Nothing was changed.") from error
