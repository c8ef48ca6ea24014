"""Commands and tools that a package adds to a studio, as `docs/own-tools.md` has them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from doc_pages import blocks
from typer.testing import CliRunner

import redraft
from mcp import Client
from redraft import extras
from redraft.cli.program import program
from redraft.mcp.server import build_server

PROJECT, COMMAND, TOOLS = (block.text for block in blocks("docs/own-tools.md") if block.language in ("toml", "python"))


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package of the page, as an installer leaves it."""
    metadata = tmp_path / "sketch_parts-0.1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: sketch-parts\nVersion: 0.1\n")
    groups = re.sub(r'\[project\.entry-points\."(.*)"\]', r"[\1]", PROJECT[PROJECT.index("[project.entry") :])
    (metadata / "entry_points.txt").write_text(groups.replace('"', ""))
    (tmp_path / "parts_command.py").write_text(COMMAND)
    (tmp_path / "parts_tools.py").write_text(TOOLS)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.chdir(tmp_path)
    extras.installed.cache_clear()
    yield
    extras.installed.cache_clear()
    for name in ("parts_command", "parts_tools"):
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("installed")
def test_an_installed_command_stands_below_the_studio() -> None:
    redraft.sketch("a red balloon over a blue house", out="balloon")
    listed = CliRunner().invoke(program, ["sketch", "parts", "balloon"])
    assert listed.exit_code == 0, listed.output
    assert "house: house" in listed.stdout.splitlines()
    missing = CliRunner().invoke(program, ["sketch", "parts", "nowhere"])
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert missing.stderr.startswith("error: 'nowhere' is not a run folder")
    help_ = CliRunner().invoke(program, ["sketch", "--help"]).stdout
    assert re.search(r"redraft sketch parts +List the parts of a drawing\.", help_)


@pytest.mark.anyio
@pytest.mark.usefixtures("installed")
async def test_an_installed_tool_stands_beside_the_studios_own(tmp_path: Path) -> None:
    async with Client(build_server([tmp_path], studios=["sketch"])) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"sketch_draft", "sketch_parts"} <= tools.keys()
        assert tools["sketch_parts"].description == "List the parts of the open drawing."
        drawing = {
            "plan": [{"name": "sun", "label": "sun", "parent": None}],
            "strokes": [{"part": "sun", "kind": "rect", "x": 0.3, "y": 0.3, "w": 0.4, "h": 0.4, "fill": "gold"}],
        }
        drawn = await client.call_tool("sketch_draft", {"brief": "a sun", "drawing": drawing, "picture": False})
        assert not drawn.is_error, drawn.structured_content
        answer = await client.call_tool("sketch_parts", {})
        assert answer.structured_content == {"names": ["sun"]}
