"""The page of one run as it happens: the report's parts by their addresses, and events as they are written."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from redraft.errors import RunNotFoundError
from redraft.record.events import EffectFailed, EffectFinished, EffectStarted, Event, RunFinished
from redraft.record.journal import is_written
from redraft.record.log import log_lines
from redraft.record.transcript import EXECUTION, Record
from redraft.report.html import Values
from redraft.report.index import mark_of
from redraft.report.page import view_of
from redraft.studios import open_studio
from redraft.studios.base import Studio
from redraft.text import plural
from redraft.view.guard import FILE_POLICY
from redraft.view.pages import Linked, Viewer, page, run_file, viewer_of
from redraft.view.parts import (
    STEP,
    changes_of,
    frames_of,
    pairs_of,
    stages_of,
    turned,
    turns_of,
)
from redraft.view.steer import actions_of

TICK = 0.1
"""Seconds between two looks at a journal."""
ALIVE = 10.0
"""Seconds after which a silent stream says that it is still there."""
LINE_LIMIT, LINES = 400, 200
"""Characters of one line, and lines in one message: the page shows the newest."""


def run_routes() -> list[Route]:
    """Return the routes of the pages of runs."""
    return [
        Route("/runs/{name}/", _run),
        Route("/runs/{name}/{file:path}", run_file),
        Route("/live/{name}", _live),
        Route("/board/{name}/parts", _parts),
        Route("/board/{name}/window", _window),
        Route("/turntable/{name}/{degrees:int}", _turned),
    ]


async def _run(request: Request) -> Response:
    viewer = viewer_of(request)
    folder = viewer.run_folder(request.path_params["name"])
    values = await anyio.to_thread.run_sync(_values, viewer, folder)
    return page(request, "run.html.j2", **values)


def _values(viewer: Viewer, folder: Path) -> Values:
    events = viewer.follow(folder).read()
    running = is_written(folder)
    record = Record(folder, events) if events else None
    transcript = None if record is None else record.transcript
    return {
        "name": folder.name,
        "count": len(events),
        "running": running,
        "view": None if record is None else view_of(record, Linked(viewer, folder)) | _beyond(viewer, record, running),
        "lines": _lines(events)[-LINES:],
        "doing": _doing(events, running),
        "mark": mark_of(folder),
        "actions": None if viewer.read_only else actions_of(viewer, folder, transcript, running),
    }


def _beyond(viewer: Viewer, record: Record, running: bool) -> Values:
    """Return the values that the viewer shows beyond the report."""
    transcript, folder = record.transcript, record.folder
    changes, left_out = changes_of(record.events)
    return {
        "running": running,
        "more": "tools.html.j2",
        "pairs": pairs_of(viewer, transcript, folder, viewer.earlier_picture(record)),
        "played": frames_of(viewer, transcript, folder),
        "turned": turns_of(viewer, transcript, folder),
        "board": "board" in transcript.files,
        "changes": changes,
        "changes_left": left_out,
        "stages": stages_of(record.events),
    }


def _run_of(request: Request) -> tuple[Path, Studio[Any, Any]]:
    """Return the folder of a run and its studio. Raises `HTTPException`, `MissingPartError`."""
    viewer, name = viewer_of(request), request.path_params["name"]
    folder, start = viewer.run_folder(name), viewer.began(name)
    if start is None:
        raise HTTPException(404, "This run has not begun.")
    return folder, open_studio(start.studio)


async def _parts(request: Request) -> Response:
    """Answer with the parts of a run's result that can be looked at."""
    folder, studio = _run_of(request)
    return JSONResponse(await anyio.to_thread.run_sync(studio.parts, folder))


async def _window(request: Request) -> Response:
    """Answer with a picture of what is around a part."""
    folder, studio = _run_of(request)
    try:
        room = min(200.0, max(0.1, float(request.query_params.get("room", "5"))))
    except ValueError:
        room = 5.0
    part = request.query_params.get("part", "")[:80]
    svg = await anyio.to_thread.run_sync(studio.close_up, folder, part, room)
    return Response(svg, media_type="image/svg+xml", headers={"content-security-policy": FILE_POLICY})


async def _turned(request: Request) -> Response:
    """Answer with a picture of a run's result, so far around."""
    (folder, studio), degrees = _run_of(request), request.path_params["degrees"]
    if degrees not in range(STEP, 361, STEP) or not studio.turntable:
        raise HTTPException(404, f"Pictures are {STEP} degrees apart.")
    async with request.app.state.turning:
        png = await turned(studio, folder, degrees)
    headers = {"content-security-policy": FILE_POLICY, "cache-control": "private, max-age=604800"}
    return Response(png, media_type="image/png", headers=headers)


def _lines(events: list[Event]) -> list[str]:
    return [line[:LINE_LIMIT] for event in events for line in log_lines(event)]


def _doing(events: list[Event], running: bool) -> str:
    """Return the work under way, in words."""
    if not running:
        return ""
    done = {event.key for event in events if isinstance(event, EffectFinished | EffectFailed)}
    open_ = [event for event in events if isinstance(event, EffectStarted) and event.key not in done]
    asked = [event.key for event in open_ if event.asks_model]
    ran = [event.key for event in open_ if event.key.rpartition("/")[2].startswith(EXECUTION)]
    said = [f"waiting for {plural(len(asked), 'reply', 'replies')}"] if asked else []
    said += [f"running {plural(len(ran), 'draft')}"] if ran else []
    return "; ".join(said) or "working"


async def _live(request: Request) -> Response:
    viewer = viewer_of(request)
    name, start = request.path_params["name"], request.query_params.get("from", "0")
    folder = viewer.run_folder(name)
    seen = int(start) if start.isdecimal() and len(start) < 9 else 0
    stream = _messages(viewer, folder, seen)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"x-accel-buffering": "no"})


async def _messages(viewer: Viewer, folder: Path, seen: int) -> AsyncGenerator[str]:
    """Yield what happens in a run: new lines, whether it runs, and how many events there are."""
    before: tuple[int, bool, str] | None = None
    spoke = 0.0
    while True:
        try:
            viewer.run_folder(folder.name)
            events = await anyio.to_thread.run_sync(viewer.follow(folder).read)
            state = await anyio.to_thread.run_sync(viewer.state, folder.name)
        except (HTTPException, RunNotFoundError):
            yield "event: gone\ndata: {}\n\n"
            return
        running = is_written(folder)
        now = (len(events), running, state)
        if now != before:
            new = events[seen:]
            ended = bool(events) and isinstance(events[-1], RunFinished) and not running
            said = {"lines": _lines(new)[-LINES:], "count": len(events), "running": running, "ended": ended}
            yield f"data: {json.dumps(said | {'doing': _doing(events, running)})}\n\n"
            before, seen, spoke = now, len(events), time.monotonic()
        elif time.monotonic() - spoke > ALIVE:
            yield ": alive\n\n"
            spoke = time.monotonic()
        await anyio.sleep(TICK)
