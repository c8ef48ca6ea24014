"""A folder with one small board, and a client that talks to a server within this process."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
from mcp_types import CallToolResult, TextContent
from small_board import write_board

from mcp import Client
from redraft.config import Config


class Connect(Protocol):
    """Opens a client; keyword arguments go to it."""

    def __call__(self, **more: Any) -> Any: ...


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    """A folder that the server may use, with `small.kicad_pcb` in it."""
    folder = tmp_path / "boards"
    folder.mkdir()
    write_board(folder)
    return folder


@pytest.fixture
def connect(boards: Path) -> Connect:
    """A client of a new server on that folder."""
    from redraft.mcp.server import build_server

    @asynccontextmanager
    async def connected(*, config: Config | None = None, **more: Any) -> AsyncGenerator[Desktop]:
        server = build_server([boards], config=config)
        async with Client(server, **more) as client:
            yield Desktop(client)

    return connected


class Desktop:
    """A client program, as far as tests need one."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """Call a tool, whatever comes."""
        result = await self.client.call_tool(tool, arguments)
        assert isinstance(result, CallToolResult)
        return result

    async def ok(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must succeed; its structured answer."""
        result = await self.call(tool, **arguments)
        assert not result.is_error, said(result)
        assert result.structured_content is not None
        return result.structured_content

    async def act(self, action: str, **fields: Any) -> dict[str, Any]:
        """Carry out one action that must succeed."""
        return await self.ok("board_act", actions=[{"action": action, **fields}])

    async def refused(self, action: str, **fields: Any) -> str:
        """Carry out one action that must fail; its words."""
        return await self.fails("board_act", actions=[{"action": action, **fields}])

    async def fails(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must fail; its words."""
        result = await self.call(tool, **arguments)
        assert result.is_error, result.structured_content
        return said(result)


@asynccontextmanager
async def opened(connect: Connect, **more: Any) -> AsyncGenerator[Desktop]:
    """A client with the small board open."""
    async with connect(**more) as desk:
        assert isinstance(desk, Desktop)
        await desk.ok("board_open", path="small.kicad_pcb")
        yield desk


def said(result: CallToolResult) -> str:
    """The text of an answer."""
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))
