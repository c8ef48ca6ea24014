"""The gallery of runs: pictures first, with a search, filters, and further runs as one scrolls."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from shlex import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from redraft.files import batches_in
from redraft.record.journal import is_written
from redraft.report.html import Values, day, money
from redraft.report.index import Choice, Entry
from redraft.report.site import STATES
from redraft.studios import open_studio, studio_names
from redraft.view.pages import Viewer, page, viewer_of

SHOWN = 60
"""Runs on the first page, and in each further part."""
FIELDS = ("words", "studio", "model", "status", "verdict", "since", "until")


def gallery_routes() -> list[Route]:
    """Return the routes of the gallery."""
    return [Route("/", _gallery), Route("/cards", _cards)]


def _choice(request: Request) -> Choice:
    given = {name: request.query_params.get(name, "")[:200] for name in FIELDS}
    try:
        cost = float(request.query_params.get("cost", ""))
    except ValueError:
        cost = None
    return Choice(**given, cost=cost)


async def _gallery(request: Request) -> Response:
    viewer, choice = viewer_of(request), _choice(request)
    filters = {
        "studios": viewer.index.values("studio"),
        "models": viewer.index.values("model"),
        "states": STATES,
        "folder": viewer.folder.name,
        "batches": [_typed(path) for path in batches_in(viewer.folder)],
        "begin": [] if viewer.read_only or viewer.index.all() else [open_studio(name) for name in studio_names()],
        "narrowed": any(value for name, value in asdict(choice).items() if name != "words"),
    }
    return page(request, "gallery.html.j2", choice=choice, **filters, **_part(viewer, choice, 0, SHOWN))


def _typed(path: Path) -> str:
    """A path as one would type it where the viewer was started."""
    return quote(str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path))


async def _cards(request: Request) -> Response:
    """Answer with a part of the list; with nothing where it is still the version that the page has."""
    viewer, choice = viewer_of(request), _choice(request)
    start, many = (_number(request, name, default) for name, default in (("from", 0), ("many", SHOWN)))
    if request.query_params.get("version") == f"{viewer.index.version}":
        return Response(status_code=204)
    return page(request, "cards.html.j2", **_part(viewer, choice, start, many))


def _number(request: Request, name: str, default: int) -> int:
    given = request.query_params.get(name, "")
    return int(given) if given.isdecimal() and len(given) < 9 else default


def _part(viewer: Viewer, choice: Choice, start: int, many: int) -> Values:
    version, found = viewer.index.version, viewer.index.chosen(choice)
    return {
        "total": len(found),
        "all": len(viewer.index.all()),
        "left": viewer.index.left,
        "version": version,
        "cards": [_card(viewer, entry) for entry in found[start : start + many]],
    }


def _card(viewer: Viewer, entry: Entry) -> Values:
    running = entry.status == "unfinished" and is_written(viewer.folder / entry.name)
    picture = viewer.address(entry.name, entry.picture) + f"?{entry.changed:x}" if entry.picture else ""
    facts = [
        entry.studio,
        entry.score,
        money(entry.cost) if entry.cost else "",
        day(entry.started) if entry.started else "",
    ]
    return {
        "href": viewer.address(entry.name),
        "picture": picture,
        "words": entry.words or entry.name,
        "status": "running" if running else entry.status,
        "state": "Running" if running else STATES.get(entry.status, entry.status),
        "facts": " · ".join(filter(None, facts)),
        "verdict": entry.verdict,
    }
