"""The MCP server: tools, resources and a prompt over open works, by stdio or streamable HTTP."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from types import FrameType
from typing import Any, Literal

import anyio
import anyio.to_thread
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError

from redraft.config import Config
from redraft.errors import MissingPartError
from redraft.limits import EXPORT, read_file
from redraft.mcp.drafts import DraftTools, memory_tools
from redraft.mcp.guides import guide
from redraft.mcp.http import PORT, checked_token, security, serve_http
from redraft.mcp.opened import LONE, Folders, OpenWorks, connection
from redraft.mcp.run import run_tools
from redraft.mcp.tool import StudioTools, resource_errors
from redraft.studios import extension, studio_names


async def _mark_connection(works: OpenWorks, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Set `connection` for the time of one message, and have a session's works closed when that ends: a middleware."""
    key = _connection_of(ctx)
    if key not in ("", LONE):
        # What ends with a session is registered at its connection, to which the SDK has no public way from here.
        client = ctx.session._connection  # pyright: ignore[reportPrivateUsage]
        if key not in client.state:
            client.state[key] = True
            client.exit_stack.callback(works.close, key)
    token = connection.set(key)
    try:
        return await call_next(ctx)
    finally:
        connection.reset(token)


def _connection_of(ctx: ServerRequestContext[Any, Any]) -> str:
    if getattr(ctx.request, "headers", None) is None:  # stdio, or within one process: there is only one client
        return ""
    # Not the header: a call that stands alone could name another client's session in it.
    return ctx.session._connection.session_id or LONE  # pyright: ignore[reportPrivateUsage]


TOOLS = "redraft.tools"
"""The entry point group of subclasses of `StudioTools`, by the studio's name; others get `DraftTools`."""
ENDING = 10.0
"""Seconds in which works are closed when the server ends."""
WAITING = (
    "redraft: waiting for an MCP client on standard input; Ctrl-C stops it. To connect one: redraft mcp --print-config "
    "claude-code (or claude-desktop, cursor, vscode, python)\n"
)


def build_server(
    folders: Sequence[Path],
    *,
    config: Config | None = None,
    by_handle: bool = False,
    studios: Sequence[str] | None = None,
) -> MCPServer[Any]:
    """Return a server for files in some folders (the current one by default).

    Args:
        folders: files elsewhere are not accessible.
        config: settings of the loop and of the studios.
        by_handle: tools take the handle of the work that they mean, for transports on which calls stand alone.
        studios: those whose tools are served; all that are installed by default.

    Raises:
        ConfigError: a folder or a studio is missing.
    """
    return _build(OpenWorks(Folders.of(folders)), config or Config(), by_handle=by_handle, studios=studios)


def _build(works: OpenWorks, settings: Config, *, by_handle: bool, studios: Sequence[str] | None) -> MCPServer[Any]:
    """Return a server of these works."""
    served: dict[str, StudioTools] = {}
    for name in studios or studio_names():
        try:
            kind = extension(TOOLS, name) or DraftTools
            served[name] = kind(name, works, settings, by_handle=by_handle)
        except MissingPartError as error:
            if studios:
                raise
            logging.getLogger(__name__).warning("%s", error)
    instructions = (files("redraft.mcp") / "instructions.md").read_text("utf-8")
    tools = [tool for studio in served.values() for tool in studio.tools()]
    tools += [*memory_tools(settings), *run_tools(works, settings, [*served], by_handle=by_handle)]
    server: MCPServer[Any] = MCPServer(
        "redraft",
        title="redraft",
        description="Draft, execute, measure, fix and look: scenes, shaders, drawings, boards and image prompts.",
        instructions="\n".join([instructions, *(f"- {name}: {guide(name).when}" for name in served)]),
        version=version("redraft"),
        tools=list(tools),
        log_level="WARNING",
        lifespan=partial(_lifespan, works),
        middleware=[partial(_mark_connection, works)],
    )
    _add_work_resources(server, works)
    for studio in served.values():
        studio.extend(server)
    return server


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


def _add_work_resources(server: MCPServer[Any], works: OpenWorks) -> None:
    """`work://{handle}/{file}`: the source, the picture, and exported files of an open work."""

    @server.resource("work://{handle}/{file}", title="A file of an open work", mime_type="application/octet-stream")
    async def work_file(handle: str, file: str) -> bytes:
        """`source` (what was drafted), `picture.png`, or a file of the last export by its name."""
        with resource_errors():
            async with works.by_handle(handle).turn() as session:
                if file == "source":
                    return await anyio.to_thread.run_sync(session.source)
                pictures = await session.look() if file == "picture.png" else []
        if pictures:
            return pictures[0].png
        path = None if session.exported is None else session.exported / Path(file).name
        if path is None or not path.is_file() or path.is_symlink() or path.stat().st_size > EXPORT.size:
            raise ResourceNotFoundError(f"{file!r} was not exported, or has more than {EXPORT.in_words}.")
        return read_file(path, EXPORT)

    _ = work_file


def serve(
    folders: Sequence[Path],
    *,
    transport: Literal["stdio", "http"] = "stdio",
    host: str = "127.0.0.1",
    port: int = PORT,
    allow_origins: Sequence[str] = (),
    token: str | None = None,
    config: Config | None = None,
    studios: Sequence[str] | None = None,
) -> None:
    """Serve until the client hangs up, or Ctrl-C.

    Over HTTP every client can write files in the folders. Only this machine is served, unless `host` says otherwise;
    then `token` and `allow_origins` are needed. With a token each request must bear it.

    Raises:
        ConfigError: a folder is missing, the port is taken, the token is too short, or another host is served without
            a token or an allowed origin.
    """
    # Standard output belongs to the protocol; and plain lines read better in a client's log than boxes.
    logging.basicConfig(level=logging.WARNING, format="redraft: %(levelname)s: %(message)s", stream=sys.stderr)
    works = OpenWorks(Folders.of(folders))
    server = _build(works, config or Config(), by_handle=transport == "http", studios=studios)
    try:
        if transport == "stdio":
            if sys.stdin.isatty():
                sys.stderr.write(WAITING)
                _hang_up_on_ctrl_c()
            server.run("stdio")
        else:
            allowed = security(host, allow_origins, checked_token(token))
            serve_http(server, host, port, allowed, token, works.any_of)
    except KeyboardInterrupt:
        logging.getLogger(__name__).info("stopped")


def _hang_up_on_ctrl_c() -> None:
    """Put a pipe between the terminal and the server, which Ctrl-C closes: the server ends as if its client hung up.

    A thread that reads from a terminal cannot be canceled, so the server alone would wait for a line more.
    """
    standard_input = sys.stdin.fileno()
    terminal = os.dup(standard_input)
    reader, writer = os.pipe()
    os.dup2(reader, standard_input)
    os.close(reader)

    def carry() -> None:
        with suppress(OSError):  # closed, or the terminal is gone
            while said := os.read(terminal, 65_536):
                os.write(writer, said)
            os.close(writer)

    def hang_up(number: int, frame: FrameType | None) -> None:
        del number, frame
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a second one ends the process at once
        os.close(writer)

    signal.signal(signal.SIGINT, hang_up)
    threading.Thread(target=carry, name="terminal", daemon=True).start()
