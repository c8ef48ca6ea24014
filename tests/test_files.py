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
