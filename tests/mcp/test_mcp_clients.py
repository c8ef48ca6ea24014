"""Configurations of clients, each of which is really used: its command is started and its tools are listed."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp_docs import PAGE
from mcp_server import serving

from mcp import Client, StdioServerParameters
from redraft.config import MCP_TOKEN
from redraft.mcp.clients import CLIENTS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


SECRET = "a-token-that-is-long-enough-for-the-server"


def printed(client: str, *words: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "redraft", "mcp", *words, "--print-config", client]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=folder, timeout=100, env=os.environ | env
    )


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
    (tmp_path / "redraft.yaml").write_text("memory: none\n")
    (tmp_path / "client.py").write_text(printed("python", ".", "--studios", "sketch", folder=tmp_path).stdout)
    done = subprocess.run(
        [sys.executable, "client.py"], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=100
    )
    assert done.returncode == 0, done.stderr
    assert "sketch_export" in done.stdout
    assert done.stdout.splitlines()[-1].startswith('{"entries":')


@pytest.mark.anyio
async def test_settings_of_the_folder_are_named(tmp_path: Path) -> None:
    (tmp_path / "redraft.yaml").write_text("memory: none\n")
    args = json.loads(printed("cursor", folder=tmp_path).stdout)["mcpServers"]["redraft"]["args"]
    assert args[args.index("--config") + 1] == str(tmp_path / "redraft.yaml")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The port of a server over HTTP."""
    with serving(tmp_path_factory.mktemp("served"), "--studios", "sketch", token=SECRET) as found:
        yield str(found.port)


def test_over_http_the_python_client_runs_as_printed(served: str, tmp_path: Path) -> None:
    for token in ({MCP_TOKEN: SECRET}, {}):
        done = printed("python", "--http", "--port", served, folder=tmp_path, **token)
        assert f"http://127.0.0.1:{served}/mcp" in done.stdout
        assert (MCP_TOKEN in done.stdout) == bool(token)
        if token:
            (tmp_path / "client.py").write_text(done.stdout)
    for token, answered in ((SECRET, True), ("another", False)):
        ran = subprocess.run(
            [sys.executable, "client.py"],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            timeout=100,
            env=os.environ | {MCP_TOKEN: token},
        )
        assert (ran.returncode == 0) is answered, ran.stderr
        assert ("sketch_export" in ran.stdout) is answered


def test_over_http_clients_get_the_address_and_where_the_token_is(tmp_path: Path) -> None:
    bare = {each: printed(each, "--http", folder=tmp_path).stdout for each in ("claude-code", "cursor", "vscode")}
    assert bare["claude-code"].strip() == "claude mcp add --transport http redraft http://127.0.0.1:8765/mcp"
    assert json.loads(bare["cursor"]) == {"mcpServers": {"redraft": {"url": "http://127.0.0.1:8765/mcp"}}}
    assert json.loads(bare["vscode"]) == {"servers": {"redraft": {"type": "http", "url": "http://127.0.0.1:8765/mcp"}}}
    done = {each: printed(each, "--http", folder=tmp_path, **{MCP_TOKEN: SECRET}) for each in bare}
    assert all(SECRET not in each.stdout + each.stderr for each in done.values())
    assert (
        done["claude-code"].stdout.strip()
        == f'{bare["claude-code"].strip()} --header "Authorization: Bearer ${MCP_TOKEN}"'
    )
    headers = json.loads(done["cursor"].stdout)["mcpServers"]["redraft"]["headers"]
    assert headers == {"Authorization": f"Bearer ${{env:{MCP_TOKEN}}}"}
    vscode = json.loads(done["vscode"].stdout)
    assert vscode["servers"]["redraft"]["headers"] == {
        "Authorization": f"Bearer ${{input:{vscode['inputs'][0]['id']}}}"
    }


def test_another_machine_gets_the_name_that_it_may_use(tmp_path: Path) -> None:
    allowed = ("--http", "--allow-origin", "http://studio.local:8765")
    done = printed("claude-code", "--host", "0.0.0.0", *allowed, folder=tmp_path)
    assert done.stdout.split()[-1] == "http://studio.local:8765/mcp"
    assert printed("claude-code", *allowed, folder=tmp_path).stdout.split()[-1] == "http://127.0.0.1:8765/mcp"


def test_claude_desktop_takes_no_server_over_http(tmp_path: Path) -> None:
    done = printed("claude-desktop", "--http", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Leave out --http" in done.stderr


def test_a_folder_that_is_missing_is_refused_before_a_client_finds_out(tmp_path: Path) -> None:
    done = printed("cursor", "absent", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "absent" in done.stderr


def test_the_documentation_names_every_client() -> None:
    assert set(re.findall(r"--print-config ([a-z-]+)", PAGE.read_text(encoding="utf-8"))) == set(CLIENTS)


def test_an_unknown_client_is_refused_with_those_there_are(tmp_path: Path) -> None:
    done = printed("emacs", folder=tmp_path)
    assert done.returncode == 2
    assert "claude-code" in done.stderr
