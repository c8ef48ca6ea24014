"""What all pages have in common: templates whose every value is text, style sheets, and a policy that forbids the rest.

A page makes no request and runs no script: what a model, a brief or a file name says is text there, whatever it looks
like.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

__all__ = ["render"]

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Not allowed in HTML, or not writable as UTF-8."""


def render(template: str, *sheets: str, **values: object) -> str:
    """One HTML document: `template` with these values, and the style sheets of these names in their order."""
    css = _css(sheets)
    return _environment().get_template(template).render(css=css, policy=_policy(css), **values)


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
    """A file beside the page (or beside its folder) as a relative address: no scheme, no host can come out of it."""
    return "./" + quote(name, safe="/", errors="replace")


@cache
def _css(sheets: tuple[str, ...]) -> Markup:
    # Our own files, not input: they must reach the page unescaped to be a style sheet.
    folder = files("redraft.report") / "templates"
    return Markup("\n".join((folder / name).read_text("utf-8") for name in sheets))  # noqa: S704


@cache
def _policy(css: Markup) -> str:
    """Nothing may be fetched or run; pictures are data, and the one style sheet is known by its digest."""
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
