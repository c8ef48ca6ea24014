"""The index of a folder of runs: kept by runs that end, read again where stale, rebuilt if lost or damaged."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from run_writer import RunWriter
from viewing import plain_run

import redraft
import redraft.errors
from redraft.files import INDEX_FILE
from redraft.record.transcript import Record
from redraft.report import index as module
from redraft.report.index import Choice, Index, Mark


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the runs that were read."""
    names: list[str] = []
    load = Record.load

    def noted(folder: Path | str) -> Record:
        names.append(Path(folder).name)
        return load(folder)

    monkeypatch.setattr(module.Record, "load", noted)
    return names


def opened(folder: Path) -> Index:
    index = Index(folder)
    index.refresh()
    return index


def test_runs_are_read_once(tmp_path: Path, read: list[str]) -> None:
    plain_run(tmp_path / "one", "a red house")
    plain_run(tmp_path / "two", "a blue house", studio="shader")
    index = opened(tmp_path)
    assert sorted(read) == ["one", "two"]
    assert [e.words for e in index.chosen(Choice(words="RED house"))] == ["a red house"]
    assert [e.name for e in index.chosen(Choice(studio="shader"))] == ["two"]
    read.clear()
    assert opened(tmp_path).all() == index.all()
    assert read == []


def test_a_run_that_ends_adds_its_line(tmp_path: Path, read: list[str]) -> None:
    opened(tmp_path)
    redraft.sketch("a red ball", out=tmp_path / "run")
    read.clear()
    assert [e.words for e in opened(tmp_path).all()] == ["a red ball"]
    assert read == []
    (tmp_path / INDEX_FILE).unlink()
    redraft.sketch("a red ball", out=tmp_path / "second")
    assert not (tmp_path / INDEX_FILE).exists()  # only a viewer makes the file
    assert len(opened(tmp_path).all()) == 2


@pytest.mark.parametrize("damage", [b"", b"not json\n", b'{"name": "one"}\n', b"\xff\x00\n" * 10])
def test_a_damaged_index_is_rebuilt(tmp_path: Path, damage: bytes) -> None:
    plain_run(tmp_path / "one")
    whole = opened(tmp_path).all()
    (tmp_path / INDEX_FILE).write_bytes(damage)
    assert opened(tmp_path).all() == whole
    assert [json.loads(line)["name"] for line in (tmp_path / INDEX_FILE).read_text().splitlines()] == ["one"]


def test_changed_and_deleted_runs_are_noticed(tmp_path: Path) -> None:
    plain_run(tmp_path / "one", "a house")
    plain_run(tmp_path / "two", "a tree")
    index = opened(tmp_path)
    shutil.rmtree(tmp_path / "one")
    shutil.rmtree(tmp_path / "two")
    plain_run(tmp_path / "two", "a bush")
    version = index.version
    index.refresh()
    assert [e.words for e in index.all()] == ["a bush"]
    assert index.version > version
    version = index.version
    index.refresh()
    assert index.version == version


def test_a_run_that_ended_early_and_is_resumed_is_noticed_at_once(tmp_path: Path) -> None:
    writer = RunWriter(tmp_path / "run")
    with writer.journal:
        writer.start()
        writer.finish(valid=False, error={"phase": "loop", "step": "", "message": "interrupted"})
    index = opened(tmp_path)
    assert [e.status for e in index.all()] == ["ended"]
    with writer.journal:
        writer.start()
        index.refresh()
        assert [e.status for e in index.all()] == ["unfinished"]
        writer.finish()
    index._rest.clear()  # pyright: ignore[reportPrivateUsage]  # it was read a moment ago
    index.refresh()
    assert [e.status for e in index.all()] == ["unchecked"]


def test_a_verdict_is_kept_in_the_run_and_found(tmp_path: Path) -> None:
    plain_run(tmp_path / "one")
    index = opened(tmp_path)
    index.mark("one", Mark(verdict="good", note="the roof is right"))
    assert json.loads((tmp_path / "one" / "verdict.json").read_text()) == {
        "verdict": "good",
        "note": "the roof is right",
    }
    for found in (index, opened(tmp_path)):
        assert [e.name for e in found.chosen(Choice(verdict="good", words="roof"))] == ["one"]
    (tmp_path / INDEX_FILE).unlink()
    assert [e.name for e in opened(tmp_path).chosen(Choice(verdict="good"))] == ["one"]


def test_a_folder_without_rights_is_listed_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_run(tmp_path / "one")

    def refuse(*_: object) -> None:
        raise redraft.errors.RunError("no rights")

    monkeypatch.setattr(module, "write_atomic", refuse)  # root may write everywhere
    assert [e.name for e in opened(tmp_path).all()] == ["one"]
