"""Fixes as a file of JSON lines, one entry a line: to keep them, move them to another store, or give them away.

A file from elsewhere is checked whole before the first entry of it is kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from pydantic import ValidationError

from redraft.errors import MemoryStoreError
from redraft.fixes.base import Fix, Store
from redraft.fixes.error_cache import MESSAGE_LIMIT, SNIPPET_LIMIT, stored_shape
from redraft.limits import BRIEFS, open_file

LINE_LIMIT = 100_000
"""Bytes; the longest entry that redraft writes has about half of that."""
ERRORS_SHOWN = 5
MOST_USES = 10**9

_KEY = re.compile(r"(?!redraft:)[a-z][a-z0-9_]*(:[^\s:\x00-\x1f\x7f]{1,80}){1,4}")


def exported(store: Store) -> Iterator[str]:
    """Every entry as one line of JSON, without the line break, in the order of key and time.

    All but plain ASCII is escaped: the lines may be shown on a terminal, and entries are foreign text.
    """
    return (json.dumps(fix.model_dump()).replace("\x7f", "\\u007f") for fix in store.entries())


def import_fixes(store: Store, path: Path) -> tuple[int, int]:
    """Keep all entries of a file, or none if one of them is wrong; how many were new, and how many known already.

    An entry that is known keeps its counts.

    Raises:
        MemoryStoreError: as `read_fixes`; or the store failed: then entries may be kept already, and importing the
            file again adds the rest.
    """
    fixes = read_fixes(path)
    added = store.add_all((fix, stored_shape(fix)) for fix in fixes)
    return added, len(fixes) - added


def read_fixes(path: Path) -> list[Fix]:
    """The entries of a file; the same fix twice is one, with the higher counts.

    Raises:
        MemoryStoreError: the file cannot be read, or lines of it are not entries; the message names the first few.
    """
    fixes, problems = dict[str, Fix](), list[str]()
    for number, line in _lines(path):
        try:
            fix = _entry(line)
        except ValueError as error:
            problems.append(f"{path}, line {number}: {_reason(error)}")
            continue
        fixes[fix.id] = _merged(fixes.get(fix.id), fix)
    if problems:
        more = f"\nand {len(problems) - ERRORS_SHOWN:,} more lines" if len(problems) > ERRORS_SHOWN else ""
        raise MemoryStoreError(
            "\n".join(problems[:ERRORS_SHOWN]) + more + "\nNothing was imported. Each line must be an entry as "
            "`redraft memory export` writes it; correct these lines or delete them."
        )
    return list(fixes.values())


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Numbered lines that hold something."""
    try:
        with open_file(path, BRIEFS) as file:
            for number in count(1):
                line = file.readline(LINE_LIMIT + 1)
                if len(line) > LINE_LIMIT:
                    raise MemoryStoreError(
                        f"{path}, line {number}: longer than {LINE_LIMIT:,} bytes, so not an entry of a fix memory. "
                        "Nothing was imported."
                    )
                if not line:
                    return
                if text := line.removeprefix(b"\xef\xbb\xbf").strip():
                    yield number, text
    except OSError as error:
        raise MemoryStoreError(f"Cannot read {path}: {error.strerror or error}. Name a file of JSON lines.") from error


def _entry(line: bytes) -> Fix:
    """One checked entry. Raises `ValueError`."""
    fix = Fix.model_validate_json(line)
    if not _KEY.fullmatch(fix.key):
        raise ValueError(f"key: {fix.key[:80]!r} is not a key; one looks like glsl:undeclared_identifier")
    if max(len(fix.broken_snippet), len(fix.fixed_snippet)) > SNIPPET_LIMIT:
        raise ValueError(f"a snippet is longer than {SNIPPET_LIMIT:,} characters")
    if max(len(fix.error_msg), len(fix.compiler)) > MESSAGE_LIMIT:
        raise ValueError(f"error_msg or compiler is longer than {MESSAGE_LIMIT} characters")
    if fix.broken_snippet == fix.fixed_snippet:
        raise ValueError("fixed_snippet is the same as broken_snippet")
    if not fix.times_worked <= fix.times_used <= MOST_USES:
        raise ValueError(f"times_worked {fix.times_worked} of times_used {fix.times_used} cannot be")
    return fix.model_copy(update={"timestamp": _utc(fix.timestamp)})


def _utc(timestamp: str) -> str:
    try:
        return datetime.fromisoformat(timestamp).astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError) as error:
        raise ValueError(
            f"timestamp: {timestamp[:40]!r} is not a time in ISO 8601, such as 2026-11-21T09:30:00+00:00"
        ) from error


def _merged(known: Fix | None, fix: Fix) -> Fix:
    """The same fix twice: the one that was used oftener."""
    return fix if known is None or fix.times_used > known.times_used else known


def _reason(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    problem = error.errors()[0]
    where = ".".join(str(part) for part in problem["loc"])
    return f"{where}: {problem['msg']}" if where else problem["msg"]
