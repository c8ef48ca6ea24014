"""A board as placed parts: the file, where its footprints lie now, and the layout that all spatial tools read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from redraft.spatial.layout import Layout, Move
from redraft.studios.board.kicad_file import BoardFile
from redraft.studios.board.model import Pose

__all__ = ["Board"]


@dataclass(frozen=True)
class Board:
    """A board file with changes on top that are not written yet.

    Items of the layout are named by their reference; of several with one reference (`REF**`) the later ones by
    `REF**#2` and so on, in the file's order.
    """

    file: BoardFile
    poses: Mapping[int, Pose] = field(default_factory=dict[int, Pose])
    """Where footprints lie that were moved, by their place in `file.footprints`; never one that is where it was."""

    @classmethod
    def read(cls, path: Path) -> Board:
        """Raises `BoardError`."""
        return cls(BoardFile.read(path))

    @cached_property
    def names(self) -> Mapping[str, int]:
        """Item name → place in `file.footprints`."""
        raise NotImplementedError

    @cached_property
    def layout(self) -> Layout:
        """The board as placed items, in millimetres, y growing downwards.

        `Item.shape` is the courtyard on the part's own side (else body and pads), `opposite` that of the other side,
        `layer` 1 on the front and 0 on the back, `label` what the reference's letters say ("IC", "capacitor").
        """
        raise NotImplementedError

    def amend(self, moves: Sequence[Move]) -> Board:
        """The board after moves, rounded to whole nanometres."""
        raise NotImplementedError

    def save(self, out: Path | None = None, *, in_place: bool = False) -> Path:
        """See `BoardFile.save`."""
        return self.file.save(self.poses, out, in_place=in_place)
