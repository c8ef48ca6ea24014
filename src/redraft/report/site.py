"""A folder of runs as a static site: a gallery, and the page of each run. It needs no server and runs no script."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from redraft.errors import RedraftError, RunNotFoundError
from redraft.files import write_atomic
from redraft.limits import PICTURE, read_file
from redraft.record.transcript import Record
from redraft.report.html import Values, day, render
from redraft.report.index import Entry, Index
from redraft.report.page import write_page
from redraft.report.pictures import data_uri, inside

STATES = {
    "valid": "Valid",
    "invalid": "Not valid",
    "incomplete": "Incomplete",
    "unchecked": "Unchecked",
    "ended": "Ended early",
    "unfinished": "Not finished",
    "damaged": "Damaged",
}


def write_site(folder: Path, out: Path) -> Path:
    """Write the site of all runs in a folder; return its first page.

    Raises:
        RunNotFoundError: the folder holds no run. RunError: a file cannot be written.
    """
    index = Index(folder, keep=False)
    index.refresh()
    cards, taken = list[Values](), set[str]()
    for entry in index.all():
        name = _place(entry.name, taken)
        try:
            record = Record.load(folder / entry.name)
        except RedraftError:  # damaged: named, without a page
            cards.append(_card(entry, "", ""))
            continue
        taken.add(name)
        (out / name).mkdir(parents=True, exist_ok=True)
        write_page(record, out / name / "index.html")
        cards.append(_card(entry, name, _picture(folder / entry.name, entry.picture, out / name)))
    if not cards:
        raise RunNotFoundError(f"{folder} contains no runs. Give a folder of runs.")
    return write_atomic(out / "index.html", render("site.html.j2", "page.css", "gallery.css", cards=cards))


def _card(entry: Entry, place: str, picture: str) -> Values:
    when = day(entry.started) if entry.started else ""
    facts = [STATES.get(entry.status, entry.status), entry.studio, entry.score, when]
    return {"place": place, "picture": picture, "words": entry.words, "facts": " · ".join(filter(None, facts))}


def _place(name: str, taken: Collection[str]) -> str:
    """A folder's name that any server takes."""
    safe = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:80] or "run"
    return safe if safe not in taken else next(f"{safe}-{n}" for n in range(2, 10**6) if f"{safe}-{n}" not in taken)


def _picture(folder: Path, name: str, place: Path) -> str:
    """The address of a picture: a PNG as a file beside the run's page; a drawing embedded, to be seen only."""
    path = inside(folder, name) if name else None
    if path is None:
        return ""
    raw = read_file(path, PICTURE)
    src = data_uri(raw) or ""
    if not src.startswith("data:image/png"):
        return src
    write_atomic(place / "picture.png", raw)
    return f"./{place.name}/picture.png"
