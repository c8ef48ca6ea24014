"""Copies of finished runs, on a file system in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from redraft.batch.upload import Uploads
from redraft.errors import ConfigError, MissingPartError, RunError


def test_a_run_is_copied_once(tmp_path: Path) -> None:
    run = tmp_path / "run"
    (run / "pictures").mkdir(parents=True)
    (run / "events.jsonl").write_text("one\n")
    (run / "pictures" / "a.png").write_bytes(b"png")
    (run / ".lock").touch()
    memory: Any = MemoryFileSystem()
    uploads = Uploads("memory://runs/of-a-batch")
    assert uploads.put(run, "run") == "memory://runs/of-a-batch/run"
    assert sorted(memory.find("/runs")) == [
        "/runs/of-a-batch/run/events.jsonl",
        "/runs/of-a-batch/run/pictures/a.png",
    ]
    before = memory.created("/runs/of-a-batch/run/pictures/a.png")
    (run / "events.jsonl").write_text("one\ntwo\n")
    uploads.put(run, "run")
    assert memory.cat("/runs/of-a-batch/run/events.jsonl") == b"one\ntwo\n"
    assert memory.created("/runs/of-a-batch/run/pictures/a.png") == before
    uploads.put(run / "events.jsonl", "batch.json")
    assert memory.cat("/runs/of-a-batch/batch.json") == b"one\ntwo\n"


def test_addresses_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="upload is 'nothing://x'"):
        Uploads("nothing://x")
    with pytest.raises(MissingPartError, match="upload is 's3://bucket/x': Install s3fs"):
        Uploads("s3://bucket/x")
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="run could not be uploaded to file://"):
        Uploads(f"file://{tmp_path}/file").put(tmp_path, "run")
