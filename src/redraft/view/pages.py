"""Shared by the viewer's pages: the folder of runs, templates, and files of runs as answers."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import ChoiceLoader, Environment, PackageLoader
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from redraft.errors import RedraftError
from redraft.models.inbox import waiting
from redraft.record.events import RunStarted
from redraft.record.journal import EVENTS_FILE, STOP_FILE, read_first
from redraft.record.transcript import Record
from redraft.report.html import environment
from redraft.report.index import Index, mark_of
from redraft.report.pictures import Gallery, Shown, inside, size_of
from redraft.view.follow import Followed
from redraft.view.guard import FILE_POLICY
from redraft.view.jobs import Job

HEAD = 65_536
"""Bytes of a picture that are read for its size."""
KINDS = {
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".jpg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".html": "text/html",
}
"""Files that a browser shows; every other one is plain text, or is saved."""
KEPT = 8
"""Journals in memory."""
SAVED = frozenset({".blend", ".glb", ".gz", ".zip"})


class Viewer:
    """The folder that is shown, and what runs in it."""

    def __init__(self, folder: Path, *, read_only: bool, root: str) -> None:
        self.folder = folder
        self.root = root
        """The path that all pages lie under."""
        self.read_only = read_only
        self.index = Index(folder, keep=not read_only)
        self._followed: dict[str, Followed] = {}
        self._jobs: dict[str, Job] = {}
        self.keys: dict[str, str] | None = None
        """Keys of model providers by environment variable; None until the keyring was asked."""

    def follow(self, folder: Path) -> Followed:
        """Return the followed journal of a run; those looked at lately are kept."""
        found = self._followed.pop(folder.name, None) or Followed(folder)
        self._followed[folder.name] = found
        while len(self._followed) > KEPT:
            self._followed.pop(next(iter(self._followed)), None)
        return found

    def earlier_picture(self, record: Record) -> str:
        """Return the address of the picture of the run that a run continues; empty where it is not in this folder."""
        on = record.transcript.brief.get("on")
        folder = (record.folder / on).resolve() if isinstance(on, str) and on else None
        entry = self.index.get(folder.name) if folder is not None and folder.parent == self.folder else None
        return self.picture(self.folder / entry.name, entry.picture).src if entry is not None and entry.picture else ""

    def state(self, name: str) -> str:
        """Return what else of a run its page shows; another text when that changes."""
        folder, inbox = self.folder / name, self.inbox(name)
        open_ = [one.number for one in waiting(inbox, name)] if inbox is not None else []
        return f"{open_} {(folder / STOP_FILE).exists()} {self.owns(name)} {self.error(name)} {mark_of(folder)}"

    def began(self, name: str) -> RunStarted | None:
        """Return the start of a run; None where it has not begun, or cannot be read."""
        try:
            first = read_first(self.folder / name)
        except RedraftError:
            return None
        return first if isinstance(first, RunStarted) else None

    def inbox(self, name: str) -> Path | None:
        """Return the folder in which a run asks; None for another model, or for a folder out of reach."""
        start = self.began(name)
        model = str(start.config.get("model", "")) if start is not None else ""
        if not model.startswith("inbox:"):
            return None
        folder = Path(model.removeprefix("inbox:")).expanduser().resolve()
        return folder if any(folder.is_relative_to(place) for place in (self.folder, Path.cwd())) else None

    def start(self, words: Sequence[str], folder: Path) -> Job:
        """Start a command that writes a run in this folder."""
        self.forget(folder.name)
        self._jobs[folder.name] = job = Job(words, folder, self.keys or {})
        return job

    def forget(self, name: str) -> None:
        """Let go of a command; its run goes on."""
        if (job := self._jobs.pop(name, None)) is not None:
            job.close()

    def owns(self, name: str) -> bool:
        """Return whether a run's process was started here and runs."""
        return name in self._jobs and self._jobs[name].running

    def end(self, name: str) -> None:
        """Stop a run's process at once, where it was started here."""
        if name in self._jobs:
            self._jobs[name].end()

    def error(self, name: str) -> str:
        """Return the reason that a run that was started here did not begin; empty without one."""
        return self._jobs[name].error() if name in self._jobs else ""

    def close(self) -> None:
        """Let go of all commands."""
        for name in list(self._jobs):
            self.forget(name)

    def run_folder(self, name: str) -> Path:
        """Return the folder of a run. Raises `HTTPException` where there is none, or where it is a link."""
        folder = self.folder / name
        try:
            real = "/" not in name and name not in ("", ".", "..") and stat.S_ISDIR(os.lstat(folder).st_mode)
        except (OSError, ValueError):
            real = False
        if not real:
            raise HTTPException(404, "No such run. It may have been deleted.")
        return folder

    def address(self, name: str, file: str = "", what: str = "runs") -> str:
        """Return the address of a run, or of a file in it."""
        return f"{self.root}/{what}/{quote(name, safe='', errors='replace')}/{quote(file, safe='/', errors='replace')}"

    def picture(self, folder: Path, name: str) -> Shown:
        """Return a picture of a run by its address."""
        path = inside(folder, name)
        if path is None:
            return Shown(name, absent="is not in the run folder")
        with path.open("rb") as file:
            head = file.read(HEAD)
        # Kept pictures are named by their content or never change once they are named; the time tells the others apart.
        return Shown(name, f"{self.address(folder.name, name)}?{path.stat().st_mtime_ns:x}", *size_of(head))


def viewer_of(request: Request) -> Viewer:
    """Return the viewer that answers a request."""
    return request.app.state.viewer


@cache
def _templates() -> Environment:
    return environment().overlay(
        loader=ChoiceLoader([PackageLoader("redraft.view", "templates"), PackageLoader("redraft.report", "templates")])
    )


def page(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """Return a page, with the token of its forms."""
    values |= {"viewer": viewer_of(request), "form_token": request.app.state.keys.form}
    return HTMLResponse(_templates().get_template(template).render(**values), status)


class Linked(Gallery):
    """The pictures of one run by their addresses; there is no budget, as nothing is embedded."""

    def __init__(self, viewer: Viewer, folder: Path) -> None:
        super().__init__(folder)
        self._viewer = viewer

    def show(self, name: str, share: float = 1.0) -> Shown | None:
        """Return the picture of this name, or None when the run has no name for it."""
        return self._viewer.picture(self._folder, name) if name else None


async def run_file(request: Request) -> Response:
    """Answer with a file of a run."""
    folder = viewer_of(request).run_folder(request.path_params["name"])
    path = inside(folder, request.path_params["file"])
    if path is None:
        raise HTTPException(404, "The run has no such file.")
    suffix = path.suffix.lower()
    kind = KINDS.get(suffix, "application/octet-stream" if suffix in SAVED else "text/plain; charset=utf-8")
    fixed = path.name != EVENTS_FILE and request.url.query
    headers = {
        "content-security-policy": FILE_POLICY,
        "cache-control": "private, max-age=604800" if fixed else "no-cache",
    }
    disposition = "attachment" if suffix in SAVED else "inline"
    return FileResponse(
        path, media_type=kind, headers=headers, filename=path.name, content_disposition_type=disposition
    )
