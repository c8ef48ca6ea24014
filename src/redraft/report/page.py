"""From a run to HTML. What the page says is decided in `view`; how it looks, in `templates/`.

The page makes no request and runs no script, and its content policy forbids both: what a model or a brief wrote is
text here, whatever it looks like.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from redraft.files import write_atomic
from redraft.report.view import view_of
from redraft.transcript import Run

__all__ = ["REPORT_FILE", "render_page", "write_page"]

REPORT_FILE = "report.html"

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Not allowed in HTML, or not writable as UTF-8."""


def render_page(run: Run) -> str:
    """The page of a run, finished or not, as one HTML document without references to anything outside it.

    Pictures are read from the run folder; one that is missing, or too much for one page, is named instead.
    """
    return _environment().get_template("page.html.j2").render(view=view_of(run), css=_css(), policy=_policy())


def write_page(run: Run) -> Path:
    """Write `report.html` into the run's folder, whole or not at all, and return its path.

    Raises:
        RunError: it cannot be written.
    """
    return write_atomic(run.folder / REPORT_FILE, render_page(run))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("redraft.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    environment.filters["href"] = _href
    environment.filters["number"] = lambda value: f"{value:,}"  # pyright: ignore[reportArgumentType]
    return environment


def _printable(value: object) -> object:
    """Text with what HTML cannot hold replaced, so that no reply can make a page unwritable."""
    return _UNPRINTABLE.sub("\ufffd", value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _href(name: str) -> str:
    """A file of the run folder as a relative address: no scheme, no host can come out of it."""
    return "./" + quote(name, safe="/", errors="replace")


@cache
def _css() -> Markup:
    # Our own file, not input: it must reach the page unescaped to be a style sheet.
    return Markup((files("redraft.report") / "templates" / "page.css").read_text("utf-8"))  # noqa: S704


@cache
def _policy() -> str:
    """Nothing may be fetched or run; pictures are data, and the one style sheet is known by its digest."""
    digest = base64.b64encode(hashlib.sha256(_css().encode()).digest()).decode()
    return f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
