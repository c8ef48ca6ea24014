"""The web server of the viewer: its address, its port, and the application with all routes."""

from __future__ import annotations

import logging
import os
import socket
import sys
import webbrowser
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

import anyio
import anyio.to_thread
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from redraft.errors import ConfigError, RedraftError
from redraft.journal import EVENTS_FILE
from redraft.view.gallery import gallery_routes
from redraft.view.guard import Guard, Keys
from redraft.view.pages import Viewer, page
from redraft.view.providers import models_page
from redraft.view.run import run_routes
from redraft.view.steer import steering_routes

__all__ = ["HOST", "application", "serve"]

HOST = "127.0.0.1"
"""The viewer is for this machine alone; there is no option for another address."""
REFRESH = 2.0
"""Seconds between two looks at the folder of runs."""


def application(viewer: Viewer, host: str, keys: Keys) -> ASGIApp:
    """Return the whole application, guarded."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        app.state.turning = anyio.Lock()  # by one Blender, however many pictures a page asks for at once
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_refreshed, viewer)
            yield
            viewer.close()
            tasks.cancel_scope.cancel()

    async def failed(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 400
        said = error.detail if isinstance(error, HTTPException) else str(error)
        return page(request, "message.html.j2", status, title=_TITLES.get(status, "That did not work"), said=said)

    app = Starlette(
        routes=[
            Route("/static/{name}", _static),
            *gallery_routes(),
            *run_routes(),
            *([] if viewer.read_only else [Route("/models", models_page)]),
            *steering_routes(),
        ],
        exception_handlers={HTTPException: failed, RedraftError: failed},
        lifespan=lifespan,
    )
    app.state.viewer = viewer
    app.state.keys = keys
    return Guard(app, host, keys)


_TITLES = {404: "Not found", 403: "Not allowed", 405: "Not allowed"}
_STATIC = {"view.css": "text/css", "view.js": "text/javascript", "run.js": "text/javascript"}


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _STATIC:
        raise HTTPException(404, "No such file.")
    content = (files("redraft.view") / "static" / name).read_text("utf-8")
    if name.endswith(".css"):
        sheets = files("redraft.report") / "templates"
        content = "\n".join(
            [*((sheets / one).read_text("utf-8") for one in ("page.css", "ideas.css", "gallery.css")), content]
        )
    return Response(content, media_type=_STATIC[name])


async def _refreshed(viewer: Viewer) -> None:
    """Keep the index up to date for as long as the server runs."""
    while True:
        await anyio.to_thread.run_sync(viewer.index.refresh)
        await anyio.sleep(REFRESH)


def serve(folder: Path, *, port: int, read_only: bool, browser: bool) -> None:
    """Serve the runs in a folder to this machine's user until Ctrl-C.

    Raises:
        ConfigError: the folder cannot be used, or the port is taken.
    """
    folder = _usable(folder, read_only=read_only)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    with _listening(port) as listening:
        host = f"{HOST}:{listening.getsockname()[1]}"
        keys = Keys(folder)
        app = application(Viewer(folder, read_only=read_only), host, keys)
        address = f"http://{host}/?token={keys.token}"
        sys.stdout.write(f"redraft: {folder} is shown at {address}\nCtrl-C stops the viewer; runs continue.\n")
        sys.stdout.flush()
        if browser:
            webbrowser.open(address)
        settings = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1)
        _Server(settings).run(sockets=[listening])


class _Server(uvicorn.Server):
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End at once: answers that are under way are dropped, which is no error to tell of."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


def _usable(folder: Path, *, read_only: bool) -> Path:
    """The folder of runs, made where it may be. Raises `ConfigError`."""
    try:
        if not read_only:
            folder.mkdir(parents=True, exist_ok=True)
        os.scandir(folder).close()
    except OSError as error:
        raise ConfigError(f"Cannot show {folder}: {error.strerror or error}. Give a folder of runs.") from error
    if (folder / EVENTS_FILE).is_file():
        raise ConfigError(
            f"{folder} is a single run. Give the folder that contains it: redraft view {folder.resolve().parent}"
        )
    return folder.resolve()


def _listening(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error
        raise ConfigError(
            f"{HOST}, port {port}, cannot be opened: {reason}. Another viewer may be using it. Choose another --port."
        ) from error
