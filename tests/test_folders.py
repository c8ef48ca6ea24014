"""Folders of runs: one each, also for those that begin in the same second."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redraft import api
from redraft.config import Config
from redraft.errors import BriefError, ConfigError, RunError
from redraft.folders import dated, give_back

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
    give_back(empty)
    give_back(used)
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
