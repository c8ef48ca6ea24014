"""The extras of redraft that are installed: those of the studios, of the providers of models, and the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata, requires, version

EVERYTHING = "all"
REQUIREMENT = re.compile(r"^([\w.-]+)(?:\[([\w,\s.-]+)\])?[^;]*;\s*extra\s*==\s*['\"]([\w.-]+)['\"]\s*$")
"""A requirement that comes with one extra, whatever the system: name, extras of its own, the extra."""


@dataclass(frozen=True)
class Extra:
    """An extra, as in `pip install 'redraft[NAME]'`."""

    name: str
    missing: tuple[str, ...]
    """Packages of it that are not here; empty when it is installed."""


def extras() -> list[Extra]:
    """All but the one that brings them all."""
    names = metadata("redraft").get_all("Provides-Extra") or []
    return [Extra(name, tuple(_missing("redraft", name))) for name in names if name != EVERYTHING]


def _missing(package: str, extra: str) -> Iterator[str]:
    for line in requires(package) or ():
        found = REQUIREMENT.match(line)
        if found is None or found[3] != extra:
            continue
        if not _installed(found[1]):
            yield found[1]
            continue
        for inner in (found[2] or "").replace(" ", "").split(","):
            yield from _missing(found[1], inner)


def _installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True
