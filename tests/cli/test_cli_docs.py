"""The page on the command line says what the commands say, and all of them are of one kind."""

from __future__ import annotations

import re
from typing import Any

import pytest
from cli_docs import BLOCK, PAGE, brought_up_to_date, fronts
from typer.testing import CliRunner

from redraft.cli.memory import memory_commands
from redraft.cli.program import config_commands, program, setup_commands, skills_commands
from redraft.cli.studio import FRONTS, SUMMARIES, Program, commands_of
from redraft.studios import open_studio, studio_names
from redraft.studios.board import commands as board
from redraft.studios.image import commands as image
from redraft.studios.scene import blender

GROUPS = {
    "config": commands_of(config_commands),
    "board": board.commands(None),
    "image": image.commands(None),
    "memory": commands_of(memory_commands),
    "setup": commands_of(setup_commands),
    "skills": commands_of(skills_commands),
}
WITHOUT_JSON = {"board inspect", "mcp", "view"}
"""It prints nothing else, and the two serve until they are stopped."""


def invoke(*words: str) -> Any:
    return CliRunner().invoke(program, words, prog_name="redraft")


def shown() -> dict[str, str]:
    """The help texts of the page, by command."""
    return {match[1].removesuffix(" --help"): match[2] for match in BLOCK.finditer(PAGE.read_text("utf-8"))}


def test_help_texts_are_the_ones_in_force() -> None:
    page = PAGE.read_text("utf-8")
    assert page == brought_up_to_date(page), "run: python tests/helpers/cli_docs.py"


def test_the_help_of_a_studio_is_that_of_the_loaded_studio() -> None:
    assert FRONTS.read_text("utf-8") == fronts(), "run: python tests/helpers/cli_docs.py"


def test_every_command_is_there() -> None:
    commands = {*Program.later, *studio_names()}
    commands |= {f"{group} {name}" for group, inner in GROUPS.items() for name in inner}
    assert set(shown()) == (commands - {"config", "board place"}) | {"--help"}


def test_the_list_of_commands_says_what_the_studios_say() -> None:
    for name, said in SUMMARIES.items():
        assert said.startswith(open_studio(name).purpose.removesuffix(".")), name


def test_every_command_can_answer_in_json() -> None:
    leaves = {name for name in shown() if name not in GROUPS or name in studio_names()} - {"--help", "run"}
    without = {name for name in leaves if "--json " not in shown()[name]}
    assert without == WITHOUT_JSON


def test_defaults_and_summaries_have_one_form() -> None:
    for name, text in shown().items():
        assert "[default" not in text, name
        assert "[required]" not in text, name
        assert not re.search(r"\. \(default|[a-z,]\.\.\.$|[{}]", text, re.MULTILINE), name
    assert re.search(r"--seed N +Random seed \(default 0\)\.", shown()["sketch"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["skecth", "a house"], "No such command 'skecth'. Did you mean 'sketch'?"),
        (["config", "set", "model"], "Missing argument 'VALUE'."),
        (["memory", "lits"], "No such command 'lits'. Did you mean 'list'?"),
        (["sketch"], "The instruction is missing. For example: redraft sketch "),
        (["report", "last"], "runs has no run. "),
    ],
)
def test_every_error_begins_alike_and_ends_with_2(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1].startswith(f"error: {said}")
    assert result.stderr.count("rror: ") == 1


def test_a_group_alone_shows_its_help() -> None:
    result = invoke("memory")
    assert result.exit_code == 2
    assert "Delete fixes for good; asks first." in result.output


def test_the_versions_of_blender_are_said_in_one_way() -> None:
    """`studios/scene/blender.py` has them."""
    pythons = " or ".join(f"{major}.{minor}" for major, minor in blender.BPY_FOR)
    surely = ".".join(map(str, blender.SURELY))
    said = " ".join(shown()["setup blender"].split())
    assert f"Needs Python {pythons}." in said
    assert f"Python to use, {pythons} (default: the first one found)." in said
    assert f"Blender {surely} or later" in said
    page = (PAGE.parent / "blender.md").read_text("utf-8")
    for (major, minor), version in blender.BPY_FOR.items():
        assert re.search(rf"^\| {major}\.{minor} \| {re.escape(version)}\b", page, re.MULTILINE)
    assert f"a `blender` program, {surely} or later" in page
