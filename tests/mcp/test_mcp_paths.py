"""No path leads out of the folders given at start, by whatever way."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_board import write_board

from redraft.errors import BriefError, ConfigError
from redraft.mcp.opened import Folders
from redraft.studios.board.tools import SUFFIXES


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    return write_board(folder, "secret.kicad_pcb")


def test_a_board_is_found_by_name_by_path_and_by_a_way_that_stays_inside(boards: Path) -> None:
    (boards / "sub").mkdir()
    folders = Folders.of([boards])
    for text in ("small.kicad_pcb", str(boards / "small.kicad_pcb"), "sub/../small.kicad_pcb"):
        assert folders.file(text, SUFFIXES) == (boards / "small.kicad_pcb").resolve()


def test_a_relative_path_is_taken_from_the_folder_that_has_it(boards: Path, outside: Path) -> None:
    assert Folders.of([boards, outside.parent]).file("secret.kicad_pcb", SUFFIXES) == outside.resolve()


@pytest.mark.parametrize(
    "text",
    ["../outside/secret.kicad_pcb", "sub/../../outside/secret.kicad_pcb", "/etc/passwd", "/etc/../etc/x.kicad_pcb"],
)
def test_what_leads_outside_is_refused_and_the_folders_are_named(boards: Path, outside: Path, text: str) -> None:
    for ask in (Folders.of([boards]).file, Folders.of([boards]).target):
        with pytest.raises(BriefError, match="outside the folders") as error:
            ask(text, SUFFIXES)
        assert str(boards.resolve()) in str(error.value)


def test_an_absolute_path_outside_is_refused(boards: Path, outside: Path) -> None:
    with pytest.raises(BriefError, match="outside"):
        Folders.of([boards]).file(str(outside), SUFFIXES)


def test_a_link_out_of_the_folder_is_followed_and_refused(boards: Path, outside: Path) -> None:
    (boards / "link.kicad_pcb").symlink_to(outside)
    (boards / "way").symlink_to(outside.parent)
    folders = Folders.of([boards])
    for text in ("link.kicad_pcb", "way/secret.kicad_pcb", "way/new.kicad_pcb"):
        with pytest.raises(BriefError, match="outside"):
            folders.target(text, SUFFIXES)
        with pytest.raises(BriefError, match="outside"):
            folders.file(text, SUFFIXES)


def test_links_out_of_the_folder_are_not_listed(boards: Path, outside: Path) -> None:
    (boards / "link.kicad_pcb").symlink_to(outside)
    assert Folders.of([boards]).listed(SUFFIXES) == (str((boards / "small.kicad_pcb").resolve()),)


def test_a_folder_given_by_a_link_is_the_folder_it_leads_to(boards: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(boards)
    assert Folders.of([tmp_path / "alias"]).file("small.kicad_pcb", SUFFIXES).parent == boards.resolve()


def test_a_folder_whose_name_only_begins_alike_is_outside(boards: Path) -> None:
    twin = boards.with_name("boards-of-another")
    twin.mkdir()
    write_board(twin)
    with pytest.raises(BriefError, match="outside"):
        Folders.of([boards]).file(str(twin / "small.kicad_pcb"), SUFFIXES)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("a\0b.kicad_pcb", "characters"),
        ("a\nb.kicad_pcb", "characters"),
        ("x" * 5000 + ".kicad_pcb", "5,010 characters"),
        ("x" * 300 + ".kicad_pcb", "does not exist|cannot be followed|too long"),
        ("~/small.kicad_pcb", "'~'"),
        ("small.txt", r"\.kicad_pcb"),
        ("small.kicad_pcb.bak", r"\.kicad_pcb"),
        ("none.kicad_pcb", "does not exist"),
    ],
)
def test_a_path_that_names_no_board_is_refused_in_words(boards: Path, text: str, words: str) -> None:
    with pytest.raises(BriefError, match=words):
        Folders.of([boards]).file(text, SUFFIXES)


def test_a_loop_of_links_is_refused(boards: Path) -> None:
    (boards / "a.kicad_pcb").symlink_to(boards / "b.kicad_pcb")
    (boards / "b.kicad_pcb").symlink_to(boards / "a.kicad_pcb")
    with pytest.raises(BriefError):
        Folders.of([boards]).file("a.kicad_pcb", SUFFIXES)


def test_a_folder_is_no_board_and_no_target(boards: Path) -> None:
    (boards / "dir.kicad_pcb").mkdir()
    with pytest.raises(BriefError, match="not a file"):
        Folders.of([boards]).file("dir.kicad_pcb", SUFFIXES)
    with pytest.raises(BriefError, match="a folder or device"):
        Folders.of([boards]).target("dir.kicad_pcb", SUFFIXES)


def test_a_target_needs_its_folder(boards: Path) -> None:
    assert Folders.of([boards]).target("new.kicad_pcb", SUFFIXES) == boards.resolve() / "new.kicad_pcb"
    with pytest.raises(BriefError, match="does not exist"):
        Folders.of([boards]).target("nowhere/new.kicad_pcb", SUFFIXES)


def test_the_server_does_not_start_on_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere"):
        Folders.of([tmp_path / "nowhere"])


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.lists(st.sampled_from(["..", ".", "/", "sub", "small.kicad_pcb", "a", "~", "\\", " ", "é"])).map("/".join)
)
def test_whatever_is_asked_the_answer_lies_inside(boards: Path, text: str) -> None:
    folders = Folders.of([boards])
    for ask in (folders.file, folders.target):
        try:
            found = ask(text, SUFFIXES)
        except BriefError:
            continue
        assert found.is_relative_to(boards.resolve())
        assert found.suffix == ".kicad_pcb"
