"""The page on the command line says what the commands say."""

from __future__ import annotations

from cli_docs import BLOCK, PAGE, brought_up_to_date
from typer.main import get_command

from redraft.cli.board import board_commands
from redraft.cli.image import image_commands
from redraft.cli.memory import memory_commands
from redraft.cli.program import config_commands, program
from redraft.cli.setup import setup_commands


def test_help_texts_are_the_ones_in_force() -> None:
    page = PAGE.read_text("utf-8")
    assert page == brought_up_to_date(page), "run: python tests/helpers/cli_docs.py"


def test_every_command_is_there() -> None:
    groups = {
        "config": config_commands,
        "board": board_commands,
        "image": image_commands,
        "memory": memory_commands,
        "setup": setup_commands,
    }
    commands = {f"{name} --help" for name in _names(program)}
    commands |= {f"{group} {name} --help" for group, inner in groups.items() for name in _names(inner)}
    shown = {match[1] for match in BLOCK.finditer(PAGE.read_text("utf-8"))}
    assert shown == (commands - {"config --help"}) | {"--help"}


def _names(group: object) -> list[str]:
    return sorted(get_command(group).commands)  # type: ignore[arg-type, attr-defined]
