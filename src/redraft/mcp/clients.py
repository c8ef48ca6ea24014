"""Configuration of MCP clients, as it is typed or pasted."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

__all__ = ["CLIENTS", "config_for"]

CLIENTS = {
    "claude-code": "run this",
    "claude-desktop": "add this to claude_desktop_config.json (Settings > Developer > Edit Config), then restart",
    "cursor": "add this to .cursor/mcp.json of a project, or ~/.cursor/mcp.json",
    "vscode": "add this to .vscode/mcp.json",
    "python": "run this with the package mcp installed",
}
"""What to do with each client's configuration, by the client's name."""

PYTHON = '''"""Connect to redraft, list its tools, and draw."""

import asyncio

from mcp import Client{more}

DRAWING = {{
    "plan": [{{"name": "sun", "label": "sun", "parent": None}}],
    "strokes": [{{"part": "sun", "kind": "rect", "x": 0.2, "y": 0.2, "w": 0.6, "h": 0.6, "r": 0.3, "fill": "#ffd93b"}}],
}}


async def main() -> None:
    {server}
        for tool in (await client.list_tools()).tools:
            print(tool.name)
        result = await client.call_tool("sketch_draft", {{"brief": "a sun", "drawing": DRAWING}})
        print(result.content[0].text)


asyncio.run(main())
'''


def config_for(client: str, arguments: Sequence[str], *, url: str = "", token: str = "") -> str:
    """Return the configuration of one of `CLIENTS` for a server that it starts, or that listens at `url`.

    Args:
        client: its name.
        arguments: those of `redraft mcp`: folders and options.
        url: of a server over HTTP; then nothing is started.
        token: that the server over HTTP asks for.
    """
    command, *words = [*_redraft(), "mcp", *arguments]
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if client == "claude-code":
        header = ["--header", f"Authorization: Bearer {token}"] if token else []
        remote = ["--transport", "http", "redraft", url, *header]
        return shlex.join(["claude", "mcp", "add", *(remote if url else ["redraft", "--", command, *words])])
    if client == "python":
        return _script(command, words, url, headers)
    entry: dict[str, object] = {"command": command, "args": words}
    if url:
        entry = {"url": url, **({"headers": headers} if headers else {})}
    if client == "vscode":
        return json.dumps({"servers": {"redraft": {"type": "http" if url else "stdio", **entry}}}, indent=2)
    return json.dumps({"mcpServers": {"redraft": entry}}, indent=2)


def _script(command: str, words: Sequence[str], url: str, headers: dict[str, str]) -> str:
    if not url:
        server = f"server = StdioServerParameters(command={command!r}, args={[*words]!r})"
        return PYTHON.format(
            more=", StdioServerParameters", server=f"{server}\n    async with Client(server) as client:"
        )
    if not headers:
        return PYTHON.format(more="", server=f"async with Client({url!r}) as client:")
    more = "\nfrom mcp.client.streamable_http import streamable_http_client\nimport httpx2"
    server = f"http = httpx2.AsyncClient(headers={headers!r}, timeout=300)"
    connect = f"async with Client(streamable_http_client({url!r}, http_client=http)) as client:"
    return PYTHON.format(more=more, server=f"{server}\n    {connect}")


def _redraft() -> list[str]:
    """The command by which a client can start this redraft from any folder."""
    beside = Path(sys.executable).with_name("redraft")
    found = str(beside) if beside.exists() else shutil.which("redraft")
    return [found] if found else [sys.executable, "-m", "redraft"]
