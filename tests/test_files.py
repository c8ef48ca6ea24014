"""Atomic writes, and the names and places of run folders."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redraft import api, files
from redraft.config import Config
from redraft.errors import BriefError, ConfigError, RunError
from redraft.files import dated, remove_unused, sweep, temporary, write_atomic


def test_text_and_bytes(tmp_path: Path) -> None:
    assert write_atomic(tmp_path / "deep" / "a.txt", "ä").read_bytes() == "ä".encode()
    assert write_atomic(tmp_path / "deep" / "a.txt", b"\0").read_bytes() == b"\0"
    assert [p.name for p in (tmp_path / "deep").iterdir()] == ["a.txt"]


def test_what_cannot_be_written_leaves_the_old(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "x").write_text("kept")
    with pytest.raises(RunError, match=r"Could not write .*taken \(3 bytes\)"):
        write_atomic(tmp_path / "taken", "new")
    assert (tmp_path / "taken" / "x").read_text() == "kept"
    assert [p.name for p in tmp_path.iterdir()] == ["taken"]


def test_permissions_are_kept_or_given(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert write_atomic(path, "1").stat().st_mode & 0o777 == 0o644
    path.chmod(0o600)
    assert write_atomic(path, "2").stat().st_mode & 0o777 == 0o600
    assert write_atomic(path, "3", mode=0o640).stat().st_mode & 0o777 == 0o640


def test_a_last_look_can_still_stop_it(tmp_path: Path) -> None:
    path = write_atomic(tmp_path / "a", "old")

    def stop() -> None:
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        write_atomic(path, "new", before=stop)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


NOW = datetime(2026, 1, 1, 12, 30, tzinfo=UTC)


def test_runs_that_begin_in_the_same_second_get_a_folder_each(tmp_path: Path) -> None:
    def one(_: int) -> Path:
        return dated(tmp_path / "runs", NOW, "A fox!")

    with ThreadPoolExecutor(16) as pool:
        folders = list(pool.map(one, range(64)))
    stem = "2026-01-01-123000-a-fox"
    assert {folder.name for folder in folders} == {stem, *(f"{stem}-{number}" for number in range(2, 65))}
    assert all(folder.is_dir() for folder in folders)


def test_a_folder_that_holds_something_is_not_given_back(tmp_path: Path) -> None:
    empty, used = dated(tmp_path, NOW, "x"), dated(tmp_path, NOW, "x")
    (used / "events.jsonl").write_text("{}")
    remove_unused(empty)
    remove_unused(used)
    assert list(tmp_path.iterdir()) == [used]


def test_a_file_where_runs_are_to_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("")
    with pytest.raises(RunError, match=r"runs.*Not a directory|runs is a file"):
        dated(tmp_path / "runs", NOW, "x")


@pytest.mark.parametrize(("settings", "instruction"), [({"model": "nosuch"}, "a fox"), ({}, " ")])
def test_a_run_that_never_begins_leaves_no_folder(settings: dict[str, str], instruction: str, tmp_path: Path) -> None:
    config = Config.model_validate({**settings, "out": str(tmp_path / "runs")})
    with pytest.raises((ConfigError, BriefError)):
        api.run("sketch", instruction, config=config)
    assert not list(tmp_path.iterdir())


LEAVER = """
import os, signal, sys
from pathlib import Path
from redraft.files import temporary
with temporary("gone-") as folder:
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "link").symlink_to(sys.argv[1])
    os.utime(folder / ".redraft-lock", (0, 0))
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="locks of POSIX systems")
def test_temporary_folders_of_killed_processes_are_swept_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, kept = tmp_path / "tmp", tmp_path / "kept"
    for folder in (root, kept):
        folder.mkdir()
    (kept / "file").write_text("kept")
    monkeypatch.setattr("tempfile.tempdir", str(root))
    source = str(Path(files.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", LEAVER, str(kept)],
        env=os.environ | {"TMPDIR": str(root), "PYTHONPATH": source},
        check=False,
    )
    assert done.returncode == -9
    assert [path.name[:13] for path in root.iterdir()] == ["redraft-gone-"]
    (root / "redraft-of-somebody").mkdir()
    marked = root / "redraft-linked"
    marked.mkdir()
    (marked / files.OWNED).symlink_to(kept / "file")
    (root / "redraft-link").symlink_to(kept)
    os.utime(kept / "file", (0, 0))
    with temporary() as alive, temporary() as young:
        os.utime(alive / files.OWNED, (0, 0))
        sweep()
        names = {"redraft-of-somebody", "redraft-linked", "redraft-link", alive.name, young.name}
        assert {path.name for path in root.iterdir()} == names
    assert (kept / "file").read_text() == "kept"
    assert {path.name for path in root.iterdir()} == {"redraft-of-somebody", "redraft-linked", "redraft-link"}


def test_a_run_sweeps_before_it_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    swept: list[None] = []
    monkeypatch.setattr("redraft.files.sweep", lambda: swept.append(None))
    api.run("sketch", "a house", model="offline", out=tmp_path / "run")
    assert swept


@pytest.mark.skipif(sys.platform == "win32", reason="locks of POSIX systems")
def test_what_a_killed_process_left_of_a_file_is_removed_when_it_is_written_again(tmp_path: Path) -> None:
    left = tmp_path / ".a.txt.abcdefgh.redraft-tmp"
    young, other = tmp_path / ".a.txt.stuvwxyz.redraft-tmp", tmp_path / ".b.txt.abcdefgh.redraft-tmp"
    for path in (left, young, other):
        path.write_text("half")
    for path in (left, other):
        os.utime(path, (0, 0))
    write_atomic(tmp_path / "a.txt", "whole")
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", young.name, other.name}
