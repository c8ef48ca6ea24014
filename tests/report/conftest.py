"""Runs for the page: written by a story, or the full one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from run_writer import RunWriter, full_run

from redraft.transcript import Run

WriteRun = Callable[[Callable[[RunWriter], None]], Run]


@pytest.fixture
def write_run(tmp_path: Path) -> WriteRun:
    """Write a run with the given story and read it back."""

    def write(story: Callable[[RunWriter], None]) -> Run:
        writer = RunWriter(tmp_path / "run")
        with writer.journal:
            story(writer)
        return Run.load(writer.folder)

    return write


@pytest.fixture
def finished(write_run: WriteRun) -> Run:
    return write_run(full_run)
