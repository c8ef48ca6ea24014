"""The MCP server: tools, resources and a prompt over the open boards, by stdio or streamable HTTP."""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from string import Template
from typing import Annotated, Any, Literal

import anyio
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import Field

from redraft.config import Config
from redraft.errors import ConfigError, MissingPartError
from redraft.mcp.boards import add_board_resources, board_tools
from redraft.mcp.drafts import add_work_resources, draft_tools, image_tools, memory_tools
from redraft.mcp.guides import guide
from redraft.mcp.opened import LONE, Folders, OpenWorks, connection
from redraft.mcp.run import run_tools
from redraft.mcp.tool import BoardTool
from redraft.studios import open_studio, studio_names

__all__ = ["PATH", "PORT", "build_server", "security", "serve"]


SESSION_HEADER = "mcp-session-id"


async def _mark_connection(
    boards: OpenWorks, ctx: ServerRequestContext[Any, Any], call_next: CallNext
) -> HandlerResult:
    """Middleware: sets `connection` for the time of one message, and has a session's board closed when that ends."""
    key = _connection_of(ctx)
    if key not in ("", LONE):
        # What ends with a session is registered at its connection, to which the SDK has no public way from here.
        client = ctx.session._connection  # pyright: ignore[reportPrivateUsage]
        if key not in client.state:
            client.state[key] = True
            client.exit_stack.callback(boards.close, key)
    token = connection.set(key)
    try:
        return await call_next(ctx)
    finally:
        connection.reset(token)


def _connection_of(ctx: ServerRequestContext[Any, Any]) -> str:
    headers = getattr(ctx.request, "headers", None)
    if headers is None:  # stdio, or within one process: there is only one client
        return ""
    return str(headers.get(SESSION_HEADER) or LONE)


ENDING = 10.0
"""Seconds in which works are closed when the server ends."""
WAITING = (
    "redraft: waiting for an MCP client on standard input; Ctrl-C ends. To connect one: redraft mcp --print-config "
    "claude-code (or claude-desktop, cursor, vscode, python)\n"
)
PORT = 8765
PATH = "/mcp"
OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
"""This machine, as its own programs name it."""


def build_server(
    folders: Sequence[Path],
    *,
    config: Config | None = None,
    by_handle: bool = False,
    studios: Sequence[str] | None = None,
) -> MCPServer[Any]:
    """Return a server for files in some folders (the current one by default).

    Args:
        folders: files elsewhere are out of reach.
        config: settings of the loop and of the studios.
        by_handle: tools take the handle of the work that they mean, for transports on which calls stand alone.
        studios: those whose tools are served; all that are installed by default.

    Raises:
        ConfigError: a folder or a studio is missing.
    """
    works, settings = OpenWorks(Folders.of(folders)), config or Config()
    names = tuple(dict.fromkeys(studios)) if studios else _installed()
    tools: list[BoardTool] = []
    for name in names:
        if name == "board":
            tools += board_tools(works, by_handle=by_handle)
            continue
        tools += draft_tools(works, settings, open_studio(name), by_handle=by_handle)
        if name == "image":
            tools += image_tools(works, settings, by_handle=by_handle)
    tools += [
        *memory_tools(works, settings, by_handle=by_handle),
        *run_tools(works, settings, names, by_handle=by_handle),
    ]
    server: MCPServer[Any] = MCPServer(
        "redraft",
        title="redraft",
        description="Draft, execute, measure, fix and look: scenes, shaders, drawings, boards and image prompts.",
        instructions=_instructions(names),
        version=version("redraft"),
        tools=list(tools),
        log_level="WARNING",
        lifespan=partial(_lifespan, works),
        middleware=[partial(_mark_connection, works)],
    )
    add_work_resources(server, works)
    if "board" in names:
        add_board_resources(server, works)
        _add_prompt(server)
    return server


def _installed() -> tuple[str, ...]:
    """The studios that can be loaded here; one whose packages are missing has no tools."""
    found: list[str] = []
    for name in studio_names():
        try:
            if name != "board":  # its tools load what they need when a board is opened
                open_studio(name)
        except MissingPartError as error:
            logging.getLogger(__name__).warning("%s", error)
        else:
            found.append(name)
    return tuple(found)


def _instructions(names: Sequence[str]) -> str:
    """How to work, and what each studio is for."""
    return "\n".join([_text("instructions.md"), *(f"- {name}: {guide(name).when}" for name in names)])


@asynccontextmanager
async def _lifespan(works: OpenWorks, server: MCPServer[Any]) -> AsyncGenerator[OpenWorks]:
    """Works and runs go on between two calls, and end with the server: records are written, runs are stopped."""
    async with anyio.create_task_group() as tasks:
        works.tasks = tasks
        yield works
        works.tasks = None
        works.close_all()
        for run in works.runs.values():
            run.rounds.stop()
        tasks.cancel_scope.deadline = anyio.current_time() + ENDING


def _add_prompt(server: MCPServer[Any]) -> None:
    @server.prompt(title="Lay out a board", description="How to work on a board: inspect, act, check.")
    def layout(task: Annotated[str, Field(description="What to place where, in words.")]) -> str:
        return Template(_text("layout.md")).substitute(task=task)

    _ = layout


def _text(name: str) -> str:
    return (files("redraft.mcp") / name).read_text(encoding="utf-8")


def serve(
    folders: Sequence[Path],
    *,
    transport: Literal["stdio", "http"] = "stdio",
    host: str = "127.0.0.1",
    port: int = PORT,
    allow_origins: Sequence[str] = (),
    config: Config | None = None,
    studios: Sequence[str] | None = None,
) -> None:
    """Serve until the client hangs up, or Ctrl-C.

    Over HTTP only this machine is served, unless `host` says otherwise and `allow_origins` names who may connect:
    it asks for no password, and every client can write boards in the folders.

    Raises:
        ConfigError: a folder is missing, the port is taken, or another host is served without naming its clients.
    """
    # Standard output belongs to the protocol; and plain lines read better in a client's log than boxes.
    logging.basicConfig(level=logging.WARNING, format="redraft: %(levelname)s: %(message)s", stream=sys.stderr)
    server = build_server(folders, config=config, by_handle=transport == "http", studios=studios)
    try:
        if transport == "stdio":
            if sys.stdin.isatty():
                sys.stderr.write(WAITING)
            server.run("stdio")
        else:
            _serve_http(server, host, port, security(host, allow_origins))
    except KeyboardInterrupt:
        logging.getLogger(__name__).info("stopped")


def _serve_http(server: MCPServer[Any], host: str, port: int, allowed: TransportSecuritySettings) -> None:
    import uvicorn

    with _listening(host, port) as listening:
        port = listening.getsockname()[1]
        allowed.allowed_hosts += [name if port == 80 else f"{name}:{port}" for name in OWN_NAMES]
        app = server.streamable_http_app(streamable_http_path=PATH, transport_security=allowed, host=host)
        settings = uvicorn.Config(app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=2)
        named = f"[{host}]" if ":" in host else host
        sys.stderr.write(f"redraft: serving http://{named}:{port}{PATH}\n")
        sys.stderr.flush()
        uvicorn.Server(settings).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    """The open port. Raises `ConfigError` when it cannot be had."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        reason = (
            os.strerror(error.errno) if error.errno and error.errno > 0 else error
        )  # its own text names the address twice
        raise ConfigError(
            f"{host}, port {port}, cannot be opened: {reason}. Choose another --port or --host."
        ) from error


def security(host: str, allow_origins: Sequence[str]) -> TransportSecuritySettings:
    """Return the accepted `Origin` headers, this machine's own names and the allowed ones, and the accepted `Host`
    headers, to which `_serve_http` adds this machine's names with the port: the SDK compares a port left open only by
    what stands before it.

    The check keeps web pages out that a browser on this machine shows, also those that point a name of their own here.

    Raises:
        ConfigError: another host without anything allowed, or an origin that is none.
    """
    for origin in allow_origins:
        if not origin.startswith(("http://", "https://")) or origin.count("/") != 2 or "*" in origin:
            raise ConfigError(f"--allow-origin {origin!r}: give scheme, host and port, as in http://192.168.1.5:8765.")
    if not _is_loopback(host) and not allow_origins:
        raise ConfigError(
            f"--host {host}: other machines could connect and write boards, without a password. Name "
            "those that may, with --allow-origin http://NAME:PORT; NAME is this machine's name there."
        )
    given = [origin.partition("//")[2] for origin in allow_origins]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=given,
        allowed_origins=[*(f"http://{name}{port}" for name in OWN_NAMES for port in ("", ":*")), *allow_origins],
    )


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
