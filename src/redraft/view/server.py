"""The web server of the viewer: its address, its port, and the application with all routes."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import threading
import webbrowser
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib.resources import files
from pathlib import Path

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from redraft.errors import ConfigError, RedraftError
from redraft.record.journal import EVENTS_FILE
from redraft.serving import open_port, run_server
from redraft.view.gallery import gallery_routes
from redraft.view.guard import TOKEN_TIME, Guard, Keys
from redraft.view.pages import Viewer, page
from redraft.view.providers import models_page
from redraft.view.run import run_routes
from redraft.view.steer import steering_routes

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
            keys.close()
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
    with open_port(HOST, port, "Another viewer may be using it. Choose another --port.") as listening:
        host = f"{HOST}:{listening.getsockname()[1]}"
        keys = Keys()

        def address() -> str:
            return f"http://{host}/?token={keys.token()}"

        terminal = sys.stdin.isatty()
        sys.stdout.write(
            f"redraft: {folder} is shown at {address()}\n"
            f"The address opens one browser, within {TOKEN_TIME / 60:g} minutes. "
            f"{'Press Enter for another one. ' if terminal else ''}Ctrl-C stops the viewer; runs continue.\n"
        )
        sys.stdout.flush()
        if terminal:
            _print_on_enter(address)
        try:
            if browser:
                _open_browser(host, keys)
            viewer = Viewer(folder, read_only=read_only, root=keys.root)
            run_server(application(viewer, host, keys), listening, grace=1)
        finally:
            keys.close()


def _open_browser(host: str, keys: Keys) -> None:
    """Open a private file that leads to an address: other users can read the command line of a browser."""
    private = Path(tempfile.mkdtemp(prefix="redraft-view-"))
    remove = partial(shutil.rmtree, private, ignore_errors=True)
    address = f"http://{host}/?token={keys.token(remove)}"
    page = private / "open.html"
    with os.fdopen(os.open(page, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(
            '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
            f'<meta http-equiv="refresh" content="0;url={address}"><title>redraft</title>'
            f'<p><a href="{address}">Open redraft</a></p>'
        )
    if not webbrowser.open(page.as_uri()):
        remove()


def _print_on_enter(address: Callable[[], str]) -> None:
    """Print a new address whenever Enter is pressed in the terminal."""
    terminal = sys.stdin.fileno()
    if sys.platform != "win32":
        signal.signal(signal.SIGTTIN, signal.SIG_IGN)  # in the background, reading fails and stops nothing

    def read() -> None:
        with suppress(OSError):
            while os.read(terminal, 4096):
                sys.stdout.write(f"redraft: open {address()}\n")
                sys.stdout.flush()

    threading.Thread(target=read, name="terminal", daemon=True).start()


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
