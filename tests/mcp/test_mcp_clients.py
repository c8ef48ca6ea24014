"""Configurations of clients, each of which is really used: its command is started and its tools are listed."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp import Client, StdioServerParameters
from redraft.mcp.clients import CLIENTS, config_for

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


def printed(client: str, *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "redraft", "mcp", *words, "--print-config", client]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=60)


async def listed(entry: dict[str, Any], folder: Path) -> set[str]:
    server = StdioServerParameters(command=entry["command"], args=entry["args"], cwd=folder)
    async with Client(server) as client:
        return {tool.name for tool in (await client.list_tools()).tools}


@pytest.mark.anyio
@pytest.mark.parametrize("client", ["claude-desktop", "cursor", "vscode"])
async def test_the_configuration_starts_a_server_from_any_folder(client: str, tmp_path: Path) -> None:
    (tmp_path / "my boards").mkdir()
    (tmp_path / "elsewhere").mkdir()
    done = printed(client, "my boards", "--studios", "sketch", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    (servers,) = json.loads(done.stdout).values()
    assert str(tmp_path / "my boards") in servers["redraft"]["args"]
    tools = await listed(servers["redraft"], tmp_path / "elsewhere")
    assert "sketch_draft" in tools
    assert "scene_draft" not in tools


@pytest.mark.anyio
async def test_claude_code_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "my boards").mkdir()
    line = printed("claude-code", "my boards", "--studios", "sketch", folder=tmp_path).stdout.strip()
    words = shlex.split(line)
    assert words[:5] == ["claude", "mcp", "add", "redraft", "--"]
    assert "sketch_draft" in await listed({"command": words[5], "args": words[6:]}, tmp_path)


def test_the_python_client_runs_as_printed(tmp_path: Path) -> None:
    (tmp_path / "client.py").write_text(printed("python", ".", "--studios", "sketch", folder=tmp_path).stdout)
    done = subprocess.run(
        [sys.executable, "client.py"], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert "sketch_export" in done.stdout
    assert '"valid":true' in done.stdout


@pytest.mark.parametrize("client", CLIENTS)
def test_a_server_over_http_is_named_by_its_address_and_token(client: str) -> None:
    text = config_for(client, [], url="http://127.0.0.1:8765/mcp", token="a secret of a user")
    assert "http://127.0.0.1:8765/mcp" in text
    assert "Bearer a secret of a user" in text
    if client == "python":
        compile(text, "client.py", "exec")


def test_an_unknown_client_is_refused_with_those_there_are(tmp_path: Path) -> None:
    done = printed("emacs", folder=tmp_path)
    assert done.returncode == 2
    assert "claude-code" in done.stderr
