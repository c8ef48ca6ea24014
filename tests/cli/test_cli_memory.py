"""`redraft memory …`: what it prints, what it asks, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from real_parts import needs
from redis_server import RedisServer, free_port
from typer.testing import CliRunner, Result

from redraft.cli.memory import memory_commands
from redraft.cli.program import program
from redraft.fixes.base import Fix, open_store
from redraft.fixes.normalize import CATEGORIES
from redraft.fixes.sqlite import SqliteStore, default_path
from redraft.testing import a_fix

UNDECLARED = "glsl:undeclared_identifier"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def kept() -> Iterator[SqliteStore]:
    """The user's own store, with a few fixes."""
    store = SqliteStore(default_path())
    fixes = [
        a_fix(1, times_used=5, times_worked=4),
        a_fix(2),
        a_fix(3, times_used=3),
        a_fix(4, key="bpy:no_attribute:fcurves", compiler="Blender 5.0.1", fixed_snippet=""),
    ]
    store.add_all((fix, "a" * 16) for fix in fixes)
    yield store
    store.close()


def invoke(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(memory_commands, list(arguments), input=stdin)


def test_list_is_a_table_of_kinds(kept: SqliteStore) -> None:
    result = invoke("list")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line.split() for line in lines[:1] + [line for line in lines if line.startswith("  ")][1:]] == [
        ["error", "fixes", "used", "worked"],
        ["bpy:no_attribute:fcurves", "1", "0", "0"],
        [UNDECLARED, "3", "8", "4"],
    ]
    assert lines[3] == CATEGORIES[UNDECLARED]
    assert lines[-1] == f"4 fixes in {kept.label}; 4 model calls saved"
    assert max(map(len, lines)) <= 80


def test_list_as_json(kept: SqliteStore) -> None:
    answer = json.loads(invoke("list", "--json").stdout)
    assert answer["store"] == kept.label
    assert [(kind["key"], kind["entries"], kind["used"], kind["worked"]) for kind in answer["keys"]] == [
        ("bpy:no_attribute:fcurves", 1, 0, 0),
        (UNDECLARED, 3, 8, 4),
    ]


def test_an_empty_memory_says_so_and_makes_no_file() -> None:
    result = invoke("list")
    assert result.stdout == "No fixes are remembered yet (SQLite ~/redraft/fixes.sqlite).\n"
    assert json.loads(invoke("list", "--json").stdout)["keys"] == []
    assert not default_path().exists()


def test_show_begins_with_what_worked_oftenest(kept: SqliteStore) -> None:
    result = invoke("show", UNDECLARED)
    assert result.exit_code == 0
    text = result.stdout
    assert text.index("`tone1' undeclared") < text.index("`tone2' undeclared") < text.index("`tone3' undeclared")
    assert "     - float a = tone1;\n     + float a = tune1;\n" in text
    assert "Mesa 22.3.6, 2026-11-20, used 5, worked 4\n" in text
    assert "not used yet" in text
    assert "used 3, worked 0; no longer applied" in text
    assert "+ \n" not in invoke("show", "bpy:no_attribute:fcurves").stdout  # it only takes lines away


def test_show_as_json_and_up_to_a_limit(kept: SqliteStore) -> None:
    answer = json.loads(invoke("show", UNDECLARED, "--json", "--limit", "1").stdout)
    assert [entry.pop("id") for entry in answer] == [a_fix(1).id, a_fix(2).id, a_fix(3).id]
    assert Fix.model_validate(answer[0]) == a_fix(1, times_used=5, times_worked=4)
    limited = invoke("show", UNDECLARED, "--limit", "1").stdout
    assert "tone2" not in limited
    assert "… and 2 more; all of them with --json" in limited


def test_an_unknown_key_names_near_ones(kept: SqliteStore) -> None:
    result = invoke("show", "glsl:undeclared")
    assert result.exit_code == 2
    assert f"{kept.label} has no fix for 'glsl:undeclared'. Did you mean {UNDECLARED}?" in result.stderr
    assert "redraft memory list" in invoke("forget", "nothing like it", "--yes").stderr


def test_foreign_text_cannot_move_the_terminal() -> None:
    evil = "\x1b[2J\x1b]0;owned\x07\u202e[red]x[/red]\r\n"
    fields: dict[str, Any] = dict.fromkeys(("error_msg", "broken_snippet", "fixed_snippet", "compiler"), evil)
    store = SqliteStore(default_path())
    store.add(a_fix(0, **{**fields, "fixed_snippet": "", "timestamp": evil}), "a" * 16)
    store.close()
    for arguments in (("show", UNDECLARED), ("show", UNDECLARED, "--json"), ("list",), ("export", "-")):
        said = invoke(*arguments)
        assert said.exit_code == 0
        assert not {"\x1b", "\x07", "\u202e", "\r"} & set(said.stdout), arguments
    assert "[red]x[/red]" in invoke("show", UNDECLARED).stdout  # no markup either


def test_export_and_import_move_a_memory(kept: SqliteStore, tmp_path: Path) -> None:
    result = invoke("export", "out/fixes.jsonl")
    assert result.stdout == f"4 fixes written to {Path('out/fixes.jsonl')}\n"
    assert invoke("export", "-").stdout == Path("out/fixes.jsonl").read_text("utf-8")
    other = f"sqlite:{tmp_path}/other.sqlite"
    assert invoke("import", "out/fixes.jsonl", "--memory", other).stdout.startswith("4 fixes added to SQLite ")
    assert "0 fixes added" in (again := invoke("import", "out/fixes.jsonl", "--memory", other).stdout)
    assert "4 known already" in again
    assert invoke("export", "-", "--memory", other).stdout == invoke("export", "-").stdout


def test_a_wrong_file_is_refused(kept: SqliteStore) -> None:
    Path("fixes.jsonl").write_text('{"key": "glsl:x"}\n')
    result = invoke("import", "fixes.jsonl")
    assert result.exit_code == 2
    assert "fixes.jsonl, line 1: error_msg: Field required" in result.stderr
    assert sum(kept.keys().values()) == 4
    assert "Cannot read missing.jsonl" in invoke("import", "missing.jsonl").stderr


def test_forget_refuses_where_nobody_can_be_asked(kept: SqliteStore) -> None:
    for arguments in (("forget", UNDECLARED), ("forget", "--all")):
        result = invoke(*arguments, stdin="y\n")
        assert result.exit_code == 2
        assert "Add --yes" in result.stderr
    assert sum(kept.keys().values()) == 4


def test_forget_one_kind_or_all(kept: SqliteStore) -> None:
    assert invoke("forget", UNDECLARED, "--yes").stdout == "3 fixes forgotten\n"
    assert kept.keys() == {"bpy:no_attribute:fcurves": 1}
    assert invoke("forget", "--all", "--yes").stdout == "1 fix forgotten\n"
    assert invoke("forget", "--all").stdout == "0 fixes forgotten\n"  # nothing to ask about


@pytest.mark.parametrize("arguments", [("forget",), ("forget", UNDECLARED, "--all")])
def test_forget_wants_one_of_the_two(kept: SqliteStore, arguments: tuple[str, ...]) -> None:
    result = invoke(*arguments, "--yes")
    assert result.exit_code == 2
    assert "--all" in result.stderr
    assert sum(kept.keys().values()) == 4


@pytest.mark.parametrize(("answer", "left"), [("y\n", 0), ("n\n", 4), ("\n", 4)])
def test_forget_asks_on_a_terminal(kept: SqliteStore, monkeypatch: pytest.MonkeyPatch, answer: str, left: int) -> None:
    import redraft.cli.memory as module

    monkeypatch.setattr(module, "_on_a_terminal", lambda: True)
    result = invoke("forget", "--all", stdin=answer)
    assert f"Forget 4 fixes in {kept.label}?" in result.stdout
    assert result.exit_code == 0
    assert sum(kept.keys().values()) == left
    assert ("nothing was deleted" in result.stdout) == bool(left)


def test_the_store_is_the_one_of_the_settings(tmp_path: Path) -> None:
    assert CliRunner().invoke(program, ["config", "set", "memory", "sqlite:mine.sqlite"]).exit_code == 0
    mine = SqliteStore(tmp_path / "mine.sqlite")
    mine.add(a_fix(), "a" * 16)
    mine.close()
    assert "1 fix in SQLite mine.sqlite" in invoke("list").stdout
    assert "No fixes are remembered yet" in invoke("list", "--memory", "sqlite").stdout


@pytest.mark.parametrize("command", [("list",), ("show", "x"), ("export", "-"), ("forget", "--all", "--yes")])
def test_a_memory_that_is_switched_off(command: tuple[str, ...]) -> None:
    result = invoke(*command, "--memory", "none")
    assert result.exit_code == 2
    assert "the fix memory is off" in result.stderr
    assert "--memory sqlite" in result.stderr


def test_a_store_that_is_none() -> None:
    result = invoke("list", "--memory", "mongo")
    assert result.exit_code == 2
    assert "given 'mongo'; known stores: auto, none, sqlite" in result.stderr


def test_a_server_that_is_gone_is_said_without_its_password() -> None:
    result = invoke("list", "--memory", f"redis://:hunter2@127.0.0.1:{free_port()}")
    assert result.exit_code == 2
    assert "cannot be read" in result.stderr
    assert "hunter2" not in result.output


@pytest.mark.real
def test_the_same_on_a_real_redis_server(kept: SqliteStore, tmp_path: Path) -> None:
    with RedisServer(needs("redis-server"), tmp_path) as server:
        there = ("--memory", server.url)
        invoke("export", "fixes.jsonl")
        assert invoke("import", "fixes.jsonl", *there).stdout == (f"4 fixes added to Redis 127.0.0.1:{server.port}/0\n")
        assert set(server.client().keys("glsl:*")) == {UNDECLARED}
        assert invoke("export", "-", *there).stdout == invoke("export", "-").stdout
        assert invoke("show", UNDECLARED, *there).stdout == invoke("show", UNDECLARED).stdout
        assert invoke("forget", "--all", "--yes", *there).stdout == "4 fixes forgotten\n"
        store = open_store(server.url)
        assert store is not None
        assert store.keys() == {}
