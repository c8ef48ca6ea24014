"""Guides and skills: valid by the open format, true to the server's tools, and never written over a user's changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from mcp_docs import PAGE, brought_up_to_date
from token_counts import tokens
from typer.testing import CliRunner

from redraft.cli.program import program
from redraft.errors import ConfigError
from redraft.mcp.guides import guide, install_skills, skill
from redraft.mcp.server import build_server
from redraft.studios import studio_names

STUDIOS = ("board", "image", "scene", "shader", "sketch")


@pytest.mark.parametrize("studio", STUDIOS)
def test_a_skill_is_valid_by_the_open_format(studio: str, tmp_path: Path) -> None:
    (done,) = install_skills(tmp_path, [studio])
    text = done.file.read_text(encoding="utf-8")
    _, head, body = text.split("---\n", 2)
    fields = yaml.safe_load(head)
    assert set(fields) <= {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
    assert fields["name"] == done.file.parent.name
    assert re.fullmatch(r"(?!-)(?!.*--)[a-z0-9-]{1,64}(?<!-)", fields["name"])
    assert 1 <= len(fields["description"]) <= 1024
    assert 1 <= len(fields["compatibility"]) <= 500
    assert body.strip().startswith("# ")
    assert tokens(text) < 800


@pytest.mark.anyio
@pytest.mark.parametrize("studio", STUDIOS)
async def test_a_guide_names_tools_that_the_server_has(studio: str, tmp_path: Path) -> None:
    tools = {tool.name for tool in await build_server([tmp_path], studios=[studio]).list_tools()}
    named = set(re.findall(rf"`({studio}_[a-z]+)`", guide(studio).text))
    assert named <= tools
    assert len(named) >= 3


def test_the_servers_instructions_say_what_each_studio_is_for(tmp_path: Path) -> None:
    server = build_server([tmp_path], studios=["scene", "sketch"])
    assert guide("scene").when in (server.instructions or "")
    assert guide("board").when not in (server.instructions or "")


def test_the_documentation_has_each_guide_as_it_is() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert brought_up_to_date(page) == page, "run: python tests/helpers/mcp_docs.py"
    for studio in STUDIOS:
        assert guide(studio).text in page


def test_skills_are_written_once_and_a_changed_one_is_kept(tmp_path: Path) -> None:
    assert {each.done for each in install_skills(tmp_path)} == {"written"}
    assert {path.name for path in tmp_path.iterdir()} == {f"redraft-{name}" for name in studio_names()}
    assert {each.done for each in install_skills(tmp_path)} == {"unchanged"}
    own = tmp_path / "redraft-scene" / "SKILL.md"
    own.write_text("mine")
    with pytest.raises(ConfigError, match=r"redraft-scene.*--force"):
        install_skills(tmp_path)
    assert own.read_text() == "mine"
    assert {each.file: each.done for each in install_skills(tmp_path, force=True)}[own] == "updated"
    assert own.read_text(encoding="utf-8") == skill("scene")


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="is a file"):
        install_skills(tmp_path / "file")
    with pytest.raises(ConfigError, match="no studio 'loom'"):
        install_skills(tmp_path, ["loom"])


def test_the_command_writes_where_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(program, ["skills", "install", "--studios", "scene"])
    assert done.exit_code == 0
    assert done.output.split() == ["written", str(Path(".claude") / "skills" / "redraft-scene" / "SKILL.md")]
    assert (tmp_path / ".claude" / "skills" / "redraft-scene" / "SKILL.md").is_file()
    for words in (["--studios", "loom"], ["--studios", ","], ["there", "--user"]):
        assert CliRunner().invoke(program, ["skills", "install", *words]).exit_code == 2
