"""Configuration of MCP clients, as it is typed or pasted."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from redraft.config import MCP_TOKEN
from redraft.errors import ConfigError

CLIENTS = {
    "claude-code": "run this",
    "claude-desktop": "add this to claude_desktop_config.json (Settings > Developer > Edit Config; in "
    "~/Library/Application Support/Claude on macOS, %APPDATA%\\Claude on Windows), then restart",
    "cursor": "add this to .cursor/mcp.json of a project, or to ~/.cursor/mcp.json for all",
    "vscode": "add this to .vscode/mcp.json of a project, or to the file that `MCP: Open User Configuration` opens",
    "python": "run this with the package mcp installed",
}
"""The place of each client's configuration, by the client's name."""

PYTHON = '''"""Connect to redraft, list its tools, and look an error up among past fixes."""

import asyncio

from mcp import Client{more}


async def main() -> None:
    {server}
        for tool in (await client.list_tools()).tools:
            print(tool.name)
        result = await client.call_tool("memory_lookup", {{"error": "0:5(12): error: `foo' undeclared"}})
        print(result.content[0].text)


asyncio.run(main())
'''


def config_for(client: str, arguments: Sequence[str], *, url: str = "", token: bool = False) -> str:
    """Return the configuration of one of `CLIENTS` for a server that it starts, or that listens at `url`.

    Args:
        client: its name.
        arguments: those of `redraft mcp`: folders and options.
        url: of a server over HTTP; then nothing is started.
        token: whether the server over HTTP asks for one. The client takes it from the environment variable `MCP_TOKEN`,
            or asks the user: files of settings are often shared.

    Raises:
        ConfigError: the client does not connect to servers over HTTP.
    """
    if url and client == "claude-desktop":
        raise ConfigError(
            "--print-config claude-desktop: the settings file of Claude Desktop does not support servers over HTTP. "
            "Leave out --http: Claude Desktop then starts the server itself."
        )
    command, *words = [*_redraft(), "mcp", *arguments]
    if client == "claude-code":
        remote = ["--transport", "http", "redraft", url]
        line = shlex.join(["claude", "mcp", "add", *(remote if url else ["redraft", "--", command, *words])])
        return f'{line} --header "Authorization: Bearer ${MCP_TOKEN}"' if token else line
    if client == "python":
        return _script(command, words, url, token=token)
    entry: dict[str, object] = {"url": url} if url else {"command": command, "args": words}
    if client == "vscode":
        servers = {"redraft": {"type": "http" if url else "stdio", **entry, **_bearer("${input:token}", token)}}
        ask = {"type": "promptString", "id": "token", "description": "Token of the redraft server", "password": True}
        return json.dumps({**({"inputs": [ask]} if token else {}), "servers": servers}, indent=2)
    return json.dumps({"mcpServers": {"redraft": {**entry, **_bearer(f"${{env:{MCP_TOKEN}}}", token)}}}, indent=2)


def _bearer(variable: str, token: bool) -> dict[str, object]:
    return {"headers": {"Authorization": f"Bearer {variable}"}} if token else {}


def _script(command: str, words: Sequence[str], url: str, *, token: bool) -> str:
    if not url:
        server = f"server = StdioServerParameters(command={command!r}, args={[*words]!r})"
        return PYTHON.format(
            more=", StdioServerParameters", server=f"{server}\n    async with Client(server) as client:"
        )
    if not token:
        return PYTHON.format(more="", server=f"async with Client({url!r}) as client:")
    more = "\nfrom mcp.client.streamable_http import streamable_http_client\nimport httpx2\nimport os"
    header = f'"Authorization": "Bearer " + os.environ["{MCP_TOKEN}"]'
    server = f"http = httpx2.AsyncClient(headers={{{header}}}, timeout=300)"
    connect = f"async with Client(streamable_http_client({url!r}, http_client=http)) as client:"
    return PYTHON.format(more=more, server=f"{server}\n    {connect}")


def _redraft() -> list[str]:
    """The command by which a client can start this redraft from any folder."""
    beside = Path(sys.executable).with_name("redraft")
    found = str(beside) if beside.exists() else shutil.which("redraft")
    return [str(Path(found).absolute())] if found else [sys.executable, "-P", "-m", "redraft"]
