"""A `.kicad_pcb` of KiCad 4 to 9, and later ones: read by an index, written by replacing spans of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from redraft.studios.board.model import Footprint, Pose
from redraft.studios.board.sexpr import Index

__all__ = ["BoardFile"]


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
            BoardError: it cannot be read. BoardFormatError: it is no board, or damaged.
        """
        raise NotImplementedError

    @cached_property
    def index(self) -> Index:
        raise NotImplementedError

    @cached_property
    def version(self) -> int:
        """Of the format: 20241229 for KiCad 9, 4 for KiCad 4."""
        raise NotImplementedError

    @cached_property
    def sections(self) -> Mapping[bytes, Sequence[int]]:
        """The top-level lists by head: `footprint` (KiCad 5's `module` too), `segment`, `zone`, `gr_line` …"""
        raise NotImplementedError

    @cached_property
    def footprints(self) -> Sequence[Footprint]:
        """All footprints in the file's order, each parsed when first used."""
        raise NotImplementedError

    def rewritten(self, poses: Mapping[int, Pose]) -> bytes:
        """The file with some footprints (by their place in `footprints`) elsewhere, all else byte for byte the same."""
        raise NotImplementedError

    def save(self, poses: Mapping[int, Pose], out: Path | None = None, *, in_place: bool = False) -> Path:
        """Write atomically, to `out` or in place (the file as it was is kept beside it as `.bak`).

        Raises:
            BoardChangedError: the file on disk is not the one that was read. BoardError: it cannot be written.
        """
        raise NotImplementedError
