"""Every block of the documentation is what it says: commands and Python are run where that is cheap, else checked.

Commands that need a key, a server or minutes are in blocks of their own, marked with a comment,
`<!-- not run: reason -->`; the program's own parser parses them.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from doc_pages import PAGES, ROOT, Block, Command, blocks, commands, inline_code
from real_parts import Part, needs
from redis_server import free_port
from typer.testing import CliRunner

from redraft import config
from redraft.cli.program import program
from redraft.fixes.error_cache import open_error_cache

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
OTHERS = frozenset(
    [
        "apt-get",
        "blender",
        "cd",
        "claude",
        "docker",
        "export",
        "git",
        "grep",
        "make",
        "my-agent",
        "pip",
        "python",
        "ray",
        "redis-cli",
        "sudo",
        "uv",
    ]
)
"""Programs besides redraft that the documentation may name."""
NEEDS: dict[str, tuple[Part, ...]] = {
    "redraft.shader(": ("egl",),
    "redraft.scene(": ("blender", "bwrap"),
    "redraft shader": ("egl",),
    "redraft batch": ("egl",),
    "redraft scene": ("blender", "bwrap"),
    "redraft doctor": ("blender", "bwrap"),
    "redraft board check": ("kicad-cli",),
}
"""Parts without which an example is not run."""
STARTED = set[tuple[str, bool]]()
"""Kinds of servers, with or without HTTP, that were started: one of each is enough, as it takes seconds."""
RUN_FOLDER = re.compile(r"\d{4}-\d\d-\d\d-\d{6}")
GENERATED = ("docs/api.md", "docs/cli.md", "docs/mcp-tools.md", "docs/studios.md")
"""Pages whose blocks have a test of their own, which compares them with the code."""
SHELL_PAGES = [page for page in PAGES if any(commands(block) for block in blocks(page)) and page != "docs/studios.md"]
PYTHON = [block for page in PAGES if page not in GENERATED for block in blocks(page) if block.language == "python"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loggers_as_before: None) -> Path:
    """A folder with the examples and one remembered fix, in which there is no KiCad."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("REDRAFT_STUDIOS__BOARD__DRC", "never")
    monkeypatch.setenv("REDRAFT_MEMORY", "sqlite:fixes.sqlite")
    assert CliRunner().invoke(program, ["examples", "."]).exit_code == 0
    monkeypatch.setenv("KICAD_DOCUMENTS_HOME", str(tmp_path / "kicad"))
    (tmp_path / "work").mkdir()
    memory = open_error_cache("sqlite:fixes.sqlite")
    memory.store("0:2(8): error: `colr' undeclared", "vec3 color;\nreturn colr;", "vec3 color;\nreturn color;")
    memory.close()
    return tmp_path


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.timeout(400)
@pytest.mark.parametrize("page", SHELL_PAGES)
def test_commands(page: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for block in blocks(page):
        said, ran = "", False
        for command in commands(block):
            if command.words[0] != "redraft":
                _check_other(command)
            elif block.mark.startswith("not run"):
                _parse(command)
            elif _is_server(command):
                _serve(command, folder)
            else:
                for part in _needs(" ".join(command.words)):
                    needs(part)
                expected = int(match[1]) if (match := re.match(r"exit code (\d)", block.mark)) else 0
                said += _run(command, expected, monkeypatch)
                ran = True
        if ran:
            missing = [line for line in _lines(block.shown) if line not in _lines(said)]
            assert missing == [], f"{block.place} shows what is not printed:\n{said}"


def _lines(text: str) -> list[str]:
    return [RUN_FOLDER.sub("DATE", line.rstrip()) for line in text.splitlines() if line.strip() and line.strip() != "…"]


@cache
def root() -> Any:
    """The program as Click has it."""
    return typer.main.get_command(program)


def _needs(text: str) -> list[Part]:
    return [part for call, parts in NEEDS.items() if call in text for part in parts]


def _is_server(command: Command) -> bool:
    return command.words[1] == "view" or (command.words[1] == "mcp" and "--print-config" not in command.words)


def _serve(command: Command, folder: Path) -> None:
    """Start a server as a process; stop it with Ctrl-C once it has printed its address, or by the end of its input."""
    words = [word.replace("~/", "") for word in command.words[1:]]
    over_http = command.words[1] == "view" or "--http" in words
    kind = (command.words[1], over_http)
    if kind in STARTED:
        _parse(command)
        return
    STARTED.add(kind)
    extra = ["--port", str(free_port())] if over_http else []
    extra += ["--no-browser"] if command.words[1] == "view" else []
    environment = {**os.environ, **command.environment}
    with subprocess.Popen(
        [sys.executable, "-m", "redraft", *words, *extra],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        said = ""
        if over_http:
            while "http://127.0.0.1" not in said and (line := process.stdout.readline()):
                said += line
            process.send_signal(signal.SIGINT)
        said += process.stdout.read()
        code = process.wait(60)
    assert code in ((0, 130) if over_http else (0,)), f"{command.place}: {code}: {said}"
    assert not over_http or "http://127.0.0.1" in said, f"{command.place}: {said}"


def _run(command: Command, expected: int, monkeypatch: pytest.MonkeyPatch) -> str:
    with monkeypatch.context() as context:
        for name, value in command.environment.items():
            context.setenv(name, value)
        words = [word.replace("~/", "") for word in command.words[1:]]
        result = CliRunner().invoke(program, words, prog_name="redraft")
    assert result.exit_code == expected, f"{command.place}: {result.output}"
    return result.output


def _parse(command: Command) -> None:
    """As the program does before it does anything."""
    found = root()
    context = found.make_context("redraft", [*command.words[1:]])
    while hasattr(found, "resolve_command"):
        name, found, rest = found.resolve_command(context, [*context._protected_args, *context.args])
        context = found.make_context(name, [*rest], parent=context)
    assert context.args == [], f"{command.place}: words without a meaning: {context.args}"


def _check_other(command: Command) -> None:
    words = command.words[1:] if command.words[0] == "sudo" else command.words
    assert words[0] in OTHERS, f"{command.place}: an unknown program, {words[0]}"
    if words[0] == "pip":
        for extras in re.findall(r"redraft\[(.*?)\]", " ".join(words)):
            assert set(extras.split(",")) <= PROJECT["project"]["optional-dependencies"].keys(), command.place
    if words[0] == "make":
        assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE), command.place
    if words[0] == "python" and words[1].endswith(".py"):
        assert (ROOT / words[1]).is_file(), command.place


@pytest.mark.parametrize("page", PAGES)
def test_commands_in_running_text(page: str) -> None:
    """Their words are the program's; what stands for a value (FILE, …) may stand there."""
    for code in inline_code(page):
        for made in re.findall(r"(?:python|pytest) ((?:benchmarks|tests)/\S+\.py)", code):
            assert (ROOT / made).is_file() or page.startswith("docs/log"), f"{page}: {code}"
        if re.match(r"redraft [a-z]", code) and not page.startswith(("docs/log", "docs/studios.md")):
            whole = code.replace("STUDIO", "sketch")
            words = tuple(
                word for word in re.sub(r"[“”]", '"', whole).replace('"…"', '"words"').split(" ") if word != "…"
            )
            flags = [word for word in words if word.startswith("-")]
            _parse_loosely(Command(f"{page}: {code}", {}, words), flags)


def _parse_loosely(command: Command, flags: list[str]) -> None:
    """Its commands exist and its flags are theirs; arguments may be left out in running text."""
    found = root()
    context = found.make_context("redraft", [command.words[1]])
    words = [*command.words[1:]]
    while hasattr(found, "resolve_command") and words and not words[0].startswith("-"):
        _, found, words = found.resolve_command(context, words)
    if getattr(found, "tools", {}).get(words[0] if words else ""):
        found = found.tools[words[0]]
    known = {name for parameter in found.params for name in (*parameter.opts, *parameter.secondary_opts)}
    assert {flag.split("=")[0] for flag in flags} <= known | {"--help"}, command.place


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.parametrize("block", PYTHON, ids=lambda block: block.place)
def test_python(block: Block, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ast.parse(block.text)
    for node in ast.walk(names):
        if isinstance(node, ast.ImportFrom) and node.module:
            module = importlib.import_module(node.module)
            assert [each.name for each in node.names if not hasattr(module, each.name)] == [], block.place
    if block.mark.startswith("not run"):
        return
    for part in _needs(block.text):
        needs(part)
    exec(compile(block.text, block.place, "exec"), {"__name__": "__main__"})  # an example of our own
    assert _lines(capsys.readouterr().out) == _lines(block.shown), block.place


def _others(language: str) -> Iterator[Block]:
    return (block for page in PAGES for block in blocks(page) if block.language == language)


def test_data_can_be_read() -> None:
    for block in _others("json"):
        try:
            json.loads(block.text)
        except ValueError:  # an object on each line
            assert [json.loads(line) for line in block.text.splitlines()], block.place
    for block in _others("toml"):
        tomllib.loads(block.text)


def test_settings_are_settings(tmp_path: Path) -> None:
    for block in _others("yaml"):
        if "format:" not in block.text:  # the header of a request
            file = tmp_path / "redraft.yaml"
            shown = re.sub(r"^.*(?:OWN_NAME|…).*\n", "", block.text, flags=re.MULTILINE)
            file.write_text(shown, "utf-8")
            assert yaml.safe_load(shown), block.place
            config.load(file)


def test_what_is_not_run_says_why() -> None:
    for page in PAGES:
        for block in blocks(page):
            assert re.fullmatch(r"|not run: .{10,}|exit code \d", block.mark), f"{block.place}: {block.mark}"
            assert block.language, f"{block.place} needs a language: sh for commands, text for what is printed"
            assert not any("…" in word for command in commands(block) for word in command.words), block.place
