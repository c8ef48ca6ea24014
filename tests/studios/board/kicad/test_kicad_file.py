"""Board files: what is read of them, and what is said of those that are none."""

from __future__ import annotations

import gzip
import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from redraft.errors import BoardError, BoardFormatError
from redraft.studios.board.board import Board
from redraft.studios.board.kicad.file import BoardFile

BOARDS = Path(__file__).parents[3] / "data" / "boards"
BEGONIA = (BOARDS / "begonia.kicad_pcb").read_bytes()
ODD = (BOARDS / "odd.kicad_pcb").read_bytes()
SHAPES = (BOARDS / "shapes.kicad_pcb").read_bytes()


def test_a_board_of_kicad_4_is_read():
    file = BoardFile.read(BOARDS / "begonia.kicad_pcb")
    assert file.version == 4
    assert len(file.footprints) == 13  # as its own (general (modules 13)) says
    assert sum(len(part.pads) for part in file.footprints) == 162


def test_a_footprint_is_read_once_and_only_when_asked_for():
    file = BoardFile.read(BOARDS / "odd.kicad_pcb")
    assert file.footprints[-1] is file.footprints[4]
    assert [part.reference for part in file.footprints[:2]] == ["R1", "R1"]


def test_unknown_sections_are_left_alone():
    file = BoardFile.read(BOARDS / "odd.kicad_pcb")
    assert len(file.sections[b"a_section_of_tomorrow"]) == 1
    assert file.version == 20241229


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a POSIX thing")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.kicad_pcb")
    with pytest.raises(BoardError, match="not a regular file"):
        BoardFile.read(tmp_path / "pipe.kicad_pcb")


def test_windows_line_ends_change_nothing(tmp_path: Path):
    path = tmp_path / "crlf.kicad_pcb"
    path.write_bytes(ODD.replace(b"\n", b"\r\n"))
    theirs, ours = BoardFile.read(path), BoardFile.read(BOARDS / "odd.kicad_pcb")
    assert [(p.reference, p.pose, p.pads) for p in theirs.footprints] == [
        (p.reference, p.pose, p.pads) for p in ours.footprints
    ]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"  \n", "is empty"),
        (gzip.compress(BEGONIA), "gunzip"),
        (b"PK\x03\x04", "ZIP"),
        (b"\x89PNG\r\n\x1a\n\0\0", "it is a PNG picture$"),
        (b"\x7fELF\0\0", "it is not text"),
        (b"PCBNEW-BOARD Version 1", "KiCad 3"),
        (b'(kicad_sch (version 20231120) (generator "eeschema"))', "schematic"),
        (b'(footprint "R_0402" (layer "F.Cu"))', "library"),
        (b'{"board": {}}', "project"),
        (b"hello", "begins with 'hello'"),
        (b"(hello)", r"begins with '\(hello\)'"),
        (BEGONIA[:30_000], "line"),
        (BEGONIA + b")", "line"),
    ],
)
def test_what_is_no_board_is_told_apart(tmp_path: Path, content: bytes, says: str):
    path = tmp_path / "board.kicad_pcb"
    path.write_bytes(content)
    with pytest.raises(BoardFormatError, match=says) as caught:
        BoardFile.read(path)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path):
    with pytest.raises(BoardError, match="no file"):
        BoardFile.read(tmp_path / "missing.kicad_pcb")


def test_a_folder_names_the_boards_in_it(tmp_path: Path):
    (tmp_path / "mine.kicad_pcb").write_bytes(BEGONIA)
    with pytest.raises(BoardError, match=r"folder.*mine\.kicad_pcb"):
        BoardFile.read(tmp_path)


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(_path: Path, _flags: int) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(BoardError, match="cannot be read: permission denied"):
        BoardFile.read(tmp_path / "secret.kicad_pcb")


def test_a_board_without_version_says_so_when_asked(tmp_path: Path):
    path = tmp_path / "board.kicad_pcb"
    path.write_bytes(b"(kicad_pcb (host pcbnew))")
    with pytest.raises(BoardFormatError, match="version"):
        assert BoardFile.read(path).version


@pytest.mark.parametrize(
    ("good", "bad", "says"),
    [
        (b"(at 10 20)", b"(at 10 north)", "'north'"),
        (b"(at 10 20)", b"(at 10)", "value number 2"),
        (b"(at 10 20)", b"(at 10 nan)", "'nan'"),
        (b"(at 10 20)", b"(at 10 1e9)", "further out"),
        (b"(at 10 20)", b"", r"no \(at"),
        (b"smd rect (at -1 0)", b"smd blob (at -1 0)", "'blob'"),
        (b"smd rect (at -1 0)", b"glued rect (at -1 0)", "'glued'"),
        (b"(size 1 1)", b"", r"no \(size"),
    ],
)
def test_damage_within_a_footprint_names_line_and_reference(tmp_path: Path, good: bytes, bad: bytes, says: str):
    path = tmp_path / "board.kicad_pcb"
    path.write_bytes(ODD.replace(good, bad, 1))
    with pytest.raises(BoardFormatError, match=says) as caught:
        list(BoardFile.read(path).footprints)
    assert f"line {ODD[: ODD.index(good)].count(bytes([10])) + 1}, " in str(caught.value)
    assert "R1" in str(caught.value)


def _read(content: bytes, folder: Path) -> None:
    """Wholly, or with the one error that a damaged board may raise."""
    path = folder / "board.kicad_pcb"
    path.write_bytes(content)
    with suppress(BoardFormatError):
        assert len(Board.read(path).layout) >= 0


SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
WHOLE = st.sampled_from([ODD, SHAPES])


@SETTINGS
@given(content=WHOLE, cut=st.integers(0, 1_000_000))
def test_a_truncated_board_is_refused_in_words(tmp_path: Path, content: bytes, cut: int):
    path = tmp_path / "board.kicad_pcb"
    path.write_bytes(content[: cut % len(content.rstrip())])
    with pytest.raises(BoardFormatError, match=r"board\.kicad_pcb"):
        Board.read(path)


@SETTINGS
@given(
    content=WHOLE,
    changes=st.lists(
        st.tuples(
            st.integers(0, 9_000),
            st.integers(0, 12),
            st.sampled_from([b"", b"(", b")", b'"', b"\\", b"\0", b"-", b"9e99"]) | st.binary(max_size=4),
        ),
        min_size=1,
        max_size=4,
    ),
)
def test_a_corrupted_board_is_read_or_refused_in_words(
    tmp_path: Path, content: bytes, changes: list[tuple[int, int, bytes]]
):
    for at, length, other in changes:
        content = content[:at] + other + content[at + length :]
    _read(content, tmp_path)


@SETTINGS
@given(
    content=WHOLE,
    numbers=st.lists(st.sampled_from([b"0", b"-0.0", b"1e5", b"-1e5", b"1e-9", b"0.5", b"360"]), min_size=1),
    step=st.integers(2, 9),
)
@pytest.mark.slow
def test_absurd_numbers_are_read_or_refused_in_words(tmp_path: Path, content: bytes, numbers: list[bytes], step: int):
    words = content.split(b" ")
    for place in range(60, len(words), step):
        head, dot, tail = words[place].partition(b")")
        if head.replace(b".", b"").lstrip(b"-").isdigit():
            words[place] = numbers[place % len(numbers)] + dot + tail
    _read(b" ".join(words), tmp_path)


@SETTINGS
@given(content=st.binary(max_size=200))
def test_random_bytes_are_refused_in_words(tmp_path: Path, content: bytes):
    _read(b"(kicad_pcb " + content + b")", tmp_path)


def test_a_file_too_large_for_a_board_is_refused_unread(tmp_path: Path) -> None:
    large = tmp_path / "large.kicad_pcb"
    with large.open("wb") as file:
        file.truncate(2 << 40)
    with pytest.raises(
        BoardError,
        match=r"large\.kicad_pcb cannot be read: it has 2,199,023,255,552 bytes, and a board",
    ):
        BoardFile.read(large)
