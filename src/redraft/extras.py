"""Installed parts: the entry points of all packages, and the extras of redraft."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import Any

EVERYTHING = "all"
REQUIREMENT = re.compile(r"^([\w.-]+)(?:\[([\w,\s.-]+)\])?[^;]*;\s*extra\s*==\s*['\"]([\w.-]+)['\"]\s*$")
"""A requirement that comes with one extra, whatever the system: name, extras of its own, the extra."""


@dataclass(frozen=True)
class Extra:
    """An extra, as in `pip install 'redraft[NAME]'`."""

    name: str
    missing: tuple[str, ...]
    """Packages of it that are not installed; empty if it is installed whole."""


@cache
def installed() -> Any:  # `EntryPoints`, in Python 3.11 `SelectableGroups`
    """Return all entry points; reading those of all packages takes 30 ms, and a command needs several groups."""
    return metadata.entry_points()


def entry_points(group: str) -> tuple[metadata.EntryPoint, ...]:
    """Return the entry points of a group."""
    return tuple(installed().select(group=group))


def extras() -> list[Extra]:
    """Return all extras but `all`."""
    names = metadata.metadata("redraft").get_all("Provides-Extra") or []
    return [Extra(name, tuple(_missing("redraft", name))) for name in names if name != EVERYTHING]


def _missing(package: str, extra: str) -> Iterator[str]:
    """Yield the packages of an extra that are not installed, and those of the extras that it consists of."""
    for line in metadata.requires(package) or ():
        match = REQUIREMENT.match(line)
        if match is None or match[3] != extra:
            continue
        try:
            metadata.version(match[1])
        except metadata.PackageNotFoundError:
            yield match[1]
            continue
        for inner in (match[2] or "").replace(" ", "").split(","):
            yield from _missing(match[1], inner)
