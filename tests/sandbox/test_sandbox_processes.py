"""Counting and removing what a process leaves in a folder, by handles: however deep, whatever its rights."""

from __future__ import annotations

import os
import sys
from contextlib import chdir, suppress
from pathlib import Path

import pytest

from redraft.sandbox.processes import DEEPEST, LEAST_FILE, empty, kept_in, remove

LEVELS = 1_500
"""More than Python calls itself, and with these names more than a path can name."""

ORDINARY = os.getuid() or 65534
"""A user with no powers; root is let through everywhere."""


def nest(folder: Path, levels: int, name: str = "a" * 60) -> None:
    """Put folders in folders, each through the one above, and a file in the last."""
    with chdir(folder):
        for _ in range(levels):
            os.mkdir(name)  # noqa: PTH102
            os.chdir(name)
        Path("last").write_bytes(bytes(10_000))


@pytest.mark.slow
def test_a_folder_is_emptied_whatever_is_in_it(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept.txt").write_text("kept")
    inside = tmp_path / "inside"
    deep = inside / "a" / "b"
    deep.mkdir(parents=True)
    (deep / "file").write_bytes(bytes(5_000))
    (inside / "to").symlink_to(outside)
    (deep / "to").symlink_to(outside / "kept.txt")
    (deep / "folder").symlink_to(outside)
    os.mkfifo(deep / "pipe")
    deep.chmod(0)
    empty(inside)
    assert list(inside.iterdir()) == []
    assert (outside / "kept.txt").read_text() == "kept"


def test_a_folder_deeper_than_any_path_is_removed(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    nest(inside, LEVELS)
    remove(inside)
    assert not inside.exists()


def test_removing_never_raises(tmp_path: Path) -> None:
    remove(tmp_path / "missing")
    file = tmp_path / "file"
    file.write_text("kept")
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    remove(file)
    remove(link)
    assert file.read_text() == "kept"


def test_deep_folders_are_counted_to_a_level_and_then_refused(tmp_path: Path) -> None:
    shallow, deep = tmp_path / "shallow", tmp_path / "deep"
    shallow.mkdir()
    deep.mkdir()
    nest(shallow, DEEPEST - 1)
    assert kept_in(shallow, os.getpid(), 1 << 30) >= 10_000 + (DEEPEST - 1) * LEAST_FILE
    nest(deep, DEEPEST)
    with pytest.raises(RecursionError, match=f"more than {DEEPEST} deep"):
        kept_in(deep, os.getpid(), 1 << 30)


def test_what_links_lead_to_is_not_counted(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_bytes(bytes(1 << 20))
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(outside)
    assert kept_in(inside, os.getpid(), 1 << 30) == LEAST_FILE


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")
def test_folders_without_rights_hide_nothing_from_an_ordinary_user(tmp_path: Path) -> None:
    inner = tmp_path / "folder" / "outer" / "inner"
    inner.mkdir(parents=True)
    (inner / "file").write_bytes(bytes(1 << 20))
    inner.chmod(0o100)
    inner.parent.chmod(0o300)
    for each in (tmp_path, inner.parent.parent, inner.parent, inner):
        os.chown(each, ORDINARY, ORDINARY)
    with chdir(tmp_path):
        child = os.fork()
        if child == 0:
            if os.getuid() == 0:
                os.setgroups([])
            os.setresuid(ORDINARY, ORDINARY, ORDINARY)
            kept = 0
            with suppress(OSError):
                kept = kept_in(Path("folder"), os.getpid(), 1 << 30)
            os.chmod("folder/outer/inner", 0)  # noqa: PTH101
            remove(Path("folder"))
            os._exit(2 * (kept >= 1 << 20) + (not os.path.lexists("folder")))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
