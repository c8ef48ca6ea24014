"""A file is written whole or not at all."""

from pathlib import Path

import pytest

from redraft.errors import RunError
from redraft.files import write_atomic


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
