"""The artefact: a board file by its digest, and what lies elsewhere than in that file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from redraft.errors import BoardChangedError
from redraft.result import Result
from redraft.spatial.layout import Layout
from redraft.studios.board.board import Board
from redraft.studios.board.model import MM, Pose
from redraft.studios.board.spec import Carried, Waived

__all__ = ["Placement", "board_of", "keep", "layout_of", "opened", "placement_of", "unmoved"]

SHOWN = 80
"""Parts and steps that a source text names; of more, the last ones."""


class Placement(BaseModel):
    """A board with changes on top. Small, whatever the board's size, so that the journal can keep it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: Path
    digest: str
    """SHA-256 of the file's bytes: with other bytes this is another board."""
    poses: dict[str, Pose] = Field(default_factory=dict[str, Pose])
    """Where the moved parts lie, by name."""
    locked: dict[str, bool] = Field(default_factory=dict[str, bool])
    """Locks set or taken off in this run; the file's own are not repeated."""
    steps: tuple[str, ...] = ()
    """What was done since the file was read, in words."""
    stated: tuple[Carried, ...] = ()
    """The actions of this run, with the words of the brief that they carry out."""
    waived: tuple[Waived, ...] = ()
    """Words of the brief that no action carries out."""
    agreed: tuple[Carried, ...] = ()
    """The actions of earlier runs that this one goes on from."""

    @property
    def source(self) -> str:
        """What a model sees again: the moved parts with their places, and the steps that led there."""
        if not self.poses and not self.steps:
            return "Nothing was moved yet."
        places = [_place(name, pose) for name, pose in sorted(self.poses.items())]
        return "\n".join(["Moved since the board was read:", *_last(places), "By these steps:", *_last([*self.steps])])


def _place(name: str, pose: Pose) -> str:
    turned = f", turned {pose.angle:g}°" if pose.angle else ""
    return f"- {name}: at ({pose.x / MM:g}, {pose.y / MM:g}){turned}, {pose.side}"


def _last(lines: list[str]) -> list[str]:
    left = len(lines) - SHOWN
    return lines if left <= 0 else [f"- (and {left} before)", *lines[-SHOWN:]]


_boards: dict[tuple[object, ...], Board] = {}
"""The boards used last: a large one takes a second to read, and a run asks for it at every step."""

KEPT = 6


def opened(path: Path) -> Placement:
    """A board as it is on disk. Raises `BoardError`."""
    board = Board.read(path.resolve())
    placement = Placement(file=board.file.path, digest=board.file.digest)
    keep(placement, board)
    return placement


def placement_of(result: Result) -> Placement:
    """What a run that delivered something made."""
    return Placement.model_validate_json(result.files["json"].read_bytes())


def keep(placement: Placement, board: Board) -> None:
    """Have the board of a placement at hand when it is asked for next."""
    _boards[_key(placement)] = board
    while len(_boards) > KEPT:
        del _boards[next(iter(_boards))]


def unmoved(placement: Placement) -> Placement:
    """The board as its file has it."""
    return Placement(file=placement.file, digest=placement.digest, agreed=placement.agreed)


def _key(placement: Placement) -> tuple[object, ...]:
    return (placement.file, placement.digest, *sorted(placement.poses.items()))


def board_of(placement: Placement) -> Board:
    """The board that a placement speaks of.

    Raises:
        BoardChangedError: the file is not what it was. BoardError: it cannot be read.
    """
    known = _boards.get(_key(placement))
    if known is not None:
        return known
    base = unmoved(placement)
    board = _boards.get(_key(base)) or _read(placement)
    keep(base, board)
    if placement.poses:
        board = replace(board, poses={board.names[name]: pose for name, pose in placement.poses.items()})
        keep(placement, board)
    return board


def _read(placement: Placement) -> Board:
    board = Board.read(placement.file)
    if board.file.digest != placement.digest:
        raise BoardChangedError(
            f"{placement.file} was changed since this run read it (SHA-256 was {placement.digest[:12]}…, is "
            f"{board.file.digest[:12]}…). Put the board back as it was, or start a new run on it as it is."
        )
    return board


def layout_of(placement: Placement) -> Layout:
    """Its layout, with the locks of this run. Raises what `board_of` does."""
    layout, locked = board_of(placement).layout, placement.locked
    if not locked:
        return layout
    items = tuple(replace(i, locked=locked[i.name]) if i.name in locked else i for i in layout.items)
    return replace(layout, items=items)
