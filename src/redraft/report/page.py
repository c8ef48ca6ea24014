"""From a run to HTML. What the page says is decided in `view`; how it looks, in `templates/`."""

from __future__ import annotations

from pathlib import Path

from redraft.files import write_atomic
from redraft.report.html import render
from redraft.report.view import view_of
from redraft.transcript import Run

__all__ = ["REPORT_FILE", "render_page", "write_page"]

REPORT_FILE = "report.html"


def render_page(run: Run) -> str:
    """The page of a run, finished or not, as one HTML document without references to anything outside it.

    Pictures are read from the run folder; one that is missing, or too much for one page, is named instead.
    """
    return render("page.html.j2", "page.css", "ideas.css", view=view_of(run))


def write_page(run: Run) -> Path:
    """Write `report.html` into the run's folder, whole or not at all, and return its path.

    Raises:
        RunError: it cannot be written.
    """
    return write_atomic(run.folder / REPORT_FILE, render_page(run))
