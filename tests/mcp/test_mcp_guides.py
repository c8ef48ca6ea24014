"""Guides and skills: valid by the open format, true to the server's tools, and never written over a user's changes."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import toy
import yaml
from mcp_docs import PAGE, brought_up_to_date
from token_counts import tokens
from toy import ToyStudio
from typer.testing import CliRunner

from redraft import studios
from redraft.cli.program import program
from redraft.errors import ConfigError, RunError
from redraft.mcp.guides import guide, install_skills, skill
from redraft.mcp.server import build_server
from redraft.studios import studio_names

DIAGRAMS = Path(__file__).parents[2] / "examples" / "diagrams"
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
        assert guide(studio).text.partition("In a shell")[0] in page


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
    with pytest.raises(ConfigError, match="cannot be read: File name too long"):
        install_skills(tmp_path / ("x" * 300))
    with pytest.raises(RunError, match="make the folder writable"):
        install_skills(tmp_path / "file" / "below")
    with pytest.raises(ConfigError, match="Unknown studio 'loom'"):
        install_skills(tmp_path, ["loom"])


@pytest.fixture
def without_privileges() -> Iterator[None]:
    """Root may read and write everything; nobody may not."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    yield
    if root:
        os.seteuid(0)


@pytest.mark.usefixtures("without_privileges")
def test_a_folder_without_rights() -> None:
    with tempfile.TemporaryDirectory() as name:
        closed = Path(name)
        for mode, error, words in (
            (0o500, RunError, "make the folder writable"),
            (0o000, ConfigError, "cannot be read"),
        ):
            closed.chmod(mode)
            with pytest.raises(error, match=words):
                install_skills(closed / "skills")
        closed.chmod(0o700)


@pytest.mark.anyio
async def test_a_studio_of_a_third_party_has_a_skill_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DIAGRAMS)  # pyright: ignore[reportUnknownMemberType]
    point = EntryPoint("diagrams", "redraft_diagrams:studio", studios.GROUP)
    monkeypatch.setattr(studios, "entry_points", lambda group="": [point] if group == studios.GROUP else [])
    (done,) = install_skills(tmp_path)
    text = done.file.read_text(encoding="utf-8")
    assert "Draw a diagram of boxes and arrows. The result is a diagram of boxes and arrows. Use when" in text
    assert "a flow from order to payment to delivery" in text
    tools = {tool.name for tool in await build_server([tmp_path], studios=["diagrams"]).list_tools()}
    named = set(re.findall(r"`(diagrams_[a-z]+)`", text))
    assert {"diagrams_draft", "diagrams_look", "diagrams_export"} <= named <= tools


def test_a_name_that_the_format_does_not_allow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy, "studio", ToyStudio(), raising=False)
    point = EntryPoint("My_Loom--2", "toy:studio", studios.GROUP)
    monkeypatch.setattr(studios, "entry_points", lambda group="": [point] if group == studios.GROUP else [])
    (done,) = install_skills(tmp_path)
    assert done.file.parent.name == "redraft-my-loom-2"
    assert "name: redraft-my-loom-2\n" in done.file.read_text(encoding="utf-8")


def test_the_command_writes_where_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(program, ["skills", "install", "--studios", "scene"])
    assert done.exit_code == 0
    assert done.output.split() == ["written", str(Path(".claude") / "skills" / "redraft-scene" / "SKILL.md")]
    assert (tmp_path / ".claude" / "skills" / "redraft-scene" / "SKILL.md").is_file()
    for words in (["--studios", "loom"], ["--studios", ","], ["there", "--user"]):
        assert CliRunner().invoke(program, ["skills", "install", *words]).exit_code == 2
