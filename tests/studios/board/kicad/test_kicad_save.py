"""Saving loses nothing: not the file that was there, not another's changes, not the bytes that did not move."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from redraft.errors import BoardChangedError, BoardError
from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.model import Pose

BOARD = b"""(kicad_pcb (version 20171130) (host pcbnew 5.1)\r
  (layers (0 F.Cu signal) (31 B.Cu signal))\r
  (module R_0402 (layer F.Cu) (tedit 0) (at 10.5 20)\r
    (fp_text reference R1 (at 0 -1) (layer F.SilkS))\r
    (pad 1 smd rect (at -0.5 0) (size 0.6 0.6) (layers F.Cu))\r
  )\r
)\r
 trailing"""
MOVED = BOARD.replace(b"(at 10.5 20)", b"(at 11.25 20)")
POSES = {0: Pose(x=11_250_000, y=20_000_000)}


@pytest.fixture
def file(tmp_path: Path) -> BoardFile:
    path = tmp_path / "in" / "a.kicad_pcb"
    path.parent.mkdir()
    path.write_bytes(BOARD)
    return BoardFile.read(path)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_to_another_file_only_what_moved_differs(file: BoardFile, tmp_path: Path) -> None:
    out = file.save(POSES, tmp_path / "b.kicad_pcb")
    assert out.read_bytes() == MOVED
    assert file.path.read_bytes() == BOARD
    assert names(file.path.parent) == ["a.kicad_pcb"]


def test_without_changes_it_is_a_copy(file: BoardFile, tmp_path: Path) -> None:
    assert file.save({}, tmp_path / "b.kicad_pcb").read_bytes() == BOARD


def test_in_place_the_old_one_is_kept(file: BoardFile) -> None:
    backup = file.path.with_name("a.kicad_pcb.bak")
    backup.write_bytes(b"an earlier one")
    file.path.chmod(0o640)
    file.save(POSES, in_place=True)
    assert (file.path.read_bytes(), backup.read_bytes()) == (MOVED, BOARD)
    assert file.path.stat().st_mode & 0o777 == 0o640
    assert names(file.path.parent) == ["a.kicad_pcb", "a.kicad_pcb.bak"]


def test_in_place_without_changes_nothing_is_touched(file: BoardFile) -> None:
    backup = file.path.with_name("a.kicad_pcb.bak")
    backup.write_bytes(b"an earlier one")
    file.save({0: file.footprints[0].pose}, in_place=True)
    assert (file.path.read_bytes(), backup.read_bytes()) == (BOARD, b"an earlier one")


@pytest.mark.parametrize("out", [None, "b.kicad_pcb"])
def test_a_board_that_changed_since_is_not_written_over(file: BoardFile, tmp_path: Path, out: str | None) -> None:
    file.path.write_bytes(BOARD + b" ")
    with pytest.raises(BoardChangedError, match="was changed on disk since it was read"):
        file.save(POSES, tmp_path / out if out else None, in_place=out is None)
    assert file.path.read_bytes() == BOARD + b" "
    assert names(tmp_path) == ["in"]


def test_a_change_in_the_last_moment_is_seen(file: BoardFile, monkeypatch: pytest.MonkeyPatch) -> None:
    flush = os.fsync

    def meanwhile(handle: int) -> None:
        flush(handle)
        file.path.write_bytes(b"(kicad_pcb other)")

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(BoardChangedError):
        file.save(POSES, in_place=True)
    assert file.path.read_bytes() == b"(kicad_pcb other)"
    assert names(file.path.parent) == ["a.kicad_pcb", "a.kicad_pcb.bak"]


def test_a_board_that_is_gone_can_still_be_written_elsewhere(file: BoardFile, tmp_path: Path) -> None:
    file.path.unlink()
    with pytest.raises(BoardChangedError, match="is gone"):
        file.save(POSES, in_place=True)
    assert file.save(POSES, tmp_path / "b.kicad_pcb").read_bytes() == MOVED


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_link_to_the_board_is_the_board(file: BoardFile, tmp_path: Path, link: object) -> None:
    alias = tmp_path / "alias.kicad_pcb"
    assert callable(link)
    link(file.path, alias)
    with pytest.raises(BoardError, match=r"is the board .* itself"):
        file.save(POSES, alias)
    assert file.save(POSES, alias, in_place=True) == file.path.resolve()
    assert file.path.read_bytes() == MOVED


def test_a_board_read_through_a_link_stays_linked(file: BoardFile, tmp_path: Path) -> None:
    alias = tmp_path / "alias.kicad_pcb"
    alias.symlink_to(file.path)
    BoardFile.read(alias).save(POSES, in_place=True)
    assert alias.is_symlink()
    assert file.path.read_bytes() == MOVED


def test_what_kicad_has_open_is_left_alone(file: BoardFile, tmp_path: Path) -> None:
    lock = file.path.with_name("~a.kicad_pcb.lck")
    lock.write_text('{"hostname": "bench", "username": "ada"}')
    with pytest.raises(BoardError, match=r"is open in KiCad \(user ada on bench\)"):
        file.save(POSES, in_place=True)
    lock.write_text("not JSON")
    with pytest.raises(BoardError, match=r"is open in KiCad, which"):
        file.save(POSES, in_place=True)
    assert file.path.read_bytes() == BOARD
    assert file.save(POSES, tmp_path / "b.kicad_pcb").read_bytes() == MOVED


@pytest.mark.parametrize(
    ("out", "in_place", "words"),
    [
        (None, False, "No output file for"),
        ("other.kicad_pcb", True, "not both"),
        ("in/a.kicad_pcb", False, "itself"),
        ("in", False, "is a folder"),
        ("missing/b.kicad_pcb", False, "The folder "),
        ("in/a.kicad_pcb/b.kicad_pcb", False, "Not a directory"),
    ],
)
def test_places_that_cannot_be_written_are_named(
    file: BoardFile, tmp_path: Path, out: str | None, in_place: bool, words: str
) -> None:
    with pytest.raises(BoardError, match=words):
        file.save(POSES, tmp_path / out if out else None, in_place=in_place)
    assert file.path.read_bytes() == BOARD


def test_a_full_disk_leaves_all_as_it_was(file: BoardFile, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BoardError, match="No space left on device"):
        file.save(POSES, in_place=True)
    assert file.path.read_bytes() == BOARD
    assert names(file.path.parent) == ["a.kicad_pcb"]
