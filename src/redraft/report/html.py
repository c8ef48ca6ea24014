"""Parts common to all pages: templates whose every value is text, the policy of a page, numbers and texts on it.

A page makes no request and runs no script: whatever a model, a brief or a file name says is text there.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from pydantic import JsonValue

from redraft.record.history import DIRECTIONS
from redraft.result import Score, Usage

Values = dict[str, Any]
"""Values for a template, by name."""

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Not allowed in HTML, or not writable as UTF-8."""


def render(template: str, *sheets: str, **values: object) -> str:
    """One HTML document: `template` with these values, and the style sheets of these names in their order."""
    css = _css(sheets)
    return environment().get_template(template).render(css=css, policy=_policy(css), **values)


@cache
def environment() -> Environment:
    """Return the environment of all templates: every value is text."""
    found = Environment(
        loader=PackageLoader("redraft.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    found.filters["href"] = _href
    found.filters["number"] = lambda value: f"{value:,}"  # pyright: ignore[reportArgumentType]
    return found


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


@dataclass(frozen=True)
class Clipped:
    """The beginning of a text, and how many characters were left out."""

    text: str
    left_out: int = 0


def clip(text: str, limit: int) -> Clipped:
    """At most `limit` characters, cut at a line's end where there is one in the last tenth."""
    if len(text) <= limit:
        return Clipped(text)
    end = text.rfind("\n", limit - limit // 10, limit)
    kept = text[: end if end > 0 else limit]
    return Clipped(kept, len(text) - len(kept))


def seconds(duration: float) -> str:
    """`0.42 s`, `12.3 s`, `3 min 20 s`, `2 h 5 min`."""
    if duration < 60:
        return f"{duration:.2f} s" if duration < 10 else f"{duration:.1f} s"
    minutes, rest = divmod(round(duration), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def tokens(usage: Usage) -> str:
    """`1,200 in, 300 out`, or that they are unknown."""
    return f"{usage.input_tokens:,} in, {usage.output_tokens:,} out" if usage.counted else "unknown"


def money(dollars: float | None) -> str:
    """US dollars, or that the price is unknown."""
    if dollars is None:
        return "unknown"
    return "nothing" if dollars == 0 else f"${dollars:.4f}" if dollars < 1 else f"${dollars:,.2f}"


def day(moment: datetime) -> str:
    """`22 Nov 2026, 00:12 UTC`; in UTC and English whatever the machine's settings are."""
    month = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")[moment.month - 1]
    return f"{moment.day} {month} {moment.year}, {moment:%H:%M} UTC"


def figure(number: float) -> str:
    """At most four significant digits: `0.02`, `12`, `0.3333`."""
    return f"{number:.4g}"


def way(metric: str) -> str:
    """`lower is better`, or nothing for a metric that redraft does not know."""
    return f"{DIRECTIONS[metric]} is better" if metric in DIRECTIONS else ""


def measured(score: Score) -> str:
    """`FLIP 0.3412 (best frame 3 of 12, mean 0.3600)`; frames are counted from 1, and one alone is not named."""
    beside = by_frame(score)
    return f"{score.metric} {score.best:.4f}" + (f" ({beside})" if beside else "")


def by_frame(score: Score) -> str:
    """`best frame 3 of 12, mean 0.3600`, or nothing where there is only one."""
    several = len(score.frames) > 1
    return f"best frame {score.frame + 1} of {len(score.frames)}, mean {score.mean:.4f}" if several else ""


def settings(data: JsonValue, prefix: str = "") -> list[tuple[str, str]]:
    """Nested settings as `loop.candidates`, `5`, in the order given."""
    if isinstance(data, dict) and data:
        return [row for key, value in data.items() for row in settings(value, f"{prefix}.{key}" if prefix else key)]
    return [(prefix, data if isinstance(data, str) else json.dumps(data, ensure_ascii=False))]
