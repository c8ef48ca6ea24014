"""Words for messages, pages and requests: shortened text, counts, lists, numbers, and what pydantic complains of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def shorten(text: str, limit: int) -> str:
    """Return at most `limit` characters; a cut text ends with an ellipsis."""
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def one_line(text: str, limit: int) -> str:
    """Return a text as one line of at most `limit` characters, with single spaces."""
    return shorten(" ".join(text.split()), limit)


def shown(value: object, limit: int = 60) -> str:
    """Return a value as Python writes it, shortened: for "given …" in messages."""
    return shorten(repr(value), limit)


def plural(count: int, noun: str, many: str = "") -> str:
    """Return `1 call`, `1,200 calls`; `many` is the plural where it is not the noun with an s."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def join(words: Iterable[str], last: str = "and", limit: int | None = None) -> str:
    """Return `a, b and c`; with a limit, `a, b and 7 more`."""
    listed = list(words)
    if limit is not None and len(listed) > limit:
        return f"{', '.join(listed[:limit])} and {len(listed) - limit:,} more"
    return f" {last} ".join(filter(None, (", ".join(listed[:-1]), *listed[-1:])))


def number(value: float, digits: int = 2) -> str:
    """Return a number with at most so many decimals, without zeros at the end and without a negative zero."""
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def problems(error: ValidationError, limit: int = 5, skip: int = 0) -> str:
    """Return what pydantic complains of, each as `path.to.field: message, given value`.

    Args:
        limit: problems that are listed; the rest is counted.
        skip: names at the start of each path that are not the reader's, such as the tag of a union.
    """
    details = error.errors(include_url=False)
    rest = f" (and {len(details) - limit:,} more)" if len(details) > limit else ""
    return "; ".join(_problem(detail, skip) for detail in details[:limit]) + rest


def _problem(detail: ErrorDetails, skip: int) -> str:
    path = ".".join(str(part) for part in detail["loc"][skip:])
    message = detail["msg"].removeprefix("Value error, ")
    given = "" if detail["type"] == "missing" else f", given {shown(detail['input'])}"
    return f"{shorten(path, 120)}: {message}{given}" if path else f"{message}{given}"


def clean(text: str, limit: int = 48) -> str:
    """Text from a file as one short line of data: nothing unseen, at most `limit` characters, the middle left out."""
    if len(text) <= limit and text.isascii() and text.isprintable() and " " not in text:
        return text
    if len(text) > 8 * limit:
        text = text[: 4 * limit] + text[-4 * limit :]
    if not text.isascii() or not text.isprintable():
        text = "".join(" " if unicodedata.category(c) in _HIDDEN else c for c in text)
    line = " ".join(text.split())
    head = limit // 3
    return line if len(line) <= limit else f"{line[:head]}…{line[len(line) - (limit - head - 1) :]}"


def natural(name: str) -> list[tuple[int, int, str]]:
    """A sort key under which C2 comes before C2A, and that before C10; no two names share one."""
    pieces = [part for part in re.split(r"([0-9]{1,18})", name) if part]
    return [*((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in pieces), (-1, 0, name)]


def ranges(names: Iterable[str]) -> list[str]:
    """Sorted, with runs of three or more written as `C1-C4`. Text from a file is made short and harmless."""
    runs: list[list[str]] = []
    for name in sorted(set(names), key=natural):
        if runs and _follows(runs[-1][-1], name):
            runs[-1].append(name)
        else:
            runs.append([name])
    names_and_ranges: list[str] = []
    for run in runs:
        names_and_ranges += [f"{clean(run[0])}-{clean(run[-1])}"] if len(run) > 2 else [clean(name) for name in run]
    return names_and_ranges


_NUMBERED = re.compile(r"^(.*?)(0|[1-9][0-9]{0,8})$", re.DOTALL)


def _follows(before: str, after: str) -> bool:
    a, b = _NUMBERED.match(before), _NUMBERED.match(after)
    return a is not None and b is not None and a[1] == b[1] and int(b[2]) == int(a[2]) + 1
