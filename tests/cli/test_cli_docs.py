"""The page on the command line says what the commands say."""

from __future__ import annotations

from cli_docs import BLOCK, PAGE, brought_up_to_date

from redraft.cli import board_tools, image_tools
from redraft.cli.memory import memory_commands
from redraft.cli.program import config_commands, program, skills_commands
from redraft.cli.setup import setup_commands
from redraft.cli.studio import SUMMARIES, commands_of
from redraft.studios import open_studio, studio_names


def test_help_texts_are_the_ones_in_force() -> None:
    page = PAGE.read_text("utf-8")
    assert page == brought_up_to_date(page), "run: python tests/helpers/cli_docs.py"


def test_every_command_is_there() -> None:
    groups = {
        "config": commands_of(config_commands),
        "board": board_tools.tools(None),
        "image": image_tools.tools(None),
        "memory": commands_of(memory_commands),
        "setup": commands_of(setup_commands),
        "skills": commands_of(skills_commands),
    }
    commands = {f"{name} --help" for name in (*commands_of(program), *studio_names())}
    commands |= {f"{group} {name} --help" for group, inner in groups.items() for name in inner}
    shown = {match[1] for match in BLOCK.finditer(PAGE.read_text("utf-8"))}
    assert shown == (commands - {"config --help", "board place --help"}) | {"--help"}


def test_the_list_of_commands_says_what_the_studios_say() -> None:
    for name, said in SUMMARIES.items():
        assert said.startswith(open_studio(name).purpose.removesuffix(".")), name
